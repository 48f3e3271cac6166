//! The steps of detection, in their order.

use core::fmt;

use crate::bom;
use crate::detect::likelihood::{self, Bits, IMPOSSIBLE};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::types::error::Error;
use crate::verbs::free::{count, validate};

/// Bytes of a text that are examined one by one.
const SAMPLE: usize = 1024;

/// Bytes on either side of an error in UTF-8 in which errors are counted.
const AROUND: usize = 8192;

/// Bits added to UTF-16 and UTF-32, because they are rare without a mark.
const RARE_16: Bits = 8;
/// [`RARE_16`] for UTF-32.
const RARE_32: Bits = 10;

/// The difference in bits from which one encoding is likelier than another. The estimate is rough,
/// so this is far larger than the probability requires.
const LIKELY: Bits = 12;
/// [`LIKELY`] for certainty.
const CERTAIN: Bits = 100;

/// Detects the encoding of `src`, a whole text.
///
/// See the [module](crate::detect) for the method and its cost.
///
/// ```
/// use utflane::detect::detect;
///
/// let found = detect(b"T\0e\0x\0t\0");
/// assert_eq!(found.to_string(), "utf-16le (likely): reads as text in UTF-16");
/// ```
#[must_use]
pub fn detect(src: &[u8]) -> Detection {
    Text { src, may_continue: false }.detect()
}

/// Detects the encoding of a text that begins with `src` and continues: a sequence that its end
/// cuts is not an error.
///
/// The rest may have other characters: any text may follow ASCII, so ASCII is never
/// [certain](Confidence::Certain).
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
    Text { src, may_continue: true }.detect()
}

/// The result of [`detect`].
///
/// ```
/// use utflane::Scheme;
/// use utflane::detect::{Confidence, Reason, detect};
///
/// let src = b"\xEF\xBB\xBFHi";
/// let found = detect(src);
/// assert_eq!((found.scheme(), found.reason()), (Scheme::Utf8, Reason::Mark));
/// assert_eq!(found.confidence(), Confidence::Certain);
/// assert_eq!(&src[found.mark_len()..], b"Hi");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Detection {
    scheme: Scheme,
    reason: Reason,
    confidence: Confidence,
}

impl Detection {
    /// Returns the encoding.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
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

    /// Returns the bytes of the byte order mark that the text begins with: the text itself begins
    /// after them.
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

/// The reason of a [`Detection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The text is empty. Called ASCII.
    Empty,
    /// The text begins with the byte order mark of the scheme.
    Mark,
    /// All bytes are below 80.
    Ascii,
    /// The text is well-formed UTF-8 with characters beyond ASCII.
    Utf8,
    /// The text has at least eight well-formed UTF-8 characters beyond ASCII for each error, within
    /// 8 KiB on either side of the first error. From the ninth error on, there are at least as many
    /// such characters as errors.
    DamagedUtf8,
    /// The text is likelier in UTF-16 than in any other encoding.
    Utf16,
    /// The text is likelier in UTF-32 than in any other encoding.
    Utf32,
    /// The text is none of the others, and has no byte that would be a control character.
    Latin1,
    /// As [`Latin1`](Self::Latin1), except for bytes `80..=9F`, which are printable in windows-1252
    /// only.
    Windows1252,
    /// At least one byte in sixteen is a control character that text does not have. Called ASCII,
    /// UTF-8 or Latin-1, the first that has all of its bytes.
    Binary,
}

