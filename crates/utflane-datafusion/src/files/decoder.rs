//! Decodes a file that arrives in chunks. A chunk may end at any byte.

use bytes::{Buf, Bytes};
use utflane::bom::{self, Probe};
use utflane::{ByteTranscoder, IllFormed, Policy, Scheme, Stop, StreamError};
use utflane_charset::{Charset, Detector, LegacyDecoder, Mixture, Sink};

use super::error::Failure;
use crate::encoding::{EncodingChoice, NamedRepair, OnError, closest_to_binary};
use crate::legacy;

/// The number of bytes of plain ASCII at the start of a file that are held back, because they may
/// turn out to be UTF-16.
const HELD_BACK_BYTES: u64 = 64 * 1024;

/// The maximum number of continuation bytes of a character in UTF-8.
const MAX_CONTINUATION_BYTES: usize = 3;

/// The encoding of files, and the handling of ill-formed sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decoding {
    pub(super) choice: EncodingChoice,
    pub(super) on_error: OnError<IllFormed>,
}

/// Decodes a file to UTF-8. A byte order mark decides the encoding and is removed.
pub(super) struct Decoder {
    decoding: Decoding,
    state: State,
    /// The bytes of the last chunk that are not decoded yet.
    chunk: Bytes,
    /// The number of bytes of the file up to the end of `chunk`.
    bytes_fed: u64,
    /// True if the file ends with `chunk`.
    ended: bool,
    /// The detector, which reads the whole file, if its encoding is detected.
    detector: Option<Box<Detector>>,
    /// The first two parts, if the file has parts in different encodings. Only the first part is
    /// decoded.
    mixture: Option<Mixture>,
    sink: Sink,
    /// The failure that follows the last text that was returned.
    failure: Option<Failure>,
}

/// The state of decoding: the encoding, once it is known.
enum State {
    /// The encoding is not known yet. The bytes are all bytes so far, except plain ASCII that was
    /// already returned.
    Start(Vec<u8>),
    Utf8(Utf8Decoder),
    Scheme {
        transcoder: Box<ByteTranscoder>,
        scheme: Scheme,
        /// The number of bytes of the file before the bytes that the transcoder decodes.
        before: u64,
    },
    Legacy {
        decoder: Box<LegacyDecoder>,
        /// The number of bytes of the file before the bytes that the decoder decodes.
        before: u64,
    },
    Ended,
}

/// A decoder of UTF-8, which passes on well-formed text without a copy.
struct Utf8Decoder {
    /// Decodes text that is not passed on. It keeps no part of a character, except at the end of
    /// the file.
    transcoder: Box<ByteTranscoder>,
    /// The number of bytes of the file that the transcoder does not get.
    bytes_passed: u64,
    /// The incomplete character at the end of the previous chunk.
    incomplete: Vec<u8>,
    /// True if the transcoder repairs ill-formed sequences.
    repairs: bool,
    /// True if runs of ill-formed sequences are repaired together, so that the transcoder has to
    /// get all text.
    repairs_runs: bool,
}

impl Decoder {
    /// Creates the decoder of a file.
    pub(super) fn new(decoding: Decoding) -> Self {
        let detects = decoding.choice == EncodingChoice::Detected;
        Self {
            decoding,
            state: State::Start(Vec::new()),
            chunk: Bytes::new(),
            bytes_fed: 0,
            ended: false,
            detector: detects.then(Box::default),
            mixture: None,
            sink: Sink::default(),
            failure: None,
        }
    }

    /// Takes the next chunk of the file. All earlier bytes must have been decoded.
    pub(super) fn feed(&mut self, chunk: Bytes) {
        debug_assert!(self.chunk.is_empty(), "the previous chunk is not decoded");
        if matches!(self.state, State::Ended) {
            return;
        }
        self.bytes_fed += chunk.len() as u64;
        if let Some(detector) = &mut self.detector {
            detector.push(&chunk);
        }
        self.chunk = chunk;
        self.find_mixture();
    }

    /// Declares that the file has ended.
    pub(super) fn end(&mut self) {
        self.ended = true;
        self.find_mixture();
    }

