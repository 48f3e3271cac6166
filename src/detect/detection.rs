//! The steps of detection, in their order.

use crate::bom;
use crate::detect::answer::{Confidence, Detection, Reason};
use crate::detect::legacy;
use crate::detect::likelihood::{self, Bits, IMPOSSIBLE, RARE_16, RARE_32};
use crate::detect::prices::Reading;
use crate::detect::survey::Survey;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Cesu8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
use crate::operations::free::{count, validate};
use crate::scalar;
use crate::types::error::{Error, ErrorKind};

/// Bytes of a text that are examined one by one.
const SAMPLE_BYTES: usize = 1024;

/// Bytes after which data that is no text is read no further.
pub(super) const DECIDING_BYTES: usize = 64 * 1024;

/// Bytes on either side of an error in UTF-8 in which errors are counted.
const ERROR_CONTEXT_BYTES: usize = 8192;

/// The difference in bits from which one encoding is likelier than another. The estimate is rough,
/// so this is far larger than the probability requires.
const LIKELY_BITS: Bits = 12;
/// [`LIKELY_BITS`] for certainty.
const CERTAIN_BITS: Bits = 100;
/// [`LIKELY_BITS`] for an encoding that this crate does not have, where Latin-1 is possible.
const LEGACY_BITS: Bits = 24;

/// Words with bytes beyond ASCII from which Latin-1 and windows-1252 are more than a guess: one may
/// be a name from elsewhere.
const LATIN1_MIN_WORDS: usize = 2;

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
    Text { src, may_continue: false }.examine()
}

/// Detects the encoding of a text that begins with `src` and continues: a sequence that its end
/// cuts is not an error.
///
/// The rest may have other characters, so nothing is [certain](Confidence::Certain) but a byte
/// order mark before well-formed text.
///
/// ```
/// use utflane::Scheme;
/// use utflane::detect::{detect, detect_prefix};
///
/// let cut = &"größer".as_bytes()[..3];
/// assert_eq!(detect_prefix(cut).scheme(), Some(Scheme::Utf8));
/// assert_eq!(detect(cut).scheme(), Some(Scheme::Latin1)); // grÃ
/// ```
#[must_use]
pub fn detect_prefix(src: &[u8]) -> Detection {
    Text { src, may_continue: true }.examine()
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
        let others = self.second.min(bits).min(likelihood::noise_bits(len));
        let confidence = match others.saturating_sub(self.bits) {
            _ if !self.well_formed => Confidence::Guess,
            CERTAIN_BITS.. => Confidence::Certain,
            LIKELY_BITS.. => Confidence::Likely,
            _ => Confidence::Guess,
        };
        let reason = if self.scheme.unit_size() == 2 { Reason::Utf16 } else { Reason::Utf32 };
        Detection::new(self.scheme, reason, confidence)
    }
}

/// A text, or the start of one.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) src: &'a [u8],
    pub(super) may_continue: bool,
}

impl<'a> Text<'a> {
    /// Detects a text that is here as a whole.
    fn examine(self) -> Detection {
        let mut survey = Survey::new();
        let (start, rest) = self.src.split_at(self.src.len().min(DECIDING_BYTES));
        survey.push(start);
        let is_binary = || Text { src: start, may_continue: true }.detect().is_binary(&survey);
        if !rest.is_empty() && !is_binary() {
            survey.push(rest);
        }
        let found = self.detect().or_mixed(&survey, !self.may_continue);
        match found.reason {
            Reason::Mark => found,
            _ if self.may_continue => found.at_most(Confidence::Likely),
            _ => found,
        }
    }

