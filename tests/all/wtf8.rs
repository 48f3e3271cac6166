//! Tests of WTF-8 and of potentially ill-formed UTF-16, compared with the crate `wtf8` by the
//! author of WTF-8: every surrogate next to every kind of neighbour. That crate has no function
//! that takes possibly ill-formed bytes, so errors are compared with expected values in this file.

use std::hash::{Hash, Hasher};

use crate::common::api::{Api, call};
use crate::common::carriers::sample_chars;
use crate::common::pairs::{Pair, pair_named};
use crate::common::{sampled, sampled_if_slow};
use ::wtf8::{CodePoint, Wtf8Buf};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    Error, ErrorKind, Progress, Scheme, Stop, Utf8, Utf16, Utf16Be, Wtf8, Wtf16, Wtf16Be, Wtf16Le,
    transcode, validate, wtf8,
};

#[test]
fn literal_cases() {
    // The units, the same text in WTF-8, and the byte offset of the first unpaired surrogate.
    let cases: [(&[u16], &[u8], Option<usize>); 8] = [
        (&[], b"", None),
        (&[0x61, 0xE9, 0x20AC], "aé€".as_bytes(), None),
        (&[0xD83D, 0xDE00], "😀".as_bytes(), None),
        (&[0xD83D], b"\xED\xA0\xBD", Some(0)),
        (&[0xDE00], b"\xED\xB8\x80", Some(0)),
        (&[0x61, 0xD83D, 0x62], b"a\xED\xA0\xBDb", Some(1)),
        (&[0xDE00, 0xD83D], b"\xED\xB8\x80\xED\xA0\xBD", Some(0)),
        (&[0xD83D, 0xD83D, 0xDE00], b"\xED\xA0\xBD\xF0\x9F\x98\x80", Some(0)),
    ];
    for (units, bytes, unpaired) in cases {
        assert_eq!(transcode::<Wtf16, Wtf8>(units).as_deref(), Ok(bytes), "{units:04X?}");
        assert_eq!(transcode::<Wtf8, Wtf16>(bytes).as_deref(), Ok(units), "{bytes:02X?}");
        let error = transcode::<Wtf8, Utf8>(bytes).err();
        assert_eq!(error.map(|error| error.valid_up_to()), unpaired, "{bytes:02X?}");
        let want = unpaired.map(|_| ErrorKind::Surrogate);
        assert_eq!(error.map(|error| error.kind()), want, "{bytes:02X?}");
    }
    // A surrogate pair that is encoded as two three-byte sequences is ill-formed in WTF-8.
    let error = validate::<Wtf8>(b"a\xED\xA0\xBD\xED\xB8\x80").unwrap_err();
    assert_eq!(error_facts(error), (ErrorKind::Surrogate, 1, Some(6)));
}

/// Collects the bytes of a `Wtf8Buf`: the crate `wtf8` passes them only to a `Hasher`.
#[derive(Default)]
struct ByteCollector(Vec<u8>);

