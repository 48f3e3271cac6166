//! CESU-8 and Modified UTF-8, compared with the crates that implement them: `cesu8`, `simd_cesu8`
//! and `residua-mutf8`.
//!
//! All of them write the same bytes. Of the decoders, only the strict functions of `simd_cesu8`
//! accept exactly the texts that utflane accepts. The other decoders first check whether the whole
//! text is UTF-8. If it is, they return the text unchanged, with four-byte characters and with NUL
//! as the byte 0x00. `residua-mutf8` also replaces every 0xC0 0x80 by 0x00 before this check. These
//! are the only differences, and the tests assert them. In code, `residua-mutf8` is `mutf8`.

use std::borrow::Cow;

use crate::common::api::{Api, HasOwnedText, call, codecs};
use crate::common::carriers::{self, sequences};
use crate::common::checks::{check_into, check_validate};
use crate::common::pairs::pair_named;
use crate::common::{oracle, sampled, sampled_if_slow, text};
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
    // Ill-formed in both encodings: a four-byte character, an overlong sequence, an unpaired high
    // surrogate, an unpaired low surrogate.
    for src in [&b"a\xF0\x9F\x98\x80"[..], b"a\xC1\x80", b"a\xED\xA0\xBDb", b"a\xED\xB8\x80"] {
        for error in [utflane::validate::<Cesu8>(src), utflane::validate::<Mutf8>(src)] {
            assert_eq!(error.map_err(|error| error.valid_up_to()), Err(1), "{src:02X?}");
        }
    }
    // The byte 0x00 is ill-formed only in Modified UTF-8, and 0xC0 0x80 only in CESU-8.
    assert!(utflane::is_valid::<Cesu8>(b"\0") && !utflane::is_valid::<Mutf8>(b"\0"));
    assert!(!utflane::is_valid::<Cesu8>(b"\xC0\x80") && utflane::is_valid::<Mutf8>(b"\xC0\x80"));
}

/// The function of another crate that converts from UTF-8.
type EncodeFn = fn(&str) -> Cow<'_, [u8]>;
/// The function of another crate that converts to UTF-8.
type DecodeFn = fn(&[u8]) -> Option<Cow<'_, str>>;

/// CESU-8 or Modified UTF-8, with the functions of the crates that implement the encoding.
trait ComparedEncoding: HasOwnedText + Encoding<Unit = u8> {
    /// The name of the encoding in `codecs()`.
    const NAME: &str;
    const ENCODERS: &[(&str, EncodeFn)];
    /// The decoder that accepts only well-formed text.
    const STRICT: DecodeFn;
    /// The decoders that also accept text that is UTF-8 as a whole.
    const LENIENT: &[(&str, DecodeFn)];
}

impl ComparedEncoding for Cesu8 {
    const NAME: &str = "Cesu8";
    const ENCODERS: &[(&str, EncodeFn)] =
        &[("cesu8", cesu8::to_cesu8), ("simd_cesu8", simd_cesu8::encode)];
    const STRICT: DecodeFn = |src| simd_cesu8::decode_strict(src).ok();
    const LENIENT: &[(&str, DecodeFn)] = &[
        ("cesu8", |src| cesu8::from_cesu8(src).ok()),
        ("simd_cesu8", |src| simd_cesu8::decode(src).ok()),
    ];
}

impl ComparedEncoding for Mutf8 {
    const NAME: &str = "Mutf8";
    const ENCODERS: &[(&str, EncodeFn)] = &[
        ("cesu8", cesu8::to_java_cesu8),
        ("simd_cesu8", simd_cesu8::mutf8::encode),
        ("residua-mutf8", mutf8::encode),
    ];
    const STRICT: DecodeFn = |src| simd_cesu8::mutf8::decode_strict(src).ok();
    const LENIENT: &[(&str, DecodeFn)] = &[
        ("cesu8", |src| cesu8::from_java_cesu8(src).ok()),
        ("simd_cesu8", |src| simd_cesu8::mutf8::decode(src).ok()),
    ];
}

