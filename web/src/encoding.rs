//! The encodings that a file can be read in, and those that it can be converted to.
//!
//! A conversion has UTF-8 in the middle, and replaces what is wrong here. So 13 conversions are
//! linked; a policy of the library would link those of all pairs.

use utflane::{
    Ascii, Cesu8, Encoding, Error, Latin1, Progress, Scheme, Stop, StreamError, Transcoder, Utf8,
    Utf16Be, Utf16Le, Utf32Be, Utf32Le, count, utf8, validate,
};

/// A conversion of a stream of bytes, of any types.
trait Stream {
    /// Converts as much of `chunk` as fits into `dst`.
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError>;
    /// Ends the stream.
    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError>;
}

impl<A: Encoding<Unit = u8>, B: Encoding<Unit = u8>> Stream for Transcoder<A, B> {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        Self::push(self, chunk, dst)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        Self::finish(self, dst)
    }
}

/// Bytes that are converted to at once.
const ROOM: usize = 64 * 1024;

/// A conversion of a stream that replaces ill-formed sequences and unmappable characters: by
/// U+FFFD, or by `?` where the target lacks it.
pub(crate) struct Repairing {
    stream: Box<dyn Stream>,
    replacement: &'static [u8],
    repairs: u64,
    room: Box<[u8]>,
}

impl Repairing {
    /// Returns the conversion between two types, at the start of a stream.
    fn new<A: Encoding<Unit = u8>, B: Encoding<Unit = u8>>() -> Self {
        Self {
            stream: Box::new(Transcoder::<A, B>::new()),
            replacement: replacement(B::SCHEME),
            repairs: 0,
            room: vec![0; ROOM].into(),
        }
    }

    /// Appends the conversion of the next chunk to `out`.
    pub(crate) fn push(&mut self, mut chunk: &[u8], out: &mut Vec<u8>) {
        while !chunk.is_empty() {
            let progress = self.stream.push(chunk, &mut self.room);
            self.take(&progress, out);
            chunk = &chunk[progress.read..];
        }
    }

    /// Ends the stream: appends its rest to `out`.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        let progress = self.stream.finish(&mut self.room);
        self.take(&progress, out);
    }

    /// Appends the output of a step to `out`, with a replacement if it ended with an error.
    fn take(&mut self, progress: &Progress<StreamError>, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.room[..progress.written]);
        if matches!(progress.stop, Stop::Error(_)) {
            out.extend_from_slice(self.replacement);
            self.repairs += 1;
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

/// An encoding that a file can be read in: the functions of its type.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) scheme: Scheme,
    pub(crate) validate: fn(&[u8]) -> Result<(), Error>,
    pub(crate) code_points: fn(&[u8]) -> usize,
    to_utf8: fn() -> Repairing,
}

impl Source {
    /// Returns the functions of a type.
    fn of<E: Encoding<Unit = u8>>() -> Self {
        Self {
            scheme: E::SCHEME,
            validate: validate::<E>,
            code_points: count::<E>,
            to_utf8: Repairing::new::<E, Utf8>,
        }
    }

    /// Returns the encoding of a label, if a file can be read in it.
    pub(crate) fn from_label(label: &str) -> Option<Self> {
        Some(match Scheme::from_label(label).ok()? {
            Scheme::Utf8 => Self::of::<Utf8>(),
            Scheme::Utf16Le => Self::of::<Utf16Le>(),
            Scheme::Utf16Be => Self::of::<Utf16Be>(),
            Scheme::Utf32Le => Self::of::<Utf32Le>(),
            Scheme::Utf32Be => Self::of::<Utf32Be>(),
            Scheme::Latin1 => Self::of::<Latin1>(),
            Scheme::Ascii => Self::of::<Ascii>(),
            Scheme::Cesu8 => Self::of::<Cesu8>(),
            _ => return None,
        })
    }

    /// Returns the conversion to UTF-8, at the start of a stream.
    pub(crate) fn to_utf8(self) -> Repairing {
        (self.to_utf8)()
    }

    /// Returns `bytes` as a string, with U+FFFD for each ill-formed sequence.
    pub(crate) fn decode(self, bytes: &[u8]) -> String {
        let (mut stream, mut text) = (self.to_utf8(), Vec::new());
        stream.push(bytes, &mut text);
        stream.finish(&mut text);
        String::from_utf8(text).unwrap_or_default()
    }
}

/// Returns the conversion from UTF-8 to the encoding of a label, with its scheme.
pub(crate) fn target(label: &str) -> Option<(Scheme, Repairing)> {
    let scheme = Scheme::from_label(label).ok()?;
    let conversion = match scheme {
        Scheme::Utf8 => Repairing::new::<Utf8, Utf8>(),
        Scheme::Utf16Le => Repairing::new::<Utf8, Utf16Le>(),
        Scheme::Utf16Be => Repairing::new::<Utf8, Utf16Be>(),
        Scheme::Utf32Le => Repairing::new::<Utf8, Utf32Le>(),
        Scheme::Utf32Be => Repairing::new::<Utf8, Utf32Be>(),
        Scheme::Latin1 => Repairing::new::<Utf8, Latin1>(),
        _ => return None,
    };
    Some((scheme, conversion))
}

/// Returns the output of a conversion to UTF-8, which never splits a character, as text.
pub(crate) fn as_text(bytes: &[u8]) -> &str {
    // Text must not be lost in silence: the page shows this as a failure.
    utf8::from_bytes(bytes).expect("a conversion to UTF-8 writes whole characters")
}
