//! Validation of UTF-8 in blocks of 64 bytes, compiled into the caller: for parsers that load each
//! block for work of their own.
//!
//! There is a module for each instruction set of the target, with a `BlockValidator`. Its methods
//! need the features of the instruction set, so a function with these features can call them
//! without `unsafe`, and the compiler keeps the validator in registers. For chunks of other
//! lengths, and for errors, there is [`Validator`](crate::Validator).
//!
//! ```
//! # #[cfg(target_arch = "x86_64")] {
//! use utflane::blocks::avx2::BlockValidator;
//!
//! #[target_feature(enable = "avx2")]
//! fn is_utf8(text: &[u8]) -> bool {
//!     let mut validator = BlockValidator::new();
//!     let (blocks, rest) = text.as_chunks::<64>();
//!     for block in blocks {
//!         validator.push(block); // and whatever else a parser does with them
//!     }
//!     validator.finish(rest)
//! }
//!
//! if is_x86_feature_detected!("avx2") {
//!     // SAFETY: the processor has AVX2.
//!     assert!(unsafe { is_utf8("smørrebrød, 5 €, ".repeat(9).as_bytes()) });
//! }
//! # }
//! ```

/// Declares the module of an instruction set: its name for people and for the compiler, its token
/// and its vector.
macro_rules! blocks {
    ($(#[cfg($cfg:meta)] $set:ident = $title:literal, $features:literal,
        $token:ident, $vector:ident;)*) => {$(
        #[cfg($cfg)]
        #[doc = concat!("Blocks validated with ", $title, ".")]
        pub mod $set {
            use crate::arch::$set::{$token, $vector};
            use crate::arch::window::STEP;
            use crate::generic::from_utf8::blocks::Blocks;

            #[doc = concat!("Validates UTF-8 in blocks of 64 bytes with ", $title, ".")]
            ///
            /// Characters may be split across blocks. Only [`finish`](Self::finish) returns if the
            /// text is well-formed. The [module above](super) has an example.
            #[derive(Clone)]
            pub struct BlockValidator {
                token: $token,
                blocks: Blocks<$vector>,
            }

            impl BlockValidator {
                /// Creates a validator at the start of a text.
                ///
                /// # Safety
                ///
                /// The caller has the features of the instruction set.
                #[must_use]
                #[allow(clippy::new_without_default, reason = "a default needs no features")]
                #[target_feature(enable = $features)]
                #[inline]
                pub fn new() -> Self {
                    // SAFETY: the caller has the instruction set. The token promises more features
                    // to functions that are run with it, and none is run with this one: it only
                    // makes vectors, whose operations used here need only this instruction set.
                    #[allow(unused_unsafe, reason = "some tokens promise no more")]
                    let token = unsafe { $token::assume() };
                    Self { token, blocks: Blocks::new(token) }
                }

                /// Validates the next block.
                ///
                /// # Safety
                ///
                /// The caller has the features of the instruction set.
                #[target_feature(enable = $features)]
                #[inline]
                pub fn push(&mut self, block: &[u8; STEP]) {
                    self.blocks.push(self.token, block);
                }

                /// Validates the last bytes, of any number, and ends the text. Returns true if it
                /// is well-formed.
                ///
                /// # Safety
                ///
                /// The caller has the features of the instruction set.
                #[must_use]
                #[target_feature(enable = $features)]
                #[inline]
                pub fn finish(mut self, rest: &[u8]) -> bool {
                    if !rest.is_empty() {
                        self.push_tail(rest);
                    }
                    self.blocks.are_well_formed()
                }

                /// Validates the last bytes, padded with zeros, which complete no sequence.
                #[target_feature(enable = $features)]
                fn push_tail(&mut self, rest: &[u8]) {
                    let (blocks, rest) = rest.as_chunks();
                    for block in blocks {
                        self.push(block);
                    }
                    let mut last = [0; STEP];
                    last[..rest.len()].copy_from_slice(rest);
                    self.push(&last);
                }
            }

            impl core::fmt::Debug for BlockValidator {
                fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    f.debug_struct("BlockValidator").finish_non_exhaustive()
                }
            }
        }
    )*};
}

blocks! {
    #[cfg(vectors = "x86")]
    avx2 = "AVX2", "avx2", Avx2, U8x32;
    #[cfg(vectors = "x86")]
    sse42 = "SSE4.2", "sse4.2", Sse42, U8x16;
    #[cfg(vectors = "neon")]
    neon = "NEON", "neon", Neon, U8x16;
    #[cfg(vectors = "simd128")]
    simd128 = "simd128", "simd128", Simd128, U8x16;
}
