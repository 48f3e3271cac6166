//! The parts of a text that tell code pages apart: the words with non-ASCII bytes, and ASCII words,
//! which tell languages apart.

use std::ops::Range;

use crate::structure::SCREENED_BYTES;

/// The number of bytes of words that are examined.
const WORDS_MAX_BYTES: usize = 640;
/// The number of bytes of ASCII words that are examined.
const ASCII_MAX_BYTES: usize = 128;

/// The number of bytes of an ASCII word that are examined.
const ASCII_WORD_MAX_BYTES: usize = 32;

/// The number of times that a byte counts at most as a word of its own.
const SINGLE_MAX: u32 = 2;
/// The number of times that a byte counts that is only outside of the examined words.
pub(super) const RARE_COUNT: u32 = 2;

/// The words of a text.
pub(super) struct Words {
    /// How often each byte occurs in the words.
    pub(super) counts: [u32; 256],
    /// The words with non-ASCII bytes, each with the byte before and the byte after it.
    pub(super) bytes: Vec<u8>,
    /// The offset in `bytes` of the end of each word.
    pub(super) ends: Vec<u32>,
    /// The number of ASCII bytes in `bytes`.
    pub(super) ascii_bytes: u32,
    /// ASCII words of more than two letters, each with a space before and after it.
    pub(super) ascii: Vec<u8>,
    /// The offset in the text of the end of the last examined word.
    pub(super) read: usize,
    /// The number of the first words that have [`SCREENED_BYTES`], and the offset in the text of
    /// their end.
    pub(super) start: Option<(usize, usize)>,
    /// The number of ASCII words outside of tags.
    pub(super) ascii_words: u32,
    /// The number of pairs of an ASCII letter and a non-ASCII byte, in any order.
    pub(super) mixed_pairs: u32,
    /// The bytes that are in none of the words.
    pub(super) rare: Vec<u8>,
    /// The bytes that tell code pages apart, in the words and elsewhere: those that are not ASCII,
    /// or, of EBCDIC, all.
    pub(super) used: Vec<u8>,
}

/// Returns true for a byte of a word: a letter of ASCII, or a non-ASCII byte.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || !byte.is_ascii()
}

/// Returns the number of ASCII bytes at the start of `text`.
fn ascii_len(text: &[u8]) -> usize {
    let (chunks, _) = text.as_chunks::<8>();
    let len = 8 * chunks.iter().take_while(|chunk| chunk.is_ascii()).count();
    len + text[len..].iter().take_while(|byte| byte.is_ascii()).count()
}

/// Returns the number of words in `ascii`.
fn count_words(ascii: &[u8]) -> u32 {
    let Some((first, after)) = ascii.split_first() else { return 0 };
    // The sums of 255 bytes fit into a byte, so LLVM vectorises the loop.
    let starts = |(before, at): (&[u8], &[u8])| {
        let is_start =
            |(before, at): (&u8, &u8)| at.is_ascii_alphabetic() & !before.is_ascii_alphabetic();
        u32::from(before.iter().zip(at).fold(0_u8, |sum, pair| sum + u8::from(is_start(pair))))
    };
    let sum: u32 = ascii.chunks(255).zip(after.chunks(255)).map(starts).sum();
    sum + u32::from(first.is_ascii_alphabetic())
}

impl Words {
    /// Reads the words of a text in a code page with ASCII.
    pub(super) fn new(text: &[u8]) -> Self {
        let mut words = Self::empty();
        let (mut at, mut in_tag) = (0, false);
        while at < text.len() && words.bytes.len() < WORDS_MAX_BYTES {
            let ascii = &text[at..at + ascii_len(&text[at..])];
            let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
            let len = match at + ascii.len() < text.len() {
                true => ascii.len() - ascii.iter().rev().take_while(is_letter).count(),
                false => ascii.len(),
            };
            words.read_ascii(&text[at..], len, &mut in_tag);
            at += len;
            let len = text[at..].iter().take_while(|&&byte| is_word_byte(byte)).count();
            let word = &text[at..at + len.min(WORDS_MAX_BYTES)];
            let before = if at == 0 { b' ' } else { text[at - 1] };
            at += word.len();
            match word {
                [] => break,
                // Single bytes may be lines of frames as well as words.
                [byte] if words.counts[usize::from(*byte)] >= SINGLE_MAX => continue,
                _ => words.push(before, word, text.get(at).copied().unwrap_or(b' ')),
            }
            words.read = at;
            if words.start.is_none() && words.bytes.len() >= SCREENED_BYTES {
                words.start = Some((words.ends.len(), at));
            }
            let mixed = word.windows(2).filter(|pair| pair[0].is_ascii() != pair[1].is_ascii());
            words.mixed_pairs += mixed.count() as u32;
            if word.len() < len {
                break;
            }
        }
        words.find_rare(&text[at..], 0x80);
        words
    }

