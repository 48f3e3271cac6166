//! This package against the real simdutf8: times of a call, interleaved, in one program.
//!
//!     cargo bench --manifest-path compat/simdutf8/Cargo.toml --features public_imp [-- FILTER]
//!
//! A row is a function and a text, a column a length in bytes. A cell is the time of the real crate
//! divided by ours: above 1, ours is faster. Each is the median of the ratios of rounds, in which
//! both run one after the other. A call takes another of several texts each time, so that the
//! processor can't learn one by heart.

use std::hint::black_box;
use std::time::{Duration, Instant};

const SIZES: [usize; 21] =
    [1, 2, 3, 4, 7, 8, 15, 16, 24, 31, 32, 63, 64, 65, 100, 127, 128, 256, 1000, 4096, 65536];
/// Rounds of a cell, an odd number.
const ROUNDS: usize = 61;
/// The time of one of both in a round.
const ROUND: Duration = Duration::from_micros(300);
/// Texts of a cell.
const VARIANTS: usize = 8;

const ASCII: &str = "It is a truth universally acknowledged, that a single man in possession of a \
    good fortune, must be in want of a wife. ";
const MIXED: &str = "Le cœur déçu mais l’âme plutôt naïve, Louÿs rêva de crapaüter en canoë; \
    smørrebrød – 5 €, quote “ja”, 😀 und Übergrößen in Ångström. ";
const CHINESE: &str = "维基百科是一个内容自由、任何人都能参与、并有多种语言的百科全书协作计划。\
    目标是创建包含人类知识的所有领域的百科。";

/// Texts of `size` bytes: a sentence from different characters on, filled up with ASCII.
fn texts(sentence: &str, size: usize) -> Vec<Vec<u8>> {
    let characters: Vec<char> = sentence.chars().collect();
    let text = |start: usize| {
        let mut text = String::new();
        for c in characters.iter().cycle().skip(start * 7) {
            if text.len() + c.len_utf8() > size {
                break;
            }
            text.push(*c);
        }
        text.extend(std::iter::repeat_n('.', size - text.len()));
        text.into_bytes()
    };
    (0..VARIANTS).map(text).collect()
}

