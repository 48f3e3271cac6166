//! The last part of `unicode` chooses the scheme in which a text takes the fewest bits. Its
//! confidence depends on how many bits more the next scheme takes. The tests compare it with a
//! simple model, which has the estimates as ranges of characters, adds up all of them, and compares
//! the sums at the end.

use std::ops::RangeInclusive;

use crate::common::oracle::{decode, encode_all};
use crate::common::{sampled, sampling_interval};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;
use utflane::bom;
use utflane_charset::unicode::{Confidence, Detection, Reason, detect};

#[test]
fn literal_cases() {
    use Scheme::{Ascii, Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    let cases: [(&[u8], Scheme); 10] = [
        (b"plain text", Ascii),
        ("größer".as_bytes(), Utf8),
        (b"gr\xF6\xDFer", Latin1),
        (b"g\0r\0\xF6\0\xDF\0e\0r\0", Utf16Le),
        (b"\0g\0r\0\xF6\0\xDF\0e\0r", Utf16Be),
        (b"g\0\0\0r\0\0\0\xF6\0\0\0", Utf32Le),
        (b"\0\0\0g\0\0\0r\0\0\0\xF6", Utf32Be),
        (b"\xFF\xFEg\0", Utf16Le),
        (b"\xFE\xFF\0g", Utf16Be),
        (b"\xEF\xBB\xBFg", Utf8),
    ];
    for (src, scheme) in cases {
        assert_eq!(detect(src).scheme(), Some(scheme), "{src:02X?}");
    }
}

const DETECTED: [Scheme; 5] =
    [Scheme::Utf8, Scheme::Utf16Le, Scheme::Utf16Be, Scheme::Utf32Le, Scheme::Utf32Be];

/// The schemes of the third check. Of schemes with equal bits, the check chooses the first in this
/// list.
const WIDE: [Scheme; 4] = [Scheme::Utf32Le, Scheme::Utf32Be, Scheme::Utf16Le, Scheme::Utf16Be];

/// Here, a script is a set of characters. A change of characters inside a script costs no bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Characters that are used with all scripts.
    Any,
    Latin,
    Han,
    Hangul,
    /// A script of 256 code points, 0xNN00..=0xNNFF.
    Page,
}

use Script::{Any, Han, Hangul, Latin, Page};

/// Ranges of code points or UTF-16 units, the bits that each takes, and its script. The last row
/// that contains a value applies.
const CODE_POINT_BITS: &[(RangeInclusive<u32>, i64, Script)] = &[
    // Control characters, and the characters among them that texts use.
    (0..=0x9F, 28, Any),
    (0..=0, 40, Any),
    (0x20..=0x7E, 7, Any),
    (0x09..=0x0A, 7, Any),
    (0x0C..=0x0C, 16, Any),
    (0x0D..=0x0D, 7, Any),
    (0x1B..=0x1B, 16, Any),
    (0x41..=0x5A, 7, Latin),
    (0x61..=0x7A, 7, Latin),
    (0xA0..=0xFF, 10, Latin),
    (0x100..=0x2FF, 11, Latin),
    (0x300..=0x6FF, 9, Page),
    (0x700..=0x1FFF, 11, Page),
    (0x1E00..=0x1EFF, 11, Latin),
    // Punctuation and symbols.
    (0x2000..=0x20FF, 11, Any),
    (0x2100..=0x2DFF, 14, Any),
    (0x2E00..=0x33FF, 15, Han),
    (0x3000..=0x30FF, 10, Han),
    (0x3400..=0x4DFF, 20, Han),
    (0x4E00..=0x9FFF, 13, Han),
    (0xA000..=0xABFF, 18, Page),
    (0xAC00..=0xD7FF, 12, Hangul),
    // Surrogates, only in UTF-16.
    (0xD800..=0xDFFF, 8, Any),
    (0xE000..=0xF8FF, 22, Any),
    (0xF900..=0xFAFF, 18, Han),
    (0xFB00..=0xFDFF, 16, Any),
    (0xFE00..=0xFEFF, 15, Any),
    (0xFF00..=0xFFFD, 12, Any),
    (0xFFFE..=0xFFFF, 12, Any),
    (0x1_0000..=0x1_FFFF, 15, Any),
    (0x2_0000..=0x3_FFFF, 24, Any),
    (0x4_0000..=0xD_FFFF, NO_TEXT_BITS, Any),
    (0xE_0000..=0xE_FFFF, 20, Any),
    (0xF_0000..=0x10_FFFF, NO_TEXT_BITS, Any),
];