/// Asserts that `src` converts to `want`, in an output of exactly that size and in a larger one.
fn check_conversion<A: Encoding, B: Encoding>(api: Api, src: &[A::Unit], want: &[B::Unit]) {
    let complete = Progress { read: src.len(), written: want.len(), stop: Stop::Done };
    let mut output = vec![B::Unit::default(); want.len() + 80];
    for capacity in [want.len(), output.len()] {
        output.fill(B::Unit::default());
        let progress = call!(api, transcode_into::<A, B>(src, &mut output[..capacity]));
        let pair = (A::SCHEME, B::SCHEME);
        assert!(
            progress == complete && output[..want.len()] == *want,
            "{pair:?}, {api:?}, into {capacity} units of {src:02X?}: {progress:?}, {output:02X?}",
        );
    }
}

/// Asserts that utflane and the other crates encode `text` as the same bytes, and decode these
/// bytes to `text`.
fn check_text<E: ComparedEncoding>(text: &str) {
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
        check_conversion::<Utf8, E>(api, text.as_bytes(), &want);
        check_conversion::<E, Utf8>(api, &want, text.as_bytes());
        check_conversion::<Utf16, E>(api, &units, &want);
        check_conversion::<E, Utf16>(api, &want, &units);
        assert_eq!(call!(api, validate::<E>(&want)), Ok(()), "{api:?} of {want:02X?}");
    }
}

/// Checks every scalar value by itself, and in texts of 24 scalar values that other characters
/// separate.
fn check_scalar_values<E: ComparedEncoding>() {
    let all_chars: Vec<char> = ('\0'..=char::MAX).collect();
    for &c in sampled("scalar values", all_chars.iter()) {
        check_text::<E>(c.encode_utf8(&mut [0; 4]));
    }
    let mut text = String::new();
    for (i, chunk) in sampled("texts of scalar values", all_chars.chunks(24).enumerate()) {
        for separator in ['a', 'é', '€', '😀'] {
            text.clear();
            text.extend(std::iter::repeat_n(separator, i % 37));
            for (j, &c) in chunk.iter().enumerate() {
                text.push(c);
                text.extend(std::iter::repeat_n(separator, (i + j) % 5));
            }
            check_text::<E>(&text);
        }
    }
}

#[test]
fn every_scalar_value_in_cesu8() {
    check_scalar_values::<Cesu8>();
}

#[test]
fn every_scalar_value_in_mutf8() {
    check_scalar_values::<Mutf8>();
}

/// Returns the text that `residua-mutf8` is expected to decode `src` to, or `None` for an error.
fn decode_like_residua(src: &[u8]) -> Option<String> {
    if let Ok(text) = std::str::from_utf8(src) {
        return Some(text.to_owned());
    }
    let (mut replaced, mut rest) = (Vec::new(), src);
    while let [byte, after @ ..] = rest {
        rest = match (byte, after) {
            (0xC0, [0x80, after @ ..]) => {
                replaced.push(0);
                after
            }
            (0xC0, _) => return None,
            _ => {
                replaced.push(*byte);
                after
            }
        };
    }
    simd_cesu8::decode(&replaced).ok().map(Cow::into_owned)
}

/// Asserts that utflane and the other crates accept or reject the same bytes, except for the
/// differences named in the module documentation.
fn check_bytes<E: ComparedEncoding>(src: &[u8]) {
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
        let (got, lenient) = (mutf8::decode(src).ok(), decode_like_residua(src));
        assert_eq!(got.as_deref(), lenient.as_deref(), "residua-mutf8 of {src:02X?}");
        // Only with zero bytes or four-byte characters does it accept bytes that utflane rejects.
        let may_differ = src.contains(&0) || src.iter().any(|&byte| byte >= 0xF0);
        assert!(may_differ || lenient == want, "residua-mutf8 of {src:02X?}");
    }
    let codec = codecs().iter().find(|codec| codec.name == E::NAME).expect("a codec");
    check_validate(codec, src);
    check_into(pair_named(E::NAME, "Utf8"), src);
    check_into(pair_named(E::NAME, "Utf16"), src);
}

/// Bytes on both sides of every range boundary that a decoder tests. The bytes of surrogates and of
/// 0xC0 0x80 are repeated, so that they are drawn more often.
const BOUNDARY_BYTES: &[u8] = &[
    0x00, 0x41, 0x7F, 0x80, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xA0, 0xAF, 0xB0, 0xB0, 0xBF, 0xC0, 0xC0,
    0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xED, 0xED, 0xED, 0xEE, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
];

