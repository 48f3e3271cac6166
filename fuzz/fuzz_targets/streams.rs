//! Checks streams whose chunks the fuzzer chooses, without and with repairs: transcoders of any
//! pair of encodings with outputs of any size, and validators of any encoding. The first eight
//! bytes choose the pair, the lengths of four chunks, the sizes of two outputs, and the repair.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::pairs::pairs;
use utflane_fuzz::common::{lossy, streams};

fuzz_target!(|data: &[u8]| {
    let [pair, a, b, c, d, capacity, other_capacity, repair, src @ ..] = data else { return };
    let pair = choice(pairs(), *pair);
    let src = &src[..src.len() / pair.from.element_bytes * pair.from.element_bytes];
    // Chunks and outputs may be empty, but the last ones are not, so that the stream makes
    // progress.
    let chunk_lens = [*a, *b, *c, *d, 1].map(usize::from);
    let capacities = [*capacity, *other_capacity, 4].map(usize::from);
    streams::check_stream(pair, src, &chunk_lens, &capacities);
    streams::check_validator(pair.from, src, &chunk_lens);
    let repair = *choice(&lossy::repairs(), *repair);
    lossy::check_lossy_stream(pair, src, repair, &chunk_lens, &capacities);
    lossy::check_stream_that_stops_at_one_kind(pair, src, repair, &chunk_lens);
});