    /// Looks for a part in another encoding than the encoding that is decoded.
    fn find_mixture(&mut self) {
        if let (Some(detector), None) = (&self.detector, self.mixture)
            && !matches!(self.state, State::Start(_) | State::Ended)
            && let Some(mixture) = detector.mixture(self.ended)
        {
            self.truncate_at(mixture.boundary, mixture);
        }
    }

    /// Truncates the chunk at the offset `end` in the file.
    fn truncate_at(&mut self, end: u64, mixture: Mixture) {
        let start = self.bytes_fed - self.chunk.len() as u64;
        self.chunk.truncate(usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX));
        self.mixture = Some(mixture);
    }

    /// Returns true if the end of the chunk is the end of the file, that is, no mixture truncated
    /// the last chunk.
    fn is_at_end(&self) -> bool {
        self.ended && self.mixture.is_none()
    }

    /// Returns the next text, or a failure, after which the text may continue; `None` if all bytes
    /// so far are decoded.
    pub(super) fn next(&mut self) -> Option<Result<Bytes, Failure>> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Some(Err(failure));
            }
            let text = match &mut self.state {
                State::Start(_) => match self.begin() {
                    Ok(Some(text)) => text,
                    Ok(None) => return None,
                    Err(failure) => return Some(Err(failure)),
                },
                State::Ended => return None,
                _ if self.chunk.is_empty() && self.mixture.is_some() => {
                    self.state = State::Ended;
                    return self.mixture.map(|mixture| Err(Failure::Mixed(mixture)));
                }
                _ if self.chunk.is_empty() && !self.ended => return None,
                State::Utf8(utf8) => match utf8.take_well_formed(&mut self.chunk) {
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

    /// Finds the encoding, and begins to decode. Returns `None` if more bytes are needed, otherwise
    /// the text that precedes the decoded text: plain ASCII from before the byte that decides, or
    /// nothing.
    fn begin(&mut self) -> Result<Option<Bytes>, Failure> {
        let State::Start(start) = &mut self.state else { return Ok(Some(Bytes::new())) };
        let mut bytes = std::mem::take(&mut self.chunk);
        if !start.is_empty() {
            start.extend_from_slice(&bytes);
            bytes = std::mem::take(start).into();
        }
        let named = match self.decoding.choice {
            EncodingChoice::Detected => return self.begin_detected(bytes),
            EncodingChoice::Named(encoding) => encoding,
        };
        let marked = match bom::probe(&bytes) {
            Probe::More if !self.ended => return Ok(self.wait_for_more(bytes)),
            Probe::More => bom::detect(&bytes),
            Probe::Mark(scheme) => Some(scheme),
            Probe::NoMark => None,
        };
        let mark_len = marked.map_or(0, |scheme| scheme.byte_order_mark().len());
        self.chunk = bytes.slice(mark_len..);
        self.start_decoder(marked.map_or(named, Charset::Scheme), mark_len as u64);
        Ok(Some(Bytes::new()))
    }

    /// Keeps `bytes` until more bytes arrive.
    fn wait_for_more(&mut self, bytes: Bytes) -> Option<Bytes> {
        self.state = State::Start(bytes.into());
        None
    }

    /// Implements [`begin`](Self::begin) if the encoding is detected. `bytes` are the bytes after
    /// the plain ASCII that was already returned.
    fn begin_detected(&mut self, bytes: Bytes) -> Result<Option<Bytes>, Failure> {
        let Some(detector) = &self.detector else { return Ok(None) };
        let before = self.bytes_fed - bytes.len() as u64;
        if !self.ended && detector.is_plain() && self.bytes_fed >= HELD_BACK_BYTES {
            return Ok(Some(bytes).filter(|bytes| !bytes.is_empty()));
        }
        if !self.ended && !detector.is_decided() {
            return Ok(self.wait_for_more(bytes));
        }
        let found = detector.found(self.ended);
        let (encoding, mark_len) = match (found.mixture, found.charset) {
            (Some(Mixture { first: Some(scheme), .. }), _) => {
                let mark = scheme.byte_order_mark();
                let is_marked = before == 0 && bytes.starts_with(mark);
                (Charset::Scheme(scheme), if is_marked { mark.len() } else { 0 })
            }
            // The first part is in a legacy encoding: only the plain ASCII at its start is decoded.
            (Some(_), _) => (Charset::Scheme(Scheme::Utf8), 0),
            (None, Some(encoding)) => (encoding, found.mark_len()),
            (None, None) if matches!(self.decoding.on_error, OnError::Repair(_)) => {
                (closest_to_binary(Scheme::Utf8.split_incomplete(&bytes).0), 0)
            }
            (None, None) => {
                self.state = State::Ended;
                return Err(Failure::Binary);
            }
        };
        let encoding = match encoding {
            // Non-ASCII text may follow.
            Charset::Scheme(Scheme::Ascii) => Charset::Scheme(Scheme::Utf8),
            // After plain ASCII was returned, UTF-16 or UTF-32 would be a part in another encoding.
            Charset::Scheme(scheme) if before > 0 && scheme.unit_size() > 1 => {
                Charset::Scheme(Scheme::Utf8)
            }
            encoding => encoding,
        };
        let plain_len = bytes.iter().position(|byte| !byte.is_ascii() || *byte == b'\x1B');
        self.chunk = bytes.slice(mark_len..);
        self.start_decoder(encoding, before + mark_len as u64);
        if let Some(mixture) = found.mixture {
            let plain_end = before + plain_len.unwrap_or(0) as u64;
            let end = if mixture.first.is_some() { mixture.boundary } else { plain_end };
            self.truncate_at(end, mixture);
        }
        Ok(Some(Bytes::new()))
    }

    /// Creates the decoder of an encoding. `before` is the number of bytes of the file before the
    /// bytes that it decodes.
    fn start_decoder(&mut self, encoding: Charset, before: u64) {
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
                let repairs_runs = on_error == OnError::Repair(IllFormed::ReplaceRuns);
                State::Utf8(Utf8Decoder {
                    transcoder,
                    bytes_passed: before,
                    incomplete: Vec::new(),
                    repairs,
                    repairs_runs,
                })
            }
            scheme => State::Scheme { transcoder, scheme, before },
        };
    }

    /// Decodes UTF-8 that cannot be passed on: it begins inside a character, or it is ill-formed.
    fn decode_utf8(&mut self) -> Bytes {
        let is_at_end = self.is_at_end();
        let State::Utf8(utf8) = &mut self.state else { return Bytes::new() };
        let bytes = match utf8.incomplete.is_empty() {
            true => std::mem::take(&mut self.chunk),
            // Only the rest of the character is taken: the text after it may be well-formed.
            false => {
                let rest = self.chunk.split_to(character_rest_len(&self.chunk));
                [&std::mem::take(&mut utf8.incomplete), &rest[..]].concat().into()
            }
        };
        let is_last = is_at_end && self.chunk.is_empty();
        let complete_len = match is_last {
            true => bytes.len(),
            false => Scheme::Utf8.split_incomplete(&bytes).0.len(),
        };
        self.sink.reserve(if utf8.repairs { complete_len } else { 0 });
        let (read, end) =
            transcode(&mut utf8.transcoder, &bytes[..complete_len], is_last, &mut self.sink);
        if self.chunk.is_empty() && read < complete_len {
            self.chunk = bytes.slice(read..);
        } else {
            utf8.incomplete = bytes[read..].to_vec();
        }
        let bytes_passed = utf8.bytes_passed;
        self.take_text(end, Scheme::Utf8, bytes_passed)
    }

    /// Decodes the chunk from another encoding of utflane.
    fn decode_scheme(&mut self) -> Bytes {
        let is_at_end = self.is_at_end();
        let State::Scheme { transcoder, scheme, before } = &mut self.state else {
            return Bytes::new();
        };
        self.sink.reserve(self.chunk.len());
        let (read, end) = transcode(transcoder, &self.chunk, is_at_end, &mut self.sink);
        self.chunk.advance(read);
        let (scheme, before) = (*scheme, *before);
        self.take_text(end, scheme, before)
    }

    /// Decodes the chunk from an encoding from before Unicode.
    fn decode_legacy(&mut self) -> Bytes {
        let is_at_end = self.is_at_end();
        let State::Legacy { decoder, before } = &mut self.state else { return Bytes::new() };
        let on_error = self.decoding.on_error;
        self.sink.reserve(self.chunk.len());
        let result =
            decoder.decode(&self.chunk, is_at_end, &mut self.sink, |sequence, bytes, sink| {
                legacy::repair(on_error, sequence, bytes, sink)
            });
        match result {
            Ok(()) => {
                self.chunk.clear();
                if is_at_end {
                    self.state = State::Ended;
                }
            }
            Err(stopped) => {
                self.chunk.advance(stopped.read);
                let encoding = decoder.encoding().name();
                let offset = *before + stopped.sequence.offset;
                self.failure = Some(Failure::IllFormed { encoding, offset });
            }
        }
        self.sink.take().into()
    }

    /// Returns the decoded text, and keeps the failure that follows it. `bytes_passed` is the
    /// number of bytes of the file that the transcoder did not get.
    fn take_text(&mut self, end: TranscodeEnd, scheme: Scheme, bytes_passed: u64) -> Bytes {
        match end {
            TranscodeEnd::Chunk => {}
            TranscodeEnd::File => self.state = State::Ended,
            TranscodeEnd::Failed(error) => {
                let (encoding, offset) = (scheme.name(), bytes_passed + error.offset());
                self.failure = Some(Failure::IllFormed { encoding, offset });
            }
        }
        self.sink.take().into()
    }
}

