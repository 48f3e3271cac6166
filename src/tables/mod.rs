//! The lookup tables of the vector kernels.
//!
//! * Shuffle rows that compress lanes: 4 KiB for 16-bit lanes in each byte order, and 4 KiB for
//!   bytes.
//! * Shuffle rows that write characters as UTF-8: 4 KiB for characters of one or two bytes, and 4
//!   KiB for all characters.
//!
//! `build.rs` writes the tables with the pure functions in `generate.rs`. A kernel uses one table,
//! or both tables for UTF-8.

#[cfg(feature = "code-pages")]
pub(crate) mod code_pages;
#[cfg(test)]
#[allow(dead_code, reason = "shared with build.rs, which uses more of it")]
mod generate;

/// A row of a shuffle table. It is aligned, so SSE instructions can use it as a memory operand.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct ShuffleRow(pub(crate) [u8; 16]);

/// A table that is aligned to cache lines, so no row is split across two cache lines.
#[repr(align(64))]
struct Aligned<T>(T);

include!(concat!(env!("OUT_DIR"), "/compress.rs"));

/// The byte order of output units, as a type. Swapping costs nothing, because the same shuffle
/// compresses and swaps.
pub(crate) trait Order: Copy {
    /// True if a lane's high byte comes first.
    const BIG: bool;

    /// Returns the table whose row `m` moves the 16-bit lanes whose bits are set in `m` to the
    /// front, in this byte order.
    fn compress16() -> &'static [ShuffleRow; 256];

    /// Returns this byte order of 16-bit units as a value.
    fn units() -> &'static UnitOrder;
}

/// The byte order with the low byte first, as a type.
#[derive(Clone, Copy)]
pub(crate) struct Little;

/// The byte order with the high byte first, as a type.
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

/// The byte order of 16-bit input units as a value, for code that is compiled once for both orders.
/// It holds the constant vectors with which units are compared and shuffled. Vector code never
/// branches on the byte order.
#[repr(C, align(64))]
pub(crate) struct UnitOrder {
    /// The mask of the bits that identify surrogates, in each lane: 0xF800.
    pub(crate) top: Lanes,
    /// The number that is added to each lane, byte by byte, to map surrogates, and no other units,
    /// to 0..=0x7FF: 0x2800.
    pub(crate) lift: Lanes,
    /// The value of the `top` bits of a surrogate, in each lane: 0xD800.
    pub(crate) surrogate: Lanes,
    /// The mask of the bits that distinguish high and low surrogates, in each lane: 0xFC00. In a
    /// high surrogate, these bits equal `surrogate`.
    pub(crate) kind_mask: Lanes,
    /// The value of the `kind_mask` bits of a low surrogate, in each lane: 0xDC00.
    pub(crate) low: Lanes,
    /// The mask of the bits that are zero in ASCII, in each lane: 0xFF80.
    pub(crate) above_ascii: Lanes,
    /// The mask of the bits that are zero in Latin-1, in each lane: 0xFF00.
    pub(crate) above_latin1: Lanes,
    /// A shuffle row that moves the upper bytes of eight units to the front, followed by zeros, in
    /// every 16 bytes.
    pub(crate) upper: Lanes,
    /// A shuffle row that moves the lower bytes of eight units to the front, followed by zeros, in
    /// every 16 bytes.
    pub(crate) lower: Lanes,
    /// A shuffle row that puts the low byte of each unit first, in every 16 bytes.
    pub(crate) straight: Lanes,
    /// Shuffle rows that widen the first four and the last four of eight units to 32 bits, with the
    /// low byte first, in every 16 bytes.
    pub(crate) wider: [Lanes; 2],
    /// The number of bits by which a unit is rotated to put the low byte first: 0 or 8.
    rotation: u32,
    /// True if the high byte comes first.
    pub(crate) big: bool,
}

/// The bytes of a vector of the largest size. Smaller vectors load the first bytes.
pub(crate) type Lanes = [u8; 64];

/// The order of units with the low byte first.
pub(crate) static LITTLE_UNITS: UnitOrder = UnitOrder::new(false);

/// The order of units with the high byte first.
pub(crate) static BIG_UNITS: UnitOrder = UnitOrder::new(true);

