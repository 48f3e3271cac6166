//! UTF-8 read byte by byte: its price, and its runs beyond ASCII that other encodings in bytes
//! would not have by chance.

use crate::detect::likelihood::{self, Bits};

/// The costs of a byte that is ill-formed in UTF-8: after ASCII, and after another one.
pub(super) const ILL_FORMED: Bits = 9;
const ILL_FORMED_AGAIN: Bits = 6;
/// The score of a run of UTF-8 that is no coincidence, in bits.
pub(super) const RUN_SCORE: Bits = 12;
/// The score of a small letter of ASCII beside a character of a run: words are of one script.
const WITHIN_WORD: Bits = 9;

/// What a byte adds to a path of bytes.
#[derive(Clone, Copy)]
pub(super) struct Byte {
    pub(super) bits: Bits,
    pub(super) ill_formed: u32,
    pub(super) is_nul: bool,
    pub(super) follows_nul: bool,
    pub(super) is_control: bool,
}

/// A run of well-formed UTF-8 beyond ASCII, without ill-formed bytes between.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) start: u64,
    /// The score against Latin-1 and its like, and against other encodings.
    pub(super) western: Bits,
    pub(super) legacy: Bits,
}

impl Run {
    const NONE: Self = Self { start: 0, western: 0, legacy: 0 };

    /// Returns the run with the higher score against encodings other than Latin-1.
    fn max(self, other: Self) -> Self {
        if other.legacy > self.legacy { other } else { self }
    }
}

/// UTF-8 read byte by byte.
#[derive(Clone, Debug)]
pub(super) struct Utf8Reader {
    /// The bytes of a character so far.
    sequence: [u8; 3],
    pub(super) len: u8,
    /// The bytes before the character.
    before: [u8; 2],
    /// The last two bytes.
    pub(super) last_but_one: u8,
    pub(super) last: u8,
    pub(super) run: Run,
    pub(super) best_western: Run,
    pub(super) best_legacy: Run,
    pub(super) first_ill_formed: Option<u64>,
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
            match core::str::from_utf8(&sequence[..=len]) {
                Ok(_) => {
                    self.well_formed(at - len as u64, &sequence[..=len]);
                    result.bits = [10, 13, 16][len - 1];
                    (self.len, self.last_but_one, self.last) = (0, 0x80, byte);
                    return result;
                }
                Err(error) if error.error_len().is_none() => {
                    self.sequence[len] = byte;
                    self.len += 1;
                    return result;
                }
                Err(_) => {
                    // Its bytes are ill-formed, and this one begins anew.
                    self.len = 0;
                    self.ill_formed(at - len as u64);
                    result.ill_formed = len as u32;
                    result.bits = self.ill_formed_bits() + (len as Bits - 1) * ILL_FORMED_AGAIN;
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
                self.ill_formed(at);
                (self.last_but_one, self.last) = (self.last, byte);
            }
            _ => {
                if !is_nul {
                    result.bits += Bits::from(likelihood::UTF8[usize::from(byte)]);
                    result.is_control = likelihood::is_control(byte);
                }
                // Two letters: one may be the second byte of a character in Big5.
                let is_word = byte.is_ascii_lowercase() && self.last.is_ascii_lowercase();
                if is_word && !self.last_but_one.is_ascii() && self.run.legacy > 0 {
                    self.run.legacy = self.run.legacy.saturating_add(WITHIN_WORD);
                    self.best_legacy = self.best_legacy.max(self.run);
                }
                (self.last_but_one, self.last) = (self.last, byte);
            }
        }
        result
    }

    /// Returns the cost of an ill-formed byte after the last one.
    pub(super) fn ill_formed_bits(&self) -> Bits {
        if self.last < 0x80 { ILL_FORMED } else { ILL_FORMED_AGAIN }
    }

    /// Ends the run before an ill-formed sequence at `at`.
    fn ill_formed(&mut self, at: u64) {
        self.first_ill_formed.get_or_insert(at);
        self.ill_formed += 1;
        self.run = Run::NONE;
    }

    /// Adds a well-formed character beyond ASCII to the run.
    fn well_formed(&mut self, at: u64, sequence: &[u8]) {
        let run = &mut self.run;
        if run.legacy == 0 {
            run.start = at;
        }
        run.western = run.western.saturating_add(western_score(self.before[1], sequence));
        let is_word = self.before[0].is_ascii() && self.before[1].is_ascii_lowercase();
        let word = if is_word { WITHIN_WORD } else { 0 };
        let mark = if sequence == b"\xEF\xBB\xBF" { 2 * RUN_SCORE } else { 0 };
        run.legacy = run.legacy.saturating_add([3, 3, 10][sequence.len() - 2] + word + mark);
        if run.western > self.best_western.western {
            self.best_western = *run;
        }
        self.best_legacy = self.best_legacy.max(*run);
    }
}

/// Returns the bits that speak for UTF-8 and against a text in Latin-1 or windows-1252, by one
/// character beyond ASCII after the byte `before`.
fn western_score(before: u8, sequence: &[u8]) -> Bits {
    match *sequence {
        // `É»` and `„Ä“` are letters with a quotation mark, where no letter is before them.
        [_, 0x92..=0x94 | 0xA0 | 0xBB] if !before.is_ascii_alphabetic() => 2,
        // `Ã¼`: a capital letter before a sign.
        [0xC2..=0xC5, _] => RUN_SCORE,
        [_, _] => 4,
        // `â€™` and the byte order mark.
        [0xE2, 0x80..=0x84, _] | [0xEF, 0xBB, 0xBF] => RUN_SCORE,
        // `é »` with a no-break space.
        [_, 0xA0 | 0xBB | 0xAB | 0x92..=0x94, _] => 1,
        // Two follow each other by chance in pages for Cyrillic.
        [_, _, _] => 4,
        _ => RUN_SCORE,
    }
}
