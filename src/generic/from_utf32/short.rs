//! The shortest texts in UTF-32, without vectors: at most three units, together if each becomes one
//! unit of the target, else one by one.

use core::mem::MaybeUninit;

use crate::encoding::scheme::Scheme;
use crate::scalar::code::write_bytes;
use crate::swar::units::{pair, word};
use crate::types::progress::Reach;

/// Converts `N` units, all of `src`, if each becomes one unit of `to` and they fit. Returns the
/// number of bytes written.
#[inline(always)]
fn singles<const N: usize>(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let bytes: &[[u8; 4]; N] = src.as_chunks().0.first_chunk()?;
    let size = to.unit_size();
    let dst = dst.get_mut(..N * size)?;
    let mut all = true;
    let mut k = 0;
    while k < N {
        all &= is_single(unit(bytes[k]), to);
        k += 1;
    }
    if !all || src.len() != 4 * N {
        return None;
    }
    let mut k = 0;
    while k < N {
        write_single(unit(bytes[k]), to, &mut dst[k * size..])?;
        k += 1;
    }
    Some(N * size)
}

/// Converts the only unit of `src`, if it is a character that `to` can represent and it fits.
/// Returns the number of bytes written.
#[inline(always)]
fn only(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    write_character(char::from_u32(unit(*src.first_chunk()?))?, to, dst)
}

/// The unit in four bytes.
#[inline(always)]
fn unit(bytes: [u8; 4]) -> u32 {
    u32::from_le_bytes(bytes)
}

/// Returns true if a unit is a character that becomes one unit of `to`.
#[inline(always)]
fn is_single(unit: u32, to: Scheme) -> bool {
    // `number` is in range for scalar values below a limit: the XOR and the subtraction move the
    // surrogates above all others.
    let number = (unit ^ 0xD800).wrapping_sub(0x800);
    match to {
        Scheme::Utf8 | Scheme::Ascii => unit < 0x80,
        Scheme::Latin1 => unit < 0x100,
        Scheme::Utf16Le | Scheme::Utf16Be => number <= 0xFFFF - 0x800,
        Scheme::Utf32Le | Scheme::Utf32Be => number <= 0x10_FFFF - 0x800,
        _ => false,
    }
}

/// Writes a unit as one unit of `to`.
#[inline(always)]
fn write_single(unit: u32, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match to {
        Scheme::Utf16Le => write_bytes((unit as u16).to_le_bytes(), dst),
        Scheme::Utf16Be => write_bytes((unit as u16).to_be_bytes(), dst),
        Scheme::Utf32Le => write_bytes(unit.to_le_bytes(), dst),
        Scheme::Utf32Be => write_bytes(unit.to_be_bytes(), dst),
        _ => write_bytes([unit as u8], dst),
    }
}

/// Converts as much as possible of `src`, of less than four units.
#[inline(always)]
pub(crate) fn below_four_units(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Reach {
    let all = match (to, src.len()) {
        (Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be, _) => words(src, to, dst),
        (_, 4) => only(src, to, dst),
        (_, 8) => singles::<2>(src, to, dst),
        (_, 12) => singles::<3>(src, to, dst),
        _ => None,
    };
    match all {
        Some(written) => Reach { read: src.len(), written },
        None => one_by_one(src, to, dst),
    }
}

/// Converts whole units, each to a word that is stored whole, though only some of its bytes count.
/// Returns `None` if a unit is no character, or if `dst` has less room than a word for each.
#[inline(always)]
fn words(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (units, []) = src.as_chunks() else { return None };
    dst.get(..src.len())?;
    let mut written = 0;
    for bytes in units {
        let (word, len) = word(unit(*bytes), to)?;
        *dst.get_mut(written..)?.first_chunk_mut()? = word.to_le_bytes().map(MaybeUninit::new);
        written += len;
    }
    Some(written)
}

/// Converts as much as possible of `src`, one unit at a time.
#[inline(always)]
fn one_by_one(src: &[u8], to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Reach {
    let mut reach = Reach { read: 0, written: 0 };
    for bytes in src.as_chunks().0 {
        let Some(c) = char::from_u32(unit(*bytes)) else { break };
        let Some(len) = write_character(c, to, &mut dst[reach.written..]) else { break };
        reach = Reach { read: reach.read + 4, written: reach.written + len };
    }
    reach
}

/// Writes a character to the front of `dst`, if it fits and `to` can represent it. Returns the
/// number of bytes written.
#[inline(always)]
fn write_character(c: char, to: Scheme, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let point = u32::from(c);
    if is_single(point, to) {
        return write_single(point, to, dst);
    }
    let next = |by: u32| 0x80 | (point >> by & 0x3F) as u8;
    match (to, point) {
        (Scheme::Utf8, ..0x800) => write_bytes([0xC0 | (point >> 6) as u8, next(0)], dst),
        (Scheme::Utf8, ..0x1_0000) => {
            write_bytes([0xE0 | (point >> 12) as u8, next(6), next(0)], dst)
        }
        (Scheme::Utf8, _) => {
            write_bytes([0xF0 | (point >> 18) as u8, next(12), next(6), next(0)], dst)
        }
        (Scheme::Utf16Le | Scheme::Utf16Be, _) => {
            let big = matches!(to, Scheme::Utf16Be);
            let pair = pair(point);
            let pair = if big { pair.swap_bytes().rotate_left(16) } else { pair };
            write_bytes(pair.to_le_bytes(), dst)
        }
        _ => None,
    }
}
