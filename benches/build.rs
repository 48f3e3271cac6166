//! Records the environment of the build: compilers, flags, and the versions in `Cargo.lock`.

use std::env;
use std::path::Path;
use std::process::Command;

/// The packages whose versions the report names.
const PACKAGES: &[&str] = &[
    "utflane",
    "encoding_rs",
    "encoding_rs_io",
    "simdutf8",
    "simdutf",
    "cesu8",
    "simd_cesu8",
    "residua-mutf8",
    "wtf8",
    "str_indices",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["CXX", "CXXFLAGS"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    set("RUSTC", &first_line(&rustc));
    let rust_flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    set("RUSTFLAGS", &rust_flags.replace('\u{1f}', " "));
    set("OPT_LEVEL", &env::var("OPT_LEVEL").unwrap_or_default());
    set("TARGET", &env::var("TARGET").unwrap_or_default());
    let cxx = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    set("CXX", &first_line(&cxx));
    set("CXXFLAGS", &env::var("CXXFLAGS").unwrap_or_default());

    let here = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let lock = Path::new(&here).join("..").join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = std::fs::read_to_string(lock).unwrap_or_default();
    for package in PACKAGES {
        set(&format!("VERSION_{package}"), version(&lock, package).unwrap_or("unknown"));
    }
}

/// Passes a value to the crate, for `env!`.
fn set(name: &str, value: &str) {
    println!("cargo::rustc-env=UTFLANE_BENCH_{}={value}", name.replace('-', "_"));
}

/// The first line of a compiler's version output.
fn first_line(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let line = text.ok().and_then(|text| text.lines().next().map(str::to_owned));
    line.unwrap_or_else(|| "unknown".to_owned())
}

/// The version of a package in the text of a `Cargo.lock`.
fn version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let entry = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != entry).skip(1);
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}
