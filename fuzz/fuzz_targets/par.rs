//! Checks `utflane::par` against the sequential functions: a pair of encodings, the index of a
//! text, or a column. The first bytes choose one of these, the borders between rows, and how often
//! the input is repeated. Built for fuzzing, the library splits texts from 512 bytes on.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use rayon::{ThreadPool, ThreadPoolBuilder};
use utflane::columns::ByteColumn;
use utflane::{
    Ascii, Cesu8, Latin1, Mutf8, Scheme, Utf8, Utf16, Utf16Be, Utf32, Utf32Be, Utf32Le, Wtf8,
    Wtf16, Wtf16Be,
};
use utflane_fuzz::choice;
use utflane_fuzz::common::api::units;
use utflane_fuzz::par::{check_byte_column, check_index, check_pair};

/// The pairs: every source, and every shape of target.
const PAIRS: [fn(&[u8]); 18] = [
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

/// Texts are split only where there are several threads.
static POOL: LazyLock<ThreadPool> =
    LazyLock::new(|| ThreadPoolBuilder::new().num_threads(3).build().expect("a pool"));

/// The most bytes, all of which are converted in each function.
const MOST: usize = 4000;

fuzz_target!(|data: &[u8]| {
    let [number, times, at, byte, width, cut, src @ ..] = data else { return };
    let mut text = src.repeat(usize::from(*times) % 16 + 1);
    text.truncate(MOST);
    // One byte that differs between the repetitions.
    let at = usize::from(*at) * text.len() / 256;
    if let Some(target) = text.get_mut(at) {
        *target = *byte;
    }
    let scheme = *choice(Scheme::ALL, *number);
    // Each call waits for threads, so a run has one of the checks.
    POOL.install(|| match times >> 4 & 7 {
        0..4 => choice(&PAIRS, *number)(&text),
        4 => check_index(&text, 101),
        5 => {
            let width = usize::from(*width) % 40;
            let rows = text.len().checked_div(width).unwrap_or(700);
            check_byte_column(&ByteColumn::fixed(scheme, &text, width, rows).expect("inside"));
        }
        _ => {
            let mut offsets = vec![0];
            while let Some(&last) = offsets.last()
                && (last as usize) < text.len()
            {
                let next = last as usize + (usize::from(*cut) + 7 * offsets.len()) % 50;
                offsets.push(text.len().min(next) as i64);
            }
            check_byte_column(&ByteColumn::new(scheme, &text, &offsets).expect("inside"));
        }
    });
});
