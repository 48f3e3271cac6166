//! Test cases for the decoders of the web platform: errors in UTF-8, the number of U+FFFD that
//! replace them, UTF-16 with incomplete units and unpaired surrogates, and streams. Each case is
//! also run with encoding_rs, the decoder of Firefox.

use crate::common::api::Api;
use crate::common::cases::{
    Case, case, each_byte, ill_formed, incomplete, lead_and_each_byte_after,
    offsets_near_boundaries,
};
use crate::common::oracle::Fault;
use crate::common::pairs::pair_named;
use crate::common::sampled;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use utflane::ErrorKind::{self, InvalidLeadByte, Overlong, Surrogate, TooLarge, TooShort};
use utflane::{Repair, Stop};

/// Decodes `src` with encoding_rs. Returns the repaired text, and true if there was no error.
fn decode_with_encoding_rs(encoding: &'static Encoding, src: &[u8]) -> (String, bool) {
    let (text, has_errors) = encoding.decode_without_bom_handling(src);
    let strict = encoding.decode_without_bom_handling_and_without_replacement(src);
    assert_eq!(strict.is_none(), has_errors);
    (text.into_owned(), !has_errors)
}

/// Checks UTF-8 cases with utflane, by themselves and inside other text, and with encoding_rs.
fn check(cases: impl IntoIterator<Item = Case>) {
    for case in cases {
        let want = (case.repaired.clone(), case.faults.is_empty());
        assert_eq!(decode_with_encoding_rs(UTF_8, &case.src), want, "of {:02X?}", case.src);
        case.check_alone();
        let offsets: Vec<_> = sampled("offsets", offsets_near_boundaries().into_iter()).collect();
        case.check_embedded(&offsets);
    }
}

#[test]
fn whatwg_ill_formed_sequences() {
    let too_short = |at, len| ill_formed(TooShort, at, len);
    check([
        case(b"\xFF", each_byte(InvalidLeadByte, 0..1), "�"),
        case(b"\xC0", each_byte(TooShort, 0..1), "�"),
        case(b"\xE0", [incomplete(0)], "�"),
        case(b"\xC0\x00", [too_short(0, 1)], "�\0"),
        case(b"\xC0\xC0", [too_short(0, 1), too_short(1, 1)], "��"),
        case(b"\xE0\x00", [too_short(0, 1)], "�\0"),
        case(b"\xE0\xC0", [too_short(0, 1), too_short(1, 1)], "��"),
        case(b"\xE0\x80\x00", lead_and_each_byte_after(TooShort, 0..2), "��\0"),
        case(
            b"\xE0\x80\xC0",
            [lead_and_each_byte_after(TooShort, 0..2), vec![too_short(2, 1)]].concat(),
            "���",
        ),
        case(b"\xFC\x80\x80", lead_and_each_byte_after(InvalidLeadByte, 0..3), "���"),
        case(b"\xFE\x80\x80\x80", lead_and_each_byte_after(InvalidLeadByte, 0..4), "����"),
        case(b"\xF4\x90\x80\x80", lead_and_each_byte_after(TooLarge, 0..4), "����"),
    ]);
}

#[test]
fn whatwg_overlong_forms() {
    // U+0000, U+007F, U+07FF, U+FFFF and U+10FFFF in all overlong forms.
    for forms in [
        &[&b"\xC0\x80"[..], b"\xE0\x80\x80", b"\xF0\x80\x80\x80"][..],
        &[b"\xC1\xBF", b"\xE0\x81\xBF", b"\xF0\x80\x81\xBF"],
        &[b"\xE0\x9F\xBF", b"\xF0\x80\x9F\xBF"],
        &[b"\xF0\x8F\xBF\xBF"],
    ] {
        for form in forms {
            let len = form.len();
            check([case(form, lead_and_each_byte_after(Overlong, 0..len), &"�".repeat(len))]);
        }
    }
    for form in [
        &b"\xF8\x80\x80\x80\x80"[..],
        b"\xFC\x80\x80\x80\x80\x80",
        b"\xF8\x80\x80\x81\xBF",
        b"\xFC\x80\x80\x80\x81\xBF",
        b"\xF8\x80\x80\x9F\xBF",
        b"\xFC\x80\x80\x80\x9F\xBF",
        b"\xF8\x80\x8F\xBF\xBF",
        b"\xFC\x80\x80\x8F\xBF\xBF",
        b"\xF8\x84\x8F\xBF\xBF",
        b"\xFC\x80\x84\x8F\xBF\xBF",
    ] {
        let len = form.len();
        check([case(form, lead_and_each_byte_after(InvalidLeadByte, 0..len), &"�".repeat(len))]);
    }
}

