//! Policies: what a conversion does with ill-formed sequences and unmappable characters.
//!
//! A [`Repair`] replaces or skips ill-formed sequences and unmappable characters. A [`Policy`] may
//! also stop with an error. Both types are plain values, and take no time until there is a sequence
//! to repair.

/// The replacement of an ill-formed sequence.
///
/// A sequence is the part of a text that the standard library, the WHATWG Encoding Standard and the
/// Unicode Standard (table 3-8) replace by one U+FFFD: a maximal subpart of UTF-8, an unpaired
/// surrogate, a value that is not a character, or an incomplete sequence at the end of the text.
/// Each sequence counts as one repair. Two variants treat several sequences as one:
/// [`ReplaceAsJava`](Self::ReplaceAsJava) and [`ReplaceRuns`](Self::ReplaceRuns).
///
/// # Which variant is safe
///
/// Text is often checked by one component and used by another. [`Replace`](Self::Replace) keeps a
/// character for each sequence, so the conversion cannot create text that an earlier check did not
/// see. Some other variants do not have this property. The output is well-formed with every
/// variant.
///
/// * [`Skip`](Self::Skip) joins the text before and after the sequence. A check of the bytes
///   `<scr\xFFipt>` finds no tag, but without the byte 0xFF the text is a tag. Unicode Technical
///   Report 36 (section 3.5, deletion of code points) warns of this. Do not skip after a check:
///   check the output.
/// * [`Latin1`](Self::Latin1) keeps a character for each byte, but an attacker who chooses the
///   bytes can choose among 128 characters.
/// * [`ReplaceAsJava`](Self::ReplaceAsJava) and [`ReplaceRuns`](Self::ReplaceRuns) are as safe as
///   `Replace`: they write fewer replacements, but at least one where the text was ill-formed.
/// * [`LookAlikeForTrustedInput`](Self::LookAlikeForTrustedInput) reads 0xC0 0xAF as `/`. A server
///   that looked for `../` in bytes and then decoded them in this way exposed its files to
///   `..%c0%af..` (IIS, CVE-2000-0884). Use this variant only for files from old programs that are
///   known to be harmless.
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
/// Decoders agree on which bytes are ill-formed, but not on the number of replacements. For UTF-8:
///
/// | hexadecimal bytes | `REPLACE` | `ReplaceAsJava` | `ReplaceRuns` |
/// |---|---|---|---|
/// | `E2 82`, an incomplete character | `�` | `�` | `�` |
/// | `C0 AF`, an overlong form | `��` | `��` | `�` |
/// | `ED A0 80`, a surrogate | `���` | `�` | `�` |
/// | `ED A0 BD ED B8 80`, a surrogate pair | `������` | `��` | `�` |
/// | `FF FF 41 FF` | `��A�` | `��A�` | `�A�` |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllFormed {
    /// Writes this character instead of the sequence, or `?` if the target encoding does not have
    /// the character.
    Replace(char),
    /// Writes nothing: see above for the risk. A conversion between [`Wtf8`](crate::Wtf8) and
    /// [`Wtf16`](crate::Wtf16) writes U+FFFD instead, because two unpaired surrogates must not
    /// become adjacent.
    Skip,
    /// Writes, for each byte of the sequence, the character with the same value, U+0080 to U+00FF,
    /// or `?` if the target encoding does not have this character. It is meant for input in UTF-8
    /// or ASCII that contains some Latin-1. In encodings with wider units, it writes U+FFFD.
    Latin1,
    /// Writes the character that a sequence of UTF-8 resembles: an overlong form of up to four
    /// bytes, or a supplementary character that is encoded as two surrogates of three bytes
    /// (CESU-8). For any other sequence, it writes U+FFFD, or `?` if the target encoding does not
    /// have U+FFFD. Do not use it for untrusted text: see above.
    LookAlikeForTrustedInput,
    /// Writes U+FFFD as often as Java's `new String(bytes, UTF_8)`, or `?` if the target encoding
    /// does not have U+FFFD. In UTF-8, a surrogate encoded as three bytes is one sequence, and a
    /// surrogate of which only the first two bytes are present is one sequence too. Every other
    /// sequence is replaced as by [`REPLACE`](Self::REPLACE), and so is every sequence in other
    /// encodings.
    ///
    /// ```
    /// use utflane::{IllFormed, Repair, Utf8, transcode_lossy};
    ///
    /// let repair = Repair::REPLACE.on_ill_formed(IllFormed::ReplaceAsJava);
    /// let repaired = transcode_lossy::<Utf8, Utf8>(b"a\xED\xA0\x80b", repair);
    /// assert_eq!((repaired.text.as_str(), repaired.repairs), ("a\u{FFFD}b", 1));
    /// ```
    ReplaceAsJava,
    /// Writes one U+FFFD, or `?` if the target encoding does not have U+FFFD, for a run of
    /// ill-formed sequences without a character between them. ClickHouse's `toValidUTF8` does the
    /// same. A run counts as one repair. In a stream, a run may extend over many chunks.
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
    /// Writes U+FFFD, the replacement character.
    pub const REPLACE: Self = Self::Replace(char::REPLACEMENT_CHARACTER);
}

/// The replacement of a well-formed character that the target encoding does not have. Each
/// replacement counts as one repair.
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
    /// Writes this character, or `?` if the target encoding does not have this character either.
    Replace(char),
    /// Writes nothing. This joins the text before and after the character, as [`IllFormed::Skip`]
    /// does.
    Skip,
    /// Writes a decimal numeric character reference as in HTML and XML: `&#1488;`. A reader cannot
    /// distinguish it from the same text in the input. Escape ampersands in the input first if that
    /// matters.
    NumericReference,
}

/// How a conversion that never fails repairs its input.
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
    /// Replaces ill-formed sequences and unmappable characters by U+FFFD, or by `?` if the target
    /// encoding does not have U+FFFD. The standard library and web browsers do the same with
    /// ill-formed sequences.
    pub const REPLACE: Self = Self {
        ill_formed: IllFormed::REPLACE,
        unmappable: Unmappable::Replace(char::REPLACEMENT_CHARACTER),
    };

    /// Skips ill-formed sequences and unmappable characters: see [`IllFormed`] for the risk.
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
    /// Returns [`Repair::REPLACE`].
    fn default() -> Self {
        Self::REPLACE
    }
}

/// What a stream does at ill-formed sequences and unmappable characters: it stops with an error,
/// which is the default, or it repairs.
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
    /// Stops with an error at ill-formed sequences and at unmappable characters.
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
}

impl Default for Policy {
    /// Returns [`Policy::STOP`].
    fn default() -> Self {
        Self::STOP
    }
}

impl From<Repair> for Policy {
    fn from(repair: Repair) -> Self {
        Self { ill_formed: Some(repair.ill_formed), unmappable: Some(repair.unmappable) }
    }
}
