//! Recognises code pages by the languages that are written in them.

mod names;
mod tables;
mod words;

use std::ops::Range;

use utflane::code_page::CodePage;

pub(crate) use self::names::known_code;
pub use self::names::{language_codes, name_of_language};
use self::tables::{
    CONTROL, LANGUAGES_MAX, Language, Page, Pair, SPACE, STEPS_PER_BIT, SYMBOL, TABLES, Tables,
};
use self::words::{RARE_COUNT, Words};

/// The cost of an ASCII byte in bits, as in [`structure`](crate::structure).
const ASCII_BITS: u32 = 4;

/// The number of pairs of bytes that are examined in all candidates together.
const WORK_PAIRS: usize = 2500;

/// A code page and a language that a text may be in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) page: &'static CodePage,
    pub(crate) language: &'static str,
    /// The cost of the words with non-ASCII bytes, less the cost of their ASCII bytes, in bits.
    pub(crate) bits: f32,
    /// The indexes of the page and of the language.
    index: u8,
    language_index: u8,
}

/// What a text may be in, if it is in a code page.
pub(crate) struct Examination {
    /// The candidates, the most plausible one first, with one language for each page.
    pub(crate) candidates: Vec<Candidate>,
    /// The number of bytes at the start of the text that contain the examined words.
    pub(crate) read: usize,
    /// The number of bytes of the start of a long text that is not in EBCDIC, and the cost in bits
    /// of its words in the most plausible candidate.
    pub(crate) start: Option<(usize, i64)>,
    /// The number of bytes that are not ASCII in these words; of EBCDIC, of all bytes.
    pub(crate) bytes: usize,
    /// The cost in bits of letters that are not Latin beside those of ASCII, for a multi-byte
    /// encoding.
    pub(crate) foreign_bits: f32,
    /// The cost in bits of the words if they were random bytes.
    pub(crate) noise_bits: f32,
    /// True if the text has several different words with several different non-ASCII bytes.
    pub(crate) has_different_words: bool,
    /// The share of the bytes of the words that belong to different words.
    pub(crate) different_share: f32,
    words: Words,
}

impl Examination {
    /// Returns true if two different bytes of the text that are not ASCII are letters, quotation
    /// marks or dashes in a candidate, and not symbols or parts of frames. Of EBCDIC, all bytes
    /// count.
    pub(crate) fn has_different_letters(&self, candidate: &Candidate) -> bool {
        let bytes = &TABLES.pages[usize::from(candidate.index)].bytes;
        let language = &TABLES.languages[usize::from(candidate.language_index)];
        let is_letter = |byte: &&u8| {
            let character = bytes[usize::from(**byte)].character;
            !matches!(language.class_of[usize::from(character)], SPACE | SYMBOL..=CONTROL)
        };
        self.words.used.iter().filter(is_letter).take(2).count() == 2
    }

    /// Returns true if two pages have the same characters for the bytes of the text.
    pub(crate) fn are_equal(&self, one: &Candidate, other: &Candidate) -> bool {
        // Only the bytes from 0x80 on are compared below.
        if one.page.is_ascii_compatible() != other.page.is_ascii_compatible() {
            return false;
        }
        let [one, other] = [one, other].map(|of| &TABLES.pages[usize::from(of.index)].bytes);
        let mut used = self.words.used.iter().map(|&byte| usize::from(byte));
        used.all(|byte| one[byte].character == other[byte].character)
    }
}

