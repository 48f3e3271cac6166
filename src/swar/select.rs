//! Selection: the bit of a word at which a running count exceeds a number.

/// 01 in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The high bit of every byte.
const HIGH_BITS: u64 = 0x80 * ONES;

/// Returns the number of bits set in each byte of a word.
#[inline(always)]
fn in_bytes(bits: u64) -> u64 {
    let twos = bits - ((bits >> 1) & (0x55 * ONES));
    let fours = (twos & (0x33 * ONES)) + ((twos >> 2) & (0x33 * ONES));
    (fours + (fours >> 4)) & (0x0F * ONES)
}

/// Returns the first bit `i` for which the bits `0..=i` set in `ones` and `twos` together are more
/// than `n`. There must be such a bit. All bits of `twos` are in `ones`.
#[inline(always)]
pub(crate) fn select(ones: u64, twos: u64, n: usize) -> usize {
    // The number of set bits in each byte and all bytes below it: at most 128, which only the
    // highest byte can reach.
    let sums = (in_bytes(ones) + in_bytes(twos)).wrapping_mul(ONES);
    // Bytes whose sum is at most `n`, which is below 128. A sum of 128 leaves the high bit clear,
    // and does not borrow.
    let below = ((n as u64 * ONES) | HIGH_BITS).wrapping_sub(sums) & HIGH_BITS;
    let shift = 8 * below.count_ones();
    let left = n as u64 - ((sums << 8 >> shift) & 0xFF);
    // The same search among the bits of that byte, each spread to a byte.
    let sums = (spread(ones >> shift) + spread(twos >> shift)).wrapping_mul(ONES);
    let below = ((left * ONES) | HIGH_BITS).wrapping_sub(sums) & HIGH_BITS;
    (shift + below.count_ones()) as usize
}

/// Two words for many selections.
#[derive(Clone, Copy)]
pub(crate) struct Selection {
    ones: u64,
    twos: u64,
    /// The number of bits set in each byte and all bytes below it, as in [`select`].
    sums: u64,
}

impl Selection {
    /// Creates a selection from the words of [`select`].
    #[inline(always)]
    pub(crate) fn new(ones: u64, twos: u64) -> Self {
        Self { ones, twos, sums: (in_bytes(ones) + in_bytes(twos)).wrapping_mul(ONES) }
    }

    /// Returns [`select`] of these words. Most texts have long parts of ASCII, or parts without
    /// characters that count twice, so these are decided by branches, and a load replaces the
    /// second search.
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
        let left = n as u64 - ((sums << 8 >> shift) & 0xFF);
        let row = IN_BYTE[(ones >> shift & 0xFF) as usize];
        shift as usize + usize::from(row[(left & 7) as usize])
    }
}

/// The positions of the set bits of each byte, the lowest first: 2 KiB.
static IN_BYTE: [[u8; 8]; 256] = {
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

/// Returns the lowest eight bits as bytes: 01 for each set bit.
#[inline(always)]
fn spread(bits: u64) -> u64 {
    // Byte `i` keeps bit `i`.
    let kept = (bits & 0xFF).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    ((kept + (HIGH_BITS - ONES)) & HIGH_BITS) >> 7
}

#[cfg(test)]
mod tests {
    use super::{IN_BYTE, Selection, select};

    /// Implements the definition, bit by bit.
    fn slow(ones: u64, twos: u64, n: usize) -> usize {
        let mut sum = 0;
        (0..64)
            .find(|i| {
                sum += (ones >> i & 1) + (twos >> i & 1);
                sum > n as u64
            })
            .expect("more than n")
    }

    #[test]
    fn every_bit_of_many_words() {
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
                    let want = slow(ones, twos, n);
                    assert_eq!(select(ones, twos, n), want, "{ones:X} {twos:X} {n}");
                    let selection = Selection::new(ones, twos);
                    assert_eq!(selection.select(n), want, "{ones:X} {twos:X} {n}");
                }
            }
        }
    }

    #[test]
    fn positions_in_every_byte() {
        for (byte, row) in IN_BYTE.iter().enumerate() {
            let mut places = (0..8).filter(|place| byte >> place & 1 == 1);
            for (n, &place) in row.iter().enumerate() {
                assert_eq!(place, places.next().unwrap_or(0), "{byte:X} {n}");
            }
        }
    }
}