impl Hasher for ByteCollector {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

/// Converts code units to WTF-8 with the crate `wtf8`.
fn encode_with_crate(units: &[u16]) -> Vec<u8> {
    let text = Wtf8Buf::from_ill_formed_utf16(units);
    let mut bytes = ByteCollector::default();
    text.hash(&mut bytes);
    // `Wtf8Buf::hash` writes one more byte after the text, 0xFE.
    assert_eq!(bytes.0.pop(), Some(0xFE));
    assert_eq!(bytes.0.len(), text.len());
    assert!(
        text.to_ill_formed_utf16().eq(units.iter().copied()),
        "the crate `wtf8` decodes its own WTF-8"
    );
    bytes.0
}

/// Asserts that code units convert to the same WTF-8 as with the crate `wtf8`, and back without
/// loss. Returns the WTF-8.
fn check_lossless(units: &[u16]) -> Vec<u8> {
    let bytes = encode_with_crate(units);
    for &api in Api::all() {
        for extra in [0, 70] {
            let mut wtf8 = vec![0; bytes.len() + extra];
            let progress = call!(api, transcode_into::<Wtf16, Wtf8>(units, &mut wtf8));
            let want = Progress { read: units.len(), written: bytes.len(), stop: Stop::Done };
            assert_eq!(progress, want, "{api:?} of {units:04X?}");
            assert!(wtf8[..bytes.len()] == bytes, "{api:?} of {units:04X?}: {wtf8:02X?}");
            let mut wtf16 = vec![0; units.len() + extra];
            let progress = call!(api, transcode_into::<Wtf8, Wtf16>(&bytes, &mut wtf16));
            let want = Progress { read: bytes.len(), written: units.len(), stop: Stop::Done };
            assert_eq!(progress, want, "{api:?} of {bytes:02X?}");
            assert!(wtf16[..units.len()] == *units, "{api:?} of {bytes:02X?}: {wtf16:04X?}");
        }
        assert_eq!(call!(api, validate::<Wtf8>(&bytes)), Ok(()), "{api:?} of {bytes:02X?}");
        assert_eq!(call!(api, validate::<Wtf16>(units)), Ok(()), "{api:?} of {units:04X?}");
    }
    bytes
}

/// Returns the kind, the offset and the length of an error.
fn error_facts(error: Error) -> (ErrorKind, usize, Option<usize>) {
    (error.kind(), error.valid_up_to(), error.error_len())
}

/// The encodings that have every character and no unpaired surrogates.
const STRICT_TARGETS: [&str; 9] =
    ["Utf8", "Utf16", "Utf16Le", "Utf16Be", "Utf32", "Utf32Le", "Utf32Be", "Cesu8", "Mutf8"];

/// Returns the pairs of the encoding `from` and each encoding in [`STRICT_TARGETS`].
fn strict_pairs(from: &str) -> [&'static Pair; 9] {
    STRICT_TARGETS.map(|to| pair_named(from, to))
}

/// Asserts that conversions to strict encodings stop at the first unpaired surrogate, if any.
/// `bytes` are the units in WTF-8; `pairs` are the pairs from WTF-8 and the pairs from WTF-16.
fn check_strict(units: &[u16], bytes: &[u8], pairs: &[[&Pair; 9]; 2]) {
    // The offsets of the first unpaired surrogate in WTF-16 and in WTF-8.
    let (mut unit_offset, mut byte_offset, mut unpaired) = (0, 0, None);
    for item in char::decode_utf16(units.iter().copied()) {
        match item {
            Ok(c) => {
                unit_offset += c.len_utf16();
                byte_offset += c.len_utf8();
            }
            Err(error) => {
                unpaired = Some(error.unpaired_surrogate());
                break;
            }
        }
    }
    let unit_bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_ne_bytes()).collect();
    // In UTF-16, a high surrogate at the end is incomplete: a low surrogate may follow. In WTF-8,
    // it is a complete error: no bytes after it make it well-formed for a strict target.
    let is_incomplete =
        unpaired.is_some_and(|unit| unit < 0xDC00) && unit_offset + 1 == units.len();
    let len_in_units = if is_incomplete { None } else { Some(1) };
    let from_wtf16 = unpaired.map(|_| (ErrorKind::Surrogate, unit_offset, len_in_units));
    let from_wtf8 = unpaired.map(|_| (ErrorKind::Surrogate, byte_offset, Some(3)));
    for (src, want, pairs) in [(bytes, from_wtf8, pairs[0]), (&unit_bytes, from_wtf16, pairs[1])] {
        for pair in pairs {
            for &api in Api::all() {
                let got = pair.transcode(api, src).err().map(error_facts);
                assert_eq!(got, want, "{pair}, {api:?} of {src:02X?}");
            }
        }
    }
}

/// The units before or after a surrogate under test.
const NEIGHBOURS: [&[u16]; 9] = [
    &[],
    &[0x61],
    &[0xE9],
    &[0x20AC],
    // A surrogate pair; and single surrogates, which may form a pair with the surrogate under test.
    &[0xD83D, 0xDE00],
    &[0xD800],
    &[0xDBFF],
    &[0xDC00],
    &[0xDFFF],
];

/// Every surrogate between any two neighbours: as a whole text, and inside a text that is long
/// enough for vector code.
#[test]
fn every_surrogate_in_every_context() {
    let pairs = ["Wtf8", "Wtf16"].map(strict_pairs);
    let contexts = NEIGHBOURS.iter().flat_map(|a| NEIGHBOURS.iter().map(move |b| (*a, *b)));
    let all = (0xD800..=0xDFFF).flat_map(|unit| contexts.clone().map(move |both| (unit, both)));
    for (i, (unit, (before, after))) in sampled("surrogates in contexts", all.enumerate()) {
        let middle = [before, &[unit], after].concat();
        let bytes = check_lossless(&middle);
        check_strict(&middle, &bytes, &pairs);
        // `i` determines the offset of the surrogate. All offsets in a block of every kernel occur.
        // The text around it repeats one character.
        let around: &[u16] = NEIGHBOURS[1 + i % 4];
        let (text_before, text_after) = (around.repeat(1 + i / 4 % 71), around.repeat(70));
        let units = [&text_before[..], &middle, &text_after].concat();
        let bytes = check_lossless(&units);
        if i % 3 == 0 {
            check_strict(&units, &bytes, &pairs);
        }
    }
}

