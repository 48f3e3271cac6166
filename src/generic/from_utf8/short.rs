//! The shortest texts, converted before an instruction set is chosen.
//!
//! ASCII shorter than a word is read in two overlapping pieces, which shifts spread to units. A
//! single character, and two three-byte characters, are decoded here too.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::scalar::code::{Encode, write_bytes};
use crate::types::progress::Reach;

/// Converts `src`, of less than eight bytes, if it fits and is ASCII, one character, or two
/// three-byte characters.
#[inline(always)]
pub(crate) fn convert<B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    if src.len() < 4 { bytes::<B>(src, dst) } else { word::<B>(src, dst) }
}

/// [`convert`] for at most three bytes.
#[inline(always)]
fn bytes<B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    let size = const { B::SCHEME.unit_size() };
    let Some((&first, &last)) = src.first().zip(src.last()) else {
        return Some(Reach { read: 0, written: 0 });
    };
    let middle = src.len() / 2;
    if !(first | src[middle] | last).is_ascii() {
        return match *src {
            [b0, b1] => character::<B>(2, u32::from_be_bytes([0, 0, b0, b1]), dst),
            [b0, b1, b2] => character::<B>(3, u32::from_be_bytes([0, b0, b1, b2]), dst),
            _ => None,
        };
    }
    let written = size * src.len();
    let dst = dst.get_mut(..written)?;
    for (at, byte) in [(0, first), (middle, src[middle]), (src.len() - 1, last)] {
        let _ = B::encode(u32::from(byte & 0x7F), &mut dst[size * at..]);
    }
    Some(Reach { read: src.len(), written })
}

/// [`convert`] for four to seven bytes.
#[inline(always)]
fn word<B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    let size = const { B::SCHEME.unit_size() };
    let (&first, &last) = (src.first_chunk()?, src.last_chunk()?);
    let (low, high) = (u32::from_le_bytes(first), u32::from_le_bytes(last));
    if (low | high) & 0x8080_8080 != 0 {
        return match *src {
            [0xF0..=0xFF, _, _, _] => character::<B>(4, u32::from_be_bytes(first), dst),
            [b0 @ 0xE0..=0xEF, b1, b2, b3, b4, b5] => {
                let one = character::<B>(3, u32::from_be_bytes([0, b0, b1, b2]), dst)?;
                let two = u32::from_be_bytes([0, b3, b4, b5]);
                let two = character::<B>(3, two, &mut dst[one.written..])?;
                Some(two.after(one.read, one.written))
            }
            _ => None,
        };
    }
    let written = size * src.len();
    let dst = dst.get_mut(..written)?;
    four::<B>(low, dst);
    four::<B>(high, &mut dst[size * (src.len() - 4)..]);
    Some(Reach { read: src.len(), written })
}

/// Converts `bytes`, the first one the highest, if they are one character of `len` bytes.
#[inline(always)]
fn character<B: Encode>(len: usize, bytes: u32, dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    // The bits that mark a sequence of this length, their values, and the code points of this
    // length.
    let (mask, marks, points) = match len {
        2 => (0xE0C0, 0xC080, 0x80..=0x7FF),
        3 => (0x00F0_C0C0, 0x00E0_8080, 0x800..=0xFFFF),
        _ => (0xF8C0_C0C0, 0xF080_8080, 0x1_0000..=0x10_FFFF),
    };
    let low = bytes & 0x3F | (bytes >> 2 & 0xFC0);
    let c = match len {
        2 => low & 0x7FF,
        3 => low | bytes >> 4 & 0xF000,
        _ => low | bytes >> 4 & 0x3_F000 | bytes >> 6 & 0x1C_0000,
    };
    if bytes & mask != marks || !points.contains(&c) || c & 0xFFFF_F800 == 0xD800 {
        return None;
    }
    Some(Reach { read: len, written: B::encode(c, dst)? })
}

/// Writes four bytes, the lowest first, as units.
#[inline(always)]
fn four<B: Encode>(bytes: u32, dst: &mut [MaybeUninit<u8>]) {
    // Every second byte (00FF00FF..), and then every fourth.
    let pairs = (u64::from(bytes) | u64::from(bytes) << 16) & 0x0000_FFFF_0000_FFFF;
    let twos = (pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF;
    let spread = |twos: u64| (twos | twos << 16) & 0x0000_00FF_0000_00FF;
    let (low, high) = (spread(twos & 0xFFFF_FFFF), spread(twos >> 32));
    let _ = match B::SCHEME {
        Scheme::Utf8 | Scheme::Latin1 | Scheme::Ascii => write_bytes(bytes.to_le_bytes(), dst),
        Scheme::Utf16Le => write_bytes(twos.to_le_bytes(), dst),
        Scheme::Utf16Be => write_bytes((twos << 8).to_le_bytes(), dst),
        Scheme::Utf32Le => write_bytes(low.to_le_bytes(), dst)
            .and_then(|at| write_bytes(high.to_le_bytes(), &mut dst[at..])),
        Scheme::Utf32Be => write_bytes((low << 24).to_le_bytes(), dst)
            .and_then(|at| write_bytes((high << 24).to_le_bytes(), &mut dst[at..])),
        _ => unreachable!(),
    };
}
