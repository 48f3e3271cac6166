//! Decodes a file that arrives in chunks ("pieces" here), which may end anywhere.

use bytes::{Buf, Bytes};
use utflane::bom::{self, Probe};
use utflane::detect::{self, Mixture};
use utflane::{ByteTranscoder, IllFormed, Policy, Scheme, Stop, StreamError};
use utflane_charset::{Charset, Detector, LegacyDecoder, Sink};

use super::error::Failure;
use crate::encoding::{Choice, NamedRepair, OnError};
use crate::legacy;

/// Bytes of plain ASCII that are held back, as they may turn out to be in UTF-16.
const SAMPLE: u64 = 64 * 1024;

/// The most bytes of a character that are not its first one, in UTF-8.
const MAX_CONTINUATION: usize = 3;

/// The encoding of files, and the treatment of ill-formed sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decoding {
    pub(super) choice: Choice,
    pub(super) on_error: OnError<IllFormed>,
}

/// Decodes a file to UTF-8. A byte order mark decides the encoding and is removed.
pub(super) struct Decoder {
    decoding: Decoding,
    state: State,
    /// The bytes of the file that are not decoded.
    piece: Bytes,
    /// The bytes of the file up to the end of `piece`.
    fed: u64,
    /// True if `piece` ends with the file.
    ended: bool,
    /// The detector, which reads the whole file, if its encoding is detected.
    detector: Option<Box<Detector>>,
    /// The parts of the file in different encodings. Only the first one is decoded.
    mixture: Option<Mixture>,
    sink: Sink,
    /// The failure after the text that was returned last.
    failure: Option<Failure>,
}

/// The encoding, once it is known.
enum State {
    /// The bytes so far, after plain ASCII that was returned.
    Start(Vec<u8>),
    Utf8(Utf8),
    Scheme {
        transcoder: Box<ByteTranscoder>,
        scheme: Scheme,
        /// The bytes of the file before the text.
        before: u64,
    },
    Legacy {
        decoder: Box<LegacyDecoder>,
        /// The bytes of the file before the bytes that it decodes.
        before: u64,
    },
    Ended,
}

/// Text in UTF-8: well-formed pieces are passed on without a copy.
struct Utf8 {
    /// For the others. It has no part of a character, except at the end of the file.
    transcoder: Box<ByteTranscoder>,
    /// The bytes of the file that the transcoder does not get.
    passed: u64,
    /// The incomplete character at the end of the last piece.
    cut: Vec<u8>,
    /// True if the transcoder repairs.
    repairs: bool,
    /// True if it has to see all text, for it repairs runs.
    has_runs: bool,
}

impl Decoder {
    /// Creates the decoder of a file.
    pub(super) fn new(decoding: Decoding) -> Self {
        let detects = decoding.choice == Choice::Detected;
        Self {
            decoding,
            state: State::Start(Vec::new()),
            piece: Bytes::new(),
            fed: 0,
            ended: false,
            detector: detects.then(Box::default),
            mixture: None,
            sink: Sink::default(),
            failure: None,
        }
    }

    /// Takes the next bytes of the file. All bytes before must be decoded.
    pub(super) fn feed(&mut self, piece: Bytes) {
        debug_assert!(self.piece.is_empty(), "the piece before is not decoded");
        if matches!(self.state, State::Ended) {
            return;
        }
        self.fed += piece.len() as u64;
        if let Some(detector) = &mut self.detector {
            detector.push(&piece);
        }
        self.piece = piece;
        self.find_mixture();
    }

    /// Takes the end of the file.
    pub(super) fn end(&mut self) {
        self.ended = true;
        self.find_mixture();
    }

    /// Looks for parts in another encoding than that which is decoded.
    fn find_mixture(&mut self) {
        if let (Some(detector), None) = (&self.detector, self.mixture)
            && !matches!(self.state, State::Start(_) | State::Ended)
            && let Some(mixture) = detector.mixture(self.ended)
        {
            self.end_at(mixture.boundary, mixture);
        }
    }

