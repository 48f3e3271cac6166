//! A small measurement against std, which needs nothing but Rust: plain `cargo bench`.
//!
//! ```text
//! cargo bench                 all rows, in half a minute
//! cargo bench -- russian      the rows with this in their names
//! cargo bench -- --test       every function once, without a measurement
//! ```
//!
//! The comparison with the other libraries is `cargo bench -p utflane-bench --bench compare`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use utflane::{Kernel, Utf8, Utf16, transcode_into, validate};

#[allow(dead_code, unreachable_pub, reason = "shared with the tests, which use other parts of it")]
#[path = "../tests/common/text.rs"]
mod text;

/// The generated texts that represent all: ASCII, a few characters beyond it, two, three and four
/// bytes, and a mixture.
const TEXTS: &[&str] = &["english", "french", "russian", "chinese", "emoji", "russian page"];

/// Their length.
const BYTES: usize = 64 << 10;

/// Samples of a row. Each lasts at least [`SAMPLE`], and the functions take turns.
const SAMPLES: usize = 41;
const SAMPLE: Duration = Duration::from_millis(10);

fn main() {
    if Kernel::override_rejected() {
        eprintln!("UTFLANE_KERNEL names no kernel that can run here");
        std::process::exit(2);
    }
    // cargo passes `--bench` by itself.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let is_test = args.iter().any(|arg| arg == "--test");
    let filters: Vec<_> = args.into_iter().filter(|arg| arg != "--test").collect();
    if let Some(option) = filters.iter().find(|filter| filter.starts_with('-')) {
        eprintln!("unknown option {option}; usage: cargo bench -- [--test] [FILTER...]");
        std::process::exit(2);
    }

    println!(
        "kernel {}, texts of {BYTES} bytes, GB/s (median of {SAMPLES} samples)",
        Kernel::active()
    );
    println!("{:32} {:>8} {:>8} {:>8}", "", "utflane", "std", "ratio");
    for (name, text) in text::collection(BYTES) {
        if !TEXTS.contains(&name.as_str()) {
            continue;
        }
        let src = text.as_bytes();
        let mut dst = vec![0; src.len()];
        let mut dst_std = vec![0; src.len()];
        let row = |verb: &str, utflane: &mut dyn FnMut(), std: &mut dyn FnMut()| {
            let row = format!("{verb} {name}");
            if !filters.is_empty() && !filters.iter().any(|filter| row.contains(filter)) {
                return;
            }
            if is_test {
                utflane();
                std();
                println!("{row}: runs");
                return;
            }
            let [ours, theirs] =
                compare([utflane, std]).map(|seconds| src.len() as f64 / seconds / 1e9);
            println!("{row:32} {ours:8.2} {theirs:8.2} {:8.2}", ours / theirs);
        };
        row(
            "validate utf8",
            &mut || {
                let _ = black_box(validate::<Utf8>(black_box(src)));
            },
            &mut || {
                let _ = black_box(std::str::from_utf8(black_box(src)));
            },
        );
        row(
            "utf8 to utf16",
            &mut || {
                let _ =
                    black_box(transcode_into::<Utf8, Utf16>(black_box(src), black_box(&mut dst)));
            },
            &mut || {
                let text = std::str::from_utf8(black_box(src)).expect("the text is a String");
                for (unit, slot) in text.encode_utf16().zip(black_box(&mut dst_std)) {
                    *slot = unit;
                }
            },
        );
    }
}

/// The median seconds of one call of each function.
fn compare(mut functions: [&mut dyn FnMut(); 2]) -> [f64; 2] {
    let calls = functions.each_mut().map(|function| {
        let mut calls = 1;
        while time(*function, calls) < SAMPLE.as_secs_f64() {
            calls *= 2;
        }
        calls
    });
    let mut samples = [const { Vec::new() }; 2];
    for _ in 0..SAMPLES {
        for (i, function) in functions.iter_mut().enumerate() {
            samples[i].push(time(*function, calls[i]) / f64::from(calls[i]));
        }
    }
    samples.map(|mut samples| {
        samples.sort_by(f64::total_cmp);
        samples[SAMPLES / 2]
    })
}

/// The seconds of `calls` calls.
fn time(function: &mut dyn FnMut(), calls: u32) -> f64 {
    let began = Instant::now();
    (0..calls).for_each(|_| function());
    began.elapsed().as_secs_f64()
}