/// Every surrogate pair, that is, every supplementary character. In WTF-8 it is a four-byte
/// character, and the same pair as two three-byte surrogates is ill-formed.
#[test]
fn every_surrogate_pair() {
    let (mut units, mut ill_formed) = (vec![0x61; 100], vec![b'a'; 150]);
    let highs = 0xD800..=0xDBFF;
    let all = highs.flat_map(|high| (0xDC00..=0xDFFF).map(move |low| [high, low]));
    for (i, pair) in sampled("pairs of surrogates", all.enumerate()) {
        let at = i % 90;
        units[at..at + 2].copy_from_slice(&pair);
        let c = char::decode_utf16(pair).next().and_then(Result::ok).expect("a pair");
        let mut want = [b'a'; 102];
        c.encode_utf8(&mut want[at..]);
        let three_bytes =
            |unit: u16| [0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8];
        let six_bytes = [three_bytes(pair[0]), three_bytes(pair[1])].concat();
        ill_formed[at..at + 6].copy_from_slice(&six_bytes);
        for &api in Api::all() {
            let mut wtf8 = [0; 102];
            let progress = call!(api, transcode_into::<Wtf16, Wtf8>(&units, &mut wtf8));
            assert_eq!((progress.written, wtf8), (102, want), "{api:?} of {units:04X?}");
            let mut wtf16 = [0; 100];
            let progress = call!(api, transcode_into::<Wtf8, Wtf16>(&want, &mut wtf16));
            assert_eq!((progress.written, &wtf16[..]), (100, &units[..]), "{api:?} of {want:02X?}");
            let error = Some((ErrorKind::Surrogate, at, Some(6)));
            let got = call!(api, validate::<Wtf8>(&ill_formed)).err().map(error_facts);
            assert_eq!(got, error, "{api:?} of {ill_formed:02X?}");
            let progress = call!(api, transcode_into::<Wtf8, Wtf16>(&ill_formed, &mut [0; 150]));
            assert_eq!((progress.read, progress.written), (at, at), "{api:?} of {ill_formed:02X?}");
        }
        let got = validate::<Wtf8>(&six_bytes).err().map(error_facts);
        assert_eq!(got, Some((ErrorKind::Surrogate, 0, Some(6))), "{six_bytes:02X?}");
        units[at..at + 2].fill(0x61);
        ill_formed[at..at + 6].fill(b'a');
    }
}

/// Random texts of many lengths, with random surrogates among their units.
#[test]
fn random_units_with_surrogates() {
    let pairs = ["Wtf8", "Wtf16"].map(strict_pairs);
    let mut rng = StdRng::seed_from_u64(0x3F8);
    let lens = (0..=320).chain([960, 4096, 8192, 8193, 20_000]);
    let all = (0..12).flat_map(|kind| lens.clone().map(move |len| (kind, len)));
    for (kind, len) in sampled("random units", all) {
        let text: String = sample_chars(char::MAX, len, rng.random()).into_iter().collect();
        let mut units: Vec<u16> = text.encode_utf16().take(len).collect();
        for unit in &mut units {
            // With kind 11, one unit in 2048 becomes a surrogate; with kind 0, every unit.
            if rng.random_range(0..1_u32 << kind) == 0 {
                *unit = rng.random_range(0xD800..=0xDFFF);
            }
        }
        let bytes = check_lossless(&units);
        check_strict(&units, &bytes, &pairs);
    }
}

