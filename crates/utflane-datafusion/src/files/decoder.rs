//! Decodes a file that arrives in pieces, cut anywhere.

use encoding_rs::DecoderResult;
use utflane::bom::{self, Probe};
use utflane::{ByteTranscoder, IllFormed, Policy, Scheme, Stop, detect};
use utflane_charset::{Charset, detect_text};

use super::error::Failure;
use crate::encoding::{Choice, NamedRepair, OnError};
use crate::legacy;

/// Bytes by which an encoding is detected.
const SAMPLE: usize = 64 * 1024;
/// Bytes that are decoded before the output grows.
const ROOM: usize = 16 * 1024;
/// Decoded bytes that are kept: more than any ill-formed sequence has.
const KEPT: usize = 16;

/// The encoding of files, and the handling of ill-formed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decoding {
    pub(super) choice: Choice,
    pub(super) on_error: OnError<IllFormed>,
}

/// Decodes a file to UTF-8. A byte order mark is removed, and tells the encoding.
pub(super) struct Decoder {
    decoding: Decoding,
    state: State,
    /// Bytes of the file, decoded up to `at`.
    bytes: Vec<u8>,
    at: usize,
    /// The bytes of the file before `bytes`.
    before: u64,
    /// Whether `bytes` ends with the file.
    ended: bool,
}

/// The encoding, once it is known.
enum State {
    Start,
    Scheme {
        transcoder: Box<ByteTranscoder>,
        scheme: Scheme,
        /// The bytes of the file before the text.
        mark: u64,
    },
    Legacy {
        decoder: Box<encoding_rs::Decoder>,
        /// Whether nothing was written after a repair.
        after_repair: bool,
    },
    Ended,
}

impl Decoder {
    /// Creates the decoder of a file.
    pub(super) fn new(decoding: Decoding) -> Self {
        let state = State::Start;
        Self { decoding, state, bytes: Vec::new(), at: 0, before: 0, ended: false }
    }

    /// Takes the next bytes of the file.
    pub(super) fn feed(&mut self, piece: &[u8]) {
        let passed = self.at.saturating_sub(KEPT);
        self.bytes.drain(..passed);
        self.before += passed as u64;
        self.at -= passed;
        self.bytes.extend_from_slice(piece);
    }

    /// Takes the end of the file.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Appends the text of the bytes so far, up to a failure. The next call continues after it.
    pub(super) fn decode(&mut self, out: &mut Vec<u8>) -> Result<(), Failure> {
        if matches!(self.state, State::Start) && !self.begin()? {
            return Ok(());
        }
        match self.state {
            State::Scheme { .. } => self.decode_scheme(out),
            State::Legacy { .. } => self.decode_legacy(out),
            State::Start | State::Ended => Ok(()),
        }
    }

    /// Finds the encoding. Returns whether there were enough bytes.
    fn begin(&mut self) -> Result<bool, Failure> {
        let marked = match bom::probe(&self.bytes) {
            Probe::More if !self.ended => return Ok(false),
            Probe::More => bom::detect(&self.bytes),
            Probe::Mark(scheme) => Some(scheme),
            Probe::NoMark => None,
        };
        if let Some(scheme) = marked {
            let mark = scheme.byte_order_mark().len();
            self.at = mark;
            self.begin_with(Charset::Scheme(scheme));
            return Ok(true);
        }
        match self.decoding.choice {
            Choice::Named(encoding) => self.begin_with(encoding),
            Choice::Detected if self.bytes.len() < SAMPLE && !self.ended => return Ok(false),
            Choice::Detected => {
                let encoding = self.detected()?;
                self.begin_with(encoding);
            }
        }
        Ok(true)
    }

    /// The likely encoding of the bytes so far.
    fn detected(&mut self) -> Result<Charset, Failure> {
        let sample = &self.bytes[..self.bytes.len().min(SAMPLE)];
        let is_whole = self.ended && sample.len() == self.bytes.len();
        match detect_text(sample, is_whole).charset {
            // Text beyond ASCII may follow.
            Some(Charset::Scheme(Scheme::Ascii)) => Ok(Charset::Scheme(Scheme::Utf8)),
            Some(encoding) => Ok(encoding),
            None if matches!(self.decoding.on_error, OnError::Repair(_)) => {
                let detect = if is_whole { detect::detect } else { detect::detect_prefix };
                Ok(Charset::Scheme(detect(sample).closest()))
            }
            None => {
                self.state = State::Ended;
                Err(Failure::Binary)
            }
        }
    }

