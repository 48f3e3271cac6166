//! Converts any bytes between any two encodings with repairs: every policy, every form, in outputs
//! that are too small. The first four bytes choose the pair, the repair and two outputs; some of
//! the inputs are repeated many times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::{lossy, lossy_face};

/// Bytes of a long text: more than is repaired at once.
const LONG: usize = 3000;

fuzz_target!(|data: &[u8]| {
    let [number, way, less, other, src @ ..] = data else { return };
    let pair = choice(lossy_face::pairs(), *number);
    let src = &src[..src.len() / pair.from.unit * pair.from.unit];
    let repair = *choice(&lossy::repairs(), *way);
    let [less, other] = [less, other].map(|&less| -isize::from(less) - 1);
    lossy::check_lossy(pair, src, repair, &[0, -1, less, 2 * other, 100]);
    lossy::check_lossy_schemes(pair, src, repair);
    if *way >= 0xE0 && !src.is_empty() {
        let long = src.repeat(LONG / src.len() + 1);
        lossy::check_lossy(pair, &long, repair, &[0, 8 * less]);
    }
});
