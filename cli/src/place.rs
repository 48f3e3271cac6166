//! Where in a file an error stands: line and column, kept while the file goes by, and the message.
//!
//! Only whole code units are counted. The newest few bytes stay behind in the input: they may be cut inside a unit, and
//! an error found in a later chunk may begin with them.

use std::io::{self, Write};
use std::path::Path;

use utflane::{ByteValidator, ErrorKind, Scheme, StreamError};

use crate::input::Input;
use crate::units;

/// Bytes of the longest sequence, which is also the longest offence.
const LONGEST: usize = 4;

/// Line and column of a place in a text, both counted from 0 here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    line: u64,
    column: u64,
}

impl Place {
    /// Moves behind `units`, which begin and end between code units.
    fn advance(&mut self, scheme: Scheme, units: &[u8]) {
        match units::behind_last_line_feed(scheme, units) {
            Some(start) => {
                self.line += units::line_feeds(scheme, &units[..start]);
                self.column = units::code_points(scheme, &units[start..]);
            }
            None => self.column += units::code_points(scheme, units),
        }
    }
}

/// A file that is read chunk by chunk, with the place up to which it has been counted.
pub(crate) struct Text {
    input: Input,
    scheme: Scheme,
    /// The place of the first byte that the input keeps.
    place: Place,
}

impl Text {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(file: &Path, scheme: Scheme) -> io::Result<Self> {
        Ok(Self::new(Input::open(file)?, scheme))
    }

    fn new(input: Input, scheme: Scheme) -> Self {
        Self { input, scheme, place: Place::default() }
    }

    /// The next chunk; empty at the end of the file only. What came before it must have been well-formed so far.
    pub(crate) fn next_chunk(&mut self) -> io::Result<&[u8]> {
        // The offset stays a multiple of every unit's size.
        let behind = self.input.kept().len().saturating_sub(LONGEST);
        self.count(behind - behind % units::LARGEST);
        self.input.fill()
    }

    /// Counts the first `bytes` kept bytes and lets them go.
    fn count(&mut self, bytes: usize) {
        self.place.advance(self.scheme, &self.input.kept()[..bytes]);
        self.input.release(bytes);
    }

    /// The finding that `error` is, found in the newest chunk or behind it.
    pub(crate) fn locate(mut self, error: StreamError) -> io::Result<Finding> {
        let before = (error.offset() - self.input.offset()) as usize;
        self.count(before);
        let kind = self.kind_of(error)?;
        let kept = self.input.kept();
        let offence = &kept[..error.error_len().unwrap_or(kept.len())];
        Ok(Finding { place: self.place, offset: error.offset(), kind, offence: offence.to_vec() })
    }

    /// The kind of `error`, whose sequence the kept bytes begin with, as it is for the whole file.
    ///
    /// A stream calls a sequence too short whose second byte is wrong and whose others have not come; with them it may
    /// turn out to be overlong, say. The message must not depend on where the chunks were cut, so this waits for them.
    fn kind_of(&mut self, error: StreamError) -> io::Result<ErrorKind> {
        if error.kind() != ErrorKind::TooShort || error.is_incomplete() {
            return Ok(error.kind());
        }
        while self.input.kept().len() < LONGEST && !self.input.fill()?.is_empty() {}
        let kept = self.input.kept();
        let whole = ByteValidator::new(self.scheme).push(&kept[..kept.len().min(LONGEST)]);
        Ok(whole.err().map_or(error.kind(), |error| error.kind()))
    }
}

/// The first place in a file that is ill-formed, or that can't be converted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    place: Place,
    offset: u64,
    kind: ErrorKind,
    /// The offending bytes, at most four.
    offence: Vec<u8>,
}

impl Finding {
    /// Writes the message as one line: `FILE:LINE:COLUMN: byte OFFSET: KIND (offending bytes in hex)`.
    pub(crate) fn write(&self, file: &Path, out: &mut dyn Write) -> io::Result<()> {
        let Self { place: Place { line, column }, offset, kind, .. } = self;
        let bytes: Vec<String> = self.offence.iter().map(|byte| format!("{byte:02X}")).collect();
        let mut message = file.as_os_str().as_encoded_bytes().to_vec();
        let (line, column, bytes) = (line + 1, column + 1, bytes.join(" "));
        writeln!(message, ":{line}:{column}: byte {offset}: {} ({bytes})", kind.description())?;
        out.write_all(&message)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use utflane::{ByteTranscoder, Stop};

    use super::*;

    /// A file that gives at most so many bytes at a time, chosen at random.
    struct Dribble {
        bytes: Vec<u8>,
        at: usize,
        most: usize,
        random: StdRng,
    }

    impl Read for Dribble {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.random.random_bool(0.05) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let rest = &self.bytes[self.at..];
            let count = self.random.random_range(1..=self.most).min(buffer.len()).min(rest.len());
            buffer[..count].copy_from_slice(&rest[..count]);
            self.at += count;
            Ok(count)
        }
    }

    fn text(bytes: &[u8], scheme: Scheme, most: usize, seed: u64) -> Text {
        let random = StdRng::seed_from_u64(seed);
        let source = Dribble { bytes: bytes.to_vec(), at: 0, most, random };
        Text::new(Input::new(Box::new(source)), scheme)
    }

    fn check(mut text: Text) -> Option<Finding> {
        let scheme = text.scheme;
        let error = crate::check::first_error(&mut text, scheme).unwrap()?;
        Some(text.locate(error).unwrap())
    }

