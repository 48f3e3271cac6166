//! Decodes the first sequence of UTF-8 or UTF-16 in a word of four bytes, almost without branches.
//! Chunks end at random offsets, so branches on these offsets would be mispredicted.

/// The result of decoding the sequence at the start of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    /// A character: its scalar value, and its length in bytes.
    Character(u32, usize),
    /// All bytes together are the start of a character, which more bytes may complete.
    Incomplete,
    /// An ill-formed sequence.
    IllFormed,
}

/// The lead bytes that a second byte may follow. The index is the high half of the second byte, and
/// bit `i` of an entry stands for the lead byte 0xC0 + `i`. The entries exclude overlong forms
/// after 0xE0 and 0xF0, surrogates after 0xED and values above U+10FFFF after 0xF4. Entry 0 is for
/// a missing second byte, which is zero.
const LEADS_BY_SECOND: [u64; 16] = {
    let mut leads = [0; 16];
    let all_leads = (1 << (0xF5 - 0xC0)) - (1 << (0xC2 - 0xC0));
    let (e0, ed) = (1 << (0xE0 - 0xC0), 1 << (0xED - 0xC0));
    let (f0, f4) = (1 << (0xF0 - 0xC0), 1 << (0xF4 - 0xC0));
    leads[0x0] = all_leads;
    leads[0x8] = all_leads & !e0 & !f0;
    leads[0x9] = all_leads & !e0 & !f4;
    leads[0xA] = all_leads & !ed & !f4;
    leads[0xB] = all_leads & !ed & !f4;
    leads
};

impl Sequence {
    /// Decodes the sequence of UTF-8 at the start of `word`. The lowest byte of `word` is the first
    /// byte of the text. `len` bytes of the text exist, and the bytes of `word` after them are
    /// zero. `len` may be greater than four.
    #[inline(always)]
    pub(crate) fn decode_utf8(word: u32, len: usize) -> Self {
        let [lead, ..] = word.to_le_bytes();
        if lead < 0x80 {
            return Self::Character(lead.into(), 1);
        }
        let required = 2 + usize::from(lead >= 0xE0) + usize::from(lead >= 0xF0);
        match begins(word, len.min(required)) {
            false => Self::IllFormed,
            true if len < required => Self::Incomplete,
            true => Self::Character(decoded(word, required), required),
        }
    }

    /// Decodes the sequence of UTF-16 at the start of `word`, whose lowest 16 bits are the first
    /// unit. The first `len` bytes exist, at least one.
    #[inline(always)]
    pub(crate) fn decode_utf16(word: u32, len: usize) -> Self {
        let [first, second] = [word & 0xFFFF, word >> 16];
        match (first & 0xFC00, second & 0xFC00) {
            _ if len < 2 => Self::Incomplete,
            (0xDC00, _) => Self::IllFormed,
            (0xD800, _) if len < 4 => Self::Incomplete,
            (0xD800, 0xDC00) => {
                Self::Character(0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF), 4)
            }
            (0xD800, _) => Self::IllFormed,
            _ => Self::Character(first, 2),
        }
    }
}

/// Returns true if the first `len` bytes of `word` may begin a sequence of UTF-8. `len` is at most
/// the number of bytes that the lead byte requires. If `len` is 1, the other bytes are zero.
///
/// The second byte decides if the sequence is overlong, a surrogate or above U+10FFFF. Its high
/// half is the index into a table of the lead bytes that it may follow. ICU has a similar table
/// (`U8_LEAD3_T1_BITS`).
#[inline(always)]
pub(crate) fn begins(word: u32, len: usize) -> bool {
    let [lead, second, ..] = word.to_le_bytes();
    let len_mask = (1_u64 << (8 * len)) - 1;
    let has_lead_and_continuations =
        u64::from(word ^ 0x80_80_80_C0) & 0xC0_C0_C0_C0 & len_mask == 0;
    has_lead_and_continuations
        & (LEADS_BY_SECOND[usize::from(second >> 4)] >> (lead & 0x3F) & 1 != 0)
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

    /// Compares all words whose bytes are the first or last bytes of a class of UTF-8 with the
    /// standard library.
    #[test]
    fn decode_utf8_matches_the_standard_library() {
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
                let sequence = Sequence::decode_utf8(word, len);
                assert_eq!(sequence, decode_with_std(&bytes[..len]), "{bytes:X?} {len}");
                counts[match sequence {
                    Sequence::Character(..) => 0,
                    Sequence::Incomplete => 1,
                    Sequence::IllFormed => 2,
                }] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
    }

    /// Decodes the first sequence with the standard library.
    fn decode_with_std(bytes: &[u8]) -> Sequence {
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if error.valid_up_to() == 0 && error.error_len().is_none() => {
                return Sequence::Incomplete;
            }
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap(),
        };
        match valid.chars().next() {
            Some(c) => Sequence::Character(c.into(), c.len_utf8()),
            None => Sequence::IllFormed,
        }
    }

    /// Compares all pairs of units next to the limits of the surrogates with the standard library.
    /// After a high surrogate without a complete second unit, the sequence is incomplete.
    #[test]
    fn decode_utf16_matches_the_standard_library() {
        let edges = [0, 0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        for (first, second) in edges.iter().flat_map(|&a| edges.map(|b| (a, b))) {
            let word = u32::from(first) | u32::from(second) << 16;
            let decoded = char::decode_utf16([first, second]).next().unwrap();
            let complete = match decoded {
                Ok(c) => Sequence::Character(c.into(), 2 * c.len_utf16()),
                Err(_) => Sequence::IllFormed,
            };
            assert_eq!(Sequence::decode_utf16(word, 4), complete, "{first:X} {second:X}");
            let expected = match first {
                0xD800..=0xDBFF => Sequence::Incomplete,
                _ => complete,
            };
            assert_eq!(Sequence::decode_utf16(word & 0xFF_FFFF, 3), expected, "{first:X}");
            assert_eq!(Sequence::decode_utf16(word & 0xFFFF, 2), expected, "{first:X}");
            assert_eq!(Sequence::decode_utf16(word & 0xFF, 1), Sequence::Incomplete);
        }
    }
}
