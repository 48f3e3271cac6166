//! Validates any bytes in any encoding, at once and in chunks. The first two bytes choose the encoding and the cut.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::{checks, face, streams};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [number, cut, src @ ..] = data else { return };
    let codec = &face::codecs()[usize::from(*number) % face::codecs().len()];
    let src = &src[..src.len() / codec.unit * codec.unit];
    checks::check_validate(codec, src);
    streams::check_validator(codec, src, &[usize::from(*cut), 1]);
});
