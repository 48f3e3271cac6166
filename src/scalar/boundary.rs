//! Finds the incomplete character at the end of a chunk.

use crate::encoding::scheme::Scheme;
use crate::scalar::convert::decode;
use crate::scalar::sequence;
use crate::scalar::utf8::is_continuation;
use crate::scalar::wtf8::incomplete_pair_len;
use crate::swar::words;

/// Returns the number of bytes at the end of `src` that begin a character, or a surrogate pair, and
/// do not complete it. They are not validated, so they may be ill-formed.
#[inline]
pub(crate) fn truncated_suffix_len(scheme: Scheme, src: &[u8]) -> usize {
    match scheme {
        Scheme::Latin1 | Scheme::Ascii => 0,
        Scheme::Utf8 => truncated_utf8_len(src),
        // 0xC0 is the first byte of NUL (0xC0 0x80).
        Scheme::Mutf8 if src.last() == Some(&0xC0) => 1,
        Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
            truncated_utf8_len(src).max(incomplete_pair_len(Scheme::Wtf8, src))
        }
        Scheme::Utf16Le | Scheme::Wtf16Le => {
            (src.len() % 2).max(incomplete_pair_len(Scheme::Wtf16Le, src))
        }
        Scheme::Utf16Be | Scheme::Wtf16Be => {
            (src.len() % 2).max(incomplete_pair_len(Scheme::Wtf16Be, src))
        }
        Scheme::Utf32Le | Scheme::Utf32Be => src.len() % 4,
    }
}

/// A test of the last four bytes of a chunk, without a branch on the scheme. It passes only if the
/// chunk ends at a boundary: [`truncated_suffix_len`] is 0. It may fail at a boundary.
#[derive(Debug)]
pub(crate) struct BoundaryTest {
    /// A mask that is XORed with the bytes. Bits 24 to 31 belong to the last byte.
    flip: u64,
    /// A chunk passes if each of these masks has a bit that is set in the flipped bytes.
    masks: [u64; 3],
    /// The size of a code unit minus one.
    unit_size_mask: usize,
}

impl BoundaryTest {
    /// The test that no chunk passes.
    pub(crate) const NEVER: &Self = &Self::new(0, [0; 3], 0);

    /// Returns the test for a scheme.
    pub(crate) const fn for_scheme(scheme: Scheme) -> &'static Self {
        /// A bit above the four bytes, so all bytes pass.
        const ALL_BYTES_PASS: u64 = 1 << 32;
        const BYTES: u64 = 0xFFFF_FFFF;
        match scheme {
            Scheme::Latin1 | Scheme::Ascii => {
                const { &Self::new(ALL_BYTES_PASS, [ALL_BYTES_PASS; 3], 0) }
            }
            Scheme::Utf32Le | Scheme::Utf32Be => {
                const { &Self::new(ALL_BYTES_PASS, [ALL_BYTES_PASS; 3], 3) }
            }
            // After the flip, a lead byte of a sequence of at least two, three or four bytes has
            // none of these bits.
            Scheme::Utf8 => const { &Self::new(BYTES, [0xC0 << 24, 0xE0 << 16, 0xF0 << 8], 0) },
            // Three bytes may be a high surrogate.
            Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8 => {
                const { &Self::new(BYTES, [0xC0 << 24, 0xE0 << 16, 0xE0 << 8], 0) }
            }
            Scheme::Utf16Le | Scheme::Wtf16Le => {
                const { &Self::new(0xD800 << 16, [0xFC00 << 16; 3], 1) }
            }
            Scheme::Utf16Be | Scheme::Wtf16Be => {
                const { &Self::new(0xD8 << 16, [0xFC << 16; 3], 1) }
            }
        }
    }

    const fn new(flip: u64, masks: [u64; 3], unit_size_mask: usize) -> Self {
        Self { flip, masks, unit_size_mask }
    }

    /// Returns true if a chunk of `len` bytes that ends with `last` passes.
    #[inline(always)]
    pub(crate) fn passes(&self, last: [u8; 4], len: usize) -> bool {
        let last = u64::from(u32::from_le_bytes(last)) ^ self.flip;
        let [a, b, c] = self.masks;
        len & self.unit_size_mask == 0 && last & a != 0 && last & b != 0 && last & c != 0
    }
}

