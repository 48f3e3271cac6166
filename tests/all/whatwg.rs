//! The cases of the web platform's decoders: fatal errors in UTF-8, the number of U+FFFD that
//! replace them, UTF-16 whose units and pairs are cut, and streams. Each case is also run with
//! encoding_rs, which browsers use.

use crate::common::api::{Api, named as strict};
use crate::common::cases::{Case, case, cut, each, lead_and_rest, offsets_at_boundaries, wrong};
use crate::common::lossy_api::named;
use crate::common::oracle::Fault;
use crate::common::shared;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use utflane::ErrorKind::{self, InvalidLeadByte, Overlong, Surrogate, TooLarge, TooShort};
use utflane::{Repair, Stop};

/// The text that encoding_rs decodes, and whether it found no error.
fn by_encoding_rs(encoding: &'static Encoding, src: &[u8]) -> (String, bool) {
    let (text, wrong) = encoding.decode_without_bom_handling(src);
    let fatal = encoding.decode_without_bom_handling_and_without_replacement(src);
    assert_eq!(fatal.is_none(), wrong);
    (text.into_owned(), !wrong)
}

/// Checks the case as UTF-8, by itself and in other text, and with encoding_rs.
fn check(cases: impl IntoIterator<Item = Case>) {
    for case in cases {
        let want = (case.text.clone(), case.wrong.is_empty());
        assert_eq!(by_encoding_rs(UTF_8, &case.src), want, "of {:02X?}", case.src);
        case.check_alone();
        let offsets: Vec<_> = shared("offsets", offsets_at_boundaries().into_iter()).collect();
        case.check_embedded(&offsets);
    }
}

#[test]
fn whatwg_fatal_bytes_and_trails() {
    let short = |at, len| wrong(TooShort, at, len);
    check([
        case(b"\xFF", each(InvalidLeadByte, 0..1), "�"),
        case(b"\xC0", each(TooShort, 0..1), "�"),
        case(b"\xE0", [cut(0)], "�"),
        case(b"\xC0\x00", [short(0, 1)], "�\0"),
        case(b"\xC0\xC0", [short(0, 1), short(1, 1)], "��"),
        case(b"\xE0\x00", [short(0, 1)], "�\0"),
        case(b"\xE0\xC0", [short(0, 1), short(1, 1)], "��"),
        case(b"\xE0\x80\x00", lead_and_rest(TooShort, 0..2), "��\0"),
        case(b"\xE0\x80\xC0", [lead_and_rest(TooShort, 0..2), vec![short(2, 1)]].concat(), "���"),
        case(b"\xFC\x80\x80", lead_and_rest(InvalidLeadByte, 0..3), "���"),
        case(b"\xFE\x80\x80\x80", lead_and_rest(InvalidLeadByte, 0..4), "����"),
        case(b"\xF4\x90\x80\x80", lead_and_rest(TooLarge, 0..4), "����"),
    ]);
}

