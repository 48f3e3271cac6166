//! A pass over all of a text that finds parts in different encodings.
//!
//! Two questions, each with a score that the text adds to byte by byte:
//!
//! * Does UTF-16 or UTF-32 begin or end somewhere? [`prices`](crate::detect::prices) answers it.
//! * Is there a run of well-formed UTF-8 that other encodings in bytes would not have by chance?
//!   [`runs`](crate::detect::runs) answers it.
//!
//! Text in bytes has no NULs, and UTF-16 of every language has some, in its spaces or line feeds.
//! So pricing begins 1024 bytes before the first NUL. After it, text is passed unpriced while one
//! encoding is far cheaper than all others, and the text is plain in it.

use crate::detect::answer::Mixture;
use crate::detect::prices::{Leader, Passed, Prices, Reading};
use crate::detect::runs::{RUN_SCORE, Utf8Reader};
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Ascii, Utf8};
use crate::operations::free::validate;

/// Bytes before the first NUL that are priced too. Bytes are passed only if as many without NUL
/// follow them.
const CONTEXT_BYTES: usize = 1024;
/// Bytes that are priced together.
const PRICED_BYTES: usize = 64;
/// Bytes of UTF-16 that are plain together.
const PLAIN_SEGMENT_BYTES: usize = 256;
/// Units of a plain segment that may have any high byte: less than a line of text in bytes has.
const OTHER_UNITS: u8 = 4;
/// Bytes that are passed at once, at most.
const PASS_BYTES: usize = 64 * 1024;
/// The score of a run of UTF-8 from which it grows no more where it is validated.
const LONG_RUN_SCORE: u32 = 1000;

