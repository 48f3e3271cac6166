//! Up to 32 bytes as words of eight, for inputs too short for vectors: two overlapping loads, no copy and no loop.
//!
//! Bytes behind the end are zero, which is ASCII, and nothing to all that is counted here.

/// The most bytes that are taken as words.
pub(crate) const SHORT: usize = 32;

/// 01 in every byte; as a factor, it puts the sum of all bytes into the highest.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The high bit of every byte.
const HIGH: u64 = 0x80 * ONES;

/// `src`, of at most 8 bytes, in the order of memory from the lowest byte on.
#[inline(always)]
fn one(src: &[u8]) -> [u64; 1] {
    let len = src.len();
    // Where two parts overlap, both say the same.
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return [u64::from(first) | u64::from(last) << (8 * (len - 4))];
    }
    let (Some(&first), Some(&last)) = (src.first(), src.last()) else {
        return [0];
    };
    let middle = u64::from(src[len / 2]) << (8 * (len / 2));
    [u64::from(first) | middle | u64::from(last) << (8 * (len - 1))]
}

/// `src`, of 9 to 16 bytes.
#[inline(always)]
fn two(src: &[u8]) -> Option<[u64; 2]> {
    let (first, last) = (src.first_chunk()?, src.last_chunk()?);
    Some([u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> (8 * (16 - src.len()))])
}

/// `src`, of 17 to 32 bytes.
#[inline(always)]
fn four(src: &[u8]) -> Option<[u64; 4]> {
    let (first, last) = (src.first_chunk()?, src.last_chunk()?);
    let first = u128::from_le_bytes(*first);
    let last = u128::from_le_bytes(*last) >> (8 * (32 - src.len()));
    Some([first as u64, (first >> 64) as u64, last as u64, (last >> 64) as u64])
}

/// Calls a function of an array of words with the words of `src`, as few as there are.
macro_rules! of_words {
    ($src:expr, $f:path) => {
        match $src.len() {
            0..=8 => $f(one($src)),
            9..=16 => two($src).map_or_else(Default::default, $f),
            _ => four($src).map_or_else(Default::default, $f),
        }
    };
}

/// `src`, of at most [`SHORT`] bytes, and zeros behind it.
#[inline(always)]
pub(crate) fn padded(src: &[u8]) -> [u64; SHORT / 8] {
    of_words!(src, extended)
}

/// `src`, of at most 16 bytes, and zeros behind it.
#[inline(always)]
pub(crate) fn padded16(src: &[u8]) -> [u64; SHORT / 8] {
    if src.len() <= 8 {
        return extended(one(src));
    }
    two(src).map_or_else(Default::default, extended)
}

/// Zeros behind words.
#[inline(always)]
fn extended<const N: usize>(words: [u64; N]) -> [u64; SHORT / 8] {
    let mut all = [0; SHORT / 8];
    all[..N].copy_from_slice(&words);
    all
}

/// Whether `src` is ASCII. At most [`SHORT`] bytes.
#[inline(always)]
pub(crate) fn is_ascii(src: &[u8]) -> bool {
    // Two parts that overlap, as they lie in memory.
    if let (Some(first), Some(last)) = (src.first_chunk::<16>(), src.last_chunk::<16>()) {
        let all = u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last);
        return (all as u64 | (all >> 64) as u64) & HIGH == 0;
    }
    match src.len() {
        0..=8 => all_ascii(one(src)),
        _ => two(src).is_some_and(all_ascii),
    }
}

/// Bytes of `src` in front of the first that is not ASCII. At most [`SHORT`] bytes.
#[inline(always)]
pub(crate) fn ascii_up_to(src: &[u8]) -> usize {
    if is_ascii(src) { src.len() } else { of_words!(src, ascii_front) }
}

/// Continuation bytes of `src`; with `PAIRS`, less the bytes from F0 on (modulo `usize`). At most [`SHORT`] bytes.
#[inline(always)]
pub(crate) fn surplus<const PAIRS: bool>(src: &[u8]) -> usize {
    of_words!(src, surplus_of::<PAIRS, _>)
}

/// Bytes of `src` that are not ASCII. At most [`SHORT`] bytes.
#[inline(always)]
pub(crate) fn high(src: &[u8]) -> usize {
    of_words!(src, high_of)
}

/// Line feeds of `src`. At most [`SHORT`] bytes.
#[inline(always)]
pub(crate) fn newlines(src: &[u8]) -> usize {
    of_words!(src, newlines_of)
}

/// Whether `src` is well-formed UTF-8 with no character beyond U+00FF. At most [`SHORT`] bytes.
#[inline(always)]
pub(crate) fn fits_latin1(src: &[u8]) -> bool {
    of_words!(src, all_latin1)
}

/// The words of an ASCII text.
#[inline(always)]
fn all_ascii<const N: usize>(words: [u64; N]) -> bool {
    let mut all = 0;
    for word in words {
        all |= word;
    }
    all & HIGH == 0
}

/// Bytes in front of the first that is not ASCII, in words that have one.
#[inline(always)]
fn ascii_front<const N: usize>(words: [u64; N]) -> usize {
    let mut front = 0;
    for word in words {
        if word & HIGH != 0 {
            return front + (word & HIGH).trailing_zeros() as usize / 8;
        }
        front += 8;
    }
    front
}

/// [`surplus`] of words.
#[inline(always)]
fn surplus_of<const PAIRS: bool, const N: usize>(words: [u64; N]) -> usize {
    let (mut continuations, mut fours) = (0, 0);
    for word in words {
        continuations += (word >> 7) & !(word >> 6) & ONES;
        if PAIRS {
            fours += (word >> 7) & (word >> 6) & (word >> 5) & (word >> 4) & ONES;
        }
    }
    (sum(continuations) as usize).wrapping_sub(sum(fours) as usize)
}

/// [`high`] of words.
#[inline(always)]
fn high_of<const N: usize>(words: [u64; N]) -> usize {
    let mut high = 0;
    for word in words {
        high += (word >> 7) & ONES;
    }
    sum(high) as usize
}

/// [`newlines`] of words.
#[inline(always)]
fn newlines_of<const N: usize>(words: [u64; N]) -> usize {
    let mut newlines = 0;
    for word in words {
        let other = word ^ (u64::from(b'\n') * ONES);
        // The high bit of every byte that is another: no sum of its lower bits goes beyond its byte.
        let other = ((other & !HIGH) + !HIGH) | other;
        newlines += (!other & HIGH) >> 7;
    }
    sum(newlines) as usize
}

/// The sum of the bytes of a word, if that is below 256.
#[inline(always)]
fn sum(word: u64) -> u64 {
    word.wrapping_mul(ONES) >> 56
}

/// [`fits_latin1`] of words.
#[inline(always)]
fn all_latin1<const N: usize>(words: [u64; N]) -> bool {
    let (mut wrong, mut asked) = (0, 0);
    for word in words {
        let lead = word & (word << 1) & HIGH;
        let continuation = word & !(word << 1) & HIGH;
        // Of 11xxxxxx only C2 and C3 may be there: the sum reaches 80 for the others.
        let other = ((word ^ (0x02 * ONES)) & (0x3E * ONES)) + 0x7E * ONES;
        // A continuation byte exactly where the byte before is a lead byte.
        wrong |= (lead & other) | (continuation ^ (lead << 8 | asked));
        asked = lead >> 56;
    }
    wrong | asked == 0
}