/// The bits of a code point that no text has: a noncharacter, an unassigned code point or one for
/// private use.
const NO_TEXT_BITS: i64 = 90;

/// Returns true for code points of the Basic Multilingual Plane that no text has. Surrogates are
/// not among them.
fn never_occurs_in_text(unit: u32) -> bool {
    let Some(c) = char::from_u32(unit).filter(|_| unit <= 0xFFFF) else { return false };
    // `escape_debug` escapes these code points, and also control characters, white space and
    // characters without width.
    let zero_width = [
        0x600..=0x605,
        0x61C..=0x61C,
        0x6DD..=0x6DD,
        0x70F..=0x70F,
        0x890..=0x891,
        0x8E2..=0x8E2,
        0x180E..=0x180E,
        0x200B..=0x200F,
        0x202A..=0x202E,
        0x2060..=0x2064,
        0x2066..=0x206F,
        0xFEFF..=0xFEFF,
        0xFFF9..=0xFFFB,
    ];
    let is_character = c.is_control()
        || c.is_whitespace()
        || c == '\u{AD}'
        || zero_width.iter().any(|range| range.contains(&unit));
    !is_character && format!("a{c}").escape_debug().to_string().starts_with("a\\u{")
}

/// The bits of a unit that the encoding cannot contain.
const IMPOSSIBLE_BITS: i64 = 200;

/// Returns the bits of a text in UTF-16 or UTF-32. They include bits for the scheme, which is rare
/// without a mark.
fn wide_bits(scheme: Scheme, src: &[u8]) -> i64 {
    let sample = &src[..src.len().min(1024)];
    let big = matches!(scheme, Scheme::Utf16Be | Scheme::Utf32Be);
    let units: Vec<u32> = sample
        .chunks_exact(scheme.unit_size())
        .map(|unit| {
            let byte = |sum, &byte: &u8| sum << 8 | u32::from(byte);
            if big { unit.iter().fold(0, byte) } else { unit.iter().rev().fold(0, byte) }
        })
        .collect();
    let is_utf16 = scheme.unit_size() == 2;
    let mut bits = if is_utf16 { 8 } else { 10 };
    let mut last_script = None;
    for (i, &unit) in units.iter().enumerate() {
        let is_surrogate = (0xD800..0xE000).contains(&unit);
        let is_high_surrogate =
            |index: usize| units.get(index).is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        if !is_utf16 && (is_surrogate || unit > 0x10_FFFF) {
            bits += IMPOSSIBLE_BITS;
            continue;
        }
        // A low surrogate that does not follow a high surrogate, or another unit that does.
        if is_utf16 && (i > 0 && is_high_surrogate(i - 1)) != (0xDC00..0xE000).contains(&unit) {
            bits += IMPOSSIBLE_BITS;
        }
        let row = CODE_POINT_BITS.iter().rfind(|row| row.0.contains(&unit));
        let &(_, cost, script) = row.expect("a row for every code point");
        bits += cost;
        if never_occurs_in_text(unit) {
            bits += NO_TEXT_BITS;
        }
        // The first code point of a page of 256 is very rare.
        if unit < 0x2000 && unit % 256 == 0 {
            bits += 12;
        }
        if script != Any {
            let script = (script, if script == Page { unit >> 8 } else { 0 });
            bits += if last_script.is_some_and(|last| last != script) { 4 } else { 0 };
            last_script = Some(script);
        }
    }
    if decode(scheme, src).fault.is_none() { bits } else { bits + IMPOSSIBLE_BITS }
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 && !b"\t\n\r\x0C\x1B".contains(&byte)
}

