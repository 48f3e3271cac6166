//! The subjects of Markus Kuhn's stress test for UTF-8 decoders, section by section, written anew:
//! each sequence with its errors and its repaired text.
//!
//! That file is from the time when UTF-8 had sequences of up to six bytes. Here bytes from F5 on
//! are no lead bytes, so a sequence of five or six bytes is as many errors.

use crate::common::cases::{Case, case, cut, each, lead_and_rest, offsets_at_boundaries, wrong};
use crate::common::shared;
use utflane::ErrorKind::{InvalidLeadByte, Overlong, Surrogate, TooLarge, TooLong, TooShort};

/// Each case by itself, and then in other text.
fn check(cases: impl IntoIterator<Item = Case>) {
    let offsets = offsets_at_boundaries();
    for case in cases {
        case.check_alone();
        case.check_embedded(&shared("offsets", offsets.iter().copied()).collect::<Vec<_>>());
    }
}

/// Cases without an error.
fn fine(texts: &[&str]) -> Vec<Case> {
    texts.iter().map(|text| case(text.as_bytes(), [], text)).collect()
}

#[test]
fn kuhn_1_correct_text() {
    check(fine(&["κόσμε", ""]));
}

#[test]
fn kuhn_2_1_first_sequence_of_each_length() {
    check(fine(&["\0", "\u{80}", "\u{800}", "\u{10000}"]));
    for (src, first) in
        [(&b"\xC2\x80"[..], '\u{80}'), (b"\xE0\xA0\x80", '\u{800}'), (b"\xF0\x90\x80\x80", '𐀀')]
    {
        assert_eq!(str::from_utf8(src).expect("std has them").chars().next(), Some(first));
    }
    check([
        case(b"\xF8\x88\x80\x80\x80", lead_and_rest(InvalidLeadByte, 0..5), "�����"),
        case(b"\xFC\x84\x80\x80\x80\x80", lead_and_rest(InvalidLeadByte, 0..6), "������"),
    ]);
}

#[test]
fn kuhn_2_2_last_sequence_of_each_length() {
    check([
        case(b"\x7F", [], "\u{7F}"),
        case(b"\xDF\xBF", [], "\u{7FF}"),
        case(b"\xEF\xBF\xBF", [], "\u{FFFF}"),
        case(b"\xF7\xBF\xBF\xBF", lead_and_rest(TooLarge, 0..4), "����"),
        case(b"\xFB\xBF\xBF\xBF\xBF", lead_and_rest(InvalidLeadByte, 0..5), "�����"),
        case(b"\xFD\xBF\xBF\xBF\xBF\xBF", lead_and_rest(InvalidLeadByte, 0..6), "������"),
    ]);
}

#[test]
fn kuhn_2_3_other_boundaries() {
    check([
        case(b"\xED\x9F\xBF", [], "\u{D7FF}"),
        case(b"\xEE\x80\x80", [], "\u{E000}"),
        case(b"\xEF\xBF\xBD", [], "\u{FFFD}"),
        case(b"\xF4\x8F\xBF\xBF", [], "\u{10FFFF}"),
        case(b"\xF4\x90\x80\x80", lead_and_rest(TooLarge, 0..4), "����"),
    ]);
}

#[test]
fn kuhn_3_1_unexpected_continuation_bytes() {
    let alternating = b"\x80\xBF\x80\xBF\x80\xBF\x80";
    check([case(b"\xBF", each(TooLong, 0..1), "�")]);
    check([
        case(&alternating[..1], each(TooLong, 0..1), "�"),
        case(&alternating[..2], each(TooLong, 0..2), "��"),
        case(&alternating[..3], each(TooLong, 0..3), "���"),
        case(&alternating[..4], each(TooLong, 0..4), "����"),
        case(&alternating[..5], each(TooLong, 0..5), "�����"),
        case(&alternating[..6], each(TooLong, 0..6), "������"),
        case(&alternating[..7], each(TooLong, 0..7), "�������"),
    ]);
    let all: Vec<u8> = (0x80..=0xBF).collect();
    check([case(&all, each(TooLong, 0..64), &"�".repeat(64))]);
}

/// All of these lead bytes, each followed by a blank.
fn lead_alone(leads: std::ops::RangeInclusive<u8>, kind: utflane::ErrorKind) -> Case {
    let count = leads.clone().count();
    let src: Vec<u8> = leads.flat_map(|lead| [lead, b' ']).collect();
    let faults: Vec<_> = (0..count).map(|i| wrong(kind, 2 * i, 1)).collect();
    case(&src, faults, &"� ".repeat(count))
}

#[test]
fn kuhn_3_2_lead_bytes_alone() {
    // C0, C1 and F5 to F7 begin no sequence either, but without their continuation bytes the kind
    // is `TooShort`.
    let cases = [
        (0xC0..=0xDF, TooShort, 32),
        (0xE0..=0xEF, TooShort, 16),
        (0xF0..=0xF7, TooShort, 8),
        (0xF8..=0xFB, InvalidLeadByte, 4),
        (0xFC..=0xFD, InvalidLeadByte, 2),
    ];
    for (leads, kind, count) in cases {
        let case = lead_alone(leads, kind);
        assert_eq!(case.wrong.len(), count);
        check([case]);
    }
}