impl Utf8Decoder {
    /// Removes the well-formed text at the start of a chunk, and returns it without a copy. Returns
    /// `None` if the transcoder has to decode the text.
    fn take_well_formed(&mut self, chunk: &mut Bytes) -> Option<Bytes> {
        if self.repairs_runs || !self.incomplete.is_empty() {
            return None;
        }
        let error = utflane::validate::<utflane::Utf8>(chunk).err();
        let len = error.map_or(chunk.len(), |error| error.valid_up_to());
        self.bytes_passed += len as u64;
        (len > 0).then(|| chunk.split_to(len))
    }
}

/// The reason why [`transcode`] returned.
enum TranscodeEnd {
    /// The whole chunk is decoded.
    Chunk,
    /// The whole chunk is decoded, and it was the last chunk.
    File,
    /// A sequence is ill-formed.
    Failed(StreamError),
}

/// Decodes a chunk. Returns the number of bytes that were read, and the reason why decoding
/// stopped.
fn transcode(
    transcoder: &mut ByteTranscoder,
    chunk: &[u8],
    is_last: bool,
    sink: &mut Sink,
) -> (usize, TranscodeEnd) {
    let mut read = 0;
    loop {
        let is_end = read == chunk.len();
        if is_end && !is_last {
            return (read, TranscodeEnd::Chunk);
        }
        let progress = match is_end {
            false => transcoder.push(&chunk[read..], sink.spare()),
            true => transcoder.finish(sink.spare()),
        };
        sink.advance(progress.written);
        read += progress.read;
        match progress.stop {
            Stop::Done if is_end => return (read, TranscodeEnd::File),
            Stop::Done => {}
            Stop::OutputFull => sink.grow(),
            Stop::Error(error) => return (read, TranscodeEnd::Failed(error)),
        }
    }
}