    /// Decodes the piece up to this offset of the file only.
    fn end_at(&mut self, end: u64, mixture: Mixture) {
        let start = self.fed - self.piece.len() as u64;
        self.piece.truncate(usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX));
        self.mixture = Some(mixture);
    }

    /// Returns true if the file and the text end with the piece.
    fn is_at_end(&self) -> bool {
        self.ended && self.mixture.is_none()
    }

    /// Returns the next text, or a failure, after which the text may continue; `None` where all
    /// bytes so far are decoded.
    pub(super) fn next(&mut self) -> Option<Result<Bytes, Failure>> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Some(Err(failure));
            }
            let text = match &mut self.state {
                State::Start(_) => match self.begin() {
                    Ok(Some(plain)) => plain,
                    Ok(None) => return None,
                    Err(failure) => return Some(Err(failure)),
                },
                State::Ended => return None,
                _ if self.piece.is_empty() && self.mixture.is_some() => {
                    self.state = State::Ended;
                    return self.mixture.map(|mixture| Err(Failure::Mixed(mixture)));
                }
                _ if self.piece.is_empty() && !self.ended => return None,
                State::Utf8(utf8) => match utf8.well_formed(&mut self.piece) {
                    Some(text) => text,
                    None => self.decode_utf8(),
                },
                State::Scheme { .. } => self.decode_scheme(),
                State::Legacy { .. } => self.decode_legacy(),
            };
            if !text.is_empty() {
                return Some(Ok(text));
            }
        }
    }

    /// Finds the encoding. Returns `None` where more bytes are needed, and plain ASCII before the
    /// byte that decides.
    fn begin(&mut self) -> Result<Option<Bytes>, Failure> {
        let State::Start(start) = &mut self.state else { return Ok(Some(Bytes::new())) };
        let mut bytes = std::mem::take(&mut self.piece);
        if !start.is_empty() {
            start.extend_from_slice(&bytes);
            bytes = std::mem::take(start).into();
        }
        let named = match self.decoding.choice {
            Choice::Detected => return self.begin_detected(bytes),
            Choice::Named(encoding) => encoding,
        };
        let marked = match bom::probe(&bytes) {
            Probe::More if !self.ended => return Ok(self.wait(bytes)),
            Probe::More => bom::detect(&bytes),
            Probe::Mark(scheme) => Some(scheme),
            Probe::NoMark => None,
        };
        let mark = marked.map_or(0, |scheme| scheme.byte_order_mark().len());
        self.piece = bytes.slice(mark..);
        self.begin_with(marked.map_or(named, Charset::Scheme), mark as u64);
        Ok(Some(Bytes::new()))
    }

    /// Waits for more bytes.
    fn wait(&mut self, bytes: Bytes) -> Option<Bytes> {
        self.state = State::Start(bytes.into());
        None
    }

    /// [`begin`](Self::begin) with the bytes after plain ASCII that was returned.
    fn begin_detected(&mut self, bytes: Bytes) -> Result<Option<Bytes>, Failure> {
        let Some(detector) = &self.detector else { return Ok(None) };
        let before = self.fed - bytes.len() as u64;
        if !self.ended && detector.is_plain() && self.fed >= SAMPLE {
            return Ok(Some(bytes).filter(|bytes| !bytes.is_empty()));
        }
        if !self.ended && !detector.is_decided() {
            return Ok(self.wait(bytes));
        }
        let found = detector.found(self.ended);
        let (encoding, mark) = match (found.mixture, found.charset) {
            (Some(Mixture { first: Some(scheme), .. }), _) => {
                let mark = scheme.byte_order_mark();
                let is_marked = before == 0 && bytes.starts_with(mark);
                (Charset::Scheme(scheme), if is_marked { mark.len() } else { 0 })
            }
            // Only its plain ASCII is read.
            (Some(_), _) => (Charset::Scheme(Scheme::Utf8), 0),
            (None, Some(encoding)) => (encoding, found.mark_len()),
            (None, None) if matches!(self.decoding.on_error, OnError::Repair(_)) => {
                (Charset::Scheme(detect::detect_prefix(&bytes).closest()), 0)
            }
            (None, None) => {
                self.state = State::Ended;
                return Err(Failure::Binary);
            }
        };
        let encoding = match encoding {
            // Text beyond ASCII may follow.
            Charset::Scheme(Scheme::Ascii) => Charset::Scheme(Scheme::Utf8),
            // After plain ASCII, wider units would be a mixture.
            Charset::Scheme(scheme) if before > 0 && scheme.unit_size() > 1 => {
                Charset::Scheme(Scheme::Utf8)
            }
            encoding => encoding,
        };
        let plain = bytes.iter().position(|byte| !byte.is_ascii() || *byte == b'\x1B');
        self.piece = bytes.slice(mark..);
        self.begin_with(encoding, before + mark as u64);
        if let Some(mixture) = found.mixture {
            let plain = before + plain.unwrap_or(0) as u64;
            self.end_at(if mixture.first.is_some() { mixture.boundary } else { plain }, mixture);
        }
        Ok(Some(Bytes::new()))
    }

    /// Begins to decode after so many bytes of the file.
    fn begin_with(&mut self, encoding: Charset, before: u64) {
        let scheme = match encoding {
            Charset::Scheme(scheme) => scheme,
            Charset::Legacy(encoding) => {
                let decoder = Box::new(LegacyDecoder::new(encoding));
                self.state = State::Legacy { decoder, before };
                return;
            }
        };
        let policy = match self.decoding.on_error {
            OnError::Repair(repair) => Policy::from(repair.repair()),
            OnError::Error | OnError::Null => Policy::STOP,
        };
        let transcoder = ByteTranscoder::new(scheme, Scheme::Utf8).with_policy(policy);
        let transcoder = Box::new(transcoder);
        self.state = match scheme {
            Scheme::Utf8 => {
                let on_error = self.decoding.on_error;
                let repairs = matches!(on_error, OnError::Repair(_));
                let has_runs = on_error == OnError::Repair(IllFormed::ReplaceRuns);
                State::Utf8(Utf8 { transcoder, passed: before, cut: Vec::new(), repairs, has_runs })
            }
            scheme => State::Scheme { transcoder, scheme, before },
        };
    }

    /// Decodes UTF-8 that begins in a character, or is ill-formed.
    fn decode_utf8(&mut self) -> Bytes {
        let is_at_end = self.is_at_end();
        let State::Utf8(utf8) = &mut self.state else { return Bytes::new() };
        let bytes = match utf8.cut.is_empty() {
            true => std::mem::take(&mut self.piece),
            // The rest of the piece may be well-formed.
            false => {
                let rest = self.piece.split_to(rest_of_character(&self.piece));
                [&std::mem::take(&mut utf8.cut), &rest[..]].concat().into()
            }
        };
        let is_last = is_at_end && self.piece.is_empty();
        let whole = match is_last {
            true => bytes.len(),
            false => Scheme::Utf8.split_incomplete(&bytes).0.len(),
        };
        self.sink.reserve(if utf8.repairs { whole } else { 0 });
        let (read, end) = transcode(&mut utf8.transcoder, &bytes[..whole], is_last, &mut self.sink);
        if self.piece.is_empty() && read < whole {
            self.piece = bytes.slice(read..);
        } else {
            utf8.cut = bytes[read..].to_vec();
        }
        let passed = utf8.passed;
        self.end_of_text(end, Scheme::Utf8, passed)
    }

    /// Decodes the piece in another encoding of utflane.
    fn decode_scheme(&mut self) -> Bytes {
        let is_at_end = self.is_at_end();
        let State::Scheme { transcoder, scheme, before } = &mut self.state else {
            return Bytes::new();
        };
        self.sink.reserve(self.piece.len());
        let (read, end) = transcode(transcoder, &self.piece, is_at_end, &mut self.sink);
        self.piece.advance(read);
        let (scheme, before) = (*scheme, *before);
        self.end_of_text(end, scheme, before)
    }

    /// Decodes the piece in an encoding of `encoding_rs`.
    fn decode_legacy(&mut self) -> Bytes {
        let is_at_end = self.is_at_end();
        let State::Legacy { decoder, before } = &mut self.state else { return Bytes::new() };
        let on_error = self.decoding.on_error;
        self.sink.reserve(self.piece.len());
        let result =
            decoder.decode(&self.piece, is_at_end, &mut self.sink, |sequence, bytes, sink| {
                legacy::repair(on_error, sequence, bytes, sink)
            });
        match result {
            Ok(()) => {
                self.piece.clear();
                if is_at_end {
                    self.state = State::Ended;
                }
            }
            Err(stopped) => {
                self.piece.advance(stopped.read);
                let encoding = Charset::Legacy(decoder.encoding()).name();
                let offset = *before + stopped.sequence.offset;
                self.failure = Some(Failure::IllFormed { encoding, offset });
            }
        }
        self.sink.take().into()
    }

    /// Returns the decoded text, and keeps the failure after it. `passed` bytes of the file were
    /// not for the transcoder.
    fn end_of_text(&mut self, end: End, scheme: Scheme, passed: u64) -> Bytes {
        match end {
            End::Piece => {}
            End::File => self.state = State::Ended,
            End::Failed(error) => {
                let (encoding, offset) = (scheme.name(), passed + error.offset());
                self.failure = Some(Failure::IllFormed { encoding, offset });
            }
        }
        self.sink.take().into()
    }
}

