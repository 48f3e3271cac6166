//! Checks columns of any bytes in any encoding, in every layout: validation, conversions, counts.
//! The first bytes choose the encoding, the borders between the rows, which of them are null, and
//! how this run passes the column: kernel, layout and target. All combinations in each run would be
//! three runs a second.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane::Scheme;
use utflane_fuzz::choice;
use utflane_fuzz::common::columns;

/// Bytes of an input: all of it is converted row by row for the oracle.
const SHORT: usize = 400;

/// Bytes and rows, most of which may be empty: enough to look up borders and views many at once.
const MANY: (usize, usize) = (2000, 1200);

/// More bytes than a block of rows has. One run in 128 has as many, and takes as long as fifty.
const LONG: (usize, usize) = (70_000, 20_000);

fuzz_target!(|data: &[u8]| {
    let [number, nulls, how, first, way, target, cuts @ ..] = data else { return };
    let way = usize::from(*way) << 8 | usize::from(*target);
    let Some((cuts, src)) = cuts.split_at_checked(5) else { return };
    let (scheme, src) = (*choice(Scheme::ALL, *number), &src[..src.len().min(SHORT)]);
    let is_many = how & 0x80 != 0;
    let mut borders = vec![if is_many { 0 } else { usize::from(*first) % (src.len() + 1) }];
    for &cut in cuts.iter().cycle().take(usize::from(*how) % 16) {
        let last = borders[borders.len() - 1];
        borders.push(src.len().min(last + usize::from(cut) % 48));
    }
    if !is_many {
        let is_null = |row| nulls >> (row % 8) & 1 == 1;
        return columns::check_column(scheme, src, &borders, is_null, way);
    }
    if src.is_empty() {
        return;
    }
    // The same rows many times, with errors among them. Other bits choose a length, and UTF-8,
    // which has separate code.
    let scheme = if how & 0x40 != 0 { Scheme::Utf8 } else { scheme };
    borders.push(src.len());
    let (bytes, rows) = if first % 64 == 0 { LONG } else { MANY };
    let times = (bytes / src.len() + 1).min(rows / borders.len());
    let ends = |turn: usize| borders[1..].iter().map(move |end| turn * src.len() + end);
    let all: Vec<_> = std::iter::once(0).chain((0..times).flat_map(ends)).collect();
    // One row that differs.
    let mut long = src.repeat(times);
    let at = usize::from(*first) * long.len() / 256;
    long[at] = *nulls;
    columns::check_validity(scheme, &long, &all, Some(way));
});
