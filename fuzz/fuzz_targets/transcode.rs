//! Converts any bytes between any two encodings: every operation, typed and by schemes, every
//! capacity. The first two bytes choose the pair, and if the input is repeated after a long text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::{api, checks};

/// Bytes of a long text: more than the first allocation of an owned result.
const LONG: usize = 5000;

fuzz_target!(|data: &[u8]| {
    let [number, how, src @ ..] = data else { return };
    let pair = choice(api::pairs(), *number);
    let src = &src[..src.len() / pair.from.unit * pair.from.unit];
    checks::check_transcode(pair, src);
    checks::check_schemes(pair, src);
    // Its first half many times before it: errors after more than is checked together, and owned
    // results that grow.
    if *how >= 0xE0 {
        let front = &src[..src.len() / 2 / pair.from.unit * pair.from.unit];
        let long = [front.repeat(LONG / front.len().max(1)), src.to_vec()].concat();
        checks::check_transcode(pair, &long);
    }
    // Quadratic: short texts reach every boundary of a step.
    if src.len() < 200 {
        checks::check_capacities(pair, src);
    }
});