/// Texts to which code points are appended one by one: adjacent surrogates that form a pair become
/// one character, as in the crate `wtf8`.
#[test]
fn appended_code_points_match_the_crate() {
    let mut rng = StdRng::seed_from_u64(5);
    for _ in sampled("concatenations", 0..20_000) {
        let (mut text, mut units, mut wtf8_text) = (Wtf8Buf::new(), Vec::new(), Vec::new());
        for _ in 0..rng.random_range(0..60) {
            let point = match rng.random_range(0..4) {
                0 => rng.random_range(0xD800..=0xDBFF),
                1 => rng.random_range(0xDC00..=0xDFFF),
                2 => rng.random_range(0x1_0000..=0x10_FFFF),
                _ => rng.random_range(0..0xD800),
            };
            text.push(CodePoint::from_u32(point).expect("a code point"));
            assert!(wtf8::push(&mut wtf8_text, point).is_ok(), "{point:X}");
            match char::from_u32(point) {
                Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                None => units.push(point as u16),
            }
        }
        assert!(
            text.to_ill_formed_utf16().eq(units.iter().copied()),
            "the crate `wtf8`, of {units:04X?}"
        );
        assert_eq!(check_lossless(&units), wtf8_text, "{units:04X?}");
        assert!(wtf8::code_points(&wtf8_text).eq(text.code_points().map(|point| point.to_u32())));
        // U+FFFD is as long as a surrogate, so the repair needs no new allocation.
        let (memory, lossy) = (wtf8_text.as_ptr(), wtf8::into_string_lossy(wtf8_text));
        assert_eq!(lossy, String::from_utf16_lossy(&units));
        assert_eq!(lossy.as_ptr(), memory, "{units:04X?}");
    }
}

/// `push` appends every code point after a letter and after two high surrogates as the crate `wtf8`
/// does, and rejects values that are not code points.
#[test]
fn every_code_point_appended() {
    for point in sampled("code points", 0..=0x10_FFFF) {
        for before in ["", "a\u{10FFFF}"] {
            for previous in [0x41, 0xD800, 0xDBFF] {
                let (mut text, mut wtf8_text) =
                    (Wtf8Buf::from_str(before), before.as_bytes().to_vec());
                for point in [previous, point] {
                    text.push(CodePoint::from_u32(point).expect("a code point"));
                    assert!(wtf8::push(&mut wtf8_text, point).is_ok());
                }
                let units: Vec<u16> = text.to_ill_formed_utf16().collect();
                assert_eq!(wtf8_text, encode_with_crate(&units), "{previous:X}, {point:X}");
            }
        }
    }
    for beyond in [0x11_0000, 0x11_DC00, u32::MAX] {
        let mut text = b"\xED\xA0\x80".to_vec();
        assert!(wtf8::push(&mut text, beyond).is_err());
        assert_eq!(text, b"\xED\xA0\x80");
    }
}

/// Long texts with surrogates at many distances become strings. If a text has no other ill-formed
/// sequences, the surrogates are replaced in place. Otherwise the text is copied.
#[test]
fn long_texts_with_surrogates_into_strings() {
    for distance in [1, 2, 7, 8, 9, 10, 63, 500, 3000] {
        let text: String = sample_chars(char::MAX, 9000, distance as u64).into_iter().collect();
        let mut units: Vec<u16> = text.encode_utf16().collect();
        for unit in units.iter_mut().step_by(distance) {
            *unit = 0xDC00;
        }
        let bytes = encode_with_crate(&units);
        let want = String::from_utf16_lossy(&units);
        let memory = bytes.as_ptr();
        let got = wtf8::into_string_lossy(bytes.clone());
        assert!(got == want, "{distance}");
        let got = wtf8::into_string_lossy(bytes);
        assert_eq!((got == want, got.as_ptr()), (true, memory), "{distance}");
        let mut bytes = got.into_bytes();
        bytes.extend_from_slice(b"\xED\xA0\x80\xFF\xED\xA0\x80\xED\xB0\x80\xE2\x82");
        let got = wtf8::into_string_lossy(bytes);
        assert!(got == want + "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", "{distance}");
    }
}

/// Well-formed texts are the same bytes in WTF-8 as in UTF-8, and the same units in WTF-16 as in
/// UTF-16.
#[test]
fn well_formed_texts_are_utf8() {
    for seed in sampled("texts", 0..200) {
        let text: String = sample_chars(char::MAX, 500, seed).into_iter().collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(check_lossless(&units), text.as_bytes());
        for &api in Api::all() {
            let strict = call!(api, transcode::<Wtf8, Utf8>(text.as_bytes()));
            assert_eq!(strict.as_deref(), Ok(&*text), "{api:?}");
            let strict = call!(api, transcode::<Wtf16, Utf16>(&units));
            assert_eq!(strict.as_ref(), Ok(&units), "{api:?}");
        }
    }
}

