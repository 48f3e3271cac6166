//! Reads UTF-8 byte by byte. Computes its cost, and scores its runs of non-ASCII characters, which
//! other byte encodings would not have by chance.

use crate::unicode::likelihood::{self, Bits};

/// The cost of a byte that is ill-formed in UTF-8 after an ASCII byte.
pub(super) const ILL_FORMED_COST: Bits = 9;
/// The cost of a byte that is ill-formed in UTF-8 after a non-ASCII byte.
const ILL_FORMED_AGAIN_COST: Bits = 6;
/// The score in bits from which a run of UTF-8 is not a coincidence.
pub(super) const RUN_MIN_SCORE: Bits = 12;
/// The score of a lower-case ASCII letter beside a character of a run: the letters of a word are
/// usually of one script.
const WITHIN_WORD_SCORE: Bits = 9;

/// What a byte adds to the cost and the counts of a text in UTF-8.
#[derive(Clone, Copy)]
pub(super) struct Byte {
    pub(super) bits: Bits,
    /// The number of bytes that this byte shows to be ill-formed.
    pub(super) ill_formed: u32,
    pub(super) is_nul: bool,
    pub(super) follows_nul: bool,
    /// True if the byte is a control character that text does not have.
    pub(super) is_control: bool,
}

/// A sequence of well-formed non-ASCII characters of UTF-8, which may have ASCII between them, but
/// no ill-formed bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The byte offset of the first character.
    pub(super) start: u64,
    /// The bits that speak for UTF-8 and against Latin-1 or windows-1252.
    pub(super) western_score: Bits,
    /// The bits that speak for UTF-8 and against other legacy encodings.
    pub(super) legacy_score: Bits,
}

impl Run {
    const NONE: Self = Self { start: 0, western_score: 0, legacy_score: 0 };

    /// Returns the run with the higher `legacy_score`.
    fn max(self, other: Self) -> Self {
        if other.legacy_score > self.legacy_score { other } else { self }
    }
}

/// A reader of UTF-8, byte by byte.
#[derive(Clone, Debug)]
pub(super) struct Utf8Reader {
    /// The bytes of an incomplete character.
    sequence: [u8; 3],
    /// The number of bytes of the incomplete character.
    pub(super) len: u8,
    /// The two bytes before the character.
    before: [u8; 2],
    /// The byte before `last`. It may be 0x80 in place of another non-ASCII byte.
    pub(super) last_but_one: u8,
    /// The last byte before the incomplete character. It may be 0x80 in place of another non-ASCII
    /// byte.
    pub(super) last: u8,
    /// The run that may continue.
    pub(super) run: Run,
    /// The run with the highest `western_score` so far.
    pub(super) best_western: Run,
    /// The run with the highest `legacy_score` so far.
    pub(super) best_legacy: Run,
    /// The byte offset of the first ill-formed sequence.
    pub(super) first_ill_formed: Option<u64>,
    /// The number of ill-formed sequences.
    pub(super) ill_formed: u64,
}

impl Utf8Reader {
    pub(super) const START: Self = Self {
        sequence: [0; 3],
        len: 0,
        before: [b' '; 2],
        last_but_one: b' ',
        last: b' ',
        run: Run::NONE,
        best_western: Run::NONE,
        best_legacy: Run::NONE,
        first_ill_formed: None,
        ill_formed: 0,
    };

    /// Adds the byte at `at`.
    pub(super) fn push(&mut self, at: u64, byte: u8) -> Byte {
        let (is_nul, follows_nul) = (byte == 0, self.last == 0);
        let mut result = Byte { bits: 0, ill_formed: 0, is_nul, follows_nul, is_control: false };
        if self.len > 0 {
            let len = usize::from(self.len);
            let mut sequence = [0; 4];
            sequence[..len].copy_from_slice(&self.sequence[..len]);
            sequence[len] = byte;
            match (continues(sequence[0], len, byte), sequence_len(sequence[0]) == len + 1) {
                (true, true) => {
                    self.add_well_formed(at - len as u64, &sequence[..=len]);
                    result.bits = [10, 13, 16][len - 1];
                    (self.len, self.last_but_one, self.last) = (0, 0x80, byte);
                    return result;
                }
                (true, false) => {
                    self.sequence[len] = byte;
                    self.len += 1;
                    return result;
                }
                (false, _) => {
                    // The bytes of the sequence are ill-formed, and `byte` is examined below as a
                    // new start.
                    self.len = 0;
                    self.add_ill_formed(at - len as u64);
                    result.ill_formed = len as u32;
                    result.bits =
                        self.ill_formed_bits() + (len as Bits - 1) * ILL_FORMED_AGAIN_COST;
                    (self.last_but_one, self.last) = (0x80, 0x80);
                }
            }
        }
        match byte {
            0xC2..=0xF4 => {
                self.before = [self.last_but_one, self.last];
                self.sequence[0] = byte;
                self.len = 1;
            }
            0x80.. => {
                result.ill_formed += 1;
                result.bits += self.ill_formed_bits();
                self.add_ill_formed(at);
                (self.last_but_one, self.last) = (self.last, byte);
            }
            _ => {
                if !is_nul {
                    result.bits += Bits::from(likelihood::UTF8_COSTS[usize::from(byte)]);
                    result.is_control = likelihood::is_control(byte);
                }
                // Two letters are required, because one letter may be the second byte of a
                // character in Big5.
                let is_word = byte.is_ascii_lowercase() && self.last.is_ascii_lowercase();
                if is_word && !self.last_but_one.is_ascii() && self.run.legacy_score > 0 {
                    let score = self.run.legacy_score.saturating_add(WITHIN_WORD_SCORE);
                    self.run.legacy_score = score;
                    self.best_legacy = self.best_legacy.max(self.run);
                }
                (self.last_but_one, self.last) = (self.last, byte);
            }
        }
        result
    }

