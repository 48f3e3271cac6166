//! Tests the `BlockValidator` of each instruction set, which takes blocks of 64 bytes, against the
//! standard library.

use utflane::Scheme;

use crate::common::carriers::sequences;
use crate::common::sampled_if_slow;

/// Declares a test for each instruction set in the list.
macro_rules! test_instruction_sets {
    ($(#[cfg($cfg:meta)] $instruction_set:ident = $features:literal, $is_detected:expr;)*) => {$(
        #[cfg($cfg)]
        mod $instruction_set {
            use utflane::blocks::$instruction_set::BlockValidator;

            /// Returns true if the validator accepts `text`. The last `held_back` complete blocks
            /// go to `finish`, with the incomplete block, and not to `push`.
            #[target_feature(enable = $features)]
            fn accepts(text: &[u8], held_back: usize) -> bool {
                let mut validator = BlockValidator::new();
                let (blocks, _) = text.as_chunks();
                let blocks = &blocks[..blocks.len().saturating_sub(held_back)];
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
                super::for_each_text(|text| {
                    let expected = std::str::from_utf8(text).is_ok();
                    for held_back in 0..2 {
                        #[allow(unused_unsafe, reason = "the target may have the features")]
                        // SAFETY: `$is_detected` is true, so this processor has the features.
                        let accepted = unsafe { accepts(text, held_back) };
                        assert_eq!(accepted, expected, "{text:X?}");
                    }
                });
            }
        }
    )*};
}

test_instruction_sets! {
    #[cfg(target_arch = "x86_64")]
    avx2 = "avx2", is_x86_feature_detected!("avx2");
    #[cfg(target_arch = "x86_64")]
    sse42 = "sse4.2", is_x86_feature_detected!("sse4.2");
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    neon = "neon", true;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128 = "simd128", true;
}

/// Calls `check` with every sequence at every offset around the first block boundaries, in texts of
/// characters of each length.
fn for_each_text(mut check: impl FnMut(&[u8])) {
    for filler in ["x", "é", "€", "😀"] {
        for sequence in sequences(Scheme::Utf8) {
            let front_lens = (0..4).chain(58..68).chain(123..131);
            let lens = front_lens.flat_map(|front_len| [0, 3, 64].map(|len| (front_len, len)));
            for (front_len, back_len) in sampled_if_slow("lengths", lens) {
                let front =
                    filler.repeat(front_len / filler.len()) + &"x".repeat(front_len % filler.len());
                let back = filler.repeat(back_len / filler.len());
                let text = [front.as_bytes(), sequence, back.as_bytes()].concat();
                check(&text);
            }
        }
    }
}
