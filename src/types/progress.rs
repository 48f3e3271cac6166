//! How far a conversion into a given output came, and why it stopped.

use crate::types::error::{Error, StreamError};

/// The reason why a conversion stopped.
///
/// `E` is [`Error`], or [`StreamError`] in streams.
///
/// ```
/// use utflane::{Latin1, Stop, Utf8, transcode_into};
///
/// let stop = |text: &str| transcode_into::<Utf8, Latin1>(text.as_bytes(), &mut [0; 3]).stop;
/// assert_eq!(stop("été"), Stop::Done);
/// assert_eq!(stop("étés"), Stop::OutputFull);
/// assert!(matches!(stop("été€"), Stop::Error(_))); // even though the output is full
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop<E = Error> {
    /// The whole input has been converted.
    Done,
    /// The next character is well-formed and mappable, and does not fit into the rest of the
    /// output.
    OutputFull,
    /// The next character is ill-formed, incomplete at the end of the input, or unmappable.
    /// Reported even if the output is full.
    Error(E),
}

/// How far a conversion came: as far as possible, and equally far on every kernel.
///
/// `dst[written..]` is unspecified: it may have been overwritten as scratch space. Characters are
/// never split.
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
    /// Code units of the input that have been converted (bytes for schemes).
    pub read: usize,
    /// Code units of the output that have been written (bytes for schemes).
    pub written: usize,
    /// Why the conversion stopped.
    pub stop: Stop<E>,
}

/// The progress of a kernel, in bytes. Two words are returned in registers. A conversion stops only
/// at the first character that it cannot convert, so the reason follows from the input.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) read: usize,
    pub(crate) written: usize,
}

impl Reach {
    /// Returns the same reach in a text with `read` more bytes before it, which became `written`
    /// bytes.
    #[inline]
    pub(crate) fn after(self, read: usize, written: usize) -> Self {
        Self { read: self.read + read, written: self.written + written }
    }
}

/// The progress of a conversion with repairs, in bytes, and why it stopped. An incomplete sequence
/// is an error without a length. `read` is the offset of an error; the offset inside the error may
/// be relative to a part of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyReach {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) repairs: usize,
    pub(crate) stop: Stop,
}

impl LossyReach {
    /// No progress.
    pub(crate) const NONE: Self = Self { read: 0, written: 0, repairs: 0, stop: Stop::Done };

    /// Adds the progress of a further step.
    pub(crate) fn add(&mut self, read: usize, written: usize, repairs: usize) {
        self.read += read;
        self.written += written;
        self.repairs += repairs;
    }
}

/// The sizes of the units in which a caller counts input and output, as binary logarithms: shifts
/// are faster than divisions by variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    from: u8,
    to: u8,
}

impl Units {
    /// Bytes on both sides.
    pub(crate) const BYTES: Self = Self { from: 0, to: 0 };

    /// Converts bytes of input and output to units.
    #[inline]
    pub(crate) const fn of_bytes(self, read: usize, written: usize) -> (usize, usize) {
        (read >> self.from, written >> self.to)
    }

    /// Returns the sizes of these types.
    pub(crate) const fn for_types<A, B>() -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "at most 2")]
        const fn log<U>() -> u8 {
            size_of::<U>().trailing_zeros() as u8
        }
        Self { from: log::<A>(), to: log::<B>() }
    }
}

impl Progress {
    /// Converts this progress from bytes to units.
    #[inline]
    pub(crate) fn in_units(self, units: Units) -> Self {
        self.counted(units, Error::in_units)
    }
}

impl Progress<StreamError> {
    /// Converts this progress from bytes to units.
    #[inline]
    pub(crate) fn in_units(self, units: Units) -> Self {
        self.counted(units, StreamError::in_units)
    }
}

impl<E> Progress<E> {
    /// Converts this progress from bytes to units, and its error by `error`.
    #[inline]
    fn counted(self, units: Units, error: impl FnOnce(E, usize) -> E) -> Self {
        let stop = match self.stop {
            Stop::Error(inner) => Stop::Error(error(inner, 1 << units.from)),
            Stop::Done => Stop::Done,
            Stop::OutputFull => Stop::OutputFull,
        };
        let (read, written) = units.of_bytes(self.read, self.written);
        Self { read, written, stop }
    }

    /// Returns the units written if the whole input has been converted, or `None` if the output is
    /// full.
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
