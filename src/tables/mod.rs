//! The lookup tables of the vector kernels.
//!
//! * Shuffle rows that compress lanes: 4 KiB for 16-bit lanes in each byte order, and 4 KiB for
//!   bytes.
//! * Shuffle rows that write characters as UTF-8: 4 KiB for characters of one or two bytes, and 4
//!   KiB for all characters.
//!
//! `build.rs` writes the tables by the pure functions of `generate.rs`. A kernel uses one of them,
//! or both of the tables for UTF-8.

#[cfg(feature = "code-pages")]
pub(crate) mod code_pages;
#[cfg(test)]
mod generate;
#[cfg(feature = "transcode")]
pub(crate) mod windows1252;

/// A shuffle row. It is aligned, so SSE instructions can use it as a memory operand.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct ShuffleRow(pub(crate) [u8; 16]);

/// Aligned to cache lines: each row is in one line.
#[repr(align(64))]
struct Aligned<T>(T);

include!(concat!(env!("OUT_DIR"), "/compress.rs"));

/// The byte order of output in units, as a type. It costs nothing: the rows swap while they
/// compress.
pub(crate) trait Order: Copy {
    /// True if a lane's high byte comes first.
    const BIG: bool;

    /// Returns the table whose row `m` moves the 16-bit lanes given by the bits of `m` to the
    /// front, in this byte order.
    fn compress16() -> &'static [ShuffleRow; 256];

    /// Returns this order of 16-bit units as a value.
    fn units() -> &'static UnitOrder;
}

/// Low byte first.
#[derive(Clone, Copy)]
pub(crate) struct Little;

/// High byte first.
#[derive(Clone, Copy)]
pub(crate) struct Big;

impl Order for Little {
    const BIG: bool = false;

    #[inline(always)]
    fn compress16() -> &'static [ShuffleRow; 256] {
        &LITTLE.compress16
    }

    #[inline(always)]
    fn units() -> &'static UnitOrder {
        &LITTLE_UNITS
    }
}

impl Order for Big {
    const BIG: bool = true;

    #[inline(always)]
    fn compress16() -> &'static [ShuffleRow; 256] {
        &BIG.compress16
    }

    #[inline(always)]
    fn units() -> &'static UnitOrder {
        &BIG_UNITS
    }
}

/// The byte order of input in 16-bit units as a value, for code that is compiled once for both
/// orders. It holds the vectors that units are compared with and shuffled by. Vector code never
/// branches on it.
#[repr(C, align(64))]
pub(crate) struct UnitOrder {
    /// Lanes with the bits that identify surrogates: 0xF800.
    pub(crate) top: Lanes,
    /// Lanes whose bytewise addition maps surrogates, and no other units, to 0..=0x7FF: 0x2800.
    pub(crate) lift: Lanes,
    /// Lanes with the `top` bits of a surrogate: 0xD800.
    pub(crate) surrogate: Lanes,
    /// Lanes with the bits that distinguish high and low surrogates: 0xFC00. In a high surrogate,
    /// they equal `surrogate`.
    pub(crate) half: Lanes,
    /// Lanes with the `half` bits of a low surrogate: 0xDC00.
    pub(crate) low: Lanes,
    /// Lanes with the bits that ASCII lacks.
    pub(crate) above_ascii: Lanes,
    /// Lanes with the bits that Latin-1 lacks.
    pub(crate) above_latin1: Lanes,
    /// A shuffle row that moves the upper bytes of eight units to the front, with zeros after them,
    /// in every 16 bytes.
    pub(crate) upper: Lanes,
    /// A shuffle row that moves the lower bytes of eight units to the front.
    pub(crate) lower: Lanes,
    /// A shuffle row that puts the low byte of each unit first, in every 16 bytes.
    pub(crate) straight: Lanes,
    /// Shuffle rows that widen four units to 32 bits, low byte first: the first and the second four
    /// of eight units, in every 16 bytes.
    pub(crate) wider: [Lanes; 2],
    /// The rotation that puts the low byte of a unit first: 0 or 8.
    rotation: u32,
    /// True if the high byte comes first, for the scalar reference.
    pub(crate) big: bool,
}

/// The bytes of the largest vector. Smaller vectors use the first bytes.
pub(crate) type Lanes = [u8; 64];

