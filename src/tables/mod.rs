//! The lookup tables of the vector kernels: shuffle rows that compress lanes, 4 KiB for 16-bit lanes in each byte order,
//! 4 KiB for bytes; and rows that write characters as UTF-8, 4 KiB for those of one or two bytes and 4 KiB for all.
//!
//! `build.rs` writes them from the pure functions of `generate.rs`; a kernel touches one of them, or both of the latter.

#[cfg(test)]
mod generate;

use crate::scalar::{Decode, Encode};
use crate::{Utf16Be, Utf16Le, Utf32Be, Utf32Le};

/// A shuffle row. Aligned, so that SSE instructions can take it from memory.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Row(pub(crate) [u8; 16]);

/// Cache lines hold whole rows.
#[repr(align(64))]
struct Aligned<T>(T);

include!(concat!(env!("OUT_DIR"), "/compress.rs"));

/// The byte order of output in units. It costs nothing: the rows swap while they compress.
pub(crate) trait Order: Copy {
    /// The scheme of that order, for the scalar reference.
    type Utf16: Decode + Encode;
    /// The same for 32-bit output.
    type Utf32: Encode;
    /// Whether a lane's high byte comes first.
    const BIG: bool;

    /// Row `m` moves the 16-bit lanes named by the bits of `m` to the front, in this byte order.
    fn compress16() -> &'static [Row; 256];
}

/// Low byte first.
#[derive(Clone, Copy)]
pub(crate) struct Little;

/// High byte first.
#[derive(Clone, Copy)]
pub(crate) struct Big;

impl Order for Little {
    type Utf16 = Utf16Le;
    type Utf32 = Utf32Le;
    const BIG: bool = false;

    #[inline(always)]
    fn compress16() -> &'static [Row; 256] {
        &COMPRESS16_LITTLE.0
    }
}

impl Order for Big {
    type Utf16 = Utf16Be;
    type Utf32 = Utf32Be;
    const BIG: bool = true;

    #[inline(always)]
    fn compress16() -> &'static [Row; 256] {
        &COMPRESS16_BIG.0
    }
}

/// A byte order as a value, for code that is compiled once for both.
pub(crate) struct ByteOrder {
    /// Whether the high byte comes first.
    pub(crate) big: bool,
    /// How far a 16-bit lane is shifted that is below 100 and has the low byte first: 0 or 8.
    pub(crate) shift: i32,
    /// [`Order::compress16`].
    pub(crate) compress16: &'static [Row; 256],
}

impl ByteOrder {
    /// That of `O`.
    const fn of<O: Order>(compress16: &'static [Row; 256]) -> Self {
        Self { big: O::BIG, shift: if O::BIG { 8 } else { 0 }, compress16 }
    }
}

/// Low byte first.
pub(crate) static LITTLE: ByteOrder = ByteOrder::of::<Little>(&COMPRESS16_LITTLE.0);

/// High byte first.
pub(crate) static BIG: ByteOrder = ByteOrder::of::<Big>(&COMPRESS16_BIG.0);

/// Row `m` moves the bytes named by the bits of `m` to the front: of the first eight lanes, or with `half` 1 of the eight
/// behind them.
#[inline(always)]
pub(crate) fn compress8(half: usize) -> &'static [[u8; 8]; 256] {
    &COMPRESS8.0[half]
}

/// Row `m` writes eight 16-bit lanes as UTF-8: byte 0, behind byte 1 where the lane's bit in `m` is set.
#[inline(always)]
pub(crate) fn utf8_narrow() -> &'static [Row; 256] {
    &UTF8_NARROW.0
}

/// Row `m` writes four 32-bit lanes as UTF-8, each in one byte more than its two bits in `m` count: byte 0, or 1 and 0,
/// or 2, 1 and 0.
#[inline(always)]
pub(crate) fn utf8_wide() -> &'static [Row; 256] {
    &UTF8_WIDE.0
}

#[cfg(test)]
mod tests {
    extern crate alloc;

    use alloc::vec::Vec;

    use super::*;

    /// What a row does to lanes, by the meaning of its mask.
    fn check<O: Order>() {
        for mask in 0..=255u8 {
            let row = O::compress16()[usize::from(mask)].0;
            assert_eq!(
                row,
                generate::compress16(mask, O::BIG),
                "the table is not what generate.rs says"
            );
            let mut want = [generate::ZERO; 16];
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
                let bytes = [4 * lane + 2, 4 * lane + 1, 4 * lane];
                wide.extend(&bytes[[2, 1, 1, 0][usize::from(more)]..]);
            }
            for (row, want) in [
                (&utf8_narrow()[usize::from(mask)], &mut narrow),
                (&utf8_wide()[usize::from(mask)], &mut wide),
            ] {
                want.resize(16, generate::ZERO);
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
            let mut want = [generate::ZERO; 8];
            let lanes = (0..8).filter(|lane| mask >> lane & 1 == 1);
            for (entry, lane) in want.iter_mut().zip(lanes) {
                *entry = first + lane;
            }
            assert_eq!(row, want, "mask {mask:08b}");
        }
    }
}
