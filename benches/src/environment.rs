//! What was measured, with what and on what: the head of the report.

use std::fs;

use utflane::Kernel;

/// The head of the report, line by line.
#[must_use]
pub fn lines(kernel: Kernel) -> Vec<String> {
    let mut lines = vec![
        format!("utflane {}, kernel {kernel}", env!("UTFLANE_BENCH_VERSION_utflane")),
        format!(
            "{}, opt-level {}, RUSTFLAGS {:?}, {}",
            env!("UTFLANE_BENCH_RUSTC"),
            env!("UTFLANE_BENCH_OPT_LEVEL"),
            env!("UTFLANE_BENCH_RUSTFLAGS"),
            env!("UTFLANE_BENCH_TARGET")
        ),
        format!(
            "peers: std (of this rustc), encoding_rs {} (feature std), simdutf8 {} (features std)",
            env!("UTFLANE_BENCH_VERSION_encoding_rs"),
            env!("UTFLANE_BENCH_VERSION_simdutf8")
        ),
        format!(
            "peers: cesu8 {}, simd_cesu8 {} (feature std), residua-mutf8 {}, wtf8 {}",
            env!("UTFLANE_BENCH_VERSION_cesu8"),
            env!("UTFLANE_BENCH_VERSION_simd_cesu8"),
            env!("UTFLANE_BENCH_VERSION_residua_mutf8"),
            env!("UTFLANE_BENCH_VERSION_wtf8")
        ),
    ];
    if cfg!(feature = "simdutf") {
        let version = env!("UTFLANE_BENCH_VERSION_simdutf");
        lines.push(format!(
            "peer: simdutf, crate {version}{}; implementation {}",
            bundled(version),
            implementation()
        ));
        lines.push(format!(
            "  compiled by {}, -O{} -std=c++11, no -march, CXXFLAGS {:?}",
            env!("UTFLANE_BENCH_CXX"),
            env!("UTFLANE_BENCH_OPT_LEVEL"),
            env!("UTFLANE_BENCH_CXXFLAGS")
        ));
    } else {
        lines.push("peer simdutf: left out of this build".to_owned());
    }
    lines.push(format!("processor: {}", processor().as_deref().unwrap_or("unknown")));
    lines
}

/// The C++ library in a version of the crate, where we have looked: the crate doesn't say.
fn bundled(version: &str) -> &'static str {
    match version {
        "0.7.0" => " (C++ 7.7.1)",
        _ => "",
    }
}

/// The implementation simdutf chooses. The crate doesn't give it away, so this repeats the library's rule.
fn implementation() -> String {
    match std::env::var("SIMDUTF_FORCE_IMPLEMENTATION") {
        Ok(name) => format!("{name} (forced)"),
        Err(_) => format!("{} (by its rule; the crate doesn't tell)", detected()),
    }
}

/// The first of simdutf's implementations that this processor has the features for.
#[cfg(target_arch = "x86_64")]
fn detected() -> &'static str {
    macro_rules! all {
        ($($feature:tt)*) => { $(is_x86_feature_detected!($feature))&&* };
    }
    let v3 = all!("avx2" "pclmulqdq" "bmi1" "bmi2");
    if v3 && all!("avx512bw" "avx512cd" "avx512vl" "avx512vbmi2" "avx512vpopcntdq") {
        "icelake"
    } else if v3 {
        "haswell"
    } else if all!("sse4.2" "pclmulqdq") {
        "westmere"
    } else {
        "fallback"
    }
}

/// The first of simdutf's implementations that this processor has the features for.
#[cfg(not(target_arch = "x86_64"))]
fn detected() -> &'static str {
    if cfg!(target_arch = "aarch64") { "arm64" } else { "unknown" }
}

/// The processor's model, where the system says it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().map(str::trim) == Some(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model = field("model name")?;
    // Virtual machines may keep the model's name to themselves, but not family and number.
    match (field("cpu family"), field("model")) {
        (Some(family), Some(number)) => Some(format!("{model} (family {family}, model {number})")),
        _ => Some(model),
    }
}
