//! A small measurement against std, which needs nothing but Rust: plain `cargo bench`.
//!
//! The comparison with the other libraries is `cargo bench -p utflane-bench --bench compare`.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};
use utflane::{Kernel, Utf8, Utf16, transcode_into, validate};

#[allow(dead_code, unreachable_pub, reason = "shared with the tests, which use other parts of it")]
#[path = "../tests/common/text.rs"]
mod text;

/// The generated texts that stand for all: ASCII, a little beyond it, two, three and four bytes, and a mixture.
const TEXTS: &[&str] = &["english", "french", "russian", "chinese", "emoji", "russian page"];

/// How long they are.
const BYTES: usize = 64 << 10;

fn main() {
    if Kernel::override_rejected() {
        eprintln!("UTFLANE_KERNEL names no kernel that can run here");
        std::process::exit(2);
    }
    println!("kernel {}", Kernel::active());
    let texts: Vec<_> = text::collection(BYTES)
        .into_iter()
        .filter(|(name, _)| TEXTS.contains(&name.as_str()))
        .collect();
    let mut criterion = Criterion::default().configure_from_args();
    validate_utf8(&mut criterion, &texts);
    utf8_to_utf16(&mut criterion, &texts);
    criterion.final_summary();
}

/// A group with little time for each of its 24 measurements, so that all take less than a minute.
fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    group.sample_size(20);
    group
}

fn validate_utf8(criterion: &mut Criterion, texts: &[(String, String)]) {
    let mut group = group(criterion, "validate utf8");
    for (name, text) in texts {
        let src = text.as_bytes();
        group.throughput(Throughput::Bytes(src.len() as u64));
        group.bench_function(format!("utflane/{name}"), |bencher| {
            bencher.iter(|| validate::<Utf8>(black_box(src)));
        });
        group.bench_function(format!("std/{name}"), |bencher| {
            bencher.iter(|| std::str::from_utf8(black_box(src)).map(str::len));
        });
    }
    group.finish();
}

fn utf8_to_utf16(criterion: &mut Criterion, texts: &[(String, String)]) {
    let mut group = group(criterion, "utf8 to utf16");
    for (name, text) in texts {
        let src = text.as_bytes();
        let mut dst = vec![0; src.len()];
        group.throughput(Throughput::Bytes(src.len() as u64));
        group.bench_function(format!("utflane/{name}"), |bencher| {
            bencher.iter(|| transcode_into::<Utf8, Utf16>(black_box(src), black_box(&mut dst)));
        });
        group.bench_function(format!("std/{name}"), |bencher| {
            bencher.iter(|| {
                let text = std::str::from_utf8(black_box(src)).expect("the text is a String");
                for (unit, slot) in text.encode_utf16().zip(black_box(&mut dst)) {
                    *slot = unit;
                }
            });
        });
    }
    group.finish();
}