    /// Adds the non-ASCII character or the ill-formed sequence at the start of `text`, at the byte
    /// offset `at`, and returns its length. Returns 0 if `text` begins with ASCII or is too short.
    /// Does the same as [`push`](Self::push) for each byte, without its results.
    #[inline]
    pub(super) fn push_sequence(&mut self, at: u64, text: &[u8]) -> usize {
        let Some(&bytes) = text.first_chunk::<4>() else { return 0 };
        let lead = bytes[0];
        if self.len > 0 || lead.is_ascii() {
            return 0;
        }
        let max = if matches!(lead, 0xC2..=0xF4) { sequence_len(lead) } else { 1 };
        let is_part = |&len: &usize| continues(lead, len, bytes[len]);
        let len = 1 + (1..max).take_while(is_part).count();
        if len == max && max > 1 {
            self.before = [self.last_but_one, self.last];
            self.add_well_formed(at, &bytes[..len]);
            (self.last_but_one, self.last) = (0x80, bytes[len - 1]);
        } else {
            self.add_ill_formed(at);
            self.last_but_one = if max > 1 { 0x80 } else { self.last };
            self.last = 0x80;
        }
        len
    }

    /// Returns the cost of an ill-formed byte after the byte `last`.
    pub(super) fn ill_formed_bits(&self) -> Bits {
        if self.last < 0x80 { ILL_FORMED_COST } else { ILL_FORMED_AGAIN_COST }
    }

    /// Counts an ill-formed sequence at the byte offset `at`, which ends the run.
    fn add_ill_formed(&mut self, at: u64) {
        self.first_ill_formed.get_or_insert(at);
        self.ill_formed += 1;
        self.run = Run::NONE;
    }

    /// Adds a well-formed non-ASCII character at the byte offset `at` to the run.
    fn add_well_formed(&mut self, at: u64, sequence: &[u8]) {
        let run = &mut self.run;
        if run.legacy_score == 0 {
            run.start = at;
        }
        let score = western_score(self.before[1], sequence);
        run.western_score = run.western_score.saturating_add(score);
        let is_word = self.before[0].is_ascii() && self.before[1].is_ascii_lowercase();
        let word_score = if is_word { WITHIN_WORD_SCORE } else { 0 };
        let mark_score = if sequence == b"\xEF\xBB\xBF" { 2 * RUN_MIN_SCORE } else { 0 };
        let score = [3, 3, 10][sequence.len() - 2] + word_score + mark_score;
        run.legacy_score = run.legacy_score.saturating_add(score);
        if run.western_score > self.best_western.western_score {
            self.best_western = *run;
        }
        self.best_legacy = self.best_legacy.max(*run);
    }
}

/// Returns the number of bytes at the start of `text` before the first one that may begin a
/// non-ASCII character, and the number of non-ASCII bytes among them, each of which is ill-formed.
/// The last eight bytes of `text` are not examined.
pub(super) fn run_without_characters(text: &[u8]) -> (usize, u64) {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH_BITS: u64 = ONES << 7;
    let (mut len, mut ill_formed) = (0, 0);
    while let Some((bytes, &[after, ..])) = text[len..].split_first_chunk() {
        let word = u64::from_le_bytes(*bytes);
        let next = word >> 8 | u64::from(after) << 56;
        // A byte from 0xC0 on, before a byte of 0x80..=0xBF.
        let leads = word & word << 1 & next & !(next << 1) & HIGH_BITS;
        // All bits below the first lead byte's high bit.
        let before = (leads & leads.wrapping_neg()).wrapping_sub(1);
        ill_formed += ((word & HIGH_BITS & before) >> 7).wrapping_mul(ONES) >> 56;
        if leads != 0 {
            return (len + leads.trailing_zeros() as usize / 8, ill_formed);
        }
        len += 8;
    }
    (len, ill_formed)
}

/// Returns the number of bytes of a sequence that begins with `lead`.
fn sequence_len(lead: u8) -> usize {
    match lead {
        ..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    }
}