impl Utf8 {
    /// Takes the well-formed text at the start of a piece without a copy, if there is some.
    fn well_formed(&mut self, piece: &mut Bytes) -> Option<Bytes> {
        if self.has_runs || !self.cut.is_empty() {
            return None;
        }
        let len = utflane::validate::<utflane::Utf8>(piece).err();
        let len = len.map_or(piece.len(), |error| error.valid_up_to());
        self.passed += len as u64;
        (len > 0).then(|| piece.split_to(len))
    }
}

/// The reason why [`transcode`] returned.
enum End {
    /// All of the piece is decoded.
    Piece,
    /// It was the last one.
    File,
    /// A sequence is ill-formed.
    Failed(StreamError),
}

/// Decodes a piece, and returns the bytes that were read.
fn transcode(
    transcoder: &mut ByteTranscoder,
    piece: &[u8],
    is_last: bool,
    sink: &mut Sink,
) -> (usize, End) {
    let mut read = 0;
    loop {
        let is_end = read == piece.len();
        if is_end && !is_last {
            return (read, End::Piece);
        }
        let progress = match is_end {
            false => transcoder.push(&piece[read..], sink.spare()),
            true => transcoder.finish(sink.spare()),
        };
        sink.advance(progress.written);
        read += progress.read;
        match progress.stop {
            Stop::Done if is_end => return (read, End::File),
            Stop::Done => {}
            Stop::OutputFull => sink.grow(),
            Stop::Error(error) => return (read, End::Failed(error)),
        }
    }
}

