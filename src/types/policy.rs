//! Policies: the handling of ill-formed sequences and unmappable characters.
//!
//! A [`Repair`] replaces or skips both; a [`Policy`] may also stop with an error at either. Both
//! are plain values, and cost nothing until there is a sequence to repair.

/// The replacement of an ill-formed sequence.
///
/// A sequence is what the standard library, the WHATWG Encoding Standard and the Unicode Standard
/// (table 3-8) replace by one U+FFFD: a maximal subpart of UTF-8, an unpaired surrogate, a value
/// that is not a character, and an incomplete sequence at the end, as a whole. Each counts as one
/// repair. Two policies join some of them: see below.
///
/// # Which one is safe
///
/// Text is often checked by one component and used by another. [`Replace`](Self::Replace) keeps a
/// character for each sequence, so no text can form that a check before the conversion has
/// not seen. The others carry risks. The output is well-formed with all of them.
///
/// * [`Skip`](Self::Skip) joins the text on both sides. A check of the bytes finds no tag in
///   `<scr\xFFipt>`; without the byte it is one. Unicode Technical Report 36 (section 3.5, deletion
///   of code points) warns of this. Never skip after a check; check the output.
/// * [`Latin1`](Self::Latin1) keeps a character for each byte, but the author of the bytes chooses
///   among 128 characters.
/// * [`ReplaceAsJava`](Self::ReplaceAsJava) and [`ReplaceRuns`](Self::ReplaceRuns) keep a character
///   where text was ill-formed, as `Replace` does, but fewer of them.
/// * [`LookAlikeForTrustedInput`](Self::LookAlikeForTrustedInput) reads `C0 AF` as `/`. A server
///   that looked for `../` in bytes and then decoded them in this way exposed its files to
///   `..%c0%af..` (IIS, CVE-2000-0884). Use it for files from old programs that are known to be
///   harmless.
///
/// ```
/// use utflane::{IllFormed, Repair, Utf8, transcode_lossy};
///
/// let repaired = |ill_formed| {
///     let repair = Repair::REPLACE.on_ill_formed(ill_formed);
///     transcode_lossy::<Utf8, Utf8>(b"a\xE9\xC0\xAFb", repair).text
/// };
/// assert_eq!(repaired(IllFormed::REPLACE), "a\u{FFFD}\u{FFFD}\u{FFFD}b");
/// assert_eq!(repaired(IllFormed::Replace('_')), "a___b");
/// assert_eq!(repaired(IllFormed::Skip), "ab");
/// assert_eq!(repaired(IllFormed::Latin1), "aéÀ¯b");
/// assert_eq!(repaired(IllFormed::LookAlikeForTrustedInput), "a\u{FFFD}/b");
/// assert_eq!(repaired(IllFormed::ReplaceRuns), "a\u{FFFD}b");
/// ```
///
/// # How many replacements
///
/// Decoders agree on which bytes are ill-formed, and not on the number of replacements. For UTF-8:
///
/// | bytes | `REPLACE` | `ReplaceAsJava` | `ReplaceRuns` |
/// |---|---|---|---|
/// | `E2 82`, a character without its end | `�` | `�` | `�` |
/// | `C0 AF`, an overlong form | `��` | `��` | `�` |
/// | `ED A0 80`, a surrogate | `���` | `�` | `�` |
/// | `ED A0 BD ED B8 80`, a pair of them | `������` | `��` | `�` |
/// | `FF FF 41 FF` | `��A�` | `��A�` | `�A�` |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllFormed {
    /// This character instead of the sequence, or `?` if the target encoding does not have it.
    Replace(char),
    /// Nothing: see above for the risk. Between [`Wtf8`](crate::Wtf8) and [`Wtf16`](crate::Wtf16)
    /// it is U+FFFD, because two unpaired surrogates must not become adjacent.
    Skip,
    /// The character with the number of each byte, U+0080 to U+00FF, or `?` if the target does not
    /// have it. For UTF-8 that contains some Latin-1, and for ASCII. In encodings with wider units,
    /// U+FFFD.
    Latin1,
    /// The character that a sequence of UTF-8 resembles: overlong forms of up to four bytes, and
    /// supplementary characters written as two three-byte surrogates (CESU-8). For any other
    /// sequence U+FFFD, or `?` if the target does not have it. Not for untrusted text: see above.
    LookAlikeForTrustedInput,
    /// U+FFFD as often as Java's `new String(bytes, UTF_8)` writes it, or `?` if the target does
    /// not have it. A surrogate in three bytes is one sequence in UTF-8, and so are its first two
    /// bytes alone. Any other sequence is replaced as by [`REPLACE`](Self::REPLACE), also in the
    /// other encodings.
    ///
    /// ```
    /// use utflane::{IllFormed, Repair, Utf8, transcode_lossy};
    ///
    /// let repair = Repair::REPLACE.on_ill_formed(IllFormed::ReplaceAsJava);
    /// let repaired = transcode_lossy::<Utf8, Utf8>(b"a\xED\xA0\x80b", repair);
    /// assert_eq!((repaired.text.as_str(), repaired.repairs), ("a\u{FFFD}b", 1));
    /// ```
    ReplaceAsJava,
    /// One U+FFFD, or `?` if the target does not have it, for all ill-formed sequences that follow
    /// each other without a character between them, as in ClickHouse's `toValidUTF8`. They count
    /// as one repair. In a stream, such a run may extend over many chunks.
    ///
    /// ```
    /// use utflane::{IllFormed, Repair, Utf16, Utf8, transcode_lossy};
    ///
    /// let repair = Repair::REPLACE.on_ill_formed(IllFormed::ReplaceRuns);
    /// let repaired = transcode_lossy::<Utf8, Utf8>(b"a\xFF\xFE\xC3b\xFF", repair);
    /// assert_eq!((repaired.text.as_str(), repaired.repairs), ("a\u{FFFD}b\u{FFFD}", 2));
    /// let repaired = transcode_lossy::<Utf16, Utf8>(&[0xDC00, 0xDC00, 0x62], repair);
    /// assert_eq!((repaired.text.as_str(), repaired.repairs), ("\u{FFFD}b", 1));
    /// ```
    ReplaceRuns,
}

