//! Tests of positions and findings in files whose chunks may end at any byte.

use std::io::Read;
use std::path::Path;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{ByteTranscoder, Stop};

use super::*;

/// A file in which each read returns a random number of bytes, from 1 to `max_read`, or is
/// interrupted.
struct ShortReads {
    bytes: Vec<u8>,
    offset: usize,
    max_read: usize,
    random: StdRng,
}

impl Read for ShortReads {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.random.random_bool(0.05) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let rest = &self.bytes[self.offset..];
        let count = self.random.random_range(1..=self.max_read).min(buffer.len()).min(rest.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.offset += count;
        Ok(count)
    }
}

/// Returns `bytes` as a text that is read with [`ShortReads`].
fn make_text(bytes: &[u8], scheme: Scheme, max_read: usize, seed: u64) -> Text {
    let random = StdRng::seed_from_u64(seed);
    let source = ShortReads { bytes: bytes.to_vec(), offset: 0, max_read, random };
    Text::new(Input::new(Box::new(source)), scheme, false)
}

/// Returns the first finding of a check, which must equal the first finding of a conversion to the
/// same encoding.
fn first_finding(bytes: &[u8], scheme: Scheme, max_read: usize, seed: u64) -> Option<Finding> {
    let found = make_text(bytes, scheme, max_read, seed).next_finding().unwrap();
    assert_eq!(
        first_of_conversion(make_text(bytes, scheme, max_read, seed), scheme),
        found,
        "{scheme} {bytes:X?}"
    );
    found
}

/// Returns the finding at which a conversion to `to` stops.
fn first_of_conversion(text: Text, to: Scheme) -> Option<Finding> {
    let transcoder = ByteTranscoder::new(text.scheme, to);
    first_of_transcoder(text, transcoder)
}

/// Returns the finding at which `transcoder` stops.
fn first_of_transcoder(mut text: Text, mut transcoder: ByteTranscoder) -> Option<Finding> {
    loop {
        let chunk = text.next_chunk().unwrap();
        let progress = match chunk.is_empty() {
            true => transcoder.finish(&mut [0; 256]),
            false => transcoder.push(chunk, &mut [0; 256]),
        };
        match progress.stop {
            Stop::Error(error) => return Some(text.locate(error).unwrap()),
            _ if chunk.is_empty() => return None,
            stop => assert_eq!(stop, Stop::Done),
        }
    }
}

/// Returns the bytes of `chars` in `scheme`, encoded by the standard library.
fn encode(scheme: Scheme, chars: &[char]) -> Vec<u8> {
    let units = || {
        let mut units = Vec::new();
        for c in chars {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
        }
        units
    };
    match scheme {
        Scheme::Utf8 => chars.iter().collect::<String>().into_bytes(),
        Scheme::Utf16Le => units().into_iter().flat_map(u16::to_le_bytes).collect(),
        Scheme::Utf16Be => units().into_iter().flat_map(u16::to_be_bytes).collect(),
        Scheme::Utf32Le => chars.iter().flat_map(|&c| u32::from(c).to_le_bytes()).collect(),
        Scheme::Utf32Be => chars.iter().flat_map(|&c| u32::from(c).to_be_bytes()).collect(),
        Scheme::Cesu8 => units().into_iter().flat_map(unit_as_utf8).collect(),
        Scheme::Mutf8 => units()
            .into_iter()
            .flat_map(|unit| if unit == 0 { vec![0xC0, 0x80] } else { unit_as_utf8(unit) })
            .collect(),
        Scheme::Wtf8 => encode(Scheme::Utf8, chars),
        Scheme::Wtf16Le => encode(Scheme::Utf16Le, chars),
        Scheme::Wtf16Be => encode(Scheme::Utf16Be, chars),
        _ => chars.iter().map(|&c| u8::try_from(c).unwrap()).collect(),
    }
}

/// Returns a UTF-16 code unit in the form of a UTF-8 sequence.
fn unit_as_utf8(unit: u16) -> Vec<u8> {
    let tail = |bits: u16| 0x80 | (bits & 0x3F) as u8;
    match unit {
        ..0x80 => vec![unit as u8],
        0x80..0x800 => vec![0xC0 | (unit >> 6) as u8, tail(unit)],
        _ => vec![0xE0 | (unit >> 12) as u8, tail(unit >> 6), tail(unit)],
    }
}