/// Returns the bits of a text in UTF-8 if `is_utf8`, otherwise in windows-1252.
fn byte_bits(is_utf8: bool, src: &[u8]) -> i64 {
    let sample = &src[..src.len().min(1024)];
    let nul_count = sample.iter().filter(|&&byte| byte == 0).count();
    let bits: i64 = sample
        .iter()
        .map(|&byte| match (byte, is_utf8) {
            (b'a'..=b'z' | b' ' | b'\n', _) => 5,
            (b'\r' | b'!'..=b'~', _) => 6,
            (b'\t', _) => 7,
            (0x0C | 0x1B, _) => 12,
            (..0x80, _) => 16,
            // The lead byte has the bits of the whole character.
            (0x80..0xC0, true) => 0,
            (0xC0..0xE0, true) => 10,
            (0xE0..0xF0, true) => 13,
            (0xF0.., true) => 16,
            (0x80 | 0x85 | 0x91..=0x97, false) => 11,
            (0x81..0xA0, false) => 14,
            (0xA0.., false) => 9,
        })
        .sum();
    // From the second on, NULs take fewer bits, as separators between parts of a text.
    bits - 8 * i64::try_from(nul_count.saturating_sub(1)).expect("at most 1024")
}

/// Returns the bits of a text in ASCII and a single-byte alphabet.
fn alphabet_bits(src: &[u8]) -> i64 {
    let is_letter = |byte: u8| byte >= 0x80 && byte != 0xA0;
    let mut bits = 0;
    for (i, &byte) in src.iter().enumerate() {
        let before = if i == 0 { b'-' } else { src[i - 1] };
        bits += match byte {
            0xA0 => 9,
            0x80.. => {
                let rare = i64::from(byte < 0xA0);
                let position_cost = match before {
                    _ if is_letter(before) => 5,
                    b'A'..=b'Z' | b'a'..=b'z' => 11,
                    0x00..=0x1F | 0x7F => 13,
                    _ => 9,
                };
                position_cost + rare
            }
            _ => {
                let is_script_change = is_letter(before) && byte.is_ascii_alphabetic();
                byte_bits(false, &[byte]) + if is_script_change { 5 } else { 0 }
            }
        };
    }
    bits
}

/// Returns the bits of a text in ASCII and two-byte characters.
fn pair_bits(mut src: &[u8]) -> i64 {
    let mut bits = 0;
    let mut before = b'-';
    while let Some(&byte) = src.first() {
        let position_cost = match before {
            0x80.. => 0,
            b'A'..=b'Z' | b'a'..=b'z' => 9,
            0x00..=0x1F | 0x7F => 7,
            _ => 3,
        };
        let second = src.get(1);
        let is_second =
            second.is_some_and(|second| (0x40..0xFF).contains(second) && *second != 0x7F);
        let is_kana = matches!(byte, 0x82 | 0x83);
        let no_break = byte >= 0xA0 && second == Some(&0xA0);
        let is_first = (0x81..0xFF).contains(&byte) && byte != 0xA0;
        let (len, cost) = match byte {
            ..0x80 => (1, byte_bits(false, &[byte])),
            _ if is_first && second.is_none() => (1, 11 + position_cost),
            _ if is_kana && is_second && second < Some(&0xFD) => (2, 8 + position_cost),
            _ if is_first && is_second && !no_break => (2, 11 + position_cost),
            _ => {
                bits += 30;
                src = &src[1..];
                continue;
            }
        };
        bits += cost;
        before = byte;
        src = &src[len..];
    }
    bits
}

