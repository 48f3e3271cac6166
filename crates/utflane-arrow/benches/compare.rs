//! Compares validation with arrow's: `cargo bench --bench compare`.
//!
//! `cargo bench --bench compare -- chinese` measures one text.
//!
//! For each text and length of rows it prints how many times as fast columns are as the peer. The
//! two are measured in turns, and the figure is the median of the ratios of neighbours. The figures
//! of one machine at one time are ratios, nothing else.

use std::hint::black_box;
use std::time::Instant;

use arrow_array::{Array, BinaryArray, BinaryViewArray, StringArray, StringViewArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer};
use utflane::Utf8;
use utflane::columns::Column;

/// Bytes of a column.
const BYTES: usize = 1 << 20;
/// Bytes of a row, about.
const LENGTHS: [usize; 6] = [8, 16, 32, 64, 256, 1024];
/// Turns of each measurement.
const TURNS: usize = 15;

/// The texts: a name, and words of each script.
const TEXTS: [(&str, &[&str]); 5] = [
    ("ascii", &["plain", " words ", "of", " English", ", ", "and ", "42 "]),
    ("french", &["été ", "déjà", " vu, ", "garçon", " où ", "plain ", "words "]),
    ("russian", &["слово ", "и", " дело", ", ", "правда ", "да ", "нет"]),
    ("chinese", &["漢字", "。", "中文", "數", "據列", "，", "一二三"]),
    ("mixed", &["emoji 😀", "漢字 ", "é", "слово ", "plain ", "🎉", "word, "]),
];

/// Rows of about `len` bytes each.
fn rows(words: &[&str], len: usize) -> Vec<String> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let (mut rows, mut total) = (Vec::new(), 0);
    while total < BYTES {
        let most = len * 3 / 4 + next() as usize % (len / 2 + 1);
        let mut row = String::new();
        while row.len() < most {
            for c in words[next() as usize % words.len()].chars() {
                if row.len() + c.len_utf8() <= most.max(c.len_utf8()) {
                    row.push(c);
                }
            }
            if most - row.len() < 4 {
                break;
            }
        }
        total += row.len().max(1);
        rows.push(row);
    }
    rows
}

/// The median of how many times as long `peer` takes as `ours`.
fn ratio(mut ours: impl FnMut(), mut peer: impl FnMut()) -> f64 {
    // As many calls that a turn takes milliseconds.
    let began = Instant::now();
    ours();
    let calls = (2_000_000 / began.elapsed().as_nanos().max(1)).clamp(1, 1000);
    let mut ratios: Vec<_> = (0..TURNS)
        .map(|_| {
            let began = Instant::now();
            (0..calls).for_each(|_| ours());
            let first = began.elapsed();
            let began = Instant::now();
            (0..calls).for_each(|_| peer());
            began.elapsed().as_secs_f64() / first.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[TURNS / 2]
}

/// Validation of values and offsets, against `StringArray::try_new`.
fn validation(array: &BinaryArray) -> f64 {
    let (offsets, values, _) = array.clone().into_parts();
    ratio(
        || {
            let column = Column::<Utf8>::new(&values, &offsets).expect("rows inside the values");
            assert!(black_box(column.check()).is_ok());
        },
        || {
            let array = StringArray::try_new(offsets.clone(), values.clone(), None);
            assert!(black_box(array).is_ok());
        },
    )
}

/// A bitmap, one row in 1,000 damaged, against a loop over the rows.
fn bitmap(array: &BinaryArray) -> f64 {
    let (offsets, values, _) = array.clone().into_parts();
    let mut damaged = values.to_vec();
    for row in (500..offsets.len() - 1).step_by(1000) {
        damaged[offsets[row] as usize] = 0xFF;
    }
    let array = BinaryArray::new(offsets.clone(), damaged.clone().into(), None);
    let mut bits = Vec::new();
    ratio(
        || {
            let column = Column::<Utf8>::new(&damaged, &offsets).expect("rows inside the values");
            black_box(column.validity(&mut bits));
        },
        || {
            let mut bits = BooleanBufferBuilder::new(array.len());
            for row in array.iter() {
                bits.append(row.is_some_and(|row| std::str::from_utf8(row).is_ok()));
            }
            black_box(bits.finish());
        },
    )
}

/// Validation of views, against `StringViewArray::try_new`.
fn views(array: &BinaryViewArray) -> f64 {
    let (views, buffers, _) = array.clone().into_parts();
    ratio(
        || {
            let slices: Vec<_> = buffers.iter().map(Buffer::as_slice).collect();
            let column = Column::<Utf8>::of_views(&views, &slices).expect("rows inside");
            assert!(black_box(column.check()).is_ok());
        },
        || {
            let array = StringViewArray::try_new(views.clone(), buffers.clone(), None);
            assert!(black_box(array).is_ok());
        },
    )
}

fn main() {
    let only = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    println!("{:10} {:>6} {:>10} {:>8} {:>8}", "text", "bytes", "validate", "bitmap", "views");
    for (name, words) in TEXTS {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        for len in LENGTHS {
            let rows = rows(words, len);
            let array: BinaryArray = rows.iter().map(|row| Some(row.as_bytes())).collect();
            let view: BinaryViewArray = rows.iter().map(|row| Some(row.as_bytes())).collect();
            println!(
                "{name:10} {len:6} {:10.1} {:8.1} {:8.1}",
                validation(&array),
                bitmap(&array),
                views(&view)
            );
        }
    }
}
