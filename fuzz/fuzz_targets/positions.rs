//! Checks every position in any bytes, with and without an index, and in any UTF-16 units. Also
//! checks the comparison of two texts. The first two bytes choose where the second text begins, and
//! whether the input is repeated many times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::common::{api, lines, positions};

/// The maximum number of bytes of an input. All positions are checked, and each needs hundreds of
/// calls.
const MAX_INPUT_BYTES: usize = 300;

/// The minimum number of bytes of a long text, whose index has several checkpoints.
const LONG_TEXT_BYTES: usize = 3000;

fuzz_target!(|data: &[u8]| {
    let [split, variation, src @ ..] = data else { return };
    let src = &src[..src.len().min(MAX_INPUT_BYTES)];
    positions::check_positions(src);
    lines::check_lines(src, |_| true);
    let units = api::units::<u16>(&src[..src.len() / 2 * 2]);
    positions::check_utf16_positions(&units);
    let (a, b) = units.split_at(usize::from(*split).min(units.len()));
    positions::check_compare(a, b);
    // A text in which one unit differs.
    let mut other = units.to_vec();
    if let Some(unit) = other.get_mut(usize::from(*variation)) {
        *unit ^= 1 << (split % 16);
    }
    positions::check_compare(&units, &other);
    if *variation >= 0xFC && !src.is_empty() {
        positions::check_positions(&src.repeat(LONG_TEXT_BYTES / src.len() + 1));
    }
});
