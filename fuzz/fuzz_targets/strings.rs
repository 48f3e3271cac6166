//! Whole strings of any bytes: UTF-8, CESU-8 and Modified UTF-8, strict and repaired; UTF-16
//! repaired in all forms; texts in WTF-8 joined. The first byte chooses where they are joined, and
//! the size of an output.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::common::api::Api;
use utflane_fuzz::common::{api, repair, strings};

fuzz_target!(|data: &[u8]| {
    let [cut, src @ ..] = data else { return };
    strings::check_strings(src);
    let at = usize::from(*cut).min(src.len());
    strings::check_appended(&src[..at], &src[at..]);
    let units = api::units::<u16>(&src[..src.len() / 2 * 2]);
    repair::check_utf16(&units);
    let (first, second) = units.split_at(at.min(units.len()));
    let (second, third) = second.split_at(second.len() / 2);
    strings::check_joined(&[first, second, third]);
    let want = repair::repaired(&units).0;
    let mut dst = vec![0; usize::from(*cut)];
    for &api in Api::all() {
        repair::check_into(api, &units, &want, &mut dst);
    }
});
