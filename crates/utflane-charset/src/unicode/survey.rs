//! A pass over a whole text that finds parts in different encodings.
//!
//! The pass answers two questions, each by a score to which every byte adds:
//!
//! * Does UTF-16 or UTF-32 begin or end somewhere? [`prices`](crate::unicode::prices) answers this.
//! * Is there a run of well-formed UTF-8 that other byte encodings would not have by chance?
//!   [`runs`](crate::unicode::runs) answers this.
//!
//! Text in byte encodings has no NUL bytes, and UTF-16 in every language has some, in its spaces or
//! line feeds. So the costs are computed from 1024 bytes before the first NUL on. After the first
//! NUL, text is skipped without pricing while one encoding is far cheaper than all others and the
//! text is ordinary in this encoding.

use utflane::{Ascii, Scheme, Utf8, validate};

use crate::unicode::answer::Mixture;
use crate::unicode::likelihood::Unit;
use crate::unicode::prices::{Family, Leader, PlainSegment, Prices};
use crate::unicode::runs::{RUN_MIN_SCORE, Utf8Reader, run_without_characters};

/// The number of bytes before the first NUL that are priced too. Bytes are skipped only if as many
/// bytes without a NUL follow them.
const CONTEXT_BYTES: usize = 1024;
/// The number of bytes that are priced together.
const PRICED_BYTES: usize = 64;
/// The number of bytes of a segment that is tested for ordinary UTF-16 or UTF-32.
const PLAIN_SEGMENT_BYTES: usize = 256;
/// The maximum number of units with a high byte of 0x20 or more in an ordinary segment of UTF-16. A
/// line of text in a byte encoding has more units that look like this.
const HIGH_UNITS_MAX: u8 = 4;
/// The number of bytes of such a segment that must cost less as UTF-16 than as bytes.
const CHEAP_STEP_BYTES: usize = 32;
/// The maximum number of bytes that are skipped at once.
const SKIP_MAX_BYTES: usize = 64 * 1024;
/// The score of a run of UTF-8 from which the run is only validated, and its score no longer grows.
const LONG_RUN_SCORE: u32 = 1000;

/// A pass over a text in chunks, which may end anywhere.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// The number of bytes so far.
    len: u64,
    utf8: Utf8Reader,
    /// The costs of the text in each encoding. `None` before the first NUL.
    prices: Option<Prices>,
    /// The last bytes of the text, while `prices` is `None`.
    context: [u8; CONTEXT_BYTES],
    /// The last four bytes that were priced or skipped.
    last: [u8; 4],
    /// The byte offset of the first escape sequence of ISO-2022-JP, ISO-2022-KR or ISO-2022-CN.
    first_escape: Option<u64>,
    /// The number of bytes of an incomplete escape sequence.
    escape_len: u8,
    /// The byte offset of the first non-ASCII byte.
    first_non_ascii: Option<u64>,
}

impl Survey {
    /// Returns a pass at the start of a text.
    pub(super) fn new() -> Self {
        Self {
            len: 0,
            utf8: Utf8Reader::START,
            prices: None,
            context: [0; CONTEXT_BYTES],
            last: [0; 4],
            first_escape: None,
            escape_len: 0,
            first_non_ascii: None,
        }
    }

    /// Returns the number of bytes so far.
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Returns the byte offset of the first ill-formed sequence of UTF-8 in the text so far.
    /// `whole` is true at the end of the text, where an incomplete sequence is ill-formed too.
    pub(super) fn ill_formed_utf8(&self, whole: bool) -> Option<u64> {
        let incomplete_len = u64::from(self.utf8.len);
        let incomplete = (whole && incomplete_len > 0).then_some(self.len - incomplete_len);
        self.utf8.first_ill_formed.or(incomplete)
    }

    /// Returns true if the text so far is well-formed in UTF-16LE if `is_little`, else in UTF-16BE.
    /// May return false although the text is well-formed.
    pub(super) fn is_utf16(&self, is_little: bool) -> bool {
        let is_well_formed = |prices: &Prices| prices.is_utf16(is_little);
        self.len.is_multiple_of(2) && self.prices.as_ref().is_some_and(is_well_formed)
    }

