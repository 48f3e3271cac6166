//! Encodings that are chosen at run time: an enum, which uses the same code as the encoding types.

use core::fmt;
use core::str::FromStr;

/// An encoding scheme: the representation of text as bytes, chosen at run time.
///
/// The typed operations use schemes too: an encoding *form*, such as [`Utf16`](crate::Utf16),
/// consists of code units in memory, and has the scheme with the machine's byte order.
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
    /// ISO-8859-1: each byte is the code point with the same value. This is not windows-1252.
    Latin1,
    /// US-ASCII: bytes `0x00..=0x7F`.
    Ascii,
    /// CESU-8: each UTF-16 code unit is encoded like a code point in UTF-8, so that a supplementary
    /// character has six bytes (Unicode Technical Report 26).
    Cesu8,
    /// Java's Modified UTF-8: [CESU-8](Self::Cesu8) with NUL as the bytes `0xC0 0x80`.
    Mutf8,
    /// WTF-8: UTF-8 that may contain unpaired surrogates.
    Wtf8,
    /// UTF-16 that may contain unpaired surrogates ("potentially ill-formed UTF-16"), low byte
    /// first.
    Wtf16Le,
    /// UTF-16 that may contain unpaired surrogates, high byte first.
    Wtf16Be,
}

impl Scheme {
    /// Returns the largest code point of the scheme.
    pub(crate) const fn largest(self) -> u32 {
        match self {
            Self::Latin1 => 0xFF,
            Self::Ascii => 0x7F,
            _ => 0x10_FFFF,
        }
    }

    /// Returns true if unpaired surrogates are well-formed in the scheme.
    pub(crate) const fn has_surrogates(self) -> bool {
        matches!(self, Self::Wtf8 | Self::Wtf16Le | Self::Wtf16Be)
    }

    /// Returns the scheme in which unpaired surrogates are ill-formed and that is otherwise the
    /// same. A conversion to or from a scheme without unpaired surrogates uses it.
    pub(crate) const fn without_surrogates(self) -> Self {
        match self {
            Self::Wtf8 => Self::Utf8,
            Self::Wtf16Le => Self::Utf16Le,
            Self::Wtf16Be => Self::Utf16Be,
            scheme => scheme,
        }
    }
}

/// The labels of each scheme in lower case, with spaces between them. The first is its name.
const LABELS: [(Scheme, &str); 12] = [
    (
        Scheme::Utf8,
        "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8 cp65001 utf8mb4 \
         csutf8",
    ),
    (
        Scheme::Utf16Le,
        "utf-16le utf16le utf-16-le unicode unicodefeff ucs-2 iso-10646-ucs-2 csunicode ucs-2le \
         cp1200 csutf16le",
    ),
    (Scheme::Utf16Be, "utf-16be utf16be utf-16-be unicodefffe ucs-2be cp1201 csutf16be"),
    (Scheme::Utf32Le, "utf-32le utf32le utf-32-le ucs-4le cp12000 csutf32le"),
    (
        Scheme::Utf32Be,
        "utf-32be utf32be utf-32-be ucs-4 ucs-4be iso-10646-ucs-4 csucs4 cp12001 csutf32be",
    ),
    (
        Scheme::Latin1,
        "latin1 latin-1 l1 iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 \
         cp819 ibm819 csisolatin1 8859_1 cp28591",
    ),
    (
        Scheme::Ascii,
        "ascii us-ascii us iso646-us iso-ir-6 ansi_x3.4-1968 ansi_x3.4-1986 646 cp367 ibm367 \
         csascii cp20127",
    ),
    (Scheme::Cesu8, "cesu-8 cesu8 cscesu-8"),
    (Scheme::Mutf8, "mutf-8 mutf8 modified-utf-8 java-modified-utf-8"),
    (Scheme::Wtf8, "wtf-8 wtf8"),
    (Scheme::Wtf16Le, "wtf-16le wtf16le wtf-16-le"),
    (Scheme::Wtf16Be, "wtf-16be wtf16be wtf-16-be"),
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

    /// Returns the scheme of a label. Case and surrounding blanks are ignored. `ucs-2` is UTF-16LE,
    /// and `ucs-4` UTF-32BE, as in glibc.
    ///
    /// # Errors
    ///
    /// Returns [`UnknownLabel`] for any other label, and for `utf-16`, `utf-32` and `wtf-16`, which
    /// do not name a byte order.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::from_label("UTF-16LE"), Ok(Scheme::Utf16Le));
    /// let error = Scheme::from_label("utf-16").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "'utf-16' does not say its byte order: name utf-16le or utf-16be"
    /// );
    /// ```
    pub fn from_label(label: &str) -> Result<Self, UnknownLabel> {
        let label = label.trim_ascii();
        let found = LABELS
            .iter()
            .find(|(_, labels)| labels.split(' ').any(|known| known.eq_ignore_ascii_case(label)));
        found.map(|&(scheme, _)| scheme).ok_or_else(|| UnknownLabel::new(label))
    }

    /// Returns the labels that [`from_label`](Self::from_label) accepts for this scheme, in lower
    /// case. The first is its [`name`](Self::name).
    ///
    /// ```
    /// assert!(utflane::Scheme::Ascii.labels().any(|label| label == "us-ascii"));
    /// ```
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        LABELS.iter().filter(move |entry| entry.0 == self).flat_map(|entry| entry.1.split(' '))
    }

    /// Returns the usual name, in lower case.
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

    /// Returns the size of a code unit in bytes: 1, 2 or 4.
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

    /// Returns the maximum number of bytes in the scheme `to` that `bytes` bytes of this scheme can
    /// become, or `None` if this number overflows `usize`. This is [`max_len`](crate::max_len) for
    /// schemes that are chosen at run time.
    ///
    /// ```
    /// use utflane::Scheme;
    ///
    /// assert_eq!(Scheme::Utf16Le.max_len(20, Scheme::Utf8), Some(30));
    /// ```
    #[must_use]
    pub const fn max_len(self, bytes: usize, to: Self) -> Option<usize> {
        (bytes / self.unit_size()).checked_mul(max_expansion(self, to) * to.unit_size())
    }

    /// Returns the name without the byte order, for messages about code units in memory as well as
    /// bytes.
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