impl Reason {
    /// Returns the reason in words.
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

/// The confidence of a [`Detection`], in order: `confidence >= Confidence::Likely`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// No better encoding was found, or there is too little text.
    Guess,
    /// Another encoding is possible, but would be unusual.
    Likely,
    /// A mark names the encoding, or another one would be an unlikely coincidence.
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

/// The likeliest of UTF-16 and UTF-32, in either byte order.
#[derive(Clone, Copy)]
struct Wide {
    scheme: Scheme,
    bits: Bits,
    /// Bits of the second likeliest.
    second: Bits,
    well_formed: bool,
}

impl Wide {
    /// Returns the detection of this encoding, which is likelier than another one of `bits` bits,
    /// for a sample of `len` bytes.
    fn found(self, bits: Bits, len: usize) -> Detection {
        let others = self.second.min(bits).min(likelihood::of_noise(len));
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

/// A text, or the start of one.
#[derive(Clone, Copy)]
struct Text<'a> {
    src: &'a [u8],
    may_continue: bool,
}

impl<'a> Text<'a> {
    /// Runs the steps of detection.
    fn detect(self) -> Detection {
        if let Some(scheme) = self.marked() {
            let longer = self.may_continue && bom::probe(self.src) == bom::Probe::More;
            let confidence = if longer { Confidence::Likely } else { Confidence::Certain };
            return Detection { scheme, reason: Reason::Mark, confidence };
        }
        if self.src.is_empty() {
            let confidence =
                if self.may_continue { Confidence::Guess } else { Confidence::Certain };
            return Detection { scheme: Scheme::Ascii, reason: Reason::Empty, confidence };
        }
        let ascii = validate::<Ascii>(self.src)
            .map_or_else(|error| error.valid_up_to(), |()| self.src.len());
        match self.or_cut_off(validate::<Utf8>(&self.src[ascii..])) {
            Ok(()) => self.utf8(ascii),
            Err(error) => self.no_utf8(ascii + error.valid_up_to()),
        }
    }

    /// Returns the scheme of the mark that the text begins with.
    fn marked(self) -> Option<Scheme> {
        let scheme = bom::detect(self.src)?;
        // The only ambiguous mark: UTF-16LE with U+0000 after its mark.
        if scheme == Scheme::Utf32Le && !self.is(Scheme::Utf32Le) && self.is(Scheme::Utf16Le) {
            return Some(Scheme::Utf16Le);
        }
        Some(scheme)
    }

    /// Returns whether the text is well-formed in `scheme`.
    fn is(self, scheme: Scheme) -> bool {
        // Only these functions are named, so that only they are linked.
        let result = match scheme {
            Scheme::Utf16Le => validate::<Utf16Le>(self.src),
            Scheme::Utf16Be => validate::<Utf16Be>(self.src),
            Scheme::Utf32Le => validate::<Utf32Le>(self.src),
            Scheme::Utf32Be => validate::<Utf32Be>(self.src),
            _ => validate::<Utf8>(self.src),
        };
        self.or_cut_off(result).is_ok()
    }

    /// Ignores a cut sequence at the end of a text that continues.
    fn or_cut_off(self, result: Result<(), Error>) -> Result<(), Error> {
        result.or_else(
            |error| if self.may_continue && error.is_incomplete() { Ok(()) } else { Err(error) },
        )
    }

    /// Returns the bytes that are examined one by one.
    fn sample(self) -> &'a [u8] {
        &self.src[..self.src.len().min(SAMPLE)]
    }

    /// Detects well-formed UTF-8, which is ASCII up to `ascii`.
    fn utf8(self, ascii: usize) -> Detection {
        let sample = self.sample();
        let controls = likelihood::controls(sample);
        let is_ascii = ascii == self.src.len();
        let (scheme, reason) =
            if is_ascii { (Scheme::Ascii, Reason::Ascii) } else { (Scheme::Utf8, Reason::Utf8) };
        if controls == 0 {
            return Detection { scheme, reason, confidence: self.sure_of_utf8(ascii) };
        }
        let bits = likelihood::bytes(sample, &likelihood::UTF8);
        // At least an eighth less: UTF-8 is far more frequent.
        let limit = bits - bits / 8;
        if let Some(wide) = self.wide(limit).filter(|wide| wide.well_formed) {
            return wide.found(limit, sample.len());
        }
        if controls >= sample.len().div_ceil(16) {
            return Detection { scheme, reason: Reason::Binary, confidence: Confidence::Guess };
        }
        Detection { scheme, reason, confidence: Confidence::Likely }
    }

    /// Returns the confidence in UTF-8 or ASCII without control characters.
    fn sure_of_utf8(self, ascii: usize) -> Confidence {
        let rest = &self.src[ascii..];
        if rest.is_empty() {
            // An odd number of bytes is well-formed in no wider units. This much ASCII is hardly
            // anything else by chance.
            let sure = !self.may_continue && (ascii % 2 == 1 || ascii >= 64);
            return if sure { Confidence::Certain } else { Confidence::Likely };
        }
        let rest = &rest[..rest.len().min(SAMPLE)];
        match rest.len() - count::<Utf8>(rest) {
            0 => Confidence::Guess,
            1 | 2 => Confidence::Likely,
            _ => Confidence::Certain,
        }
    }

