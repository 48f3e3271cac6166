//! The expected results for the older definition of UTF-8: from an encoder that follows RFC 2279's
//! table by arithmetic, and from a search byte by byte; and the check of every function of the
//! module.

use std::ops::RangeInclusive;

use utflane::utf8::legacy::{self, Form, Sequence};
use utflane::{
    Error,
    ErrorKind::{self, InvalidLeadByte, Overlong, Surrogate, TooLong, TooShort},
};

/// The table of RFC 2279, section 2: the values of each length, and the bits that its first byte
/// begins with.
pub const TABLE: [(RangeInclusive<u32>, u32); 6] = [
    (0..=0x7F, 0),
    (0x80..=0x7FF, 0b1100_0000),
    (0x800..=0xFFFF, 0b1110_0000),
    (0x1_0000..=0x1F_FFFF, 0b1111_0000),
    (0x20_0000..=0x3FF_FFFF, 0b1111_1000),
    (0x400_0000..=0x7FFF_FFFF, 0b1111_1100),
];

pub const SURROGATES: RangeInclusive<u32> = 0xD800..=0xDFFF;

/// A value in `len` bytes, which may be more than it needs.
pub fn encode_in(value: u32, len: usize) -> Vec<u8> {
    let mut rest = value;
    let mut bytes = Vec::new();
    for _ in 1..len {
        bytes.push(128 + rest % 64);
        rest /= 64;
    }
    bytes.push(TABLE[len - 1].1 + rest);
    bytes.iter().rev().map(|&byte| u8::try_from(byte).expect("room for the value")).collect()
}

/// A value as encoded by RFC 2279.
pub fn encode(value: u32) -> Vec<u8> {
    let len = 1 + TABLE.iter().position(|row| row.0.contains(&value)).expect("31 bits");
    encode_in(value, len)
}

/// The number of bytes that a lead byte announces, by the same table.
fn announced(lead: u8) -> Option<usize> {
    match lead {
        0..=127 => Some(1),
        128..192 | 254.. => None,
        _ => TABLE.iter().rposition(|row| u32::from(lead) >= row.1).map(|row| row + 1),
    }
}

/// The values of all sequences of the announced length that begin with `start`, if continuation
/// bytes follow its lead byte.
fn reach(start: &[u8]) -> Option<RangeInclusive<u32>> {
    let (&lead, tail) = start.split_first()?;
    let len = announced(lead)?;
    if start.len() > len || !tail.iter().all(|byte| (128..192).contains(byte)) {
        return None;
    }
    let mut value = u32::from(lead) - TABLE[len - 1].1;
    for &byte in tail {
        value = value * 64 + u32::from(byte) - 128;
    }
    let open = 64_u32.pow(u32::try_from(len - start.len()).expect("few"));
    Some(value * open..=value * open + (open - 1))
}

/// Returns true if a sequence of RFC 2279 begins like this.
fn begins(start: &[u8]) -> bool {
    let Some(values) = reach(start) else { return false };
    let row = &TABLE[announced(start[0]).expect("it reaches") - 1].0;
    let (low, high) = (*values.start().max(row.start()), *values.end().min(row.end()));
    low <= high && !(SURROGATES.contains(&low) && SURROGATES.contains(&high))
}

/// The sequence at the start of `src` that has all its bytes, with any value.
fn whole(src: &[u8]) -> Option<(u32, usize)> {
    let len = announced(*src.first()?)?;
    Some((*reach(src.get(..len)?)?.start(), len))
}

/// The kind, position and length of an error.
pub type Told = (ErrorKind, usize, Option<usize>);

pub fn told(error: Error) -> Told {
    assert_eq!(error.is_incomplete(), error.error_len().is_none());
    (error.kind(), error.valid_up_to(), error.error_len())
}

/// The characters of `src` and the errors between them, from the definitions.
fn oracle(src: &[u8]) -> Vec<Result<(usize, u32), Told>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let found = whole(rest);
        if let Some((value, len)) = found.filter(|&(_, len)| begins(&rest[..len])) {
            all.push(Ok((at, value)));
            at += len;
            continue;
        }
        let kind = match (rest[0], found) {
            (0x80..=0xBF, _) => TooLong,
            (0xFE.., _) => InvalidLeadByte,
            (_, None) => TooShort,
            (_, Some((value, len))) if TABLE[len - 1].0.contains(&value) => Surrogate,
            _ => Overlong,
        };
        let subpart = (1..=rest.len()).take_while(|&len| begins(&rest[..len])).last();
        let len = subpart.unwrap_or(1);
        let continues = subpart == Some(rest.len());
        all.push(Err((kind, at, (!continues).then_some(len))));
        at += len;
    }
    all
}

/// The sequences that are not UTF-8 today, searched for at every byte.
fn search(src: &[u8]) -> Vec<(usize, usize, u32, Form)> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let today = (1..=rest.len().min(4)).find(|&len| std::str::from_utf8(&rest[..len]).is_ok());
        if let Some(len) = today {
            at += len;
            continue;
        }
        let Some((value, len)) = whole(rest) else {
            at += 1;
            continue;
        };
        let low = whole(&rest[len..]).filter(|&(_, next)| (len, next) == (3, 3));
        let pair = low.and_then(|(low, _)| {
            let units = [u16::try_from(value).ok()?, u16::try_from(low).ok()?];
            let text = String::from_utf16(&units).ok()?;
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        });
        let found = match (pair, len) {
            (Some(character), _) => (at, 6, u32::from(character), Form::SurrogatePair),
            _ if !TABLE[len - 1].0.contains(&value) => (at, len, value, Form::Overlong),
            (_, 4) => (at, len, value, Form::FourBytes),
            (_, 5) => (at, len, value, Form::FiveBytes),
            (_, 6) => (at, len, value, Form::SixBytes),
            _ => (at, len, value, Form::Surrogate),
        };
        all.push(found);
        at += found.1;
    }
    all
}

pub fn plain(found: Sequence) -> (usize, usize, u32, Form) {
    (found.range().start, found.range().len(), found.value(), found.form())
}

/// Asserts that every function of the module returns the oracle's result for `src`.
pub fn check(src: &[u8]) {
    let expected = oracle(src);
    let values: Vec<_> = legacy::values(src).map(|item| item.map_err(told)).collect();
    assert_eq!(values, expected, "{src:02X?}");

    let first = expected.iter().find_map(|item| item.err());
    let front: Vec<u32> = expected.iter().map_while(|item| item.ok()).map(|(_, v)| v).collect();
    let mut out = vec![7, 8];
    let result = legacy::decode_append(src, &mut out);
    assert_eq!(result.map_err(told).err(), first, "{src:02X?}");
    assert_eq!((&out[..2], &out[2..]), (&[7, 8][..], &front[..]), "{src:02X?}");
    assert_eq!(legacy::decode(src), result.map(|()| front), "{src:02X?}");

    let expected_first = expected.first().copied().transpose().map(|item| item.map(|(_, v)| v));
    let got = legacy::first(src).map_err(told);
    assert_eq!(got.map(|item| item.map(|(value, _)| value)), expected_first, "{src:02X?}");

    let found: Vec<_> = legacy::sequences(src).map(plain).collect();
    assert_eq!(found, search(src), "{src:02X?}");
    let (least, most) = legacy::values(src).size_hint();
    // An error covers at most as many bytes as a character.
    assert!((least..=most.expect("known")).contains(&expected.len()), "{src:02X?}");
}