/// Nanoseconds of a call, over at least [`ROUND`].
fn time(texts: &[Vec<u8>], calls: usize, function: impl Fn(&[u8]) -> bool) -> f64 {
    let start = Instant::now();
    for i in 0..calls {
        assert!(function(black_box(&texts[i % VARIANTS])));
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// Calls that take about [`ROUND`].
fn calls(texts: &[Vec<u8>], function: impl Fn(&[u8]) -> bool) -> usize {
    let mut calls = VARIANTS;
    loop {
        let nanoseconds = time(texts, calls, &function) * calls as f64;
        if nanoseconds > ROUND.as_nanos() as f64 / 2.0 {
            return calls;
        }
        calls *= 2;
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints a row: the ratios, and where `UTFLANE_TIMES` is set, nanoseconds of both.
fn row(
    name: &str,
    sentence: &str,
    sizes: &[usize],
    ours: impl Fn(&[u8]) -> bool,
    theirs: impl Fn(&[u8]) -> bool,
) {
    print!("{name:24}");
    for size in SIZES {
        if !sizes.contains(&size) {
            print!("{:>6}", "");
            continue;
        }
        let texts = texts(sentence, size);
        let calls = calls(&texts, &ours);
        let round = |i: usize| match i % 2 {
            0 => (time(&texts, calls, &ours), time(&texts, calls, &theirs)),
            _ => {
                let theirs = time(&texts, calls, &theirs);
                (time(&texts, calls, &ours), theirs)
            }
        };
        let rounds: Vec<_> = (0..ROUNDS).map(round).collect();
        let ratio = median(rounds.iter().map(|(ours, theirs)| theirs / ours).collect());
        if std::env::var_os("UTFLANE_TIMES").is_some() {
            let ours = median(rounds.iter().map(|(ours, _)| *ours).collect());
            let theirs = median(rounds.iter().map(|(_, theirs)| *theirs).collect());
            print!(" {size}:{ours:.2}/{theirs:.2}");
        } else {
            print!("{ratio:6.2}");
        }
    }
    println!();
}

/// Blocks of 64 bytes one by one, as a parser gives them, in a function with the features of the
/// instruction set: code that the validator's crate allows to be inlined is.
#[cfg(target_arch = "x86_64")]
macro_rules! chunked {
    ($name:ident, $features:literal, $krate:ident, $set:ident) => {
        #[target_feature(enable = $features)]
        pub(super) fn $name(text: &[u8]) -> bool {
            use $krate::basic::imp::ChunkedUtf8Validator;
            use $krate::basic::imp::x86::$set::ChunkedUtf8ValidatorImp as Validator;

            let (blocks, rest) = text.as_chunks::<64>();
            // SAFETY: the processor has the features of this function.
            let mut validator = unsafe { Validator::new() };
            for block in blocks {
                // SAFETY: as above.
                unsafe { validator.update_from_chunks(block) };
            }
            // SAFETY: as above.
            unsafe { validator.finalize(Some(rest)) }.is_ok()
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod blocks {
    chunked!(our_avx2, "avx2", simdutf8, avx2);
    chunked!(their_avx2, "avx2", real, avx2);
    chunked!(our_sse42, "sse4.2", simdutf8, sse42);
    chunked!(their_sse42, "sse4.2", real, sse42);
}

fn main() {
    // Cargo adds `--bench`.
    let filter = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let is_wanted = |name: &str| name.contains(&filter);
    let head: String = SIZES.iter().map(|size| format!("{size:6}")).collect();
    println!("{:24}{head}", "their time / our time");
    for (text, sentence) in [("ASCII", ASCII), ("mixed", MIXED), ("Chinese", CHINESE)] {
        let name = format!("basic, {text}");
        if is_wanted(&name) {
            row(
                &name,
                sentence,
                &SIZES,
                |text| simdutf8::basic::from_utf8(text).is_ok(),
                |text| real::basic::from_utf8(text).is_ok(),
            );
        }
        let name = format!("compat, {text}");
        if is_wanted(&name) {
            row(
                &name,
                sentence,
                &SIZES,
                |text| simdutf8::compat::from_utf8(text).is_ok(),
                |text| real::compat::from_utf8(text).is_ok(),
            );
        }
        #[cfg(target_arch = "x86_64")]
        {
            let from_a_block: Vec<_> = SIZES.into_iter().filter(|size| *size >= 64).collect();
            let name = format!("avx2, {text}");
            if is_wanted(&name) && is_x86_feature_detected!("avx2") {
                // SAFETY: detected.
                let ours = |text: &[u8]| unsafe {
                    simdutf8::compat::imp::x86::avx2::validate_utf8(text).is_ok()
                };
                // SAFETY: detected.
                let theirs = |text: &[u8]| unsafe {
                    real::compat::imp::x86::avx2::validate_utf8(text).is_ok()
                };
                row(&name, sentence, &from_a_block, ours, theirs);
            }
            let name = format!("blocks, avx2, {text}");
            if is_wanted(&name) && is_x86_feature_detected!("avx2") {
                // SAFETY: detected.
                let ours = |text: &[u8]| unsafe { blocks::our_avx2(text) };
                // SAFETY: detected.
                let theirs = |text: &[u8]| unsafe { blocks::their_avx2(text) };
                row(&name, sentence, &from_a_block, ours, theirs);
            }
            let name = format!("blocks, sse42, {text}");
            if is_wanted(&name) && is_x86_feature_detected!("sse4.2") {
                // SAFETY: detected.
                let ours = |text: &[u8]| unsafe { blocks::our_sse42(text) };
                // SAFETY: detected.
                let theirs = |text: &[u8]| unsafe { blocks::their_sse42(text) };
                row(&name, sentence, &from_a_block, ours, theirs);
            }
        }
    }
}
