//! CESU-8 and Modified UTF-8, compared with the crates that implement them: `cesu8`, `simd_cesu8`
//! and `residua-mutf8`.
//!
//! All of them write the same bytes. In what they accept, only `simd_cesu8`'s strict functions are
//! as strict as utflane. The others first check whether the whole text is UTF-8, and if so they
//! take it as it is, with four-byte characters and with NUL as a zero. `residua-mutf8` moreover
//! turns every `C0 80` into a zero before this check. These are the only differences, and the tests
//! assert them.

use std::borrow::Cow;

use crate::common::api::{Api, Readable, call, codecs, named};
use crate::common::carriers::{self, sequences};
use crate::common::checks::{check_into, check_validate};
use crate::common::{costly, oracle, shared, text};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{Cesu8, Encoding, Mutf8, Progress, Stop, Utf8, Utf16};

#[test]
fn literal_cases() {
    // A text, and its bytes in CESU-8 and in Modified UTF-8.
    let cases: [(&str, &[u8], &[u8]); 6] = [
        ("", b"", b""),
        ("aé€", "aé€".as_bytes(), "aé€".as_bytes()),
        ("\0", b"\0", b"\xC0\x80"),
        ("😀", b"\xED\xA0\xBD\xED\xB8\x80", b"\xED\xA0\xBD\xED\xB8\x80"),
        ("a\0😀", b"a\0\xED\xA0\xBD\xED\xB8\x80", b"a\xC0\x80\xED\xA0\xBD\xED\xB8\x80"),
        ("\u{FFFF}", b"\xEF\xBF\xBF", b"\xEF\xBF\xBF"),
    ];
    for (text, in_cesu8, in_mutf8) in cases {
        assert_eq!(utflane::from_str::<Cesu8>(text), in_cesu8, "{text:?}");
        assert_eq!(utflane::from_str::<Mutf8>(text), in_mutf8, "{text:?}");
        assert_eq!(utflane::transcode::<Cesu8, Utf8>(in_cesu8).as_deref(), Ok(text));
        assert_eq!(utflane::transcode::<Mutf8, Utf8>(in_mutf8).as_deref(), Ok(text));
    }
    // Ill-formed in both: a character of four bytes, an overlong one, an unpaired surrogate.
    for src in [&b"a\xF0\x9F\x98\x80"[..], b"a\xC1\x80", b"a\xED\xA0\xBDb", b"a\xED\xB8\x80"] {
        for error in [utflane::validate::<Cesu8>(src), utflane::validate::<Mutf8>(src)] {
            assert_eq!(error.map_err(|error| error.valid_up_to()), Err(1), "{src:02X?}");
        }
    }
    // NUL as a zero is ill-formed in Modified UTF-8 only, `C0 80` in CESU-8 only.
    assert!(utflane::is_valid::<Cesu8>(b"\0") && !utflane::is_valid::<Mutf8>(b"\0"));
    assert!(!utflane::is_valid::<Cesu8>(b"\xC0\x80") && utflane::is_valid::<Mutf8>(b"\xC0\x80"));
}

/// A peer's conversion from UTF-8.
type Encode = fn(&str) -> Cow<'_, [u8]>;
/// A peer's conversion into UTF-8.
type Decode = fn(&[u8]) -> Option<Cow<'_, str>>;

/// CESU-8 or Modified UTF-8, and the crates for it.
trait Tested: Readable + Encoding<Unit = u8> {
    /// As in the tables.
    const NAME: &str;
    const ENCODERS: &[(&str, Encode)];
    /// The peer that accepts well-formed text only.
    const STRICT: Decode;
    /// The peers that also accept text that is UTF-8 as a whole.
    const LENIENT: &[(&str, Decode)];
}

impl Tested for Cesu8 {
    const NAME: &str = "Cesu8";
    const ENCODERS: &[(&str, Encode)] =
        &[("cesu8", cesu8::to_cesu8), ("simd_cesu8", simd_cesu8::encode)];
    const STRICT: Decode = |src| simd_cesu8::decode_strict(src).ok();
    const LENIENT: &[(&str, Decode)] = &[
        ("cesu8", |src| cesu8::from_cesu8(src).ok()),
        ("simd_cesu8", |src| simd_cesu8::decode(src).ok()),
    ];
}

