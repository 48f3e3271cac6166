//! Converts any bytes between any two encodings with repairs: with every policy, by every variant
//! of the functions, and into outputs that are too small. The first four bytes choose the pair of
//! encodings, the repair and the sizes of two outputs. Some inputs are repeated many times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::lossy;
use utflane_fuzz::common::pairs::pairs;

/// The minimum number of bytes of a long text, which is longer than the segment that is repaired at
/// once.
const LONG_TEXT_BYTES: usize = 3000;

fuzz_target!(|data: &[u8]| {
    let [pair, repair, capacity, other, src @ ..] = data else { return };
    let pair = choice(pairs(), *pair);
    let src = &src[..src.len() / pair.from.element_bytes * pair.from.element_bytes];
    let is_repeated = *repair >= 0xE0;
    let repair = *choice(&lossy::repairs(), *repair);
    let [less, other] = [capacity, other].map(|&capacity| -isize::from(capacity) - 1);
    lossy::check_lossy(pair, src, repair, &[0, -1, less, 2 * other, 100]);
    lossy::check_lossy_schemes(pair, src, repair);
    if is_repeated && !src.is_empty() {
        let long = src.repeat(LONG_TEXT_BYTES / src.len() + 1);
        lossy::check_lossy(pair, &long, repair, &[0, 8 * less]);
    }
});