/// Returns true if `byte` continues a sequence of `len` bytes that begins with `lead`.
fn continues(lead: u8, len: usize, byte: u8) -> bool {
    match (len, lead) {
        (1, 0xE0) => matches!(byte, 0xA0..=0xBF),
        (1, 0xED) => matches!(byte, 0x80..=0x9F),
        (1, 0xF0) => matches!(byte, 0x90..=0xBF),
        (1, 0xF4) => matches!(byte, 0x80..=0x8F),
        _ => matches!(byte, 0x80..=0xBF),
    }
}

/// Returns the bits that speak for UTF-8 and against Latin-1 or windows-1252, for one non-ASCII
/// character after the byte `before`.
fn western_score(before: u8, sequence: &[u8]) -> Bits {
    match *sequence {
        // In windows-1252, these may be a letter with a quotation mark, as in `É»` and `„Ä“`, if no
        // letter precedes them.
        [_, 0x92..=0x94 | 0xA0 | 0xBB] if !before.is_ascii_alphabetic() => 2,
        // In Latin-1, this is a capital letter before a symbol, as in `Ã¼`.
        [0xC2..=0xC5, _] => RUN_MIN_SCORE,
        [_, _] => 4,
        // General punctuation, such as `’`, which is `â€™` in windows-1252, and the byte order
        // mark.
        [0xE2, 0x80..=0x84, _] | [0xEF, 0xBB, 0xBF] => RUN_MIN_SCORE,
        // In Latin-1, this may be `é »` with a no-break space.
        [_, 0xA0 | 0xBB | 0xAB | 0x92..=0x94, _] => 1,
        // Two such characters follow each other by chance in code pages for Cyrillic.
        [_, _, _] => 4,
        _ => RUN_MIN_SCORE,
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;
    use std::vec::Vec;

    use super::*;

    /// Sequences that are added at once leave the reader in the same state as their bytes.
    #[test]
    fn sequences_are_read_alike() {
        let usual = b"a .\xC3\xA9\xE0\xA0\x80\xED\xA0\xF0\x90\x80\xF4\x8F\xBF\xC2\xF5\xC0\xFF\xEF";
        let mut random = 1_u64;
        let bytes = core::iter::repeat_with(|| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            usual[(random >> 33) as usize % usual.len()]
        });
        let text: Vec<u8> = bytes.take(100_000).collect();
        let (mut one, mut other) = (Utf8Reader::START, Utf8Reader::START);
        let mut at = 0;
        while at < text.len() {
            let len = other.push_sequence(at as u64, &text[at..]);
            if len == 0 {
                other.push(at as u64, text[at]);
            }
            for (offset, &byte) in (at as u64..).zip(&text[at..at + len.max(1)]) {
                one.push(offset, byte);
            }
            at += len.max(1);
            // Bytes that the next one shows to be ill-formed are not counted yet.
            if one.len > 0 {
                continue;
            }
            let state = |reader: &Utf8Reader| {
                let Utf8Reader { len, last_but_one, last, first_ill_formed, ill_formed, .. } =
                    reader;
                let runs = [reader.run, reader.best_western, reader.best_legacy];
                let is_ascii = [last_but_one, last].map(|byte| byte.is_ascii().then_some(byte));
                format!("{len} {is_ascii:?} {first_ill_formed:?} {ill_formed} {runs:?}")
            };
            assert_eq!(state(&one), state(&other), "{:02X?}", &text[at.saturating_sub(8)..at]);
        }
    }

    /// Skipped bytes are ASCII, or ill-formed one by one.
    #[test]
    fn skipped_bytes_have_no_characters() {
        let usual = b"a .zb\xE9\xA9\xE0\xBF\xC2\xF5\xC0\xFF\xEF\x80";
        let mut random = 1_u64;
        let mut lens = 0;
        for _ in 0..10_000 {
            let text: [u8; 40] = core::array::from_fn(|_| {
                random =
                    random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                usual[(random >> 33) as usize % usual.len()]
            });
            let (len, ill_formed) = run_without_characters(&text);
            let mut count = 0;
            for part in text[..len].utf8_chunks() {
                assert!(part.valid().is_ascii() && part.invalid().len() <= 1, "{text:02X?}");
                count += part.invalid().len() as u64;
            }
            assert_eq!(count, ill_formed, "{text:02X?}");
            let is_near_end = len == 32;
            let may_begin = matches!(text[len..], [0xC0..=0xFF, 0x80..=0xBF, ..]);
            assert!(is_near_end || may_begin, "{len} of {text:02X?}");
            lens += len;
        }
        assert!(lens > 50_000, "{lens}");
    }

    #[test]
    fn sequences_are_those_of_std() {
        for lead in 0xC2..=0xF4 {
            for second in 0..=0xFF {
                for third in [0x7F, 0x80, 0xBF, 0xC0] {
                    let bytes = [lead, second, third, 0x80];
                    let len = sequence_len(lead);
                    let is_valid = (1..len).all(|i| continues(lead, i, bytes[i]));
                    assert_eq!(
                        std::str::from_utf8(&bytes[..len]).is_ok(),
                        is_valid,
                        "{bytes:02X?}"
                    );
                }
            }
        }
    }
}
