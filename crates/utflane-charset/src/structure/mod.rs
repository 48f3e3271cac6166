//! Recognises East Asian encodings, and UTF-7, by the structure of their bytes, and measures how
//! plausible the characters are.
//!
//! [`examine`] reads a text in each of these encodings at once and returns those that it may be in:
//! with the number of errors, the number of characters, and their cost in bits.
//!
//! # Costs
//!
//! The cost of a character is `-log2` of its probability in the language, given the class of the
//! character before it: ASCII letter, other ASCII, punctuation, full-width letter, hiragana,
//! katakana, other sign, half-width katakana, common ideograph or syllable, and all others.
//! [`Structure::bits`] is the sum for all characters that are not ASCII; it covers
//! [`Structure::bytes`] bytes. ASCII costs nothing. An error costs 24 bits, an incomplete character
//! at the end 6 bits. Encodings that are hardly used, EUC-TW and Johab, cost 8 bits more.
//!
//! Letters of Greek and Russian are in most of these sets. They cost 7 bits each after another one,
//! and a text in which they are the majority is in their language.
//!
//! In most of these encodings, the second byte of a character may be an ASCII letter, which another
//! encoding would leave as ASCII, free of charge. So the costs of two encodings must be compared
//! over the same bytes. [`Structure::net_bits`] subtracts for each such byte what an ASCII byte
//! costs, and can be compared with the cost of all non-ASCII bytes in a single-byte encoding.
//!
//! Of prose in an encoding of its language, a non-ASCII byte costs 4 to 6 bits. For parts of 20
//! bytes of texts that are no part of the tables it is 4.6 to 5.8 bits in the median, and less than
//! 9 in 19 of 20. Of single-byte text that happens to be well-formed, it costs 8 to 11 bits where
//! most letters are not ASCII (Russian, Greek, Hebrew, Thai), and 17 where few are (German,
//! Polish). As a single-byte text costs about 4 bits a letter in its own language, the difference
//! decides after a few letters.
//!
//! # How to use it
//!
//! * A sample should begin where a line begins, and contain the first non-ASCII byte. It may end
//!   anywhere: [`Structure::is_cut`] is true if it ends inside a character, which is an error only
//!   if the text ends there too.
//! * The answers are in the order of their costs, the most plausible one first. The caller compares
//!   the first one with its other candidates by `net_bits`.
//! * The encodings of 7 bits are returned only for ASCII text, and only if escape sequences or
//!   shifts make it one, so no further comparison is needed.
//! * Of `iso-2022-kr`, `iso-2022-cn`, `hz`, `johab`, `euc-tw`, `utf-7`, and of `iso-2022-jp-1`,
//!   `-2`, `-3` and `-2004`, there may be no decoder.

mod costs;
mod double_byte;
mod escapes;
mod forms;
#[cfg(test)]
mod prose;
mod tally;
#[cfg(test)]
mod tests;
mod utf7;

/// What a text has in one encoding.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Structure {
    /// The name of the encoding in lower case.
    pub(crate) encoding: &'static str,
    /// The language that the costs are of, as a code of ISO 639; `None` for UTF-7.
    pub(crate) language: Option<&'static str>,
    /// The number of ill-formed sequences and of unassigned characters.
    pub(crate) errors: usize,
    /// The number of bytes before the first error, or before an incomplete character at the end.
    pub(crate) valid_up_to: usize,
    /// The number of characters that are not ASCII.
    pub(crate) characters: usize,
    /// The number of different ones among them, which is at most 64, or a few less.
    pub(crate) different: usize,
    /// The number of bytes of these characters.
    pub(crate) bytes: usize,
    /// The number of these bytes that are ASCII. It has no meaning for encodings of 7 bits.
    pub(crate) ascii_bytes: usize,
    /// The cost of these characters and of the errors, in bits.
    pub(crate) bits: u32,
    /// True if the text ends inside a character.
    pub(crate) is_cut: bool,
}

/// The cost in bits of an ASCII byte in text.
const ASCII_BITS: i64 = 4;

impl Structure {
    /// Returns the cost in bits, less the cost of the bytes that are ASCII in other encodings.
    pub(crate) fn net_bits(&self) -> i64 {
        i64::from(self.bits) - ASCII_BITS * self.ascii_bytes as i64
    }
}

/// The number of bytes from the first non-ASCII byte on, or of words with such bytes, that decide
/// which encodings are read to the end.
pub(crate) const SCREENED_BYTES: usize = 128;
/// The number of bits by which an encoding must be less plausible in these bytes than the most
/// plausible one to be left out.
const CLEAR_BITS: i64 = 64;

/// Returns the encodings that `text` may be in, the most plausible one first: one error is allowed,
/// and another one for each 32 characters. ASCII without escape sequences is in none of them.
///
/// Encodings that are far less plausible in the start of a long text than another one are left out.
/// `start` has the number of bytes of such a start that ends with a word, and what it costs in bits
/// in a code page. Without it, the start ends 128 bytes after the first non-ASCII byte.
///
/// Each encoding is given up at the first error too many. It takes one to three nanoseconds a byte.
pub(crate) fn examine(text: &[u8], start: Option<(usize, i64)>) -> Vec<Structure> {
    let Some(first) = find(text, |byte| !byte.is_ascii()) else {
        let readers = [escapes::read_iso_2022, escapes::read_hz, utf7::read];
        return sort(readers.iter().filter_map(|read| read(text)).collect());
    };
    let mut encodings = double_byte::ENCODINGS.to_vec();
    if text.len() - first > 2 * SCREENED_BYTES {
        let (len, page_bits) = start.unwrap_or((first + SCREENED_BYTES, i64::MAX));
        let costs = encodings.iter().map(|encoding| Some(encoding.read(&text[..len])?.net_bits()));
        let costs = costs.collect::<Vec<_>>();
        let least = costs.iter().flatten().fold(page_bits, |least, &bits| least.min(bits));
        let mut costs = costs.iter();
        encodings.retain(|_| {
            costs.next().is_some_and(|bits| bits.is_some_and(|bits| bits - CLEAR_BITS < least))
        });
    }
    sort(encodings.iter().filter_map(|encoding| encoding.read(text)).collect())
}

/// Returns the cost in bits of the non-ASCII bytes of `text` in an encoding, and their number. The
/// text may begin inside a character. The cost is great if `text` is not in this encoding.
pub(crate) fn cost_of(encoding: &str, text: &[u8]) -> (f32, usize) {
    let encoding = double_byte::ENCODINGS.iter().find(|found| found.has_name(encoding));
    let starts = [text, text.get(1..).unwrap_or_default()].into_iter();
    let found = starts.filter_map(|text| encoding?.read(text)).min_by_key(Structure::net_bits);
    found.map_or((100.0, 1), |found| (found.net_bits() as f32, found.bytes))
}

/// Returns `found` with the most plausible encoding first.
fn sort(mut found: Vec<Structure>) -> Vec<Structure> {
    found.sort_by_key(Structure::net_bits);
    found
}

/// Returns the offset of the first byte in `text` that `is_wanted`. Chunks without any are searched
/// by vectors.
fn find(text: &[u8], is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let (chunks, tail) = text.as_chunks::<64>();
    let is_without = |chunk: &&[u8; 64]| {
        chunk.iter().fold(0, |found, &byte| found | u8::from(is_wanted(byte))) == 0
    };
    let start = 64 * chunks.iter().take_while(is_without).count();
    let near = if start / 64 < chunks.len() { &text[start..] } else { tail };
    Some(start + near.iter().position(|&byte| is_wanted(byte))?)
}
