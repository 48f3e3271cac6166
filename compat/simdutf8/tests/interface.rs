//! Tests the names, signatures and traits that programs written for simdutf8 may use. CI also
//! compiles and runs this file with the real simdutf8, so all items here exist in both crates.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::panic::{RefUnwindSafe, UnwindSafe};

use simdutf8::{basic, compat};

/// Checks that an error has the traits, and the texts of `Debug` and `Display`.
fn check_error<E>(error: E, debug: &str, display: &str)
where
    E: Copy + Clone + Eq + PartialEq + Debug + Display + Error,
    E: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static,
{
    let copy = error;
    assert_eq!(error, copy);
    assert_eq!((format!("{error:?}"), error.to_string()), (debug.to_owned(), display.to_owned()));
    let boxed: Box<dyn Error + Send + Sync> = error.into();
    assert!(boxed.source().is_none());
}

#[test]
fn errors_have_the_traits_and_messages_of_simdutf8() {
    assert_eq!(size_of::<basic::Utf8Error>(), 0);
    check_error(basic::Utf8Error, "Utf8Error", "invalid utf-8 sequence");
    check_error(
        compat::from_utf8(b"\xF0\x9F").unwrap_err(),
        "Utf8Error { valid_up_to: 0, error_len: None }",
        "incomplete utf-8 byte sequence from index 0",
    );
    check_error(
        compat::from_utf8(b"ab\xF0\x9Fc").unwrap_err(),
        "Utf8Error { valid_up_to: 2, error_len: Some(2) }",
        "invalid utf-8 sequence of 2 bytes from index 2",
    );
}

/// The signature of `from_utf8`.
type FromUtf8<E> = fn(&[u8]) -> Result<&str, E>;
/// The signature of `from_utf8_mut`.
type FromUtf8Mut<E> = fn(&mut [u8]) -> Result<&mut str, E>;

#[test]
fn functions_have_the_signatures_of_simdutf8() {
    let _: FromUtf8<basic::Utf8Error> = basic::from_utf8;
    let _: FromUtf8Mut<basic::Utf8Error> = basic::from_utf8_mut;
    let _: FromUtf8<compat::Utf8Error> = compat::from_utf8;
    let _: FromUtf8Mut<compat::Utf8Error> = compat::from_utf8_mut;
    let _: fn(&compat::Utf8Error) -> usize = compat::Utf8Error::valid_up_to;
    let _: fn(&compat::Utf8Error) -> Option<usize> = compat::Utf8Error::error_len;
}

#[cfg(feature = "public_imp")]
mod imp {
    use std::panic::{RefUnwindSafe, UnwindSafe};

    use simdutf8::basic::imp::{ChunkedUtf8Validator, Utf8Validator};
    use simdutf8::{basic, compat};

    /// An implementation of the traits by a user of the crate. simd-json has such a type.
    struct CustomValidator;

    impl Utf8Validator for CustomValidator {
        unsafe fn new() -> Self {
            Self
        }

        unsafe fn update(&mut self, _input: &[u8]) {}

        unsafe fn finalize(self) -> Result<(), basic::Utf8Error> {
            Ok(())
        }
    }

    impl ChunkedUtf8Validator for CustomValidator {
        unsafe fn new() -> Self
        where
            Self: Sized,
        {
            Self
        }

        unsafe fn update_from_chunks(&mut self, _input: &[u8]) {}

        unsafe fn finalize(self, _rest: Option<&[u8]>) -> Result<(), basic::Utf8Error> {
            Err(basic::Utf8Error)
        }
    }

    fn check_validator<V>()
    where
        V: Utf8Validator + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static,
    {
    }

    fn check_chunked_validator<V>()
    where
        V: ChunkedUtf8Validator + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static,
    {
    }

    type ValidateBasic = unsafe fn(&[u8]) -> Result<(), basic::Utf8Error>;
    type ValidateCompat = unsafe fn(&[u8]) -> Result<(), compat::Utf8Error>;

    #[test]
    fn instruction_sets_have_all_items() {
        check_validator::<CustomValidator>();
        check_chunked_validator::<CustomValidator>();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            use basic::imp::x86::{avx2, sse42};

            check_validator::<avx2::Utf8ValidatorImp>();
            check_chunked_validator::<avx2::ChunkedUtf8ValidatorImp>();
            check_validator::<sse42::Utf8ValidatorImp>();
            check_chunked_validator::<sse42::ChunkedUtf8ValidatorImp>();
            let _: [ValidateBasic; 2] = [avx2::validate_utf8, sse42::validate_utf8];
            let _: [ValidateCompat; 2] =
                [compat::imp::x86::avx2::validate_utf8, compat::imp::x86::sse42::validate_utf8];
        }
        #[cfg(all(feature = "aarch64_neon", target_arch = "aarch64"))]
        {
            use basic::imp::aarch64::neon;

            check_validator::<neon::Utf8ValidatorImp>();
            check_chunked_validator::<neon::ChunkedUtf8ValidatorImp>();
            let _: ValidateBasic = neon::validate_utf8;
            let _: ValidateCompat = compat::imp::aarch64::neon::validate_utf8;
        }
    }
}