/// Returns the line and the column after `chars`, counted from 0 by a simple loop.
fn position_after(chars: &[char]) -> Position {
    let mut position = Position::default();
    for &c in chars {
        position.column += 1;
        if c == '\n' {
            position = Position { line: position.line + 1, column: 0 };
        }
    }
    position
}

/// Returns texts that begin with an ill-formed sequence in `scheme`, each with the number of bytes
/// to report and the kind of the error.
fn ill_formed_sequences(scheme: Scheme) -> Vec<(Vec<u8>, usize, ErrorKind)> {
    let surrogate = |bytes: &[u8]| (bytes.to_vec(), bytes.len().min(2), ErrorKind::Surrogate);
    match scheme {
        Scheme::Utf8 => vec![
            (b"\xFF".to_vec(), 1, ErrorKind::InvalidLeadByte),
            (b"\x80".to_vec(), 1, ErrorKind::TooLong),
            (b"\xE2\x82!".to_vec(), 2, ErrorKind::TooShort),
            (b"\xE0\x80\x80".to_vec(), 1, ErrorKind::Overlong),
            (b"\xF0\x80\x80\x80".to_vec(), 1, ErrorKind::Overlong),
            (b"\xED\xA0\x80".to_vec(), 1, ErrorKind::Surrogate),
            (b"\xF4\x90\x80\x80".to_vec(), 1, ErrorKind::TooLarge),
            (b"\xF0\x80\x80!".to_vec(), 1, ErrorKind::TooShort),
        ],
        Scheme::Utf16Le => vec![surrogate(b"\x0A\xD8\x0A\0"), surrogate(b"\x0A\xDC")],
        Scheme::Utf16Be => vec![surrogate(b"\xD8\x0A\0\x0A"), surrogate(b"\xDC\x0A")],
        Scheme::Utf32Le => vec![
            (b"\x0A\xD8\0\0".to_vec(), 4, ErrorKind::Surrogate),
            (b"\0\0\x11\0".to_vec(), 4, ErrorKind::TooLarge),
        ],
        Scheme::Utf32Be => vec![
            (b"\0\0\xD8\x0A".to_vec(), 4, ErrorKind::Surrogate),
            (b"\0\x11\0\0".to_vec(), 4, ErrorKind::TooLarge),
        ],
        Scheme::Ascii => vec![(b"\xE9".to_vec(), 1, ErrorKind::TooLarge)],
        Scheme::Cesu8 | Scheme::Mutf8 => {
            let mut wrong = vec![
                (b"\xF0\x9F\x98\x80".to_vec(), 1, ErrorKind::InvalidLeadByte),
                (b"\xED\xA0\xBD".to_vec(), 3, ErrorKind::Surrogate),
                (b"\xED\xA0\xBD\xED\xA0\xBD".to_vec(), 3, ErrorKind::Surrogate),
                (b"\xED\xA0\xBD\xED\xB8!".to_vec(), 3, ErrorKind::Surrogate),
                (b"\xED\xA0!".to_vec(), 2, ErrorKind::TooShort),
                (b"\xED\xB8\x80".to_vec(), 1, ErrorKind::Surrogate),
                (b"\xE2\x82!".to_vec(), 2, ErrorKind::TooShort),
                (b"\xE0\x80\x80".to_vec(), 1, ErrorKind::Overlong),
            ];
            if scheme == Scheme::Mutf8 {
                wrong.push((b"\0".to_vec(), 1, ErrorKind::InvalidLeadByte));
            } else {
                wrong.push((b"\xC0\x80".to_vec(), 1, ErrorKind::Overlong));
            }
            wrong
        }
        Scheme::Wtf8 => vec![
            (b"\xED\xA0\xBD\xED\xB8\x80".to_vec(), 6, ErrorKind::Surrogate),
            (b"\xED\xA0!".to_vec(), 2, ErrorKind::TooShort),
            (b"\xFF".to_vec(), 1, ErrorKind::InvalidLeadByte),
            (b"\xF4\x90\x80\x80".to_vec(), 1, ErrorKind::TooLarge),
        ],
        _ => vec![],
    }
}

