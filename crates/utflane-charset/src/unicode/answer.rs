//! The result of detection: the encoding, the reason and the confidence.

use std::fmt;

use utflane::Scheme;

/// The result of [`detect`](crate::unicode::detect()).
///
/// ```
/// use utflane::Scheme;
/// use utflane_charset::unicode::{Confidence, Reason, detect};
///
/// let src = b"\xEF\xBB\xBFHi";
/// let found = detect(src);
/// assert_eq!((found.scheme(), found.reason()), (Some(Scheme::Utf8), Reason::Mark));
/// assert_eq!(found.confidence(), Confidence::Certain);
/// assert_eq!(&src[found.mark_len()..], b"Hi");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Detection {
    pub(super) closest: Scheme,
    pub(super) reason: Reason,
    pub(super) confidence: Confidence,
    pub(super) mixture: Option<Mixture>,
}

impl Detection {
    /// Returns the encoding. Returns `None` if this crate lacks the encoding, if parts of the text
    /// are in different encodings, or if the data is not text.
    ///
    /// ```
    /// use utflane_charset::unicode::{Reason, detect};
    ///
    /// let koi8_r = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2!"; // Привет, мир!
    /// let found = detect(koi8_r);
    /// assert_eq!((found.scheme(), found.reason()), (None, Reason::Legacy));
    /// ```
    #[must_use]
    pub const fn scheme(&self) -> Option<Scheme> {
        match self.reason {
            Reason::Windows1252 | Reason::Legacy | Reason::Mixed | Reason::Binary => None,
            _ => Some(self.closest),
        }
    }

    /// Returns the [encoding](Self::scheme) if there is one, for callers who read the text in any
    /// case. Otherwise returns the first of ASCII, UTF-8 and Latin-1 in which all bytes are
    /// well-formed. For a text whose parts are in different encodings, returns the encoding of the
    /// first part, or Latin-1 if the first part is in a legacy encoding.
    ///
    /// ```
    /// use utflane::Scheme;
    /// use utflane_charset::unicode::detect;
    ///
    /// assert_eq!(detect(b"10 \x80").closest(), Scheme::Latin1); // windows-1252
    /// assert_eq!(detect(&[0; 100]).closest(), Scheme::Ascii);
    /// ```
    #[must_use]
    pub const fn closest(&self) -> Scheme {
        self.closest
    }

    /// Returns the name of the encoding. If there is no [scheme](Self::scheme), returns
    /// `windows-1252`, `unknown legacy encoding`, `mixed` or `binary`.
    ///
    /// ```
    /// use utflane_charset::unicode::detect;
    ///
    /// assert_eq!(detect(b"10 \x80").name(), "windows-1252");
    /// assert_eq!(detect(&[0; 100]).name(), "binary");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.reason {
            Reason::Windows1252 => "windows-1252",
            Reason::Legacy => "unknown legacy encoding",
            Reason::Mixed => "mixed",
            Reason::Binary => "binary",
            _ => self.closest.name(),
        }
    }

    /// Returns the reason.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the confidence.
    #[must_use]
    pub const fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Returns the length in bytes of the byte order mark that the text begins with, or 0. The text
    /// after the mark begins at this offset.
    #[must_use]
    pub const fn mark_len(&self) -> usize {
        match self.reason {
            Reason::Mark => self.closest.byte_order_mark().len(),
            _ => 0,
        }
    }
}

impl Detection {
    /// Returns the first two parts of a text whose parts are in different encodings. Such a text
    /// has no [scheme](Self::scheme).
    ///
    /// ```
    /// use utflane_charset::unicode::detect;
    ///
    /// let found = detect(b"na\xC3\xAFve\na\0d\0d\0e\0d\0 \0l\0a\0t\0e\0r\0\n\0");
    /// assert_eq!(found.scheme(), None);
    /// assert_eq!(found.to_string(), "mixed: utf-8 up to byte 7, then utf-16le");
    /// ```
    #[must_use]
    pub const fn mixture(&self) -> Option<Mixture> {
        self.mixture
    }
}

impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(mixture) = self.mixture {
            let guess = if self.confidence == Confidence::Guess { " (a guess)" } else { "" };
            return write!(f, "{}{guess}: {mixture}", self.name());
        }
        write!(f, "{} ({}): {}", self.name(), self.confidence, self.reason)
    }
}

/// The first two parts of a text whose parts are in different encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Mixture {
    /// The encoding of the first part; `None` if it is a legacy encoding.
    pub first: Option<Scheme>,
    /// The byte offset at which the second part begins.
    pub boundary: u64,
    /// The encoding of the second part; `None` if it is a legacy encoding.
    pub second: Option<Scheme>,
}

impl fmt::Display for Mixture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |part: Option<Scheme>| part.map_or("a legacy encoding", Scheme::name);
        let (first, second) = (name(self.first), name(self.second));
        write!(f, "{first} up to byte {}, then {second}", self.boundary)
    }
}

/// The reason of a [`Detection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The text is empty. It is reported as ASCII.
    Empty,
    /// The text begins with the byte order mark of the scheme.
    Mark,
    /// All bytes are below 0x80.
    Ascii,
    /// The text is well-formed UTF-8 with non-ASCII characters.
    Utf8,
    /// The text has at least eight well-formed non-ASCII characters of UTF-8 for each error, within
    /// 8 KiB on either side of the first error. From the ninth error on, there are at least as many
    /// such characters as errors. Surrogates, and an incomplete sequence at the end of the text, do
    /// not count as errors: bytes in other encodings hardly ever look like these.
    DamagedUtf8,
    /// The text is well-formed CESU-8 and not UTF-8: characters above U+FFFF are surrogate pairs.
    Cesu8,
    /// The text is likelier in UTF-16 than in any other encoding.
    Utf16,
    /// The text is likelier in UTF-32 than in any other encoding.
    Utf32,
    /// The text is in none of the other encodings, and has no bytes in 0x80..=0x9F, which are
    /// control characters in Latin-1.
    Latin1,
    /// Like [`Latin1`](Self::Latin1), but the text has bytes in 0x80..=0x9F, which are printable
    /// only in windows-1252.
    Windows1252,
    /// The text is likelier in a legacy encoding, one that is older than Unicode and that this
    /// crate lacks. Its non-ASCII letters follow each other in runs, or it has escape sequences of
    /// ISO-2022.
    Legacy,
    /// Parts of the text are in different encodings: see [`mixture`](Detection::mixture).
    Mixed,
    /// At least one byte in sixteen is a control character that text does not have, and the data
    /// has hardly any non-ASCII characters.
    Binary,
}

impl Reason {
    /// Returns a description of the reason.
    ///
    /// ```
    /// assert_eq!(utflane_charset::unicode::Reason::Ascii.description(), "all bytes are ASCII");
    /// ```
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Empty => "there is nothing to read",
            Self::Mark => "begins with its byte order mark",
            Self::Ascii => "all bytes are ASCII",
            Self::Utf8 => "well-formed UTF-8",
            Self::DamagedUtf8 => "UTF-8 with few errors",
            Self::Cesu8 => "well-formed UTF-8 but for surrogate pairs",
            Self::Utf16 => "reads as text in UTF-16",
            Self::Utf32 => "reads as text in UTF-32",
            Self::Latin1 => "not UTF-8, and printable in Latin-1",
            Self::Windows1252 => "not UTF-8, and printable in windows-1252",
            Self::Legacy => "reads as text in an encoding from before Unicode",
            Self::Mixed => "its parts are in different encodings",
            Self::Binary => "many control characters: hardly text",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.description())
    }
}

/// The confidence of a [`Detection`]. The values are in ascending order, so callers can test
/// `confidence >= Confidence::Likely`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// No better encoding was found, or the text is too short to tell.
    Guess,
    /// Another encoding is possible, but would be unusual.
    Likely,
    /// A byte order mark names the encoding, or any other encoding would be an unlikely
    /// coincidence.
    Certain,
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Guess => "a guess",
            Self::Likely => "likely",
            Self::Certain => "certain",
        })
    }
}
