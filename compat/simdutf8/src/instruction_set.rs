//! The functions and the validators of each instruction set.

/// Defines a module for each instruction set. The arguments are the name of the module, the name of
/// the instruction set in documentation, the validator of blocks of 64 bytes, the instruction set
/// of this validator, and its target features. The name of the module is also the name of the
/// kernel; if there is no such kernel, the module uses the active kernel.
macro_rules! instruction_sets {
    ($(#[cfg($cfg:meta)]
       $set:ident = $title:literal, $blocks:path = $blocks_title:literal
       $(, $features:literal)?;)*) => {$(
        #[cfg($cfg)]
        #[doc = concat!("Validation with ", $title, ".")]
        pub(crate) mod $set {
            use utflane::{Kernel, Utf8, Validator};
            use $blocks as BlockValidator;

            use crate::basic::error as basic;
            use crate::basic::validator::{ChunkedUtf8Validator, Utf8Validator};
            use crate::compat::error as compat;

            /// Returns the kernel of this instruction set.
            ///
            /// Returns the active kernel if there is no such kernel, or if the processor lacks a
            /// feature that the kernel needs in addition to the features that the caller
            /// guarantees.
            #[cfg(feature = "std")]
            #[inline]
            fn kernel() -> Kernel {
                use std::sync::OnceLock;

                static KERNEL: OnceLock<Kernel> = OnceLock::new();
                *KERNEL.get_or_init(|| {
                    Kernel::by_name(stringify!($set)).unwrap_or_else(Kernel::active)
                })
            }

            /// Returns the kernel of this instruction set, or the active kernel if there is no such
            /// kernel or the processor lacks a feature that it needs.
            ///
            /// The active kernel is tried first: nearly always, it is the right kernel. The search
            /// for another kernel takes longer, and its result cannot be stored, because `OnceLock`
            /// needs `std`.
            #[cfg(not(feature = "std"))]
            fn kernel() -> Kernel {
                let active = Kernel::active();
                if active.name() == stringify!($set) {
                    return active;
                }
                Kernel::by_name(stringify!($set)).unwrap_or(active)
            }

            /// Validates `input`.
            ///
            /// # Errors
            ///
            /// Returns an error if `input` is not well-formed UTF-8.
            ///
            /// # Safety
            ///
            #[doc = concat!("The processor must support ", $title, ".")]
            #[inline]
            pub unsafe fn validate_utf8_basic(input: &[u8]) -> Result<(), basic::Utf8Error> {
                match kernel().is_valid::<Utf8>(input) {
                    true => Ok(()),
                    false => Err(basic::Utf8Error),
                }
            }

            /// Validates `input`.
            ///
            /// # Errors
            ///
            /// Returns the position and the length of the first ill-formed sequence.
            ///
            /// # Safety
            ///
            #[doc = concat!("The processor must support ", $title, ".")]
            #[inline]
            pub unsafe fn validate_utf8_compat(input: &[u8]) -> Result<(), compat::Utf8Error> {
                kernel().validate::<Utf8>(input).map_err(compat::Utf8Error::from_utflane)
            }

            #[doc = concat!("Validates a text in chunks with ", $title, ".")]
            pub struct Utf8ValidatorImp {
                validator: Validator<Utf8>,
            }

            impl Utf8Validator for Utf8ValidatorImp {
                #[inline]
                unsafe fn new() -> Self {
                    Self { validator: Validator::with_kernel(kernel()) }
                }

                #[inline]
                unsafe fn update(&mut self, input: &[u8]) {
                    // After an error, the validator accepts no more input, and `finish` returns the
                    // error.
                    let _ = self.validator.accepts(input);
                }

                #[inline]
                unsafe fn finalize(mut self) -> Result<(), basic::Utf8Error> {
                    self.validator.finish().map_err(|_| basic::Utf8Error)
                }
            }

            #[doc = concat!("Validates a text in blocks of 64 bytes with ", $blocks_title, ".")]
            pub struct ChunkedUtf8ValidatorImp {
                validator: BlockValidator,
            }

            // These functions have the target features of the instruction set, so they are inlined
            // into callers that have the same features. The state then stays in registers.
            impl ChunkedUtf8Validator for ChunkedUtf8ValidatorImp {
                $(#[target_feature(enable = $features)])?
                #[inline]
                unsafe fn new() -> Self {
                    Self { validator: BlockValidator::new() }
                }

                $(#[target_feature(enable = $features)])?
                #[inline]
                unsafe fn update_from_chunks(&mut self, input: &[u8]) {
                    let (blocks, rest) = input.as_chunks();
                    assert!(rest.is_empty(), "the length is not a multiple of 64 bytes");
                    for block in blocks {
                        self.validator.push(block);
                    }
                }

                $(#[target_feature(enable = $features)])?
                #[inline]
                unsafe fn finalize(
                    self,
                    remaining_input: Option<&[u8]>,
                ) -> Result<(), basic::Utf8Error> {
                    match self.validator.finish(remaining_input.unwrap_or_default()) {
                        true => Ok(()),
                        false => Err(basic::Utf8Error),
                    }
                }
            }
        }
    )*};
}

instruction_sets! {
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        any(target_feature = "sse2", unix, windows),
    ))]
    // utflane has no validator of blocks for AVX-512.
    avx512 = "AVX-512 (F, BW, VBMI, VBMI2)", utflane::blocks::avx2::BlockValidator = "AVX2",
        "avx512f,avx512bw,avx512vbmi,avx512vbmi2";
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        any(target_feature = "sse2", unix, windows),
    ))]
    avx2 = "AVX2", utflane::blocks::avx2::BlockValidator = "AVX2", "avx2";
    #[cfg(all(
        any(target_arch = "x86", target_arch = "x86_64"),
        any(target_feature = "sse2", unix, windows),
    ))]
    sse42 = "SSE4.2", utflane::blocks::sse42::BlockValidator = "SSE4.2", "sse4.2";
    #[cfg(all(
        feature = "aarch64_neon",
        target_arch = "aarch64",
        target_feature = "neon",
        target_endian = "little",
    ))]
    neon = "NEON", utflane::blocks::neon::BlockValidator = "NEON", "neon";
    #[cfg(all(
        feature = "armv7_neon",
        target_arch = "arm",
        target_feature = "v7",
        target_endian = "little",
    ))]
    armv7 = "NEON", crate::instruction_set::AnyBlockValidator = "the active kernel";
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    simd128 = "simd128", utflane::blocks::simd128::BlockValidator = "simd128", "simd128";
    #[cfg(feature = "portable_public_imp")]
    portable = "the active kernel", crate::instruction_set::AnyBlockValidator = "the active kernel";
}

/// A validator of blocks with the active kernel.
#[allow(dead_code, reason = "only some targets and features have a module that uses it")]
struct AnyBlockValidator(utflane::Validator<utflane::Utf8>);

#[allow(dead_code, reason = "only some targets and features have a module that uses it")]
impl AnyBlockValidator {
    /// Creates a validator at the start of a text.
    fn new() -> Self {
        Self(utflane::Validator::new())
    }

    /// Validates the next block. [`finish`](Self::finish) returns the result.
    fn push(&mut self, block: &[u8; 64]) {
        let _ = self.0.accepts(block);
    }

    /// Validates the rest of the text, and ends the text. Returns true if the text is well-formed.
    fn finish(mut self, rest: &[u8]) -> bool {
        let _ = self.0.accepts(rest);
        self.0.finish().is_ok()
    }
}
