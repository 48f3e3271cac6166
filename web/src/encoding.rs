//! The encodings from which a file can be decoded, and the encodings to which it can be converted.
//!
//! A file is decoded to UTF-8, and UTF-8 is encoded in the target encoding. This module replaces
//! errors itself. So only a few conversions are linked: a `Policy` of the library would link the
//! conversions between all pairs of encodings.

use utflane::{
    Ascii, Cesu8, Encoding, Latin1, Mutf8, Progress, Scheme, Stop, Transcoder, Utf8, Utf16Be,
    Utf16Le, Utf32Be, Utf32Le, Wtf8, Wtf16Be, Wtf16Le, utf8,
};
use utflane_charset::{Charset, LegacyDecoder, LegacyStop, Source, Target};

/// An ill-formed sequence, or an unmappable character.
#[derive(Clone, Copy)]
pub(crate) struct Sequence {
    /// The offset in the stream, in bytes.
    pub(crate) offset: u64,
    /// The length in bytes; `None` if the sequence is incomplete at the end of the stream.
    pub(crate) len: Option<usize>,
    /// The kind of error in words; `None` for an encoding from before Unicode.
    pub(crate) kind: Option<&'static str>,
}

/// A strict conversion of a stream of bytes, which hides the types of the encodings.
trait Converter {
    /// Converts as much of `chunk` as fits into `dst`, up to an error. If `ended` is true, `chunk`
    /// is empty, and the stream ends.
    fn step(&mut self, chunk: &[u8], ended: bool, dst: &mut [u8]) -> Progress<Sequence>;
}

impl<A: Encoding<Unit = u8>, B: Encoding<Unit = u8>> Converter for Transcoder<A, B> {
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

impl Converter for LegacyDecoder {
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

/// The size of the buffer into which each step converts, in bytes.
const BUFFER_BYTES: usize = 64 * 1024;

/// A conversion of a stream that replaces ill-formed sequences and unmappable characters by U+FFFD,
/// or by `?` if the target encoding lacks U+FFFD.
pub(crate) struct RepairingConverter {
    converter: Box<dyn Converter>,
    replacement: &'static [u8],
    repairs: u64,
    buffer: Box<[u8]>,
}

impl RepairingConverter {
    /// Creates a conversion to `target` at the start of a stream.
    fn new(converter: impl Converter + 'static, target: Scheme) -> Self {
        Self {
            converter: Box::new(converter),
            replacement: replacement_in(target),
            repairs: 0,
            buffer: vec![0; BUFFER_BYTES].into(),
        }
    }

    /// Creates the conversion from the encoding `A` to the encoding `B`.
    fn between<A: Encoding<Unit = u8>, B: Encoding<Unit = u8>>() -> Self {
        Self::new(Transcoder::<A, B>::new(), B::SCHEME)
    }

    /// Appends the conversion of the next chunk, or of the end of the stream if `chunk` is `None`,
    /// to `out`. Calls `on_repair` for each sequence that is replaced, with the length of `out`
    /// before the replacement.
    pub(crate) fn push(
        &mut self,
        chunk: Option<&[u8]>,
        out: &mut Vec<u8>,
        mut on_repair: impl FnMut(Sequence, usize),
    ) {
        let mut rest = chunk.unwrap_or_default();
        loop {
            let step = self.converter.step(rest, chunk.is_none(), &mut self.buffer);
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

/// Returns the replacement in a target encoding of the page: U+FFFD, or `?` in Latin-1.
fn replacement_in(scheme: Scheme) -> &'static [u8] {
    match scheme {
        Scheme::Utf8 => b"\xEF\xBF\xBD",
        Scheme::Utf16Le => b"\xFD\xFF",
        Scheme::Utf16Be => b"\xFF\xFD",
        Scheme::Utf32Le => b"\xFD\xFF\0\0",
        Scheme::Utf32Be => b"\0\0\xFF\xFD",
        _ => b"?",
    }
}

/// Returns the encoding that a label names. If the label leaves the byte order open, the byte order
/// mark in `head`, the first bytes of the file, decides it.
pub(crate) fn source_from_label(label: &str, head: &[u8]) -> Option<Charset> {
    match Source::from_label(label).ok()? {
        Source::Known(charset) => Some(charset),
        Source::ByMark(by_mark) => Some(Charset::Scheme(by_mark.of(head))),
        Source::Auto => None,
    }
}

/// Creates the conversion from an encoding to UTF-8.
pub(crate) fn converter_to_utf8(source: Charset) -> RepairingConverter {
    let scheme = match source {
        Charset::Legacy(encoding) => {
            return RepairingConverter::new(LegacyDecoder::new(encoding), Scheme::Utf8);
        }
        Charset::Scheme(scheme) => scheme,
    };
    match scheme {
        Scheme::Utf16Le => RepairingConverter::between::<Utf16Le, Utf8>(),
        Scheme::Utf16Be => RepairingConverter::between::<Utf16Be, Utf8>(),
        Scheme::Utf32Le => RepairingConverter::between::<Utf32Le, Utf8>(),
        Scheme::Utf32Be => RepairingConverter::between::<Utf32Be, Utf8>(),
        Scheme::Latin1 => RepairingConverter::between::<Latin1, Utf8>(),
        Scheme::Ascii => RepairingConverter::between::<Ascii, Utf8>(),
        Scheme::Cesu8 => RepairingConverter::between::<Cesu8, Utf8>(),
        Scheme::Mutf8 => RepairingConverter::between::<Mutf8, Utf8>(),
        Scheme::Wtf8 => RepairingConverter::between::<Wtf8, Utf8>(),
        Scheme::Wtf16Le => RepairingConverter::between::<Wtf16Le, Utf8>(),
        Scheme::Wtf16Be => RepairingConverter::between::<Wtf16Be, Utf8>(),
        _ => RepairingConverter::between::<Utf8, Utf8>(),
    }
}

/// Returns the encoding that a label names, and the conversion from UTF-8 to it. Returns `None` if
/// the page does not support the target.
pub(crate) fn target_from_label(label: &str) -> Option<(Scheme, RepairingConverter)> {
    let scheme = Target::from_label(label).ok()?.charset.scheme()?;
    let conversion = match scheme {
        Scheme::Utf8 => RepairingConverter::between::<Utf8, Utf8>(),
        Scheme::Utf16Le => RepairingConverter::between::<Utf8, Utf16Le>(),
        Scheme::Utf16Be => RepairingConverter::between::<Utf8, Utf16Be>(),
        Scheme::Utf32Le => RepairingConverter::between::<Utf8, Utf32Le>(),
        Scheme::Utf32Be => RepairingConverter::between::<Utf8, Utf32Be>(),
        Scheme::Latin1 => RepairingConverter::between::<Utf8, Latin1>(),
        _ => return None,
    };
    Some((scheme, conversion))
}

/// Returns the output of a conversion to UTF-8 as text. The output never splits a character.
pub(crate) fn as_text(bytes: &[u8]) -> &str {
    // Panics rather than lose text silently. The page shows the panic as a failure.
    utf8::from_utf8(bytes).expect("a conversion to UTF-8 writes whole characters")
}