/// The bytes of UTF-8 that belong to a character that began before them, or one byte that shows
/// that it is cut.
fn rest_of_character(piece: &[u8]) -> usize {
    let rest = piece.iter().take(MAX_CONTINUATION).take_while(|&&byte| byte & 0xC0 == 0x80);
    rest.count().max(1).min(piece.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a file that is split into pieces of a length, and its errors.
    fn decoded(label: &str, on_error: &str, file: &[u8], piece: usize) -> (String, Vec<Failure>) {
        let on_error = OnError::from_name(on_error).expect("a name");
        let mut decoder = Decoder::new(Decoding {
            choice: Choice::from_label(label).expect("a label"),
            on_error,
        });
        let (mut out, mut failures) = (Vec::new(), Vec::new());
        let mut all = |decoder: &mut Decoder| {
            while let Some(next) = decoder.next() {
                match next {
                    Ok(text) => out.extend_from_slice(&text),
                    Err(failure) => failures.push(failure),
                }
            }
        };
        for piece in file.chunks(piece) {
            decoder.feed(Bytes::copy_from_slice(piece));
            all(&mut decoder);
        }
        decoder.end();
        all(&mut decoder);
        all(&mut decoder);
        (String::from_utf8(out).expect("UTF-8"), failures)
    }

    #[test]
    fn cuts_change_nothing() {
        let utf16: Vec<u8> =
            "\u{FEFF}größer 😀\n漢字".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let long = "größer 漢字 ".repeat(5_000);
        for piece in [1, 2, 3, 7, 1000, 100_000] {
            let text = ("größer 😀\n漢字".to_owned(), vec![]);
            assert_eq!(decoded("latin1", "error", &utf16, piece), text);
            assert_eq!(decoded("utf-16le", "error", &utf16[2..], piece), text);
            assert_eq!(decoded("auto", "error", &utf16, piece), text);
            assert_eq!(decoded("auto", "error", long.as_bytes(), piece.max(7)).0, long);
            assert_eq!(decoded("sjis", "error", b"\x82\xA0\x82\xA2", piece).0, "あい");
            assert_eq!(decoded("utf-8", "error", b"", piece).0, "");
            assert_eq!(decoded("auto", "error", b"", piece).0, "");
            assert_eq!(decoded("utf-8", "error", b"\xEF\xBB\xBFa", piece).0, "a");
        }
    }

    #[test]
    fn failures_have_their_place_in_the_file() {
        for piece in [1, 2, 3, 100] {
            let failure = |encoding, offset| Failure::IllFormed { encoding, offset };
            let (text, failures) = decoded("utf-8", "error", b"\xEF\xBB\xBFa\xFFb\xE2\x82", piece);
            assert_eq!(text, "ab");
            assert_eq!(failures, [failure("utf-8", 4), failure("utf-8", 6)]);
            let (text, failures) = decoded("utf-16le", "null", b"a\0\0\xDCb\0c", piece);
            assert_eq!(text, "ab");
            assert_eq!(failures, [failure("utf-16le", 2), failure("utf-16le", 6)]);
            let long = [&b"ab".repeat(40)[..], b"\x82\xFFc\x82"].concat();
            let (text, failures) = decoded("shift_jis", "error", &long, piece);
            assert_eq!(text, "ab".repeat(40) + "c");
            assert_eq!(failures, [failure("shift_jis", 80), failure("shift_jis", 83)]);
        }
        assert_eq!(decoded("auto", "error", &[0; 100], 9).1, [Failure::Binary]);
    }

    #[test]
    fn repairs() {
        for piece in [1, 2, 100] {
            let file = b"a\xFF\xFEb\xC3";
            assert_eq!(decoded("utf-8", "replace", file, piece).0, "a\u{FFFD}\u{FFFD}b\u{FFFD}");
            assert_eq!(decoded("utf-8", "replace-runs", file, piece).0, "a\u{FFFD}b\u{FFFD}");
            assert_eq!(decoded("utf-8", "skip", file, piece).0, "ab");
            let file = b"\xD2\xFFa\xD2";
            let repaired = |repair| decoded("windows-1253", repair, file, piece).0;
            assert_eq!(repaired("replace"), "\u{FFFD}\u{FFFD}a\u{FFFD}");
            assert_eq!(repaired("replace-runs"), "\u{FFFD}a\u{FFFD}");
            assert_eq!(repaired("latin1"), "ÒÿaÒ");
        }
    }

    /// Encodings that are decided late, and files in different encodings.
    #[test]
    fn all_of_a_file_is_detected() {
        let plain = "plain ASCII line\n".repeat(8000);
        let mixture = |first, boundary, second| {
            let first = Charset::Scheme(first);
            (format!("{first} up to byte {boundary}, then {second}"), boundary)
        };
        let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let end = "angehängt\r\nZeile\r\n";
        let marked = wide(&format!("\u{FEFF}{}", "größer\n".repeat(100)));
        let long = "größer\n".repeat(20_000);
        /// A file, its text after the plain lines, and the mixture with its offset.
        type Case<'a> = (Vec<u8>, &'a str, Option<(String, u64)>);
        let cases: [Case<'_>; 9] = [
            ([plain.as_bytes(), "café".as_bytes()].concat(), "café", None),
            ([plain.as_bytes(), b"caf\xE9 cr\xE8me\n"].concat(), "café crème\n", None),
            (
                [plain.as_bytes(), b"\x82\xA2\x82\xEB\x82\xCD\x82\xC9\x82\xD9\x82\xD6"].concat(),
                "いろはにほへ",
                None,
            ),
            (
                [plain.as_bytes(), &wide(end)].concat(),
                "",
                Some(mixture(Scheme::Utf8, 136_000, "utf-16le")),
            ),
            (
                [long.as_bytes(), &wide(end)].concat(),
                &long,
                Some(mixture(Scheme::Utf8, 180_000, "utf-16le")),
            ),
            (
                [&b"gr\xC3\xB6\xC3\x9Fer\n"[..], &wide(end)].concat(),
                "größer\n",
                Some(mixture(Scheme::Utf8, 9, "utf-16le")),
            ),
            (
                [&marked, long.as_bytes()].concat(),
                &"größer\n".repeat(100),
                Some(mixture(Scheme::Utf16Le, 1402, "utf-8")),
            ),
            ([&b"\xEF\xBB\xBF"[..], long.as_bytes()].concat(), &long, None),
            (
                b"one\ngr\xF6\xDFer\nna\xC3\xAFve, \xC3\xBCber\n".to_vec(),
                "one\ngr",
                Some(("a legacy encoding up to byte 13, then utf-8".into(), 13)),
            ),
        ];
        for (file, want, mixed) in &cases {
            for on_error in ["error", "replace", "null"] {
                for piece in [1000, 8192, 128 * 1024] {
                    let (text, failures) = decoded("auto", on_error, file, piece);
                    let text = text.strip_prefix(&plain).unwrap_or(&text);
                    assert!(text == *want, "{mixed:?}, {piece}: {}", &text[..text.len().min(99)]);
                    let found: Vec<_> = failures
                        .iter()
                        .map(|failure| match failure {
                            Failure::Mixed(mixture) => (mixture.to_string(), mixture.boundary),
                            other => panic!("{other:?}"),
                        })
                        .collect();
                    assert_eq!(found.first(), mixed.as_ref());
                    assert!(found.len() <= 1);
                }
            }
        }
        // The offsets of errors include the ASCII prefix.
        let sjis = [plain.as_bytes(), &b"\x82\xA0".repeat(50_000), b"\x82\xFF"].concat();
        let failure = Failure::IllFormed { encoding: "shift_jis", offset: 236_000 };
        assert_eq!(decoded("auto", "error", &sjis, 5000).1, [failure]);
    }

    /// Bytes in which complete characters, incomplete ones and other bytes alternate.
    fn damaged(seed: u64, len: usize) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 33) as usize
        };
        let parts: [&[u8]; 8] = [
            b"plain\n",
            "é".as_bytes(),
            "漢字".as_bytes(),
            "😀".as_bytes(),
            b"\xF0\x9F",
            b"\x80",
            b"\xE2\x82",
            b"a",
        ];
        let mut bytes = Vec::new();
        while bytes.len() < len {
            bytes.extend_from_slice(parts[next() % parts.len()]);
        }
        bytes
    }

    /// The text around ill-formed sequences and their offsets, by std.
    fn by_std(mut rest: &[u8]) -> (String, Vec<Failure>) {
        let (mut text, mut failures, mut offset) = (String::new(), Vec::new(), 0);
        for chunk in rest.utf8_chunks() {
            text.push_str(chunk.valid());
            offset += chunk.valid().len() as u64;
            if !chunk.invalid().is_empty() {
                failures.push(Failure::IllFormed { encoding: "utf-8", offset });
            }
            offset += chunk.invalid().len() as u64;
            rest = &rest[chunk.valid().len() + chunk.invalid().len()..];
        }
        assert!(rest.is_empty());
        (text, failures)
    }

    #[test]
    fn utf8_is_that_of_std_however_it_is_cut() {
        for seed in 0..60 {
            let file = damaged(seed, 5 * seed as usize);
            for piece in [1, 2, 3, 4, 5, 16, 1000] {
                assert_eq!(decoded("utf-8", "null", &file, piece), by_std(&file), "{file:02X?}");
                let repaired = decoded("utf-8", "replace", &file, piece).0;
                assert_eq!(repaired, String::from_utf8_lossy(&file), "{file:02X?}");
                let runs = decoded("utf-8", "replace-runs", &file, piece).0;
                assert_eq!(runs, decoded("utf-8", "replace-runs", &file, usize::MAX).0);
            }
        }
    }

    #[test]
    fn well_formed_utf8_is_not_copied() {
        let (file, on_error) = ("größer 漢字\n".repeat(100), OnError::Error);
        let choice = Choice::from_label("utf-8").expect("a label");
        let mut decoder = Decoder::new(Decoding { choice, on_error });
        let file = Bytes::from(file);
        for piece in [file.slice(..500), file.slice(500..)] {
            decoder.feed(piece);
            while let Some(text) = decoder.next() {
                let text = text.expect("text");
                assert!(text.len() <= 4 || file.as_ptr_range().contains(&text.as_ptr()));
            }
        }
    }
}