/// Low byte first.
pub(crate) static LITTLE_UNITS: UnitOrder = UnitOrder::new(false);

/// High byte first.
pub(crate) static BIG_UNITS: UnitOrder = UnitOrder::new(true);

impl UnitOrder {
    const fn new(big: bool) -> Self {
        const ZERO_LANE: u8 = 0x80;
        let flip = big as u8;
        let (mut upper, mut lower) = ([ZERO_LANE; 64], [ZERO_LANE; 64]);
        let (mut straight, mut wider) = ([ZERO_LANE; 64], [[ZERO_LANE; 64]; 2]);
        let mut i = 0;
        while i < 64 {
            // The offset of the unit in its 16 bytes. `flip` gives the offset of its other byte.
            let unit = i as u8 % 16 / 2;
            straight[i] = (i as u8 % 16) ^ flip;
            if i % 16 < 8 {
                upper[i] = (2 * (i as u8 % 16) + 1) ^ flip;
                lower[i] = upper[i] ^ 1;
            }
            if i % 4 < 2 {
                let byte = (unit / 2 * 2 + i as u8 % 4) ^ flip;
                (wider[0][i], wider[1][i]) = (byte, byte + 8);
            }
            i += 1;
        }
        Self {
            top: lanes(0xF800, big),
            lift: lanes(0x2800, big),
            surrogate: lanes(0xD800, big),
            half: lanes(0xFC00, big),
            low: lanes(0xDC00, big),
            above_ascii: lanes(0xFF80, big),
            above_latin1: lanes(0xFF00, big),
            upper,
            lower,
            straight,
            wider,
            rotation: if big { 8 } else { 0 },
            big,
        }
    }

    /// Returns the unit in `bytes`, which were read with the low byte first.
    #[inline(always)]
    pub(crate) fn unit(&self, bytes: u16) -> u16 {
        bytes.rotate_left(self.rotation)
    }

    /// Returns four units, the first one lowest, in this byte order. It is its own inverse.
    #[inline(always)]
    pub(crate) fn units(&self, units: u64) -> u64 {
        let (low, high) = (units & 0x00FF_00FF_00FF_00FF, units & 0xFF00_FF00_FF00_FF00);
        low << self.rotation | high >> self.rotation
    }
}

/// Returns lanes of which each is `unit`.
const fn lanes(unit: u16, big: bool) -> Lanes {
    let bytes = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    let mut lanes = [0; 64];
    let mut i = 0;
    while i < 64 {
        lanes[i] = bytes[i % 2];
        i += 1;
    }
    lanes
}

/// The byte order of output as a value, for code that is compiled once for both orders.
#[repr(C, align(64))]
pub(crate) struct ByteOrder {
    /// [`Order::compress16`]. It is stored here instead of referenced, which saves a load before
    /// the first character.
    pub(crate) compress16: [ShuffleRow; 256],
    /// The indices that interleave a vector of low bytes and a vector of high bytes, which has the
    /// indices from 64 on: the first half of the lanes, and the second half. For a permutation of
    /// one vector, AVX-512 ignores the bit that selects the second vector.
    #[cfg(avx512)]
    pub(crate) turns: [Lanes; 2],
    /// A mask of the low bytes of 16-bit lanes.
    #[cfg(avx512)]
    pub(crate) low: u64,
    /// The left shift that moves a byte to its position in a 16-bit lane: 0 or 8.
    pub(crate) shift: i32,
    /// True if the high byte comes first.
    pub(crate) big: bool,
}

/// Low byte first.
pub(crate) static LITTLE: ByteOrder = ByteOrder::new(COMPRESS16_LITTLE, false);

/// High byte first.
pub(crate) static BIG: ByteOrder = ByteOrder::new(COMPRESS16_BIG, true);

impl ByteOrder {
    const fn new(compress16: [ShuffleRow; 256], big: bool) -> Self {
        Self {
            compress16,
            #[cfg(avx512)]
            turns: [turns(0, big), turns(32, big)],
            #[cfg(avx512)]
            low: (u64::MAX / 3) << big as u32,
            shift: if big { 8 } else { 0 },
            big,
        }
    }
}

