//! Which encoding a text is in, if nobody says: by its mark, by what it is well-formed in, and by what makes sense.
//!
//! Three questions, in this order:
//!
//! 1. Does it begin with a [byte order mark](crate::bom)?
//! 2. Is it well-formed UTF-8? Hardly anything else is by chance, so then it is UTF-8, or ASCII. Only text with control
//!    characters, as UTF-16 and UTF-32 look in ASCII, is asked the third question as well.
//! 3. How many bits would the beginning of the text take in each encoding that is left, at a rough estimate of how often
//!    characters occur in texts? The encoding with the fewest bits is the answer.
//!
//! **Never wrong on UTF-8.** Text that is well-formed UTF-8 is called UTF-8 or ASCII if it has no control characters in its
//! first KiB, other than tab, line feed, form feed, carriage return and escape; or if it is not well-formed UTF-16 or
//! UTF-32, in either byte order, as well. So `a␀b␀` is UTF-16LE: it is well-formed in both, and makes sense in one.
//!
//! **Cost.** A mark: nothing. Otherwise one validation of UTF-8, as far as it is that; behind it, at most a validation of
//! the whole text in each of four encodings, all of which are faster, and a look at a few KiB. For a bounded cost ask
//! [`detect_prefix`] of the first 64 KiB.
//!
//! What is neither UTF-8, UTF-16, UTF-32, Latin-1 nor ASCII gets the best answer among these: texts in windows-1252 are called
//! Latin-1, with a [reason](Reason::Windows1252) that says so; other code pages and binary data too, as a
//! [guess](Confidence::Guess). CESU-8 and the other relatives are not looked for.
//!
//! ```
//! use utflane::Scheme;
//! use utflane::detect::{Confidence, Reason, detect};
//!
//! let found = detect("größer".as_bytes());
//! assert_eq!((found.scheme(), found.confidence()), (Scheme::Utf8, Confidence::Likely));
//! assert_eq!(detect(b"gr\xF6\xDFer").scheme(), Scheme::Latin1);
//! assert_eq!(detect(b"\0g\0r\0\xF6\0\xDF\0e\0r").scheme(), Scheme::Utf16Be);
//! assert_eq!(detect(b"\xFF\xFEg\0").reason(), Reason::Mark);
//! ```

mod model;

use core::fmt;

use self::model::{Bits, IMPOSSIBLE};
use crate::{Ascii, Error, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, bom, count, validate};

/// Bytes of a text that are looked at one by one.
const SAMPLE: usize = 1024;

/// Bytes on either side of an error in UTF-8 that tell whether there are few errors.
const AROUND: usize = 8192;

/// Bits that speak against UTF-16 and UTF-32 from the beginning: they seldom come without a mark.
const RARE_16: Bits = 8;
const RARE_32: Bits = 10;

/// From so many bits on, one reading is likelier than another, or certainly the right one. The estimate is rough, so this is
/// far more than it would have to be.
const LIKELY: Bits = 12;
const CERTAIN: Bits = 100;

/// Says which encoding `src`, a whole text, is in.
///
/// See the [module](self) for how, and what it costs.
///
/// ```
/// use utflane::detect::detect;
///
/// let found = detect(b"T\0e\0x\0t\0");
/// assert_eq!(found.to_string(), "utf-16le (likely): reads as text in UTF-16");
/// ```
#[must_use]
pub fn detect(src: &[u8]) -> Detection {
    Text { src, goes_on: false }.detect()
}

/// Says which encoding a text is in that begins with `src` and goes on: a sequence that is cut off at the end is no error.
///
/// What comes later may have characters that the beginning has not: a beginning in ASCII may be followed by anything, so
/// it is never [certain](Confidence::Certain).
///
/// ```
/// use utflane::Scheme;
/// use utflane::detect::{detect, detect_prefix};
///
/// let cut = &"größer".as_bytes()[..3];
/// assert_eq!(detect_prefix(cut).scheme(), Scheme::Utf8);
/// assert_eq!(detect(cut).scheme(), Scheme::Latin1); // grÃ
/// ```
#[must_use]
pub fn detect_prefix(src: &[u8]) -> Detection {
    Text { src, goes_on: true }.detect()
}

