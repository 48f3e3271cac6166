//! Validation of UTF-8 in blocks of 64 bytes, compiled into the caller. It is meant for parsers
//! that load each block anyway, for their own work.
//!
//! Each instruction set of the target has a module with a `BlockValidator`. The methods of
//! `BlockValidator` need the features of the instruction set. A function with these features can
//! call them without `unsafe`, and the compiler keeps the validator in registers.
//! [`Validator`](crate::Validator) takes chunks of any length, and returns errors.
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
//!         validator.push(block); // and the parser's own work on the block
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

/// Declares a module for each instruction set, given its name in the documentation, its target
/// features, its token and its vector.
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
            /// Characters may be split across blocks. Only [`finish`](Self::finish) returns whether
            /// the text is well-formed. The [parent module](super) has an example.
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
                /// The processor must have the features of the instruction set.
                #[must_use]
                #[allow(clippy::new_without_default, reason = "a default needs no features")]
                #[target_feature(enable = $features)]
                #[inline]
                pub fn new() -> Self {
                    // SAFETY: the caller of `new` has the features of the instruction set. The
                    // token also promises other features to functions that run with the token. No
                    // such function runs here: the token only creates vectors, and the vector
                    // operations in `Blocks` need only this instruction set.
                    #[allow(unused_unsafe, reason = "some tokens promise no more")]
                    let token = unsafe { $token::assume() };
                    Self { token, blocks: Blocks::new(token) }
                }

                /// Validates the next block.
                ///
                /// # Safety
                ///
                /// The processor must have the features of the instruction set.
                #[target_feature(enable = $features)]
                #[inline]
                pub fn push(&mut self, block: &[u8; STEP]) {
                    self.blocks.push(self.token, block);
                }

                /// Validates the rest of the text, which may have any length, and ends the text.
                /// Returns true if the text is well-formed.
                ///
                /// # Safety
                ///
                /// The processor must have the features of the instruction set.
                #[must_use]
                #[target_feature(enable = $features)]
                #[inline]
                pub fn finish(mut self, rest: &[u8]) -> bool {
                    if !rest.is_empty() {
                        self.push_tail(rest);
                    }
                    self.blocks.is_well_formed()
                }

                /// Validates the rest of the text, with zeros after it, which complete no sequence.
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
