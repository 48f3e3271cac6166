//! Compares the functions of `utflane::par` with the sequential functions: for a pair of encodings,
//! for the index of a text, or for a column. The first bytes choose one of these, the boundaries
//! between rows, and how often the input is repeated. When the library is built for fuzzing, it
//! splits texts of 512 bytes or more.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rayon::{ThreadPool, ThreadPoolBuilder};
use utflane::columns::Column;
use utflane::{
    Ascii, Cesu8, Latin1, Mutf8, Scheme, Utf8, Utf16, Utf16Be, Utf32, Utf32Be, Utf32Le, Wtf8,
    Wtf16, Wtf16Be,
};
use utflane_fuzz::choice;
use utflane_fuzz::common::api::units;
use utflane_fuzz::par::{check_column, check_index, check_pair};

/// Checks of pairs that have every source encoding, and every kind of target encoding.
const PAIR_CHECKS: [fn(&[u8]); 18] = [
    check_pair::<Utf8, Utf8>,
    check_pair::<Utf8, Utf16>,
    check_pair::<Utf8, Utf32Be>,
    check_pair::<Utf8, Latin1>,
    check_pair::<Utf8, Mutf8>,
    check_pair::<Utf16Be, Utf8>,
    check_pair::<Utf16Be, Utf32>,
    check_pair::<Utf32Le, Utf8>,
    check_pair::<Utf32Be, Utf16>,
    check_pair::<Latin1, Utf8>,
    check_pair::<Ascii, Utf16>,
    check_pair::<Cesu8, Utf16>,
    check_pair::<Mutf8, Utf8>,
    check_pair::<Wtf8, Wtf16>,
    check_pair::<Wtf8, Utf8>,
    check_pair::<Wtf16Be, Wtf8>,
    |src| check_pair::<Utf16, Utf8>(&units(&src[..src.len() / 2 * 2])),
    |src| check_pair::<Utf32, Utf16>(&units(&src[..src.len() / 4 * 4])),
];

/// Several threads, because the library splits texts only if it runs in a pool of several threads.
static POOL: LazyLock<ThreadPool> = LazyLock::new(|| {
    ThreadPoolBuilder::new().num_threads(3).build().expect("three threads can be started")
});

/// The maximum number of bytes of a text. Each function converts all of them.
const MAX_TEXT_BYTES: usize = 4000;

fuzz_target!(|data: &[u8]| {
    let [pair_or_scheme, what, offset, byte, width, row_len, src @ ..] = data else { return };
    let mut text = src.repeat(usize::from(*what) % 16 + 1);
    text.truncate(MAX_TEXT_BYTES);
    // One byte is replaced, so that one repetition differs.
    let offset = usize::from(*offset) * text.len() / 256;
    if let Some(target) = text.get_mut(offset) {
        *target = *byte;
    }
    let scheme = *choice(Scheme::ALL, *pair_or_scheme);
    // Each call waits for threads, so a run makes only one of the checks.
    POOL.install(|| match what >> 4 & 7 {
        0..4 => choice(&PAIR_CHECKS, *pair_or_scheme)(&text),
        4 => check_index(&text, 101),
        5 => {
            let width = usize::from(*width) % 40;
            let rows = text.len().checked_div(width).unwrap_or(700);
            check_column(
                &Column::fixed(scheme, &text, width, rows).expect("all rows are inside the text"),
            );
        }
        _ => {
            let mut offsets = vec![0];
            while let Some(&last) = offsets.last()
                && (last as usize) < text.len()
            {
                let next = last as usize + (usize::from(*row_len) + 7 * offsets.len()) % 50;
                offsets.push(text.len().min(next) as i64);
            }
            check_column(
                &Column::new(scheme, &text, &offsets).expect("all rows are inside the text"),
            );
        }
    });
});
