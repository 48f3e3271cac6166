//! The encodings from which a file can be decoded, and the encodings to which it can be converted.
//!
//! A conversion goes through UTF-8, and errors are replaced here. So few conversions are linked; a
//! policy of the library would link the conversions of all pairs.

use utflane::{
    Ascii, Cesu8, Encoding, Latin1, Mutf8, Progress, Scheme, Stop, Transcoder, Utf8, Utf16Be,
    Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be, Wtf16Le, utf8,
};
use utflane_charset::{Charset, LegacyDecoder, LegacyStop, Source, Target};

/// An ill-formed sequence, or an unmappable character.
#[derive(Clone, Copy)]
pub(crate) struct Sequence {
    /// Bytes of the stream before it.
    pub(crate) offset: u64,
    /// Its bytes; `None` if it is incomplete at the end of the stream.
    pub(crate) len: Option<usize>,
    /// The kind of error in words, if the library decodes the encoding.
    pub(crate) kind: Option<&'static str>,
}

/// A conversion of a stream of bytes, of any types.
trait Stream {
    /// Converts as much of `chunk` as fits into `dst`. If `ended`, the stream ends after it, and
    /// `chunk` is empty.
    fn step(&mut self, chunk: &[u8], ended: bool, dst: &mut [u8]) -> Progress<Sequence>;
}

impl<A: Encoding<Unit = u8>, B: Encoding<Unit = u8>> Stream for Transcoder<A, B> {
    fn step(&mut self, chunk: &[u8], ended: bool, dst: &mut [u8]) -> Progress<Sequence> {
        let step = if ended { self.finish(dst) } else { self.push(chunk, dst) };
        let stop = match step.stop {
            Stop::Done => Stop::Done,
            Stop::OutputFull => Stop::OutputFull,
            Stop::Error(error) => Stop::Error(Sequence {
                offset: error.offset(),
                len: error.error_len(),
                kind: Some(error.kind().description()),
            }),
        };
        Progress { read: step.read, written: step.written, stop }
    }
}

impl Stream for LegacyDecoder {
    fn step(&mut self, chunk: &[u8], ended: bool, dst: &mut [u8]) -> Progress<Sequence> {
        let step = self.push(chunk, dst, ended);
        let stop = match step.stop {
            LegacyStop::Done => Stop::Done,
            LegacyStop::OutputFull => Stop::OutputFull,
            LegacyStop::IllFormed(sequence) => Stop::Error(Sequence {
                offset: sequence.offset,
                len: Some(sequence.len),
                kind: None,
            }),
        };
        Progress { read: step.read, written: step.written, stop }
    }
}

/// Bytes that are converted to at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// A conversion of a stream that replaces ill-formed sequences and unmappable characters: by
/// U+FFFD, or by `?` where the target lacks it.
pub(crate) struct Repairing {
    stream: Box<dyn Stream>,
    replacement: &'static [u8],
    repairs: u64,
    buffer: Box<[u8]>,
}

impl Repairing {
    /// Returns a conversion to `target`, at the start of a stream.
    fn new(stream: impl Stream + 'static, target: Scheme) -> Self {
        Self {
            stream: Box::new(stream),
            replacement: replacement(target),
            repairs: 0,
            buffer: vec![0; BUFFER_BYTES].into(),
        }
    }

    /// Returns the conversion between two types.
    fn between<A: Encoding<Unit = u8>, B: Encoding<Unit = u8>>() -> Self {
        Self::new(Transcoder::<A, B>::new(), B::SCHEME)
    }

    /// Appends the conversion of the next chunk to `out`; of the end of the stream if it is `None`.
    /// `on_repair` gets each sequence that is replaced, and the length of `out` before that.
    pub(crate) fn push(
        &mut self,
        chunk: Option<&[u8]>,
        out: &mut Vec<u8>,
        mut on_repair: impl FnMut(Sequence, usize),
    ) {
        let mut rest = chunk.unwrap_or_default();
        loop {
            let step = self.stream.step(rest, chunk.is_none(), &mut self.buffer);
            out.extend_from_slice(&self.buffer[..step.written]);
            rest = &rest[step.read..];
            match step.stop {
                Stop::Done => return,
                Stop::OutputFull => {}
                Stop::Error(sequence) => {
                    on_repair(sequence, out.len());
                    out.extend_from_slice(self.replacement);
                    self.repairs += 1;
                }
            }
        }
    }

