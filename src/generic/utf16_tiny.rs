//! The shortest texts in UTF-16, before an instruction set is chosen: four to seven units in two overlapping words, as far
//! as they are the same in the output or only wider.

use core::mem::MaybeUninit;

use crate::progress::Reach;
use crate::scalar::put;
use crate::tables::Order;

/// A lane's lowest bit.
const EACH: u64 = 0x0001_0001_0001_0001;

/// Copies `src`, of 8 to 15 bytes, as bytes, if it fits and has none of the bits in `ABOVE`: FF80 for ASCII, FF00 for
/// Latin-1.
#[inline(always)]
pub(crate) fn bytes<O: Order, const ABOVE: u16>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    let len = src.len() / 2;
    let text = &src[..2 * len];
    let (first, last) = (word::<O>(*text.first_chunk()?), word::<O>(*text.last_chunk()?));
    let dst = dst.get_mut(..len)?;
    if (first | last) & (EACH * ABOVE as u64) != 0 {
        return None;
    }
    put(narrow(first), dst)?;
    put(narrow(last), &mut dst[len - 4..])?;
    Some(Reach { read: text.len(), written: len })
}

/// Converts `src`, of 8 to 15 bytes, into UTF-32 in byte order `B`, if it fits and has no surrogates.
#[inline(always)]
pub(crate) fn utf32<A: Order, B: Order>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    let read = src.len() / 2 * 2;
    let text = &src[..read];
    let (first, last) = (word::<A>(*text.first_chunk()?), word::<A>(*text.last_chunk()?));
    let dst = dst.get_mut(..2 * read)?;
    if has_surrogate(first) || has_surrogate(last) {
        return None;
    }
    put(widen::<B>(first), dst)?;
    put(widen::<B>(last), &mut dst[2 * read - 16..])?;
    Some(Reach { read, written: 2 * read })
}

/// Converts `src`, of 8 to 14 bytes, into UTF-16 in byte order `B`, as long as it, if it has no surrogates.
#[inline(always)]
pub(crate) fn utf16<A: Order, B: Order>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (first, last) = (word::<A>(*src.first_chunk()?), word::<A>(*src.last_chunk()?));
    if has_surrogate(first) || has_surrogate(last) {
        return None;
    }
    put(word::<B>(first.to_le_bytes()).to_le_bytes(), dst)?;
    put(word::<B>(last.to_le_bytes()).to_le_bytes(), &mut dst[src.len() - 8..])?;
    Some(src.len())
}

/// Whether any of four units is a surrogate.
#[inline(always)]
fn has_surrogate(units: u64) -> bool {
    // Zero where one is; what borrows from another lane comes from such a one alone.
    let other = (units ^ (0xD800 * EACH)) & (0xF800 * EACH);
    other.wrapping_sub(EACH) & !other & (0x8000 * EACH) != 0
}

/// Four units as units of 32 bits.
#[inline(always)]
fn widen<B: Order>(units: u64) -> [u8; 16] {
    let two = |units: u64| (units | units << 16) & 0x0000_FFFF_0000_FFFF;
    let all = u128::from(two(units & 0xFFFF_FFFF)) | u128::from(two(units >> 32)) << 64;
    if !B::BIG {
        return all.to_le_bytes();
    }
    let [low, high] = [all as u64, (all >> 64) as u64].map(|two| two.swap_bytes().rotate_left(32));
    (u128::from(low) | u128::from(high) << 64).to_le_bytes()
}

/// Four units, the first the lowest; or their bytes in order `O` again.
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
