//! How far a conversion into a given output came, and why it stopped there.

use crate::{Error, Scheme};

/// Why a conversion stopped.
///
/// `E` is [`Error`], or [`StreamError`](crate::StreamError) in streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop<E = Error> {
    /// The whole input has been converted.
    Done,
    /// The next character is well-formed and mappable, and does not fit into what is left of the output.
    OutputFull,
    /// The next character is ill-formed, cut off by the end of the input, or not in the target encoding. Reported even
    /// when the output is full.
    Error(E),
}

/// How far a conversion came: always as far as possible, and equally far on every kernel.
///
/// `dst[written..]` is unspecified: it may have been overwritten as scratch space. Characters are never split.
///
/// ```
/// use utflane::{transcode_into, Stop, Utf16, Utf8};
///
/// let mut dst = [0; 4];
/// let progress = transcode_into::<Utf8, Utf16>("né😀!".as_bytes(), &mut dst);
/// assert_eq!((progress.read, progress.written, progress.stop), (7, 4, Stop::OutputFull));
/// assert_eq!(dst, [0x6E, 0xE9, 0xD83D, 0xDE00]);
/// ```
#[must_use = "a conversion may stop early: look at `stop`"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progress<E = Error> {
    /// Code units of the input that have been converted.
    pub read: usize,
    /// Code units of the output that have been written.
    pub written: usize,
    /// Why it stopped.
    pub stop: Stop<E>,
}

/// How far a kernel came, in bytes. Two words, so that it travels in registers: a conversion stops in front of the first
/// character that it can't convert and nowhere else, so that why it stopped can be seen in the input.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) read: usize,
    pub(crate) written: usize,
}

impl Reach {
    /// The same in a text with `read` more bytes in front that gave `written`.
    #[inline]
    pub(crate) fn behind(self, read: usize, written: usize) -> Self {
        Self { read: self.read + read, written: self.written + written }
    }
}

/// Bytes of the units in which progress is told.
#[derive(Clone, Copy)]
pub(crate) struct Units {
    from: u8,
    to: u8,
}

impl Units {
    /// Bytes on both sides.
    pub(crate) const BYTES: Self = Self { from: 1, to: 1 };

    /// So many bytes of input and output, in units.
    #[inline]
    pub(crate) const fn of_bytes(self, read: usize, written: usize) -> (usize, usize) {
        (read / self.from as usize, written / self.to as usize)
    }

    /// Units of these types.
    pub(crate) const fn of<A, B>() -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "units have at most four bytes")]
        Self { from: size_of::<A>() as u8, to: size_of::<B>() as u8 }
    }

    /// Whether both sides are forms in memory, told in units of their own.
    #[inline(always)]
    pub(crate) fn are_native(self, from: Scheme, to: Scheme) -> bool {
        usize::from(self.from) == from.unit_size() && usize::from(self.to) == to.unit_size()
    }
}

impl Progress {
    /// The same progress, given in bytes, in units.
    #[inline]
    pub(crate) fn in_units(self, units: Units) -> Self {
        let (from, to) = (usize::from(units.from), usize::from(units.to));
        let stop = match self.stop {
            Stop::Error(error) => Stop::Error(error.in_units(from)),
            stop => stop,
        };
        Self { read: self.read / from, written: self.written / to, stop }
    }
}

impl<E> Progress<E> {
    /// Units written if the whole input has been converted; else `None` for a full output, or the error.
    ///
    /// # Errors
    ///
    /// The error that stopped the conversion.
    ///
    /// ```
    /// use utflane::{transcode_into, Latin1, Utf8};
    ///
    /// let mut dst = [0; 8];
    /// let written = transcode_into::<Latin1, Utf8>(b"caf\xE9", &mut dst).complete()?;
    /// assert_eq!(written.map(|n| &dst[..n]), Some("café".as_bytes()));
    /// # Ok::<(), utflane::Error>(())
    /// ```
    #[inline]
    pub fn complete(self) -> Result<Option<usize>, E> {
        match self.stop {
            Stop::Done => Ok(Some(self.written)),
            Stop::OutputFull => Ok(None),
            Stop::Error(error) => Err(error),
        }
    }
}