/// Returns random characters, many of which have a byte 0x0A in some encoding.
fn random_characters(scheme: Scheme, random: &mut StdRng) -> Vec<char> {
    let all = ['a', '\n', '\0', 'é', '\u{8A}', 'Ċ', '\u{A00}', '\u{A0A}', '€', '\u{10A0A}', '😀'];
    let allowed_count = match scheme {
        Scheme::Ascii => 3,
        Scheme::Latin1 => 5,
        _ => all.len(),
    };
    let count = random.random_range(0..60);
    (0..count).map(|_| all[random.random_range(0..allowed_count)]).collect()
}

#[test]
fn a_finding_does_not_depend_on_where_chunks_end() {
    let mut random = StdRng::seed_from_u64(4);
    for round in 0..400 {
        for &scheme in Scheme::ALL {
            let before = random_characters(scheme, &mut random);
            let start = encode(scheme, &before);
            for (bytes, len, kind) in ill_formed_sequences(scheme) {
                let after = encode(scheme, &random_characters(scheme, &mut random));
                let whole = [start.as_slice(), &bytes, &after].concat();
                let max_read = random.random_range(1..20);
                let want = Finding {
                    position: position_after(&before),
                    offset: start.len() as u64,
                    kind: FindingKind::IllFormed(kind),
                    offending: bytes[..len].to_vec(),
                    excerpt: None,
                };
                let found = first_finding(&whole, scheme, max_read, round);
                assert_eq!(found, Some(want), "{scheme} {whole:X?} {max_read}");
            }
            assert_eq!(first_finding(&start, scheme, 7, round), None, "{scheme} {start:X?}");
        }
    }
}

#[test]
fn an_incomplete_sequence_at_the_end_is_reported_with_all_its_bytes() {
    for (scheme, end, kind) in [
        (Scheme::Utf8, &b"\xF0\x9F\x98"[..], ErrorKind::TooShort),
        (Scheme::Utf8, b"\xE0", ErrorKind::TooShort),
        (Scheme::Utf16Le, b"\x0A", ErrorKind::TooShort),
        (Scheme::Utf16Le, b"\x3D\xD8\x0A", ErrorKind::Surrogate),
        (Scheme::Utf16Be, b"\xD8\x3D", ErrorKind::Surrogate),
        (Scheme::Utf32Le, b"\x0A\0\0", ErrorKind::TooShort),
        (Scheme::Cesu8, b"\xED\xA0\x80\xED\xB0", ErrorKind::Surrogate),
        (Scheme::Mutf8, b"\xC0", ErrorKind::TooShort),
        (Scheme::Wtf8, b"\xED\xA0", ErrorKind::TooShort),
        (Scheme::Wtf16Be, b"\xD8", ErrorKind::TooShort),
    ] {
        for count in 0..20 {
            let before = ['\n', 'é', '😀', 'x', '\n', '\u{A0A}'].repeat(count);
            let mut whole = encode(scheme, &before);
            let offset = whole.len() as u64;
            whole.extend_from_slice(end);
            let position = position_after(&before);
            let (kind, offending) = (FindingKind::IllFormed(kind), end.to_vec());
            let want = Finding { position, offset, kind, offending, excerpt: None };
            assert_eq!(first_finding(&whole, scheme, 5, 1), Some(want), "{scheme} {whole:X?}");
        }
    }
}

/// The check and the conversion process different chunks, and both find the error that the one-shot
/// function finds.
#[test]
fn findings_in_random_bytes_equal_the_one_shot_error() {
    let mut random = StdRng::seed_from_u64(5);
    let bytes = [0x00, 0x0A, 0x41, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC3, 0xE0, 0xED, 0xF0, 0xF4];
    for round in 0..20_000 {
        let len = random.random_range(0..12);
        let src: Vec<u8> = (0..len).map(|_| bytes[random.random_range(0..13)]).collect();
        let whole = utflane::validate::<utflane::Utf8>(&src).err().map(|error| {
            (error.valid_up_to() as u64, error.error_len(), FindingKind::IllFormed(error.kind()))
        });
        let found = first_finding(&src, Scheme::Utf8, 3, round);
        let found = found.map(|found| {
            let rest = src.len() - found.offset as usize;
            let incomplete = whole.is_some_and(|whole| whole.1.is_none());
            assert!(!incomplete || found.offending.len() == rest, "{src:X?}");
            let len = (!incomplete).then_some(found.offending.len());
            (found.offset, len, found.kind)
        });
        assert_eq!(found, whole, "{src:X?}");
    }
}