/// Section 3.3: sequences without their last byte, with their errors when nothing follows.
fn without_last_byte() -> Vec<Case> {
    vec![
        case(b"\xC0", each(TooShort, 0..1), "�"),
        case(b"\xE0\x80", lead_and_rest(TooShort, 0..2), "��"),
        case(b"\xF0\x80\x80", lead_and_rest(TooShort, 0..3), "���"),
        case(b"\xF8\x80\x80\x80", lead_and_rest(InvalidLeadByte, 0..4), "����"),
        case(b"\xFC\x80\x80\x80\x80", lead_and_rest(InvalidLeadByte, 0..5), "�����"),
        case(b"\xDF", [cut(0)], "�"),
        case(b"\xEF\xBF", [cut(0)], "�"),
        case(b"\xF7\xBF\xBF", lead_and_rest(TooShort, 0..3), "���"),
        case(b"\xFB\xBF\xBF\xBF", lead_and_rest(InvalidLeadByte, 0..4), "����"),
        case(b"\xFD\xBF\xBF\xBF\xBF", lead_and_rest(InvalidLeadByte, 0..5), "�����"),
    ]
}

#[test]
fn kuhn_3_3_last_byte_missing() {
    check(without_last_byte());
}

/// All of section 3.3 in one: each incomplete sequence is now followed by a lead byte. 1 + 2 + 3 +
/// 4 + 5 errors, twice, except that the two sequences which were well-formed so far are one each.
#[test]
fn kuhn_3_4_incomplete_sequences_in_a_row() {
    let (mut src, mut faults) = (Vec::new(), Vec::new());
    for case in without_last_byte() {
        for fault in case.wrong {
            let len = fault.len.unwrap_or(case.src.len());
            faults.push(wrong(fault.kind, src.len() + fault.at, len));
        }
        src.extend_from_slice(&case.src);
    }
    assert_eq!((src.len(), faults.len()), (30, 29));
    check([case(&src, faults, &"�".repeat(29))]);
}

#[test]
fn kuhn_3_5_impossible_bytes() {
    check([
        case(b"\xFE", each(InvalidLeadByte, 0..1), "�"),
        case(b"\xFF", each(InvalidLeadByte, 0..1), "�"),
        case(b"\xFE\xFE\xFF\xFF", each(InvalidLeadByte, 0..4), "����"),
    ]);
}

#[test]
fn kuhn_4_1_overlong_slash() {
    check([
        case(b"\xC0\xAF", lead_and_rest(Overlong, 0..2), "��"),
        case(b"\xE0\x80\xAF", lead_and_rest(Overlong, 0..3), "���"),
        case(b"\xF0\x80\x80\xAF", lead_and_rest(Overlong, 0..4), "����"),
        case(b"\xF8\x80\x80\x80\xAF", lead_and_rest(InvalidLeadByte, 0..5), "�����"),
        case(b"\xFC\x80\x80\x80\x80\xAF", lead_and_rest(InvalidLeadByte, 0..6), "������"),
    ]);
}

#[test]
fn kuhn_4_2_last_overlong_of_each_length() {
    check([
        case(b"\xC1\xBF", lead_and_rest(Overlong, 0..2), "��"),
        case(b"\xE0\x9F\xBF", lead_and_rest(Overlong, 0..3), "���"),
        case(b"\xF0\x8F\xBF\xBF", lead_and_rest(Overlong, 0..4), "����"),
        case(b"\xF8\x87\xBF\xBF\xBF", lead_and_rest(InvalidLeadByte, 0..5), "�����"),
        case(b"\xFC\x83\xBF\xBF\xBF\xBF", lead_and_rest(InvalidLeadByte, 0..6), "������"),
    ]);
}

#[test]
fn kuhn_4_3_overlong_nul() {
    check([
        case(b"\xC0\x80", lead_and_rest(Overlong, 0..2), "��"),
        case(b"\xE0\x80\x80", lead_and_rest(Overlong, 0..3), "���"),
        case(b"\xF0\x80\x80\x80", lead_and_rest(Overlong, 0..4), "����"),
        case(b"\xF8\x80\x80\x80\x80", lead_and_rest(InvalidLeadByte, 0..5), "�����"),
        case(b"\xFC\x80\x80\x80\x80\x80", lead_and_rest(InvalidLeadByte, 0..6), "������"),
    ]);
}

/// U+D800, DB7F, DB80, DBFF; U+DC00, DF80, DFFF.
const HIGH: [[u8; 3]; 4] =
    [[0xED, 0xA0, 0x80], [0xED, 0xAD, 0xBF], [0xED, 0xAE, 0x80], [0xED, 0xAF, 0xBF]];
const LOW: [[u8; 3]; 3] = [[0xED, 0xB0, 0x80], [0xED, 0xBE, 0x80], [0xED, 0xBF, 0xBF]];

#[test]
fn kuhn_5_1_single_surrogates() {
    for surrogate in HIGH.iter().chain(&LOW) {
        check([case(surrogate, lead_and_rest(Surrogate, 0..3), "���")]);
    }
}

#[test]
fn kuhn_5_2_paired_surrogates() {
    let mut faults = lead_and_rest(Surrogate, 0..3);
    faults.extend(lead_and_rest(Surrogate, 3..6));
    for high in HIGH {
        for low in [LOW[0], LOW[2]] {
            check([case(&[high, low].concat(), faults.clone(), "������")]);
        }
    }
}

/// U+FFFE and U+FFFF of every plane, and those from U+FDD0 on: for a transcoder, characters like
/// any other.
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
        .map(|code| char::from_u32(code).expect("they are scalar values"))
        .collect();
    assert_eq!(all.chars().count(), 32 + 34);
    check(fine(&[&all]));
}

/// Errors of today that once were characters: the older definition has all of section 2, and no
/// overlong forms.
#[test]
fn kuhn_by_the_older_definition() {
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