    /// Reads the next bytes of the text.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        self.find_escape(chunk);
        let mut rest = chunk;
        if self.prices.is_none() {
            // The first chunk may end inside a byte order mark of UTF-16.
            let is_marked = self.len == 0 && matches!(chunk, [0xFF | 0xFE, ..]);
            let (bytes, after) = chunk.split_at(if is_marked { 0 } else { nul_free_len(chunk) });
            self.read_utf8(bytes);
            self.keep_context(bytes);
            rest = after;
            if !rest.is_empty() {
                self.begin_prices();
            }
        }
        while !rest.is_empty() {
            rest = self.price(rest);
        }
    }

    /// Adds `len` bytes that are not read to the length of the text.
    pub(super) fn count_unread(&mut self, len: usize) {
        self.len += len as u64;
    }

    /// Reads bytes as UTF-8. Does not add them to the length of the text.
    fn read_utf8(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        let end = self.len + bytes.len() as u64;
        while let Some(&byte) = rest.first() {
            let len = if self.utf8.len == 0 { self.skip(byte, rest) } else { 0 };
            let (skipped, other) = rest.split_at(len);
            if let Some(&last) = skipped.last() {
                let before = skipped.len().checked_sub(2).map_or(self.utf8.last, |at| skipped[at]);
                (self.utf8.last_but_one, self.utf8.last) = (before, last);
                rest = other;
                continue;
            }
            let at = end - rest.len() as u64;
            if !byte.is_ascii() {
                self.first_non_ascii.get_or_insert(at);
            }
            let len = self.utf8.push_sequence(at, rest);
            if len == 0 {
                self.utf8.push(at, byte);
            }
            rest = &rest[len.max(1)..];
        }
    }

    /// Returns the number of bytes at the start of `rest`, which begins with `byte`, that need not
    /// be read byte by byte, and counts the ill-formed ones among them.
    fn skip(&mut self, byte: u8, rest: &[u8]) -> usize {
        let utf8 = &mut self.utf8;
        let result = match utf8.run.legacy_score {
            LONG_RUN_SCORE.. => validate::<Utf8>(rest),
            0 if utf8.first_ill_formed.is_some() => {
                let (len, ill_formed) = run_without_characters(rest);
                utf8.ill_formed += ill_formed;
                return len;
            }
            // Characters near non-ASCII characters are read byte by byte, while the run of UTF-8
            // is short.
            _ if byte.is_ascii() && utf8.last.is_ascii() && utf8.last_but_one.is_ascii() => {
                validate::<Ascii>(rest)
            }
            _ => return 0,
        };
        result.map_or_else(|error| error.valid_up_to(), |()| rest.len())
    }

    /// Adds bytes that are not priced to the length of the text, and keeps the last
    /// [`CONTEXT_BYTES`].
    fn keep_context(&mut self, bytes: &[u8]) {
        let new = &bytes[bytes.len().saturating_sub(CONTEXT_BYTES)..];
        self.context.copy_within(new.len().., 0);
        self.context[CONTEXT_BYTES - new.len()..].copy_from_slice(new);
        self.len += bytes.len() as u64;
    }

    /// Begins to price the text, from the start of the kept bytes.
    fn begin_prices(&mut self) {
        let kept = self.len.min(CONTEXT_BYTES as u64);
        let context = &self.context[CONTEXT_BYTES - kept as usize..];
        // The first priced byte must not be inside a character of UTF-8.
        let is_continuation = |byte: &&u8| kept < self.len && **byte & 0xC0 == 0x80;
        let context = &context[context.iter().take(3).take_while(is_continuation).count()..];
        let start = self.len - context.len() as u64;
        let is_utf8_before = self.utf8.first_ill_formed.is_none_or(|offset| offset >= start);
        let mut prices = Prices::new(start, if is_utf8_before { 0 } else { self.utf8.ill_formed });
        let mut utf8 = Utf8Reader::START;
        for (i, &byte) in context.iter().enumerate() {
            let at = start + i as u64;
            let in_utf8 = utf8.push(at, byte);
            self.last = [self.last[1], self.last[2], self.last[3], byte];
            prices.push(at, self.last, in_utf8, utf8.len);
        }
        self.prices = Some(prices);
    }

    /// Prices the next bytes of `chunk`, or skips them if they are ordinary. Returns the rest of
    /// `chunk`.
    fn price<'a>(&mut self, chunk: &'a [u8]) -> &'a [u8] {
        let Some(prices) = &mut self.prices else { return &[] };
        let is_at_boundary = |leader: &Leader| *leader != Leader::Bytes || self.utf8.len == 0;
        if let Some(leader) = prices.find_leader(self.len).filter(is_at_boundary) {
            let window = &chunk[..chunk.len().min(SKIP_MAX_BYTES)];
            let (len, evident_units) = match leader {
                Leader::Bytes => (nul_free_len(window).saturating_sub(CONTEXT_BYTES), 0),
                Leader::Le | Leader::Be => plain_utf16_len(window, leader),
                Leader::Le32 | Leader::Be32 => plain_utf32_len(window, leader),
            };
            let (plain, rest) = chunk.split_at(len);
            if let Some(last) = plain.last_chunk() {
                // An incomplete sequence of UTF-8 does not continue in UTF-16 or UTF-32.
                self.utf8.len = 0;
                let ill_formed_before = self.utf8.ill_formed;
                if leader == Leader::Bytes {
                    self.read_utf8(plain);
                }
                let ill_formed = self.utf8.ill_formed - ill_formed_before;
                let segment = PlainSegment { leader, len: len as u64, ill_formed, evident_units };
                if let Some(prices) = &mut self.prices {
                    prices.skip_plain(self.len, segment, *last);
                }
                self.last = *last;
                self.len += len as u64;
                return rest;
            }
        }
        let (priced, rest) = chunk.split_at(chunk.len().min(PRICED_BYTES));
        for &byte in priced {
            if !byte.is_ascii() {
                self.first_non_ascii.get_or_insert(self.len);
            }
            let in_utf8 = self.utf8.push(self.len, byte);
            self.last = [self.last[1], self.last[2], self.last[3], byte];
            prices.push(self.len, self.last, in_utf8, self.utf8.len);
            self.len += 1;
        }
        prices.subtract_minimum();
        rest
    }

    /// Looks for the first escape sequence of ISO-2022.
    fn find_escape(&mut self, chunk: &[u8]) {
        if self.first_escape.is_some() {
            return;
        }
        let start = if self.escape_len == 0 { len_without(chunk, 0x1B) } else { 0 };
        for (i, &byte) in chunk.iter().enumerate().skip(start) {
            self.escape_len = match (self.escape_len, byte) {
                (_, 0x1B) => 1,
                (1, b'$') => 2,
                (2, b'@' | b'A' | b'B' | b'(' | b')') => {
                    self.first_escape = (self.len + i as u64).checked_sub(2);
                    return;
                }
                _ => 0,
            };
        }
    }

    /// Returns the parts of the text so far, if UTF-16 or UTF-32 begins or ends in it. `whole` is
    /// true at the end of the text. `family` is the family of the encoding that was detected for
    /// the text.
    pub(super) fn mixture(&self, whole: bool, family: Family) -> Option<Mixture> {
        if let Some(prices) = &self.prices {
            return prices.mixture(self.len, whole, family);
        }
        // Without NULs, only a short text can be in UTF-16.
        if self.utf8.first_ill_formed.is_none() || self.len > CONTEXT_BYTES as u64 {
            return None;
        }
        // In a text that is not in UTF-16 as a whole, only spaces and line feeds, which have NULs,
        // and byte order marks are evidence for a part in UTF-16.
        let is_mark = |bytes: &[u8]| matches!(bytes, [0xFE, 0xFF] | [0xFF, 0xFE]);
        let kept = &self.context[CONTEXT_BYTES - self.len as usize..];
        if family != Family::Wide && !kept.windows(2).any(is_mark) {
            return None;
        }
        let mut priced = self.clone();
        priced.begin_prices();
        priced.prices?.mixture(self.len, whole, family)
    }

    /// Returns the parts of a text in a legacy encoding, if a part of it is in UTF-8, and true if
    /// this is clear. The legacy encoding is Latin-1 or windows-1252 if `western`.
    pub(super) fn utf8_part(&self, western: bool) -> Option<(Mixture, bool)> {
        let first = self.utf8.first_ill_formed?;
        let (run, score, min_score) = match western {
            true => (self.utf8.best_western, self.utf8.best_western.western_score, RUN_MIN_SCORE),
            false => {
                // The more ill-formed sequences, the more likely is such a run by chance.
                let chance = u64::BITS - self.utf8.ill_formed.leading_zeros();
                let run = self.utf8.best_legacy;
                (run, run.legacy_score, RUN_MIN_SCORE + chance)
            }
        };
        let utf8 = Some(Scheme::Utf8);
        let mixture = match run.start < first {
            true => Mixture { first: utf8, boundary: first, second: None },
            false => Mixture { first: None, boundary: run.start, second: utf8 },
        };
        (score >= min_score).then_some((mixture, score >= min_score + 2 * RUN_MIN_SCORE))
    }

    /// Returns the parts of a text that has both non-ASCII characters and escape sequences of
    /// ISO-2022.
    pub(super) fn escaped_part(&self) -> Option<Mixture> {
        let (first_escape, first_non_ascii) = (self.first_escape?, self.first_non_ascii?);
        let other = self.utf8.first_ill_formed.is_none().then_some(Scheme::Utf8);
        Some(match first_escape < first_non_ascii {
            true => Mixture { first: None, boundary: first_non_ascii, second: other },
            false => Mixture { first: other, boundary: first_escape, second: None },
        })
    }
}

