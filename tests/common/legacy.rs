//! Checks of the module `utf8::legacy`, which decodes UTF-8 by its older definition. The oracle
//! uses arithmetic on the table of RFC 2279, and searches byte by byte.

use std::ops::RangeInclusive;

use utflane::utf8::legacy::{self, Form, Sequence};
use utflane::{
    Error,
    ErrorKind::{self, InvalidLeadByte, Overlong, Surrogate, TooLong, TooShort},
};

/// The table of RFC 2279, section 2: for each length, the range of values, and the lead byte
/// without its payload bits.
pub const TABLE: [(RangeInclusive<u32>, u32); 6] = [
    (0..=0x7F, 0),
    (0x80..=0x7FF, 0b1100_0000),
    (0x800..=0xFFFF, 0b1110_0000),
    (0x1_0000..=0x1F_FFFF, 0b1111_0000),
    (0x20_0000..=0x3FF_FFFF, 0b1111_1000),
    (0x400_0000..=0x7FFF_FFFF, 0b1111_1100),
];

pub const SURROGATES: RangeInclusive<u32> = 0xD800..=0xDFFF;

/// Encodes a value in `len` bytes, even if this is an overlong form.
pub fn encode_in(value: u32, len: usize) -> Vec<u8> {
    let mut rest = value;
    let mut bytes = Vec::new();
    for _ in 1..len {
        bytes.push(128 + rest % 64);
        rest /= 64;
    }
    bytes.push(TABLE[len - 1].1 + rest);
    bytes
        .iter()
        .rev()
        .map(|&byte| u8::try_from(byte).expect("the value fits into the bytes"))
        .collect()
}

/// Encodes a value by RFC 2279.
pub fn encode(value: u32) -> Vec<u8> {
    let len = 1 + TABLE.iter().position(|row| row.0.contains(&value)).expect("at most 31 bits");
    encode_in(value, len)
}

/// Returns the length of the sequence that a lead byte announces, by the same table.
fn announced_len(lead: u8) -> Option<usize> {
    match lead {
        0..=127 => Some(1),
        128..192 | 254.. => None,
        _ => TABLE.iter().rposition(|row| u32::from(lead) >= row.1).map(|row| row + 1),
    }
}

/// Returns the range of the values of all sequences of the announced length that begin with
/// `start`. Returns `None` if `start` is not a lead byte with continuation bytes, or is too long.
fn possible_values(start: &[u8]) -> Option<RangeInclusive<u32>> {
    let (&lead, continuation) = start.split_first()?;
    let len = announced_len(lead)?;
    if start.len() > len || !continuation.iter().all(|byte| (128..192).contains(byte)) {
        return None;
    }
    let mut value = u32::from(lead) - TABLE[len - 1].1;
    for &byte in continuation {
        value = value * 64 + u32::from(byte) - 128;
    }
    let missing_bytes = u32::try_from(len - start.len()).expect("at most 5");
    let values = 64_u32.pow(missing_bytes);
    Some(value * values..=value * values + (values - 1))
}

/// Returns true if `start` is the start of a sequence that is well-formed by RFC 2279.
fn is_prefix(start: &[u8]) -> bool {
    let Some(values) = possible_values(start) else { return false };
    let row = &TABLE[announced_len(start[0]).expect("a lead byte") - 1].0;
    let (low, high) = (*values.start().max(row.start()), *values.end().min(row.end()));
    low <= high && !(SURROGATES.contains(&low) && SURROGATES.contains(&high))
}

/// Returns the value and the length of the complete sequence at the start of `src`. The value may
/// be overlong or a surrogate.
fn decode_first(src: &[u8]) -> Option<(u32, usize)> {
    let len = announced_len(*src.first()?)?;
    Some((*possible_values(src.get(..len)?)?.start(), len))
}

/// The kind of an error, its byte offset, and its length in bytes if it is complete.
pub type ErrorParts = (ErrorKind, usize, Option<usize>);

/// Returns the facts of an error.
pub fn error_parts(error: Error) -> ErrorParts {
    assert_eq!(error.is_incomplete(), error.error_len().is_none());
    (error.kind(), error.valid_up_to(), error.error_len())
}

/// Returns the characters of `src`, each with its byte offset, and the errors between them, by the
/// definitions.
fn oracle(src: &[u8]) -> Vec<Result<(usize, u32), ErrorParts>> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let found = decode_first(rest);
        if let Some((value, len)) = found.filter(|&(_, len)| is_prefix(&rest[..len])) {
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
        let subpart_len = (1..=rest.len()).take_while(|&len| is_prefix(&rest[..len])).last();
        let len = subpart_len.unwrap_or(1);
        let is_incomplete = subpart_len == Some(rest.len());
        all.push(Err((kind, at, (!is_incomplete).then_some(len))));
        at += len;
    }
    all
}

/// Returns the sequences that are not UTF-8 by the current definition (RFC 3629): the byte offset,
/// the length in bytes, the value and the form of each. Searches at every byte.
fn find_legacy_sequences(src: &[u8]) -> Vec<(usize, usize, u32, Form)> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let utf8_len =
            (1..=rest.len().min(4)).find(|&len| std::str::from_utf8(&rest[..len]).is_ok());
        if let Some(len) = utf8_len {
            at += len;
            continue;
        }
        let Some((value, len)) = decode_first(rest) else {
            at += 1;
            continue;
        };
        let low = decode_first(&rest[len..]).filter(|&(_, low_len)| (len, low_len) == (3, 3));
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

/// Returns the byte offset, the length in bytes, the value and the form of a sequence.
pub fn sequence_parts(found: Sequence) -> (usize, usize, u32, Form) {
    (found.range.start, found.range.len(), found.value, found.form)
}

/// Asserts that every function of the module returns the oracle's result for `src`.
pub fn check(src: &[u8]) {
    let expected = oracle(src);
    let values: Vec<_> = legacy::values(src).map(|item| item.map_err(error_parts)).collect();
    assert_eq!(values, expected, "{src:02X?}");

    let first = expected.iter().find_map(|item| item.err());
    let values_before_error: Vec<u32> =
        expected.iter().map_while(|item| item.ok()).map(|(_, value)| value).collect();
    let want = first.map_or(Ok(values_before_error), Err);
    assert_eq!(legacy::decode(src).map_err(error_parts), want, "{src:02X?}");

    let expected_first =
        expected.first().copied().transpose().map(|item| item.map(|(_, value)| value));
    let got = legacy::first(src).map_err(error_parts);
    assert_eq!(got.map(|item| item.map(|(value, _)| value)), expected_first, "{src:02X?}");

    let found: Vec<_> = legacy::sequences(src).map(sequence_parts).collect();
    assert_eq!(found, find_legacy_sequences(src), "{src:02X?}");
    let (lower, upper) = legacy::values(src).size_hint();
    // The lower bound holds for errors too, because an error covers at most as many bytes as a
    // character.
    assert!((lower..=upper.expect("an upper bound")).contains(&expected.len()), "{src:02X?}");
}
