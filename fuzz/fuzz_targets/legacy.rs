//! Decodes any bytes as the UTF-8 of RFC 2279, and searches for sequences of older definitions of
//! UTF-8.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::common::legacy;

fuzz_target!(|data: &[u8]| legacy::check(data));
