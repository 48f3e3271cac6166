//! Loads texts of at most 64 bytes, most of them of at most 32, as words of eight bytes, for inputs
//! that are too short for vectors. Two overlapping loads replace a copy and a loop.
//!
//! The bytes after the end of the text are zero. Zeros are ASCII, and no count here includes them.

/// The largest number of bytes that are loaded as words.
pub(crate) const LOADED_MAX_BYTES: usize = 32;

/// A word in which every byte is 0x01.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;
/// A word in which the high bit of every byte is set.
pub(crate) const HIGH_BITS: u64 = 0x80 * ONES;

/// Returns `src`, of at most eight bytes, as one word. The first byte is in the low bits.
#[inline(always)]
fn one(src: &[u8]) -> [u64; 1] {
    let len = src.len();
    // Where the two parts overlap, they have the same bytes, so `|` keeps these bytes.
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

/// Returns `src`, of 9 to 16 bytes, as two words. Returns `None` if `src` is shorter than 8 bytes.
#[inline(always)]
fn two(src: &[u8]) -> Option<[u64; 2]> {
    let (first, last) = (src.first_chunk()?, src.last_chunk()?);
    Some([u64::from_le_bytes(*first), u64::from_le_bytes(*last) >> (8 * (16 - src.len()))])
}

/// Returns `src`, of 17 to 32 bytes, as four words. Returns `None` if `src` is shorter than 16
/// bytes.
#[inline(always)]
fn four(src: &[u8]) -> Option<[u64; 4]> {
    let (first, last) = (src.first_chunk()?, src.last_chunk()?);
    let first = u128::from_le_bytes(*first);
    let last = u128::from_le_bytes(*last) >> (8 * (32 - src.len()));
    Some([first as u64, (first >> 64) as u64, last as u64, (last >> 64) as u64])
}

/// Loads `src` as one, two or four words, and calls a function with them.
macro_rules! with_words {
    ($src:expr, $f:path) => {
        match $src.len() {
            0..=8 => $f(one($src)),
            // A `match` instead of `map_or_else`: where the compiler doesn't inline `map_or_else`,
            // the call makes the caller save registers.
            9..=16 => match two($src) {
                Some(words) => $f(words),
                None => Default::default(),
            },
            _ => match four($src) {
                Some(words) => $f(words),
                None => Default::default(),
            },
        }
    };
}

/// Returns `src`, of at most [`LOADED_MAX_BYTES`] bytes, as four words, with zeros after the text.
#[inline(always)]
pub(crate) fn padded(src: &[u8]) -> [u64; LOADED_MAX_BYTES / 8] {
    with_words!(src, append_zeros)
}

/// Returns `src`, of at most 16 bytes, as four words, with zeros after the text.
#[inline(always)]
pub(crate) fn padded16(src: &[u8]) -> [u64; LOADED_MAX_BYTES / 8] {
    if src.len() <= 8 {
        return append_zeros(one(src));
    }
    two(src).map_or_else(Default::default, append_zeros)
}

/// Returns `words` with zeros after them.
#[inline(always)]
fn append_zeros<const N: usize>(words: [u64; N]) -> [u64; LOADED_MAX_BYTES / 8] {
    let mut padded = [0; LOADED_MAX_BYTES / 8];
    padded[..N].copy_from_slice(&words);
    padded
}

/// Returns true if `src`, of at most [`LOADED_MAX_BYTES`] bytes, is ASCII.
#[inline(always)]
pub(crate) fn is_ascii(src: &[u8]) -> bool {
    // The two parts overlap. They may be in the byte order of the machine, because only the high
    // bits of the bytes count.
    if let (Some(first), Some(last)) = (src.first_chunk::<16>(), src.last_chunk::<16>()) {
        let any_bits = u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last);
        return (any_bits as u64 | (any_bits >> 64) as u64) & HIGH_BITS == 0;
    }
    match src.len() {
        0..=8 => all_ascii(one(src)),
        _ => two(src).is_some_and(all_ascii),
    }
}

