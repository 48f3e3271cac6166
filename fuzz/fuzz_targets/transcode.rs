//! Converts any bytes between any two encodings: every verb, every capacity, and in chunks. The first three bytes choose
//! the pair, the cut and the outputs.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{checks, face, streams};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [number, cut, room, src @ ..] = data else { return };
    let pair = &face::pairs()[usize::from(*number) % 81];
    let src = &src[..src.len() / pair.from.unit * pair.from.unit];
    checks::check_transcode(pair, src);
    streams::check_stream(pair, src, &[usize::from(*cut), 1], &[usize::from(*room), 4]);
    // Quadratic: short texts reach every border of a step.
    if src.len() < 200 {
        checks::check_capacities(pair, src);
    }
});
