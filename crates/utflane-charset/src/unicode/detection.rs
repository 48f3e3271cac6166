//! The steps of detection, in the order in which they run.

use utflane::bom;
use utflane::{
    Ascii, Cesu8, Error, ErrorKind, Scheme, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le, count,
    validate,
};

use crate::unicode::answer::{Confidence, Detection, Mixture, Reason};
use crate::unicode::evidence::Evidence;
use crate::unicode::legacy;
use crate::unicode::likelihood::{self, Bits, IMPOSSIBLE_COST, RARE_UTF16_COST, RARE_UTF32_COST};
use crate::unicode::prices::Family;
use crate::unicode::survey::Survey;

/// The number of bytes at the start of a text that are examined one by one.
const SAMPLE_BYTES: usize = 1024;

/// The number of bytes up to which the start of a text in UTF-16 or UTF-32 is enough evidence.
const LONG_BYTES: usize = 8 * SAMPLE_BYTES;

/// The number of bytes after which data that is not text is read no further.
pub(super) const DECIDING_BYTES: usize = 64 * 1024;

/// The number of bytes on either side of the first UTF-8 error in which errors and characters are
/// counted.
const ERROR_CONTEXT_BYTES: usize = 8192;

/// An encoding is called likely if it takes at least this many bits less than any other encoding.
/// The estimate is rough, so the difference is far larger than probability theory requires.
const LIKELY_BITS: Bits = 12;
/// Like [`LIKELY_BITS`], for [`Confidence::Certain`].
const CERTAIN_BITS: Bits = 100;
/// Like [`LIKELY_BITS`], for a legacy encoding that this crate lacks, if the text could also be
/// Latin-1.
const LEGACY_BITS: Bits = 24;

/// The number of words with non-ASCII bytes from which Latin-1 and windows-1252 are more than a
/// guess. A single such word may be a foreign name.
const LATIN1_MIN_WORDS: usize = 2;

/// Detects the encoding of `src`, which is a whole text.
///
/// See the [module](crate::unicode) for the method and its cost.
///
/// ```
/// use utflane_charset::unicode::detect;
///
/// let found = detect(b"S\0o\0m\0e\0 \0t\0e\0x\0t\0.\0");
/// assert_eq!(found.to_string(), "utf-16le (likely): reads as text in UTF-16");
/// ```
#[must_use]
pub fn detect(src: &[u8]) -> Detection {
    Text { src, may_continue: false }.examine()
}

/// Detects the encoding of a text that begins with `src` and continues. A sequence that the end of
/// `src` splits is not an error.
///
/// The rest of the text may have other characters, so the result is [certain](Confidence::Certain)
/// only if a byte order mark precedes well-formed text.
///
/// ```
/// use utflane::Scheme;
/// use utflane_charset::unicode::{detect, detect_prefix};
///
/// let cut = &"größer".as_bytes()[..3];
/// assert_eq!(detect_prefix(cut).scheme(), Some(Scheme::Utf8));
/// assert_eq!(detect(cut).scheme(), Some(Scheme::Latin1)); // grÃ
/// ```
#[must_use]
pub fn detect_prefix(src: &[u8]) -> Detection {
    Text { src, may_continue: true }.examine()
}

/// The likeliest encoding among UTF-16 and UTF-32, in either byte order.
#[derive(Clone, Copy)]
struct Wide {
    scheme: Scheme,
    bits: Bits,
    /// The cost in bits of the second likeliest of these encodings.
    second_bits: Bits,
    /// True if the text is well-formed in the encoding.
    is_well_formed: bool,
}

/// A text, or the start of a text.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub(super) src: &'a [u8],
    /// True if the text may continue after `src`.
    pub(super) may_continue: bool,
}

impl<'a> Text<'a> {
    /// Detects the encoding of the text, and searches it for parts in other encodings.
    fn examine(self) -> Detection {
        let mut survey = Survey::new();
        let (start, rest) = self.src.split_at(self.src.len().min(DECIDING_BYTES));
        survey.push(start);
        let is_binary = || Text { src: start, may_continue: true }.detect().is_binary(&survey);
        if !rest.is_empty() && !is_binary() {
            survey.push(rest);
        }
        let found = self.detect().or_mixture(&survey, !self.may_continue, self.src, 0);
        match found.reason {
            Reason::Mark => found,
            _ if self.may_continue => found.with_limited_confidence(Confidence::Likely),
            _ => found,
        }
    }

