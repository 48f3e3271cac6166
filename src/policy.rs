//! What a conversion does where a text is ill-formed, or has a character that the target doesn't have.
//!
//! A [`Repair`] always goes on; a [`Policy`] may also stop, each way by itself. Both are values that are made when they are
//! written down, and cost nothing before there is something to repair.

/// What becomes of an ill-formed sequence.
///
/// A sequence is what a lossy conversion of the standard library, of the web and of the Unicode Standard (table 3-8) has one
/// U+FFFD for: a maximal subpart of UTF-8, a surrogate that is alone, a value that is no character, and what the end of the
/// text cuts, as a whole. Each counts as one repair.
///
/// # Which one is safe
///
/// A text is often checked at one place and used at another. What comes of [`Replace`](Self::Replace) holds something where
/// something was, so nothing can be put together that a check in front of the conversion has not seen. The others have a
/// price, and output is well-formed with all of them.
///
/// * [`Skip`](Self::Skip) joins what stands on both sides. `<scr\xFFipt>` is no tag for whoever looks for one in the bytes;
///   without the byte it is one. Unicode Technical Report 36 (section 3.5, deletion of code points) warns of this. Never skip
///   behind a check; check what comes out.
/// * [`Latin1`](Self::Latin1) keeps something where something was, but whoever chooses the bytes chooses any of 128
///   characters.
/// * [`LookAlikeForTrustedInput`](Self::LookAlikeForTrustedInput) reads `C0 AF` as `/`. A server that looked for `../` in
///   bytes and decoded them afterwards in this way gave away its files to `..%c0%af..` (IIS, CVE-2000-0884). For
///   files from old programs, known to be harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllFormed {
    /// This character instead of the sequence. What the target encoding doesn't have becomes `?`.
    Replace(char),
    /// Nothing. See above for what that allows. Between [`Wtf8`](crate::Wtf8) and [`Wtf16`](crate::Wtf16) it is U+FFFD after
    /// all: two lone surrogates must not meet.
    Skip,
    /// Each byte is the character of its number, U+0080 to U+00FF, or `?` where the target doesn't have that. For text that
    /// is UTF-8 with some Latin-1 in it, and for ASCII. Of encodings with wider units, U+FFFD.
    Latin1,
    /// The character that the sequence of UTF-8 looks like: overlong forms of up to four bytes, and supplementary characters
    /// written as two surrogates of three bytes (CESU-8). U+FFFD for any other sequence, or `?`. See above for what that
    /// allows: not for text from strangers.
    LookAlikeForTrustedInput,
}

impl IllFormed {
    /// U+FFFD, the replacement character.
    pub const REPLACE: Self = Self::Replace(char::REPLACEMENT_CHARACTER);
}

/// What becomes of a well-formed character that the target encoding doesn't have. Each counts as one repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unmappable {
    /// This character, or `?` where the target doesn't have that either.
    Replace(char),
    /// Nothing. It joins what stands on both sides, as [`IllFormed::Skip`] does.
    Skip,
    /// A numeric character reference as in HTML and XML, in decimal: `&#1488;`. It can't be told from the same text in the
    /// input, so escape ampersands first if that matters.
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
    /// U+FFFD for everything, or `?` where the target doesn't have it: what the standard library and the web do.
    pub const REPLACE: Self = Self {
        ill_formed: IllFormed::REPLACE,
        unmappable: Unmappable::Replace(char::REPLACEMENT_CHARACTER),
    };

    /// Nothing for everything. See [`IllFormed`] for what that allows.
    pub const SKIP: Self = Self { ill_formed: IllFormed::Skip, unmappable: Unmappable::Skip };

    /// The same with another way for ill-formed sequences.
    #[must_use]
    pub const fn on_ill_formed(self, ill_formed: IllFormed) -> Self {
        Self { ill_formed, ..self }
    }

    /// The same with another way for characters that the target doesn't have.
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

/// What a stream does where its text is ill-formed or unmappable: stop with an error, which is what it does if nothing else
/// is said, or repair.
///
/// ```
/// use utflane::{IllFormed, Latin1, Policy, Stop, Transcoder, Utf8};
///
/// // Forgiving with what is broken, strict with what can't be said in Latin-1.
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
    /// An error for everything.
    pub const STOP: Self = Self { ill_formed: None, unmappable: None };

    /// The same, but that ill-formed sequences are repaired.
    #[must_use]
    pub const fn on_ill_formed(self, ill_formed: IllFormed) -> Self {
        Self { ill_formed: Some(ill_formed), ..self }
    }

    /// The same, but that something is put for characters that the target doesn't have.
    #[must_use]
    pub const fn on_unmappable(self, unmappable: Unmappable) -> Self {
        Self { unmappable: Some(unmappable), ..self }
    }

    /// The policy that repairs everything.
    const fn of(repair: Repair) -> Self {
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
        Self::of(repair)
    }
}
