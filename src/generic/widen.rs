//! ASCII of less than a word, before an instruction set is chosen: two overlapping pieces, spread by shifts.

use core::mem::MaybeUninit;

use crate::Scheme;
use crate::progress::Reach;
use crate::scalar::{Encode, put};

/// Converts `src` if it is shorter than eight bytes, ASCII, and fits.
#[inline(always)]
pub(crate) fn ascii<B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    let size = const { B::SCHEME.unit_size() };
    let written = size * src.len();
    let dst = dst.get_mut(..written)?;
    match src.len() {
        0 => {}
        1..=3 => {
            let (middle, last) = (src.len() / 2, src.len() - 1);
            if !(src[0] | src[middle] | src[last]).is_ascii() {
                return None;
            }
            for at in [0, middle, last] {
                let _ = B::encode(u32::from(src[at] & 0x7F), &mut dst[size * at..]);
            }
        }
        4..=7 => {
            let (first, last) = (src.first_chunk()?, src.last_chunk()?);
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            if (first | last) & 0x8080_8080 != 0 {
                return None;
            }
            four::<B>(first, dst);
            four::<B>(last, &mut dst[size * (src.len() - 4)..]);
        }
        _ => return None,
    }
    Some(Reach { read: src.len(), written })
}

/// Writes four bytes, the lowest first, as units.
#[inline(always)]
fn four<B: Encode>(bytes: u32, dst: &mut [MaybeUninit<u8>]) {
    // Every second byte: 00FF00FF.., and then every fourth.
    let pairs = (u64::from(bytes) | u64::from(bytes) << 16) & 0x0000_FFFF_0000_FFFF;
    let twos = (pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF;
    let fours = |twos: u64| (twos | twos << 16) & 0x0000_00FF_0000_00FF;
    let (low, high) = (fours(twos & 0xFFFF_FFFF), fours(twos >> 32));
    let _ = match B::SCHEME {
        Scheme::Utf8 | Scheme::Latin1 | Scheme::Ascii => put(bytes.to_le_bytes(), dst),
        Scheme::Utf16Le => put(twos.to_le_bytes(), dst),
        Scheme::Utf16Be => put((twos << 8).to_le_bytes(), dst),
        Scheme::Utf32Le => {
            put(low.to_le_bytes(), dst).and_then(|at| put(high.to_le_bytes(), &mut dst[at..]))
        }
        Scheme::Utf32Be => put((low << 24).to_le_bytes(), dst)
            .and_then(|at| put((high << 24).to_le_bytes(), &mut dst[at..])),
    };
}