/// Returns the last four bytes of a chunk, with the last byte highest. If the chunk is shorter,
/// zeros precede its bytes.
#[inline]
fn last_word(chunk: &[u8]) -> u32 {
    match (chunk.last_chunk(), chunk) {
        (Some(&last), _) => u32::from_le_bytes(last),
        (None, &[b, c, d]) => u32::from_le_bytes([0, b, c, d]),
        (None, &[c, d]) => u32::from_le_bytes([0, 0, c, d]),
        (None, &[d]) => u32::from_le_bytes([0, 0, 0, d]),
        _ => 0,
    }
}

/// Returns the first four bytes of a chunk, with the first byte lowest. If the chunk is shorter,
/// zeros follow its bytes.
#[inline]
pub(crate) fn first_word(chunk: &[u8]) -> u32 {
    match *chunk {
        [a, b, c, d, ..] => u32::from_le_bytes([a, b, c, d]),
        [a, b, c] => u32::from_le_bytes([a, b, c, 0]),
        [a, b] => u32::from_le_bytes([a, b, 0, 0]),
        [a] => u32::from(a),
        [] => 0,
    }
}

/// The start of a character, or of a surrogate pair, at the end of a chunk, if the chunk does not
/// complete it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IncompleteSuffix {
    /// The bytes, with the first byte lowest, and zeros after them.
    pub(crate) word: u64,
    /// The number of bytes, which may be 0.
    pub(crate) len: usize,
}

impl IncompleteSuffix {
    /// The empty suffix of a chunk that ends at a boundary.
    pub(crate) const NONE: Self = Self { word: 0, len: 0 };

    /// Returns the incomplete suffix of `chunk`. Returns `None` if its bytes cannot be one
    /// character, or if this depends on the text before them.
    #[inline]
    pub(crate) fn find(scheme: Scheme, chunk: &[u8]) -> Option<Self> {
        let last = last_word(chunk);
        // The bits of a high surrogate, and the mask that selects them. The second byte of a unit
        // is the higher byte.
        let (high, mask) = match scheme {
            Scheme::Utf8 => return Self::find_utf8(last),
            Scheme::Utf16Le => (0xD8_00, 0xFC_00),
            Scheme::Utf16Be => (0x00_D8, 0x00_FC),
            _ => return Self::find_other(scheme, chunk),
        };
        let fragment = chunk.len() % 2;
        let len = fragment + 2 * usize::from(last >> (16 - 8 * fragment) & mask == high);
        Some(Self { word: u64::from(last) << (8 * len) >> 32, len })
    }

    /// Like [`find`](Self::find), for UTF-8. `last` has the last four bytes, with the last byte
    /// highest.
    #[inline(always)]
    pub(crate) fn find_utf8(last: u32) -> Option<Self> {
        let leads = lead_bytes(last);
        // If there are several lead bytes, the last lead byte counts. Without a lead byte, the
        // length is 4, which the mask changes to 0.
        let len = ((leads | 1).leading_zeros() as usize / 8 + 1) & 3;
        let word = u64::from(last) << (8 * len) >> 32;
        (sequence::begins(word as u32, len) | (len == 0)).then_some(Self { word, len })
    }

    /// Like [`find`](Self::find), for the other encodings.
    #[inline(never)]
    fn find_other(scheme: Scheme, chunk: &[u8]) -> Option<Self> {
        let (_, tail) =
            chunk.split_at_checked(chunk.len() - truncated_suffix_len(scheme, chunk))?;
        if !tail.is_empty() && !may_continue(scheme, tail) {
            return None;
        }
        Some(Self { word: words::padded16(tail)[0], len: tail.len() })
    }
}

/// Like [`truncated_suffix_len`], for UTF-8: finds a lead byte among the last three bytes that
/// requires more bytes than follow.
#[inline]
fn truncated_utf8_len(src: &[u8]) -> usize {
    match *src {
        [.., 0..=0x7F] => 0,
        [.., 0xC2..=0xFF] => 1,
        [.., 0xE0..=0xFF, last] if is_continuation(last) => 2,
        [.., 0xF0..=0xFF, b1, last] if is_continuation(b1) && is_continuation(last) => 3,
        _ => 0,
    }
}