/// Examines a text. `declared` is a page that is a candidate in any case.
pub(crate) fn examine(text: &[u8], declared: Option<&CodePage>) -> Examination {
    let tables = &*TABLES;
    let (mut found, words) = rank(text, declared);
    found.sort_by_key(|&(pair, steps)| (steps, pair.page));
    let mut seen = [false; 256];
    found.retain(|(pair, _)| !std::mem::replace(&mut seen[usize::from(pair.page)], true));
    let candidates: Vec<_> = found
        .iter()
        .map(|&(pair, steps)| Candidate {
            page: tables.pages[usize::from(pair.page)].page,
            language: tables.languages[usize::from(pair.language)].code,
            bits: steps as f32 / STEPS_PER_BIT as f32,
            index: pair.page,
            language_index: pair.language,
        })
        .collect();
    let start = words.start.zip(candidates.first()).map(|((number, len), best)| {
        let (bits, _) = best.cost(&words, 0..number, usize::MAX);
        (len, bits as i64)
    });
    let bytes = words.bytes.len().saturating_sub(words.ascii_bytes as usize + words.ends.len());
    let ascii_letters = words.ascii_bytes as usize - words.ends.len();
    Examination {
        candidates,
        read: words.read,
        start,
        bytes,
        noise_bits: (8 * bytes + (8 - ASCII_BITS as usize) * ascii_letters) as f32,
        foreign_bits: (words.other_steps() as u32 + words.mixed_pairs * EAST_ASIAN_PAIR_STEPS)
            as f32
            / STEPS_PER_BIT as f32,
        has_different_words: words.are_different(),
        different_share: words.different_share(),
        words,
    }
}

/// Returns the candidates of a text with their costs, and the words of the cheapest one.
fn rank(text: &[u8], declared: Option<&CodePage>) -> (Vec<(Pair, i32)>, Words) {
    let tables = &*TABLES;
    let ebcdic = is_like_ebcdic(text).then(|| Words::in_ebcdic(text));
    let ebcdic = ebcdic.map(|words| (tables.rank_ebcdic(&words), words));
    let (in_ebcdic, ebcdic_words) = match ebcdic {
        Some((found, words)) if declared.is_none() && is_clear_ebcdic(&found, &words) => {
            return (found, words);
        }
        Some(ebcdic) => ebcdic,
        None => {
            let words = Words::new(text);
            return (tables.rank(&words, declared), words);
        }
    };
    let words = Words::new(text);
    let found = tables.rank(&words, declared);
    let least = |found: &[(Pair, i32)]| found.iter().map(|found| found.1).min();
    let is_cheaper = least(&in_ebcdic) < least(&found);
    let words = if is_cheaper { ebcdic_words } else { words };
    ([found, in_ebcdic].concat(), words)
}

/// The number of non-ASCII bytes of a part whose cost is computed; of EBCDIC, of all bytes.
const PART_BYTES: usize = 64;

impl Candidate {
    /// Returns the costs in bits of the first and the last words with non-ASCII bytes, each with
    /// the number of these bytes. `end` is the end of the text if it is not among the examined
    /// words.
    pub(crate) fn costs_of_ends(&self, pages: &Examination, end: &[u8]) -> [(f32, usize); 2] {
        let number = pages.words.ends.len();
        let start = self.cost(&pages.words, 0..number / 2, PART_BYTES);
        let end = match end {
            [] => self.cost(&pages.words, (number.div_ceil(2)..number).rev(), PART_BYTES),
            _ if TABLES.pages[usize::from(self.index)].is_ebcdic => start,
            _ => {
                let words = Words::new(end);
                self.cost(&words, (0..words.ends.len()).rev(), PART_BYTES)
            }
        };
        [start, end]
    }

    /// Returns the cost in bits of the words with these indexes, and the number of their bytes. The
    /// words after `max_bytes` are not counted.
    fn cost(
        &self,
        words: &Words,
        indexes: impl Iterator<Item = usize>,
        max_bytes: usize,
    ) -> (f32, usize) {
        let page = &TABLES.pages[usize::from(self.index)];
        let language = &TABLES.languages[usize::from(self.language_index)];
        let (mut steps, mut bytes) = (0, 0);
        for index in indexes {
            let word = words.word(index);
            let ascii =
                if page.is_ebcdic { 0 } else { word.iter().filter(|b| b.is_ascii()).count() };
            steps += word_steps(page, language, word) as i32;
            steps -= (ascii * (ASCII_BITS * STEPS_PER_BIT) as usize) as i32;
            bytes += word.len() - ascii;
            if bytes >= max_bytes {
                break;
            }
        }
        (steps as f32 / STEPS_PER_BIT as f32, bytes)
    }
}