/// Returns the number of continuation bytes at the start of a chunk, which complete a character of
/// the previous chunk. If there are none, returns 1: the next byte then shows that the character is
/// truncated.
fn character_rest_len(chunk: &[u8]) -> usize {
    let rest = chunk.iter().take(MAX_CONTINUATION_BYTES).take_while(|&&byte| byte & 0xC0 == 0x80);
    rest.count().max(1).min(chunk.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a file in chunks of `chunk_len` bytes. Returns the text and the failures.
    fn decode_in_chunks(
        label: &str,
        on_error: &str,
        file: &[u8],
        chunk_len: usize,
    ) -> (String, Vec<Failure>) {
        let on_error = OnError::from_name(on_error).expect("the name is known");
        let mut decoder = Decoder::new(Decoding {
            choice: EncodingChoice::from_label(label).expect("the label is known"),
            on_error,
        });
        let (mut out, mut failures) = (Vec::new(), Vec::new());
        let mut decode_all = |decoder: &mut Decoder| {
            while let Some(next) = decoder.next() {
                match next {
                    Ok(text) => out.extend_from_slice(&text),
                    Err(failure) => failures.push(failure),
                }
            }
        };
        for chunk in file.chunks(chunk_len) {
            decoder.feed(Bytes::copy_from_slice(chunk));
            decode_all(&mut decoder);
        }
        decoder.end();
        decode_all(&mut decoder);
        decode_all(&mut decoder);
        (String::from_utf8(out).expect("the text is UTF-8"), failures)
    }

    #[test]
    fn the_text_does_not_depend_on_chunks() {
        let utf16: Vec<u8> =
            "\u{FEFF}größer 😀\n漢字".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let long = "größer 漢字 ".repeat(5_000);
        for chunk_len in [1, 2, 3, 7, 1000, 100_000] {
            let text = ("größer 😀\n漢字".to_owned(), vec![]);
            assert_eq!(decode_in_chunks("latin1", "error", &utf16, chunk_len), text);
            assert_eq!(decode_in_chunks("utf-16le", "error", &utf16[2..], chunk_len), text);
            assert_eq!(decode_in_chunks("auto", "error", &utf16, chunk_len), text);
            assert_eq!(
                decode_in_chunks("auto", "error", long.as_bytes(), chunk_len.max(7)).0,
                long
            );
            assert_eq!(decode_in_chunks("sjis", "error", b"\x82\xA0\x82\xA2", chunk_len).0, "あい");
            assert_eq!(decode_in_chunks("utf-8", "error", b"", chunk_len).0, "");
            assert_eq!(decode_in_chunks("auto", "error", b"", chunk_len).0, "");
            assert_eq!(decode_in_chunks("utf-8", "error", b"\xEF\xBB\xBFa", chunk_len).0, "a");
        }
    }

    #[test]
    fn failures_have_their_offset_in_the_file() {
        for chunk_len in [1, 2, 3, 100] {
            let failure = |encoding, offset| Failure::IllFormed { encoding, offset };
            let (text, failures) =
                decode_in_chunks("utf-8", "error", b"\xEF\xBB\xBFa\xFFb\xE2\x82", chunk_len);
            assert_eq!(text, "ab");
            assert_eq!(failures, [failure("utf-8", 4), failure("utf-8", 6)]);
            let (text, failures) =
                decode_in_chunks("utf-16le", "null", b"a\0\0\xDCb\0c", chunk_len);
            assert_eq!(text, "ab");
            assert_eq!(failures, [failure("utf-16le", 2), failure("utf-16le", 6)]);
            let long = [&b"ab".repeat(40)[..], b"\x82\xFFc\x82"].concat();
            let (text, failures) = decode_in_chunks("shift_jis", "error", &long, chunk_len);
            assert_eq!(text, "ab".repeat(40) + "c");
            assert_eq!(failures, [failure("shift_jis", 80), failure("shift_jis", 83)]);
        }
        assert_eq!(decode_in_chunks("auto", "error", &[0; 100], 9).1, [Failure::Binary]);
    }

    #[test]
    fn ill_formed_sequences_are_repaired() {
        for chunk_len in [1, 2, 100] {
            let file = b"a\xFF\xFEb\xC3";
            assert_eq!(
                decode_in_chunks("utf-8", "replace", file, chunk_len).0,
                "a\u{FFFD}\u{FFFD}b\u{FFFD}"
            );
            assert_eq!(
                decode_in_chunks("utf-8", "replace-runs", file, chunk_len).0,
                "a\u{FFFD}b\u{FFFD}"
            );
            assert_eq!(decode_in_chunks("utf-8", "skip", file, chunk_len).0, "ab");
            let file = b"\xD2\xFFa\xD2";
            let repaired = |repair| decode_in_chunks("windows-1253", repair, file, chunk_len).0;
            assert_eq!(repaired("replace"), "\u{FFFD}\u{FFFD}a\u{FFFD}");
            assert_eq!(repaired("replace-runs"), "\u{FFFD}a\u{FFFD}");
            assert_eq!(repaired("latin1"), "ÒÿaÒ");
        }
    }

    /// Tests files whose encoding is decided late, and files with parts in different encodings.
    #[test]
    fn the_whole_file_is_detected() {
        let plain = "plain ASCII line\n".repeat(8000);
        let mixture = |first, boundary, second| {
            let first = Charset::Scheme(first);
            (format!("{first} up to byte {boundary}, then {second}"), boundary)
        };
        let encode_utf16 =
            |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let appended = "angehängt\r\nZeile\r\n";
        let marked = encode_utf16(&format!("\u{FEFF}{}", "größer\n".repeat(100)));
        let long = "größer\n".repeat(20_000);
        /// A file, its text after the plain lines, and the description and boundary of its mixture.
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
                [plain.as_bytes(), &encode_utf16(appended)].concat(),
                "",
                Some(mixture(Scheme::Utf8, 136_000, "utf-16le")),
            ),
            (
                [long.as_bytes(), &encode_utf16(appended)].concat(),
                &long,
                Some(mixture(Scheme::Utf8, 180_000, "utf-16le")),
            ),
            (
                [&b"gr\xC3\xB6\xC3\x9Fer\n"[..], &encode_utf16(appended)].concat(),
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
        for (file, expected, mixture) in &cases {
            for on_error in ["error", "replace", "null"] {
                for chunk_len in [1000, 8192, 128 * 1024] {
                    let (text, failures) = decode_in_chunks("auto", on_error, file, chunk_len);
                    let text = text.strip_prefix(&plain).unwrap_or(&text);
                    assert!(
                        text == *expected,
                        "{mixture:?}, {chunk_len}: {}",
                        &text[..text.len().min(99)]
                    );
                    let found: Vec<_> = failures
                        .iter()
                        .map(|failure| match failure {
                            Failure::Mixed(mixture) => (mixture.to_string(), mixture.boundary),
                            other => panic!("{other:?}"),
                        })
                        .collect();
                    assert_eq!(found.first(), mixture.as_ref());
                    assert!(found.len() <= 1);
                }
            }
        }
        // The offsets of errors include the ASCII prefix.
        let sjis = [plain.as_bytes(), &b"\x82\xA0".repeat(50_000), b"\x82\xFF"].concat();
        let failure = Failure::IllFormed { encoding: "shift_jis", offset: 236_000 };
        assert_eq!(decode_in_chunks("auto", "error", &sjis, 5000).1, [failure]);
    }

    /// Returns random bytes: complete and incomplete characters of UTF-8, and bytes that are
    /// neither.
    fn random_bytes(seed: u64, len: usize) -> Vec<u8> {
        let mut state = seed;
        let mut next_random = || {
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
            bytes.extend_from_slice(parts[next_random() % parts.len()]);
        }
        bytes
    }

    /// Decodes UTF-8 with the standard library. Returns the text without ill-formed sequences, and
    /// a failure for each of these sequences.
    fn decode_by_std(mut rest: &[u8]) -> (String, Vec<Failure>) {
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
    fn utf8_in_chunks_is_decoded_as_by_std() {
        for seed in 0..60 {
            let file = random_bytes(seed, 5 * seed as usize);
            for chunk_len in [1, 2, 3, 4, 5, 16, 1000] {
                assert_eq!(
                    decode_in_chunks("utf-8", "null", &file, chunk_len),
                    decode_by_std(&file),
                    "{file:02X?}"
                );
                let repaired = decode_in_chunks("utf-8", "replace", &file, chunk_len).0;
                assert_eq!(repaired, String::from_utf8_lossy(&file), "{file:02X?}");
                let runs = decode_in_chunks("utf-8", "replace-runs", &file, chunk_len).0;
                assert_eq!(runs, decode_in_chunks("utf-8", "replace-runs", &file, usize::MAX).0);
            }
        }
    }

    #[test]
    fn well_formed_utf8_is_not_copied() {
        let (file, on_error) = ("größer 漢字\n".repeat(100), OnError::Error);
        let choice = EncodingChoice::from_label("utf-8").expect("the label is known");
        let mut decoder = Decoder::new(Decoding { choice, on_error });
        let file = Bytes::from(file);
        for chunk in [file.slice(..500), file.slice(500..)] {
            decoder.feed(chunk);
            while let Some(text) = decoder.next() {
                let text = text.expect("the file is well-formed");
                assert!(text.len() <= 4 || file.as_ptr_range().contains(&text.as_ptr()));
            }
        }
    }
}
