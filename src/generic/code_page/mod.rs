//! Code pages to UTF-16 and UTF-8, and back. The caller has converted the ASCII prefix.
//!
//! A step of two vectors that are ASCII, in text and in the page, is copied. To decode another
//! vector of bytes:
//!
//! 1. In many rows of 16 bytes, the characters are the bytes plus a number. Look up that number and
//!    the high byte by the row. If that is so in all rows of the vector, the characters are known.
//! 2. Else look up the low byte of each character in a table of 128 bytes; pages that are not ASCII
//!    need one for each half. If a row of the vector has several high bytes, look up the high byte
//!    of each character like the low byte.
//! 3. If a character is 0xFFFF, stop: its byte is unassigned.
//!
//! To encode two vectors of UTF-16, take their low and their high bytes apart. Then:
//!
//! 1. Lanes of ASCII are done, if the page is ASCII below 0x80.
//! 2. A *window* is 128 characters and their bytes. Look up the bytes of all lanes in the last
//!    window, then in the windows of lanes that have no byte yet. Text has characters of one or two
//!    windows in most vectors.
//! 3. If the page lacks a character, stop.
//!
//! To UTF-8, the low and the high bytes of characters below U+0800 are few operations away from
//! their bytes in UTF-8; other vectors are written like UTF-16. From UTF-8, the bytes before each
//! byte give the character that ends there, if it has up to three bytes.
//!
//! All directions stop before the vector with the error. The last vector overlaps the characters
//! before it.

mod decode;
mod encode;

use crate::arch::vector::Vector;
use crate::generic::vectors;

pub(crate) use decode::{assigned_len, decode, decode_to_utf8};
pub(crate) use encode::{encode, encode_utf8};

/// Returns two vectors of a text at byte `at` if the text has so many bytes, and none of them has a
/// bit of `above_ascii`.
#[inline(always)]
fn two_of_ascii<V: Vector>(
    token: V::Token,
    text: &[u8],
    at: usize,
    above_ascii: V,
) -> Option<[V; 2]> {
    let two = vectors::load::<V, 2>(token, text.get(at..at + 2 * V::LANES)?, 0);
    (!vectors::or(two).and(above_ascii).any()).then_some(two)
}

/// Returns a number of bytes at the start of `src` that are their characters in Latin-1: all, or
/// less by up to a vector than there are. It is 0 for less than a vector.
#[inline(always)]
pub(crate) fn latin1_len<V: Vector>(token: V::Token, max: u8, src: &[u8]) -> usize {
    let Some(last) = src.len().checked_sub(V::LANES) else { return 0 };
    let max = V::splat(token, max);
    let mut len = 0;
    while let Some(bytes) = src.get(len..len + 4 * V::LANES) {
        if !are_latin1(token, vectors::load::<V, 4>(token, bytes, 0), max) {
            break;
        }
        len += 4 * V::LANES;
    }
    while len < src.len() {
        let start = len.min(last);
        if !are_latin1(token, [V::load(token, src, start)], max) {
            break;
        }
        len = start + V::LANES;
    }
    len
}

/// Returns true if every byte of `vectors` is its character in Latin-1. `max` is `latin1_max` of
/// the page.
#[inline(always)]
fn are_latin1<V: Vector, const N: usize>(token: V::Token, vectors: [V; N], max: V) -> bool {
    let mut most = V::splat(token, 0);
    for vector in vectors {
        most = most.max(vector.xor(V::splat(token, 0x7F)));
    }
    !most.saturating_sub(max).any()
}