/// Characters on both sides of every range boundary that an encoder tests.
const BOUNDARY_CHARS: [char; 14] = [
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

/// Returns at least `min_chars` characters of [`BOUNDARY_CHARS`], some in runs of equal characters.
fn random_runs(rng: &mut StdRng, min_chars: usize) -> Vec<char> {
    let mut out = Vec::new();
    while out.len() < min_chars {
        let c = BOUNDARY_CHARS[rng.random_range(0..BOUNDARY_CHARS.len())];
        out.extend(std::iter::repeat_n(c, [1, 1, 2, 30][rng.random_range(0..4)]));
    }
    out
}

/// Checks random bytes, and well-formed texts with up to three random edits.
fn check_random_bytes<E: ComparedEncoding>() {
    let mut rng = StdRng::seed_from_u64(0xCE5);
    for max_len in sampled("random bytes", [3, 6, 9, 12, 40].into_iter().cycle().take(300_000)) {
        let len = rng.random_range(0..=max_len);
        let src: Vec<u8> =
            (0..len).map(|_| BOUNDARY_BYTES[rng.random_range(0..BOUNDARY_BYTES.len())]).collect();
        check_bytes::<E>(&src);
    }
    for max_len in sampled("mutated texts", [4, 20, 60, 200].into_iter().cycle().take(120_000)) {
        let len = rng.random_range(1..=max_len);
        let mut src = oracle::encode_all(E::SCHEME, random_runs(&mut rng, len));
        for _ in 0..rng.random_range(0..=3) {
            let offset = rng.random_range(0..=src.len());
            match rng.random_range(0..5) {
                0 => src.insert(offset, BOUNDARY_BYTES[rng.random_range(0..BOUNDARY_BYTES.len())]),
                1 if offset < src.len() => drop(src.remove(offset)),
                2 => src.truncate(offset),
                3 => src.splice(offset..offset, "😀".bytes()).for_each(drop),
                _ if offset < src.len() => {
                    src[offset] = BOUNDARY_BYTES[rng.random_range(0..BOUNDARY_BYTES.len())];
                }
                _ => {}
            }
        }
        check_bytes::<E>(&src);
    }
}

#[test]
fn random_bytes_as_cesu8() {
    check_random_bytes::<Cesu8>();
}

#[test]
fn random_bytes_as_mutf8() {
    check_random_bytes::<Mutf8>();
}

/// Returns generated texts of about `len` bytes in all scripts: without NUL, with a few NULs, and
/// with many NULs.
fn generated_texts(len: usize) -> Vec<String> {
    let mut rng = StdRng::seed_from_u64(0x0C80);
    let mut texts = Vec::new();
    for (_, text) in text::collection(len) {
        for one_in in sampled_if_slow("shares of NUL", [usize::MAX, 400, 9].into_iter()) {
            let nul = |c| if rng.random_range(0..one_in) == 0 { '\0' } else { c };
            texts.push(text.chars().map(nul).collect());
        }
    }
    texts
}

/// Returns the characters of `text` from about offset `start` to about `start + len`.
fn excerpt(text: &str, start: usize, len: usize) -> &str {
    let boundary = |offset| {
        (offset..text.len()).find(|&offset| text.is_char_boundary(offset)).unwrap_or(text.len())
    };
    &text[boundary(start)..boundary(start + len)]
}

/// Generated texts of all lengths up to 320.
#[test]
fn generated_texts_of_all_lengths() {
    for text in sampled("texts", generated_texts(4000).iter()) {
        for len in sampled_if_slow("lengths", 0..=320) {
            let segment = excerpt(text, 7 * len, len);
            check_text::<Cesu8>(segment);
            check_text::<Mutf8>(segment);
        }
    }
}

/// The lengths in bytes at which a conversion changes its path: a block, a block and one or two
/// pairs of blocks, one segment, and two segments.
const PATH_BOUNDARIES: [usize; 5] = [64, 192, 320, 960, 1920];

/// Excerpts of longer generated texts: of lengths next to each of these, and up to the end.
#[test]
fn generated_texts_longer_than_segments() {
    for text in sampled("texts", generated_texts(21_000).iter()) {
        let lens = PATH_BOUNDARIES
            .iter()
            .flat_map(|&len| len - 3..=len + 3)
            .chain([usize::from(u16::MAX)]);
        for (i, len) in lens.enumerate() {
            let segment = excerpt(text, 3 * i, len);
            check_text::<Cesu8>(segment);
            check_text::<Mutf8>(segment);
        }
    }
}

/// Sequences that are ill-formed in CESU-8, in Modified UTF-8 or in both, next to each of these
/// lengths. All results equal the oracle's.
#[test]
fn errors_next_to_segment_boundaries() {
    // Unpaired surrogates, surrogates in the wrong order, an extra high surrogate before a pair, an
    // incomplete pair, a four-byte character, NUL in both forms, an incomplete character.
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
        ["Utf8", "Utf16", "Utf16Be", "Utf32", "Cesu8", "Mutf8"].map(|to| pair_named(from, to))
    });
    let carriers = ["a", "é", "€", "😀", "a€😀"].map(|unit| unit.repeat(4000 / unit.len()));
    let offsets = PATH_BOUNDARIES.into_iter().flat_map(|boundary| boundary - 7..=boundary + 3);
    let inputs = offsets.flat_map(|offset| wrong.map(|wrong| (offset, wrong)));
    for (i, (offset, wrong)) in sampled("errors next to boundaries", inputs.enumerate()) {
        for pair in pairs.as_flattened() {
            // Each kind of error is tested at each offset, but in only one of the carriers.
            let text = &carriers[i % carriers.len()];
            let mut src = oracle::encode_all(pair.from.scheme, excerpt(text, 0, offset).chars());
            let second_half: String = text.chars().skip(text.chars().count() / 2).collect();
            let after = excerpt(&second_half, 0, [0, 9, 2000][i / carriers.len() % 3]);
            src.truncate(offset);
            src.extend_from_slice(wrong);
            src.extend(oracle::encode_all(pair.from.scheme, after.chars()));
            check_into(pair, &src);
        }
    }
}

