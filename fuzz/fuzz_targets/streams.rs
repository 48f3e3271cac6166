//! Streams cut by the fuzzer, strict and with policies: transcoders of any pair with outputs of any
//! size, validators of any encoding. The first eight bytes choose the pair, four chunks, two
//! outputs and a repair.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::{lossy, lossy_face, streams};

fuzz_target!(|data: &[u8]| {
    let [number, a, b, c, d, capacity, other, way, src @ ..] = data else { return };
    let pair = choice(lossy_face::pairs(), *number);
    let src = &src[..src.len() / pair.from.unit * pair.from.unit];
    // Chunks and outputs may be empty, as long as the stream makes progress.
    let cuts = [*a, *b, *c, *d, 1].map(usize::from);
    let capacities = [*capacity, *other, 4].map(usize::from);
    streams::check_stream(pair, src, &cuts, &capacities);
    streams::check_validator(pair.from, src, &cuts);
    let repair = *choice(&lossy::repairs(), *way);
    lossy::check_lossy_stream(pair, src, repair, &cuts, &capacities);
    lossy::check_half_strict_stream(pair, src, repair, &cuts);
});
