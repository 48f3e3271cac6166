//! Compares the functions and the validators of each instruction set that this processor supports
//! with the standard library.

mod common;

use common::Random;
use simdutf8::basic::imp::{ChunkedUtf8Validator, Utf8Validator};

/// Returns true if a validator of blocks accepts `text`. The text is split at random into chunks of
/// 64-byte blocks and a rest of any length.
fn is_valid_in_blocks<V: ChunkedUtf8Validator>(text: &[u8], random: &mut Random) -> bool {
    let mut rest = text;
    // SAFETY: the tests below have detected the instruction set.
    let mut validator = unsafe { V::new() };
    while rest.len() >= 64 && random.below(20) > 0 {
        let blocks = match random.below(3) {
            0 => 1 + random.below(rest.len() / 64),
            _ => 1,
        };
        let (chunk, after) = rest.split_at(64 * blocks);
        // SAFETY: the tests below have detected the instruction set.
        unsafe { validator.update_from_chunks(chunk) };
        rest = after;
    }
    let rest = if rest.is_empty() && random.below(2) == 0 { None } else { Some(rest) };
    // SAFETY: the tests below have detected the instruction set.
    unsafe { validator.finalize(rest) }.is_ok()
}

/// Returns true if a validator of chunks accepts `text`. The text is split at random offsets.
fn is_valid_in_chunks<V: Utf8Validator>(text: &[u8], random: &mut Random) -> bool {
    let mut rest = text;
    let max_len = [1, 3, 20, 64, 300][random.below(5)];
    // SAFETY: the tests below have detected the instruction set.
    let mut validator = unsafe { V::new() };
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(random.below(max_len.min(rest.len()) + 1));
        // SAFETY: the tests below have detected the instruction set.
        unsafe { validator.update(chunk) };
        rest = after;
    }
    // SAFETY: the tests below have detected the instruction set.
    unsafe { validator.finalize() }.is_ok()
}

/// Defines the tests of each instruction set.
macro_rules! define_tests {
    ($(#[cfg($cfg:meta)] $test:ident = $arch:ident::$set:ident, $is_detected:expr;)*) => {$(
        #[cfg($cfg)]
        mod $test {
            use super::*;
            use simdutf8::basic::imp::$arch::$set as basic;
            use simdutf8::compat::imp::$arch::$set as compat;

            #[test]
            fn results_match_std_in_any_chunks() {
                if !$is_detected {
                    eprintln!("skipped: the processor does not support this instruction set");
                    return;
                }
                let mut random = Random::new(7);
                common::for_each_text(|text| {
                    let expected = std::str::from_utf8(text);
                    let is_valid = expected.is_ok();
                    // SAFETY: the instruction set was detected.
                    let result = unsafe { basic::validate_utf8(text) };
                    assert_eq!(result.is_ok(), is_valid, "{text:X?}");
                    // SAFETY: the instruction set was detected.
                    let result = unsafe { compat::validate_utf8(text) };
                    assert_eq!(
                        result.map_err(|error| (error.valid_up_to(), error.error_len())),
                        expected.map(|_| ()).map_err(|e| (e.valid_up_to(), e.error_len())),
                        "{text:X?}"
                    );
                    let result =
                        is_valid_in_blocks::<basic::ChunkedUtf8ValidatorImp>(text, &mut random);
                    assert_eq!(result, is_valid, "blocks: {text:X?}");
                    let result = is_valid_in_chunks::<basic::Utf8ValidatorImp>(text, &mut random);
                    assert_eq!(result, is_valid, "chunks: {text:X?}");
                });
            }

            #[test]
            fn chunks_of_incomplete_blocks_panic() {
                if !$is_detected {
                    return;
                }
                for len in [1, 63, 65, 127, 129] {
                    let result = std::panic::catch_unwind(|| {
                        // SAFETY: the instruction set was detected.
                        let mut validator = unsafe { basic::ChunkedUtf8ValidatorImp::new() };
                        // SAFETY: the instruction set was detected.
                        unsafe { validator.update_from_chunks(&vec![b'a'; len]) };
                    });
                    assert!(result.is_err(), "{len} bytes");
                }
            }
        }
    )*};
}

define_tests! {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx512 = x86::avx512, is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512vbmi2");
    #[cfg(feature = "portable_public_imp")]
    portable128 = portable::simd128, true;
    #[cfg(feature = "portable_public_imp")]
    portable256 = portable::simd256, true;
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    avx2 = x86::avx2, is_x86_feature_detected!("avx2");
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    sse42 = x86::sse42, is_x86_feature_detected!("sse4.2");
    #[cfg(all(feature = "aarch64_neon", target_arch = "aarch64"))]
    neon = aarch64::neon, true;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128 = wasm32::simd128, true;
}
