//! Converts any bytes between any two encodings: by every operation, with type parameters and with
//! `Scheme`, and for every capacity. The first two bytes choose the pair of encodings, and whether
//! the input follows a long text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::checks;
use utflane_fuzz::common::pairs::pairs;

/// The number of bytes of a long text. Its owned result needs more than the first allocation.
const LONG_TEXT_BYTES: usize = 5000;

fuzz_target!(|data: &[u8]| {
    let [pair, repeat, src @ ..] = data else { return };
    let pair = choice(pairs(), *pair);
    let src = &src[..src.len() / pair.from.element_bytes * pair.from.element_bytes];
    checks::check_transcode(pair, src);
    checks::check_schemes(pair, src);
    // The first half of the input is repeated before the input. So errors come after more text than
    // is checked together, and owned results must grow.
    if *repeat >= 0xE0 {
        let first_half = &src[..src.len() / 2 / pair.from.element_bytes * pair.from.element_bytes];
        let long =
            [first_half.repeat(LONG_TEXT_BYTES / first_half.len().max(1)), src.to_vec()].concat();
        checks::check_transcode(pair, &long);
    }
    // The check takes quadratic time. Short texts suffice to reach every boundary of a step.
    if src.len() < 200 {
        checks::check_capacities(pair, src);
    }
});