/// The number of bytes from which a text may be in EBCDIC. Fewer are letters there by chance.
const EBCDIC_MIN_BYTES: usize = 12;

/// Returns true if a text may be in EBCDIC: it has spaces of EBCDIC and hardly any of ASCII.
pub(crate) fn is_like_ebcdic(text: &[u8]) -> bool {
    let sample = &text[..text.len().min(1024)];
    let count = |wanted: u8| count_bytes(sample, |byte| byte == wanted);
    let (ebcdic, ascii) = (count(0x40), count(b' ') + count(b'\n'));
    let letters = || count_bytes(sample, |byte| (byte > 0x80) | (byte == 0x40));
    let has_spaces = ebcdic * 24 >= sample.len() || ebcdic > 0 && letters() * 2 >= sample.len();
    // A few words of EBCDIC may have no spaces.
    let is_short = || sample.len() < 64 && ascii == 0 && letters() * 8 >= sample.len() * 5;
    text.len() >= EBCDIC_MIN_BYTES && (ebcdic > 4 * ascii && has_spaces || is_short())
}

/// Returns true if words are clearly text in EBCDIC: the best of the candidates `found` is cheap.
fn is_clear_ebcdic(found: &[(Pair, i32)], words: &Words) -> bool {
    let Some(least) = found.iter().map(|found| found.1).min() else { return false };
    let ascii_bits = words.ascii_bytes * (ASCII_BITS + UNUSUAL_ASCII_BITS);
    let bits = least / STEPS_PER_BIT as i32 + ascii_bits as i32;
    let len = words.bytes.len() as i32;
    len >= CLEAR_EBCDIC_MIN_BYTES && bits < len * CLEAR_EBCDIC_BITS
}

/// Returns the number of bytes for which `is_counted` is true.
pub(crate) fn count_bytes(text: &[u8], is_counted: impl Fn(u8) -> bool) -> usize {
    // The sums of 255 bytes fit into a byte, so LLVM vectorises the loop.
    let sum = |part: &[u8]| part.iter().fold(0_u8, |sum, &byte| sum + u8::from(is_counted(byte)));
    text.chunks(255).map(|part| usize::from(sum(part))).sum()
}

/// The states of case: after no letter, after a small letter, after the first capital of a word,
/// after a further capital, after a letter without case.
const AFTER_OTHER: usize = 0;

/// The cost of a character in steps by the state and its own case, and the next state.
const CASES: [[(u8, u8); 4]; 5] = [
    [(0, 0), (6, 1), (40, 2), (0, 4)],
    [(0, 0), (0, 1), (110, 2), (60, 4)],
    [(8, 0), (4, 1), (40, 3), (60, 4)],
    [(0, 0), (50, 1), (3, 3), (60, 4)],
    [(0, 0), (60, 1), (60, 2), (0, 4)],
];

impl Tables {
    /// Returns the most plausible candidates with their costs.
    fn rank(&self, words: &Words, declared: Option<&CodePage>) -> Vec<(Pair, i32)> {
        let by_language = self.ascii_steps(words);
        let mut found = self.compare(words, self.select(words, &by_language), STAGES);
        if let Some(declared) = declared {
            let is_declared = |pair: &&Pair| self.pages[usize::from(pair.page)].page == declared;
            let pairs = self.pairs[0].iter().filter(is_declared);
            let scores = pairs.map(|pair| Score::new(pair, &by_language));
            found.extend(self.compare(words, scores.collect(), STAGES));
        }
        found
    }