/// What [`detect`] found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Detection {
    scheme: Scheme,
    reason: Reason,
    confidence: Confidence,
}

impl Detection {
    /// The encoding.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Why.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// How sure that is.
    #[must_use]
    pub const fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// Bytes of the byte order mark that the text begins with: the text itself stands behind so many.
    #[must_use]
    pub const fn mark_len(&self) -> usize {
        match self.reason {
            Reason::Mark => self.scheme.byte_order_mark().len(),
            _ => 0,
        }
    }
}

impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.scheme, self.confidence, self.reason)
    }
}

/// Why a text is taken for what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// There is nothing to read. Called ASCII.
    Empty,
    /// It begins with the byte order mark of the scheme.
    Mark,
    /// All bytes are below 80.
    Ascii,
    /// It is well-formed UTF-8 with characters beyond ASCII.
    Utf8,
    /// It has at least eight characters of well-formed UTF-8 beyond ASCII for each error, within 8 KiB on either side of the
    /// first. From the ninth error on, there have been at least as many such characters as errors.
    DamagedUtf8,
    /// It makes more sense in UTF-16 than in anything else.
    Utf16,
    /// It makes more sense in UTF-32 than in anything else.
    Utf32,
    /// It is none of the others, and has no byte that would be a control character.
    Latin1,
    /// The same, but for bytes `80..=9F`, which are printable in windows-1252 only.
    Windows1252,
    /// One byte in sixteen, or more, is a control character that texts don't have. Called ASCII, UTF-8 or Latin-1, whichever
    /// has all of its bytes.
    Binary,
}

impl Reason {
    /// The reason in words.
    ///
    /// ```
    /// assert_eq!(utflane::detect::Reason::Ascii.description(), "all bytes are ASCII");
    /// ```
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Empty => "there is nothing to read",
            Self::Mark => "begins with its byte order mark",
            Self::Ascii => "all bytes are ASCII",
            Self::Utf8 => "well-formed UTF-8",
            Self::DamagedUtf8 => "UTF-8 with few errors",
            Self::Utf16 => "reads as text in UTF-16",
            Self::Utf32 => "reads as text in UTF-32",
            Self::Latin1 => "not UTF-8, and printable in Latin-1",
            Self::Windows1252 => "not UTF-8, and printable in windows-1252",
            Self::Binary => "many control characters: hardly text",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.description())
    }
}

/// How sure a [`Detection`] is. In order: `confidence >= Confidence::Likely`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Nothing better was found, or there is too little text to tell.
    Guess,
    /// It could be something else, but would be strange as that.
    Likely,
    /// A mark says so; or it could be something else only by a coincidence that is not to be expected.
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

/// The likeliest reading of a text in UTF-16 or UTF-32.
#[derive(Clone, Copy)]
struct Wide {
    scheme: Scheme,
    bits: Bits,
    /// Bits of the second likeliest.
    second: Bits,
    well_formed: bool,
}

impl Wide {
    /// What is found if it is taken, since it is likelier than another that takes `bits` bits, for so many bytes.
    fn found(self, bits: Bits, len: usize) -> Detection {
        let others = self.second.min(bits).min(model::of_noise(len));
        let confidence = match others.saturating_sub(self.bits) {
            _ if !self.well_formed => Confidence::Guess,
            CERTAIN.. => Confidence::Certain,
            LIKELY.. => Confidence::Likely,
            _ => Confidence::Guess,
        };
        let reason = if self.scheme.unit_size() == 2 { Reason::Utf16 } else { Reason::Utf32 };
        Detection { scheme: self.scheme, reason, confidence }
    }
}

/// A text, or the beginning of one.
#[derive(Clone, Copy)]
struct Text<'a> {
    src: &'a [u8],
    goes_on: bool,
}