    /// Runs the steps of detection, except the search for parts in different encodings.
    pub(super) fn detect(self) -> Detection {
        if let Some(scheme) = self.find_mark() {
            let may_be_longer = self.may_continue && bom::probe(self.src) == bom::Probe::More;
            let is_certain = !may_be_longer && self.is_well_formed_in(scheme);
            let confidence = if is_certain { Confidence::Certain } else { Confidence::Likely };
            return Detection::new(scheme, Reason::Mark, confidence);
        }
        if self.src.is_empty() {
            let confidence =
                if self.may_continue { Confidence::Guess } else { Confidence::Certain };
            return Detection::new(Scheme::Ascii, Reason::Empty, confidence);
        }
        let ascii_len = validate::<Ascii>(self.src)
            .map_or_else(|error| error.valid_up_to(), |()| self.src.len());
        match self.allow_incomplete(validate::<Utf8>(&self.src[ascii_len..])) {
            Ok(()) => self.detect_utf8(ascii_len),
            Err(error) => self.detect_ill_formed_utf8(ascii_len + error.valid_up_to()),
        }
    }

    /// Returns the scheme of the byte order mark that the text begins with.
    fn find_mark(self) -> Option<Scheme> {
        let scheme = bom::detect(self.src)?;
        // The mark of UTF-32LE is ambiguous: it could also be the mark of UTF-16LE and U+0000.
        if scheme == Scheme::Utf32Le
            && !self.is_well_formed_in(Scheme::Utf32Le)
            && self.is_well_formed_in(Scheme::Utf16Le)
        {
            return Some(Scheme::Utf16Le);
        }
        Some(scheme)
    }

    /// Returns true if the text is well-formed in `scheme`.
    fn is_well_formed_in(self, scheme: Scheme) -> bool {
        // Only the functions named here are linked into the program.
        let result = match scheme {
            Scheme::Utf16Le => validate::<Utf16Le>(self.src),
            Scheme::Utf16Be => validate::<Utf16Be>(self.src),
            Scheme::Utf32Le => validate::<Utf32Le>(self.src),
            Scheme::Utf32Be => validate::<Utf32Be>(self.src),
            _ => validate::<Utf8>(self.src),
        };
        self.allow_incomplete(result).is_ok()
    }

    /// Returns `Ok` for the error of an incomplete sequence at the end, if the text may continue.
    fn allow_incomplete(self, result: Result<(), Error>) -> Result<(), Error> {
        result.or_else(
            |error| if self.may_continue && error.is_incomplete() { Ok(()) } else { Err(error) },
        )
    }

