//! Sets `cfg(vectors = "...")` to the family of vector kernels that can be compiled for the target,
//! `cfg(avx512)` if the AVX-512 kernels are among them, and `cfg(unoptimised)` in builds at
//! `opt-level = 0`, which compile no vector kernel. Writes the lookup tables of the vector kernels,
//! and of code pages, to `OUT_DIR` as Rust source.

#[allow(dead_code, reason = "shared with the unit tests, which use more of it")]
#[path = "src/tables/generate.rs"]
mod generate;

#[path = "data/code_pages.rs"]
mod code_pages;

use std::fmt::Write;

/// Returns the family of vector kernels that can be compiled for the target.
///
/// The family is `none` if no vector kernel supports the target. This includes targets without
/// vector registers in their calling convention. Their code runs in operating systems and firmware:
/// compilers generate poor vector code for it, and the vector registers are not saved. 32-bit x86
/// under an operating system is an exception: some targets, such as i586, do not assume SSE2, but
/// programs detect it at run time.
fn vector_family() -> &'static str {
    let target_variable = |name| std::env::var(format!("CARGO_CFG_{name}")).unwrap_or_default();
    let features = target_variable("TARGET_FEATURE");
    let has = |feature| features.split(',').any(|enabled| enabled == feature);
    let families = target_variable("TARGET_FAMILY");
    match target_variable("TARGET_ARCH").as_str() {
        "x86_64" | "x86" if has("sse2") => "x86",
        "x86" if families.split(',').any(|family| family == "unix" || family == "windows") => "x86",
        "aarch64" if has("neon") && target_variable("TARGET_ENDIAN") == "little" => "neon",
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
    println!("cargo::rustc-cfg=vectors=\"{}\"", vector_family());
    if vector_family() == "x86" && std::env::var_os("CARGO_FEATURE_AVX512").is_some() {
        println!("cargo::rustc-cfg=avx512");
    }
    let mut tables = String::new();
    for (name, swap) in [("COMPRESS16_LITTLE", false), ("COMPRESS16_BIG", true)] {
        writeln!(tables, "const {name}: [ShuffleRow; 256] = [").unwrap();
        for mask in 0..=255 {
            writeln!(tables, "    ShuffleRow({:?}),", generate::compress16(mask, swap)).unwrap();
        }
        writeln!(tables, "];").unwrap();
    }
    writeln!(tables, "static COMPRESS8: Aligned<[[[u8; 8]; 256]; 2]> = Aligned([").unwrap();
    for first in [0, 8] {
        let rows: Vec<_> = (0..=255).map(|mask| generate::compress8(mask, first)).collect();
        writeln!(tables, "    {rows:?},").unwrap();
    }
    writeln!(tables, "]);").unwrap();
    writeln!(tables, "static UTF8_NARROW: Aligned<[ShuffleRow; 256]> = Aligned([").unwrap();
    for two_byte_mask in 0..=255 {
        writeln!(tables, "    ShuffleRow({:?}),", generate::utf8_narrow(two_byte_mask)).unwrap();
    }
    writeln!(tables, "]);\nstatic UTF8_WIDE: Aligned<[ShuffleRow; 256]> = Aligned([").unwrap();
    for length_bits in 0..=255 {
        writeln!(tables, "    ShuffleRow({:?}),", generate::utf8_wide(length_bits)).unwrap();
    }
    writeln!(tables, "]);").unwrap();
    write("compress.rs", &tables);
    if std::env::var_os("CARGO_FEATURE_CODE_PAGES").is_some() {
        println!("cargo::rerun-if-changed=data/code_pages.txt");
        let [page_tables, statics] = code_pages::compile(include_str!("data/code_pages.txt"));
        write("code_pages.rs", &page_tables);
        write("code_page_statics.rs", &statics);
    }
}

/// Writes a file of `OUT_DIR`.
fn write(name: &str, text: &str) {
    let dir = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&dir).join(name), text).expect("OUT_DIR can be written");
}
