//! Checks columns of any bytes in any encoding, in every layout: validation, conversions, counts.
//! The first bytes choose the encoding, the borders between the rows and which of them are null.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane::Scheme;
use utflane_fuzz::choice;
use utflane_fuzz::common::columns;

/// Bytes of an input: all of it is converted row by row for the oracle, in many ways.
const SHORT: usize = 400;

/// Bytes of a long text: more than a block of rows.
const LONG: usize = 70_000;

fuzz_target!(|data: &[u8]| {
    let [number, nulls, how, first, cuts @ ..] = data else { return };
    let Some((cuts, src)) = cuts.split_at_checked(5) else { return };
    let (scheme, src) = (*choice(Scheme::ALL, *number), &src[..src.len().min(SHORT)]);
    let mut borders = vec![usize::from(*first) % (src.len() + 1)];
    for &cut in cuts.iter().cycle().take(usize::from(*how) % 16) {
        let last = borders[borders.len() - 1];
        borders.push(src.len().min(last + usize::from(cut) % 48));
    }
    columns::check_columns(scheme, src, &borders, |row| nulls >> (row % 8) & 1 == 1);
    // The same rows many times: several blocks, with errors in each.
    if *how == 0xFF && borders[0] == 0 && borders[borders.len() - 1] == src.len() && !src.is_empty()
    {
        let times = LONG / src.len() + 1;
        let long = src.repeat(times);
        let ends = |turn: usize| borders[1..].iter().map(move |end| turn * src.len() + end);
        let borders: Vec<_> = std::iter::once(0).chain((0..times).flat_map(ends)).collect();
        columns::check_validity(scheme, &long, &borders);
    }
});
