//! Converts any bytes between any two encodings: every verb, every capacity, and in chunks. The first three bytes choose
//! the pair, the cut and the outputs; some of the inputs come again behind a long text.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{checks, face, streams};
use libfuzzer_sys::fuzz_target;

/// Bytes of a long text: more than an owned result gets room for at once.
const LONG: usize = 5000;

fuzz_target!(|data: &[u8]| {
    let [number, cut, room, src @ ..] = data else { return };
    let pair = &face::pairs()[usize::from(*number) % face::pairs().len()];
    let src = &src[..src.len() / pair.from.unit * pair.from.unit];
    checks::check_transcode(pair, src);
    streams::check_stream(pair, src, &[usize::from(*cut), 1], &[usize::from(*room), 4]);
    // Its first half many times in front of it: errors behind more than is tested together, and owned results that grow.
    if *room >= 0xE0 {
        let front = &src[..src.len() / 2 / pair.from.unit * pair.from.unit];
        let long = [front.repeat(LONG / front.len().max(1)), src.to_vec()].concat();
        checks::check_transcode(pair, &long);
    }
    // Quadratic: short texts reach every border of a step.
    if src.len() < 200 {
        checks::check_capacities(pair, src);
    }
});