impl UnitOrder {
    const fn new(big: bool) -> Self {
        const ZERO_LANE: u8 = 0x80;
        let flip = big as u8;
        let (mut upper, mut lower) = ([ZERO_LANE; 64], [ZERO_LANE; 64]);
        let (mut straight, mut wider) = ([ZERO_LANE; 64], [[ZERO_LANE; 64]; 2]);
        let mut i = 0;
        while i < 64 {
            // The index of the unit in its 16 bytes. An offset xor `flip` is the offset in the
            // other byte order.
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
            kind_mask: lanes(0xFC00, big),
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

    /// Returns the value of a unit whose bytes were read with the low byte first.
    #[inline(always)]
    pub(crate) fn unit(&self, bytes: u16) -> u16 {
        bytes.rotate_left(self.rotation)
    }

    /// Converts four units, the first in the low bits, between this byte order and the order with
    /// the low byte first. The function is its own inverse.
    #[inline(always)]
    pub(crate) fn units(&self, units: u64) -> u64 {
        let (low, high) = (units & 0x00FF_00FF_00FF_00FF, units & 0xFF00_FF00_FF00_FF00);
        low << self.rotation | high >> self.rotation
    }
}

/// Returns a vector in which each 16-bit lane is `unit`.
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
    /// The table that [`Order::compress16`] returns. It is a field and not a reference, which saves
    /// a load before the first character.
    pub(crate) compress16: [ShuffleRow; 256],
    /// The indices that interleave a vector of low bytes and a vector of high bytes, for the first
    /// half of the 16-bit lanes and for the second half. The bytes of the second vector have the
    /// indices from 64 on. In a permutation of one vector, AVX-512 ignores the bit that selects the
    /// second vector.
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

/// The order of output with the low byte first.
pub(crate) static LITTLE: ByteOrder = ByteOrder::new(COMPRESS16_LITTLE, false);

/// The order of output with the high byte first.
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

/// Returns the indices that interleave a vector of low bytes and a vector of high bytes to 32
/// 16-bit lanes. The first lane has the bytes with index `from`.
#[cfg(avx512)]
pub(crate) const fn turns(from: u8, big: bool) -> Lanes {
    let mut indices = [0; 64];
    let mut i = 0;
    while i < 64 {
        let is_high = i % 2 == !big as usize;
        indices[i] = from + i as u8 / 2 + 64 * is_high as u8;
        i += 1;
    }
    indices
}

/// Returns the table whose row `m` moves the bytes whose bits are set in `m` to the front. The bits
/// stand for the first eight bytes if `half` is 0, and for the next eight if `half` is 1.
#[inline(always)]
pub(crate) fn compress8(half: usize) -> &'static [[u8; 8]; 256] {
    &COMPRESS8.0[half]
}

/// Returns the table whose row `m` writes eight 16-bit lanes as UTF-8. It writes byte 1 and then
/// byte 0 of a lane whose bit in `m` is set, and only byte 0 of the other lanes.
#[inline(always)]
pub(crate) fn utf8_narrow() -> &'static [ShuffleRow; 256] {
    &UTF8_NARROW.0
}

/// Returns the table whose row `m` writes four 32-bit lanes as UTF-8. It writes the bytes of a lane
/// in reverse order, up to byte 0. The two bits of the lane in `m` select the bytes: binary 00 is
/// byte 0, 01 is the bytes 1 and 0, 11 is the bytes 2, 1 and 0, and 10 is all four bytes.
#[inline(always)]
pub(crate) fn utf8_wide() -> &'static [ShuffleRow; 256] {
    &UTF8_WIDE.0
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec::Vec;

    use super::*;

    /// Compares each row with `generate.rs` and with the definition of its mask.
    fn check<O: Order>() {
        for mask in 0..=255u8 {
            let row = O::compress16()[usize::from(mask)].0;
            assert_eq!(
                row,
                generate::compress16(mask, O::BIG),
                "the table differs from generate.rs"
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
    fn rows_of_compress16_follow_their_masks() {
        check::<Little>();
        check::<Big>();
    }

    #[test]
    fn rows_to_utf8_reverse_the_bytes_of_each_lane() {
        for mask in 0..=255u8 {
            let (mut narrow, mut wide) = (Vec::new(), Vec::new());
            for lane in 0..8 {
                let bytes = [2 * lane + 1, 2 * lane];
                narrow.extend(&bytes[1 - usize::from(mask >> lane & 1)..]);
            }
            for lane in 0..4 {
                let lengths = mask >> (2 * lane) & 3;
                let bytes = [4 * lane + 3, 4 * lane + 2, 4 * lane + 1, 4 * lane];
                wide.extend(&bytes[[3, 2, 0, 1][usize::from(lengths)]..]);
            }
            for (row, want) in [
                (&utf8_narrow()[usize::from(mask)], &mut narrow),
                (&utf8_wide()[usize::from(mask)], &mut wide),
            ] {
                want.resize(16, generate::ZERO_LANE);
                assert_eq!(row.0[..], want[..], "mask {mask:08b}");
            }
        }
        assert_eq!(
            utf8_narrow()[5].0,
            generate::utf8_narrow(5),
            "the table differs from generate.rs"
        );
        assert_eq!(utf8_wide()[5].0, generate::utf8_wide(5), "the table differs from generate.rs");
    }

    #[test]
    fn rows_of_compress8_follow_their_masks() {
        for (half, mask) in (0..2).flat_map(|half| (0..=255u8).map(move |mask| (half, mask))) {
            let row = compress8(half)[usize::from(mask)];
            let first = 8 * half as u8;
            assert_eq!(row, generate::compress8(mask, first), "the table differs from generate.rs");
            let mut want = [generate::ZERO_LANE; 8];
            let lanes = (0..8).filter(|lane| mask >> lane & 1 == 1);
            for (entry, lane) in want.iter_mut().zip(lanes) {
                *entry = first + lane;
            }
            assert_eq!(row, want, "mask {mask:08b}");
        }
    }
}
