//! Sets `cfg(vectors = "...")` to the family of vector kernels that the target can have, and
//! `cfg(avx512)`; `cfg(unoptimised)` in builds at `opt-level = 0`, which compile no vector kernel.
//! Writes the lookup tables of the vector kernels to `OUT_DIR`, as plain arrays.

#[allow(dead_code, reason = "shared with the unit tests, which use more of it")]
#[path = "src/tables/generate.rs"]
mod generate;

#[path = "src/tables/code_pages/compile.rs"]
mod code_pages;

use std::fmt::Write;

/// The vector kernels that can be compiled for the target.
///
/// There are none if the calling convention of the target has no vector registers. Such code runs
/// in operating systems and firmware: compilers generate poor vector code there, and the vector
/// registers are not saved. x86 is an exception as a target of an operating system: its lowest
/// targets assume no vectors, but they are detected at run time.
fn vectors() -> &'static str {
    let of_target = |name| std::env::var(format!("CARGO_CFG_{name}")).unwrap_or_default();
    let features = of_target("TARGET_FEATURE");
    let has = |feature| features.split(',').any(|one| one == feature);
    let systems = of_target("TARGET_FAMILY");
    match of_target("TARGET_ARCH").as_str() {
        "x86_64" | "x86" if has("sse2") => "x86",
        "x86" if systems.split(',').any(|one| one == "unix" || one == "windows") => "x86",
        "aarch64" if has("neon") && of_target("TARGET_ENDIAN") == "little" => "neon",
        // The intrinsics of wasm64 are not stable.
        "wasm32" if has("simd128") => "simd128",
        _ => "none",
    }
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tables/generate.rs");
    println!(
        "cargo::rustc-check-cfg=cfg(vectors, values(\"x86\", \"neon\", \"simd128\", \"none\"))"
    );
    println!("cargo::rustc-check-cfg=cfg(avx512)");
    println!("cargo::rustc-check-cfg=cfg(unoptimised)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level == "0") {
        println!("cargo::rustc-cfg=unoptimised");
    }
    println!("cargo::rustc-cfg=vectors=\"{}\"", vectors());
    if vectors() == "x86" && std::env::var_os("CARGO_FEATURE_AVX512").is_some() {
        println!("cargo::rustc-cfg=avx512");
    }
    let mut text = String::new();
    for (name, swap) in [("COMPRESS16_LITTLE", false), ("COMPRESS16_BIG", true)] {
        writeln!(text, "const {name}: [ShuffleRow; 256] = [").unwrap();
        for mask in 0..=255 {
            writeln!(text, "    ShuffleRow({:?}),", generate::compress16(mask, swap)).unwrap();
        }
        writeln!(text, "];").unwrap();
    }
    writeln!(text, "static COMPRESS8: Aligned<[[[u8; 8]; 256]; 2]> = Aligned([").unwrap();
    for first in [0, 8] {
        let rows: Vec<_> = (0..=255).map(|mask| generate::compress8(mask, first)).collect();
        writeln!(text, "    {rows:?},").unwrap();
    }
    writeln!(text, "]);").unwrap();
    writeln!(text, "static UTF8_NARROW: Aligned<[ShuffleRow; 256]> = Aligned([").unwrap();
    for twos in 0..=255 {
        writeln!(text, "    ShuffleRow({:?}),", generate::utf8_narrow(twos)).unwrap();
    }
    writeln!(text, "]);\nstatic UTF8_WIDE: Aligned<[ShuffleRow; 256]> = Aligned([").unwrap();
    for more in 0..=255 {
        writeln!(text, "    ShuffleRow({:?}),", generate::utf8_wide(more)).unwrap();
    }
    writeln!(text, "]);").unwrap();
    write("compress.rs", &text);
    if std::env::var_os("CARGO_FEATURE_CODE_PAGES").is_some() {
        println!("cargo::rerun-if-changed=src/tables/code_pages");
        let [tables, statics] =
            code_pages::compile(include_str!("src/tables/code_pages/pages.txt"));
        write("code_pages.rs", &tables);
        write("code_page_statics.rs", &statics);
    }
}

/// Writes a file of `OUT_DIR`.
fn write(name: &str, text: &str) {
    let dir = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&dir).join(name), text).expect("OUT_DIR can be written");
}