    /// Returns the cost of the ASCII words in each language. They are evidence for a language, but
    /// they may be in another one.
    fn ascii_steps(&self, words: &Words) -> [i32; LANGUAGES_MAX] {
        let letter = |byte: u8| match byte {
            b'a'..=b'z' => usize::from(byte - b'a' + 1),
            _ => 0,
        };
        let mut sums = [0_u16; LANGUAGES_MAX];
        for pair in words.ascii.windows(2).filter(|pair| *pair != b"  ") {
            let row = &self.ascii_pairs[27 * letter(pair[0]) + letter(pair[1])];
            for (sum, &steps) in sums.iter_mut().zip(row) {
                *sum = sum.saturating_add(steps.into());
            }
        }
        let is_latin = |index: &usize| self.languages.get(*index).is_some_and(|l| l.is_latin);
        let latin = (0..LANGUAGES_MAX).filter(is_latin);
        let least = latin.map(|index| sums[index]).min().unwrap_or(0);
        let other_steps = words.other_steps();
        std::array::from_fn(|index| match is_latin(&index) {
            true => (i32::from(sums[index] - least) / 2).min(MAX_ASCII_STEPS),
            false => other_steps,
        })
    }

    /// Compares candidates word by word. Most are left out after the first words.
    fn compare(
        &self,
        words: &Words,
        mut scores: Vec<Score>,
        stages: [(usize, usize); 3],
    ) -> Vec<(Pair, i32)> {
        let mut done = 0;
        for (len, number) in stages {
            let end = words.ends.partition_point(|&end| end as usize <= len);
            self.add_words(words, done..end, &mut scores);
            done = end;
            if scores.len() > number {
                scores.select_nth_unstable_by_key(number, |score| score.steps);
                scores.truncate(number);
            }
            if end < words.ends.len() {
                let least = scores.iter().map(|score| score.steps).min().unwrap_or(0);
                scores.retain(|score| score.steps - least < BEATEN_STEPS);
            }
        }
        let with_rare = |score: &Score| {
            let steps = score.steps + self.rare_steps(words, score.pair) as i32;
            (score.pair, steps - words.ascii_steps())
        };
        scores.iter().map(with_rare).collect()
    }

    /// Adds the cost of some words to each candidate. It is computed once for all pages that have
    /// the same characters in these words.
    fn add_words(&self, words: &Words, range: Range<usize>, scores: &mut [Score]) {
        if range.is_empty() {
            return;
        }
        let mut used = [false; 256];
        for &byte in words.iter(range.clone()).flatten() {
            used[usize::from(byte)] = true;
        }
        let used: Vec<u8> = (0..=0xFF).filter(|&byte| used[usize::from(byte)]).collect();
        let mut signatures = [None; 256];
        let mut done: Vec<(u8, u64, u32)> = Vec::with_capacity(scores.len());
        for Score { pair, steps } in scores {
            let page = &self.pages[usize::from(pair.page)];
            let signature =
                *signatures[usize::from(pair.page)].get_or_insert_with(|| page.signature(&used));
            let is_equal =
                |known: &&(u8, u64, u32)| (known.0, known.1) == (pair.language, signature);
            let added = done.iter().find(is_equal).map(|known| known.2).unwrap_or_else(|| {
                let language = &self.languages[usize::from(pair.language)];
                let steps = words.iter(range.clone()).map(|word| word_steps(page, language, word));
                let steps = steps.sum();
                done.push((pair.language, signature, steps));
                steps
            });
            *steps += added as i32;
        }
    }