/// Lengths of texts with unpaired surrogates around one character: the first or the last character
/// of one, two, three or four bytes.
#[test]
fn lengths_of_unpaired_surrogates_beside_characters() {
    for c in ['\u{7F}', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFF}', '\u{10000}'] {
        let unpaired: &[&[u16]] = &[&[0xD800], &[0xDC00, 0xDFFF]];
        for unpaired in unpaired {
            let units = [unpaired, &*c.encode_utf16(&mut [0; 2]), unpaired].concat();
            for &api in Api::all() {
                let len = call!(api, len::<Wtf16, Wtf8>(&units));
                assert_eq!(len, 6 * unpaired.len() + c.len_utf8(), "{api:?} of {units:04X?}");
                let count = call!(api, count::<Wtf16>(&units));
                assert_eq!(count, 2 * unpaired.len() + 1, "{api:?} of {units:04X?}");
            }
        }
    }
}

/// Lengths of texts in either byte order, with an unpaired surrogate before or after a pair. The
/// offset of the pair varies, because a text is measured in segments and no segment may split the
/// pair.
#[test]
fn lengths_of_pairs_across_segments() {
    for distance in sampled_if_slow("distances", 0..1100) {
        let (gap, pair) = (vec![0x61; distance], [0xD83D, 0xDE00]);
        let texts = [
            [&[0xD800], &gap[..], &pair, &[0x62; 600]].concat(),
            [&gap[..], &pair, &[0x62; 600], &[0xD800]].concat(),
        ];
        for units in texts {
            let units: &[u16] = &units;
            let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for (scheme, src) in [(Scheme::Wtf16Le, le), (Scheme::Wtf16Be, be)] {
                let lengths = (scheme.len(&src, Scheme::Wtf8), scheme.count(&src));
                assert_eq!(lengths, (distance + 607, distance + 602), "{scheme:?}, {distance}");
            }
        }
    }
}

/// `Wtf16Le` and `Wtf16Be`: any units are copied, byte-swapped and converted to the same WTF-8 as
/// with the crate `wtf8`. Conversions to strict encodings and strict validation find the first
/// unpaired surrogate, at its offset in bytes.
#[test]
fn any_units_in_either_byte_order() {
    let mut rng = StdRng::seed_from_u64(0xBE);
    for len in sampled("lengths", 0..=200) {
        let mut units: Vec<u16> = (0..len).map(|_| rng.random_range(0..0x300)).collect();
        for unit in &mut units {
            if rng.random_range(0..8) < len % 8 {
                *unit = rng.random_range(0xD700..=0xE0FF);
            }
        }
        let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let bytes = encode_with_crate(&units);
        let first = char::decode_utf16(units.iter().copied()).position(|c| c.is_err()).map(|at| {
            char::decode_utf16(units.iter().copied())
                .take(at)
                .map(|c| c.map_or(0, |c| 2 * c.len_utf16()))
                .sum::<usize>()
        });
        for &api in Api::all() {
            let context = || format!("{api:?} of {units:04X?}");
            let mut swapped = vec![0; be.len()];
            let progress = call!(api, transcode_into::<Wtf16, Wtf16Be>(&units, &mut swapped));
            let want = Progress { read: len, written: be.len(), stop: Stop::Done };
            assert_eq!((progress, &swapped), (want, &be), "{}", context());
            assert_eq!(call!(api, transcode::<Wtf16, Wtf16Le>(&units)), Ok(le.clone()));
            assert_eq!(call!(api, transcode::<Wtf16Be, Wtf16>(&be)), Ok(units.clone()));
            assert_eq!(call!(api, transcode::<Wtf16Be, Wtf16Le>(&be)), Ok(le.clone()));
            assert_eq!(call!(api, transcode::<Wtf16Le, Wtf8>(&le)), Ok(bytes.clone()));
            assert_eq!(call!(api, transcode::<Wtf16Be, Wtf8>(&be)), Ok(bytes.clone()));
            assert_eq!(call!(api, transcode::<Wtf8, Wtf16Be>(&bytes)), Ok(be.clone()));
            assert_eq!(call!(api, len::<Wtf16Be, Wtf8>(&be)), bytes.len(), "{}", context());
            assert_eq!(call!(api, validate::<Wtf16Be>(&be)), Ok(()), "{}", context());
            let strict = [
                call!(api, transcode::<Wtf16Le, Utf8>(&le)).err(),
                call!(api, transcode::<Wtf16Be, Utf16>(&be)).err(),
                call!(api, validate::<Utf16Be>(&be)).err(),
            ];
            for error in strict {
                assert_eq!(error.map(|error| error.valid_up_to()), first, "{}", context());
            }
        }
    }
}