impl<'a> Text<'a> {
    fn detect(self) -> Detection {
        if let Some(scheme) = self.marked() {
            let open = self.goes_on && bom::probe(self.src) == bom::Probe::More;
            let confidence = if open { Confidence::Likely } else { Confidence::Certain };
            return Detection { scheme, reason: Reason::Mark, confidence };
        }
        if self.src.is_empty() {
            let confidence = if self.goes_on { Confidence::Guess } else { Confidence::Certain };
            return Detection { scheme: Scheme::Ascii, reason: Reason::Empty, confidence };
        }
        let ascii = validate::<Ascii>(self.src)
            .map_or_else(|error| error.valid_up_to(), |()| self.src.len());
        match self.or_cut_off(validate::<Utf8>(&self.src[ascii..])) {
            Ok(()) => self.utf8(ascii),
            Err(error) => self.no_utf8(ascii + error.valid_up_to()),
        }
    }

    /// The scheme whose mark it begins with.
    fn marked(self) -> Option<Scheme> {
        let scheme = bom::detect(self.src)?;
        // The one mark that could be something else: UTF-16LE with U+0000 behind its mark.
        if scheme == Scheme::Utf32Le && !self.is(Scheme::Utf32Le) && self.is(Scheme::Utf16Le) {
            return Some(Scheme::Utf16Le);
        }
        Some(scheme)
    }

    /// Whether it is well-formed.
    fn is(self, scheme: Scheme) -> bool {
        // By name, so that only these are linked.
        let result = match scheme {
            Scheme::Utf16Le => validate::<Utf16Le>(self.src),
            Scheme::Utf16Be => validate::<Utf16Be>(self.src),
            Scheme::Utf32Le => validate::<Utf32Le>(self.src),
            Scheme::Utf32Be => validate::<Utf32Be>(self.src),
            _ => validate::<Utf8>(self.src),
        };
        self.or_cut_off(result).is_ok()
    }

    /// Of a text that goes on, a sequence that is cut off is no error.
    fn or_cut_off(self, result: Result<(), Error>) -> Result<(), Error> {
        result.or_else(
            |error| if self.goes_on && error.is_incomplete() { Ok(()) } else { Err(error) },
        )
    }

