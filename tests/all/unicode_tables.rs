//! Tests against the tables about UTF-8 in the Unicode Standard (15.1, section 3.9): table 3-7
//! defines which sequences are well-formed, and tables 3-8 to 3-11 show how many U+FFFD replace
//! ill-formed sequences.

use std::ops::RangeInclusive;

use crate::common::api::{Api, codec_named};
use crate::common::cases::{
    case, each_byte, ill_formed, incomplete, lead_and_each_byte_after, offsets_near_boundaries,
};
use crate::common::sampled;
use utflane::ErrorKind::{InvalidLeadByte, Overlong, Surrogate, TooLarge, TooLong, TooShort};

/// A row of table 3-7: the possible values of each byte of a sequence.
type Row = &'static [RangeInclusive<u8>];

/// Table 3-7, from U+0000 to U+10FFFF.
const TABLE_3_7: [Row; 9] = [
    &[0x00..=0x7F],
    &[0xC2..=0xDF, 0x80..=0xBF],
    &[0xE0..=0xE0, 0xA0..=0xBF, 0x80..=0xBF],
    &[0xE1..=0xEC, 0x80..=0xBF, 0x80..=0xBF],
    &[0xED..=0xED, 0x80..=0x9F, 0x80..=0xBF],
    &[0xEE..=0xEF, 0x80..=0xBF, 0x80..=0xBF],
    &[0xF0..=0xF0, 0x90..=0xBF, 0x80..=0xBF, 0x80..=0xBF],
    &[0xF1..=0xF3, 0x80..=0xBF, 0x80..=0xBF, 0x80..=0xBF],
    &[0xF4..=0xF4, 0x80..=0x8F, 0x80..=0xBF, 0x80..=0xBF],
];

/// Validates `src` by table 3-7. `Err` holds the offset of the first ill-formed sequence and the
/// length of its maximal subpart, in bytes. The length is `None` if more bytes could complete the
/// sequence.
fn validate_by_table(src: &[u8]) -> Result<(), (usize, Option<usize>)> {
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let matching_len = |row: Row| {
            row.iter().zip(rest).take_while(|(range, byte)| range.contains(byte)).count()
        };
        let (row, len) = TABLE_3_7
            .map(|row| (row, matching_len(row)))
            .into_iter()
            .max_by_key(|&(_, len)| len)
            .expect("the table has rows");
        if len < row.len() {
            // The sequence is incomplete if the text ends after the matching bytes.
            return Err((at, (len < rest.len()).then_some(len.max(1))));
        }
        at += len;
    }
    Ok(())
}

/// Values for third and fourth bytes: the first and last continuation bytes and their neighbours.
const LIMITS: [u8; 4] = [0x7F, 0x80, 0xBF, 0xC0];

/// All pairs of a first and a second byte, without more bytes and with third and fourth bytes from
/// `LIMITS`. The sequences are tested alone, and in a text near the boundary of two blocks.
#[test]
fn unicode_table_3_7_sequences() {
    let validate = codec_named("Utf8").validate;
    let check = |src: &[u8]| {
        let want = validate_by_table(src);
        let std = std::str::from_utf8(src).map(drop);
        let std = std.map_err(|error| (error.valid_up_to(), error.error_len()));
        assert_eq!(std, want, "std, of {src:02X?}");
        for &api in Api::all() {
            let got = validate(api, src).map_err(|error| (error.valid_up_to(), error.error_len()));
            assert_eq!(got, want, "{api:?} of {src:02X?}");
        }
    };
    let mut text = [b'a'; 160];
    for pair in sampled("pairs", 0..=u16::MAX) {
        let [first, second] = pair.to_be_bytes();
        check(&[first]);
        check(&[first, second]);
        for third in LIMITS {
            check(&[first, second, third]);
            for fourth in LIMITS {
                let sequence = [first, second, third, fourth];
                check(&sequence);
                // One of the four sequences is also tested in a text. Which one, and its offset
                // 58..=65, depend on the pair; the multipliers only spread the choices.
                if fourth != LIMITS[usize::from(pair.wrapping_mul(0x6C3) >> 14)] {
                    continue;
                }
                let at = 58 + usize::from(pair.wrapping_mul(0x9E5) >> 13);
                text[at..at + 4].copy_from_slice(&sequence);
                check(&text);
                check(&text[..at + 4]);
                text[at..at + 4].fill(b'a');
            }
        }
    }
}

/// The rows of the table together have one sequence for each scalar value.
#[test]
fn unicode_table_3_7_has_all_scalar_values() {
    let sequences = |row: Row| row.iter().map(|range| range.clone().count()).product::<usize>();
    assert_eq!(TABLE_3_7.map(sequences).iter().sum::<usize>(), 0x11_0000 - 0x800);
    for c in sampled("characters", '\0'..=char::MAX) {
        assert_eq!(validate_by_table(c.encode_utf8(&mut [0; 4]).as_bytes()), Ok(()));
    }
}

/// Each maximal subpart is replaced by one U+FFFD: in short texts, and in texts that are long
/// enough for vector code.
#[test]
fn unicode_tables_3_8_to_3_11_replacements() {
    let overlong =
        [lead_and_each_byte_after(Overlong, 0..2), lead_and_each_byte_after(Overlong, 2..5)]
            .concat();
    let surrogates =
        [lead_and_each_byte_after(Surrogate, 0..3), lead_and_each_byte_after(Surrogate, 3..6)]
            .concat();
    let others =
        [lead_and_each_byte_after(TooLarge, 0..4), each_byte(InvalidLeadByte, 4..5)].concat();
    let too_short = |at, len| ill_formed(TooShort, at, len);
    for case in [
        // Table 3-8: overlong forms, the last one incomplete.
        case(
            b"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41",
            [overlong, lead_and_each_byte_after(TooShort, 5..8)].concat(),
            "��������A",
        ),
        // Table 3-9: surrogates, the last one incomplete.
        case(
            b"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41",
            [surrogates, lead_and_each_byte_after(TooShort, 6..8)].concat(),
            "��������A",
        ),
        // Table 3-10: other sequences.
        case(
            b"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
            [others, each_byte(TooLong, 6..8)].concat(),
            "�����A��B",
        ),
        // Table 3-11: incomplete sequences.
        case(
            b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
            [too_short(0, 2), too_short(2, 1), too_short(3, 3), too_short(6, 2)],
            "����A",
        ),
        // The example in earlier versions of the standard.
        case(
            b"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
            [
                vec![too_short(1, 3), too_short(4, 2), too_short(6, 1), ill_formed(TooLong, 8, 1)],
                each_byte(TooLong, 10..12),
            ]
            .concat(),
            "a���b�c��d",
        ),
        // Examples in the text of the section, of how many bytes an ill-formed sequence has.
        case(b"\xC2\x41", [too_short(0, 1)], "�A"),
        case(b"\xF0\x80\x80\x41", lead_and_each_byte_after(TooShort, 0..3), "���A"),
        case(b"\xC1\x80", lead_and_each_byte_after(Overlong, 0..2), "��"),
        case(b"\xC2", [incomplete(0)], "�"),
    ] {
        case.check_alone();
        let offsets: Vec<_> = sampled("offsets", offsets_near_boundaries().into_iter()).collect();
        case.check_embedded(&offsets);
    }
}