/// Returns the confidence in damaged UTF-8, or `None` if the text is not detected as such. There
/// must be eight characters beyond ASCII for each error. From the ninth error on, there must have
/// been at least as many characters beyond ASCII as errors. Surrogates count as characters.
fn damaged_utf8(mut src: &[u8]) -> Option<Confidence> {
    let beyond_ascii = |src: &[u8]| {
        let text = std::str::from_utf8(src).expect("valid");
        text.chars().filter(|c| !c.is_ascii()).count()
    };
    let is_surrogate = |src: &[u8]| matches!(src, [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..]);
    let (mut characters, mut errors) = (0, 0);
    loop {
        let Err(error) = std::str::from_utf8(src) else {
            characters += beyond_ascii(src);
            break;
        };
        let (text, rest) = src.split_at(error.valid_up_to());
        characters += beyond_ascii(text);
        if is_surrogate(rest) {
            characters += 1;
            src = &rest[3..];
            continue;
        }
        let Some(len) = error.error_len() else { break };
        src = &rest[len..];
        errors += 1;
        if errors >= 9 && characters < errors {
            return None;
        }
    }
    let confidence = if characters == 1 { Confidence::Guess } else { Confidence::Likely };
    (characters > 0 && characters >= 8 * errors).then_some(confidence)
}

/// Returns the expected detection of a short text without a mark; `None` if the third check does
/// not run.
fn expected_detection(src: &[u8]) -> Option<(Option<Scheme>, Reason, Confidence)> {
    assert!((1..=512).contains(&src.len()), "detection examines the whole text");
    let is_utf8 = std::str::from_utf8(src).is_ok();
    let controls = src.iter().filter(|&&byte| is_control(byte)).count();
    if bom::detect(src).is_some() || is_utf8 && controls == 0 {
        return None;
    }
    if !is_utf8 && decode(Scheme::Cesu8, src).fault.is_none() {
        return Some((Some(Scheme::Cesu8), Reason::Cesu8, Confidence::Likely));
    }
    if let Some(confidence) = damaged_utf8(src).filter(|_| !is_utf8) {
        return Some((Some(Scheme::Utf8), Reason::DamagedUtf8, confidence));
    }
    let escapes = [b"\x1B$@", b"\x1B$A", b"\x1B$B", b"\x1B$(", b"\x1B$)"];
    if src.is_ascii() && escapes.iter().any(|escape| src.windows(3).any(|part| part == *escape)) {
        return Some((None, Reason::Legacy, Confidence::Likely));
    }
    let bits = byte_bits(is_utf8, src);
    let legacy = alphabet_bits(src).min(pair_bits(src));
    let legacy_gain = bits - legacy;
    // UTF-8 is much more common, so its bits are reduced.
    let bits = if is_utf8 { bits - bits / 8 } else { bits.min(legacy) };
    let noise_bits = i64::try_from(src.len()).expect("short") * 15 / 2;
    let mut candidates: Vec<_> = WIDE
        .into_iter()
        .filter(|scheme| src.len() >= scheme.unit_size())
        .map(|scheme| (wide_bits(scheme, src), scheme))
        .collect();
    // The sort is stable, so the first of equal candidates stays first.
    candidates.sort_by_key(|candidate| candidate.0);
    let best = candidates.first().copied().filter(|&(best, _)| best < noise_bits + 10);
    if let Some((best, scheme)) = best.filter(|&(best, _)| best < bits) {
        let well_formed = decode(scheme, src).fault.is_none();
        let second = candidates.get(1).map_or(i64::MAX, |candidate| candidate.0);
        let confidence = match second.min(bits).min(noise_bits) - best {
            100.. if well_formed => Confidence::Certain,
            12.. if well_formed => Confidence::Likely,
            _ => Confidence::Guess,
        };
        let reason = if scheme.unit_size() == 2 { Reason::Utf16 } else { Reason::Utf32 };
        if well_formed || !is_utf8 {
            return Some((Some(scheme), reason, confidence));
        }
    }
    // UTF-8 is well-formed by chance only if it has few characters beyond ASCII.
    let beyond_ascii = src.iter().filter(|&&byte| byte >= 0xC0).count();
    let one_in = if !is_utf8 { 16 } else { [16, 4, 2][beyond_ascii.min(2)] };
    if controls * one_in >= src.len() {
        let confidence = if src.len() >= 256 { Confidence::Likely } else { Confidence::Guess };
        return Some((None, Reason::Binary, confidence));
    }
    if is_utf8 {
        let (scheme, reason) = match src.is_ascii() {
            true => (Scheme::Ascii, Reason::Ascii),
            false => (Scheme::Utf8, Reason::Utf8),
        };
        return Some((Some(scheme), reason, Confidence::Likely));
    }
    let is_close = best.is_some_and(|(best, _)| best < bits + 12);
    let has_strange_bytes =
        controls > 0 || src.iter().any(|byte| b"\x81\x8D\x8F\x90\x9D".contains(byte));
    // One word with letters beyond ASCII is not enough for a likely answer.
    let latin1: String = src.iter().map(|&byte| char::from(byte)).collect();
    let words = latin1.split(|c: char| c.is_ascii() && !c.is_ascii_alphabetic());
    let is_one_word = words.filter(|word| !word.is_ascii()).count() < 2;
    let is_western = !has_strange_bytes && !is_one_word && legacy_gain < 12;
    let (scheme, reason, is_sure) = match src.iter().any(|byte| (0x80..0xA0).contains(byte)) {
        _ if legacy_gain >= 24 => (None, Reason::Legacy, legacy_gain >= 100),
        true => (None, Reason::Windows1252, is_western),
        false => (Some(Scheme::Latin1), Reason::Latin1, is_western),
    };
    let confidence = if is_sure && !is_close { Confidence::Likely } else { Confidence::Guess };
    Some((scheme, reason, confidence))
}