impl IllFormed {
    /// U+FFFD, the replacement character.
    pub const REPLACE: Self = Self::Replace(char::REPLACEMENT_CHARACTER);
}

/// The replacement of a well-formed character that the target encoding does not have. Each counts
/// as one repair.
///
/// ```
/// use utflane::{Latin1, Repair, Unmappable, Utf8, transcode_lossy};
///
/// let repaired = |unmappable| {
///     let repair = Repair::REPLACE.on_unmappable(unmappable);
///     transcode_lossy::<Utf8, Latin1>("5 €".as_bytes(), repair).text
/// };
/// assert_eq!(repaired(Unmappable::Replace('E')), b"5 E");
/// assert_eq!(repaired(Unmappable::Skip), b"5 ");
/// assert_eq!(repaired(Unmappable::NumericReference), b"5 &#8364;");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unmappable {
    /// This character, or `?` if the target does not have it either.
    Replace(char),
    /// Nothing. It joins the text on both sides, as [`IllFormed::Skip`] does.
    Skip,
    /// A decimal numeric character reference as in HTML and XML: `&#1488;`. It cannot be
    /// distinguished from the same text in the input, so escape ampersands first if that matters.
    NumericReference,
}

/// The repairs of a conversion that never fails.
///
/// ```
/// use utflane::{transcode_lossy, IllFormed, Latin1, Repair, Unmappable, Utf8};
///
/// let src = b"5 \xE2\x82\xAC, caf\xC3\xA9\xFF";
/// let repair = |repair| transcode_lossy::<Utf8, Latin1>(src, repair).text;
/// assert_eq!(repair(Repair::REPLACE), b"5 ?, caf\xE9?");
/// let references = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
/// assert_eq!(repair(references), b"5 &#8364;, caf\xE9?");
/// assert_eq!(repair(references.on_ill_formed(IllFormed::Skip)), b"5 &#8364;, caf\xE9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repair {
    pub(crate) ill_formed: IllFormed,
    pub(crate) unmappable: Unmappable,
}

impl Repair {
    /// U+FFFD for both, or `?` if the target does not have it: as in the standard library and on
    /// the web.
    pub const REPLACE: Self = Self {
        ill_formed: IllFormed::REPLACE,
        unmappable: Unmappable::Replace(char::REPLACEMENT_CHARACTER),
    };

    /// Nothing for both: see [`IllFormed`] for the risk.
    pub const SKIP: Self = Self { ill_formed: IllFormed::Skip, unmappable: Unmappable::Skip };

    /// Returns the same repairs with another replacement of ill-formed sequences.
    #[must_use]
    pub const fn on_ill_formed(self, ill_formed: IllFormed) -> Self {
        Self { ill_formed, ..self }
    }

    /// Returns the same repairs with another replacement of unmappable characters.
    #[must_use]
    pub const fn on_unmappable(self, unmappable: Unmappable) -> Self {
        Self { unmappable, ..self }
    }
}

impl Default for Repair {
    /// [`Repair::REPLACE`].
    fn default() -> Self {
        Self::REPLACE
    }
}

/// The handling of ill-formed sequences and unmappable characters in a stream: stop with an error,
/// which is the default, or repair.
///
/// ```
/// use utflane::{IllFormed, Latin1, Policy, Stop, Transcoder, Utf8};
///
/// // Repairs ill-formed sequences, and stops at characters that Latin-1 does not have.
/// let policy = Policy::STOP.on_ill_formed(IllFormed::REPLACE);
/// let mut transcoder = Transcoder::<Utf8, Latin1>::new().with_policy(policy);
/// let mut dst = [0; 16];
/// let progress = transcoder.push(b"a\xFFb \xE2\x82\xAC", &mut dst);
/// assert_eq!(&dst[..progress.written], b"a?b ");
/// assert!(matches!(progress.stop, Stop::Error(error) if error.offset() == 4));
/// assert_eq!(transcoder.repairs(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    pub(crate) ill_formed: Option<IllFormed>,
    pub(crate) unmappable: Option<Unmappable>,
}

impl Policy {
    /// An error for both.
    pub const STOP: Self = Self { ill_formed: None, unmappable: None };

    /// Returns the same policy, except that ill-formed sequences are repaired.
    #[must_use]
    pub const fn on_ill_formed(self, ill_formed: IllFormed) -> Self {
        Self { ill_formed: Some(ill_formed), ..self }
    }

    /// Returns the same policy, except that unmappable characters are replaced.
    #[must_use]
    pub const fn on_unmappable(self, unmappable: Unmappable) -> Self {
        Self { unmappable: Some(unmappable), ..self }
    }

    /// Returns the policy that repairs both.
    const fn from_repair(repair: Repair) -> Self {
        Self { ill_formed: Some(repair.ill_formed), unmappable: Some(repair.unmappable) }
    }
}

impl Default for Policy {
    /// [`Policy::STOP`].
    fn default() -> Self {
        Self::STOP
    }
}

impl From<Repair> for Policy {
    fn from(repair: Repair) -> Self {
        Self::from_repair(repair)
    }
}
