//! The third check of detection: the interpretation of a text that takes the fewest bits, and by
//! how many. A plain model computes it: it has the estimates as ranges of characters, adds all of
//! them up and compares at the end.

use std::ops::RangeInclusive;

use crate::common::oracle::{decode, encode_all};
use crate::common::{share, shared};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::Scheme;
use utflane::bom;
use utflane::detect::{Confidence, Detection, Reason, detect};

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

/// The schemes of the third check, in the order in which the first of equal interpretations is
/// taken.
const WIDE: [Scheme; 4] = [Scheme::Utf32Le, Scheme::Utf32Be, Scheme::Utf16Le, Scheme::Utf16Be];

/// A script here is a set of characters between which a change costs nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Compatible with all others.
    Any,
    Latin,
    Han,
    Hangul,
    /// Those of 256 code points each.
    Page,
}

use Script::{Any, Han, Hangul, Latin, Page};

/// Bits of a code point, or of a unit of UTF-16, and its script. The last row that contains it
/// applies.
const POINTS: &[(RangeInclusive<u32>, i64, Script)] = &[
    // Controls, and the characters of this range that texts use.
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
    // Surrogates, of UTF-16 alone.
    (0xD800..=0xDFFF, 8, Any),
    (0xE000..=0xF8FF, 22, Any),
    (0xF900..=0xFAFF, 18, Han),
    (0xFB00..=0xFDFF, 16, Any),
    (0xFE00..=0xFEFF, 15, Any),
    (0xFF00..=0xFFFD, 12, Any),
    (0xFFFE..=0xFFFF, 12, Any),
    (0x1_0000..=0x1_FFFF, 15, Any),
    (0x2_0000..=0x3_FFFF, 24, Any),
    (0x4_0000..=0xD_FFFF, NO_TEXT, Any),
    (0xE_0000..=0xE_FFFF, 20, Any),
    (0xF_0000..=0x10_FFFF, NO_TEXT, Any),
];

/// Bits of a code point that no text has: a noncharacter, or one that is unassigned or private.
const NO_TEXT: i64 = 90;

/// True for code points of the first plane that no text has. A surrogate is none of them.
fn is_no_text(unit: u32) -> bool {
    let Some(c) = char::from_u32(unit).filter(|_| unit <= 0xFFFF) else { return false };
    // `escape_debug` escapes these, controls, blanks and what has no width.
    let has_no_width = [
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
        || has_no_width.iter().any(|range| range.contains(&unit));
    !is_character && format!("a{c}").escape_debug().to_string().starts_with("a\\u{")
}

/// Bits of a character that can't be in the encoding.
const IMPOSSIBLE: i64 = 200;

/// Bits of a text in a scheme, including those for a scheme that is rare without a mark.
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
    let narrow = scheme.unit_size() == 2;
    let mut bits = if narrow { 8 } else { 10 };
    let mut last = None;
    for (i, &unit) in units.iter().enumerate() {
        let surrogate = (0xD800..0xE000).contains(&unit);
        let high = |at: usize| units.get(at).is_some_and(|unit| (0xD800..0xDC00).contains(unit));
        if !narrow && (surrogate || unit > 0x10_FFFF) {
            bits += IMPOSSIBLE;
            continue;
        }
        // A low surrogate that doesn't follow a high surrogate, or the other way round.
        if narrow && (i > 0 && high(i - 1)) != (0xDC00..0xE000).contains(&unit) {
            bits += IMPOSSIBLE;
        }
        let row = POINTS.iter().rfind(|row| row.0.contains(&unit));
        let &(_, cost, script) = row.expect("every code point");
        bits += cost;
        if is_no_text(unit) {
            bits += NO_TEXT;
        }
        // The first of a page, which is very rare.
        if unit < 0x2000 && unit % 256 == 0 {
            bits += 12;
        }
        if script != Any {
            let script = (script, if script == Page { unit >> 8 } else { 0 });
            bits += if last.is_some_and(|last| last != script) { 4 } else { 0 };
            last = Some(script);
        }
    }
    if decode(scheme, src).fault.is_none() { bits } else { bits + IMPOSSIBLE }
}

fn is_control(byte: u8) -> bool {
    byte < 0x20 && !b"\t\n\r\x0C\x1B".contains(&byte)
}