/// A pass over a text in chunks that may end anywhere.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// Bytes so far.
    len: u64,
    utf8: Utf8Reader,
    /// The prices, from the first NUL on.
    prices: Option<Prices>,
    /// The last bytes while there are none.
    context: [u8; CONTEXT_BYTES],
    /// The last bytes that were priced.
    last: [u8; 4],
    /// The offset of the first escape sequence of ISO-2022-JP, KR or CN, and the bytes of one so
    /// far.
    escape: Option<u64>,
    escaped: u8,
    /// The offset of the first byte beyond ASCII.
    beyond_ascii: Option<u64>,
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
            escape: None,
            escaped: 0,
            beyond_ascii: None,
        }
    }

    /// Returns the number of bytes so far.
    #[cfg(feature = "alloc")]
    pub(super) const fn len(&self) -> u64 {
        self.len
    }

    /// Returns the offset of the first byte that is ill-formed in UTF-8, if one has come. `whole`
    /// is true at the end of the text.
    #[cfg(feature = "alloc")]
    pub(super) fn ill_formed_utf8(&self, whole: bool) -> Option<u64> {
        let open = u64::from(self.utf8.len);
        self.utf8.first_ill_formed.or((whole && open > 0).then_some(self.len - open))
    }

    /// Returns true if the text so far is well-formed in UTF-16LE, or in UTF-16BE. It may be false
    /// although the text is.
    #[cfg(feature = "alloc")]
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
            self.keep(bytes);
            rest = after;
            if !rest.is_empty() {
                self.begin_prices();
            }
        }
        while !rest.is_empty() {
            rest = self.price(rest);
        }
    }

    /// Counts bytes that are not read.
    #[cfg(feature = "alloc")]
    pub(super) fn skip(&mut self, len: usize) {
        self.len += len as u64;
    }

    /// Reads bytes as UTF-8. They are not yet counted.
    fn read_utf8(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        let end = self.len + bytes.len() as u64;
        while let Some((&byte, after)) = rest.split_first() {
            // Byte by byte about characters beyond ASCII, while the run of UTF-8 is short.
            let is_about = !byte.is_ascii()
                || !self.utf8.last.is_ascii()
                || !self.utf8.last_but_one.is_ascii();
            let is_long = self.utf8.run.legacy >= LONG_RUN_SCORE;
            if self.utf8.len == 0 && (is_long || !is_about) {
                let plain = if is_long { validate::<Utf8>(rest) } else { validate::<Ascii>(rest) };
                let (plain, other) =
                    rest.split_at(plain.map_or_else(|error| error.valid_up_to(), |()| rest.len()));
                if let Some(&last) = plain.last() {
                    let before = plain.len().checked_sub(2).map_or(self.utf8.last, |at| plain[at]);
                    (self.utf8.last_but_one, self.utf8.last) = (before, last);
                    rest = other;
                    continue;
                }
            }
            let at = end - rest.len() as u64;
            if !byte.is_ascii() {
                self.beyond_ascii.get_or_insert(at);
            }
            self.utf8.push(at, byte);
            rest = after;
        }
    }

    /// Counts bytes that are not priced, and keeps the last ones.
    fn keep(&mut self, bytes: &[u8]) {
        let new = &bytes[bytes.len().saturating_sub(CONTEXT_BYTES)..];
        self.context.copy_within(new.len().., 0);
        self.context[CONTEXT_BYTES - new.len()..].copy_from_slice(new);
        self.len += bytes.len() as u64;
    }

    /// Begins to price the text, from the kept bytes on.
    fn begin_prices(&mut self) {
        let kept = self.len.min(CONTEXT_BYTES as u64);
        let context = &self.context[CONTEXT_BYTES - kept as usize..];
        // Not within a character of UTF-8.
        let is_cut = |byte: &&u8| kept < self.len && **byte & 0xC0 == 0x80;
        let context = &context[context.iter().take(3).take_while(is_cut).count()..];
        let start = self.len - context.len() as u64;
        let is_utf8 = self.utf8.first_ill_formed.is_none_or(|offset| offset >= start);
        let mut prices = Prices::new(start, if is_utf8 { 0 } else { self.utf8.ill_formed });
        let mut utf8 = Utf8Reader::START;
        for (i, &byte) in context.iter().enumerate() {
            let at = start + i as u64;
            let in_utf8 = utf8.push(at, byte);
            self.last = [self.last[1], self.last[2], self.last[3], byte];
            prices.push(at, self.last, in_utf8, utf8.len);
        }
        self.prices = Some(prices);
    }

    /// Prices the next bytes, or passes them. Returns the rest.
    fn price<'a>(&mut self, chunk: &'a [u8]) -> &'a [u8] {
        let Some(prices) = &mut self.prices else { return &[] };
        let is_between = |leader: &Leader| *leader != Leader::Bytes || self.utf8.len == 0;
        if let Some(leader) = prices.leader(self.len).filter(is_between) {
            let window = &chunk[..chunk.len().min(PASS_BYTES)];
            let (len, shown) = match leader {
                Leader::Bytes => (nul_free_len(window).saturating_sub(CONTEXT_BYTES), 0),
                _ => plain_utf16_len(window, leader),
            };
            let (plain, rest) = chunk.split_at(len);
            if let Some(last) = plain.last_chunk() {
                // A sequence of UTF-8 that UTF-16 follows is none.
                self.utf8.len = 0;
                let ill_formed = self.utf8.ill_formed;
                if leader == Leader::Bytes {
                    self.read_utf8(plain);
                }
                let ill_formed = self.utf8.ill_formed - ill_formed;
                let passed = Passed { leader, len: len as u64, ill_formed, shown };
                if let Some(prices) = &mut self.prices {
                    prices.pass(self.len, passed, *last);
                }
                self.last = *last;
                self.len += len as u64;
                return rest;
            }
        }
        let (now, rest) = chunk.split_at(chunk.len().min(PRICED_BYTES));
        for &byte in now {
            if !byte.is_ascii() {
                self.beyond_ascii.get_or_insert(self.len);
            }
            let in_utf8 = self.utf8.push(self.len, byte);
            self.last = [self.last[1], self.last[2], self.last[3], byte];
            prices.push(self.len, self.last, in_utf8, self.utf8.len);
            self.len += 1;
        }
        prices.renew();
        rest
    }

    /// Looks for the first escape sequence of ISO-2022.
    fn find_escape(&mut self, chunk: &[u8]) {
        if self.escape.is_some() || self.escaped == 0 && !chunk.contains(&0x1B) {
            return;
        }
        for (i, &byte) in chunk.iter().enumerate() {
            self.escaped = match (self.escaped, byte) {
                (_, 0x1B) => 1,
                (1, b'$') => 2,
                (2, b'@' | b'A' | b'B' | b'(' | b')') => {
                    self.escape = (self.len + i as u64).checked_sub(2);
                    return;
                }
                _ => 0,
            };
        }
    }

    /// Returns the parts of the text so far, if UTF-16 or UTF-32 begins or ends in it. `whole` is
    /// true at the end of the text; `reading` is what the text is taken for otherwise.
    pub(super) fn mixture(&self, whole: bool, reading: Reading) -> Option<Mixture> {
        if let Some(prices) = &self.prices {
            return prices.mixture(self.len, whole, reading);
        }
        // Without NULs, only a short text can be in UTF-16.
        if self.utf8.first_ill_formed.is_none() || self.len > CONTEXT_BYTES as u64 {
            return None;
        }
        let mut priced = self.clone();
        priced.begin_prices();
        priced.prices?.mixture(self.len, whole, reading)
    }

    /// Returns the parts of a text that is read in an encoding from before Unicode, in Latin-1 or
    /// windows-1252 if `western`, if a part of it is in UTF-8.
    pub(super) fn utf8_part(&self, western: bool) -> Option<Mixture> {
        let first = self.utf8.first_ill_formed?;
        let (run, score, least) = match western {
            true => (self.utf8.best_western, self.utf8.best_western.western, RUN_SCORE),
            false => {
                let chance = u64::BITS - self.utf8.ill_formed.leading_zeros();
                (self.utf8.best_legacy, self.utf8.best_legacy.legacy, RUN_SCORE + chance)
            }
        };
        let utf8 = Some(Scheme::Utf8);
        (score >= least).then_some(match run.start < first {
            true => Mixture { first: utf8, boundary: first, second: None },
            false => Mixture { first: None, boundary: run.start, second: utf8 },
        })
    }

    /// Returns the parts of a text with characters beyond ASCII and escape sequences of ISO-2022,
    /// if it has both.
    pub(super) fn escaped_part(&self) -> Option<Mixture> {
        let (escape, beyond_ascii) = (self.escape?, self.beyond_ascii?);
        let other = self.utf8.first_ill_formed.is_none().then_some(Scheme::Utf8);
        Some(match escape < beyond_ascii {
            true => Mixture { first: None, boundary: beyond_ascii, second: other },
            false => Mixture { first: other, boundary: escape, second: None },
        })
    }
}