/// All whole units are well-formed, but an incomplete unit at the end is an error.
#[test]
fn incomplete_unit_is_an_error() {
    let bytes: Vec<u8> = [0x3D, 0xD8, 0x61].repeat(50);
    for len in 0..=bytes.len() {
        let want = (len % 2 == 1).then(|| (ErrorKind::TooShort, len - 1, None));
        for scheme in [Scheme::Wtf16Le, Scheme::Wtf16Be] {
            let mut out = vec![0; 3 * len];
            for error in [
                scheme.validate(&bytes[..len]).err(),
                match scheme.transcode_into(&bytes[..len], Scheme::Wtf8, &mut out).stop {
                    Stop::Done => None,
                    Stop::Error(error) => Some(error),
                    Stop::OutputFull => panic!("the output has enough capacity"),
                },
            ] {
                let got = error.map(|e| (e.kind(), e.valid_up_to(), e.error_len()));
                assert_eq!(got, want, "{scheme}, {len}");
            }
        }
    }
}

/// In a conversion from WTF-8 to UTF-8, no bytes after an unpaired surrogate can make it
/// well-formed: even a surrogate pair is ill-formed in WTF-8. So the surrogate is a complete error
/// of three bytes, also if the start of a low surrogate follows.
#[test]
fn unpaired_surrogate_in_wtf8_is_a_complete_error() {
    let text = b"ab\xED\xA2\xBB\xED\xB4";
    for end in 5..=text.len() {
        for &api in Api::all() {
            let error = call!(api, transcode::<Wtf8, Utf8>(&text[..end])).unwrap_err();
            assert_eq!(error_facts(error), (ErrorKind::Surrogate, 2, Some(3)), "{end}");
        }
        let repaired =
            utflane::transcode_lossy::<Wtf8, Utf8>(&text[..end], utflane::Repair::REPLACE);
        // The bytes after the surrogate are one more incomplete sequence.
        assert_eq!(repaired.text, if end == 5 { "ab\u{FFFD}" } else { "ab\u{FFFD}\u{FFFD}" });
        for chunk_end in 0..=end {
            let mut stream = utflane::Transcoder::<Wtf8, Utf8>::new();
            let mut out = [0; 16];
            let mut stop = stream.push(&text[..chunk_end], &mut out).stop;
            if stop == Stop::Done {
                stop = stream.push(&text[chunk_end..end], &mut out).stop;
            }
            if stop == Stop::Done {
                stop = stream.finish(&mut out).stop;
            }
            let Stop::Error(error) = stop else { panic!("{end}, {chunk_end}: {stop:?}") };
            let got = (error.kind(), error.offset(), error.error_len());
            assert_eq!(got, (ErrorKind::Surrogate, 2, Some(3)), "{end}, {chunk_end}");
        }
    }
}

/// Owned results of long texts are converted segment by segment. No boundary between segments may
/// split a surrogate pair, or a pair of three-byte surrogates, which is one error of six bytes.
#[test]
fn surrogate_pairs_across_segment_boundaries() {
    for start in 990..1060 {
        let text = "a".repeat(start) + "😀" + &"b".repeat(5000);
        let units: Vec<u16> = text.encode_utf16().collect();
        for &api in Api::all() {
            let converted = call!(api, transcode::<Wtf16, Wtf8>(&units));
            assert!(converted.as_deref() == Ok(text.as_bytes()), "{api:?}, {start}");
        }
    }
    for start in 2030..2070 {
        let text =
            ["a".repeat(start).as_bytes(), b"\xED\xA0\xBD\xED\xB8\x80", &[b'b'; 5000]].concat();
        for &api in Api::all() {
            for error in [
                call!(api, transcode::<Wtf8, Wtf8>(&text)).unwrap_err(),
                call!(api, transcode::<Wtf8, Wtf16>(&text)).unwrap_err(),
            ] {
                assert_eq!(error_facts(error), (ErrorKind::Surrogate, start, Some(6)), "{api:?}");
            }
        }
    }
}