#[test]
fn whatwg_fatal_overlong_forms() {
    // U+0000, U+007F, U+07FF, U+FFFF and U+10FFFF in all overlong forms.
    for forms in [
        &[&b"\xC0\x80"[..], b"\xE0\x80\x80", b"\xF0\x80\x80\x80"][..],
        &[b"\xC1\xBF", b"\xE0\x81\xBF", b"\xF0\x80\x81\xBF"],
        &[b"\xE0\x9F\xBF", b"\xF0\x80\x9F\xBF"],
        &[b"\xF0\x8F\xBF\xBF"],
    ] {
        for form in forms {
            let len = form.len();
            check([case(form, lead_and_rest(Overlong, 0..len), &"�".repeat(len))]);
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
        check([case(form, lead_and_rest(InvalidLeadByte, 0..len), &"�".repeat(len))]);
    }
}

#[test]
fn whatwg_fatal_surrogates() {
    check([
        case(b"\xED\xA0\x80", lead_and_rest(Surrogate, 0..3), "���"),
        case(b"\xED\xB0\x80", lead_and_rest(Surrogate, 0..3), "���"),
        case(
            b"\xED\xA0\x80\xED\xB0\x80",
            [lead_and_rest(Surrogate, 0..3), lead_and_rest(Surrogate, 3..6)].concat(),
            "������",
        ),
    ]);
}

/// Truncations of U+1F4A9, at the end of a text and with another character in between.
#[test]
fn whatwg_end_of_queue() {
    check([
        case(b"\xF0\x9F\x92\xA9", [], "💩"),
        case(b"\xF0", [cut(0)], "�"),
        case(b"\xF0\x9F", [cut(0)], "�"),
        case(b"\xF0\x9F\x92", [cut(0)], "�"),
        case(b"\xF0\x9F\x41", [wrong(TooShort, 0, 2)], "�A"),
        case(b"\xF0\x41\x42", [wrong(TooShort, 0, 1)], "�AB"),
        case(b"\xF0\x41\xF0", [wrong(TooShort, 0, 1), cut(2)], "�A�"),
        case(b"\xF0\x8F\x92", lead_and_rest(TooShort, 0..3), "���"),
    ]);
}

/// A mark is a character here like any other: callers that don't want it must remove it.
#[test]
fn whatwg_marks_are_kept() {
    check([
        case(b"\xEF\xBB\xBFabc", [], "\u{FEFF}abc"),
        case(b"\xEF\xBB\xBF\xEF\xBB\xBF", [], "\u{FEFF}\u{FEFF}"),
    ]);
    assert_eq!(utflane::bom::strip::<utflane::Utf8>(b"\xEF\xBB\xBFabc"), b"abc");
}

/// UTF-16 of either byte order, as units: the first error, and the repaired text. `half` is half a
/// unit at the end.
struct Wide {
    units: &'static [u16],
    half: bool,
    first: Option<(usize, Option<usize>, ErrorKind)>,
    text: &'static str,
    repairs: usize,
}

/// [`Wide`], by position.
fn wide(
    units: &'static [u16],
    half: bool,
    first: Option<(usize, Option<usize>, ErrorKind)>,
    text: &'static str,
    repairs: usize,
) -> Wide {
    Wide { units, half, first, text, repairs }
}

/// Cut units and pairs, unpaired surrogates, surrogates in the wrong order.
fn wide_cases() -> Vec<Wide> {
    let unpaired = |at| Some((at, Some(2), Surrogate));
    let incomplete = |at| Some((at, None, Surrogate));
    let fragment = |at| Some((at, None, TooShort));
    vec![
        wide(&[], true, fragment(0), "�", 1),
        wide(&[0x61], true, fragment(2), "a�", 1),
        wide(&[0xD800], false, incomplete(0), "�", 1),
        wide(&[0xD800], true, incomplete(0), "�", 1),
        wide(&[0xDC00], false, unpaired(0), "�", 1),
        wide(&[0xDC00], true, unpaired(0), "��", 2),
        wide(&[0xD800, 0], false, unpaired(0), "�\0", 1),
        wide(&[0xDC00, 0], false, unpaired(0), "�\0", 1),
        wide(&[0xDC00, 0xD800], false, unpaired(0), "��", 2),
        wide(&[0xD83D, 0xD83D], true, unpaired(0), "��", 2),
        wide(&[0x61, 0xD83D, 0xDCA9], false, None, "a💩", 0),
        wide(&[0xD83D, 0xD83D, 0xDCA9, 0xDCA9], false, unpaired(0), "�💩�", 2),
        wide(&[0xFFFE, 0xFFFF, 0xFEFF], false, None, "\u{FFFE}\u{FFFF}\u{FEFF}", 0),
    ]
}

/// An incomplete end of UTF-16 is one error: a surrogate and an incomplete unit together.
#[test]
fn whatwg_utf16_cut_and_alone() {
    let orders = [("Utf16Le", UTF_16LE), ("Utf16Be", UTF_16BE)];
    for (name, encoding) in orders {
        let bytes = |units: &mut dyn Iterator<Item = u16>| -> Vec<u8> {
            let order = if name == "Utf16Le" { u16::to_le_bytes } else { u16::to_be_bytes };
            units.flat_map(order).collect()
        };
        for case in wide_cases() {
            let mut src = bytes(&mut case.units.iter().copied());
            src.extend(case.half.then_some(0));
            check_wide(name, encoding, &src, &case, ("", 0));
            // After other text, up to every position of a block and beyond.
            for at in shared("offsets", 0..=300) {
                let before: String = "aé中💩".chars().cycle().skip(at % 4).take(at).collect();
                let front = bytes(&mut before.encode_utf16());
                let src = [&front[..], &src].concat();
                check_wide(name, encoding, &src, &case, (&before, front.len()));
            }
        }
    }
}

/// One text of UTF-16, with `before`, which has `front` bytes, before the case.
fn check_wide(
    name: &str,
    encoding: &'static Encoding,
    src: &[u8],
    case: &Wide,
    (before, front): (&str, usize),
) {
    let want = [before, case.text].concat();
    assert_eq!(by_encoding_rs(encoding, src), (want.clone(), case.first.is_none()), "{src:02X?}");
    let first = case.first.map(|(at, len, kind)| Fault { at: front + at, len, kind });
    let mut dst = vec![0; 3 * src.len() + 8];
    for &api in Api::all() {
        let got = (strict(name, name).from.validate)(api, src);
        let got = got.err().map(|error| Fault::from_error(error, 1));
        assert_eq!(got, first, "{name}, {api:?} of {src:02X?}");
        let progress = (strict(name, "Utf8").transcode_into)(api, src, &mut dst);
        let stop = match progress.stop {
            Stop::Error(error) => Some(Fault::from_error(error, 1)),
            stop => {
                assert_eq!(stop, Stop::Done);
                None
            }
        };
        assert_eq!(stop, first, "{name}, {api:?} of {src:02X?}");
        let (text, repairs) = (named(name, "Utf8").lossy)(api, src, Repair::REPLACE);
        assert_eq!((&text[..], repairs), (want.as_bytes(), case.repairs), "{api:?}: {src:02X?}");
    }
}

/// Streams that are cut inside units, pairs and characters: no error is reported before it is
/// certain.
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
        let mut theirs = encoding.expect("a label").new_decoder_without_bom_handling();
        let mut text = String::with_capacity(64);
        for (i, chunk) in chunks.iter().enumerate() {
            let _ = theirs.decode_to_string(chunk, &mut text, i + 1 == chunks.len());
        }
        assert_eq!(text, want, "encoding_rs, {chunks:02X?}");
        for &api in Api::all() {
            let mut ours = (named(name, "Utf8").lossy_transcoder)(api, Repair::REPLACE.into());
            let (mut out, mut dst) = (Vec::new(), [0; 64]);
            for chunk in chunks {
                let progress = ours.push(chunk, &mut dst);
                assert_eq!((progress.read, progress.stop), (chunk.len(), Stop::Done), "{api:?}");
                out.extend_from_slice(&dst[..progress.written]);
            }
            let progress = ours.finish(&mut dst);
            out.extend_from_slice(&dst[..progress.written]);
            assert_eq!(String::from_utf8(out).as_deref(), Ok(want), "{api:?} of {chunks:02X?}");
        }
    }
}
