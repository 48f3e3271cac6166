//! The header of the output of `compare`: the versions of utflane, of the peers (the libraries that
//! it is compared with) and of the compilers, and the processor.

use std::fs;
use std::process::Command;

use utflane::Kernel;

/// Returns the lines of the header.
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
            "peers: std (of this rustc), encoding_rs {} (feature std), encoding_rs_io {}, \
             simdutf8 {} (features std)",
            env!("UTFLANE_BENCH_VERSION_encoding_rs"),
            env!("UTFLANE_BENCH_VERSION_encoding_rs_io"),
            env!("UTFLANE_BENCH_VERSION_simdutf8")
        ),
        format!(
            "peers: cesu8 {}, simd_cesu8 {} (feature std), residua-mutf8 {}, wtf8 {}, \
             str_indices {}",
            env!("UTFLANE_BENCH_VERSION_cesu8"),
            env!("UTFLANE_BENCH_VERSION_simd_cesu8"),
            env!("UTFLANE_BENCH_VERSION_residua_mutf8"),
            env!("UTFLANE_BENCH_VERSION_wtf8"),
            env!("UTFLANE_BENCH_VERSION_str_indices")
        ),
    ];
    if cfg!(feature = "simdutf") {
        lines.push(format!("peer: simdutf, {}; implementation {}", simdutf(), implementation()));
        lines.push(format!(
            "  compiled by {}, -O{} -std={}, no -march, CXXFLAGS {:?}",
            env!("UTFLANE_BENCH_CXX"),
            env!("UTFLANE_BENCH_OPT_LEVEL"),
            if cfg!(simdutf_source) { "c++20" } else { "c++11" },
            env!("UTFLANE_BENCH_CXXFLAGS")
        ));
    } else {
        lines.push("peer simdutf: left out of this build".to_owned());
    }
    lines.push(format!("processor: {}", processor().as_deref().unwrap_or("unknown")));
    lines
}

/// Returns the names and versions of the peers of this build.
#[must_use]
pub fn peers() -> Vec<(&'static str, String)> {
    let mut peers = vec![
        ("std", env!("UTFLANE_BENCH_RUSTC").to_owned()),
        ("encoding_rs", env!("UTFLANE_BENCH_VERSION_encoding_rs").to_owned()),
        ("encoding_rs_io", env!("UTFLANE_BENCH_VERSION_encoding_rs_io").to_owned()),
        ("simdutf8", env!("UTFLANE_BENCH_VERSION_simdutf8").to_owned()),
        ("cesu8", env!("UTFLANE_BENCH_VERSION_cesu8").to_owned()),
        ("simd_cesu8", env!("UTFLANE_BENCH_VERSION_simd_cesu8").to_owned()),
        ("residua-mutf8", env!("UTFLANE_BENCH_VERSION_residua_mutf8").to_owned()),
        ("wtf8", env!("UTFLANE_BENCH_VERSION_wtf8").to_owned()),
        ("str_indices", env!("UTFLANE_BENCH_VERSION_str_indices").to_owned()),
    ];
    if cfg!(feature = "simdutf") {
        let (simdutf, implementation) = (simdutf(), implementation());
        let version =
            format!("{simdutf}, implementation {implementation}, by {}", env!("UTFLANE_BENCH_CXX"));
        peers.push(("simdutf", version));
    }
    peers
}

/// Returns the compiler of this build, with its flags and target.
#[must_use]
pub fn compiler() -> String {
    let flags = env!("UTFLANE_BENCH_RUSTFLAGS");
    let flags = if flags.is_empty() { String::new() } else { format!(", RUSTFLAGS {flags:?}") };
    format!(
        "{}, opt-level {}{flags}, {}",
        env!("UTFLANE_BENCH_RUSTC"),
        env!("UTFLANE_BENCH_OPT_LEVEL"),
        env!("UTFLANE_BENCH_TARGET")
    )
}

/// Returns the commit that is checked out, with the suffix `-dirty` if tracked files differ from
/// the commit.
#[must_use]
pub fn commit() -> Option<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    let mut git = Command::new("git");
    let output = git.args(["-C", root, "describe", "--always", "--dirty", "--exclude=*"]).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Converts the name of a processor to the name of a file: lowercase letters, digits and hyphens.
#[must_use]
pub fn slug(processor: &str) -> String {
    let plain = processor.to_lowercase().replace("(r)", " ").replace("(tm)", " ");
    let words: Vec<_> =
        plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// Returns the versions of the crate simdutf and of its C++ code.
#[cfg(not(simdutf_source))]
fn simdutf() -> String {
    let version = env!("UTFLANE_BENCH_VERSION_simdutf");
    let cpp = option_env!("UTFLANE_BENCH_SIMDUTF_CPP").unwrap_or("unknown");
    format!("crate {version} (C++ {cpp})")
}

/// Returns the version of the C++ code that is linked instead of the crate's code.
#[cfg(simdutf_source)]
fn simdutf() -> String {
    unsafe extern "C" {
        safe fn utflane_bench_simdutf_version() -> *const std::ffi::c_char;
    }
    // SAFETY: the function returns a string literal, which is valid for the whole program and has a
    // zero byte at its end.
    let version = unsafe { std::ffi::CStr::from_ptr(utflane_bench_simdutf_version()) };
    format!("C++ {} (SIMDUTF_SOURCE)", version.to_string_lossy())
}

/// Returns the name of the implementation that simdutf chooses. The crate doesn't expose the name,
/// so this function repeats simdutf's rule.
fn implementation() -> String {
    match std::env::var("SIMDUTF_FORCE_IMPLEMENTATION") {
        Ok(name) => format!("{name} (forced)"),
        Err(_) => format!("{} (inferred; the crate does not report it)", detect_implementation()),
    }
}

/// Returns the first of simdutf's implementations for which this processor has the features.
#[cfg(target_arch = "x86_64")]
fn detect_implementation() -> &'static str {
    macro_rules! has_all {
        ($($feature:tt)*) => { $(is_x86_feature_detected!($feature))&&* };
    }
    let has_haswell_features = has_all!("avx2" "pclmulqdq" "bmi1" "bmi2");
    if has_haswell_features
        && has_all!("avx512bw" "avx512cd" "avx512vl" "avx512vbmi2" "avx512vpopcntdq")
    {
        "icelake"
    } else if has_haswell_features {
        "haswell"
    } else if has_all!("sse4.2" "pclmulqdq") {
        "westmere"
    } else {
        "fallback"
    }
}

/// Returns the first of simdutf's implementations for which this processor has the features.
#[cfg(not(target_arch = "x86_64"))]
fn detect_implementation() -> &'static str {
    if cfg!(target_arch = "aarch64") { "arm64" } else { "unknown" }
}

/// Returns the processor's model, if the system provides it.
#[must_use]
pub fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().map(str::trim) == Some(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model = field("model name")?;
    // Virtual machines may hide the model's name, but not the numbers of the family and the model.
    match (field("cpu family"), field("model")) {
        (Some(family), Some(number)) => Some(format!("{model} (family {family}, model {number})")),
        _ => Some(model),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_have_only_letters_digits_and_hyphens() {
        let name = "Intel(R) Xeon(R) Processor @ 2.50GHz (family 6, model 85)";
        assert_eq!(slug(name), "intel-xeon-processor-2-50ghz-family-6-model-85");
    }
}
