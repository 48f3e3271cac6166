//! The shortest texts in UTF-16, before an instruction set is chosen: ASCII of less than eight units, in two overlapping
//! words, and single units.

use core::mem::MaybeUninit;

use crate::progress::Reach;
use crate::scalar::{Encode, put};
use crate::tables::Order;

/// The bits that no unit of ASCII has.
const ABOVE: u64 = 0xFF80_FF80_FF80_FF80;

/// Converts `src`, of less than 16 bytes, into UTF-8, Latin-1 or ASCII, if it fits and is ASCII, or a single unit.
#[inline(always)]
pub(crate) fn convert<O: Order, B: Encode>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let len = src.len() / 2;
    let read = 2 * len;
    if let (Some(&first), Some(&last)) = (src[..read].first_chunk(), src[..read].last_chunk()) {
        let (first, last) = (word::<O>(first), word::<O>(last));
        let dst = dst.get_mut(..len)?;
        if (first | last) & ABOVE != 0 {
            return None;
        }
        put(narrow(first), dst);
        put(narrow(last), &mut dst[len - 4..]);
        return Some(Reach { read, written: len });
    }
    let unit = |at: usize| src.get(2 * at..2 * at + 2).map_or(0, unit::<O>);
    let (first, middle, last) = (unit(0), unit(len / 2), unit(len.saturating_sub(1)));
    if (first | middle | last) & 0xFF80 != 0 {
        if len != 1 || first & 0xF800 == 0xD800 {
            return None;
        }
        return Some(Reach { read, written: B::encode(u32::from(first), dst)? });
    }
    let dst = dst.get_mut(..len)?;
    if len > 0 {
        put([first as u8], dst);
        put([middle as u8], &mut dst[len / 2..]);
        put([last as u8], &mut dst[len - 1..]);
    }
    Some(Reach { read, written: len })
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
