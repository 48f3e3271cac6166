//! Tests for each section of Markus Kuhn's stress test for UTF-8 decoders. Each case is a sequence,
//! the errors in it, and the repaired text.
//!
//! When the stress test was written, UTF-8 had sequences of up to six bytes. Today the bytes from
//! 0xF8 on are invalid lead bytes, so each byte of a five-byte or six-byte sequence is one error.

use crate::common::cases::{
    Case, case, each_byte, ill_formed, incomplete, lead_and_each_byte_after,
    offsets_near_boundaries,
};
use crate::common::sampled;
use utflane::ErrorKind::{InvalidLeadByte, Overlong, Surrogate, TooLarge, TooLong, TooShort};

/// Checks each case by itself, and then inside other text.
fn check(cases: impl IntoIterator<Item = Case>) {
    let offsets = offsets_near_boundaries();
    for case in cases {
        case.check_alone();
        case.check_embedded(&sampled("offsets", offsets.iter().copied()).collect::<Vec<_>>());
    }
}

/// Returns a case without errors for each text.
fn well_formed(texts: &[&str]) -> Vec<Case> {
    texts.iter().map(|text| case(text.as_bytes(), [], text)).collect()
}

#[test]
fn kuhn_1_correct_text() {
    check(well_formed(&["κόσμε", ""]));
}

#[test]
fn kuhn_2_1_first_sequence_of_each_length() {
    check(well_formed(&["\0", "\u{80}", "\u{800}", "\u{10000}"]));
    for (src, first) in
        [(&b"\xC2\x80"[..], '\u{80}'), (b"\xE0\xA0\x80", '\u{800}'), (b"\xF0\x90\x80\x80", '𐀀')]
    {
        assert_eq!(str::from_utf8(src).expect("well-formed").chars().next(), Some(first));
    }
    check([
        case(b"\xF8\x88\x80\x80\x80", lead_and_each_byte_after(InvalidLeadByte, 0..5), "�����"),
        case(
            b"\xFC\x84\x80\x80\x80\x80",
            lead_and_each_byte_after(InvalidLeadByte, 0..6),
            "������",
        ),
    ]);
}

#[test]
fn kuhn_2_2_last_sequence_of_each_length() {
    check([
        case(b"\x7F", [], "\u{7F}"),
        case(b"\xDF\xBF", [], "\u{7FF}"),
        case(b"\xEF\xBF\xBF", [], "\u{FFFF}"),
        case(b"\xF7\xBF\xBF\xBF", lead_and_each_byte_after(TooLarge, 0..4), "����"),
        case(b"\xFB\xBF\xBF\xBF\xBF", lead_and_each_byte_after(InvalidLeadByte, 0..5), "�����"),
        case(
            b"\xFD\xBF\xBF\xBF\xBF\xBF",
            lead_and_each_byte_after(InvalidLeadByte, 0..6),
            "������",
        ),
    ]);
}

#[test]
fn kuhn_2_3_other_boundaries() {
    check([
        case(b"\xED\x9F\xBF", [], "\u{D7FF}"),
        case(b"\xEE\x80\x80", [], "\u{E000}"),
        case(b"\xEF\xBF\xBD", [], "\u{FFFD}"),
        case(b"\xF4\x8F\xBF\xBF", [], "\u{10FFFF}"),
        case(b"\xF4\x90\x80\x80", lead_and_each_byte_after(TooLarge, 0..4), "����"),
    ]);
}

#[test]
fn kuhn_3_1_unexpected_continuation_bytes() {
    let alternating = b"\x80\xBF\x80\xBF\x80\xBF\x80";
    check([case(b"\xBF", each_byte(TooLong, 0..1), "�")]);
    check([
        case(&alternating[..1], each_byte(TooLong, 0..1), "�"),
        case(&alternating[..2], each_byte(TooLong, 0..2), "��"),
        case(&alternating[..3], each_byte(TooLong, 0..3), "���"),
        case(&alternating[..4], each_byte(TooLong, 0..4), "����"),
        case(&alternating[..5], each_byte(TooLong, 0..5), "�����"),
        case(&alternating[..6], each_byte(TooLong, 0..6), "������"),
        case(&alternating[..7], each_byte(TooLong, 0..7), "�������"),
    ]);
    let all: Vec<u8> = (0x80..=0xBF).collect();
    check([case(&all, each_byte(TooLong, 0..64), &"�".repeat(64))]);
}