/// Returns the high bit of each lead byte among the last bytes of UTF-8 that requires more bytes
/// than follow. `last` has the last byte highest.
#[inline(always)]
fn lead_bytes(last: u32) -> u32 {
    // A byte of `missing` is zero if the third last byte of the text is 0xF0 or above, the second
    // last is 0xE0 or above, or the last is 0xC0 or above.
    let missing = !last & 0xC0_E0_F0_00;
    missing.wrapping_sub(0x01_01_01_00) & !missing & 0x80_80_80_00
}

/// Returns true if three bytes of well-formed UTF-8, with the last byte highest, end inside a
/// sequence.
#[inline(always)]
pub(crate) fn ends_inside_sequence(before: u32) -> bool {
    lead_bytes(before << 8) != 0
}

/// Returns true if more bytes may complete `tail`, as found by [`truncated_suffix_len`], as one
/// character.
#[inline]
pub(crate) fn may_continue(scheme: Scheme, tail: &[u8]) -> bool {
    if scheme == Scheme::Utf8 {
        return sequence::begins(first_word(tail), tail.len());
    }
    scheme.has_surrogates() && incomplete_pair_len(scheme, tail) == tail.len()
        || decode(scheme, tail).is_err_and(|error| error.len == 0)
}

/// Returns the number of bytes of [`truncated_suffix_len`], or 0 if no input can complete them.
#[inline(always)]
fn completable_suffix_len(scheme: Scheme, src: &[u8]) -> usize {
    match src.split_at_checked(src.len() - truncated_suffix_len(scheme, src)) {
        Some((_, tail @ [_, ..])) if may_continue(scheme, tail) => tail.len(),
        _ => 0,
    }
}

/// Returns a function for `scheme`. It returns the number of bytes at the end of a text that begin
/// a sequence which more input may complete. A stream keeps these bytes for the next chunk. The
/// function reads only the last few bytes: bytes that begin a sequence never continue another
/// sequence.
///
/// Each scheme has its own function, so that a program that uses one encoding does not link the
/// code of the others.
pub(crate) const fn incomplete_suffix_len(scheme: Scheme) -> fn(&[u8]) -> usize {
    match scheme {
        Scheme::Latin1 | Scheme::Ascii => incomplete_ascii,
        Scheme::Utf16Le => incomplete_utf16le,
        Scheme::Utf16Be => incomplete_utf16be,
        Scheme::Wtf16Le => incomplete_wtf16le,
        Scheme::Wtf16Be => incomplete_wtf16be,
        Scheme::Utf32Le | Scheme::Utf32Be => incomplete_utf32,
        Scheme::Utf8 => incomplete_utf8,
        Scheme::Cesu8 => incomplete_cesu8,
        Scheme::Mutf8 => incomplete_mutf8,
        Scheme::Wtf8 => incomplete_wtf8,
    }
}

/// Declares functions of [`incomplete_suffix_len`]. Closures would be compiled in each caller.
macro_rules! suffix_functions {
    ($(fn $name:ident = $suffix_len:ident of $scheme:ident;)*) => {$(
        #[inline(never)]
        fn $name(src: &[u8]) -> usize {
            $suffix_len(Scheme::$scheme, src)
        }
    )*};
}

