//! The run-time choice of an encoding: one enum over the same code as the types.

use core::fmt;
use core::str::FromStr;

use super::{pairs, view};
#[cfg(feature = "alloc")]
use crate::owned::{Append, Job, Vec};
use crate::progress::Units;
use crate::{Error, Kernel, Progress};

/// An encoding scheme: how text is written as bytes, chosen at run time.
///
/// The typed verbs are built on this too: an encoding *form* such as [`Utf16`](crate::Utf16), code units in memory, is
/// the scheme that has the machine's own byte order.
///
/// ```
/// use utflane::Scheme;
///
/// let scheme: Scheme = "ISO-8859-1".parse()?;
/// assert_eq!(scheme, Scheme::Latin1);
/// assert_eq!(scheme.to_string(), "latin1");
/// # Ok::<(), utflane::UnknownLabel>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Scheme {
    /// UTF-8, as in RFC 3629.
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// UTF-32, lowest byte first.
    Utf32Le,
    /// UTF-32, highest byte first.
    Utf32Be,
    /// ISO-8859-1: a byte is a code point. Not windows-1252.
    Latin1,
    /// US-ASCII: bytes `00..=7F`.
    Ascii,
    /// CESU-8: UTF-8 of UTF-16's code units, so a supplementary character has six bytes (Unicode Technical Report 26).
    Cesu8,
    /// Java's Modified UTF-8: [CESU-8](Self::Cesu8) with NUL as `C0 80`.
    Mutf8,
    /// WTF-8: UTF-8 that may have lone surrogates.
    Wtf8,
    /// UTF-16 that may have lone surrogates ("potentially ill-formed UTF-16"), low byte first.
    Wtf16Le,
    /// UTF-16 that may have lone surrogates, high byte first.
    Wtf16Be,
}

impl Scheme {
    /// The largest code point that it has.
    pub(crate) const fn largest(self) -> u32 {
        match self {
            Self::Latin1 => 0xFF,
            Self::Ascii => 0x7F,
            _ => 0x10_FFFF,
        }
    }

    /// Whether lone surrogates are well-formed in it.
    pub(crate) const fn has_surrogates(self) -> bool {
        matches!(self, Self::Wtf8 | Self::Wtf16Le | Self::Wtf16Be)
    }

    /// The same without lone surrogates: all that a conversion into a scheme that hasn't any can take.
    pub(crate) const fn without_surrogates(self) -> Self {
        match self {
            Self::Wtf8 => Self::Utf8,
            Self::Wtf16Le => Self::Utf16Le,
            Self::Wtf16Be => Self::Utf16Be,
            scheme => scheme,
        }
    }

    /// The encoding that it is a relative of, whose text it has in common but for the characters that make the difference.
    pub(crate) const fn base(self) -> Self {
        match self {
            Self::Cesu8 | Self::Mutf8 => Self::Utf8,
            scheme => scheme.without_surrogates(),
        }
    }
}

/// Labels, lower case, each with what it means.
const LABELS: &[(&str, Scheme)] = &[
    ("utf-8", Scheme::Utf8),
    ("utf8", Scheme::Utf8),
    ("unicode-1-1-utf-8", Scheme::Utf8),
    ("utf-16le", Scheme::Utf16Le),
    ("utf16le", Scheme::Utf16Le),
    ("utf-16-le", Scheme::Utf16Le),
    ("utf-16be", Scheme::Utf16Be),
    ("utf16be", Scheme::Utf16Be),
    ("utf-16-be", Scheme::Utf16Be),
    ("utf-32le", Scheme::Utf32Le),
    ("utf32le", Scheme::Utf32Le),
    ("utf-32-le", Scheme::Utf32Le),
    ("utf-32be", Scheme::Utf32Be),
    ("utf32be", Scheme::Utf32Be),
    ("utf-32-be", Scheme::Utf32Be),
    ("latin1", Scheme::Latin1),
    ("latin-1", Scheme::Latin1),
    ("l1", Scheme::Latin1),
    ("iso-8859-1", Scheme::Latin1),
    ("iso8859-1", Scheme::Latin1),
    ("iso88591", Scheme::Latin1),
    ("iso_8859-1", Scheme::Latin1),
    ("iso_8859-1:1987", Scheme::Latin1),
    ("iso-ir-100", Scheme::Latin1),
    ("cp819", Scheme::Latin1),
    ("ibm819", Scheme::Latin1),
    ("ascii", Scheme::Ascii),
    ("us-ascii", Scheme::Ascii),
    ("us", Scheme::Ascii),
    ("iso646-us", Scheme::Ascii),
    ("iso-ir-6", Scheme::Ascii),
    ("ansi_x3.4-1968", Scheme::Ascii),
    ("ansi_x3.4-1986", Scheme::Ascii),
    ("cesu-8", Scheme::Cesu8),
    ("cesu8", Scheme::Cesu8),
    ("cscesu-8", Scheme::Cesu8),
    ("mutf-8", Scheme::Mutf8),
    ("mutf8", Scheme::Mutf8),
    ("modified-utf-8", Scheme::Mutf8),
    ("java-modified-utf-8", Scheme::Mutf8),
    ("wtf-8", Scheme::Wtf8),
    ("wtf8", Scheme::Wtf8),
    ("wtf-16le", Scheme::Wtf16Le),
    ("wtf16le", Scheme::Wtf16Le),
    ("wtf-16-le", Scheme::Wtf16Le),
    ("wtf-16be", Scheme::Wtf16Be),
    ("wtf16be", Scheme::Wtf16Be),
    ("wtf-16-be", Scheme::Wtf16Be),
];

