//! How far a conversion into a given output got, and why it stopped.

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
    /// The next character is ill-formed, incomplete at the end of the input, or unmappable. The
    /// error is reported even if the output is full.
    Error(E),
}

/// How far a conversion got. It gets as far as possible, and equally far on every kernel.
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
    /// The number of input code units (bytes for schemes) that have been converted.
    pub read: usize,
    /// The number of output code units (bytes for schemes) that have been written.
    pub written: usize,
    /// The reason why the conversion stopped.
    pub stop: Stop<E>,
}

/// How far a kernel has read the source and written the output, in bytes. It is two words, which
/// are returned in registers. A conversion stops only at the first character that it cannot
/// convert, so the reason can be determined from the input.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) read: usize,
    pub(crate) written: usize,
}

impl Reach {
    /// Returns the reach after `units` units, which have `read` bytes each in the input and
    /// `written` bytes each in the output.
    #[inline(always)]
    pub(crate) fn of_units(units: usize, read: usize, written: usize) -> Self {
        Self { read: units * read, written: units * written }
    }

    /// Returns the same reach, counted from an earlier start: `read` bytes earlier in the input,
    /// and `written` bytes earlier in the output.
    #[inline]
    pub(crate) fn after(self, read: usize, written: usize) -> Self {
        Self { read: self.read + read, written: self.written + written }
    }
}

/// The progress of a conversion with repairs, in bytes, and the reason why it stopped. An
/// incomplete sequence is an error without a length. If `stop` is an error, `read` is its offset.
/// The offset inside the error may count from the start of a part of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyReach {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) repairs: usize,
    pub(crate) stop: Stop,
}

impl LossyReach {
    /// The progress before the first step.
    pub(crate) const NONE: Self = Self { read: 0, written: 0, repairs: 0, stop: Stop::Done };

    /// Adds the progress of a further step.
    pub(crate) fn add(&mut self, read: usize, written: usize, repairs: usize) {
        self.read += read;
        self.written += written;
        self.repairs += repairs;
    }

    /// Returns the same progress, counted from an earlier start, like [`Reach::after`].
    #[cfg(feature = "transcode")]
    pub(crate) fn after(mut self, read: usize, written: usize) -> Self {
        self.add(read, written, 0);
        if let Stop::Error(error) = self.stop {
            self.stop = Stop::Error(error.after(read));
        }
        self
    }
}

/// The sizes of the units in which a caller counts input and output. They are stored as binary
/// logarithms, because shifts are faster than divisions by variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    from: u8,
    to: u8,
}

impl Units {
    /// The units of input and output are bytes.
    pub(crate) const BYTES: Self = Self { from: 0, to: 0 };

    /// Converts the numbers of input bytes and output bytes to numbers of units.
    #[inline]
    pub(crate) const fn of_bytes(self, read: usize, written: usize) -> (usize, usize) {
        (read >> self.from, written >> self.to)
    }

    /// Returns the sizes of the unit types `A` of the input and `B` of the output.
    pub(crate) const fn for_types<A, B>() -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "at most 2")]
        const fn log2_size<U>() -> u8 {
            size_of::<U>().trailing_zeros() as u8
        }
        Self { from: log2_size::<A>(), to: log2_size::<B>() }
    }
}

impl Progress {
    /// Converts this progress from bytes to units.
    #[inline]
    pub(crate) fn in_units(self, units: Units) -> Self {
        self.convert_units(units, Error::in_units)
    }
}

impl Progress<StreamError> {
    /// Converts this progress from bytes to units.
    #[inline]
    pub(crate) fn in_units(self, units: Units) -> Self {
        self.convert_units(units, StreamError::in_units)
    }
}

impl<E> Progress<E> {
    /// Converts this progress from bytes to units. `convert_error` converts the error.
    #[inline]
    fn convert_units(self, units: Units, convert_error: impl FnOnce(E, usize) -> E) -> Self {
        let stop = match self.stop {
            Stop::Error(error) => Stop::Error(convert_error(error, 1 << units.from)),
            Stop::Done => Stop::Done,
            Stop::OutputFull => Stop::OutputFull,
        };
        let (read, written) = units.of_bytes(self.read, self.written);
        Self { read, written, stop }
    }

    /// Returns the number of units written if the whole input has been converted, or `None` if the
    /// output is full.
    ///
    /// # Errors
    ///
    /// Returns the error that stopped the conversion.
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