    /// Returns the most plausible candidates of EBCDIC with their costs. The letters of ASCII are
    /// at the same bytes in all of these pages, so each language is tried in typical pages first.
    fn rank_ebcdic(&self, words: &Words) -> Vec<(Pair, i32)> {
        if words.ends.is_empty() {
            return Vec::new();
        }
        let end = words.ends.partition_point(|&end| end as usize <= EBCDIC_STAGES[0].0).max(1);
        let typical = self.pairs[1].iter().filter(|pair| pair.is_typical);
        let mut scores: Vec<_> = typical.map(|&pair| Score { pair, steps: 0 }).collect();
        self.add_words(words, 0..end, &mut scores);
        scores.sort_by_key(|score| score.steps);
        let mut languages = Vec::new();
        for Score { pair, .. } in scores {
            if languages.len() < EBCDIC_LANGUAGES && !languages.contains(&pair.language) {
                languages.push(pair.language);
            }
        }
        let is_selected = |pair: &&Pair| languages.contains(&pair.language);
        let pairs = self.pairs[1].iter().filter(is_selected);
        let scores = pairs.map(|pair| Score::new(pair, &[0; LANGUAGES_MAX]));
        let found = self.compare(words, scores.collect(), EBCDIC_STAGES);
        // Spaces and letters of EBCDIC are unusual ASCII.
        let unusual_steps = (words.ascii_bytes * UNUSUAL_ASCII_BITS * STEPS_PER_BIT) as i32;
        found.into_iter().map(|(pair, steps)| (pair, steps - unusual_steps)).collect()
    }

    /// Returns the candidates whose single bytes are the most plausible ones, with their own costs.
    fn select(&self, words: &Words, by_language: &[i32; LANGUAGES_MAX]) -> Vec<Score> {
        let pairs = &self.pairs[0];
        let total: u32 = words.counts[0x80..].iter().sum();
        // So that sums are below 2^16.
        let scale = |count: u32| if total > 192 { (count * 192).div_ceil(total) } else { count };
        let mixed = scale(words.mixed_pairs) * MIXED_PAIR_STEPS;
        let of_language: [u16; LANGUAGES_MAX] = std::array::from_fn(|index| {
            let is_latin = self.languages.get(index).is_some_and(|language| language.is_latin);
            let steps = scale(by_language[index] as u32) + if is_latin { 0 } else { mixed };
            steps.min(0x3FFF) as u16
        });
        let own = |pair: &Pair| {
            pair.prior_steps + of_language[usize::from(pair.language) % LANGUAGES_MAX]
        };
        let mut sums: Vec<u16> = pairs.iter().map(own).collect();
        for &byte in &words.used {
            let count = scale(words.counts[usize::from(byte)]) as u16;
            let row = &self.byte_steps[usize::from(byte - 0x80) * pairs.len()..][..pairs.len()];
            for (sum, &steps) in sums.iter_mut().zip(row) {
                *sum = sum.saturating_add(count * u16::from(steps));
            }
        }
        let least = sums.iter().min().copied().unwrap_or(0);
        let number = (WORK_PAIRS / words.bytes.len().clamp(1, STAGES[0].0)).clamp(24, pairs.len());
        let limits = LIMITS_BITS.iter().rev();
        let mut limits = limits.map(|bits| least.saturating_add(bits * STEPS_PER_BIT as u16));
        // Without a branch, and with a sum of 16 bits, LLVM vectorises the loop.
        let count = |limit| sums.iter().map(|&sum| u16::from(sum <= limit)).sum::<u16>();
        let limit = limits.find(|&limit| usize::from(count(limit)) <= number);
        let limit = limit.unwrap_or(least);
        let selected = sums.iter().zip(pairs).filter(|&(&sum, _)| sum <= limit);
        selected.map(|(_, pair)| Score::new(pair, by_language)).collect()
    }

    /// Returns the cost in a candidate of the bytes that are in none of the words.
    fn rare_steps(&self, words: &Words, pair: Pair) -> u32 {
        let bytes = &self.pages[usize::from(pair.page)].bytes;
        let language = &self.languages[usize::from(pair.language)];
        let steps = |&byte: &u8| u32::from(bytes[usize::from(byte)].single_steps(language));
        words.rare.iter().map(steps).sum::<u32>() * RARE_COUNT
    }
}

