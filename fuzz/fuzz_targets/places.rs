//! Asks for every place in any bytes, and in any units; the order of two texts. The first byte says where the second one begins.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{face, places};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [cut, src @ ..] = data else { return };
    places::check_places(src);
    let units = face::units::<u16>(&src[..src.len() / 2 * 2]);
    places::check_utf16_places(&units);
    let (a, b) = units.split_at(usize::from(*cut).min(units.len()));
    places::check_compare(a, b);
});