impl Tested for Mutf8 {
    const NAME: &str = "Mutf8";
    const ENCODERS: &[(&str, Encode)] = &[
        ("cesu8", cesu8::to_java_cesu8),
        ("simd_cesu8", simd_cesu8::mutf8::encode),
        ("residua-mutf8", mutf8::encode),
    ];
    const STRICT: Decode = |src| simd_cesu8::mutf8::decode_strict(src).ok();
    const LENIENT: &[(&str, Decode)] = &[
        ("cesu8", |src| cesu8::from_java_cesu8(src).ok()),
        ("simd_cesu8", |src| simd_cesu8::mutf8::decode(src).ok()),
    ];
}

/// Asserts that a text converts to another, in an output of exactly its size and in a larger one.
fn check<A: Encoding, B: Encoding>(api: Api, src: &[A::Unit], want: &[B::Unit]) {
    let all = Progress { read: src.len(), written: want.len(), stop: Stop::Done };
    let mut output = vec![B::Unit::default(); want.len() + 80];
    for size in [want.len(), output.len()] {
        output.fill(B::Unit::default());
        let progress = call!(api, transcode_into::<A, B>(src, &mut output[..size]));
        let name = (A::SCHEME, B::SCHEME);
        assert!(
            progress == all && output[..want.len()] == *want,
            "{name:?}, {api:?}, into {size} units of {src:02X?}: {progress:?}, {output:02X?}",
        );
    }
}

