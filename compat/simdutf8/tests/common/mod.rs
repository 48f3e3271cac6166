//! Texts for the comparison with the standard library.

/// A generator of random numbers: SplitMix64 (Steele, Lea and Flood, 2014). The numbers are the
/// same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Returns a random number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next_u64() % end as u64) as usize
    }
}

/// Sequences that are ill-formed or incomplete.
pub(crate) const ILL_FORMED: &[&[u8]] = &[
    b"\x80",
    b"\xBF\xBF",
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xC2",
    b"\xC2\xC2\x80",
    b"\xDF\xBF\xBF",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xE0\xA0",
    b"\xE1\x80",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xEF\xBF",
    b"\xEF",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x90\x80",
    b"\xF0\x9F",
    b"\xF0",
    b"\xF1\x80\x80\x80\x80",
    b"\xF4\x90\x80\x80",
    b"\xF4\x8F\xBF",
    b"\xF5\x80\x80\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xFE",
    b"\xFF",
];

/// Characters of every length in UTF-8, with the first and the last character of each length.
const CHARACTERS: &[char] = &[
    'a',
    '\0',
    '\u{7F}',
    '\u{80}',
    'é',
    '\u{7FF}',
    '\u{800}',
    '€',
    '中',
    '\u{D7FF}',
    '\u{E000}',
    '\u{FFFF}',
    '\u{10000}',
    '😀',
    '\u{10FFFF}',
];

/// Returns a well-formed text of at least `size` bytes: runs of ASCII, and runs of any
/// [`CHARACTERS`].
pub(crate) fn random_text(random: &mut Random, size: usize) -> String {
    let mut text = String::new();
    while text.len() < size {
        let run = 1 + random.below(40);
        if random.below(2) == 0 {
            text.extend(std::iter::repeat_n('x', 3 * run));
        } else {
            text.extend((0..run).map(|_| CHARACTERS[random.below(CHARACTERS.len())]));
        }
    }
    text
}

/// Calls `check` with texts of many kinds: well-formed texts, texts with one ill-formed sequence at
/// any offset, texts truncated at any offset, and random bytes.
pub(crate) fn for_each_text(mut check: impl FnMut(&[u8])) {
    let mut random = Random::new(5);
    check(b"");
    // Every sequence at every offset around the ends of blocks, between characters of each length.
    for filler in ["x", "é", "中", "😀"] {
        for sequence in ILL_FORMED {
            for bytes_before in (0_usize..140).chain(500..520) {
                for characters_after in [0, 1, 3, 64, 130] {
                    let mut text = filler.repeat(bytes_before.div_ceil(filler.len())).into_bytes();
                    text.extend_from_slice(sequence);
                    text.extend_from_slice(&filler.as_bytes().repeat(characters_after));
                    check(&text);
                }
            }
        }
    }
    for round in 0..3000 {
        let size = random.below(1500);
        let mut text = random_text(&mut random, size).into_bytes();
        check(&text);
        match round % 3 {
            // One byte is replaced.
            0 => {
                if let Some(byte) = match text.len() {
                    0 => None,
                    len => text.get_mut(random.below(len)),
                } {
                    *byte = random.below(256) as u8;
                }
            }
            // The text is truncated.
            1 => text.truncate(random.below(text.len() + 1)),
            // A sequence is inserted, and two blocks of ASCII are appended.
            _ => {
                let offset = random.below(text.len() + 1);
                text.splice(
                    offset..offset,
                    ILL_FORMED[random.below(ILL_FORMED.len())].iter().copied(),
                );
                text.extend_from_slice(&[b'y'; 128]);
            }
        }
        check(&text);
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        check(&bytes);
    }
}