    /// Runs the steps of detection but the search for parts in different encodings.
    pub(super) fn detect(self) -> Detection {
        if let Some(scheme) = self.marked() {
            let longer = self.may_continue && bom::probe(self.src) == bom::Probe::More;
            let sure = !longer && self.is(scheme);
            let confidence = if sure { Confidence::Certain } else { Confidence::Likely };
            return Detection::new(scheme, Reason::Mark, confidence);
        }
        if self.src.is_empty() {
            let confidence =
                if self.may_continue { Confidence::Guess } else { Confidence::Certain };
            return Detection::new(Scheme::Ascii, Reason::Empty, confidence);
        }
        let ascii = validate::<Ascii>(self.src)
            .map_or_else(|error| error.valid_up_to(), |()| self.src.len());
        match self.or_incomplete(validate::<Utf8>(&self.src[ascii..])) {
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

    /// Returns true if the text is well-formed in `scheme`.
    fn is(self, scheme: Scheme) -> bool {
        // Naming only these functions links only them.
        let result = match scheme {
            Scheme::Utf16Le => validate::<Utf16Le>(self.src),
            Scheme::Utf16Be => validate::<Utf16Be>(self.src),
            Scheme::Utf32Le => validate::<Utf32Le>(self.src),
            Scheme::Utf32Be => validate::<Utf32Be>(self.src),
            _ => validate::<Utf8>(self.src),
        };
        self.or_incomplete(result).is_ok()
    }

    /// Ignores an incomplete sequence at the end of a text that continues.
    fn or_incomplete(self, result: Result<(), Error>) -> Result<(), Error> {
        result.or_else(
            |error| if self.may_continue && error.is_incomplete() { Ok(()) } else { Err(error) },
        )
    }

    /// Returns the bytes that are examined one by one.
    fn sample(self) -> &'a [u8] {
        &self.src[..self.src.len().min(SAMPLE_BYTES)]
    }

    /// Detects well-formed UTF-8, which is ASCII up to `ascii`.
    fn utf8(self, ascii: usize) -> Detection {
        let sample = self.sample();
        let controls = likelihood::controls(sample);
        let is_ascii = ascii == self.src.len();
        let (closest, reason) =
            if is_ascii { (Scheme::Ascii, Reason::Ascii) } else { (Scheme::Utf8, Reason::Utf8) };
        if is_ascii && self.src.contains(&legacy::ESCAPE) && legacy::has_escapes(self.src) {
            return Detection::new(closest, Reason::Legacy, Confidence::Likely);
        }
        if controls == 0 {
            return Detection::new(closest, reason, self.sure_of_utf8(ascii));
        }
        let bits = likelihood::bytes(sample, &likelihood::UTF8);
        // At least an eighth less: UTF-8 is far more frequent.
        let limit = bits - bits / 8;
        if let Some(wide) = self.wide(limit).filter(|wide| wide.well_formed) {
            return wide.found(limit, sample.len());
        }
        // Characters beyond ASCII are well-formed by chance only if they are few.
        let beyond_ascii = sample.iter().filter(|byte| **byte >= 0xC0).count();
        let least = match beyond_ascii {
            0 => sample.len().div_ceil(16),
            1 => sample.len().div_ceil(4),
            _ => sample.len().div_ceil(2),
        };
        if controls >= least {
            return binary(closest, sample);
        }
        Detection::new(closest, reason, Confidence::Likely)
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
        let rest = &rest[..rest.len().min(SAMPLE_BYTES)];
        match rest.len() - count::<Utf8>(rest) {
            0 => Confidence::Guess,
            1 | 2 => Confidence::Likely,
            _ => Confidence::Certain,
        }
    }

    /// Detects a text that is not UTF-8, and is well-formed up to `valid`.
    fn no_utf8(self, valid: usize) -> Detection {
        if self.is_cesu8(valid) {
            let (closest, reason) = (Scheme::Cesu8, Reason::Cesu8);
            return Detection::new(closest, reason, Confidence::Likely);
        }
        if let Some(confidence) = self.damaged_utf8(valid) {
            return Detection::new(Scheme::Utf8, Reason::DamagedUtf8, confidence);
        }
        let sample = self.sample();
        let bits = likelihood::bytes(sample, &likelihood::LATIN1).min(legacy::bits(sample));
        match self.wide(bits + LIKELY_BITS) {
            Some(wide) if wide.bits < bits => wide.found(bits, sample.len()),
            close => self.bytes(valid, close.is_some()),
        }
    }

    /// Returns true if the text is well-formed CESU-8. Up to `valid` it is well-formed UTF-8.
    fn is_cesu8(self, valid: usize) -> bool {
        // The reference is fast enough for this rare case, and the vector code is not linked.
        let pair = &self.src[valid..];
        matches!(pair, [0xED, 0xA0..=0xAF, _, 0xED, 0xB0..=0xBF, _, ..])
            && self.or_incomplete(scalar::validate::<Cesu8>(self.src)).is_ok()
    }

    /// Returns the confidence in UTF-8 if there are at least eight characters beyond ASCII for each
    /// error, before the first error and up to [`ERROR_CONTEXT_BYTES`] bytes after it. From nine
    /// errors on, there must always have been as many of these characters as errors.
    ///
    /// Surrogates count as such characters, and an incomplete sequence at the end is no error.
    fn damaged_utf8(self, valid: usize) -> Option<Confidence> {
        let beyond_ascii = |text: &[u8]| {
            // Each code point that is not ASCII has one lead byte.
            let ascii = text.iter().filter(|byte| byte.is_ascii()).count();
            count::<Utf8>(text) - ascii
        };
        let mut good = beyond_ascii(&self.src[valid.saturating_sub(ERROR_CONTEXT_BYTES)..valid]);
        let mut bad = 0;
        let mut rest = &self.src[valid..self.src.len().min(valid + ERROR_CONTEXT_BYTES)];
        // Latin-1 usually fails within its first few errors.
        while bad < 9 || good >= bad {
            let Err(error) = validate::<Utf8>(rest) else {
                good += beyond_ascii(rest);
                break;
            };
            good += beyond_ascii(&rest[..error.valid_up_to()]);
            // Cut by the end of the text, or of the examined part.
            let Some(len) = error.error_len() else { break };
            let (count, len) = match error.kind() {
                // Its first byte is wrong, and two more are its own.
                ErrorKind::Surrogate => (&mut good, 3),
                _ => (&mut bad, len),
            };
            *count += 1;
            rest = rest.get(error.valid_up_to() + len..).unwrap_or_default();
        }
        match good {
            0 => None,
            _ if good < 8 * bad => None,
            1 => Some(Confidence::Guess),
            _ => Some(Confidence::Likely),
        }
    }

    /// Returns the encoding of UTF-16 and UTF-32 with the fewest bits, if they are fewer than
    /// `limit`, and than random data would take.
    fn wide(self, limit: Bits) -> Option<Wide> {
        let sample = self.sample();
        let limit = limit.min(likelihood::noise_bits(sample.len()) + RARE_32);
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

    /// Detects the remaining texts, in bytes; `close` is true if another encoding is almost as
    /// likely. The first error of UTF-8 is at `valid`.
    fn bytes(self, valid: usize, close: bool) -> Detection {
        let around = &self.src[valid - valid.min(SAMPLE_BYTES / 2)..];
        let around = &around[..around.len().min(SAMPLE_BYTES)];
        let controls = likelihood::controls(around).max(likelihood::controls(self.sample()));
        if controls >= around.len().div_ceil(16) {
            return binary(Scheme::Latin1, around);
        }
        let latin1 = likelihood::bytes(around, &likelihood::LATIN1);
        let fewer = latin1.saturating_sub(legacy::bits(around));
        let strange = around.iter().any(|&byte| legacy::is_strange(byte));
        let reason = if fewer >= LEGACY_BITS {
            Reason::Legacy
        } else if self.src.chunks(SAMPLE_BYTES).any(has_upper_control) {
            Reason::Windows1252
        } else {
            Reason::Latin1
        };
        let sure = match reason {
            Reason::Legacy => fewer >= CERTAIN_BITS,
            _ => !strange && fewer < LEGACY_BITS / 2 && legacy::words(around) >= LATIN1_MIN_WORDS,
        };
        let confidence = if sure && !close { Confidence::Likely } else { Confidence::Guess };
        Detection::new(Scheme::Latin1, reason, confidence)
    }
}

impl Detection {
    const fn new(closest: Scheme, reason: Reason, confidence: Confidence) -> Self {
        Self { closest, reason, confidence, mixture: None }
    }

    /// Returns this detection with at most so much confidence.
    pub(super) fn at_most(self, most: Confidence) -> Self {
        Self { confidence: self.confidence.min(most), ..self }
    }

    /// Returns true if the data is no text, as far as `survey` has read it: a text whose parts are
    /// in different encodings has NULs too.
    pub(super) fn is_binary(self, survey: &Survey) -> bool {
        self.reason == Reason::Binary && survey.mixture(false, Reading::Other).is_none()
    }

    /// Returns this detection, or the parts in different encodings that `survey` has found in the
    /// text.
    pub(super) fn or_mixed(self, survey: &Survey, whole: bool) -> Self {
        let parts = || match self.reason {
            Reason::Latin1 | Reason::Windows1252 => {
                survey.utf8_part(true).or_else(|| survey.escaped_part())
            }
            Reason::Legacy => survey.utf8_part(false).or_else(|| survey.escaped_part()),
            Reason::Utf8 | Reason::DamagedUtf8 | Reason::Mark => survey.escaped_part(),
            _ => None,
        };
        let reading = match self.reason {
            Reason::Latin1 | Reason::Windows1252 | Reason::Legacy => Reading::Legacy,
            _ if self.closest.unit_size() > 1 => Reading::Wide,
            _ => Reading::Other,
        };
        let mixture = survey.mixture(whole, reading).or_else(parts);
        match mixture {
            None => self,
            Some(mixture) => Self {
                closest: mixture.first.unwrap_or(Scheme::Latin1),
                reason: Reason::Mixed,
                confidence: Confidence::Likely,
                mixture: Some(mixture),
            },
        }
    }
}

/// Returns true if some byte is one of `80..=9F`. Without an early end, so that the compiler
/// vectorises it.
fn has_upper_control(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |any, byte| any | (0x80..0xA0).contains(byte))
}

/// Returns the detection of data that is no text, by `sample`, whose bytes `closest` has.
fn binary(closest: Scheme, sample: &[u8]) -> Detection {
    let confidence = if sample.len() >= 256 { Confidence::Likely } else { Confidence::Guess };
    Detection::new(closest, Reason::Binary, confidence)
}
