//! Converts any bytes between any two encodings with repairs: every way, every form, in chunks and in outputs that are too
//! small. The first four bytes choose the pair, the repair, the cut and the outputs; some of the inputs come again many times
//! over.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{lossy, lossy_face};
use libfuzzer_sys::fuzz_target;

/// Bytes of a long text: more than is mended at once.
const LONG: usize = 3000;

fuzz_target!(|data: &[u8]| {
    let [number, way, cut, room, src @ ..] = data else { return };
    let pair = &lossy_face::pairs()[usize::from(*number) % lossy_face::pairs().len()];
    let src = &src[..src.len() / pair.from.unit * pair.from.unit];
    let repairs = lossy::repairs();
    let repair = repairs[usize::from(*way) % repairs.len()];
    let less = -isize::from(*room) - 1;
    lossy::check_lossy(pair, src, repair, &[0, -1, less, 2 * less, 100]);
    let (cut, room) = (usize::from(*cut), usize::from(*room));
    lossy::check_lossy_stream(pair, src, repair, &[cut, 1], &[room, 4]);
    lossy::check_half_strict_stream(pair, src, repair, &[cut, 3]);
    if *way >= 0xE0 && !src.is_empty() {
        let long = src.repeat(LONG / src.len() + 1);
        lossy::check_lossy(pair, &long, repair, &[0, 8 * less]);
    }
});