    /// Begins to decode.
    fn begin_with(&mut self, encoding: Charset) {
        self.state = match encoding {
            Charset::Scheme(scheme) => {
                let policy = match self.decoding.on_error {
                    OnError::Repair(repair) => Policy::from(repair.repair()),
                    OnError::Error | OnError::Null => Policy::STOP,
                };
                let transcoder = ByteTranscoder::new(scheme, Scheme::Utf8).with_policy(policy);
                State::Scheme { transcoder: Box::new(transcoder), scheme, mark: self.at as u64 }
            }
            Charset::Legacy(encoding) => {
                let decoder = Box::new(encoding.new_decoder_without_bom_handling());
                State::Legacy { decoder, after_repair: false }
            }
        };
    }

    /// [`decode`](Self::decode) in an encoding of utflane.
    fn decode_scheme(&mut self, out: &mut Vec<u8>) -> Result<(), Failure> {
        let State::Scheme { transcoder, scheme, mark } = &mut self.state else { return Ok(()) };
        loop {
            let src = &self.bytes[self.at..];
            let is_end = src.is_empty();
            if is_end && !self.ended {
                return Ok(());
            }
            let len = out.len();
            out.resize(len + ROOM, 0);
            let progress = match is_end {
                false => transcoder.push(src, &mut out[len..]),
                true => transcoder.finish(&mut out[len..]),
            };
            out.truncate(len + progress.written);
            self.at += progress.read;
            match progress.stop {
                Stop::Done if is_end => {
                    self.state = State::Ended;
                    return Ok(());
                }
                Stop::Error(error) => {
                    let offset = *mark + error.offset();
                    return Err(Failure::IllFormed { encoding: scheme.name(), offset });
                }
                _ => {}
            }
        }
    }

    /// [`decode`](Self::decode) in an encoding of `encoding_rs`.
    fn decode_legacy(&mut self, out: &mut Vec<u8>) -> Result<(), Failure> {
        let State::Legacy { decoder, after_repair } = &mut self.state else { return Ok(()) };
        loop {
            let len = out.len();
            out.resize(len + ROOM, 0);
            let src = &self.bytes[self.at..];
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(src, &mut out[len..], self.ended);
            out.truncate(len + written);
            self.at += read;
            *after_repair &= written == 0;
            let (sequence, after) = match result {
                DecoderResult::OutputFull => continue,
                DecoderResult::InputEmpty => {
                    if self.ended {
                        self.state = State::Ended;
                    }
                    return Ok(());
                }
                DecoderResult::Malformed(sequence, after) => (sequence, after),
            };
            let end = self.at.saturating_sub(usize::from(after));
            let start = end.saturating_sub(usize::from(sequence));
            let OnError::Repair(repair) = self.decoding.on_error else {
                let encoding = Charset::Legacy(decoder.encoding()).name();
                return Err(Failure::IllFormed { encoding, offset: self.before + start as u64 });
            };
            if repair != IllFormed::ReplaceRuns || !*after_repair {
                let mut replacement = String::new();
                legacy::push_replacement(repair, &self.bytes[start..end], &mut replacement);
                out.extend_from_slice(replacement.as_bytes());
            }
            *after_repair = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a file that is cut into pieces of a length, and the failures in it.
    fn decoded(label: &str, on_error: &str, file: &[u8], piece: usize) -> (String, Vec<Failure>) {
        let on_error = OnError::from_name(on_error).expect("a name");
        let mut decoder = Decoder::new(Decoding {
            choice: Choice::from_label(label).expect("a label"),
            on_error,
        });
        let (mut out, mut failures) = (Vec::new(), Vec::new());
        let mut all = |decoder: &mut Decoder| {
            while let Err(failure) = decoder.decode(&mut out) {
                failures.push(failure);
            }
        };
        for piece in file.chunks(piece) {
            decoder.feed(piece);
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
}