/// Returns the number of bytes at the start of a text before its first NUL.
fn nul_free_len(text: &[u8]) -> usize {
    let steps = text.chunks(PRICED_BYTES).take_while(|step| !step.contains(&0));
    let len = steps.map(<[u8]>::len).sum();
    len + text[len..].iter().take_while(|byte| **byte != 0).count()
}

/// Returns the number of bytes at the start of a text that are plain in UTF-16, and how many of
/// their units are in Latin-1. The last plain segment is left out, so that a change of encoding
/// after it is priced.
fn plain_utf16_len(text: &[u8], leader: Leader) -> (usize, u64) {
    let (mut len, mut shown, mut more) = (0, 0, 0);
    for segment in text.as_chunks().0 {
        let Some(latin) = latin_units(segment, leader) else { break };
        (len, shown, more) = (len + PLAIN_SEGMENT_BYTES, shown + more, latin);
    }
    (len.saturating_sub(PLAIN_SEGMENT_BYTES), shown)
}

/// Returns the number of units in Latin-1, or `None` if the segment may not be UTF-16 as a whole:
/// if more than a few units have a high byte of 0x20 or more, as Han, kana, Hangul and two bytes of
/// text have; if more than two have a low byte of zero; or if one is NUL or a surrogate, which may
/// be unpaired.
fn latin_units(segment: &[u8; PLAIN_SEGMENT_BYTES], leader: Leader) -> Option<u64> {
    // Sums without an early exit, which LLVM vectorises.
    let (mut latin, mut zeros, mut nuls) = (0_u8, 0_u8, 0_u8);
    let (mut surrogates, mut others) = (0_u8, 0_u8);
    for &pair in segment.as_chunks::<2>().0 {
        let [low, high] = if leader == Leader::Le { pair } else { [pair[1], pair[0]] };
        latin += u8::from(high == 0);
        zeros += u8::from(low == 0);
        nuls += u8::from(pair == [0, 0]);
        surrogates += u8::from(high & 0xF8 == 0xD8);
        others += u8::from(high >= 0x20);
    }
    (others <= OTHER_UNITS && zeros <= 2 && nuls == 0 && surrogates == 0).then_some(latin.into())
}