/// Bits of a text in UTF-8, or else in windows-1252.
fn byte_bits(is_utf8: bool, src: &[u8]) -> i64 {
    let sample = &src[..src.len().min(1024)];
    let zeros = sample.iter().filter(|&&byte| byte == 0).count();
    let bits: i64 = sample
        .iter()
        .map(|&byte| match (byte, is_utf8) {
            (b'a'..=b'z' | b' ' | b'\n', _) => 5,
            (b'\r' | b'!'..=b'~', _) => 6,
            (b'\t', _) => 7,
            (0x0C | 0x1B, _) => 12,
            (..0x80, _) => 16,
            // The first byte counts for all.
            (0x80..0xC0, true) => 0,
            (0xC0..0xE0, true) => 10,
            (0xE0..0xF0, true) => 13,
            (0xF0.., true) => 16,
            (0x80 | 0x85 | 0x91..=0x97, false) => 11,
            (0x81..0xA0, false) => 14,
            (0xA0.., false) => 9,
        })
        .sum();
    // Separators between parts of a text, from the second on.
    bits - 8 * i64::try_from(zeros.saturating_sub(1)).expect("few")
}

/// Bits of a text in an alphabet of one byte a letter, beside ASCII.
fn alphabet_bits(src: &[u8]) -> i64 {
    let is_upper = |byte: u8| byte >= 0x80 && byte != 0xA0;
    let mut bits = 0;
    for (i, &byte) in src.iter().enumerate() {
        let before = if i == 0 { b'-' } else { src[i - 1] };
        bits += match byte {
            0xA0 => 9,
            0x80.. => {
                let rare = i64::from(byte < 0xA0);
                let position_cost = match before {
                    _ if is_upper(before) => 5,
                    b'A'..=b'Z' | b'a'..=b'z' => 11,
                    0x00..=0x1F | 0x7F => 13,
                    _ => 9,
                };
                position_cost + rare
            }
            _ => {
                let change = is_upper(before) && byte.is_ascii_alphabetic();
                byte_bits(false, &[byte]) + if change { 5 } else { 0 }
            }
        };
    }
    bits
}