fn detection_fields(found: Detection) -> (Option<Scheme>, Reason, Confidence) {
    (found.scheme(), found.reason(), found.confidence())
}

/// Asserts that the detection equals the model's. The model does not know texts whose parts are in
/// different encodings. Detection may answer that a text is one, unless the model is certain of
/// UTF-16.
fn check(src: &[u8]) {
    let Some(expected) = expected_detection(src) else { return };
    let found = detect(src);
    if found.reason() == Reason::Mixed {
        let is_legacy = matches!(expected.1, Reason::Legacy | Reason::Latin1 | Reason::Windows1252);
        let has_impossible_text = expected.0.is_some_and(|scheme| {
            let decode_unit = |unit: &[u8]| {
                let byte = |sum, &byte: &u8| sum << 8 | u32::from(byte);
                match scheme {
                    Scheme::Utf16Be => unit.iter().fold(0, byte),
                    _ => unit.iter().rev().fold(0, byte),
                }
            };
            scheme.unit_size() == 2
                && src.chunks_exact(2).map(decode_unit).any(never_occurs_in_text)
        });
        let is_sure = expected.0.is_some() && expected.2 == Confidence::Certain;
        // The search for parts has coarser estimates for UTF-32 than the model.
        let is_utf32 = expected.1 == Reason::Utf32;
        let may_be_mixed = is_legacy || has_impossible_text || is_utf32 || !is_sure;
        assert!(may_be_mixed, "{expected:?}: {src:02X?}");
    } else if matches!(expected.1, Reason::Utf16 | Reason::Utf32) {
        // Numbers that look like text are less likely text than the model says.
        assert_eq!((found.scheme(), found.reason()), (expected.0, expected.1), "{src:02X?}");
        assert!(found.confidence() <= expected.2, "{found}: {src:02X?}");
    } else {
        assert_eq!(detection_fields(found), expected, "{src:02X?}");
    }
}

/// Returns characters at both ends of each range, and some whose units are other characters in the
/// other byte order.
fn characters() -> Vec<char> {
    let mut all = Vec::new();
    for (range, ..) in CODE_POINT_BITS {
        let (first, last) = (*range.start(), *range.end());
        // 0xE5 as the low byte is the high byte of very rare characters in the other byte order.
        all.extend([first, first + 1, first | 0xE5, last & !0xFF | 0xE5, last]);
    }
    all.into_iter().filter_map(char::from_u32).collect()
}

