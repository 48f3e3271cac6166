//! Short ASCII, before an instruction set is chosen: two overlapping pieces of a fixed size, without a loop up to 32
//! bytes. The compiler makes vectors of the pieces wherever the target has some at all.

use core::mem::MaybeUninit;

use crate::progress::Reach;
use crate::scalar::Encode;

/// The most bytes that are tried.
pub(crate) const SHORT: usize = 64;

/// The high bit of every byte.
const HIGH: u128 = 0x8080_8080_8080_8080_8080_8080_8080_8080;

/// Converts `src`, of at most [`SHORT`] bytes, if all of it is ASCII and fits.
#[inline(always)]
pub(crate) fn ascii<B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Reach> {
    let written = B::SCHEME.unit_size() * src.len();
    let dst = dst.get_mut(..written)?;
    let done = match src.len() {
        0 => true,
        1..=3 => bytes::<B>(src, dst),
        4..=7 => pieces::<B, 4>(src, dst),
        8..=15 => pieces::<B, 8>(src, dst),
        16..=32 => pieces::<B, 16>(src, dst),
        _ => {
            let high = |half: &[u8]| ends::<16>(half).is_none_or(|(a, b)| (a | b) & HIGH != 0);
            if high(&src[..32]) || high(&src[src.len() - 32..]) {
                return None;
            }
            let (first, last) = (32, src.len() - 32);
            let size = B::SCHEME.unit_size();
            pieces::<B, 16>(&src[..first], &mut dst[..size * first])
                && pieces::<B, 16>(&src[last..], &mut dst[size * last..])
        }
    };
    done.then_some(Reach { read: src.len(), written })
}

/// One to three bytes.
#[inline(always)]
fn bytes<B: Encode>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let size = B::SCHEME.unit_size();
    let (middle, last) = (src.len() / 2, src.len() - 1);
    let ascii = (src[0] | src[middle] | src[last]).is_ascii();
    if ascii {
        for at in [0, middle, last] {
            piece::<B, 1>(&[src[at]], &mut dst[size * at..size * (at + 1)]);
        }
    }
    ascii
}

/// The first and the last `N` bytes of `src` as numbers, if there are as many.
#[inline(always)]
fn ends<const N: usize>(src: &[u8]) -> Option<(u128, u128)> {
    let number = |bytes: &[u8; N]| {
        let mut all = [0; 16];
        all[..N].copy_from_slice(bytes);
        u128::from_ne_bytes(all)
    };
    Some((number(src.first_chunk()?), number(src.last_chunk()?)))
}

/// `N` to `2 * N` bytes.
#[inline(always)]
fn pieces<B: Encode, const N: usize>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    if ends::<N>(src).is_none_or(|(a, b)| (a | b) & HIGH != 0) {
        return false;
    }
    let size = B::SCHEME.unit_size();
    piece::<B, N>(first, &mut dst[..size * N]);
    piece::<B, N>(last, &mut dst[size * (src.len() - N)..]);
    true
}

/// Converts `bytes`, which are ASCII, to as many units.
#[inline(always)]
fn piece<B: Encode, const N: usize>(bytes: &[u8; N], dst: &mut [MaybeUninit<u8>]) {
    for (&byte, unit) in bytes.iter().zip(dst.chunks_exact_mut(B::SCHEME.unit_size())) {
        let _ = B::encode(u32::from(byte & 0x7F), unit);
    }
}
