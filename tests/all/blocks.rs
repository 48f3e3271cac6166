//! Validators of blocks of 64 bytes, of each instruction set, against the standard library.

use utflane::Scheme;

use crate::common::carriers::sequences;

/// Declares a test for an instruction set.
macro_rules! of_sets {
    ($(#[cfg($cfg:meta)] $set:ident = $features:literal, $is_detected:expr;)*) => {$(
        #[cfg($cfg)]
        mod $set {
            use utflane::blocks::$set::BlockValidator;

            /// Returns true if `text` is accepted, with its last `more` blocks given as a part of
            /// the rest.
            #[target_feature(enable = $features)]
            fn accepts(text: &[u8], more: usize) -> bool {
                let mut validator = BlockValidator::new();
                let (blocks, _) = text.as_chunks();
                let blocks = &blocks[..blocks.len().saturating_sub(more)];
                for block in blocks {
                    validator.push(block);
                }
                validator.finish(&text[64 * blocks.len()..])
            }

            #[test]
            fn accepts_what_std_accepts() {
                if !$is_detected {
                    return;
                }
                super::each(|text| {
                    let expected = std::str::from_utf8(text).is_ok();
                    for more in 0..2 {
                        #[allow(unused_unsafe, reason = "not all sets need it")]
                        // SAFETY: detected.
                        let accepted = unsafe { accepts(text, more) };
                        assert_eq!(accepted, expected, "{text:X?}");
                    }
                });
            }
        }
    )*};
}

of_sets! {
    #[cfg(target_arch = "x86_64")]
    avx2 = "avx2", is_x86_feature_detected!("avx2");
    #[cfg(target_arch = "x86_64")]
    sse42 = "sse4.2", is_x86_feature_detected!("sse4.2");
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    neon = "neon", true;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128 = "simd128", true;
}

/// Calls `check` with every sequence at every offset about the boundaries of blocks, in text of
/// characters of every length.
fn each(mut check: impl FnMut(&[u8])) {
    for filler in ["x", "é", "€", "😀"] {
        for sequence in sequences(Scheme::Utf8) {
            for before in (0..4).chain(58..68).chain(123..131) {
                for after in [0, 3, 64] {
                    let front =
                        filler.repeat(before / filler.len()) + &"x".repeat(before % filler.len());
                    let back = filler.repeat(after / filler.len());
                    let text = [front.as_bytes(), &sequence, back.as_bytes()].concat();
                    check(&text);
                }
            }
        }
    }
}