/// Asserts that all peers write a text in the same bytes, and read them.
fn check_text<E: Tested>(text: &str) {
    let want = oracle::encode_all(E::SCHEME, text.chars());
    for (name, encode) in E::ENCODERS {
        assert!(*encode(text) == want, "{name} of {text:?}");
    }
    assert!((E::STRICT)(&want).as_deref() == Some(text), "simd_cesu8 of {want:02X?}");
    for (name, decode) in E::LENIENT {
        assert!(decode(&want).as_deref() == Some(text), "{name} of {want:02X?}");
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    for &api in Api::all() {
        check::<Utf8, E>(api, text.as_bytes(), &want);
        check::<E, Utf8>(api, &want, text.as_bytes());
        check::<Utf16, E>(api, &units, &want);
        check::<E, Utf16>(api, &want, &units);
        assert_eq!(call!(api, validate::<E>(&want)), Ok(()), "{api:?} of {want:02X?}");
    }
}

/// Every scalar value by itself, and between characters of each width, two dozen to a text.
fn scalar_values<E: Tested>() {
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    for &c in shared("scalar values", all.iter()) {
        check_text::<E>(c.encode_utf8(&mut [0; 4]));
    }
    let mut text = String::new();
    for (i, chunk) in shared("texts of scalar values", all.chunks(24).enumerate()) {
        for around in ['a', 'é', '€', '😀'] {
            text.clear();
            text.extend(std::iter::repeat_n(around, i % 37));
            for (j, &c) in chunk.iter().enumerate() {
                text.push(c);
                text.extend(std::iter::repeat_n(around, (i + j) % 5));
            }
            check_text::<E>(&text);
        }
    }
}

#[test]
fn every_scalar_value_in_cesu8() {
    scalar_values::<Cesu8>();
}

#[test]
fn every_scalar_value_in_mutf8() {
    scalar_values::<Mutf8>();
}

/// A model of the texts that `residua-mutf8` accepts.
fn residua(src: &[u8]) -> Option<String> {
    if let Ok(text) = std::str::from_utf8(src) {
        return Some(text.to_owned());
    }
    let (mut zeros, mut rest) = (Vec::new(), src);
    while let [byte, after @ ..] = rest {
        rest = match (byte, after) {
            (0xC0, [0x80, after @ ..]) => {
                zeros.push(0);
                after
            }
            (0xC0, _) => return None,
            _ => {
                zeros.push(*byte);
                after
            }
        };
    }
    simd_cesu8::decode(&zeros).ok().map(Cow::into_owned)
}

/// Asserts that all peers accept or reject the same bytes, except for the differences named in the
/// module documentation.
fn check_bytes<E: Tested>(src: &[u8]) {
    let decoded = oracle::decode(E::SCHEME, src);
    let want = decoded.fault.is_none().then(|| decoded.chars().collect::<String>());
    let got = (E::STRICT)(src);
    assert_eq!(got.as_deref(), want.as_deref(), "simd_cesu8, strict, of {src:02X?}");
    let utf8 = std::str::from_utf8(src).ok();
    for (name, decode) in E::LENIENT {
        let got = decode(src);
        assert_eq!(got.as_deref(), utf8.or(want.as_deref()), "{name} of {src:02X?}");
    }
    if E::NAME == "Mutf8" {
        let (got, lenient) = (mutf8::decode(src).ok(), residua(src));
        assert_eq!(got.as_deref(), lenient.as_deref(), "residua-mutf8 of {src:02X?}");
        // The named difference is the only reason why it accepts bytes that we reject.
        let differs = src.contains(&0) || src.iter().any(|&byte| byte >= 0xF0);
        assert!(differs || lenient == want, "residua-mutf8 of {src:02X?}");
    }
    let codec = codecs().iter().find(|codec| codec.name == E::NAME).expect("a codec");
    check_validate(codec, src);
    check_into(named(E::NAME, "Utf8"), src);
    check_into(named(E::NAME, "Utf16"), src);
}

/// Bytes on either side of every decision, and more of those that make surrogates.
const BYTES: &[u8] = &[
    0x00, 0x41, 0x7F, 0x80, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xA0, 0xAF, 0xB0, 0xB0, 0xBF, 0xC0, 0xC0,
    0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xED, 0xED, 0xED, 0xEE, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
];

/// Characters on either side of every decision.
const CHARS: [char; 14] = [
    '\0',
    'a',
    '\u{7F}',
    '\u{80}',
    '\u{7FF}',
    '\u{800}',
    '\u{D7FF}',
    '\u{E000}',
    '\u{FFFF}',
    '\u{10000}',
    '\u{1F600}',
    '\u{10FC00}',
    '\u{103FF}',
    char::MAX,
];

/// Runs of such characters.
fn runs(rng: &mut StdRng, chars: usize) -> Vec<char> {
    let mut out = Vec::new();
    while out.len() < chars {
        let c = CHARS[rng.random_range(0..CHARS.len())];
        out.extend(std::iter::repeat_n(c, [1, 1, 2, 30][rng.random_range(0..4)]));
    }
    out
}

/// Random bytes, and well-formed texts with up to three bytes replaced, removed or doubled.
fn random_bytes<E: Tested>() {
    let mut rng = StdRng::seed_from_u64(0xCE5);
    for most in shared("random bytes", [3, 6, 9, 12, 40].into_iter().cycle().take(300_000)) {
        let len = rng.random_range(0..=most);
        let src: Vec<u8> = (0..len).map(|_| BYTES[rng.random_range(0..BYTES.len())]).collect();
        check_bytes::<E>(&src);
    }
    for most in shared("mutated texts", [4, 20, 60, 200].into_iter().cycle().take(120_000)) {
        let len = rng.random_range(1..=most);
        let mut src = oracle::encode_all(E::SCHEME, runs(&mut rng, len));
        for _ in 0..rng.random_range(0..=3) {
            let at = rng.random_range(0..=src.len());
            match rng.random_range(0..5) {
                0 => src.insert(at, BYTES[rng.random_range(0..BYTES.len())]),
                1 if at < src.len() => drop(src.remove(at)),
                2 => src.truncate(at),
                3 => src.splice(at..at, "😀".bytes()).for_each(drop),
                _ if at < src.len() => src[at] = BYTES[rng.random_range(0..BYTES.len())],
                _ => {}
            }
        }
        check_bytes::<E>(&src);
    }
}

#[test]
fn random_bytes_as_cesu8() {
    random_bytes::<Cesu8>();
}

#[test]
fn random_bytes_as_mutf8() {
    random_bytes::<Mutf8>();
}

/// Generated texts of all scripts: without NUL, with a few, and with many.
fn texts(bytes: usize) -> Vec<String> {
    let mut rng = StdRng::seed_from_u64(0x0C80);
    let mut all = Vec::new();
    for (_, text) in text::collection(bytes) {
        for one_in in [usize::MAX, 400, 9] {
            let nul = |c| if rng.random_range(0..one_in) == 0 { '\0' } else { c };
            all.push(text.chars().map(nul).collect());
        }
    }
    all
}

/// At most `len` bytes of a text, from about `start`.
fn cut(text: &str, start: usize, len: usize) -> &str {
    let boundary =
        |at| (at..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    &text[boundary(start)..boundary(start + len)]
}

/// Generated texts of all lengths up to 320.
#[test]
fn generated_texts_of_all_lengths() {
    for text in shared("texts", texts(4000).iter()) {
        for len in 0..=320 {
            let segment = cut(text, 7 * len, len);
            check_text::<Cesu8>(segment);
            check_text::<Mutf8>(segment);
        }
    }
}

/// The lengths of the segments in which texts are converted: a block, one and two pairs of blocks
/// after it, and one and two segments.
const PIECES: [usize; 5] = [64, 192, 320, 960, 1920];

/// Longer generated texts: next to the boundaries of the segments, and whole.
#[test]
fn generated_texts_longer_than_segments() {
    for text in shared("texts", texts(21_000).iter()) {
        let lens = PIECES.iter().flat_map(|&len| len - 3..=len + 3).chain([usize::from(u16::MAX)]);
        for (i, len) in lens.enumerate() {
            let segment = cut(text, 3 * i, len);
            check_text::<Cesu8>(segment);
            check_text::<Mutf8>(segment);
        }
    }
}

/// Ill-formed sequences next to the boundaries of segments: everything as in the oracle, up to the
/// same position.
#[test]
fn errors_next_to_segment_boundaries() {
    // An unpaired surrogate, surrogates in the wrong order, a pair too many, an incomplete pair,
    // four bytes, NULs of both kinds.
    let wrong: [&[u8]; 9] = [
        b"\xED\xA0\x80",
        b"\xED\xB0\x80",
        b"\xED\xB0\x80\xED\xA0\x80",
        b"\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80",
        b"\xED\xA0\xBD\xED\xB8",
        b"\xF0\x9F\x98\x80",
        b"\0",
        b"\xC0\x80",
        b"\xE2\x82",
    ];
    let pairs = ["Cesu8", "Mutf8"].map(|from| {
        ["Utf8", "Utf16", "Utf16Be", "Utf32", "Cesu8", "Mutf8"].map(|to| named(from, to))
    });
    let carriers = ["a", "é", "€", "😀", "a€😀"].map(|unit| unit.repeat(4000 / unit.len()));
    let offsets = PIECES.into_iter().flat_map(|boundary| boundary - 7..=boundary + 3);
    let inputs = offsets.flat_map(|at| wrong.map(|wrong| (at, wrong)));
    for (i, (at, wrong)) in shared("errors next to boundaries", inputs.enumerate()) {
        for pair in pairs.as_flattened() {
            // Each kind of error at each position, in one carrier each.
            let text = &carriers[i % carriers.len()];
            let mut src = oracle::encode_all(pair.from.scheme, cut(text, 0, at).chars());
            let whole: String = text.chars().skip(text.chars().count() / 2).collect();
            let after = cut(&whole, 0, [0, 9, 2000][i / carriers.len() % 3]);
            src.truncate(at);
            src.extend_from_slice(wrong);
            src.extend(oracle::encode_all(pair.from.scheme, after.chars()));
            check_into(pair, &src);
        }
    }
}

/// NUL as a zero is not Modified UTF-8, at any position in a text of any kind.
#[test]
fn a_zero_at_every_offset() {
    for width in 1..=3 {
        let text = carriers::embedded_in(660, Mutf8::SCHEME, width, char::MAX, 660, b"");
        for at in 0..text.len() {
            let mut src = text.clone();
            src[at] = 0;
            for to in ["Utf8", "Utf16Le", "Utf16Be"] {
                check_into(named("Mutf8", to), &src);
            }
        }
    }
}

/// A character that is written differently at every offset of a text of a few blocks: whole, and
/// cut in the last character.
#[test]
fn a_difference_at_every_offset_of_a_short_text() {
    let pairs = ["Cesu8", "Mutf8"].map(|name| [named(name, "Utf8"), named("Utf8", name)]);
    let texts = ["a", "é", "中"].into_iter().flat_map(|c| ["😀", "\0", "😀中\0😀"].map(|d| (c, d)));
    let texts = texts.flat_map(|(c, d)| [0, 1, 5, 31, 32, 62, 66, 97].map(|after| (c, d, after)));
    for (c, different, after) in costly("differences in short texts", texts) {
        for offset in 0..=200 {
            let text = [c.repeat(offset / c.len()), different.into(), c.repeat(after / c.len())];
            let text = text.concat();
            for pair in pairs.as_flattened() {
                let src = oracle::encode_all(pair.from.scheme, text.chars());
                for cut in [0, 1, 2, 4] {
                    let src = &src[..src.len().saturating_sub(cut)];
                    check_validate(pair.from, src);
                    check_into(pair, src);
                }
            }
        }
    }
}

/// Each sequence between emoji, once and twice.
#[test]
fn sequences_between_emoji() {
    for (from, to) in [("Utf8", "Cesu8"), ("Utf8", "Mutf8"), ("Cesu8", "Utf8"), ("Mutf8", "Utf8")] {
        let pair = named(from, to);
        let emoji: &[u8] =
            if from == "Utf8" { b"\xF0\x9F\x98\x80" } else { b"\xED\xA0\xBD\xED\xB8\x80" };
        let others = ["\0", "a", "\u{A0}", "\u{200D}", "\u{FE0F} "].map(|c| c.as_bytes().to_vec());
        let sequences = [&others[..], &sequences(pair.from.scheme)].concat();
        for sequence in shared("sequences between emoji", sequences.iter()) {
            for run in 0..=9 {
                for twice in [1, 2] {
                    let front = [emoji.repeat(23 + run), sequence.repeat(twice)].concat();
                    for after in [&[][..], &emoji.repeat(9), &[emoji, &b"a".repeat(70)].concat()] {
                        let src = [&front, after].concat();
                        check_into(pair, &src);
                        if from != "Utf8" {
                            check_validate(pair.from, &src);
                        }
                    }
                }
            }
        }
    }
}

/// Emoji after ASCII, up to the end of a block or nearly, with an ill-formed sequence there: only
/// the last bytes of the block show it, or the first of the next one.
#[test]
fn errors_after_emoji_at_the_end_of_a_block() {
    let wrong: [&[u8]; 9] = [
        b"\x80",
        b"\xC3",
        b"\xED",
        b"\xC0",
        b"\xC0\x80",
        b"\xED\xA0\x80",
        b"\xED\xB0\x80",
        b"\xE2\x82",
        b"\xF0\x9F",
    ];
    for (from, to) in [("Utf8", "Cesu8"), ("Utf8", "Mutf8"), ("Cesu8", "Utf8"), ("Mutf8", "Utf8")] {
        let pair = named(from, to);
        let one = oracle::encode_all(pair.from.scheme, ['😀']);
        for end in [32, 64, 96, 128, 192] {
            for front in 0..=one.len() + 1 {
                let front = [b"a".repeat(front), one.repeat((end - front) / one.len())].concat();
                for wrong in wrong {
                    for after in [b"a".repeat(90), one.repeat(20)] {
                        let src = [&front, wrong, &after].concat();
                        check_into(pair, &src);
                        check_validate(pair.from, &src);
                    }
                }
            }
        }
    }
}

/// A run of emoji longer than a segment, which the end of the segment splits at every position:
/// unchanged, and with a low surrogate missing near the cut.
#[test]
fn pairs_split_across_segments() {
    for from in ["Cesu8", "Mutf8"] {
        let pairs = ["Utf8", "Utf16", "Utf16Be", "Utf32"].map(|to| named(from, to));
        for front in 0..6 {
            for missing in [None, Some(100), Some(159), Some(160), Some(161)] {
                let emoji = b"\xED\xA0\xBD\xED\xB8\x80".repeat(400);
                let mut src = [b"a".repeat(front), emoji].concat();
                if let Some(whole) = missing {
                    let at = front + 6 * whole + 3;
                    src.drain(at..at + 3);
                }
                check_validate(pairs[0].from, &src);
                for pair in pairs {
                    check_into(pair, &src);
                }
            }
        }
    }
}

/// Ill-formed input after a text that is the same in UTF-8, and after some that isn't.
#[test]
fn errors_after_differences() {
    let wrong = [&b""[..], b"\x80", b"\xC3", b"\xED\xA0\x80", b"\xED\xB0\x80", b"\xF0"];
    let pairs = ["Cesu8", "Mutf8"].map(|from| named(from, "Utf8"));
    for (same, len) in ["a", "é"].into_iter().flat_map(|c| [0, 100, 200, 700, 5000].map(|n| (c, n)))
    {
        for emoji in [0, 1, 30, 70, 400] {
            let emoji = b"\xED\xA0\xBD\xED\xB8\x80".repeat(emoji);
            let front = [same.repeat(len / same.len()).as_bytes(), &emoji].concat();
            for wrong in wrong {
                for after in shared("lengths", [0, 5, 200, 1100].into_iter()) {
                    let src = [&front, wrong, &b"a".repeat(after)].concat();
                    for pair in pairs {
                        check_validate(pair.from, &src);
                        check_into(pair, &src);
                    }
                }
            }
        }
    }
}
