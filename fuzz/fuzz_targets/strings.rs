//! Checks functions for whole strings, on any bytes: conversions of UTF-8, CESU-8 and Modified
//! UTF-8 to strings without and with repairs, all repairs of UTF-16, and the concatenation of texts
//! in WTF-8. The first byte chooses where the texts are split, and the size of an output.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::common::api::Api;
use utflane_fuzz::common::{api, repair, strings};

fuzz_target!(|data: &[u8]| {
    let [split, src @ ..] = data else { return };
    strings::check_strings(src);
    let offset = usize::from(*split).min(src.len());
    strings::check_appended(&src[..offset], &src[offset..]);
    let units = api::units::<u16>(&src[..src.len() / 2 * 2]);
    repair::check_utf16(&units);
    let (first, second) = units.split_at(offset.min(units.len()));
    let (second, third) = second.split_at(second.len() / 2);
    strings::check_joined(&[first, second, third]);
    let want = repair::repaired(&units).0;
    let mut dst = vec![0; usize::from(*split)];
    for &api in Api::all() {
        repair::check_into(api, &units, &want, &mut dst);
    }
});
