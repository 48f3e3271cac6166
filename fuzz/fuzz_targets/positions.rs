//! Checks every position in any bytes, with and without an index, and in any units; the order of
//! two texts. The first two bytes choose where the second text begins, and if the input is repeated
//! many times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::common::{api, lines, positions};

/// Bytes of an input whose positions are all checked: each costs hundreds of calls.
const SHORT: usize = 300;

/// Bytes of a long text: several checkpoints in an index.
const LONG: usize = 3000;

fuzz_target!(|data: &[u8]| {
    let [cut, how, src @ ..] = data else { return };
    let src = &src[..src.len().min(SHORT)];
    positions::check_positions(src);
    lines::check_lines(src, |_| true);
    let units = api::units::<u16>(&src[..src.len() / 2 * 2]);
    positions::check_utf16_positions(&units);
    let (a, b) = units.split_at(usize::from(*cut).min(units.len()));
    positions::check_compare(a, b);
    // The same except for one unit: texts that differ late.
    let mut other = units.to_vec();
    if let Some(unit) = other.get_mut(usize::from(*how)) {
        *unit ^= 1 << (cut % 16);
    }
    positions::check_compare(&units, &other);
    if *how >= 0xFC && !src.is_empty() {
        positions::check_positions(&src.repeat(LONG / src.len() + 1));
    }
});