#[test]
fn an_unmappable_character_is_reported_with_all_its_bytes() {
    for max_read in 1..9 {
        let text = make_text("né\n€".as_bytes(), Scheme::Utf8, max_read, 7);
        let message =
            first_of_conversion(text, Scheme::Latin1).unwrap().message(Path::new("x"), false);
        let want = "x:2:1: byte 4: character not in the target encoding (E2 82 AC)\n";
        assert_eq!(String::from_utf8(message).unwrap(), want);
    }
}

/// Findings in UTF-8 are the invalid chunks of the standard library, and each finding is one column
/// wide.
#[test]
fn all_utf8_findings_equal_those_of_std() {
    let mut random = StdRng::seed_from_u64(6);
    let parts: [&[u8]; 12] = [
        b"a",
        b"\n",
        "é".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"\xF0\x9F\x98",
        b"\xE2\x82",
        b"\xC3",
        b"\x80",
        b"\xFF",
        b"\xED\xA0\x80",
        b"\xF4\x90",
    ];
    for round in 0..3000 {
        let len = random.random_range(0..40);
        let src: Vec<u8> =
            (0..len).flat_map(|_| parts[random.random_range(0..parts.len())]).copied().collect();
        let (mut want, mut offset, mut before) = (Vec::new(), 0, Vec::new());
        for chunk in src.utf8_chunks() {
            before.extend(chunk.valid().chars());
            offset += chunk.valid().len() as u64;
            if !chunk.invalid().is_empty() {
                want.push((position_after(&before), offset, chunk.invalid().to_vec()));
                before.push(char::REPLACEMENT_CHARACTER);
            }
            offset += chunk.invalid().len() as u64;
        }
        let mut text = make_text(&src, Scheme::Utf8, random.random_range(1..9), round);
        let mut found = Vec::new();
        while let Some(finding) = text.next_finding().unwrap() {
            found.push((finding.position, finding.offset, finding.offending));
        }
        assert_eq!(found, want, "{src:X?}");
    }
}

