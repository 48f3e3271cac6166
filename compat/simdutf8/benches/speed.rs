//! Compares the speed of this package with the speed of the real simdutf8 in one program.
//!
//!     cargo bench --manifest-path compat/simdutf8/Cargo.toml --features public_imp [-- FILTER]
//!
//! Prints a table. A row is a function and a text, and a column is a length in bytes. A cell is the
//! time of the real crate divided by the time of this package: above 1, this package is faster. A
//! cell is the median of the ratios of many rounds. In a round, the packages run one after the
//! other. The calls of a round go through several texts, so that branch prediction does not learn
//! a text.

use std::hint::black_box;
use std::time::{Duration, Instant};

const SIZES: [usize; 21] =
    [1, 2, 3, 4, 7, 8, 15, 16, 24, 31, 32, 63, 64, 65, 100, 127, 128, 256, 1000, 4096, 65536];
/// The number of rounds of a cell. The number is odd, so that the median is one of the values.
const ROUNDS: usize = 61;
/// The approximate time of one package in a round.
const ROUND_TIME: Duration = Duration::from_micros(300);
/// The number of texts of a cell.
const TEXT_COUNT: usize = 8;

const ASCII: &str = "It is a truth universally acknowledged, that a single man in possession of a \
    good fortune, must be in want of a wife. ";
const MIXED: &str = "Le cœur déçu mais l’âme plutôt naïve, Louÿs rêva de crapaüter en canoë; \
    smørrebrød – 5 €, quote “ja”, 😀 und Übergrößen in Ångström. ";
const CHINESE: &str = "维基百科是一个内容自由、任何人都能参与、并有多种语言的百科全书协作计划。\
    目标是创建包含人类知识的所有领域的百科。";

/// Returns texts of `size` bytes. Each begins at another character of a repeated sentence, and ends
/// with ASCII if a character does not fit.
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
    (0..TEXT_COUNT).map(text).collect()
}

/// Returns the average time of a call in nanoseconds, over `calls` calls.
fn measure(texts: &[Vec<u8>], calls: usize, function: impl Fn(&[u8]) -> bool) -> f64 {
    let start = Instant::now();
    for i in 0..calls {
        assert!(function(black_box(&texts[i % TEXT_COUNT])));
    }
    start.elapsed().as_nanos() as f64 / calls as f64
}

/// Returns a number of calls that take about [`ROUND_TIME`].
fn count_calls(texts: &[Vec<u8>], function: impl Fn(&[u8]) -> bool) -> usize {
    let mut calls = TEXT_COUNT;
    loop {
        let nanoseconds = measure(texts, calls, &function) * calls as f64;
        if nanoseconds > ROUND_TIME.as_nanos() as f64 / 2.0 {
            return calls;
        }
        calls *= 2;
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Prints a row: the ratios, or, if `UTFLANE_TIMES` is set, the nanoseconds of both packages.
fn print_row(
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
        let calls = count_calls(&texts, &ours);
        let round = |i: usize| match i % 2 {
            0 => (measure(&texts, calls, &ours), measure(&texts, calls, &theirs)),
            _ => {
                let theirs = measure(&texts, calls, &theirs);
                (measure(&texts, calls, &ours), theirs)
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

/// Defines a function that validates a text in blocks of 64 bytes, one by one, as a parser does.
/// The function has the features of the instruction set, so that the validator can be inlined.
#[cfg(target_arch = "x86_64")]
macro_rules! define_block_validation {
    ($name:ident, $features:literal, $krate:ident, $set:ident) => {
        #[target_feature(enable = $features)]
        pub(super) fn $name(text: &[u8]) -> bool {
            use $krate::basic::imp::ChunkedUtf8Validator;
            use $krate::basic::imp::x86::$set::ChunkedUtf8ValidatorImp as Validator;

            let (blocks, rest) = text.as_chunks::<64>();
            // SAFETY: the processor has the features of this function.
            let mut validator = unsafe { Validator::new() };
            for block in blocks {
                // SAFETY: the processor has the features of this function.
                unsafe { validator.update_from_chunks(block) };
            }
            // SAFETY: the processor has the features of this function.
            unsafe { validator.finalize(Some(rest)) }.is_ok()
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod blocks {
    define_block_validation!(our_avx2, "avx2", simdutf8, avx2);
    define_block_validation!(their_avx2, "avx2", real, avx2);
    define_block_validation!(our_sse42, "sse4.2", simdutf8, sse42);
    define_block_validation!(their_sse42, "sse4.2", real, sse42);
}

fn main() {
    // Options are skipped, because Cargo adds `--bench`.
    let filter = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let is_wanted = |name: &str| name.contains(&filter);
    let columns: String = SIZES.iter().map(|size| format!("{size:6}")).collect();
    println!("{:24}{columns}", "their time / our time");
    for (text, sentence) in [("ASCII", ASCII), ("mixed", MIXED), ("Chinese", CHINESE)] {
        let name = format!("basic, {text}");
        if is_wanted(&name) {
            print_row(
                &name,
                sentence,
                &SIZES,
                |text| simdutf8::basic::from_utf8(text).is_ok(),
                |text| real::basic::from_utf8(text).is_ok(),
            );
        }
        let name = format!("compat, {text}");
        if is_wanted(&name) {
            print_row(
                &name,
                sentence,
                &SIZES,
                |text| simdutf8::compat::from_utf8(text).is_ok(),
                |text| real::compat::from_utf8(text).is_ok(),
            );
        }
        #[cfg(target_arch = "x86_64")]
        {
            let block_sizes: Vec<_> = SIZES.into_iter().filter(|size| *size >= 64).collect();
            let name = format!("avx2, {text}");
            if is_wanted(&name) && is_x86_feature_detected!("avx2") {
                // SAFETY: the instruction set was detected.
                let ours = |text: &[u8]| unsafe {
                    simdutf8::compat::imp::x86::avx2::validate_utf8(text).is_ok()
                };
                // SAFETY: the instruction set was detected.
                let theirs = |text: &[u8]| unsafe {
                    real::compat::imp::x86::avx2::validate_utf8(text).is_ok()
                };
                print_row(&name, sentence, &block_sizes, ours, theirs);
            }
            let name = format!("blocks, avx2, {text}");
            if is_wanted(&name) && is_x86_feature_detected!("avx2") {
                // SAFETY: the instruction set was detected.
                let ours = |text: &[u8]| unsafe { blocks::our_avx2(text) };
                // SAFETY: the instruction set was detected.
                let theirs = |text: &[u8]| unsafe { blocks::their_avx2(text) };
                print_row(&name, sentence, &block_sizes, ours, theirs);
            }
            let name = format!("blocks, sse42, {text}");
            if is_wanted(&name) && is_x86_feature_detected!("sse4.2") {
                // SAFETY: the instruction set was detected.
                let ours = |text: &[u8]| unsafe { blocks::our_sse42(text) };
                // SAFETY: the instruction set was detected.
                let theirs = |text: &[u8]| unsafe { blocks::their_sse42(text) };
                print_row(&name, sentence, &block_sizes, ours, theirs);
            }
        }
    }
}