/// Returns one case with all these lead bytes, each followed by a space.
fn leads_before_spaces(leads: std::ops::RangeInclusive<u8>, kind: utflane::ErrorKind) -> Case {
    let count = leads.clone().count();
    let src: Vec<u8> = leads.flat_map(|lead| [lead, b' ']).collect();
    let faults: Vec<_> = (0..count).map(|i| ill_formed(kind, 2 * i, 1)).collect();
    case(&src, faults, &"� ".repeat(count))
}

#[test]
fn kuhn_3_2_lead_bytes_alone() {
    // 0xC0, 0xC1 and 0xF5 to 0xF7 never begin a well-formed sequence. Without continuation bytes
    // the kind of error is still `TooShort`.
    let cases = [
        (0xC0..=0xDF, TooShort, 32),
        (0xE0..=0xEF, TooShort, 16),
        (0xF0..=0xF7, TooShort, 8),
        (0xF8..=0xFB, InvalidLeadByte, 4),
        (0xFC..=0xFD, InvalidLeadByte, 2),
    ];
    for (leads, kind, count) in cases {
        let case = leads_before_spaces(leads, kind);
        assert_eq!(case.faults.len(), count);
        check([case]);
    }
}

/// Returns the cases of section 3.3: sequences without their last byte, at the end of a text.
fn sequences_without_last_byte() -> Vec<Case> {
    vec![
        case(b"\xC0", each_byte(TooShort, 0..1), "�"),
        case(b"\xE0\x80", lead_and_each_byte_after(TooShort, 0..2), "��"),
        case(b"\xF0\x80\x80", lead_and_each_byte_after(TooShort, 0..3), "���"),
        case(b"\xF8\x80\x80\x80", lead_and_each_byte_after(InvalidLeadByte, 0..4), "����"),
        case(b"\xFC\x80\x80\x80\x80", lead_and_each_byte_after(InvalidLeadByte, 0..5), "�����"),
        case(b"\xDF", [incomplete(0)], "�"),
        case(b"\xEF\xBF", [incomplete(0)], "�"),
        case(b"\xF7\xBF\xBF", lead_and_each_byte_after(TooShort, 0..3), "���"),
        case(b"\xFB\xBF\xBF\xBF", lead_and_each_byte_after(InvalidLeadByte, 0..4), "����"),
        case(b"\xFD\xBF\xBF\xBF\xBF", lead_and_each_byte_after(InvalidLeadByte, 0..5), "�����"),
    ]
}

#[test]
fn kuhn_3_3_last_byte_missing() {
    check(sequences_without_last_byte());
}

/// All sequences of section 3.3 in one text: each incomplete sequence except the last is followed
/// by a lead byte. Each sequence is as many errors as it has bytes, 1 + 2 + 3 + 4 + 5 errors twice,
/// except that 0xEF 0xBF, a maximal subpart, is one error. So there are 29 errors in 30 bytes.
#[test]
fn kuhn_3_4_incomplete_sequences_in_a_row() {
    let (mut src, mut faults) = (Vec::new(), Vec::new());
    for case in sequences_without_last_byte() {
        for fault in case.faults {
            let len = fault.len.unwrap_or(case.src.len());
            faults.push(ill_formed(fault.kind, src.len() + fault.at, len));
        }
        src.extend_from_slice(&case.src);
    }
    assert_eq!((src.len(), faults.len()), (30, 29));
    check([case(&src, faults, &"�".repeat(29))]);
}

#[test]
fn kuhn_3_5_impossible_bytes() {
    check([
        case(b"\xFE", each_byte(InvalidLeadByte, 0..1), "�"),
        case(b"\xFF", each_byte(InvalidLeadByte, 0..1), "�"),
        case(b"\xFE\xFE\xFF\xFF", each_byte(InvalidLeadByte, 0..4), "����"),
    ]);
}

#[test]
fn kuhn_4_1_overlong_slash() {
    check([
        case(b"\xC0\xAF", lead_and_each_byte_after(Overlong, 0..2), "��"),
        case(b"\xE0\x80\xAF", lead_and_each_byte_after(Overlong, 0..3), "���"),
        case(b"\xF0\x80\x80\xAF", lead_and_each_byte_after(Overlong, 0..4), "����"),
        case(b"\xF8\x80\x80\x80\xAF", lead_and_each_byte_after(InvalidLeadByte, 0..5), "�����"),
        case(
            b"\xFC\x80\x80\x80\x80\xAF",
            lead_and_each_byte_after(InvalidLeadByte, 0..6),
            "������",
        ),
    ]);
}

