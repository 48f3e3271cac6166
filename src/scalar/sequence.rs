//! Decodes the first sequence of UTF-8 or UTF-16 in a word of four bytes, almost without branches.
//! The ends of chunks are random, so branches on them would be mispredicted.

/// The sequence at the start of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// A character: its scalar value, and its number of bytes.
    Whole(u32, usize),
    /// All bytes begin a character, which more bytes may complete.
    Begun,
    /// An ill-formed sequence.
    IllFormed,
}

/// For the high half of a second byte, the lead bytes that it may follow, as bits from 0xC0 on: no
/// overlong forms after E0 and F0, no surrogates after ED, nothing above U+10FFFF after F4. Zero
/// stands for a second byte that is not there.
const LEADS: [u64; 16] = {
    let mut leads = [0; 16];
    let all = (1 << (0xF5 - 0xC0)) - (1 << (0xC2 - 0xC0));
    let (e0, ed) = (1 << (0xE0 - 0xC0), 1 << (0xED - 0xC0));
    let (f0, f4) = (1 << (0xF0 - 0xC0), 1 << (0xF4 - 0xC0));
    leads[0x0] = all;
    leads[0x8] = all & !e0 & !f0;
    leads[0x9] = all & !e0 & !f4;
    leads[0xA] = all & !ed & !f4;
    leads[0xB] = all & !ed & !f4;
    leads
};

impl Sequence {
    /// Decodes the sequence of UTF-8 at the start of `word`, whose lowest byte is the first one.
    /// Its first `len` bytes exist (all for any `len` from four on), and the others are zero.
    #[inline(always)]
    pub(crate) fn of_utf8(word: u32, len: usize) -> Self {
        let [lead, ..] = word.to_le_bytes();
        if lead < 0x80 {
            return Self::Whole(lead.into(), 1);
        }
        let whole = 2 + usize::from(lead >= 0xE0) + usize::from(lead >= 0xF0);
        match begins(word, len.min(whole)) {
            false => Self::IllFormed,
            true if len < whole => Self::Begun,
            true => Self::Whole(decoded(word, whole), whole),
        }
    }

    /// Decodes the sequence of UTF-16 at the start of `word`, whose lowest bits are its first unit.
    /// Its first `len` bytes exist, at least one.
    #[inline(always)]
    pub(crate) fn of_utf16(word: u32, len: usize) -> Self {
        let [first, second] = [word & 0xFFFF, word >> 16];
        match (first & 0xFC00, second & 0xFC00) {
            _ if len < 2 => Self::Begun,
            (0xDC00, _) => Self::IllFormed,
            (0xD800, _) if len < 4 => Self::Begun,
            (0xD800, 0xDC00) => Self::Whole(0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF), 4),
            (0xD800, _) => Self::IllFormed,
            _ => Self::Whole(first, 2),
        }
    }
}

/// Returns true if the first `len` bytes of `word`, not more than the lead byte requires, may begin
/// a sequence of UTF-8. If `len` is 1, the other bytes are zero.
///
/// The second byte decides if the sequence is overlong, a surrogate or above U+10FFFF. A few of its
/// bits are an index into a table of the lead bytes that it may follow, as in ICU
/// (`U8_LEAD3_T1_BITS`).
#[inline(always)]
pub(crate) fn begins(word: u32, len: usize) -> bool {
    let [lead, second, ..] = word.to_le_bytes();
    let existing = (1_u64 << (8 * len)) - 1;
    let is_marked = u64::from(word ^ 0x80_80_80_C0) & 0xC0_C0_C0_C0 & existing == 0;
    is_marked & (LEADS[usize::from(second >> 4)] >> (lead & 0x3F) & 1 != 0)
}

/// Returns the scalar value of a well-formed sequence of `len` bytes.
#[inline(always)]
fn decoded(word: u32, len: usize) -> u32 {
    let bytes = word.swap_bytes();
    let bits = (bytes & 0x1F00_0000) >> 6
        | (bytes & 0x3F_0000) >> 4
        | (bytes & 0x3F00) >> 2
        | bytes & 0x3F;
    bits >> (6 * (4 - len)) & 0x1F_FFFF
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    /// Every word of bytes at the edges of the syntax is as the standard library says.
    #[test]
    fn utf8_is_as_the_standard_library_says() {
        let edges = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
            0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF,
        ];
        let mut counts = [0; 3];
        for number in 0..edges.len().pow(4) {
            let byte = |index: u32| edges[number / edges.len().pow(index) % edges.len()];
            let bytes = [byte(3), byte(2), byte(1), byte(0)];
            for len in 1..=4 {
                let word = u32::from_le_bytes(bytes) << (32 - 8 * len) >> (32 - 8 * len);
                let sequence = Sequence::of_utf8(word, len);
                assert_eq!(sequence, expected(&bytes[..len]), "{bytes:X?} {len}");
                counts[match sequence {
                    Sequence::Whole(..) => 0,
                    Sequence::Begun => 1,
                    Sequence::IllFormed => 2,
                }] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }

    fn expected(bytes: &[u8]) -> Sequence {
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() => {
                return Sequence::Begun;
            }
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap(),
        };
        match valid.chars().next() {
            Some(c) => Sequence::Whole(c.into(), c.len_utf8()),
            None => Sequence::IllFormed,
        }
    }

    /// Every pair of units at the edges of the surrogates is as the standard library says. A part
    /// of one begins a sequence, unless the first unit is a low surrogate.
    #[test]
    fn utf16_is_as_the_standard_library_says() {
        let edges = [0, 0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        for (first, second) in edges.iter().flat_map(|&a| edges.map(|b| (a, b))) {
            let word = u32::from(first) | u32::from(second) << 16;
            let decoded = char::decode_utf16([first, second]).next().unwrap();
            let whole = match decoded {
                Ok(c) => Sequence::Whole(c.into(), 2 * c.len_utf16()),
                Err(_) => Sequence::IllFormed,
            };
            assert_eq!(Sequence::of_utf16(word, 4), whole, "{first:X} {second:X}");
            let expected = match first {
                0xD800..=0xDBFF => Sequence::Begun,
                _ => whole,
            };
            assert_eq!(Sequence::of_utf16(word & 0xFF_FFFF, 3), expected, "{first:X}");
            assert_eq!(Sequence::of_utf16(word & 0xFFFF, 2), expected, "{first:X}");
            assert_eq!(Sequence::of_utf16(word & 0xFF, 1), Sequence::Begun);
        }
    }
}
