//! The verbs as methods of [`Scheme`], for an encoding chosen at run time. All sizes are in bytes.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::dispatch::kernel::Kernel;
#[cfg(feature = "count")]
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::validation::validation;
use crate::encoding::scheme::Scheme;
#[cfg(feature = "alloc")]
use crate::encoding::unit::VecMut;
use crate::encoding::view;
#[cfg(all(feature = "alloc", feature = "transcode"))]
use crate::owned::{self, ConversionToVec};
use crate::types::error::Error;
use crate::types::progress::{Progress, Units};

impl Scheme {
    /// Validates `src`: [`validate`](crate::validate) at run time.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Utf16Be.validate(b"\xD8\x00").unwrap_err().valid_up_to(), 0);
    /// ```
    pub fn validate(self, src: &[u8]) -> Result<(), Error> {
        validation(self).run(Kernel::active(), src)
    }

    /// Converts `src` to the scheme `to` and appends the result to `out`, in one pass:
    /// [`transcode_append`](crate::transcode_append) at run time.
    ///
    /// # Errors
    ///
    /// The first ill-formed sequence or unmappable character. The text before it has been converted
    /// and appended.
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
            &ConversionToVec::of(pairs::transcode(self, to), 1, 1),
            src,
            VecMut::U8(out),
        )
    }

    /// Converts as much of `src` to the scheme `to` as fits into `dst`:
    /// [`transcode_into`](crate::transcode_into) at run time.
    ///
    /// ```
    /// use utflane::{Scheme, Stop};
    ///
    /// let mut dst = [0; 4];
    /// let progress = Scheme::Utf8.transcode_into(b"abc", Scheme::Utf16Le, &mut dst);
    /// assert_eq!((progress.read, progress.written, progress.stop), (2, 4, Stop::OutputFull));
    /// ```
    #[cfg(feature = "transcode")]
    pub fn transcode_into(self, src: &[u8], to: Self, dst: &mut [u8]) -> Progress {
        // SAFETY: the kernels write only initialised values.
        let dst = unsafe { view::uninit_mut(dst) };
        pairs::transcode(self, to).run(Kernel::active(), src, dst, Units::BYTES)
    }

    /// Returns the number of code points in `src`: [`count`](crate::count) at run time.
    ///
    /// ```
    /// assert_eq!(utflane::Scheme::Utf16Le.count(b"a\0\xE9\0"), 2);
    /// ```
    #[cfg(feature = "count")]
    #[must_use]
    pub fn count(self, src: &[u8]) -> usize {
        pairs::count(self)(Kernel::active(), src)
    }

    /// Returns the number of bytes of the scheme `to` that `src` becomes: [`len`](crate::len) at
    /// run time.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Latin1.len(b"caf\xE9", Scheme::Utf8), 5);
    /// ```
    #[cfg(feature = "count")]
    #[must_use]
    pub fn len(self, src: &[u8], to: Self) -> usize {
        pairs::len(self, to)(Kernel::active(), src).saturating_mul(to.unit_size())
    }
}
