//! The operations as methods of [`Scheme`], for encodings chosen at run time. All lengths and
//! offsets are in bytes.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "transcode")]
use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "count")]
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
#[cfg(feature = "transcode")]
use crate::encoding::output::Output;
use crate::encoding::scheme::Scheme;
#[cfg(feature = "alloc")]
use crate::encoding::unit::VecMut;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::owned::{self, ConversionToVec};
use crate::scalar::boundary::incomplete_suffix_len;
use crate::types::error::Error;
use crate::types::progress::{Progress, Units};

impl Scheme {
    /// Validates `src`: [`validate`](crate::validate) for an encoding chosen at run time.
    ///
    /// # Errors
    ///
    /// Returns an error for the first ill-formed sequence.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Utf16Be.validate(b"\xD8\x00").unwrap_err().valid_up_to(), 0);
    /// ```
    pub fn validate(self, src: &[u8]) -> Result<(), Error> {
        validation(self).run(Kernel::active(), src)
    }

    /// Splits `src` before an incomplete sequence at its end:
    /// [`split_incomplete`](crate::split_incomplete()) for an encoding chosen at run time. An
    /// incomplete code unit belongs to the second part.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// let (text, rest) = Scheme::Utf16Le.split_incomplete(b"a\0\x3D\xD8\0");
    /// assert_eq!((text, rest), (&b"a\0"[..], &b"\x3D\xD8\0"[..])); // half a pair, and half a unit
    /// ```
    #[must_use]
    pub fn split_incomplete(self, src: &[u8]) -> (&[u8], &[u8]) {
        src.split_at(src.len() - incomplete_suffix_len(self)(src))
    }

    /// Returns true if `src` is well-formed: [`is_valid`](crate::is_valid) for an encoding chosen
    /// at run time.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert!(!Scheme::Utf16Be.is_valid(b"\xD8\x00"));
    /// ```
    #[must_use]
    pub fn is_valid(self, src: &[u8]) -> bool {
        validation(self).check_on_active(src).is_ok()
    }

    /// Converts `src` to the scheme `to` and appends the result to `out`, in one pass:
    /// [`transcode_append`](crate::transcode_append) for encodings chosen at run time.
    ///
    /// # Errors
    ///
    /// Returns an error for the first ill-formed sequence or unmappable character. The text before
    /// it has been converted and appended.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// let mut out = Vec::new();
    /// Scheme::Latin1.transcode_append(b"caf\xE9", Scheme::Utf8, &mut out)?;
    /// assert_eq!(out, "café".as_bytes());
    /// # Ok::<(), utflane::Error>(())
    /// ```
    #[cfg(all(feature = "alloc", feature = "transcode"))]
    pub fn transcode_append(self, src: &[u8], to: Self, out: &mut Vec<u8>) -> Result<(), Error> {
        owned::append(
            None,
            &ConversionToVec::new(pairs::transcode(self, to), 1),
            src,
            VecMut::U8(out),
        )
    }

    /// Converts as much of `src` to the scheme `to` as fits into `dst`:
    /// [`transcode_into`](crate::transcode_into) for encodings chosen at run time.
    ///
    /// ```
    /// use utflane::{Scheme, Stop};
    ///
    /// let mut dst = [0; 4];
    /// let progress = Scheme::Utf8.transcode_into(b"abc", Scheme::Utf16Le, &mut dst);
    /// assert_eq!((progress.read, progress.written, progress.stop), (2, 4, Stop::OutputFull));
    /// ```
    #[cfg(feature = "transcode")]
    #[inline]
    pub fn transcode_into(
        self,
        src: &[u8],
        to: Self,
        dst: &mut (impl Output<u8> + ?Sized),
    ) -> Progress {
        // SAFETY: the kernels write only initialised values.
        self.convert_into(src, to, unsafe { dst.uninit_mut() })
    }

    /// Implements [`transcode_into`](Self::transcode_into). This function is not generic, so it is
    /// compiled once.
    #[cfg(feature = "transcode")]
    fn convert_into(self, src: &[u8], to: Self, dst: &mut [MaybeUninit<u8>]) -> Progress {
        pairs::transcode(self, to).run(Kernel::active(), src, dst, Units::BYTES)
    }

    /// Returns the number of code points in `src`: [`count`](crate::count) for an encoding chosen
    /// at run time.
    ///
    /// ```
    /// assert_eq!(utflane::Scheme::Utf16Le.count(b"a\0\xE9\0"), 2);
    /// ```
    #[cfg(feature = "count")]
    #[must_use]
    pub fn count(self, src: &[u8]) -> usize {
        pairs::count(self)(src, Kernel::active())
    }

    /// Returns the number of bytes of the scheme `to` that `src` becomes: [`len`](crate::len) for
    /// encodings chosen at run time.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Latin1.len(b"caf\xE9", Scheme::Utf8), 5);
    /// ```
    #[cfg(feature = "count")]
    #[must_use]
    pub fn len(self, src: &[u8], to: Self) -> usize {
        pairs::len(self, to)(src, Kernel::active()).saturating_mul(to.unit_size())
    }
}