/// The byte 0x00 is ill-formed in Modified UTF-8 at every offset, in texts of characters of each
/// length.
#[test]
fn a_zero_byte_at_every_offset() {
    for width in 1..=3 {
        // About 660 bytes: characters of `width` bytes, without another sequence among them.
        let text = carriers::embedded_in(660, Mutf8::SCHEME, width, char::MAX, 660, b"");
        for offset in sampled_if_slow("offsets", 0..text.len()) {
            let mut src = text.clone();
            src[offset] = 0;
            for to in ["Utf8", "Utf16Le", "Utf16Be"] {
                check_into(pair_named("Mutf8", to), &src);
            }
        }
    }
}

/// A character whose bytes differ from UTF-8, at every offset of a text of a few blocks. The text
/// is complete, or cut by up to four bytes.
#[test]
fn a_character_unlike_utf8_at_every_offset_of_a_short_text() {
    let pairs = ["Cesu8", "Mutf8"].map(|name| [pair_named(name, "Utf8"), pair_named("Utf8", name)]);
    let texts = ["a", "é", "中"].into_iter().flat_map(|c| ["😀", "\0", "😀中\0😀"].map(|d| (c, d)));
    let texts = texts.flat_map(|(c, d)| [0, 1, 5, 31, 32, 62, 66, 97].map(|after| (c, d, after)));
    for (c, different, after) in texts {
        for offset in sampled_if_slow("offsets of differences", 0..=200) {
            let text = [c.repeat(offset / c.len()), different.into(), c.repeat(after / c.len())];
            let text = text.concat();
            let cuts = pairs.as_flattened().iter().flat_map(|pair| [0, 1, 2, 4].map(|n| (pair, n)));
            for (pair, cut_len) in sampled_if_slow("pairs and cuts", cuts) {
                let src = oracle::encode_all(pair.from.scheme, text.chars());
                let src = &src[..src.len().saturating_sub(cut_len)];
                check_validate(pair.from, src);
                check_into(pair, src);
            }
        }
    }
}