#[test]
fn kuhn_4_2_last_overlong_of_each_length() {
    check([
        case(b"\xC1\xBF", lead_and_each_byte_after(Overlong, 0..2), "��"),
        case(b"\xE0\x9F\xBF", lead_and_each_byte_after(Overlong, 0..3), "���"),
        case(b"\xF0\x8F\xBF\xBF", lead_and_each_byte_after(Overlong, 0..4), "����"),
        case(b"\xF8\x87\xBF\xBF\xBF", lead_and_each_byte_after(InvalidLeadByte, 0..5), "�����"),
        case(
            b"\xFC\x83\xBF\xBF\xBF\xBF",
            lead_and_each_byte_after(InvalidLeadByte, 0..6),
            "������",
        ),
    ]);
}

#[test]
fn kuhn_4_3_overlong_nul() {
    check([
        case(b"\xC0\x80", lead_and_each_byte_after(Overlong, 0..2), "��"),
        case(b"\xE0\x80\x80", lead_and_each_byte_after(Overlong, 0..3), "���"),
        case(b"\xF0\x80\x80\x80", lead_and_each_byte_after(Overlong, 0..4), "����"),
        case(b"\xF8\x80\x80\x80\x80", lead_and_each_byte_after(InvalidLeadByte, 0..5), "�����"),
        case(
            b"\xFC\x80\x80\x80\x80\x80",
            lead_and_each_byte_after(InvalidLeadByte, 0..6),
            "������",
        ),
    ]);
}

/// The high surrogates U+D800, U+DB7F, U+DB80 and U+DBFF.
const HIGH: [[u8; 3]; 4] =
    [[0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xAE, 0x80], [0xED, 0xAF, 0xBF]];
/// The low surrogates U+DC00, U+DF80 and U+DFFF.
const LOW: [[u8; 3]; 3] = [[0xED, 0xB0, 0x80], [0xED, 0xBE, 0x80], [0xED, 0xBF, 0xBF]];

#[test]
fn kuhn_5_1_single_surrogates() {
    for surrogate in HIGH.iter().chain(&LOW) {
        check([case(surrogate, lead_and_each_byte_after(Surrogate, 0..3), "���")]);
    }
}

#[test]
fn kuhn_5_2_paired_surrogates() {
    let mut faults = lead_and_each_byte_after(Surrogate, 0..3);
    faults.extend(lead_and_each_byte_after(Surrogate, 3..6));
    for high in HIGH {
        for low in [LOW[0], LOW[2]] {
            check([case(&[high, low].concat(), faults.clone(), "������")]);
        }
    }
}

/// Noncharacters: the last two code points of every plane, and U+FDD0..=U+FDEF. A transcoder treats
/// them like any other character.
#[test]
fn kuhn_5_3_noncharacters() {
    check([
        case(b"\xEF\xBF\xBE", [], "\u{FFFE}"),
        case(b"\xEF\xBF\xBF", [], "\u{FFFF}"),
        case(b"\xEF\xB7\x90", [], "\u{FDD0}"),
        case(b"\xEF\xB7\xAF", [], "\u{FDEF}"),
        case(b"\xF0\x9F\xBF\xBE", [], "\u{1FFFE}"),
        case(b"\xF4\x8F\xBF\xBF", [], "\u{10FFFF}"),
    ]);
    let all: String = (0xFDD0..=0xFDEF)
        .chain((0..=16).flat_map(|plane| [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF]))
        .map(|code| char::from_u32(code).expect("noncharacters are scalar values"))
        .collect();
    assert_eq!(all.chars().count(), 32 + 34);
    check(well_formed(&[&all]));
}

/// Sequences that are errors today and were characters by the older definition of UTF-8: it accepts
/// all sequences of section 2, but no overlong forms.
#[test]
fn kuhn_section_2_by_the_older_definition() {
    use utflane::utf8::legacy::decode;

    for (src, value) in [
        (&b"\xF8\x88\x80\x80\x80"[..], 0x20_0000),
        (b"\xFC\x84\x80\x80\x80\x80", 0x400_0000),
        (b"\xF7\xBF\xBF\xBF", 0x1F_FFFF),
        (b"\xFB\xBF\xBF\xBF\xBF", 0x3FF_FFFF),
        (b"\xFD\xBF\xBF\xBF\xBF\xBF", 0x7FFF_FFFF),
        (b"\xF4\x90\x80\x80", 0x11_0000),
    ] {
        assert_eq!(decode(src), Ok(vec![value]), "{src:02X?}");
    }
    for overlong in [&b"\xF8\x87\xBF\xBF\xBF"[..], b"\xFC\x83\xBF\xBF\xBF\xBF"] {
        assert_eq!(
            decode(overlong).map_err(|error| error.kind()),
            Err(Overlong),
            "{overlong:02X?}"
        );
    }
}
