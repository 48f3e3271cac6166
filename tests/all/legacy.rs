//! Tests UTF-8 as defined in RFC 2279 against a simple encoder that follows the table of the RFC,
//! and against a search byte by byte.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::ErrorKind::{InvalidLeadByte, Overlong, Surrogate, TooShort};
use utflane::utf8::legacy::{self, Form};
use utflane::{Kernel, Utf8, Utf16, utf8, validate};

use crate::common::legacy::{
    SURROGATES, TABLE, check, encode, encode_in, error_parts, sequence_parts,
};
use crate::common::{sampled, sampled_if_slow, sampling_interval};

/// Returns the values at and near every boundary of the table, and near surrogates.
fn boundary_values() -> Vec<u32> {
    let mut edges: Vec<u32> = TABLE.iter().flat_map(|row| [*row.0.start(), *row.0.end()]).collect();
    edges.extend([0xD7FF, 0xE000, 0xFFFD, 0x10_FFFF, 0x11_0000, 0x3F_FFFF, 0x3FFF_FFFF]);
    let mut values: Vec<u32> = edges
        .iter()
        .flat_map(|&edge| edge.saturating_sub(300)..=edge.saturating_add(300).min(legacy::MAX))
        .filter(|value| !SURROGATES.contains(value))
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Returns a random value that can be encoded.
fn random_value(rng: &mut StdRng) -> u32 {
    loop {
        let value = rng.random_range(0..=legacy::MAX) >> rng.random_range(0..31);
        if !SURROGATES.contains(&value) {
            return value;
        }
    }
}

/// Asserts that an encoded value decodes to the same value, and that `legacy::sequences` finds the
/// encoded bytes if UTF-8 does not allow the value.
fn check_value(value: u32) {
    let bytes = encode(value);
    assert_eq!(legacy::first(&bytes), Ok(Some((value, bytes.len()))), "{value:#X}");
    match char::from_u32(value) {
        Some(character) => {
            assert_eq!(bytes, character.to_string().as_bytes(), "the encoder disagrees with std");
            assert_eq!(legacy::sequences(&bytes).next(), None, "{value:#X}");
        }
        None => {
            let form = [Form::FourBytes, Form::FiveBytes, Form::SixBytes][bytes.len() - 4];
            let found = legacy::sequences(&bytes).next().map(sequence_parts);
            assert_eq!(found, Some((0, bytes.len(), value, form)), "{value:#X}");
            assert!(form.is_legacy() && validate::<Utf8>(&bytes).is_err(), "{value:#X}");
        }
    }
}

#[test]
fn values_round_trip() {
    (0..=0xFFFF).filter(|value| !SURROGATES.contains(value)).for_each(check_value);
    boundary_values().into_iter().for_each(check_value);
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..2_000_000 / sampling_interval() {
        check_value(random_value(&mut rng));
    }
}

#[test]
fn texts_round_trip() {
    let mut values = boundary_values();
    let mut rng = StdRng::seed_from_u64(2);
    for len in sampled_if_slow("lengths", (0..300).chain([1000, 5000, 20_000])) {
        values.extend((0..len).map(|_| random_value(&mut rng)));
        let bytes: Vec<u8> = values.iter().flat_map(|&value| encode(value)).collect();
        assert_eq!(legacy::decode(&bytes).as_ref(), Ok(&values));
        let offsets_and_values: Result<Vec<_>, _> = legacy::values(&bytes).collect();
        let mut want_offset = 0;
        for (&value, (offset, got)) in values.iter().zip(offsets_and_values.expect("well-formed")) {
            assert_eq!((offset, got), (want_offset, value));
            want_offset += encode(value).len();
        }
        check(&bytes);
        values.clear();
    }
}

/// Up to U+10FFFF, the older definition equals the current UTF-8 of the standard library (RFC
/// 3629). In the texts, ASCII follows each character.
#[test]
fn current_utf8_has_the_same_values() {
    let all_chars: Vec<char> = (0..=0x10_FFFF).filter_map(char::from_u32).collect();
    for chars in sampled("texts of scalar values", all_chars.chunks(4096)) {
        let text: String = chars.iter().flat_map(|&c| [c, 'x']).collect();
        let values: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(legacy::decode(text.as_bytes()), Ok(values));
        let offsets_and_values: Result<Vec<_>, _> = legacy::values(text.as_bytes()).collect();
        let want = text.char_indices().map(|(offset, c)| (offset, u32::from(c)));
        assert!(offsets_and_values.expect("well-formed").into_iter().eq(want));
        assert_eq!(legacy::sequences(text.as_bytes()).next(), None);
    }
}

/// All texts of up to two bytes, and all texts of three bytes that begin with 0xC0 or more: the
/// results equal the oracle's.
#[test]
fn all_short_texts() {
    check(&[]);
    for first in 0..=255_u8 {
        check(&[first]);
        sampled_if_slow("second bytes", 0..=255).for_each(|second| check(&[first, second]));
    }
    let first_two_bytes =
        (0xC0..=255_u8).flat_map(|first| (0..=255_u8).map(move |second| [first, second]));
    for [first, second] in sampled("texts of three bytes", first_two_bytes) {
        (0..=255).for_each(|third| check(&[first, second, third]));
    }
}

/// Tests every first byte from 0xC0 on with every second byte, followed by continuation bytes:
/// truncated at every length, and with each of the later bytes replaced.
#[test]
fn wrong_bytes_at_every_index() {
    let mut src = Vec::new();
    let first_two_bytes =
        (0xC0..=255_u8).flat_map(|lead| (0..=255_u8).map(move |second| (lead, second)));
    for (lead, second) in sampled("first two bytes", first_two_bytes) {
        for tail in [0x80, 0xBF] {
            let sequence = [lead, second, tail, tail, tail, tail, tail];
            (1..=sequence.len()).for_each(|len| check(&sequence[..len]));
            for wrong in [0x00, 0x7F, 0xC0, 0xC3, 0xF8, 0xFF] {
                for index in 2..sequence.len() {
                    src.clear();
                    src.extend(sequence);
                    src[index] = wrong;
                    check(&src);
                }
            }
        }
    }
}

/// A sequence is incomplete if the text ends after any of its bytes but the last. A byte that does
/// not continue a sequence ends the maximal subpart.
#[test]
fn incomplete_and_overlong_sequences() {
    let values = boundary_values();
    for &value in values.iter().filter(|&&value| value > 0x7F) {
        let bytes = encode(value);
        for len in 1..bytes.len() {
            let text = [b"front ", &bytes[..len]].concat();
            let error = legacy::decode(&text).expect_err("incomplete");
            assert_eq!(error_parts(error), (TooShort, 6, None), "{value:#X} {len}");
            let error = legacy::decode(&[&text[..], b"!!!!!!"].concat()).expect_err("ill-formed");
            assert_eq!(error_parts(error), (TooShort, 6, Some(len)), "{value:#X} {len}");
            assert_eq!(legacy::sequences(&text).next(), None);
        }
        for overlong_len in bytes.len() + 1..=6 {
            let overlong = encode_in(value, overlong_len);
            let error = legacy::first(&overlong).expect_err("overlong");
            assert_eq!(error_parts(error), (Overlong, 0, Some(1)), "{value:#X} {overlong_len}");
            let found = legacy::sequences(&overlong).map(sequence_parts).collect::<Vec<_>>();
            assert_eq!(found, [(0, overlong_len, value, Form::Overlong)]);
        }
    }
}

#[test]
fn surrogates_are_errors_and_reported() {
    let find_sequences =
        |src: &[u8]| legacy::sequences(src).map(sequence_parts).collect::<Vec<_>>();
    for value in SURROGATES {
        let bytes = encode_in(value, 3);
        assert_eq!(
            error_parts(legacy::decode(&bytes).expect_err("a surrogate")),
            (Surrogate, 0, Some(1))
        );
        assert_eq!(find_sequences(&bytes), [(0, 3, value, Form::Surrogate)]);
    }
    // After two high surrogates, a low surrogate forms a pair with the second. A low surrogate
    // before a high surrogate is not a pair.
    let [high, low] = [0xD83D, 0xDE00].map(|value| encode_in(value, 3));
    let text = [&high[..], &high, &low, &low, &high].concat();
    check(&text);
    let forms: Vec<_> = legacy::sequences(&text).map(|found| found.form).collect();
    use Form::SurrogatePair;
    assert_eq!(forms, [Form::Surrogate, SurrogatePair, Form::Surrogate, Form::Surrogate]);
    for value in (0x1_0000..=0x10_FFFF).step_by(257) {
        let mut units = [0; 2];
        char::from_u32(value).expect("a character").encode_utf16(&mut units);
        let cesu: Vec<u8> = units.iter().flat_map(|&unit| encode_in(unit.into(), 3)).collect();
        assert_eq!(find_sequences(&cesu), [(0, 6, value, SurrogatePair)]);
        check(&cesu);
    }
}

/// Returns bytes with sequences of all forms, well-formed and ill-formed, between texts of
/// different lengths.
fn damaged_text(rng: &mut StdRng, len: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < len {
        match rng.random_range(0..8) {
            0 => text.extend("plain text ".bytes().cycle().take(rng.random_range(0..100))),
            1 => text.extend("größer 語 😀".bytes()),
            2 => text.extend(encode_in(rng.random_range(SURROGATES), 3)),
            3 => {
                let value = random_value(rng);
                let shortest = encode(value).len();
                text.extend(encode_in(value, rng.random_range(shortest..=6)));
            }
            4 => text.push(rng.random_range(0x80..=0xFF)),
            5 => text.push(rng.random()),
            6 => {
                text.pop();
            }
            _ => text.extend(encode(random_value(rng))),
        }
    }
    text
}

#[test]
fn damaged_and_random_texts() {
    let mut rng = StdRng::seed_from_u64(3);
    for _ in 0..60_000 / sampling_interval() {
        let len = rng.random_range(0..400);
        check(&damaged_text(&mut rng, len));
        let random: Vec<u8> = (0..rng.random_range(0..64)).map(|_| rng.random()).collect();
        check(&random);
        let high: Vec<u8> =
            (0..rng.random_range(0..64)).map(|_| rng.random_range(0x80..=0xFF)).collect();
        check(&high);
    }
    for _ in 0..(60 / sampling_interval()).max(2) {
        check(&damaged_text(&mut rng, 30_000));
    }
}

/// A sequence after 0 to 399 characters, so that vector code finds it at every offset.
#[test]
fn a_sequence_after_any_text() {
    let large_values = [0x11_0000, 0x20_0000, 0x3FF_FFFF, 0x400_0000, legacy::MAX];
    for filling in ["x", "é", "語", "😀"] {
        for (front_chars, value) in (0..400).flat_map(|n| large_values.map(|value| (n, value))) {
            let bytes = encode(value);
            let front = filling.repeat(front_chars);
            let text = [front.as_bytes(), &bytes, front.as_bytes()].concat();
            let found: Vec<_> = legacy::sequences(&text)
                .map(sequence_parts)
                .map(|found| (found.0, found.1))
                .collect();
            assert_eq!(found, [(front.len(), bytes.len())]);
            let values = legacy::decode(&text).expect("well-formed");
            assert_eq!((values.len(), values[front_chars]), (2 * front_chars + 1, value));
        }
    }
}

/// No other function accepts sequences of five or six bytes, or values above U+10FFFF, as UTF-8.
#[test]
fn other_functions_reject_legacy_sequences() {
    for lead in 0xF8..=0xFD_u8 {
        let text = [b"ok ", &[lead, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF][..]].concat();
        assert!(legacy::sequences(&text).next().is_some());
        for kernel in Kernel::available() {
            let error = kernel.validate::<Utf8>(&text).expect_err("not UTF-8");
            assert_eq!(error_parts(error), (InvalidLeadByte, 3, Some(1)), "{kernel}");
            assert_eq!(kernel.transcode::<Utf8, Utf16>(&text), Err(error), "{kernel}");
        }
        assert_eq!(utf8::from_utf8(&text).map_err(error_parts), Err((InvalidLeadByte, 3, Some(1))));
    }
    for value in [0x11_0000, 0x20_0000, legacy::MAX] {
        assert!(utf8::to_chars(&encode(value)).is_err());
    }
}

#[test]
fn descriptions() {
    let describe = |src: &[u8]| legacy::sequences(src).next().map(|found| found.to_string());
    let four = "four-byte sequence above U+10FFFF of value 0x110000 from index 0";
    assert_eq!(describe(b"\xF4\x90\x80\x80").as_deref(), Some(four));
    assert_eq!(
        describe(b"a\xC0\x80").as_deref(),
        Some("overlong sequence of value 0x0 from index 1")
    );
    let forms = [Form::FourBytes, Form::FiveBytes, Form::SixBytes];
    assert!(forms.iter().all(|form| form.is_legacy()));
    let others = [Form::Overlong, Form::Surrogate, Form::SurrogatePair];
    assert!(!others.iter().any(|form| form.is_legacy()));
    let error = legacy::decode(b"\xFC\x84\x80\x80\x80!").expect_err("ill-formed");
    assert_eq!(error.to_string(), "invalid utf-8 sequence of 5 bytes from index 0");
}

/// The size hints of iterators are correct at each step, and as narrow as possible without reading
/// the text: a text of only the shortest or only the longest sequences reaches a bound.
#[test]
fn size_hints_are_narrow() {
    for sequence_count in 0..70_usize {
        let overlong = b"\xC0\x80".repeat(sequence_count);
        let mut found = legacy::sequences(&overlong);
        for left in (0..=sequence_count).rev() {
            assert_eq!(found.size_hint(), (0, Some(left)));
            assert_eq!(found.next().is_some(), left > 0);
        }
        let (ascii, longest) =
            (vec![b'a'; sequence_count], b"\xFD\xBF\xBF\xBF\xBF\xBF".repeat(sequence_count));
        let (mut short, mut long) = (legacy::values(&ascii), legacy::values(&longest));
        for left in (0..=sequence_count).rev() {
            assert_eq!(short.size_hint(), (left.div_ceil(6), Some(left)));
            assert_eq!(long.size_hint(), (left, Some(6 * left)));
            assert_eq!((short.next().is_some(), long.next().is_some()), (left > 0, left > 0));
        }
    }
}
