//! Conversion of the characters that UTF-8 and its relatives (CESU-8 and Modified UTF-8) write
//! differently: one at a time, or four to a vector where they follow each other, as emoji do.
//!
//! A *pair* is a high and a low surrogate of three bytes each: a supplementary character in a
//! relative. `FROM` means from a relative into UTF-8; without `WRITE` nothing is written.

use core::mem::MaybeUninit;

use crate::arch::lanes32::Lanes32;
use crate::encoding::types::{Cesu8, Utf8};
use crate::scalar::code::{Decode, Encode};
use crate::types::progress::Reach;

/// The bits by which six bytes, the first one lowest, are known to be a pair, and the mask of these
/// bits.
const PAIR: u64 = 0x80_B0_ED_80_A0_ED;
const PAIR_BITS: u64 = 0xC0_F0_FF_C0_F0_FF;

/// Converts the character at the front of `text`, which is one to edit. Returns its size and the
/// number of bytes written; `None` if it is ill-formed, or if `text` or `dst` has less than eight
/// bytes left.
#[inline(always)]
pub(crate) fn put<const FROM: bool, const WRITE: bool>(
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<(usize, usize)> {
    let bytes = u64::from_le_bytes(*text.first_chunk()?);
    let (size, converted, len) = if !FROM {
        match bytes as u8 {
            0 => (1, 0x80C0, 2),
            _ => (4, pair_of(bytes as u32), 6),
        }
    } else if bytes & PAIR_BITS == PAIR {
        (6, four_of(bytes).into(), 4)
    } else if bytes as u16 == 0x80C0 {
        (2, 0, 1)
    } else {
        return None;
    };
    if !WRITE {
        return Some((size, 0));
    }
    *dst.get_mut(at..at + 8)?.first_chunk_mut()? =
        u64::to_le_bytes(converted).map(MaybeUninit::new);
    Some((size, len))
}

/// [`put`] for those of the first `run` characters that are all four-byte characters, or all pairs.
#[inline(always)]
pub(crate) fn put_run<H: Lanes32, const FROM: bool, const WRITE: bool>(
    token: H::Token,
    text: &[u8],
    run: usize,
    dst: &mut [MaybeUninit<u8>],
    at: usize,
) -> (usize, usize) {
    let put = put_vectors::<H, FROM, WRITE>(token, text, run, dst, at);
    (sizes::<FROM, WRITE>().0 * put, sizes::<FROM, WRITE>().1 * put)
}

/// The bytes of a character to edit, and the bytes written for it.
const fn sizes<const FROM: bool, const WRITE: bool>() -> (usize, usize) {
    match (FROM, WRITE) {
        (true, false) => (6, 0),
        (true, true) => (6, 4),
        (false, _) => (4, 6),
    }
}

/// Converts characters to edit at the front of `text`, with at most one other character between two
/// of them.
///
/// All that is converted is validated here, whatever bytes stand before `text`. With `nul`, a NUL
/// ends it.
#[inline(always)]
pub(crate) fn dense<H: Lanes32, const FROM: bool, const WRITE: bool>(
    token: H::Token,
    nul: bool,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Reach {
    let (from, to) = const { sizes::<FROM, WRITE>() };
    let mut reach = Reach { read: 0, written: 0 };
    loop {
        let (rest, at) = (&text[reach.read..], reach.written);
        let put = put_vectors::<H, FROM, WRITE>(token, rest, usize::MAX, dst, at);
        reach = Reach { read: from * put, written: to * put }.after(reach.read, at);
        let rest = &text[reach.read..];
        let room = if WRITE { &mut dst[reach.written..] } else { &mut [] };
        let Some(step) = put_one::<FROM, WRITE>(nul, rest, room) else { return reach };
        reach = step.after(reach.read, reach.written);
    }
}

/// Converts the character at the front of `text` if it is one to edit, or if one follows it.
/// Returns `None` if neither holds, if the character is ill-formed, or if there is too little room.
#[inline(always)]
fn put_one<const FROM: bool, const WRITE: bool>(
    nul: bool,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Reach> {
    if text.is_empty() {
        return None;
    }
    let decoded = if FROM { Cesu8::decode(text) } else { Utf8::decode(text) };
    let (c, read) = decoded.ok()?;
    if c <= 0xFFFF && (!begins::<FROM>(&text[read..]) || nul && c == 0) {
        return None;
    }
    let written = match (WRITE, FROM) {
        (false, _) => 0,
        (true, false) => Cesu8::encode(c, dst)?,
        (true, true) => Utf8::encode(c, dst)?,
    };
    Some(Reach { read, written })
}

/// Whether `text` begins with a character to edit, perhaps after a byte order mark.
#[inline(always)]
pub(crate) fn begins_soon<const FROM: bool>(text: &[u8]) -> bool {
    begins::<FROM>(text) || text.get(3..).is_some_and(begins::<FROM>)
}

/// Whether the first bytes of `text` begin a character to edit.
#[inline(always)]
pub(crate) fn begins<const FROM: bool>(text: &[u8]) -> bool {
    match text {
        [0xED, 0xA0..=0xAF, ..] => FROM,
        [0xF0..=0xFF, ..] => !FROM,
        _ => false,
    }
}

/// Converts at most `most` characters at the front of `text`, up to the first one that is no
/// four-byte character or no pair, while vectors fit the input and the room. Returns the number of
/// characters.
#[inline(always)]
fn put_vectors<H: Lanes32, const FROM: bool, const WRITE: bool>(
    token: H::Token,
    text: &[u8],
    most: usize,
    dst: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let (from, to) = const { sizes::<FROM, WRITE>() };
    let mut done = 0;
    while done < most {
        let (text, at) = (&text[from * done..], at + to * done);
        let put = if FROM {
            put_pairs::<H, WRITE>(token, text, dst, at)
        } else {
            put_four_byte::<H>(token, text, dst, at)
        };
        let Some(put) = put else { break };
        let others = !H::bits(&[put.high()]);
        // The step of a full vector is a constant: with the count, the next step would have to wait
        // for it.
        if others & 0xFFFF != 0 {
            done += others.trailing_zeros() as usize / 4;
            break;
        }
        done += FOUR;
    }
    done.min(most)
}

/// The index for which `shuffled` gives zero.
const NONE: u8 = 0x80;

/// Characters that make a vector, or become one.
const FOUR: usize = 4;

/// Writes pairs for four four-byte characters. Returns FFFFFFFF in the lanes that are such
/// characters, or `None` if a vector does not fit the input or the room.
#[inline(always)]
fn put_four_byte<H: Lanes32>(
    token: H::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<H> {
    let text = text.first_chunk::<16>()?;
    let room = dst[at..].first_chunk_mut::<32>()?;
    // The rows that put the first four bytes of each pair, and the other two, into place. Each of
    // the two vectors has a pair in each lane.
    static FIRST: [[u8; 16]; 2] = [
        [0, 1, 2, 3, NONE, NONE, 4, 5, 6, 7, NONE, NONE, 8, 9, 10, 11],
        [NONE, NONE, 12, 13, 14, 15, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    ];
    static SECOND: [[u8; 16]; 2] = [
        [NONE, NONE, NONE, NONE, 0, 1, NONE, NONE, NONE, NONE, 4, 5, NONE, NONE, NONE, NONE],
        [8, 9, NONE, NONE, NONE, NONE, 12, 13, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    ];
    let four = H::load(token, text, 0);
    let (first, second) = pairs_of(token, four);
    let mut k = 0;
    while k < 2 {
        let bytes = first.shuffled(H::load(token, &FIRST[k], 0));
        bytes.or(second.shuffled(H::load(token, &SECOND[k], 0))).store_bytes(room, 16 * k);
        k += 1;
    }
    // A lane is right if it has the bits of a four-byte character, and if the four bits wwww of its
    // high surrogate did not overflow (they are 0000 to 1111).
    let four = four.and(H::splat32(token, 0xC0C0_C0F8)).equal32(H::splat32(token, 0x8080_80F0));
    let first = first.and(H::splat32(token, 0xF000)).equal32(H::splat32(token, 0xA000));
    Some(four.and(first))
}

/// Writes four four-byte characters for pairs. Returns FFFFFFFF in the lanes that were pairs, or
/// `None` if a vector does not fit the input or the room.
#[inline(always)]
fn put_pairs<H: Lanes32, const WRITE: bool>(
    token: H::Token,
    text: &[u8],
    dst: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<H> {
    let (are, four_byte) = four_byte_of::<H>(token, text.first_chunk()?);
    if WRITE {
        four_byte.store_bytes(dst[at..].first_chunk_mut::<16>()?, 0);
    }
    Some(are)
}

/// FFFFFFFF in the lanes of those of four groups of six bytes that are pairs, and [`four_of`] of
/// each.
#[inline(always)]
fn four_byte_of<H: Lanes32>(token: H::Token, text: &[u8; 24]) -> (H, H) {
    static FIRST: [[u8; 16]; 2] = [
        [0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, NONE, NONE, NONE, NONE],
        [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 10, 11, 12, 13],
    ];
    static SECOND: [[u8; 16]; 2] = [
        [4, 5, NONE, NONE, 10, 11, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
        [NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 8, 9, NONE, NONE, 14, 15, NONE, NONE],
    ];
    let (first, second) = (gather::<H>(token, text, &FIRST), gather::<H>(token, text, &SECOND));
    let is_high = first.and(H::splat32(token, PAIR_BITS as u32));
    let is_low = second.and(H::splat32(token, (PAIR_BITS >> 32) as u32));
    let is_high = is_high.equal32(H::splat32(token, PAIR as u32));
    let is_low = is_low.equal32(H::splat32(token, (PAIR >> 32) as u32));
    let first = first.add32(H::splat32(token, 0x100));
    let upper = first.shr32::<10>().and(H::splat32(token, 0xF07));
    let middle = first.shl32::<4>().and(H::splat32(token, 0x30_3000));
    let lower = second.shl32::<16>().and(H::splat32(token, 0x3F0F_0000));
    let four_byte = upper.or(middle).or(lower).or(H::splat32(token, 0x8080_80F0));
    (is_high.and(is_low), four_byte)
}

/// Gathers those of 24 bytes that the two rows name: the first row counts from byte 0, the second
/// from byte 8.
#[inline(always)]
fn gather<H: Lanes32>(token: H::Token, text: &[u8; 24], rows: &[[u8; 16]; 2]) -> H {
    let front = H::load(token, text, 0).shuffled(H::load(token, &rows[0], 0));
    front.or(H::load(token, text, 8).shuffled(H::load(token, &rows[1], 0)))
}

/// [`pair_of`] for four lanes: the first four bytes of each pair, and the other two.
#[inline(always)]
fn pairs_of<H: Lanes32>(token: H::Token, four: H) -> (H, H) {
    let first = four.shl32::<10>().and(H::splat32(token, 0x3C_1C00));
    let first = first.or(four.shr32::<4>().and(H::splat32(token, 0x3_0300)));
    let second = four.shr32::<16>().and(H::splat32(token, 0x3F0F));
    (first.add32(H::splat32(token, 0xED80_A0ED - 0x100)), second.or(H::splat32(token, 0x80B0)))
}

/// The six bytes of the pair for a four-byte character. In both, the first byte is the lowest.
///
/// In the diagram of [`edit`](super::edit), two groups of bits stay together in each of three words
/// of the character. One addition subtracts 1 from uuuuu and sets the bits that all pairs have.
#[inline(always)]
fn pair_of(four: u32) -> u64 {
    let first = four << 10 & 0x3C_1C00 | four >> 4 & 0x3_0300;
    let first = first.wrapping_add(0xED80_A0ED - 0x100);
    let second = four >> 16 & 0x3F0F | 0x80B0;
    u64::from(first) | u64::from(second) << 32
}

/// The four bytes of the character for a pair.
#[inline(always)]
fn four_of(pair: u64) -> u32 {
    let (first, second) = ((pair as u32).wrapping_add(0x100), (pair >> 32) as u32);
    let upper = first >> 10 & 0xF07 | first << 4 & 0x30_3000;
    upper | second << 16 & 0x3F0F_0000 | 0x8080_80F0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_a_pair_and_back() {
        for c in '\u{10000}'..=char::MAX {
            let mut four = [0; 4];
            c.encode_utf8(&mut four);
            let four = u32::from_le_bytes(four);
            let mut want = 0;
            for (k, &unit) in c.encode_utf16(&mut [0; 2]).iter().enumerate() {
                let unit = u64::from(unit);
                let bytes = 0xED | (0x80 | unit >> 6 & 0x3F) << 8 | (0x80 | unit & 0x3F) << 16;
                want |= bytes << (24 * k);
            }
            assert_eq!(pair_of(four), want, "{c:?}");
            assert_eq!((want & PAIR_BITS, four_of(want)), (PAIR, four), "{c:?}");
        }
    }
}
