//! Writes the lookup tables of the vector kernels into `OUT_DIR`, as plain arrays.

#[allow(dead_code, reason = "shared with the unit tests, which use more of it")]
#[path = "src/tables/generate.rs"]
mod generate;

use std::fmt::Write;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/tables/generate.rs");
    let mut text = String::new();
    for (name, swap) in [("COMPRESS16_LITTLE", false), ("COMPRESS16_BIG", true)] {
        writeln!(text, "const {name}: [Row; 256] = [").unwrap();
        for mask in 0..=255 {
            writeln!(text, "    Row({:?}),", generate::compress16(mask, swap)).unwrap();
        }
        writeln!(text, "];").unwrap();
    }
    writeln!(text, "static COMPRESS8: Aligned<[[[u8; 8]; 256]; 2]> = Aligned([").unwrap();
    for first in [0, 8] {
        let rows: Vec<_> = (0..=255).map(|mask| generate::compress8(mask, first)).collect();
        writeln!(text, "    {rows:?},").unwrap();
    }
    writeln!(text, "]);").unwrap();
    writeln!(text, "static UTF8_NARROW: Aligned<[Row; 256]> = Aligned([").unwrap();
    for twos in 0..=255 {
        writeln!(text, "    Row({:?}),", generate::utf8_narrow(twos)).unwrap();
    }
    writeln!(text, "]);\nstatic UTF8_WIDE: Aligned<[Row; 256]> = Aligned([").unwrap();
    for more in 0..=255 {
        writeln!(text, "    Row({:?}),", generate::utf8_wide(more)).unwrap();
    }
    writeln!(text, "]);").unwrap();
    let dir = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&dir).join("compress.rs"), text)
        .expect("OUT_DIR can be written");
}