/// A candidate and its cost so far.
struct Score {
    pair: Pair,
    steps: i32,
}

impl Score {
    fn new(pair: &Pair, by_language: &[i32; LANGUAGES_MAX]) -> Self {
        let steps = i32::from(pair.prior_steps) + by_language[usize::from(pair.language)];
        Self { pair: *pair, steps }
    }
}

/// The stages of the comparison: the number of bytes of words after which the number of candidates
/// is reduced, and that number.
const STAGES: [(usize, usize); 3] = [(64, 16), (256, 10), (usize::MAX, 10)];
/// Like [`STAGES`], for EBCDIC, whose pages differ in few bytes.
const EBCDIC_STAGES: [(usize, usize); 3] = [(96, 32), (256, 16), (usize::MAX, 16)];

/// The number of steps by which a candidate must be dearer than another one in the first words to
/// be left out.
const BEATEN_STEPS: i32 = 80 * STEPS_PER_BIT as i32;

/// The cost in bits, besides [`ASCII_BITS`], of an ASCII byte in EBCDIC if it were ASCII.
const UNUSUAL_ASCII_BITS: u32 = 2;

/// The number of languages that are tried in all pages of EBCDIC.
const EBCDIC_LANGUAGES: usize = 5;

/// The number of bytes of words from which a text may be clearly EBCDIC, so that it is not examined
/// in other pages.
const CLEAR_EBCDIC_MIN_BYTES: i32 = 128;
/// The cost in bits of a byte below which such a text is clearly EBCDIC.
const CLEAR_EBCDIC_BITS: i32 = 5;

/// The greatest differences in bits of the candidates of the first selection.
const LIMITS_BITS: [u16; 9] = [4, 8, 12, 16, 24, 36, 64, 128, 1024];

/// The cost of a change between ASCII letters and letters of another alphabet.
const MIXED_PAIR_STEPS: u32 = 7 * STEPS_PER_BIT;

/// Like [`MIXED_PAIR_STEPS`], for East Asian characters, whose second byte may be an ASCII letter.
const EAST_ASIAN_PAIR_STEPS: u32 = 3 * STEPS_PER_BIT;

impl Words {
    /// Returns what the ASCII bytes of the words cost without a language.
    fn ascii_steps(&self) -> i32 {
        (self.ascii_bytes * ASCII_BITS * STEPS_PER_BIT) as i32
    }

    /// Returns the cost of words in another alphabet beside ASCII words: how rare they are.
    fn other_steps(&self) -> i32 {
        let number = self.ends.len().max(1) as f32;
        let share = (number + self.ascii_words as f32) / number;
        let bits = number * share.log2() + if share > 3.0 { FEW_WORDS_BITS } else { 0.0 };
        (bits * STEPS_PER_BIT as f32) as i32
    }
}

/// The cost in bits of the fact that most words of a text are not in the alphabet of its language.
const FEW_WORDS_BITS: f32 = 3.0;

/// The greatest cost of ASCII words that are unusual in a language.
const MAX_ASCII_STEPS: i32 = 20 * STEPS_PER_BIT as i32;

/// Returns the cost of a word, which follows its first byte.
fn word_steps(page: &Page, language: &Language, word: &[u8]) -> u32 {
    let mut state = AFTER_OTHER;
    let first = page.bytes[usize::from(word[0])];
    let mut before = usize::from(language.class_of[usize::from(first.character)]);
    let mut sum = 0;
    for &byte in &word[1..] {
        let byte = page.bytes[usize::from(byte)];
        let class = usize::from(language.class_of[usize::from(byte.character)]);
        let (case_steps, next) = CASES[state][usize::from(byte.case)];
        let pair_steps = language.pairs[before * language.classes + class];
        sum += u32::from(pair_steps) + u32::from(case_steps) + u32::from(byte.steps);
        (before, state) = (class, next.into());
    }
    sum
}