/// Returns the length in bytes of the ASCII prefix of `src`, which has at most [`LOADED_MAX_BYTES`]
/// bytes.
#[inline(always)]
pub(crate) fn ascii_up_to(src: &[u8]) -> usize {
    if is_ascii(src) { src.len() } else { with_words!(src, ascii_prefix) }
}

/// Returns true if the words of a text are ASCII.
#[inline(always)]
fn all_ascii<const N: usize>(words: [u64; N]) -> bool {
    let mut any_bits = 0;
    for word in words {
        any_bits |= word;
    }
    any_bits & HIGH_BITS == 0
}

/// Returns the number of bytes before the first non-ASCII byte, which must exist.
#[inline(always)]
fn ascii_prefix<const N: usize>(words: [u64; N]) -> usize {
    let mut prefix_len = 0;
    for word in words {
        if word & HIGH_BITS != 0 {
            return prefix_len + (word & HIGH_BITS).trailing_zeros() as usize / 8;
        }
        prefix_len += 8;
    }
    prefix_len
}

/// Two words in which the high bit of every byte is set.
pub(crate) const HIGH_BITS_128: u128 = u128::MAX / 0xFF * 0x80;

/// Returns true if `src` is ASCII and at most 16 bytes long.
#[inline]
pub(crate) fn is_ascii_16(src: &[u8]) -> bool {
    // Long inputs are tested first: they return at once, and the vectors take over.
    if src.len() > 16 {
        return false;
    }
    if src.len() < 4 {
        return is_ascii_3(src);
    }
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH_BITS == 0;
    }
    match (src.first_chunk(), src.last_chunk()) {
        (Some(first), Some(last)) => {
            (u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last)) & HIGH_BITS as u32 == 0
        }
        _ => false,
    }
}

/// Returns true if `src` is ASCII and at most 64 bytes long.
#[inline]
pub(crate) fn is_ascii_64(src: &[u8]) -> bool {
    if src.len() > 32 {
        return src.len() <= 64 && or_of_ends::<32>(src) & HIGH_BITS == 0;
    }
    if src.len() <= 16 {
        return is_ascii_16(src);
    }
    or_of_ends::<16>(src) & HIGH_BITS == 0
}

/// Returns the bitwise or of all words of the first and the last `N` bytes. Returns a non-ASCII
/// word if `src` is shorter than `N` bytes.
#[inline]
fn or_of_ends<const N: usize>(src: &[u8]) -> u64 {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return HIGH_BITS;
    };
    let mut any_bits = 0;
    for (a, b) in first.as_chunks().0.iter().zip(last.as_chunks().0) {
        any_bits |= u64::from_ne_bytes(*a) | u64::from_ne_bytes(*b);
    }
    any_bits
}

/// Returns true if `src`, of at most 3 bytes, is ASCII.
#[inline]
pub(crate) fn is_ascii_3(src: &[u8]) -> bool {
    match *src {
        [] => true,
        [byte] => byte < 0x80,
        [first, second, .., last] => (first | second | last) < 0x80,
        [first, last] => (first | last) < 0x80,
    }
}

/// Returns true if `src` is a single character above U+007F in UTF-8.
#[inline]
pub(crate) fn is_character(src: &[u8]) -> bool {
    match *src {
        [b0, b1] => {
            let bytes = u16::from_be_bytes([b0, b1]);
            bytes & 0xE0C0 == 0xC080 && bytes >= 0xC280
        }
        [b0, b1, b2] => {
            let bytes = u32::from_be_bytes([0, b0, b1, b2]);
            let surrogates = 0xED_A080..=0xED_BFBF;
            bytes & 0xF0_C0C0 == 0xE0_8080 && bytes >= 0xE0_A080 && !surrogates.contains(&bytes)
        }
        [b0, b1, b2, b3] => {
            let bytes = u32::from_be_bytes([b0, b1, b2, b3]);
            bytes & 0xF8C0_C0C0 == 0xF080_8080 && (0xF090_8080..=0xF48F_BFBF).contains(&bytes)
        }
        _ => false,
    }
}
