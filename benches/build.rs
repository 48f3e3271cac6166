//! Records the environment of the build: compilers, flags, and the versions in `Cargo.lock`. If
//! `SIMDUTF_SOURCE` names a folder with simdutf, compiles it.

use std::env;
use std::path::Path;
use std::process::Command;

/// The packages whose versions are in the report.
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
    println!("cargo::rustc-check-cfg=cfg(simdutf_source)");
    for name in ["CXX", "CXXFLAGS"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    set_env("RUSTC", &version_line(&rustc));
    let rust_flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    set_env("RUSTFLAGS", &rust_flags.replace('\u{1f}', " "));
    set_env("OPT_LEVEL", &env::var("OPT_LEVEL").unwrap_or_default());
    set_env("TARGET", &env::var("TARGET").unwrap_or_default());
    let cxx = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    set_env("CXX", &version_line(&cxx));
    set_env("CXXFLAGS", &env::var("CXXFLAGS").unwrap_or_default());

    #[cfg(feature = "simdutf")]
    compile_simdutf();

    let package = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let lock = Path::new(&package).join("..").join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = std::fs::read_to_string(lock).unwrap_or_default();
    for name in PACKAGES {
        set_env(&format!("VERSION_{name}"), find_version(&lock, name).unwrap_or("unknown"));
    }
}

/// Compiles `simdutf.cpp` of the folder `SIMDUTF_SOURCE`, together with the C functions of the
/// crate simdutf, into a library. The linker then takes the C functions from this library instead
/// of the crate, because it searches a library before its dependencies. The benchmark calls a
/// function that only this library has, which returns the version. So this library is always
/// linked, and if the crate's copy of the C functions were linked too, the linker would report
/// duplicates.
#[cfg(feature = "simdutf")]
fn compile_simdutf() {
    println!("cargo::rerun-if-env-changed=SIMDUTF_SOURCE");
    let functions_folder = crate_folder().join("cpp");
    let header = std::fs::read_to_string(functions_folder.join("simdutf.h")).unwrap_or_default();
    let version = header.split_once("SIMDUTF_VERSION \"").and_then(|(_, end)| end.split_once('"'));
    set_env("SIMDUTF_CPP", version.map_or("unknown", |(version, _)| version));
    let Some(source) = env::var_os("SIMDUTF_SOURCE") else { return };
    // A relative path is relative to the root of the workspace, where cargo is called.
    let source = Path::new("..").join(source);
    for file in ["simdutf.cpp", "simdutf.h"] {
        let file = source.join(file);
        assert!(file.exists(), "SIMDUTF_SOURCE: {} is missing", file.display());
        println!("cargo::rerun-if-changed={}", file.display());
    }
    // The C functions include "simdutf.cpp". In the crate's folder, the include would find the file
    // of the crate, so the C functions are first copied to `OUT_DIR`.
    let out_dir = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let copy = |name: &str, suffix: &str| {
        let text = std::fs::read_to_string(functions_folder.join(name));
        let text = text.expect("the crate has its C functions") + suffix;
        std::fs::write(Path::new(&out_dir).join(name), text).expect("OUT_DIR can be written");
    };
    copy("simdutfrs_extra.cpp", "");
    copy(
        "simdutfrs.cpp",
        "extern \"C\" const char *utflane_bench_simdutf_version() { return SIMDUTF_VERSION; }\n",
    );
    cc::Build::new()
        .cpp(true)
        .std("c++20")
        .include(source)
        .file(Path::new(&out_dir).join("simdutfrs.cpp"))
        .compile("simdutf_source");
    println!("cargo::rustc-cfg=simdutf_source");
}

/// Returns the folder of the crate simdutf, which `cargo metadata` reports.
#[cfg(feature = "simdutf")]
fn crate_folder() -> std::path::PathBuf {
    let cargo = env::var_os("CARGO").expect("cargo sets CARGO");
    let output = Command::new(cargo).args(["metadata", "--format-version=1", "--locked"]).output();
    let text = String::from_utf8(output.expect("cargo runs").stdout).expect("JSON is UTF-8");
    let package = text.split_once("{\"name\":\"simdutf\",").expect("simdutf is a dependency").1;
    let manifest = package.split_once("\"manifest_path\":\"").expect("a package has a manifest").1;
    let manifest = manifest.split_once('"').expect("a JSON string ends").0;
    Path::new(manifest).parent().expect("a file has a folder").to_owned()
}

/// Sets an environment variable that the crate reads with `env!`.
fn set_env(name: &str, value: &str) {
    println!("cargo::rustc-env=UTFLANE_BENCH_{}={value}", name.replace('-', "_"));
}

/// Returns the first line that a compiler prints for `--version`.
fn version_line(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let line = text.ok().and_then(|text| text.lines().next().map(str::to_owned));
    line.unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the version of a package in the text of a `Cargo.lock`.
fn find_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let entry = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != entry).skip(1);
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}