    /// Returns the bytes at the start of the text that are examined one by one.
    fn sample(self) -> &'a [u8] {
        &self.src[..self.src.len().min(SAMPLE_BYTES)]
    }

    /// Detects the encoding of well-formed UTF-8 whose first `ascii_len` bytes are ASCII.
    fn detect_utf8(self, ascii_len: usize) -> Detection {
        let sample = self.sample();
        let controls = likelihood::count_controls(sample);
        let is_ascii = ascii_len == self.src.len();
        let (closest, reason) =
            if is_ascii { (Scheme::Ascii, Reason::Ascii) } else { (Scheme::Utf8, Reason::Utf8) };
        if is_ascii && self.src.contains(&legacy::ESCAPE) && legacy::has_escapes(self.src) {
            return Detection::new(closest, Reason::Legacy, Confidence::Likely);
        }
        if controls == 0 {
            return Detection::new(closest, reason, self.utf8_confidence(ascii_len));
        }
        let bits = likelihood::bytes_cost(sample, &likelihood::UTF8_COSTS);
        // UTF-8 is far more frequent, so UTF-16 and UTF-32 must cost at least an eighth less.
        let limit = bits - bits / 8;
        if let Some(wide) = self.find_wide(limit).filter(|wide| wide.is_well_formed) {
            return self.wide_detection(wide, limit);
        }
        // Non-ASCII characters are well-formed by chance only if there are few of them. So the more
        // such characters the sample has, the more control characters are allowed.
        let non_ascii = sample.iter().filter(|byte| **byte >= 0xC0).count();
        let min_controls = match non_ascii {
            0 => sample.len().div_ceil(16),
            1 => sample.len().div_ceil(4),
            _ => sample.len().div_ceil(2),
        };
        if controls >= min_controls {
            return binary_detection(closest, sample);
        }
        Detection::new(closest, reason, Confidence::Likely)
    }

    /// Returns the confidence in UTF-8 or ASCII without control characters. The first `ascii_len`
    /// bytes are ASCII.
    fn utf8_confidence(self, ascii_len: usize) -> Confidence {
        let rest = &self.src[ascii_len..];
        if rest.is_empty() {
            // An odd number of bytes cannot be well-formed UTF-16 or UTF-32. 64 bytes of ASCII are
            // hardly text in another encoding by chance.
            let is_certain = !self.may_continue && (ascii_len % 2 == 1 || ascii_len >= 64);
            return if is_certain { Confidence::Certain } else { Confidence::Likely };
        }
        let rest = &rest[..rest.len().min(SAMPLE_BYTES)];
        match rest.len() - count::<Utf8>(rest) {
            0 => Confidence::Guess,
            1 | 2 => Confidence::Likely,
            _ => Confidence::Certain,
        }
    }

    /// Detects the encoding of a text that is not well-formed UTF-8. Its first `valid` bytes are
    /// well-formed UTF-8.
    fn detect_ill_formed_utf8(self, valid: usize) -> Detection {
        if self.is_cesu8(valid) {
            let (closest, reason) = (Scheme::Cesu8, Reason::Cesu8);
            return Detection::new(closest, reason, Confidence::Likely);
        }
        if let Some(confidence) = self.damaged_utf8_confidence(valid) {
            return Detection::new(Scheme::Utf8, Reason::DamagedUtf8, confidence);
        }
        let sample = self.sample();
        let costs = byte_costs(sample);
        let bits = costs[0].min(costs[1]);
        match self.find_wide(bits + LIKELY_BITS) {
            Some(wide) if wide.bits < bits => self.wide_detection(wide, bits),
            close_wide => self.detect_bytes(valid, costs, close_wide.is_some()),
        }
    }

    /// Returns true if the text is well-formed CESU-8. Its first `valid` bytes are well-formed
    /// UTF-8.
    fn is_cesu8(self, valid: usize) -> bool {
        let pair = &self.src[valid..];
        matches!(pair, [0xED, 0xA0..=0xAF, _, 0xED, 0xB0..=0xBF, _, ..])
            && self.allow_incomplete(validate::<Cesu8>(self.src)).is_ok()
    }

    /// Returns the confidence in UTF-8 with few errors: `Some` if there are at least eight
    /// non-ASCII characters for each error, from [`ERROR_CONTEXT_BYTES`] bytes before the first
    /// error to as many bytes after it. From the ninth error on, the number of these characters
    /// must always have been at least the number of errors.
    ///
    /// Surrogates count as such characters, and an incomplete sequence at the end is not an error.
    fn damaged_utf8_confidence(self, valid: usize) -> Option<Confidence> {
        let count_non_ascii = |text: &[u8]| {
            // Each code point that is not ASCII has one lead byte.
            let ascii = text.iter().filter(|byte| byte.is_ascii()).count();
            count::<Utf8>(text) - ascii
        };
        let before = &self.src[valid.saturating_sub(ERROR_CONTEXT_BYTES)..valid];
        let mut characters = count_non_ascii(before);
        let mut errors = 0;
        let mut rest = &self.src[valid..self.src.len().min(valid + ERROR_CONTEXT_BYTES)];
        // In Latin-1 text, this loop usually ends after the first few errors.
        while errors < 9 || characters >= errors {
            let Err(error) = validate::<Utf8>(rest) else {
                characters += count_non_ascii(rest);
                break;
            };
            characters += count_non_ascii(&rest[..error.valid_up_to()]);
            // An incomplete sequence at the end of the text or of the examined part has no length.
            let Some(len) = error.error_len() else { break };
            let (count, len) = match error.kind() {
                // The error covers only the first byte of a surrogate, which has three bytes.
                ErrorKind::Surrogate => (&mut characters, 3),
                _ => (&mut errors, len),
            };
            *count += 1;
            rest = rest.get(error.valid_up_to() + len..).unwrap_or_default();
        }
        match characters {
            0 => None,
            _ if characters < 8 * errors => None,
            1 => Some(Confidence::Guess),
            _ => Some(Confidence::Likely),
        }
    }

    /// Returns the encoding among UTF-16 and UTF-32 that takes the fewest bits, if these are fewer
    /// than `limit` and fewer than random data would take.
    fn find_wide(self, limit: Bits) -> Option<Wide> {
        use likelihood::{utf16_cost, utf32_cost};

        let sample = self.sample();
        let limit = limit.min(likelihood::noise_bits(sample.len()) + RARE_UTF32_COST);
        let mut best: Option<Wide> = None;
        for scheme in [Scheme::Utf32Le, Scheme::Utf32Be, Scheme::Utf16Le, Scheme::Utf16Be] {
            let mut bits = match scheme {
                Scheme::Utf32Le => RARE_UTF32_COST + utf32_cost(sample, u32::from_le_bytes, limit),
                Scheme::Utf32Be => RARE_UTF32_COST + utf32_cost(sample, u32::from_be_bytes, limit),
                Scheme::Utf16Le => RARE_UTF16_COST + utf16_cost(sample, u16::from_le_bytes, limit),
                _ => RARE_UTF16_COST + utf16_cost(sample, u16::from_be_bytes, limit),
            };
            if bits >= limit || self.src.len() < scheme.unit_size() {
                continue;
            }
            let is_well_formed = self.is_well_formed_in(scheme);
            if !is_well_formed {
                bits += IMPOSSIBLE_COST;
            }
            match &mut best {
                Some(best) if best.bits <= bits => best.second_bits = best.second_bits.min(bits),
                _ => {
                    let second_bits = best.map_or(Bits::MAX, |best| best.bits);
                    best = Some(Wide { scheme, bits, second_bits, is_well_formed });
                }
            }
        }
        best.filter(|best| best.bits < limit)
    }

    /// Returns the detection of `wide`. The cheapest encoding that is neither UTF-16 nor UTF-32
    /// costs `other_bits`.
    fn wide_detection(self, wide: Wide, other_bits: Bits) -> Detection {
        let noise_bits = likelihood::noise_bits(self.sample().len());
        let rival_bits = wide.second_bits.min(other_bits).min(noise_bits);
        let confidence = match rival_bits.saturating_sub(wide.bits) {
            _ if !wide.is_well_formed => Confidence::Guess,
            CERTAIN_BITS.. => Confidence::Certain,
            LIKELY_BITS.. => Confidence::Likely,
            _ => Confidence::Guess,
        };
        let confidence = confidence.min(self.evidence(wide.scheme).confidence());
        let reason = if wide.scheme.unit_size() == 2 { Reason::Utf16 } else { Reason::Utf32 };
        Detection::new(wide.scheme, reason, confidence)
    }

    /// Returns the evidence for text in `scheme`, UTF-16 or UTF-32, at the start, in the middle and
    /// at the end.
    fn evidence(self, scheme: Scheme) -> Evidence {
        let len = self.src.len() / 4 * 4;
        let parts = match len {
            ..=LONG_BYTES => [0..len, 0..0, 0..0],
            _ => [0, (len - SAMPLE_BYTES) / 8 * 4, len - SAMPLE_BYTES]
                .map(|start| start..start + SAMPLE_BYTES),
        };
        parts.map(|part| Evidence::new(&self.src[part], scheme)).into_iter().sum()
    }

    /// Detects Latin-1, windows-1252, a legacy encoding or binary data: what remains after the
    /// other encodings have been excluded. The first UTF-8 error is at `valid`. The sample has
    /// these [`byte_costs`]. `is_close` is true if UTF-16 or UTF-32 is almost as likely.
    fn detect_bytes(self, valid: usize, costs: [Bits; 2], is_close: bool) -> Detection {
        let around = &self.src[valid - valid.min(SAMPLE_BYTES / 2)..];
        let around = &around[..around.len().min(SAMPLE_BYTES)];
        let sample_controls = likelihood::count_controls(self.sample());
        let controls = likelihood::count_controls(around).max(sample_controls);
        if controls >= around.len().div_ceil(16) {
            return binary_detection(Scheme::Latin1, around);
        }
        let is_sample = valid <= SAMPLE_BYTES / 2;
        let [latin1_bits, legacy_bits] = if is_sample { costs } else { byte_costs(around) };
        let legacy_gain = latin1_bits.saturating_sub(legacy_bits);
        // Without an early exit, LLVM vectorises the loop.
        let has_undefined =
            around.iter().fold(false, |has, &byte| has | legacy::is_undefined_or_control(byte));
        let reason = if legacy_gain >= LEGACY_BITS {
            Reason::Legacy
        } else if self.src.chunks(SAMPLE_BYTES).any(has_upper_control) {
            Reason::Windows1252
        } else {
            Reason::Latin1
        };
        let is_likely = match reason {
            Reason::Legacy => legacy_gain >= CERTAIN_BITS,
            _ => {
                !has_undefined
                    && legacy_gain < LEGACY_BITS / 2
                    && legacy::has_non_ascii_words(around, LATIN1_MIN_WORDS)
            }
        };
        let confidence =
            if is_likely && !is_close { Confidence::Likely } else { Confidence::Guess };
        Detection::new(Scheme::Latin1, reason, confidence)
    }
}

