//! The shortest texts in UTF-16, before an instruction set is chosen: ASCII of four to seven units, in two overlapping
//! words.

use core::mem::MaybeUninit;

use crate::progress::Reach;
use crate::scalar::put;
use crate::tables::Order;

/// The bits that no unit of ASCII has.
const ABOVE: u64 = 0xFF80_FF80_FF80_FF80;

/// Copies `src`, of 8 to 15 bytes, as bytes, if it fits and is ASCII.
#[inline(always)]
pub(crate) fn ascii<O: Order>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    let len = src.len() / 2;
    let text = &src[..2 * len];
    let (first, last) = (word::<O>(*text.first_chunk()?), word::<O>(*text.last_chunk()?));
    let dst = dst.get_mut(..len)?;
    if (first | last) & ABOVE != 0 {
        return None;
    }
    put(narrow(first), dst)?;
    put(narrow(last), &mut dst[len - 4..])?;
    Some(Reach { read: text.len(), written: len })
}

/// Four units, the first the lowest.
#[inline(always)]
fn word<O: Order>(bytes: [u8; 8]) -> u64 {
    let word = u64::from_le_bytes(bytes);
    // In the other order the bytes of each unit are swapped.
    if O::BIG {
        (word & 0x00FF_00FF_00FF_00FF) << 8 | word >> 8 & 0x00FF_00FF_00FF_00FF
    } else {
        word
    }
}

/// The unit in two bytes.
#[inline(always)]
pub(super) fn unit<O: Order>(bytes: &[u8]) -> u16 {
    let bytes = [bytes[0], bytes[1]];
    if O::BIG { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
}

/// Four units below 100 as bytes.
#[inline(always)]
fn narrow(units: u64) -> [u8; 4] {
    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF;
    ((pairs | pairs >> 16) as u32).to_le_bytes()
}