    /// What is looked at byte by byte.
    fn sample(self) -> &'a [u8] {
        &self.src[..self.src.len().min(SAMPLE)]
    }

    /// It is well-formed UTF-8, and ASCII up to `ascii`.
    fn utf8(self, ascii: usize) -> Detection {
        let sample = self.sample();
        let controls = model::controls(sample);
        let is_ascii = ascii == self.src.len();
        let (scheme, reason) =
            if is_ascii { (Scheme::Ascii, Reason::Ascii) } else { (Scheme::Utf8, Reason::Utf8) };
        if controls == 0 {
            return Detection { scheme, reason, confidence: self.sure_of_utf8(ascii) };
        }
        let bits = model::bytes(sample, &model::UTF8);
        // An eighth less, at least: there is much more UTF-8.
        let limit = bits - bits / 8;
        if let Some(wide) = self.wide(limit).filter(|wide| wide.well_formed) {
            return wide.found(limit, sample.len());
        }
        if controls >= sample.len().div_ceil(16) {
            return Detection { scheme, reason: Reason::Binary, confidence: Confidence::Guess };
        }
        Detection { scheme, reason, confidence: Confidence::Likely }
    }

    /// How sure it is that this is UTF-8, or ASCII, without control characters.
    fn sure_of_utf8(self, ascii: usize) -> Confidence {
        let rest = &self.src[ascii..];
        if rest.is_empty() {
            // An odd number of bytes is well-formed in no wider units. So much ASCII is hardly anything else by chance.
            let sure = !self.goes_on && (ascii % 2 == 1 || ascii >= 64);
            return if sure { Confidence::Certain } else { Confidence::Likely };
        }
        let rest = &rest[..rest.len().min(SAMPLE)];
        match rest.len() - count::<Utf8>(rest) {
            0 => Confidence::Guess,
            1 | 2 => Confidence::Likely,
            _ => Confidence::Certain,
        }
    }

    /// It is not UTF-8, but well-formed up to `valid`.
    fn no_utf8(self, valid: usize) -> Detection {
        if self.is_damaged_utf8(valid) {
            let (scheme, reason) = (Scheme::Utf8, Reason::DamagedUtf8);
            return Detection { scheme, reason, confidence: Confidence::Likely };
        }
        let sample = self.sample();
        let bits = model::bytes(sample, &model::LATIN1);
        match self.wide(bits + LIKELY) {
            Some(wide) if wide.bits < bits => wide.found(bits, sample.len()),
            close => self.latin1(valid, close.is_some()),
        }
    }

    /// Whether there are at least eight characters beyond ASCII for each error, in front of the first error and some way
    /// behind it. From nine errors on, there must always have been as many of these characters as errors.
    fn is_damaged_utf8(self, valid: usize) -> bool {
        let beyond_ascii = |text: &[u8]| {
            // Lead bytes are the code points that are not ASCII.
            let ascii = text.iter().filter(|byte| byte.is_ascii()).count();
            count::<Utf8>(text) - ascii
        };
        let mut good = beyond_ascii(&self.src[valid.saturating_sub(AROUND)..valid]);
        let mut bad = 0;
        let mut rest = &self.src[valid..self.src.len().min(valid + AROUND)];
        // Mostly, text in Latin-1 is found out by its first few errors.
        while bad < 9 || good >= bad {
            let Err(error) = validate::<Utf8>(rest) else {
                good += beyond_ascii(rest);
                break;
            };
            good += beyond_ascii(&rest[..error.valid_up_to()]);
            // Cut off: by the end of the text, or of what is looked at.
            let Some(len) = error.error_len() else { break };
            bad += 1;
            rest = &rest[error.valid_up_to() + len..];
        }
        good >= 8 * bad.max(1)
    }

    /// The reading in UTF-16 or UTF-32 that takes the fewest bits, if that is less than `limit`, and than data without any
    /// sense would take.
    fn wide(self, limit: Bits) -> Option<Wide> {
        let sample = self.sample();
        let limit = limit.min(model::of_noise(sample.len()) + RARE_32);
        let mut best: Option<Wide> = None;
        for scheme in [Scheme::Utf32Le, Scheme::Utf32Be, Scheme::Utf16Le, Scheme::Utf16Be] {
            let mut bits = match scheme {
                Scheme::Utf32Le => RARE_32 + model::utf32(sample, u32::from_le_bytes, limit),
                Scheme::Utf32Be => RARE_32 + model::utf32(sample, u32::from_be_bytes, limit),
                Scheme::Utf16Le => RARE_16 + model::utf16(sample, u16::from_le_bytes, limit),
                _ => RARE_16 + model::utf16(sample, u16::from_be_bytes, limit),
            };
            if bits >= limit || self.src.len() < scheme.unit_size() {
                continue;
            }
            let well_formed = self.is(scheme);
            if !well_formed {
                bits += IMPOSSIBLE;
            }
            match &mut best {
                Some(best) if best.bits <= bits => best.second = best.second.min(bits),
                _ => {
                    let second = best.map_or(Bits::MAX, |best| best.bits);
                    best = Some(Wide { scheme, bits, second, well_formed });
                }
            }
        }
        best.filter(|best| best.bits < limit)
    }

    /// It is nothing else, though perhaps `close`. What it is not UTF-8 for stands at `valid`.
    fn latin1(self, valid: usize, close: bool) -> Detection {
        let around = &self.src[valid - valid.min(SAMPLE / 2)..];
        let around = &around[..around.len().min(SAMPLE)];
        let has = |is: fn(&u8) -> bool| around.iter().filter(|byte| is(byte)).count();
        let controls = model::controls(around).max(model::controls(self.sample()));
        let reason = if controls >= around.len().div_ceil(16) {
            Reason::Binary
        } else if has(|byte| (0x80..0xA0).contains(byte)) > 0 {
            Reason::Windows1252
        } else {
            Reason::Latin1
        };
        // Other code pages have letters beyond ASCII only, or nearly so; these five bytes, windows-1252 hasn't.
        let strange = controls + has(|byte| matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D));
        let foreign = has(|byte| *byte >= 0xC0) > around.len().div_ceil(3);
        let sure = !close && strange == 0 && !foreign;
        let confidence = if sure { Confidence::Likely } else { Confidence::Guess };
        Detection { scheme: Scheme::Latin1, reason, confidence }
    }
}