/// Each kind of character, repeated as often as a certain answer needs, and less often.
#[test]
fn repeated_characters() {
    for c in characters() {
        for scheme in WIDE {
            for len in sampled("lengths", 1..=512 / 4) {
                let src = encode_all(scheme, std::iter::repeat_n(c, len));
                check(&src[..src.len().min(512)]);
                // With an incomplete unit at the end, the answer is only a guess.
                check(&[&src[..src.len().min(511)], b"\xE5"].concat());
            }
        }
    }
}

/// A text with an impossible unit is still detected if it is long enough, but only as a guess.
#[test]
fn impossible_units() {
    for scheme in WIDE {
        for unit in [0xD8E5_u32, 0xDFE5, 0x11_E5E5] {
            let mut unit = unit.to_le_bytes()[..scheme.unit_size()].to_vec();
            if matches!(scheme, Scheme::Utf16Be | Scheme::Utf32Be) {
                unit.reverse();
            }
            // In units of 16 bits, a letter gains several bits, and a symbol gains one bit.
            for letter_count in (0..110).step_by(sampling_interval().min(5)) {
                for symbol_count in 0..6 {
                    let letters = std::iter::repeat_n('\u{4E5}', letter_count);
                    let symbols = std::iter::repeat_n('\u{2AE5}', symbol_count);
                    let src = encode_all(scheme, letters.chain(symbols));
                    let (front, rest) = src.split_at(letter_count / 2 * unit.len());
                    check(&[front, &unit, rest].concat());
                    check(&[&src, &unit[..]].concat());
                    check(&[&unit, &src[..]].concat());
                }
            }
        }
    }
}

/// Texts in UTF-16 that are also well-formed UTF-8, with UTF-8 characters of each length.
#[test]
fn utf16_that_is_also_utf8() {
    for segment in ["\u{C3}\u{8161}", "\u{E3}\u{8182}", "\u{F0}\u{9F98}\u{8061}"] {
        for (letters, segments) in (1..40).flat_map(|letters| (1..9).map(move |n| (letters, n))) {
            let text = "a".repeat(letters) + &segment.repeat(segments);
            let src = encode_all(Scheme::Utf16Be, text.chars());
            assert!(std::str::from_utf8(&src).is_ok_and(|text| !text.is_ascii()));
            check(&src);
        }
    }
}

/// A few different characters in random order. Then some of their bytes are replaced by random
/// bytes.
#[test]
fn mixtures_of_characters() {
    let mut rng = StdRng::seed_from_u64(17);
    let characters = characters();
    for _ in sampled("mixtures", 0..40_000) {
        let kind_count = rng.random_range(1..6);
        let kinds: Vec<char> =
            (0..kind_count).map(|_| characters[rng.random_range(0..characters.len())]).collect();
        let scheme = DETECTED[rng.random_range(0..DETECTED.len())];
        let len = rng.random_range(1..40);
        let text = (0..len).map(|_| kinds[rng.random_range(0..kinds.len())]);
        let mut src = encode_all(scheme, text);
        check(&src);
        for _ in 0..rng.random_range(0..3) {
            let offset = rng.random_range(0..src.len());
            src[offset] = rng.random();
            check(&src);
        }
        check(&src[..rng.random_range(1..=src.len())]);
    }
}

/// A few different bytes in random order.
#[test]
fn mixtures_of_bytes() {
    let mut rng = StdRng::seed_from_u64(18);
    for _ in sampled("mixtures", 0..40_000) {
        let kinds: Vec<u8> = (0..rng.random_range(1..7))
            .map(|_| match rng.random_range(0..5) {
                0 => rng.random(),
                1 => rng.random_range(0..0x20),
                2 => rng.random_range(0x80..=0xFF),
                3 => rng.random_range(0x20..0x80),
                _ => 0,
            })
            .collect();
        let len = rng.random_range(1..100);
        let src: Vec<u8> = (0..len).map(|_| kinds[rng.random_range(0..kinds.len())]).collect();
        check(&src);
    }
}