    /// The bytes of `chars` in `scheme`, by the standard library.
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
            _ => chars.iter().map(|&c| u8::try_from(c).unwrap()).collect(),
        }
    }

    /// Line and column of the end of `chars`, the plain way.
    fn oracle(chars: &[char]) -> Place {
        let mut place = Place::default();
        for &c in chars {
            place.column += 1;
            if c == '\n' {
                place = Place { line: place.line + 1, column: 0 };
            }
        }
        place
    }

    /// What can't be part of any text in `scheme`, and how it is called.
    fn offences(scheme: Scheme) -> Vec<(Vec<u8>, usize, ErrorKind)> {
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
            _ => vec![],
        }
    }

    /// Characters of which many have a byte `0A` in one encoding or another.
    fn characters(scheme: Scheme, random: &mut StdRng) -> Vec<char> {
        let all =
            ['a', '\n', '\0', 'é', '\u{8A}', 'Ċ', '\u{A00}', '\u{A0A}', '€', '\u{10A0A}', '😀'];
        let most = match scheme {
            Scheme::Ascii => 3,
            Scheme::Latin1 => 5,
            _ => all.len(),
        };
        let count = random.random_range(0..60);
        (0..count).map(|_| all[random.random_range(0..most)]).collect()
    }

    #[test]
    fn a_finding_is_the_same_however_the_file_is_cut() {
        let mut random = StdRng::seed_from_u64(4);
        for round in 0..400 {
            for &scheme in Scheme::ALL {
                let before = characters(scheme, &mut random);
                let start = encode(scheme, &before);
                for (bytes, len, kind) in offences(scheme) {
                    let after = encode(scheme, &characters(scheme, &mut random));
                    let whole = [start.as_slice(), &bytes, &after].concat();
                    let most = random.random_range(1..20);
                    let want = Finding {
                        place: oracle(&before),
                        offset: start.len() as u64,
                        kind,
                        offence: bytes[..len].to_vec(),
                    };
                    let found = check(text(&whole, scheme, most, round));
                    assert_eq!(found, Some(want), "{scheme} {whole:X?} most {most}");
                }
                assert_eq!(check(text(&start, scheme, 7, round)), None, "{scheme} {start:X?}");
            }
        }
    }

    #[test]
    fn an_incomplete_end_shows_the_bytes_that_are_there() {
        for (scheme, end, kind) in [
            (Scheme::Utf8, &b"\xF0\x9F\x98"[..], ErrorKind::TooShort),
            (Scheme::Utf8, b"\xE0", ErrorKind::TooShort),
            (Scheme::Utf16Le, b"\x0A", ErrorKind::TooShort),
            (Scheme::Utf16Le, b"\x3D\xD8\x0A", ErrorKind::Surrogate),
            (Scheme::Utf16Be, b"\xD8\x3D", ErrorKind::Surrogate),
            (Scheme::Utf32Le, b"\x0A\0\0", ErrorKind::TooShort),
        ] {
            for count in 0..20 {
                let before = ['\n', 'é', '😀', 'x', '\n', '\u{A0A}'].repeat(count);
                let mut whole = encode(scheme, &before);
                let offset = whole.len() as u64;
                whole.extend_from_slice(end);
                let place = oracle(&before);
                let want = Finding { place, offset, kind, offence: end.to_vec() };
                assert_eq!(check(text(&whole, scheme, 5, 1)), Some(want), "{scheme} {whole:X?}");
            }
        }
    }

    /// The validator and the transcoder see the same file in other chunks, and agree with the one-shot verb.
    #[test]
    fn random_bytes_give_the_finding_of_the_whole() {
        let mut random = StdRng::seed_from_u64(5);
        let bytes = [0x00, 0x0A, 0x41, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC3, 0xE0, 0xED, 0xF0, 0xF4];
        for round in 0..20_000 {
            let len = random.random_range(0..12);
            let src: Vec<u8> = (0..len).map(|_| bytes[random.random_range(0..13)]).collect();
            let whole = utflane::validate::<utflane::Utf8>(&src)
                .err()
                .map(|error| (error.valid_up_to() as u64, error.error_len(), error.kind()));
            let found = check(text(&src, Scheme::Utf8, 3, round));
            let parts = found.map(|found| {
                let rest = src.len() - found.offset as usize;
                let incomplete = whole.is_some_and(|whole| whole.1.is_none());
                assert!(!incomplete || found.offence.len() == rest, "{src:X?}");
                let len = (!incomplete).then_some(found.offence.len());
                (found.offset, len, found.kind)
            });
            assert_eq!(parts, whole, "{src:X?}");
        }
    }

    #[test]
    fn an_unmappable_character_is_found_whole() {
        for most in 1..9 {
            let mut text = text("né\n€".as_bytes(), Scheme::Utf8, most, 7);
            let mut transcoder = ByteTranscoder::new(Scheme::Utf8, Scheme::Latin1);
            let error = loop {
                let chunk = text.next_chunk().unwrap();
                assert!(!chunk.is_empty());
                if let Stop::Error(error) = transcoder.push(chunk, &mut [0; 64]).stop {
                    break error;
                }
            };
            let mut message = Vec::new();
            text.locate(error).unwrap().write(Path::new("x"), &mut message).unwrap();
            let want = "x:2:1: byte 4: character not in the target encoding (E2 82 AC)\n";
            assert_eq!(String::from_utf8(message).unwrap(), want);
        }
    }
}
