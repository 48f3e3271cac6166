//! The lookup tables of the vector kernels: shuffle rows that compress lanes, 4 KiB for each byte order.
//!
//! `build.rs` writes them from the pure functions of `generate.rs`; a kernel touches one of them.

#[cfg(test)]
mod generate;

use crate::scalar::Encode;
use crate::{Utf16Be, Utf16Le};

/// A shuffle row. Aligned, so that SSE instructions can take it from memory.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(crate) struct Row(pub(crate) [u8; 16]);

/// Cache lines hold whole rows.
#[repr(align(64))]
struct Aligned<T>(T);

include!(concat!(env!("OUT_DIR"), "/compress.rs"));

/// The byte order of 16-bit output. It costs nothing: the rows swap while they compress.
pub(crate) trait Order: Copy {
    /// The scheme of that order, for the scalar reference.
    type Utf16: Encode;
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
    const BIG: bool = false;

    #[inline(always)]
    fn compress16() -> &'static [Row; 256] {
        &COMPRESS16_LITTLE.0
    }
}

impl Order for Big {
    type Utf16 = Utf16Be;
    const BIG: bool = true;

    #[inline(always)]
    fn compress16() -> &'static [Row; 256] {
        &COMPRESS16_BIG.0
    }
}

#[cfg(test)]
mod tests {
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
}