impl Scheme {
    /// Every scheme.
    pub const ALL: &'static [Self] = &[
        Self::Utf8,
        Self::Utf16Le,
        Self::Utf16Be,
        Self::Utf32Le,
        Self::Utf32Be,
        Self::Latin1,
        Self::Ascii,
        Self::Cesu8,
        Self::Mutf8,
        Self::Wtf8,
        Self::Wtf16Le,
        Self::Wtf16Be,
    ];

    /// The scheme that a label means; upper and lower case are the same, blanks around it don't matter.
    ///
    /// # Errors
    ///
    /// [`UnknownLabel`] for any other label, and for `utf-16`, `utf-32` and `wtf-16`, which leave the byte order open:
    /// name one.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::from_label("UTF-16LE"), Ok(Scheme::Utf16Le));
    /// let error = Scheme::from_label("utf-16").unwrap_err();
    /// assert_eq!(error.to_string(), "'utf-16' does not say its byte order: name utf-16le or utf-16be");
    /// ```
    pub fn from_label(label: &str) -> Result<Self, UnknownLabel> {
        let label = label.trim_matches(|c: char| c.is_ascii_whitespace());
        for &(known, scheme) in LABELS {
            if known.eq_ignore_ascii_case(label) {
                return Ok(scheme);
            }
        }
        Err(UnknownLabel::new(label))
    }

    /// The labels that [`from_label`](Self::from_label) takes for this scheme, in lower case; the first is its
    /// [`name`](Self::name).
    ///
    /// ```
    /// assert!(utflane::Scheme::Ascii.labels().any(|label| label == "us-ascii"));
    /// ```
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        LABELS.iter().filter(move |entry| entry.1 == self).map(|entry| entry.0)
    }

    /// The usual name, in lower case.
    ///
    /// ```
    /// assert_eq!(utflane::Scheme::Utf16Be.name(), "utf-16be");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Utf32Le => "utf-32le",
            Self::Utf32Be => "utf-32be",
            Self::Latin1 => "latin1",
            Self::Ascii => "ascii",
            Self::Cesu8 => "cesu-8",
            Self::Mutf8 => "mutf-8",
            Self::Wtf8 => "wtf-8",
            Self::Wtf16Le => "wtf-16le",
            Self::Wtf16Be => "wtf-16be",
        }
    }

    /// Bytes of one code unit: 1, 2 or 4.
    ///
    /// ```
    /// assert_eq!(utflane::Scheme::Utf32Le.unit_size(), 4);
    /// ```
    #[must_use]
    pub const fn unit_size(self) -> usize {
        match self {
            Self::Utf8 | Self::Latin1 | Self::Ascii | Self::Cesu8 | Self::Mutf8 | Self::Wtf8 => 1,
            Self::Utf16Le | Self::Utf16Be | Self::Wtf16Le | Self::Wtf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    /// Says whether `src` is well-formed, or where it first isn't: [`validate`](crate::validate) at run time.
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Utf16Be.validate(b"\xD8\x00").unwrap_err().valid_up_to(), 0);
    /// ```
    pub fn validate(self, src: &[u8]) -> Result<(), Error> {
        pairs::validation(self).run(Kernel::active(), src)
    }

    /// Converts `src` to the scheme `to` and appends the result to `out`, in one pass:
    /// [`transcode_append`](crate::transcode_append) at run time.
    ///
    /// # Errors
    ///
    /// The first place that is ill-formed, or that `to` doesn't have; what stands in front of it has been appended.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// let mut out = Vec::new();
    /// Scheme::Latin1.transcode_append(b"caf\xE9", Scheme::Utf8, &mut out)?;
    /// assert_eq!(out, "café".as_bytes());
    /// # Ok::<(), utflane::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn transcode_append(self, src: &[u8], to: Self, out: &mut Vec<u8>) -> Result<(), Error> {
        u8::append(None, &Job::of(pairs::transcode(self, to), 1), src, out)
    }

    /// Converts as much of `src` to the scheme `to` as fits into `dst`: [`transcode_into`](crate::transcode_into) at run
    /// time.
    ///
    /// ```
    /// use utflane::{Scheme, Stop};
    ///
    /// let mut dst = [0; 4];
    /// let progress = Scheme::Utf8.transcode_into(b"abc", Scheme::Utf16Le, &mut dst);
    /// assert_eq!((progress.read, progress.written, progress.stop), (2, 4, Stop::OutputFull));
    /// ```
    pub fn transcode_into(self, src: &[u8], to: Self, dst: &mut [u8]) -> Progress {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        pairs::transcode(self, to).run(Kernel::active(), src, dst, Units::BYTES)
    }

    /// Code points in `src`: [`count`](crate::count) at run time.
    ///
    /// ```
    /// assert_eq!(utflane::Scheme::Utf16Le.count(b"a\0\xE9\0"), 2);
    /// ```
    #[must_use]
    pub fn count(self, src: &[u8]) -> usize {
        pairs::count(self)(Kernel::active(), src)
    }

    /// Bytes of the scheme `to` that `src` becomes: [`len`](crate::len) at run time.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Latin1.len(b"caf\xE9", Scheme::Utf8), 5);
    /// ```
    #[must_use]
    pub fn len(self, src: &[u8], to: Self) -> usize {
        pairs::len(self, to)(Kernel::active(), src).saturating_mul(to.unit_size())
    }

    /// The most bytes of the scheme `to` that `bytes` bytes of this one can become, or `None` if that overflows `usize`:
    /// [`max_len`](crate::max_len) at run time.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Utf16Le.max_len(20, Scheme::Utf8), Some(30));
    /// ```
    #[must_use]
    pub const fn max_len(self, bytes: usize, to: Self) -> Option<usize> {
        (bytes / self.unit_size()).checked_mul(super::max_expansion(self, to) * to.unit_size())
    }

    /// The name without the byte order, for messages about code units in memory as well as bytes.
    pub(crate) const fn family(self) -> &'static str {
        match self {
            Self::Utf16Le | Self::Utf16Be => "utf-16",
            Self::Utf32Le | Self::Utf32Be => "utf-32",
            Self::Wtf16Le | Self::Wtf16Be => "wtf-16",
            _ => self.name(),
        }
    }

    /// UTF-16 in the machine's own byte order.
    pub(crate) const UTF16: Self =
        if cfg!(target_endian = "little") { Self::Utf16Le } else { Self::Utf16Be };

    /// Potentially ill-formed UTF-16 in the machine's own byte order.
    pub(crate) const WTF16: Self =
        if cfg!(target_endian = "little") { Self::Wtf16Le } else { Self::Wtf16Be };

    /// UTF-32 in the machine's own byte order.
    pub(crate) const UTF32: Self =
        if cfg!(target_endian = "little") { Self::Utf32Le } else { Self::Utf32Be };
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Scheme {
    type Err = UnknownLabel;

    fn from_str(label: &str) -> Result<Self, UnknownLabel> {
        Self::from_label(label)
    }
}