/// Sequences between emoji, well-formed and ill-formed. Each is there once, or twice in a row.
#[test]
fn sequences_between_emoji() {
    for (from, to) in [("Utf8", "Cesu8"), ("Utf8", "Mutf8"), ("Cesu8", "Utf8"), ("Mutf8", "Utf8")] {
        let pair = pair_named(from, to);
        let emoji: &[u8] =
            if from == "Utf8" { b"\xF0\x9F\x98\x80" } else { b"\xED\xA0\xBD\xED\xB8\x80" };
        let others = ["\0", "a", "\u{A0}", "\u{200D}", "\u{FE0F} "].map(|c| c.as_bytes().to_vec());
        let sequences = [&others[..], sequences(pair.from.scheme)].concat();
        for sequence in sampled("sequences between emoji", sequences.iter()) {
            for extra_emoji in 0..=9 {
                for repeats in [1, 2] {
                    let front = [emoji.repeat(23 + extra_emoji), sequence.repeat(repeats)].concat();
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

/// ASCII, then emoji that end at the end of a block or just before it, then an ill-formed sequence.
/// Only the last bytes of the block or the first bytes of the next block show that the text is
/// ill-formed.
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
        let pair = pair_named(from, to);
        let emoji = oracle::encode_all(pair.from.scheme, ['😀']);
        for end in [32, 64, 96, 128, 192] {
            for ascii_len in 0..=emoji.len() + 1 {
                let front = [b"a".repeat(ascii_len), emoji.repeat((end - ascii_len) / emoji.len())]
                    .concat();
                for wrong in sampled_if_slow("errors after emoji", wrong.into_iter()) {
                    for after in [b"a".repeat(90), emoji.repeat(20)] {
                        let src = [&front, wrong, &after].concat();
                        check_into(pair, &src);
                        check_validate(pair.from, &src);
                    }
                }
            }
        }
    }
}

/// A run of emoji that is longer than a segment. The end of the segment splits an emoji at every
/// byte. The run is complete, or lacks a low surrogate near the end of the segment.
#[test]
fn pairs_split_across_segments() {
    for from in ["Cesu8", "Mutf8"] {
        let pairs = ["Utf8", "Utf16", "Utf16Be", "Utf32"].map(|to| pair_named(from, to));
        for ascii_len in 0..6 {
            let all_missing = [None, Some(100), Some(159), Some(160), Some(161)];
            for missing in sampled_if_slow("missing surrogates", all_missing.into_iter()) {
                let emoji = b"\xED\xA0\xBD\xED\xB8\x80".repeat(400);
                let mut src = [b"a".repeat(ascii_len), emoji].concat();
                if let Some(emoji_before) = missing {
                    let offset = ascii_len + 6 * emoji_before + 3;
                    src.drain(offset..offset + 3);
                }
                check_validate(pairs[0].from, &src);
                for pair in pairs {
                    check_into(pair, &src);
                }
            }
        }
    }
}

/// Ill-formed input after text that has the same bytes in UTF-8, and after emoji, whose bytes
/// differ from UTF-8.
#[test]
fn errors_after_bytes_unlike_utf8() {
    let wrong = [&b""[..], b"\x80", b"\xC3", b"\xED\xA0\x80", b"\xED\xB0\x80", b"\xF0"];
    let pairs = ["Cesu8", "Mutf8"].map(|from| pair_named(from, "Utf8"));
    for (filler, len) in
        ["a", "é"].into_iter().flat_map(|c| [0, 100, 200, 700, 5000].map(|n| (c, n)))
    {
        for emoji_count in [0, 1, 30, 70, 400] {
            let emoji = b"\xED\xA0\xBD\xED\xB8\x80".repeat(emoji_count);
            let front = [filler.repeat(len / filler.len()).as_bytes(), &emoji].concat();
            for wrong in wrong {
                for back_len in sampled("lengths", [0, 5, 200, 1100].into_iter()) {
                    let src = [&front, wrong, &b"a".repeat(back_len)].concat();
                    for pair in pairs {
                        check_validate(pair.from, &src);
                        check_into(pair, &src);
                    }
                }
            }
        }
    }
}
