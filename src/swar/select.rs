//! Selects the bit of a word at which a running count exceeds a given number.

use crate::swar::words::{HIGH_BITS, ONES};

/// Returns the number of set bits of each byte, in this byte.
#[inline(always)]
fn count_bits_in_bytes(bits: u64) -> u64 {
    let pair_counts = bits - ((bits >> 1) & (0x55 * ONES));
    let nibble_counts = (pair_counts & (0x33 * ONES)) + ((pair_counts >> 2) & (0x33 * ONES));
    (nibble_counts + (nibble_counts >> 4)) & (0x0F * ONES)
}

/// Returns the first bit index `i` for which `ones` and `twos` together have more than `n` set bits
/// among the bits `0..=i`. Such a bit must exist. Every bit of `twos` is also set in `ones`, so a
/// bit in both words counts twice.
#[inline(always)]
pub(crate) fn select(ones: u64, twos: u64, n: usize) -> usize {
    // Byte `k` is the number of set bits in the bytes `0..=k`. It is at most 128, and only the
    // highest byte can reach 128.
    let sums = (count_bits_in_bytes(ones) + count_bits_in_bytes(twos)).wrapping_mul(ONES);
    // The high bit of each byte whose sum is at most `n`, which is below 128. A sum of 128 leaves
    // the high bit clear, and the subtraction does not borrow.
    let below = ((n as u64 * ONES) | HIGH_BITS).wrapping_sub(sums) & HIGH_BITS;
    let shift = 8 * below.count_ones();
    let remaining = n as u64 - ((sums << 8 >> shift) & 0xFF);
    // Search the bits of that byte in the same way. Each bit is moved to a byte of its own.
    let sums = (spread_bits(ones >> shift) + spread_bits(twos >> shift)).wrapping_mul(ONES);
    let below = ((remaining * ONES) | HIGH_BITS).wrapping_sub(sums) & HIGH_BITS;
    (shift + below.count_ones()) as usize
}

/// Two words that are prepared for many selections.
#[derive(Clone, Copy)]
pub(crate) struct Selection {
    ones: u64,
    twos: u64,
    /// For each byte, the number of set bits in this byte and all lower bytes, as in [`select`].
    sums: u64,
}

impl Selection {
    /// Creates a selection from the two words that [`select`] takes.
    #[inline(always)]
    pub(crate) fn new(ones: u64, twos: u64) -> Self {
        Self {
            ones,
            twos,
            sums: (count_bits_in_bytes(ones) + count_bits_in_bytes(twos)).wrapping_mul(ONES),
        }
    }

    /// Returns the result of [`select`] for these words. Most texts have long parts that are ASCII,
    /// or that have no characters that count twice. Branches handle both cases, and in the second
    /// case a table replaces the second search.
    #[inline(always)]
    pub(crate) fn select(&self, n: usize) -> usize {
        let Self { ones, twos, sums } = *self;
        if twos != 0 {
            return select(ones, twos, n);
        }
        if ones == u64::MAX {
            return n;
        }
        let below = ((n as u64 * ONES) | HIGH_BITS).wrapping_sub(sums) & HIGH_BITS;
        let shift = 8 * below.count_ones();
        let remaining = n as u64 - ((sums << 8 >> shift) & 0xFF);
        let row = SET_BITS_OF_BYTE[(ones >> shift & 0xFF) as usize];
        shift as usize + usize::from(row[(remaining & 7) as usize])
    }
}

/// The indices of the set bits of each byte value, from the lowest to the highest: 2 KiB.
static SET_BITS_OF_BYTE: [[u8; 8]; 256] = {
    let mut rows = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                rows[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    rows
};

/// Returns the lowest eight bits as bytes: 0x01 for each set bit, and 0 for the others.
#[inline(always)]
fn spread_bits(bits: u64) -> u64 {
    // Byte `i` keeps bit `i`.
    let kept = (bits & 0xFF).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    ((kept + (HIGH_BITS - ONES)) & HIGH_BITS) >> 7
}

#[cfg(test)]
mod tests {
    use super::{SET_BITS_OF_BYTE, Selection, select};

    /// Implements the definition of [`select`], one bit at a time.
    fn select_slowly(ones: u64, twos: u64, n: usize) -> usize {
        let mut sum = 0;
        (0..64)
            .find(|i| {
                sum += (ones >> i & 1) + (twos >> i & 1);
                sum > n as u64
            })
            .expect("the words have more than `n` bits")
    }

    #[test]
    fn select_finds_every_bit_of_many_words() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..20_000 {
            let ones = match round % 5 {
                0 => u64::MAX,
                1 => random() & random() & random(),
                2 => random() | random(),
                3 => 1 << (random() % 64),
                _ => random(),
            };
            for twos in [0, ones, ones & random()] {
                for n in 0..(ones.count_ones() + twos.count_ones()) as usize {
                    let want = select_slowly(ones, twos, n);
                    assert_eq!(select(ones, twos, n), want, "{ones:X} {twos:X} {n}");
                    let selection = Selection::new(ones, twos);
                    assert_eq!(selection.select(n), want, "{ones:X} {twos:X} {n}");
                }
            }
        }
    }

    #[test]
    fn set_bits_of_every_byte_are_listed() {
        for (byte, row) in SET_BITS_OF_BYTE.iter().enumerate() {
            let mut set_bits = (0..8).filter(|bit| byte >> bit & 1 == 1);
            for (n, &bit) in row.iter().enumerate() {
                assert_eq!(bit, set_bits.next().unwrap_or(0), "{byte:X} {n}");
            }
        }
    }
}