    /// Reads the first `len` bytes of `text`: ASCII without parts of other words. `in_tag` is true
    /// in a tag of HTML.
    fn read_ascii(&mut self, text: &[u8], len: usize, in_tag: &mut bool) {
        let ascii = &text[..len];
        let has_tag = || ascii.iter().fold(*in_tag, |has_tag, &byte| has_tag | (byte == b'<'));
        if self.ascii.len() >= ASCII_MAX_BYTES && !has_tag() {
            self.ascii_words += count_words(ascii);
            return;
        }
        let mut at = 0;
        while let Some(&byte) = ascii.get(at) {
            let word_len = ascii[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            self.push_ascii(&ascii[at..at + word_len], *in_tag);
            *in_tag = match byte {
                b'<' => text
                    .get(at + 1)
                    .is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, b'/' | b'!')),
                b'>' => false,
                _ => *in_tag,
            };
            at += word_len.max(1);
        }
    }

    /// Returns a word, with the byte before and the byte after it.
    pub(super) fn word(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.bytes[start..self.ends[index] as usize]
    }

    /// Returns some words.
    pub(super) fn iter(&self, range: Range<usize>) -> impl Iterator<Item = &[u8]> + Clone {
        range.map(|index| self.word(index))
    }

    /// Adds an ASCII word, which may be empty.
    fn push_ascii(&mut self, word: &[u8], in_tag: bool) {
        self.ascii_words += u32::from(!in_tag && !word.is_empty());
        if word.len() > 2 && !in_tag && self.ascii.len() < ASCII_MAX_BYTES {
            self.ascii.push(b' ');
            let start = &word[..word.len().min(ASCII_WORD_MAX_BYTES)];
            self.ascii.extend(start.iter().map(u8::to_ascii_lowercase));
            self.ascii.push(b' ');
        }
    }

    /// Returns the words of a text in EBCDIC, where all bytes tell code pages apart.
    pub(super) fn in_ebcdic(text: &[u8]) -> Self {
        const SPACE: u8 = 0x40;
        let mut words = Self::empty();
        let (start, rest) = text.split_at(text.len().min(WORDS_MAX_BYTES));
        for word in start.split(|&byte| byte == SPACE).filter(|word| !word.is_empty()) {
            words.push(SPACE, word, SPACE);
        }
        words.read = start.len();
        words.find_rare(rest, 0);
        words
    }

    fn empty() -> Self {
        Self {
            counts: [0; 256],
            bytes: Vec::with_capacity(WORDS_MAX_BYTES + 64),
            ends: Vec::with_capacity(WORDS_MAX_BYTES / 4),
            ascii_bytes: 0,
            ascii: Vec::new(),
            read: 0,
            start: None,
            ascii_words: 0,
            mixed_pairs: 0,
            rare: Vec::new(),
            used: Vec::with_capacity(256),
        }
    }

    /// Returns true if two of the words differ, without case of ASCII letters, if one of them has
    /// more than one byte, and if they have two different non-ASCII bytes. No-break spaces and soft
    /// hyphens (0xA0 and 0xAD in most pages) do not count.
    pub(super) fn are_different(&self) -> bool {
        let is_letter = |&byte: &usize| self.counts[byte] > 0 && byte != 0xA0 && byte != 0xAD;
        if (0x80..=0xFF).filter(is_letter).count() < 2 {
            return false;
        }
        let mut words = self.iter(0..self.ends.len()).map(|word| &word[1..word.len() - 1]);
        let has_long_word = words.clone().any(|word| word.len() > 1);
        let Some(first) = words.next() else { return false };
        has_long_word && words.any(|word| !word.eq_ignore_ascii_case(first))
    }

    /// Returns the share of the bytes of the words that belong to different words. A word counts
    /// once, or rarely not at all.
    pub(super) fn different_share(&self) -> f32 {
        let mut seen = [0_u64; 64];
        let mut different = 0;
        for word in self.iter(0..self.ends.len()).map(|word| &word[1..word.len() - 1]) {
            let sum = word.iter().fold(0_u32, |sum, &byte| {
                (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193).rotate_left(5)
            });
            let (index, bit) = (sum as usize / 64 % 64, 1 << (sum % 64));
            if seen[index] & bit == 0 {
                different += word.len();
            }
            seen[index] |= bit;
        }
        let all = self.bytes.len() - 2 * self.ends.len();
        different as f32 / all.max(1) as f32
    }

    /// Finds the bytes from `first` on that are only in `rest`, after the examined words, and lists
    /// all bytes of the text from `first` on.
    fn find_rare(&mut self, rest: &[u8], first: u8) {
        let mut has = [false; 256];
        // The compiler unrolls the loop over a chunk.
        let (chunks, tail) = rest.as_chunks::<8>();
        chunks
            .iter()
            .for_each(|chunk| chunk.iter().for_each(|&byte| has[usize::from(byte)] = true));
        tail.iter().for_each(|&byte| has[usize::from(byte)] = true);
        for byte in first..=0xFF {
            let count = &mut self.counts[usize::from(byte)];
            if has[usize::from(byte)] && *count == 0 {
                *count = RARE_COUNT;
                self.rare.push(byte);
            }
            if *count > 0 {
                self.used.push(byte);
            }
        }
    }

    fn push(&mut self, before: u8, word: &[u8], after: u8) {
        let (mut last, mut last_but_one) = (before, before);
        // The byte after the word is ASCII too.
        let mut ascii_bytes = 1;
        self.bytes.push(before);
        for &byte in word {
            // A longer run of one byte, such as a line of a frame, tells no more than a short one.
            if byte != last || byte != last_but_one {
                self.bytes.push(byte);
                self.counts[usize::from(byte)] += 1;
                ascii_bytes += u32::from(byte.is_ascii());
            }
            (last_but_one, last) = (last, byte);
        }
        self.bytes.push(after);
        self.ascii_bytes += ascii_bytes;
        self.ends.push(self.bytes.len() as u32);
    }
}