/// Returns the number of bytes at the start of a text before its first NUL.
fn nul_free_len(text: &[u8]) -> usize {
    len_without(text, 0)
}

/// Returns the number of bytes at the start of a text before the first `byte`.
fn len_without(text: &[u8], byte: u8) -> usize {
    // The test of a step has no early exit, so that LLVM vectorises it.
    let is_without = |step: &&[u8; PRICED_BYTES]| {
        !step.iter().fold(false, |has_byte, &other| has_byte | (other == byte))
    };
    let len = PRICED_BYTES * text.as_chunks().0.iter().take_while(is_without).count();
    len + text[len..].iter().take_while(|&&other| other != byte).count()
}

/// Returns the number of bytes at the start of a text that are ordinary UTF-16, and the number of
/// their units below 0x100. The last ordinary segment is left out, so that a change of encoding
/// after it is priced.
fn plain_utf16_len(text: &[u8], leader: Leader) -> (usize, u64) {
    let (mut len, mut latin_units, mut last_latin_units) = (0, 0, 0);
    for segment in text.as_chunks().0 {
        let latin =
            count_latin_units(segment, leader).or_else(|| count_cheap_units(segment, leader));
        let Some(latin) = latin else { break };
        (len, latin_units, last_latin_units) =
            (len + PLAIN_SEGMENT_BYTES, latin_units + last_latin_units, latin);
    }
    (len.saturating_sub(PLAIN_SEGMENT_BYTES), latin_units)
}