suffix_functions! {
    fn incomplete_ascii = truncated_suffix_len of Ascii;
    fn incomplete_utf16le = truncated_suffix_len of Utf16Le;
    fn incomplete_utf16be = truncated_suffix_len of Utf16Be;
    fn incomplete_wtf16le = truncated_suffix_len of Wtf16Le;
    fn incomplete_wtf16be = truncated_suffix_len of Wtf16Be;
    fn incomplete_utf32 = truncated_suffix_len of Utf32Le;
    fn incomplete_utf8 = completable_suffix_len of Utf8;
    fn incomplete_cesu8 = completable_suffix_len of Cesu8;
    fn incomplete_mutf8 = completable_suffix_len of Mutf8;
    fn incomplete_wtf8 = completable_suffix_len of Wtf8;
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;

    /// For a chunk that ends anywhere in a text, the suffix begins after the last character that
    /// the standard library finds.
    #[test]
    fn utf8_suffix_matches_the_standard_library() {
        let text = "aé漢😀\u{7FF}\u{FFFF}\u{10FFFF}b".repeat(3);
        for end in 0..=text.len() {
            let chunk = &text.as_bytes()[..end];
            let valid = match std::str::from_utf8(chunk) {
                Ok(_) => end,
                Err(error) => error.valid_up_to(),
            };
            let suffix_len = truncated_suffix_len(Scheme::Utf8, chunk);
            assert_eq!(end - suffix_len, valid, "{end}");
            assert!(suffix_len == 0 || may_continue(Scheme::Utf8, &chunk[valid..]), "{end}");
        }
    }

    /// A chunk that passes ends at a boundary. Other chunks do not, except for empty chunks,
    /// ill-formed UTF-8, and CESU-8, Modified UTF-8 and WTF-8.
    #[test]
    fn a_chunk_that_passes_ends_at_a_boundary() {
        let bytes = [
            0x41, 0x80, 0xA0, 0xB0, 0xBF, 0xC0, 0xC2, 0xD7, 0xD8, 0xDB, 0xDC, 0xE1, 0xED, 0xF0,
            0xFF,
        ];
        let mut chunk = Vec::new();
        for digits in 1..=4 {
            for number in 0..bytes.len().pow(digits) {
                chunk.clear();
                let digit = |position: u32| bytes[number / bytes.len().pow(position) % bytes.len()];
                chunk.extend((0..digits).map(digit));
                while chunk.len() <= 8 {
                    Scheme::ALL.iter().for_each(|&scheme| assert_boundary_test(scheme, &chunk));
                    Scheme::ALL.iter().for_each(|&scheme| assert_incomplete_suffix(scheme, &chunk));
                    chunk.insert(0, b'a');
                }
            }
        }
    }

    /// Asserts that the incomplete suffix is the truncated suffix, if more bytes may complete it.
    fn assert_incomplete_suffix(scheme: Scheme, chunk: &[u8]) {
        let (_, tail) = chunk.split_at(chunk.len() - truncated_suffix_len(scheme, chunk));
        let mut word = [0; 8];
        word[..tail.len()].copy_from_slice(tail);
        let may_be_completed = tail.is_empty() || may_continue(scheme, tail);
        let expected = may_be_completed
            .then_some(IncompleteSuffix { word: u64::from_le_bytes(word), len: tail.len() });
        match IncompleteSuffix::find(scheme, chunk) {
            None if scheme == Scheme::Utf8 => {
                assert!(std::str::from_utf8(chunk).is_err_and(|error| error.error_len().is_some()));
            }
            found => assert_eq!(found, expected, "{scheme:?} {chunk:X?}"),
        }
    }

    /// Asserts that a chunk passes only if it ends at a boundary, and fails at a boundary only for
    /// schemes and texts for which a failure is allowed.
    fn assert_boundary_test(scheme: Scheme, chunk: &[u8]) {
        let passes_test =
            |test: &BoundaryTest| test.passes(last_word(chunk).to_le_bytes(), chunk.len());
        let (passes, suffix_len) =
            (passes_test(BoundaryTest::for_scheme(scheme)), truncated_suffix_len(scheme, chunk));
        assert!(!passes_test(BoundaryTest::NEVER));
        if passes || suffix_len > 0 {
            assert_ne!(passes, suffix_len > 0, "{scheme:?} {chunk:X?}");
            return;
        }
        // The test has failed at a boundary.
        match scheme {
            Scheme::Utf8 => assert!(std::str::from_utf8(chunk).is_err(), "{chunk:X?}"),
            _ => assert!(
                matches!(scheme, Scheme::Cesu8 | Scheme::Mutf8 | Scheme::Wtf8),
                "{scheme:?} {chunk:X?}"
            ),
        }
    }
}