/// A label that names no encoding, or leaves its byte order open.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownLabel {
    /// The beginning of the label, cut at a character boundary and padded with zeros.
    text: [u8; Self::KEPT],
    /// Bytes of `text` in use.
    len: u8,
    /// Whether the label was longer than what is kept of it.
    cut: bool,
}

impl UnknownLabel {
    /// Bytes of the label that are kept for the message, so that the error needs no allocation.
    const KEPT: usize = 32;

    fn new(label: &str) -> Self {
        let mut end = label.len().min(Self::KEPT);
        while !label.is_char_boundary(end) {
            end -= 1;
        }
        let mut text = [0; Self::KEPT];
        text[..end].copy_from_slice(&label.as_bytes()[..end]);
        #[expect(clippy::cast_possible_truncation, reason = "at most KEPT")]
        Self { text, len: end as u8, cut: end < label.len() }
    }

    /// The label, cut after 32 bytes.
    fn text(&self) -> &str {
        core::str::from_utf8(&self.text[..usize::from(self.len)]).unwrap_or_default()
    }

    /// The two schemes to choose from where only the byte order is missing.
    fn candidates(&self) -> Option<[Scheme; 2]> {
        let is = |names: [&str; 2]| names.iter().any(|name| name.eq_ignore_ascii_case(self.text()));
        if is(["utf-16", "utf16"]) {
            Some([Scheme::Utf16Le, Scheme::Utf16Be])
        } else if is(["utf-32", "utf32"]) {
            Some([Scheme::Utf32Le, Scheme::Utf32Be])
        } else if is(["wtf-16", "wtf16"]) {
            Some([Scheme::Wtf16Le, Scheme::Wtf16Be])
        } else {
            None
        }
    }
}

impl fmt::Debug for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("UnknownLabel").field(&self.text()).finish()
    }
}

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        if let Some([little, big]) = self.candidates() {
            return write!(f, "'{text}' does not say its byte order: name {little} or {big}");
        }
        let dots = if self.cut { "..." } else { "" };
        write!(f, "'{text}{dots}' is not a known encoding: use one of ")?;
        for (i, scheme) in Scheme::ALL.iter().enumerate() {
            write!(f, "{}{scheme}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownLabel {}