/// Returns the number of bytes at the start of a text that are ordinary UTF-32, and the number of
/// their units, which are all characters that occur in text. The last ordinary segment is left out,
/// as in [`plain_utf16_len`].
fn plain_utf32_len(text: &[u8], leader: Leader) -> (usize, u64) {
    let is_text = |&bytes: &[u8; 4]| {
        let little = u32::from_le_bytes(bytes);
        let unit = if leader == Leader::Le32 { little } else { little.swap_bytes() };
        match u16::try_from(unit) {
            Ok(unit) => !matches!(unit, 0xD800..=0xDFFF) && Unit::classify(unit, &mut 0).is_text,
            Err(_) => unit < 0x4_0000,
        }
    };
    let segments = text.as_chunks::<PLAIN_SEGMENT_BYTES>().0.iter();
    let count = segments.take_while(|segment| segment.as_chunks().0.iter().all(is_text)).count();
    let len = PLAIN_SEGMENT_BYTES * count.saturating_sub(1);
    (len, len as u64 / 4)
}

/// Returns the number of units below 0x100, or `None` if the segment may not be UTF-16 throughout.
/// It may not be if more than a few units have a high byte of 0x20 or more, which Han, Kana, Hangul
/// and two bytes of text have; if more than two units have a low byte of zero; or if a unit is NUL
/// or a surrogate, which may be unpaired.
fn count_latin_units(segment: &[u8; PLAIN_SEGMENT_BYTES], leader: Leader) -> Option<u64> {
    // The loop has no early exit, so that LLVM vectorises it.
    let (mut latin, mut zero_lows, mut nuls) = (0_u8, 0_u8, 0_u8);
    let (mut surrogates, mut high_units) = (0_u8, 0_u8);
    for &pair in segment.as_chunks::<2>().0 {
        let [low, high] = if leader == Leader::Le { pair } else { [pair[1], pair[0]] };
        latin += u8::from(high == 0);
        zero_lows += u8::from(low == 0);
        nuls += u8::from(pair == [0, 0]);
        surrogates += u8::from(high & 0xF8 == 0xD8);
        high_units += u8::from(high >= 0x20);
    }
    (high_units <= HIGH_UNITS_MAX && zero_lows <= 2 && nuls == 0 && surrogates == 0)
        .then_some(latin.into())
}

/// Returns the number of units below 0x100, or `None` if a unit does not occur in text or is a
/// surrogate, or if not all steps of the segment cost fewer bits than as bytes and than in the
/// other byte order. Han, Kana and Hangul cost fewer. (Greek and Arabic in the other byte order are
/// Hangul and Han.)
fn count_cheap_units(segment: &[u8; PLAIN_SEGMENT_BYTES], leader: Leader) -> Option<u64> {
    let (mut latin, mut script, mut swapped_script, mut at) = (0, 0, 0, 0);
    let mut utf8 = Utf8Reader::START;
    for step in segment.as_chunks::<CHEAP_STEP_BYTES>().0 {
        let (mut unit_bits, mut swapped_bits, mut byte_bits) = (0, 0, 0);
        for &pair in step.as_chunks().0 {
            let little = u16::from_le_bytes(pair);
            let unit = if leader == Leader::Le { little } else { little.swap_bytes() };
            let found = Unit::classify(unit, &mut script);
            if !found.is_text || unit & 0xF800 == 0xD800 {
                return None;
            }
            latin += u64::from(found.is_latin);
            unit_bits += found.bits;
            swapped_bits += Unit::classify(unit.swap_bytes(), &mut swapped_script).bits;
            for byte in pair {
                byte_bits += utf8.push(at, byte).bits;
                at += 1;
            }
        }
        if unit_bits >= byte_bits.min(swapped_bits) {
            return None;
        }
    }
    Some(latin)
}