impl Detection {
    const fn new(closest: Scheme, reason: Reason, confidence: Confidence) -> Self {
        Self { closest, reason, confidence, mixture: None }
    }

    /// Returns this detection with a confidence of at most `max`.
    pub(super) fn with_limited_confidence(self, max: Confidence) -> Self {
        Self { confidence: self.confidence.min(max), ..self }
    }

    /// Returns true if the data is not text, as far as `survey` has read it. Returns false for a
    /// text whose parts are in different encodings, which may have NULs too.
    pub(super) fn is_binary(self, survey: &Survey) -> bool {
        self.reason == Reason::Binary && survey.mixture(false, Family::Other).is_none()
    }

    /// Returns this detection, or [`Reason::Mixed`] if `survey` has found parts in different
    /// encodings. `whole` is true if `survey` has read the text to its end. `sample` is a part of
    /// the text, which begins at the byte offset `start`.
    pub(super) fn or_mixture(
        self,
        survey: &Survey,
        whole: bool,
        sample: &[u8],
        start: u64,
    ) -> Self {
        let family = match self.reason {
            Reason::Latin1 | Reason::Windows1252 | Reason::Legacy => Family::Legacy,
            _ if self.closest.unit_size() > 1 => Family::Wide,
            _ => Family::Other,
        };
        let utf8_part = || match self.reason {
            Reason::Latin1 | Reason::Windows1252 => survey.utf8_part(true),
            Reason::Legacy => survey.utf8_part(false),
            _ => None,
        };
        let has_parts = !matches!(self.reason, Reason::Utf16 | Reason::Utf32 | Reason::Binary);
        let escaped_part = || survey.escaped_part().filter(|_| has_parts);
        let (mixture, confidence) = if let Some(mixture) = survey.mixture(whole, family) {
            (mixture, mixture.confidence(sample, start))
        } else if let Some((mixture, is_clear)) = utf8_part() {
            let sample = &sample[..sample.len().min(DECIDING_BYTES)];
            let ascii = sample.iter().filter(|byte| byte.is_ascii()).count();
            let is_text = likelihood::count_controls(sample) == 0;
            let is_likely = is_text && (is_clear || 4 * ascii >= 3 * sample.len());
            (mixture, if is_likely { Confidence::Likely } else { Confidence::Guess })
        } else if let Some(mixture) = escaped_part() {
            (mixture, Confidence::Likely)
        } else {
            return self;
        };
        Self {
            closest: mixture.first.unwrap_or(Scheme::Latin1),
            reason: Reason::Mixed,
            confidence,
            mixture: Some(mixture),
        }
    }
}