    /// Detects a text that is not UTF-8, and is well-formed up to `valid`.
    fn no_utf8(self, valid: usize) -> Detection {
        if self.is_damaged_utf8(valid) {
            let (scheme, reason) = (Scheme::Utf8, Reason::DamagedUtf8);
            return Detection { scheme, reason, confidence: Confidence::Likely };
        }
        let sample = self.sample();
        let bits = likelihood::bytes(sample, &likelihood::LATIN1);
        match self.wide(bits + LIKELY) {
            Some(wide) if wide.bits < bits => wide.found(bits, sample.len()),
            close => self.latin1(valid, close.is_some()),
        }
    }

    /// Returns whether there are at least eight characters beyond ASCII for each error, before the
    /// first error and up to [`AROUND`] bytes after it. From nine errors on, there must always have
    /// been as many of these characters as errors.
    fn is_damaged_utf8(self, valid: usize) -> bool {
        let beyond_ascii = |text: &[u8]| {
            // Each code point that is not ASCII has one lead byte.
            let ascii = text.iter().filter(|byte| byte.is_ascii()).count();
            count::<Utf8>(text) - ascii
        };
        let mut good = beyond_ascii(&self.src[valid.saturating_sub(AROUND)..valid]);
        let mut bad = 0;
        let mut rest = &self.src[valid..self.src.len().min(valid + AROUND)];
        // Latin-1 usually fails within its first few errors.
        while bad < 9 || good >= bad {
            let Err(error) = validate::<Utf8>(rest) else {
                good += beyond_ascii(rest);
                break;
            };
            good += beyond_ascii(&rest[..error.valid_up_to()]);
            // Cut by the end of the text, or of the examined part.
            let Some(len) = error.error_len() else { break };
            bad += 1;
            rest = &rest[error.valid_up_to() + len..];
        }
        good >= 8 * bad.max(1)
    }

    /// Returns the encoding of UTF-16 and UTF-32 with the fewest bits, if they are fewer than
    /// `limit`, and than random data would take.
    fn wide(self, limit: Bits) -> Option<Wide> {
        let sample = self.sample();
        let limit = limit.min(likelihood::of_noise(sample.len()) + RARE_32);
        let mut best: Option<Wide> = None;
        for scheme in [Scheme::Utf32Le, Scheme::Utf32Be, Scheme::Utf16Le, Scheme::Utf16Be] {
            let mut bits = match scheme {
                Scheme::Utf32Le => RARE_32 + likelihood::utf32(sample, u32::from_le_bytes, limit),
                Scheme::Utf32Be => RARE_32 + likelihood::utf32(sample, u32::from_be_bytes, limit),
                Scheme::Utf16Le => RARE_16 + likelihood::utf16(sample, u16::from_le_bytes, limit),
                _ => RARE_16 + likelihood::utf16(sample, u16::from_be_bytes, limit),
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

    /// Detects the remaining texts; `close` is whether another encoding is almost as likely. The
    /// first error of UTF-8 is at `valid`.
    fn latin1(self, valid: usize, close: bool) -> Detection {
        let around = &self.src[valid - valid.min(SAMPLE / 2)..];
        let around = &around[..around.len().min(SAMPLE)];
        let has = |is: fn(&u8) -> bool| around.iter().filter(|byte| is(byte)).count();
        let controls = likelihood::controls(around).max(likelihood::controls(self.sample()));
        let reason = if controls >= around.len().div_ceil(16) {
            Reason::Binary
        } else if has(|byte| (0x80..0xA0).contains(byte)) > 0 {
            Reason::Windows1252
        } else {
            Reason::Latin1
        };
        // Other code pages have (almost) only letters beyond ASCII; these five bytes are undefined
        // in windows-1252.
        let strange = controls + has(|byte| matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D));
        let foreign = has(|byte| *byte >= 0xC0) > around.len().div_ceil(3);
        let sure = !close && strange == 0 && !foreign;
        let confidence = if sure { Confidence::Likely } else { Confidence::Guess };
        Detection { scheme: Scheme::Latin1, reason, confidence }
    }
}
