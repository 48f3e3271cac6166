//! Checks the validation, conversions and counts of columns: any bytes in any encoding, in every
//! layout. The first bytes choose the encoding, the boundaries between the rows, the null rows, and
//! the kernel, the layout and the target encoding. Each run checks only one combination of the last
//! three: all combinations would allow only three runs a second.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane::Scheme;
use utflane_fuzz::choice;
use utflane_fuzz::common::columns;

/// The maximum number of bytes of an input. The oracle converts all of them row by row.
const MAX_INPUT_BYTES: usize = 400;

/// The number of bytes and the maximum number of rows of a column with many rows. It has enough
/// rows for the functions that look up many boundaries or views at once. Most of the rows may be
/// empty.
const MANY_ROWS: (usize, usize) = (2000, 1200);

/// The number of bytes and the maximum number of rows of a column that is longer than a block of
/// rows. One run in 128 has such a column, and takes as long as fifty other runs.
const LONG_COLUMN: (usize, usize) = (70_000, 20_000);

fuzz_target!(|data: &[u8]| {
    // `shape` has bit 7 for a column with many rows, and bit 6 to make such a column UTF-8. The
    // other bits choose the number of row lengths.
    let [scheme, nulls, shape, start, variant_high, variant_low, row_lens @ ..] = data else {
        return;
    };
    let variant = usize::from(*variant_high) << 8 | usize::from(*variant_low);
    let Some((row_lens, src)) = row_lens.split_at_checked(5) else { return };
    let (scheme, src) = (*choice(Scheme::ALL, *scheme), &src[..src.len().min(MAX_INPUT_BYTES)]);
    let has_many_rows = shape & 0x80 != 0;
    let mut boundaries =
        vec![if has_many_rows { 0 } else { usize::from(*start) % (src.len() + 1) }];
    for &row_len in row_lens.iter().cycle().take(usize::from(*shape) % 16) {
        let last = boundaries[boundaries.len() - 1];
        boundaries.push(src.len().min(last + usize::from(row_len) % 48));
    }
    if !has_many_rows {
        let is_null = |row| nulls >> (row % 8) & 1 == 1;
        return columns::check_column(scheme, src, &boundaries, is_null, variant);
    }
    if src.is_empty() {
        return;
    }
    // The same rows are repeated many times. UTF-8 has separate code for many rows, so half of the
    // runs use it.
    let scheme = if shape & 0x40 != 0 { Scheme::Utf8 } else { scheme };
    boundaries.push(src.len());
    let (bytes, rows) = if start % 64 == 0 { LONG_COLUMN } else { MANY_ROWS };
    let repetitions = (bytes / src.len() + 1).min(rows / boundaries.len());
    let row_ends =
        |repetition: usize| boundaries[1..].iter().map(move |end| repetition * src.len() + end);
    let all_boundaries: Vec<_> =
        std::iter::once(0).chain((0..repetitions).flat_map(row_ends)).collect();
    // One byte is replaced, so that one row differs.
    let mut long = src.repeat(repetitions);
    let offset = usize::from(*start) * long.len() / 256;
    long[offset] = *nulls;
    columns::check_validity(scheme, &long, &all_boundaries, Some(variant));
});