impl Mixture {
    /// Returns the confidence in this mixture: likely if the parts in UTF-16 and UTF-32 are text,
    /// as far as they are in `sample`, a part of the text that begins at the byte offset `start`.
    fn confidence(self, sample: &[u8], start: u64) -> Confidence {
        let at = self.boundary.checked_sub(start).and_then(|at| usize::try_from(at).ok());
        let Some((before, after)) = at.and_then(|at| sample.split_at_checked(at)) else {
            return Confidence::Likely;
        };
        let evidence = |part: &[u8], scheme: Option<Scheme>| match scheme {
            Some(scheme) if part.starts_with(scheme.byte_order_mark()) => Confidence::Likely,
            Some(scheme) if scheme.unit_size() > 1 => Evidence::new(part, scheme).confidence(),
            _ => Confidence::Likely,
        };
        let units = &before[before.len() - before.len().min(SAMPLE_BYTES) / 4 * 4..];
        evidence(units, self.first).min(evidence(after, self.second)).min(Confidence::Likely)
    }
}

/// Returns the costs of a text in Latin-1, and in the cheapest legacy encoding.
fn byte_costs(text: &[u8]) -> [Bits; 2] {
    [likelihood::bytes_cost(text, &likelihood::LATIN1_COSTS), legacy::cost(text)]
}

/// Returns true if any byte is in 0x80..=0x9F. The loop has no early exit, so that the compiler
/// vectorises it.
fn has_upper_control(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |any, byte| any | (0x80..0xA0).contains(byte))
}

/// Returns the detection of data that is not text. All bytes of `sample` are well-formed in
/// `closest`.
fn binary_detection(closest: Scheme, sample: &[u8]) -> Detection {
    let confidence = if sample.len() >= 256 { Confidence::Likely } else { Confidence::Guess };
    Detection::new(closest, Reason::Binary, confidence)
}