/// An unpaired surrogate is one column, and covers one code unit.
#[test]
fn all_utf16_findings_equal_those_of_std() {
    let mut random = StdRng::seed_from_u64(7);
    let all = [0x61, 0x0A, 0x0A0A, 0xD80A, 0xDC0A, 0xD83D, 0xDE00];
    for round in 0..2000 {
        let len = random.random_range(0..30);
        let src: Vec<u16> = (0..len).map(|_| all[random.random_range(0..all.len())]).collect();
        let (mut want, mut offset, mut before) = (Vec::new(), 0, Vec::new());
        for decoded in char::decode_utf16(src.iter().copied()) {
            match &decoded {
                Ok(c) => offset += 2 * c.len_utf16() as u64,
                Err(_) => {
                    want.push((position_after(&before), offset));
                    offset += 2;
                }
            }
            before.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let bytes: Vec<u8> = src.iter().copied().flat_map(u16::to_be_bytes).collect();
        let mut text = make_text(&bytes, Scheme::Utf16Be, random.random_range(1..9), round);
        let mut found = Vec::new();
        while let Some(finding) = text.next_finding().unwrap() {
            found.push((finding.position, finding.offset));
        }
        assert_eq!(found, want, "{src:X?}");
    }
}

/// With repairs, each ill-formed sequence is one column, wherever chunks end.
#[test]
fn repairs_are_one_column_each() {
    let mut random = StdRng::seed_from_u64(8);
    for round in 0..3000 {
        let len = random.random_range(0..60);
        let mut units: Vec<u16> = (0..len)
            .map(|_| b"a\n\xC3\xA9\xE2\x82\xF0\x9F\xFF\xED"[random.random_range(0..10)].into())
            .collect();
        let (scheme, bytes, repaired) = if round % 2 == 0 {
            let mut bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
            bytes.extend_from_slice("漢b".as_bytes());
            let repaired = String::from_utf8_lossy(&bytes).into_owned();
            (Scheme::Utf8, bytes, repaired)
        } else {
            for unit in &mut units {
                *unit = if *unit > 0xE0 { 0xDC00 } else { *unit };
                *unit = if *unit > 0x9F { 0xD800 } else { *unit };
            }
            units.extend("漢b".encode_utf16());
            let bytes = units.iter().copied().flat_map(u16::to_le_bytes).collect();
            (Scheme::Utf16Le, bytes, String::from_utf16_lossy(&units))
        };
        let is_unmappable = |c: char| c > '\u{FF}' && c != char::REPLACEMENT_CHARACTER;
        let before: String = repaired.chars().take_while(|&c| !is_unmappable(c)).collect();
        let line = before.matches('\n').count() as u64;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() as u64;
        for max_read in [1, 2, 3, 5, 9, 70] {
            let text = make_text(&bytes, scheme, max_read, round).with_repairs(true);
            let policy = utflane::Policy::STOP.on_ill_formed(utflane::IllFormed::REPLACE);
            let transcoder = ByteTranscoder::new(scheme, Scheme::Latin1).with_policy(policy);
            let found = first_of_transcoder(text, transcoder).unwrap();
            assert_eq!(found.position, Position { line, column }, "{scheme} {max_read} {bytes:X?}");
            assert_eq!(found.kind, FindingKind::Unmappable);
        }
    }
}

/// The findings in any bytes equal the errors in the whole text. Each finding is one column wide,
/// and so is a surrogate pair, or an unpaired surrogate that the encoding allows. The position
/// after all chunks equals the position after segments that end at errors.
#[test]
fn cesu8_mutf8_and_wtf_findings_do_not_depend_on_where_chunks_end() {
    let mut random = StdRng::seed_from_u64(9);
    let parts: [&[u8]; 12] = [
        b"a",
        b"\n",
        "é".as_bytes(),
        "€".as_bytes(),
        "😀".as_bytes(),
        b"\xC0\x80",
        b"\0",
        b"\xED\xA0\xBD",
        b"\xED\xB8\x80",
        b"\xED",
        b"\xED\xA0",
        b"\x80",
    ];
    let units: [&[u8]; 6] = [b"a\0", b"\n\0", b"\x3D\xD8", b"\0\xDE", b"\xD8\x3D", b"\xDE\0"];
    for round in 0..6000 {
        let schemes =
            [Scheme::Cesu8, Scheme::Mutf8, Scheme::Wtf8, Scheme::Wtf16Le, Scheme::Wtf16Be];
        let scheme = schemes[round as usize % schemes.len()];
        let parts = if scheme.unit_size() == 2 { &units[..] } else { &parts[..] };
        let len = random.random_range(0..40);
        let src: Vec<u8> =
            (0..len).flat_map(|_| parts[random.random_range(0..parts.len())]).copied().collect();
        let (mut want, mut position, mut offset) = (Vec::new(), Position::default(), 0);
        loop {
            let rest = &src[offset..];
            let error = scheme.validate(rest).err();
            let valid_len = error.map_or(rest.len(), |error| error.valid_up_to());
            position.advance(scheme, &rest[..valid_len]);
            offset += valid_len;
            let Some(error) = error else { break };
            let len = error.error_len().unwrap_or(rest.len() - valid_len);
            want.push((position, offset as u64, src[offset..offset + len].to_vec()));
            position.column += 1;
            offset += len;
        }
        let max_read = random.random_range(1..9);
        let mut findings = make_text(&src, scheme, max_read, round);
        let mut found = Vec::new();
        while let Some(finding) = findings.next_finding().unwrap() {
            found.push((finding.position, finding.offset, finding.offending));
        }
        assert_eq!(found, want, "{scheme} {src:X?} {max_read}");
        assert_eq!(findings.position, position, "{scheme} {src:X?} {max_read}");
        if let Some(first) = first_finding(&src, scheme, max_read, round) {
            assert_eq!(
                (first.position, first.offset, first.offending),
                want[0],
                "{scheme} {src:X?}"
            );
        } else {
            assert!(want.is_empty());
        }
    }
}