/// Labels that do not name a byte order, and the schemes to choose from.
static LABELS_WITHOUT_BYTE_ORDER: [(&str, [Scheme; 2]); 6] = [
    ("utf-16", [Scheme::Utf16Le, Scheme::Utf16Be]),
    ("utf16", [Scheme::Utf16Le, Scheme::Utf16Be]),
    ("utf-32", [Scheme::Utf32Le, Scheme::Utf32Be]),
    ("utf32", [Scheme::Utf32Le, Scheme::Utf32Be]),
    ("wtf-16", [Scheme::Wtf16Le, Scheme::Wtf16Be]),
    ("wtf16", [Scheme::Wtf16Le, Scheme::Wtf16Be]),
];

/// A label that is not known, or that names an encoding without its byte order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct UnknownLabel {
    /// The start of the label, truncated at a character boundary and padded with zeros.
    text: [u8; Self::STORED_MAX_BYTES],
    /// The number of bytes of `text` in use.
    len: u8,
    /// True if the label is longer than the stored part.
    truncated: bool,
}

impl UnknownLabel {
    /// The maximum number of bytes of the label that the error stores for its message. With this
    /// limit, the error needs no allocation.
    const STORED_MAX_BYTES: usize = 32;

    /// Creates the error for `label`.
    fn new(label: &str) -> Self {
        let mut end = label.len().min(Self::STORED_MAX_BYTES);
        while !label.is_char_boundary(end) {
            end -= 1;
        }
        let mut text = [0; Self::STORED_MAX_BYTES];
        text[..end].copy_from_slice(&label.as_bytes()[..end]);
        #[expect(clippy::cast_possible_truncation, reason = "at most STORED_MAX_BYTES")]
        Self { text, len: end as u8, truncated: end < label.len() }
    }

    /// Returns the label, truncated to at most 32 bytes.
    fn text(&self) -> &str {
        core::str::from_utf8(&self.text[..usize::from(self.len)]).unwrap_or_default()
    }

    /// Returns the two schemes to choose from if only the byte order is missing.
    fn candidates(&self) -> Option<[Scheme; 2]> {
        let text = self.text();
        let found =
            LABELS_WITHOUT_BYTE_ORDER.iter().find(|(label, _)| label.eq_ignore_ascii_case(text));
        found.map(|(_, candidates)| *candidates)
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
        let dots = if self.truncated { "..." } else { "" };
        write!(f, "'{text}{dots}' is not a known encoding: use one of ")?;
        for (i, scheme) in Scheme::ALL.iter().enumerate() {
            write!(f, "{}{scheme}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for UnknownLabel {}

/// Returns the maximum number of code units of `to` that one code unit of `from` can become.
pub(crate) const fn max_expansion(from: Scheme, to: Scheme) -> usize {
    use Scheme::{
        Ascii, Cesu8, Latin1, Mutf8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be,
        Wtf16Le,
    };
    match (from.without_surrogates(), to.without_surrogates()) {
        (Latin1, Utf8 | Cesu8 | Mutf8) => 2,
        (Utf16Le | Utf16Be, Utf8 | Cesu8 | Mutf8) => 3,
        (Utf32Le | Utf32Be, Utf8) => 4,
        (Utf32Le | Utf32Be, Cesu8 | Mutf8) => 6,
        (Utf32Le | Utf32Be, Utf16Le | Utf16Be) => 2,
        // NUL becomes two bytes, and a four-byte character becomes six bytes.
        (Utf8 | Ascii | Cesu8, Mutf8) | (Utf8, Cesu8) => 2,
        (
            _,
            Utf8 | Utf16Le | Utf16Be | Utf32Le | Utf32Be | Latin1 | Ascii | Cesu8 | Mutf8 | Wtf8
            | Wtf16Le | Wtf16Be,
        ) => 1,
    }
}