/// Returns the indices that interleave a vector of low bytes and a vector of high bytes as 32
/// 16-bit lanes, from lane `from` on.
#[cfg(avx512)]
pub(crate) const fn turns(from: u8, big: bool) -> Lanes {
    let mut numbers = [0; 64];
    let mut i = 0;
    while i < 64 {
        let is_high = i % 2 == !big as usize;
        numbers[i] = from + i as u8 / 2 + 64 * is_high as u8;
        i += 1;
    }
    numbers
}

/// Returns the table whose row `m` moves the bytes given by the bits of `m` to the front: of the
/// first eight lanes, or if `half` is 1 of the next eight.
#[inline(always)]
pub(crate) fn compress8(half: usize) -> &'static [[u8; 8]; 256] {
    &COMPRESS8.0[half]
}

/// Returns the table whose row `m` writes eight 16-bit lanes as UTF-8: byte 0, after byte 1 if the
/// bit of the lane in `m` is set.
#[inline(always)]
pub(crate) fn utf8_narrow() -> &'static [ShuffleRow; 256] {
    &UTF8_NARROW.0
}

/// Returns the table whose row `m` writes four 32-bit lanes as UTF-8, the last byte of each first,
/// by two bits of `m`: 00 is byte 0, 01 is bytes 1 and 0, 11 is bytes 2, 1 and 0, and 10 is all
/// four.
#[inline(always)]
pub(crate) fn utf8_wide() -> &'static [ShuffleRow; 256] {
    &UTF8_WIDE.0
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec::Vec;

    use super::*;

    /// Tests all rows by the definition of their masks.
    fn check<O: Order>() {
        for mask in 0..=255u8 {
            let row = O::compress16()[usize::from(mask)].0;
            assert_eq!(
                row,
                generate::compress16(mask, O::BIG),
                "the table is not what generate.rs says"
            );
            let mut want = [generate::ZERO_LANE; 16];
            let lanes = (0..8).filter(|lane| mask >> lane & 1 == 1);
            for (pair, lane) in want.chunks_mut(2).zip(lanes) {
                pair.copy_from_slice(&[2 * lane, 2 * lane + 1]);
                if O::BIG {
                    pair.reverse();
                }
            }
            assert_eq!(row, want, "mask {mask:08b}");
        }
    }

    #[test]
    fn every_row_compresses_as_its_mask_says() {
        check::<Little>();
        check::<Big>();
    }

    #[test]
    fn every_row_to_utf8_writes_the_last_byte_last() {
        for mask in 0..=255u8 {
            let (mut narrow, mut wide) = (Vec::new(), Vec::new());
            for lane in 0..8 {
                let bytes = [2 * lane + 1, 2 * lane];
                narrow.extend(&bytes[1 - usize::from(mask >> lane & 1)..]);
            }
            for lane in 0..4 {
                let more = mask >> (2 * lane) & 3;
                let bytes = [4 * lane + 3, 4 * lane + 2, 4 * lane + 1, 4 * lane];
                wide.extend(&bytes[[3, 2, 0, 1][usize::from(more)]..]);
            }
            for (row, want) in [
                (&utf8_narrow()[usize::from(mask)], &mut narrow),
                (&utf8_wide()[usize::from(mask)], &mut wide),
            ] {
                want.resize(16, generate::ZERO_LANE);
                assert_eq!(row.0[..], want[..], "mask {mask:08b}");
            }
        }
        assert_eq!(utf8_narrow()[5].0, generate::utf8_narrow(5), "not what generate.rs says");
        assert_eq!(utf8_wide()[5].0, generate::utf8_wide(5), "not what generate.rs says");
    }

    #[test]
    fn every_byte_row_compresses_as_its_mask_says() {
        for (half, mask) in (0..2).flat_map(|half| (0..=255u8).map(move |mask| (half, mask))) {
            let row = compress8(half)[usize::from(mask)];
            let first = 8 * half as u8;
            assert_eq!(
                row,
                generate::compress8(mask, first),
                "the table is not what generate.rs says"
            );
            let mut want = [generate::ZERO_LANE; 8];
            let lanes = (0..8).filter(|lane| mask >> lane & 1 == 1);
            for (entry, lane) in want.iter_mut().zip(lanes) {
                *entry = first + lane;
            }
            assert_eq!(row, want, "mask {mask:08b}");
        }
    }
}