#[test]
fn whatwg_surrogates_in_utf8() {
    check([
        case(b"\xED\xA0\x80", lead_and_each_byte_after(Surrogate, 0..3), "���"),
        case(b"\xED\xB0\x80", lead_and_each_byte_after(Surrogate, 0..3), "���"),
        case(
            b"\xED\xA0\x80\xED\xB0\x80",
            [lead_and_each_byte_after(Surrogate, 0..3), lead_and_each_byte_after(Surrogate, 3..6)]
                .concat(),
            "������",
        ),
    ]);
}

/// U+1F4A9, its truncations at the end of a text, and its truncations before another character.
#[test]
fn whatwg_incomplete_sequences() {
    check([
        case(b"\xF0\x9F\x92\xA9", [], "💩"),
        case(b"\xF0", [incomplete(0)], "�"),
        case(b"\xF0\x9F", [incomplete(0)], "�"),
        case(b"\xF0\x9F\x92", [incomplete(0)], "�"),
        case(b"\xF0\x9F\x41", [ill_formed(TooShort, 0, 2)], "�A"),
        case(b"\xF0\x41\x42", [ill_formed(TooShort, 0, 1)], "�AB"),
        case(b"\xF0\x41\xF0", [ill_formed(TooShort, 0, 1), incomplete(2)], "�A�"),
        case(b"\xF0\x8F\x92", lead_and_each_byte_after(TooShort, 0..3), "���"),
    ]);
}

/// A byte order mark is converted like any other character: callers that don't want it must remove
/// it.
#[test]
fn whatwg_byte_order_marks_are_kept() {
    check([
        case(b"\xEF\xBB\xBFabc", [], "\u{FEFF}abc"),
        case(b"\xEF\xBB\xBF\xEF\xBB\xBF", [], "\u{FEFF}\u{FEFF}"),
    ]);
    assert_eq!(utflane::bom::strip::<utflane::Utf8>(b"\xEF\xBB\xBFabc"), b"abc");
}

/// A UTF-16 text and its expected results, in either byte order.
struct Utf16Case {
    units: &'static [u16],
    /// True if half a unit follows: one byte, 0x00.
    has_half_unit: bool,
    /// The first error: its offset and length in bytes, and its kind.
    first_error: Option<(usize, Option<usize>, ErrorKind)>,
    repaired: &'static str,
    repairs: usize,
}

/// Creates a [`Utf16Case`] from its fields in order.
fn utf16_case(
    units: &'static [u16],
    has_half_unit: bool,
    first_error: Option<(usize, Option<usize>, ErrorKind)>,
    repaired: &'static str,
    repairs: usize,
) -> Utf16Case {
    Utf16Case { units, has_half_unit, first_error, repaired, repairs }
}

/// Returns cases with incomplete units and surrogate pairs, unpaired surrogates, and surrogates in
/// the wrong order.
fn utf16_cases() -> Vec<Utf16Case> {
    let unpaired = |at| Some((at, Some(2), Surrogate));
    let incomplete = |at| Some((at, None, Surrogate));
    let fragment = |at| Some((at, None, TooShort));
    vec![
        utf16_case(&[], true, fragment(0), "�", 1),
        utf16_case(&[0x61], true, fragment(2), "a�", 1),
        utf16_case(&[0xD800], false, incomplete(0), "�", 1),
        utf16_case(&[0xD800], true, incomplete(0), "�", 1),
        utf16_case(&[0xDC00], false, unpaired(0), "�", 1),
        utf16_case(&[0xDC00], true, unpaired(0), "��", 2),
        utf16_case(&[0xD800, 0], false, unpaired(0), "�\0", 1),
        utf16_case(&[0xDC00, 0], false, unpaired(0), "�\0", 1),
        utf16_case(&[0xDC00, 0xD800], false, unpaired(0), "��", 2),
        utf16_case(&[0xD83D, 0xD83D], true, unpaired(0), "��", 2),
        utf16_case(&[0x61, 0xD83D, 0xDCA9], false, None, "a💩", 0),
        utf16_case(&[0xD83D, 0xD83D, 0xDCA9, 0xDCA9], false, unpaired(0), "�💩�", 2),
        utf16_case(&[0xFFFE, 0xFFFF, 0xFEFF], false, None, "\u{FFFE}\u{FFFF}\u{FEFF}", 0),
    ]
}

