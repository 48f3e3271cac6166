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
//! [`Structure::bytes`] bytes. ASCII costs nothing. An error costs 24 bits.
//!
//! In most of these encodings, the second byte of a character may be an ASCII letter, which another
//! encoding would leave as ASCII, free of charge. So the costs of two encodings must be compared
//! over the same bytes. [`Structure::net_bits`] subtracts for each such byte what an ASCII byte
//! costs, and can be compared with the cost of all non-ASCII bytes in a single-byte encoding.
//!
//! Of a text in its own language, a character costs 6 to 11 bits in the mean, a byte 3 to 5.5. Of a
//! text in another encoding, a character costs 14 to 20 bits.
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
    /// The number of bytes of these characters.
    pub(crate) bytes: usize,
    /// The number of these bytes that are ASCII.
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

/// Returns the encodings that `text` may be in, the most plausible one first: one error is allowed,
/// and another one for each 32 characters. ASCII without escape sequences is in none of them.
///
/// Each encoding is read once, and given up at the first error too many. An encoding takes about a
/// nanosecond a byte, ASCII less.
pub(crate) fn examine(text: &[u8]) -> Vec<Structure> {
    let mut found: Vec<Structure> = if text.is_ascii() {
        [escapes::read_iso_2022, escapes::read_hz, utf7::read]
            .iter()
            .filter_map(|read| read(text))
            .collect()
    } else {
        let read = |encoding: &&double_byte::DoubleByte| encoding.read(text);
        double_byte::ENCODINGS.iter().filter_map(read).collect()
    };
    found.sort_by_key(Structure::net_bits);
    found
}
