//! Writes the table of the assigned code points to `OUT_DIR`: `src/unicode/assigned.rs`.

#[path = "src/unicode/assigned/generate.rs"]
mod generate;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/unicode/assigned/generate.rs");
    let dir = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let file = std::path::Path::new(&dir).join("assigned.rs");
    std::fs::write(file, assigned()).expect("OUT_DIR can be written");
}

/// Returns the table of the assigned code points: their bits in blocks of 64 code points, each
/// once, and for each block below U+10000 the index of its bits.
fn assigned() -> String {
    let mut all_bits = Vec::new();
    let blocks = (0..=u16::MAX).step_by(64).map(|start| {
        let bit = |i: u16| u64::from(generate::is_assigned(start + i)) << i;
        let bits = (0..64).map(bit).fold(0, |bits, bit| bits | bit);
        all_bits.iter().position(|&known| known == bits).unwrap_or_else(|| {
            all_bits.push(bits);
            all_bits.len() - 1
        })
    });
    let blocks: Vec<_> = blocks.collect();
    format!(
        "static ASSIGNED_BITS: [u64; {}] = {all_bits:?};\n\
        static ASSIGNED_BLOCKS: [u8; 1024] = {blocks:?};\n",
        all_bits.len()
    )
}