/// At the end of UTF-16, a high surrogate and the incomplete unit after it are one error together.
#[test]
fn whatwg_utf16_cases() {
    let orders = [("Utf16Le", UTF_16LE), ("Utf16Be", UTF_16BE)];
    for (name, encoding) in orders {
        let bytes = |units: &mut dyn Iterator<Item = u16>| -> Vec<u8> {
            let to_bytes = if name == "Utf16Le" { u16::to_le_bytes } else { u16::to_be_bytes };
            units.flat_map(to_bytes).collect()
        };
        for case in utf16_cases() {
            let mut src = bytes(&mut case.units.iter().copied());
            src.extend(case.has_half_unit.then_some(0));
            check_utf16_case(name, encoding, &src, &case, ("", 0));
            // After other text of every length up to 300 characters.
            for len in sampled("offsets", 0..=300) {
                let before: String = "aé中💩".chars().cycle().skip(len % 4).take(len).collect();
                let before_bytes = bytes(&mut before.encode_utf16());
                let src = [&before_bytes[..], &src].concat();
                check_utf16_case(name, encoding, &src, &case, (&before, before_bytes.len()));
            }
        }
    }
}

/// Checks `src`, which consists of the text `before` and the case. `case_offset` is the byte offset
/// of the case in `src`.
fn check_utf16_case(
    name: &str,
    encoding: &'static Encoding,
    src: &[u8],
    case: &Utf16Case,
    (before, case_offset): (&str, usize),
) {
    let want = [before, case.repaired].concat();
    let by_encoding_rs = decode_with_encoding_rs(encoding, src);
    assert_eq!(by_encoding_rs, (want.clone(), case.first_error.is_none()), "{src:02X?}");
    let first_fault =
        case.first_error.map(|(at, len, kind)| Fault { at: case_offset + at, len, kind });
    let mut dst = vec![0; 3 * src.len() + 8];
    for &api in Api::all() {
        let got = (pair_named(name, name).from.validate)(api, src);
        let got = got.err().map(|error| Fault::from_error(error, 1));
        assert_eq!(got, first_fault, "{name}, {api:?} of {src:02X?}");
        let progress = pair_named(name, "Utf8").transcode_into(api, src, &mut dst);
        let stop = match progress.stop {
            Stop::Error(error) => Some(Fault::from_error(error, 1)),
            stop => {
                assert_eq!(stop, Stop::Done);
                None
            }
        };
        assert_eq!(stop, first_fault, "{name}, {api:?} of {src:02X?}");
        let (text, repairs) = pair_named(name, "Utf8").lossy(api, src, Repair::REPLACE);
        assert_eq!((&text[..], repairs), (want.as_bytes(), case.repairs), "{api:?}: {src:02X?}");
    }
}

/// Streams whose chunks end inside units, surrogate pairs and characters. An incomplete sequence at
/// the end of a chunk is not an error until the next chunk shows that it is ill-formed.
#[test]
fn whatwg_streams() {
    let cases: [(&str, &[&[u8]], &str); 8] = [
        ("Utf16Le", &[b"\0", b"\0"], "\0"),
        ("Utf16Le", &[b"\0\0", b"\0"], "\0�"),
        ("Utf16Le", &[b"\x3D", b"\xD8\xA9", b"\xDC"], "💩"),
        ("Utf16Be", &[b"\xD8\x3D\xDC", b"", b"\xA9a"], "💩�"),
        ("Utf8", &[b"\xF0", b"\x9F\x92", b"\xA9"], "💩"),
        ("Utf8", &[b"\xF0\x9F", b"\x92"], "�"),
        ("Utf8", &[b"\xE0", b"\x80", b"\0"], "��\0"),
        ("Utf8", &[b"\xC0", b"\xC0"], "��"),
    ];
    for (name, chunks, want) in cases {
        let encoding = Encoding::for_label(name.to_lowercase().replace("16", "-16").as_bytes());
        let mut decoder = encoding.expect("a known label").new_decoder_without_bom_handling();
        let mut text = String::with_capacity(64);
        for (i, chunk) in chunks.iter().enumerate() {
            let _ = decoder.decode_to_string(chunk, &mut text, i + 1 == chunks.len());
        }
        assert_eq!(text, want, "encoding_rs, {chunks:02X?}");
        for &api in Api::all() {
            let mut transcoder =
                pair_named(name, "Utf8").lossy_transcoder(api, Repair::REPLACE.into());
            let (mut out, mut dst) = (Vec::new(), [0; 64]);
            for chunk in chunks {
                let progress = transcoder.push(chunk, &mut dst);
                assert_eq!((progress.read, progress.stop), (chunk.len(), Stop::Done), "{api:?}");
                out.extend_from_slice(&dst[..progress.written]);
            }
            let progress = transcoder.finish(&mut dst);
            out.extend_from_slice(&dst[..progress.written]);
            assert_eq!(String::from_utf8(out).as_deref(), Ok(want), "{api:?} of {chunks:02X?}");
        }
    }
}
