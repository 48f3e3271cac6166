//! Decoding of a stream in pieces, with each ill-formed sequence and its place.

use utflane::{ByteTranscoder, Scheme, Stop, StreamError};

use crate::errors::Flaw;
use utflane_charset::{Charset, LegacyDecoder, Sink};

/// Bytes that are kept of the pieces before: more than any ill-formed sequence has.
const KEPT: usize = 16;

/// Called for each ill-formed sequence, with its bytes. It may write a replacement, or end the
/// work.
pub(crate) trait OnFlaw {
    /// Returns whether decoding continues.
    fn flaw(&mut self, flaw: Flaw, sequence: &[u8], sink: &mut Sink) -> bool;
}

/// The state of a stream that is decoded to UTF-8 in which surrogates have three bytes.
pub(crate) struct Decoding {
    charset: Charset,
    engine: Engine,
    /// Bytes of the pieces before.
    offset: u64,
    /// The last of them.
    kept: Vec<u8>,
}

enum Engine {
    Scheme(Box<ByteTranscoder>),
    Legacy(Box<LegacyDecoder>),
}

impl Decoding {
    /// The start of a stream.
    pub(crate) fn new(charset: Charset) -> Self {
        let engine = match charset {
            Charset::Scheme(scheme) => {
                let to = if has_surrogates(scheme) { Scheme::Wtf8 } else { Scheme::Utf8 };
                Engine::Scheme(Box::new(ByteTranscoder::new(scheme, to)))
            }
            Charset::Legacy(encoding) => Engine::Legacy(Box::new(LegacyDecoder::new(encoding))),
        };
        Self { charset, engine, offset: 0, kept: Vec::new() }
    }

    /// The encoding.
    pub(crate) fn charset(&self) -> Charset {
        self.charset
    }

    /// Bytes of all pieces.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The last bytes of the pieces before the next one.
    pub(crate) fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// Decodes a piece, the last one if `last`. Returns whether all of it was decoded: otherwise
    /// `on_flaw` has ended the work, and this state must not be used again.
    pub(crate) fn push(
        &mut self,
        piece: &[u8],
        last: bool,
        sink: &mut Sink,
        on_flaw: &mut impl OnFlaw,
    ) -> bool {
        let end = self.offset + piece.len() as u64;
        let whole = match &mut self.engine {
            Engine::Scheme(transcoder) => {
                let text = Piece { kept: &self.kept, piece, end };
                push_scheme(transcoder, text, last, sink, on_flaw)
            }
            Engine::Legacy(decoder) => push_legacy(decoder, piece, last, sink, on_flaw),
        };
        if whole {
            self.offset = end;
            let from = piece.len().saturating_sub(KEPT);
            self.kept.extend_from_slice(&piece[from..]);
            let from = self.kept.len().saturating_sub(KEPT);
            self.kept.drain(..from);
        }
        whole
    }
}

/// Whether unpaired surrogates are well-formed in `scheme`.
pub(crate) fn has_surrogates(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be)
}

/// A piece with the bytes before it.
#[derive(Clone, Copy)]
struct Piece<'a> {
    kept: &'a [u8],
    piece: &'a [u8],
    /// The offset of its end.
    end: u64,
}

impl Piece<'_> {
    /// The bytes of a flaw, which begins in this piece or in the bytes before it.
    fn sequence(self, flaw: Flaw) -> Vec<u8> {
        let back = usize::try_from(self.end - flaw.offset).unwrap_or(usize::MAX);
        let len = flaw.len.min(back);
        if back <= self.piece.len() {
            let start = self.piece.len() - back;
            return self.piece[start..start + len].to_vec();
        }
        let start = self.kept.len().saturating_sub(back - self.piece.len());
        self.kept[start..].iter().chain(self.piece).copied().take(len).collect()
    }
}

fn push_scheme(
    transcoder: &mut ByteTranscoder,
    text: Piece<'_>,
    last: bool,
    sink: &mut Sink,
    on_flaw: &mut impl OnFlaw,
) -> bool {
    let flaw_of = |error: StreamError| {
        let len = error.error_len();
        let rest = usize::try_from(text.end - error.offset()).unwrap_or(usize::MAX);
        Flaw {
            offset: error.offset(),
            len: len.unwrap_or(rest),
            kind: error.kind().description(),
            incomplete: len.is_none(),
        }
    };
    let mut rest = text.piece;
    loop {
        let progress = transcoder.push(rest, sink.room());
        sink.advance(progress.written);
        rest = &rest[progress.read..];
        match progress.stop {
            Stop::Done => break,
            Stop::OutputFull => sink.grow(),
            Stop::Error(error) => {
                let flaw = flaw_of(error);
                if !on_flaw.flaw(flaw, &text.sequence(flaw), sink) {
                    return false;
                }
            }
        }
    }
    if !last {
        return true;
    }
    loop {
        let progress = transcoder.finish(sink.room());
        sink.advance(progress.written);
        match progress.stop {
            Stop::Done => return true,
            Stop::OutputFull => sink.grow(),
            Stop::Error(error) => {
                let flaw = flaw_of(error);
                if !on_flaw.flaw(flaw, &text.sequence(flaw), sink) {
                    return false;
                }
                // The incomplete sequence is the last error.
                if flaw.incomplete {
                    return true;
                }
            }
        }
    }
}

fn push_legacy(
    decoder: &mut LegacyDecoder,
    piece: &[u8],
    last: bool,
    sink: &mut Sink,
    on_flaw: &mut impl OnFlaw,
) -> bool {
    let mut push = |piece, ends| {
        let result = decoder.decode(piece, ends, sink, |sequence, bytes, sink| {
            let flaw = Flaw {
                offset: sequence.offset,
                len: sequence.len,
                kind: "ill-formed sequence",
                incomplete: ends,
            };
            on_flaw.flaw(flaw, bytes, sink)
        });
        result.is_ok()
    };
    // An ill-formed sequence that appears only at the end is cut by it.
    push(piece, false) && (!last || push(&[], true))
}