/// Bits of a text with characters of two bytes, beside ASCII.
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
        let last = src.get(1);
        let is_last = last.is_some_and(|last| (0x40..0xFF).contains(last) && *last != 0x7F);
        let is_kana = matches!(byte, 0x82 | 0x83);
        let no_break = byte >= 0xA0 && last == Some(&0xA0);
        let is_first = (0x81..0xFF).contains(&byte) && byte != 0xA0;
        let (len, cost) = match byte {
            ..0x80 => (1, byte_bits(false, &[byte])),
            _ if is_first && last.is_none() => (1, 11 + position_cost),
            _ if is_kana && is_last && last < Some(&0xFD) => (2, 8 + position_cost),
            _ if is_first && is_last && !no_break => (2, 11 + position_cost),
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

/// Returns true if there are eight characters beyond ASCII for each error, and never nine errors
/// before there are as many of these; `Guess` if there is only one character. Surrogates are
/// characters.
fn damaged_utf8(mut src: &[u8]) -> Option<Confidence> {
    let beyond_ascii = |src: &[u8]| {
        let text = std::str::from_utf8(src).expect("valid");
        text.chars().filter(|c| !c.is_ascii()).count()
    };
    let is_surrogate = |src: &[u8]| matches!(src, [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..]);
    let (mut good, mut bad) = (0, 0);
    loop {
        let Err(error) = std::str::from_utf8(src) else {
            good += beyond_ascii(src);
            break;
        };
        let (text, rest) = src.split_at(error.valid_up_to());
        good += beyond_ascii(text);
        if is_surrogate(rest) {
            good += 1;
            src = &rest[3..];
            continue;
        }
        let Some(len) = error.error_len() else { break };
        src = &rest[len..];
        bad += 1;
        if bad >= 9 && good < bad {
            return None;
        }
    }
    let least = if good == 1 { Confidence::Guess } else { Confidence::Likely };
    (good > 0 && good >= 8 * bad).then_some(least)
}

/// The expected detection of a short text without a mark; `None` if the third check doesn't run.
fn expected(src: &[u8]) -> Option<(Option<Scheme>, Reason, Confidence)> {
    assert!((1..=512).contains(&src.len()), "all of it is looked at");
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
    let fewer = bits - legacy;
    // UTF-8 is much more common.
    let bits = if is_utf8 { bits - bits / 8 } else { bits.min(legacy) };
    let noise = i64::try_from(src.len()).expect("short") * 15 / 2;
    let mut readings: Vec<_> = WIDE
        .into_iter()
        .filter(|scheme| src.len() >= scheme.unit_size())
        .map(|scheme| (wide_bits(scheme, src), scheme))
        .collect();
    // The sort is stable, so the first of equal ones stays first.
    readings.sort_by_key(|reading| reading.0);
    let best = readings.first().copied().filter(|&(best, _)| best < noise + 10);
    if let Some((best, scheme)) = best.filter(|&(best, _)| best < bits) {
        let well_formed = decode(scheme, src).fault.is_none();
        let second = readings.get(1).map_or(i64::MAX, |reading| reading.0);
        let confidence = match second.min(bits).min(noise) - best {
            100.. if well_formed => Confidence::Certain,
            12.. if well_formed => Confidence::Likely,
            _ => Confidence::Guess,
        };
        let reason = if scheme.unit_size() == 2 { Reason::Utf16 } else { Reason::Utf32 };
        if well_formed || !is_utf8 {
            return Some((Some(scheme), reason, confidence));
        }
    }
    // Characters of UTF-8 are well-formed by chance only if they are few.
    let beyond_ascii = src.iter().filter(|&&byte| byte >= 0xC0).count();
    let share = if !is_utf8 { 16 } else { [16, 4, 2][beyond_ascii.min(2)] };
    if controls * share >= src.len() {
        let enough = if src.len() >= 256 { Confidence::Likely } else { Confidence::Guess };
        return Some((None, Reason::Binary, enough));
    }
    if is_utf8 {
        let (scheme, reason) = match src.is_ascii() {
            true => (Scheme::Ascii, Reason::Ascii),
            false => (Scheme::Utf8, Reason::Utf8),
        };
        return Some((Some(scheme), reason, Confidence::Likely));
    }
    let is_close = best.is_some_and(|(best, _)| best < bits + 12);
    let strange = controls > 0 || src.iter().any(|byte| b"\x81\x8D\x8F\x90\x9D".contains(byte));
    // One word with letters beyond ASCII is too little.
    let latin1: String = src.iter().map(|&byte| char::from(byte)).collect();
    let words = latin1.split(|c: char| c.is_ascii() && !c.is_ascii_alphabetic());
    let is_one_word = words.filter(|word| !word.is_ascii()).count() < 2;
    let is_western = !strange && !is_one_word && fewer < 12;
    let (scheme, reason, sure) = match src.iter().any(|byte| (0x80..0xA0).contains(byte)) {
        _ if fewer >= 24 => (None, Reason::Legacy, fewer >= 100),
        true => (None, Reason::Windows1252, is_western),
        false => (Some(Scheme::Latin1), Reason::Latin1, is_western),
    };
    let confidence = if sure && !is_close { Confidence::Likely } else { Confidence::Guess };
    Some((scheme, reason, confidence))
}

fn plain(found: Detection) -> (Option<Scheme>, Reason, Confidence) {
    (found.scheme(), found.reason(), found.confidence())
}

/// Asserts that the detection equals the model's. The model has no texts whose parts are in
/// different encodings: such an answer must not replace what the model is certain of in UTF-16.
fn check(src: &[u8]) {
    let Some(expected) = expected(src) else { return };
    let found = detect(src);
    if found.reason() == Reason::Mixed {
        let is_legacy = matches!(expected.1, Reason::Legacy | Reason::Latin1 | Reason::Windows1252);
        let has_no_text = expected.0.is_some_and(|scheme| {
            let unit = |unit: &[u8]| {
                let byte = |sum, &byte: &u8| sum << 8 | u32::from(byte);
                match scheme {
                    Scheme::Utf16Be => unit.iter().fold(0, byte),
                    _ => unit.iter().rev().fold(0, byte),
                }
            };
            scheme.unit_size() == 2 && src.chunks_exact(2).map(unit).any(is_no_text)
        });
        let is_sure = expected.0.is_some() && expected.2 == Confidence::Certain;
        // The search for parts has coarser estimates for UTF-32 than the model.
        let is_utf32 = expected.1 == Reason::Utf32;
        let may_be = is_legacy || has_no_text || is_utf32 || !is_sure;
        assert!(may_be, "{expected:?}: {src:02X?}");
    } else {
        assert_eq!(plain(found), expected, "{src:02X?}");
    }
}

/// Characters at both ends of each range, and some that are other characters in the other byte
/// order.
fn characters() -> Vec<char> {
    let mut all = Vec::new();
    for (range, ..) in POINTS {
        let (first, last) = (*range.start(), *range.end());
        // E5 as a lower byte is the upper byte of very rare characters.
        all.extend([first, first + 1, first | 0xE5, last & !0xFF | 0xE5, last]);
    }
    all.into_iter().filter_map(char::from_u32).collect()
}

/// Of each kind of character, enough for a certain answer, and fewer.
#[test]
fn how_many_characters_are_enough() {
    for c in characters() {
        for scheme in WIDE {
            for len in shared("lengths", 1..=512 / 4) {
                let src = encode_all(scheme, std::iter::repeat_n(c, len));
                check(&src[..src.len().min(512)]);
                // With an incomplete unit more, it is only a guess.
                check(&[&src[..src.len().min(511)], b"\xE5"].concat());
            }
        }
    }
}

/// A text with an impossible unit is still a text, if it is long enough; never more than a guess.
#[test]
fn impossible_units() {
    for scheme in WIDE {
        for unit in [0xD8E5_u32, 0xDFE5, 0x11_E5E5] {
            let mut unit = unit.to_le_bytes()[..scheme.unit_size()].to_vec();
            if matches!(scheme, Scheme::Utf16Be | Scheme::Utf32Be) {
                unit.reverse();
            }
            // A letter is worth several bits, and a symbol one, in units of 16.
            for len in (0..110).step_by(share().min(5)) {
                for symbols in 0..6 {
                    let letters = std::iter::repeat_n('\u{4E5}', len);
                    let symbols = std::iter::repeat_n('\u{2AE5}', symbols);
                    let src = encode_all(scheme, letters.chain(symbols));
                    let (front, rest) = src.split_at(len / 2 * unit.len());
                    check(&[front, &unit, rest].concat());
                    check(&[&src, &unit[..]].concat());
                    check(&[&unit, &src[..]].concat());
                }
            }
        }
    }
}

/// Texts in UTF-16 that are also well-formed UTF-8, with characters of each length.
#[test]
fn texts_that_are_utf8_too() {
    for segment in ["\u{C3}\u{8161}", "\u{E3}\u{8182}", "\u{F0}\u{9F98}\u{8061}"] {
        for (letters, segments) in (1..40).flat_map(|letters| (1..9).map(move |n| (letters, n))) {
            let text = "a".repeat(letters) + &segment.repeat(segments);
            let src = encode_all(Scheme::Utf16Be, text.chars());
            assert!(std::str::from_utf8(&src).is_ok_and(|text| !text.is_ascii()));
            check(&src);
        }
    }
}

/// Few different characters in any order, some of whose bytes may be damaged.
#[test]
fn mixtures_of_characters() {
    let mut rng = StdRng::seed_from_u64(17);
    let characters = characters();
    for _ in shared("mixtures", 0..40_000) {
        let kinds = rng.random_range(1..6);
        let kinds: Vec<char> =
            (0..kinds).map(|_| characters[rng.random_range(0..characters.len())]).collect();
        let scheme = DETECTED[rng.random_range(0..DETECTED.len())];
        let len = rng.random_range(1..40);
        let text = (0..len).map(|_| kinds[rng.random_range(0..kinds.len())]);
        let mut src = encode_all(scheme, text);
        check(&src);
        for _ in 0..rng.random_range(0..3) {
            let at = rng.random_range(0..src.len());
            src[at] = rng.random();
            check(&src);
        }
        check(&src[..rng.random_range(1..=src.len())]);
    }
}

/// Few different bytes in any order.
#[test]
fn mixtures_of_bytes() {
    let mut rng = StdRng::seed_from_u64(18);
    for _ in shared("mixtures", 0..40_000) {
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
