//! The tables of the [validation](super::check): the errors that four bits of a byte allow, or four
//! bits of the byte before it.

/// The error of a lead byte without a continuation byte after it.
const TOO_SHORT: u8 = 1 << 7;
/// The error of a continuation byte after ASCII.
const TOO_LONG: u8 = 1 << 1;
/// An overlong three-byte sequence: 0xE0 and 0x80..=0x9F.
const OVERLONG_3: u8 = 1 << 2;
/// A code point above U+10FFFF: 0xF4 and 0x90..=0xBF, or 0xF5..=0xFF and 0x90..=0xBF.
const TOO_LARGE: u8 = 1 << 3;
/// A surrogate: 0xED and 0xA0..=0xBF.
pub(crate) const SURROGATE: u8 = 1 << 4;
/// An overlong two-byte sequence: 0xC0 or 0xC1, and a continuation byte.
pub(crate) const OVERLONG_2: u8 = 1 << 5;
/// A code point above U+10FFFF: 0xF5..=0xFF and 0x80..=0x8F. This error shares its bit with
/// [`OVERLONG_4`], whose first byte has another low nibble.
const TOO_LARGE_1000: u8 = 1 << 6;
/// An overlong four-byte sequence: 0xF0 and 0x80..=0x8F.
const OVERLONG_4: u8 = 1 << 6;
/// Two continuation bytes in a row: an error unless a lead byte requires the second one. The error
/// is bit 0: where a lead byte requires the second one, the bit is flipped, or 1 is subtracted.
const TWO_CONTINUATIONS: u8 = 1 << 0;
/// The errors that do not depend on the low nibble of the byte before.
const ANY_LOW: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// The errors of a second byte that is a continuation byte, but outside the range that its lead
/// byte permits.
pub(crate) const WRONG_SECOND: u8 =
    OVERLONG_2 | OVERLONG_3 | OVERLONG_4 | TOO_LARGE | TOO_LARGE_1000 | SURROGATE;

/// The errors that the high nibble of the byte before allows.
pub(super) const BEFORE_HIGH: [u8; 16] = [
    // 0xxx: ASCII
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    TOO_LONG,
    // 10xx: continuation
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    TWO_CONTINUATIONS,
    // 1100, 1101: lead byte of a two-byte character
    TOO_SHORT | OVERLONG_2,
    TOO_SHORT,
    // 1110: lead byte of a three-byte character
    TOO_SHORT | OVERLONG_3 | SURROGATE,
    // 1111: lead byte of a four-byte character, or an invalid byte
    TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4,
];

/// The errors that the low nibble of the byte before allows.
pub(super) const BEFORE_LOW: [u8; 16] = [
    // xxxx0000
    ANY_LOW | OVERLONG_3 | OVERLONG_2 | OVERLONG_4,
    // xxxx0001
    ANY_LOW | OVERLONG_2,
    // xxxx001x
    ANY_LOW,
    ANY_LOW,
    // xxxx0100
    ANY_LOW | TOO_LARGE,
    // xxxx0101 and above: of the bytes 0xF4 and above, only 0xF4 may come before 0x80..=0x8F
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    // xxxx1101
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
];

/// The errors that the high nibble of the byte itself allows.
pub(super) const BYTE_HIGH: [u8; 16] = [
    // 0xxx: ASCII
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    // 1000
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | OVERLONG_3 | OVERLONG_4 | TOO_LARGE_1000,
    // 1001
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | OVERLONG_3 | TOO_LARGE,
    // 101x
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | SURROGATE | TOO_LARGE,
    TOO_LONG | TWO_CONTINUATIONS | OVERLONG_2 | SURROGATE | TOO_LARGE,
    // 11xx: lead byte
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
];

/// The table [`BEFORE_HIGH`], indexed by the upper six bits of a byte.
pub(super) static BEFORE_SIX_BITS: [u8; 64] = by_six_bits(BEFORE_HIGH);

/// The table [`BYTE_HIGH`], indexed by the upper six bits of a byte.
pub(super) static BYTE_SIX_BITS: [u8; 64] = by_six_bits(BYTE_HIGH);

/// Converts a table indexed by the high nibble to a table indexed by the upper six bits.
const fn by_six_bits(table: [u8; 16]) -> [u8; 64] {
    let mut result = [0; 64];
    let mut i = 0;
    while i < 64 {
        result[i] = table[i / 4];
        i += 1;
    }
    result
}