    /// Returns the number of repairs so far.
    pub(crate) fn repairs(&self) -> u64 {
        self.repairs
    }
}

/// Returns U+FFFD in a scheme, or `?` if the scheme lacks it.
fn replacement(scheme: Scheme) -> &'static [u8] {
    match scheme {
        Scheme::Utf8 => b"\xEF\xBF\xBD",
        Scheme::Utf16Le => b"\xFD\xFF",
        Scheme::Utf16Be => b"\xFF\xFD",
        Scheme::Utf32Le => b"\xFD\xFF\0\0",
        Scheme::Utf32Be => b"\0\0\xFF\xFD",
        _ => b"?",
    }
}

/// Returns the encoding of a label, which may be decided by the byte order mark in `head`, the
/// first bytes of the file.
pub(crate) fn source(label: &str, head: &[u8]) -> Option<Charset> {
    match Source::from_label(label).ok()? {
        Source::Known(charset) => Some(charset),
        Source::ByMark(by_mark) => Some(Charset::Scheme(by_mark.of(head))),
        Source::Auto => None,
    }
}

/// Returns the conversion from an encoding to UTF-8.
pub(crate) fn to_utf8(source: Charset) -> Repairing {
    let scheme = match source {
        Charset::Legacy(encoding) => {
            return Repairing::new(LegacyDecoder::new(encoding), Scheme::Utf8);
        }
        Charset::Scheme(scheme) => scheme,
    };
    match scheme {
        Scheme::Utf16Le => Repairing::between::<Utf16Le, Utf8>(),
        Scheme::Utf16Be => Repairing::between::<Utf16Be, Utf8>(),
        Scheme::Utf32Le => Repairing::between::<Utf32Le, Utf8>(),
        Scheme::Utf32Be => Repairing::between::<Utf32Be, Utf8>(),
        Scheme::Latin1 => Repairing::between::<Latin1, Utf8>(),
        Scheme::Ascii => Repairing::between::<Ascii, Utf8>(),
        Scheme::Cesu8 => Repairing::between::<Cesu8, Utf8>(),
        Scheme::Mutf8 => Repairing::between::<Mutf8, Utf8>(),
        Scheme::Wtf8 => Repairing::between::<Wtf8, Utf8>(),
        Scheme::Wtf16Le => Repairing::between::<Wtf16Le, Utf8>(),
        Scheme::Wtf16Be => Repairing::between::<Wtf16Be, Utf8>(),
        _ => Repairing::between::<Utf8, Utf8>(),
    }
}

/// Returns the conversion from UTF-8 to the encoding of a label, with its scheme.
pub(crate) fn target(label: &str) -> Option<(Scheme, Repairing)> {
    let scheme = Target::from_label(label).ok()?.charset.scheme()?;
    let conversion = match scheme {
        Scheme::Utf8 => Repairing::between::<Utf8, Utf8>(),
        Scheme::Utf16Le => Repairing::between::<Utf8, Utf16Le>(),
        Scheme::Utf16Be => Repairing::between::<Utf8, Utf16Be>(),
        Scheme::Utf32Le => Repairing::between::<Utf8, Utf32Le>(),
        Scheme::Utf32Be => Repairing::between::<Utf8, Utf32Be>(),
        Scheme::Latin1 => Repairing::between::<Utf8, Latin1>(),
        _ => return None,
    };
    Some((scheme, conversion))
}

/// Returns the output of a conversion to UTF-8, which never splits a character, as text.
pub(crate) fn as_text(bytes: &[u8]) -> &str {
    // Text must not be lost in silence: the page shows this as a failure.
    utf8::from_utf8(bytes).expect("a conversion to UTF-8 writes whole characters")
}
