//! Reads a text of unknown encoding that can be read only once. Detection continues while it is
//! read.
//!
//! ASCII is the same in UTF-8 and in every other encoding that may follow. So an ASCII prefix is
//! passed on unchanged. The bytes that follow it decide the encoding. If they are not UTF-8, they
//! are converted to UTF-8 here.

use std::io::{self, Read};

use utflane::{Latin1, Scheme, Utf8, transcode};
use utflane_charset::{Charset, Detector, LegacyDecoder, Sink};

use crate::input::CHUNK;
use crate::refusal::Refusal;

/// A reader of the rest of a text whose beginning `detector` has received.
pub(crate) struct LateReader {
    source: Box<dyn Read + Send>,
    detector: Detector,
    /// True if the best candidate is used, even if it is not likely.
    guess: bool,
    state: State,
    /// Bytes that are ready to be read. The first `start` of them have been read already.
    ready: Vec<u8>,
    start: usize,
}

/// The treatment of the bytes.
enum State {
    /// All bytes so far are ASCII. They are passed on.
    Plain,
    /// The bytes are passed on unchanged.
    Passing,
    /// The bytes are converted from Latin-1.
    Latin1,
    /// The bytes are decoded. Holds the number of bytes of the text before the first of them.
    Legacy(Box<LegacyDecoder>, u64),
    Ended,
}

impl LateReader {
    /// Returns a reader of the rest of `source`, after the bytes that `detector` has received. If
    /// `guess`, the best candidate is used, even if it is not likely.
    pub(crate) fn new(source: Box<dyn Read + Send>, detector: Detector, guess: bool) -> Self {
        let state = if detector.is_plain() { State::Plain } else { State::Passing };
        Self { source, detector, guess, state, ready: Vec::new(), start: 0 }
    }

    /// Appends the next bytes of the source to `chunk`. Returns false at the end of the source.
    fn fetch(&mut self, chunk: &mut Vec<u8>) -> io::Result<bool> {
        let before = chunk.len();
        chunk.resize(before + CHUNK, 0);
        let read = self.source.read(&mut chunk[before..]);
        chunk.truncate(before + *read.as_ref().unwrap_or(&0));
        self.detector.push(&chunk[before..]);
        Ok(read? > 0)
    }

    /// Reads and converts the next bytes, so that they are ready to be read.
    fn advance(&mut self) -> io::Result<()> {
        let mut chunk = Vec::new();
        let mut more = self.fetch(&mut chunk)?;
        if matches!(self.state, State::Plain) && !self.detector.is_plain() {
            while more && !self.detector.is_decided() {
                more = self.fetch(&mut chunk)?;
            }
            self.decide(!more, chunk.len() as u64)?;
        }
        if let Some(mixture) = self.detector.mixture(!more) {
            return Err(io::Error::other(format!("mixed: {mixture}")));
        }
        self.start = 0;
        self.ready = match &mut self.state {
            State::Plain | State::Passing | State::Ended => chunk,
            State::Latin1 => transcode::<Latin1, Utf8>(&chunk).map_err(io::Error::other)?.into(),
            State::Legacy(decoder, before) => decode_segment(decoder, *before, &chunk, !more)?,
        };
        if !more {
            self.state = State::Ended;
        }
        Ok(())
    }

    /// Chooses the encoding of the last `len` bytes and of the bytes that follow. `is_whole` is
    /// true if the text ends here.
    fn decide(&mut self, is_whole: bool, len: u64) -> io::Result<()> {
        let found = self.detector.found(is_whole);
        if let Some(refusal) = Refusal::from_found(&found, self.guess) {
            return Err(io::Error::other(refusal.message("its option", "")));
        }
        self.state = match found.charset {
            Some(Charset::Scheme(Scheme::Latin1)) => State::Latin1,
            Some(Charset::Legacy(encoding)) => {
                let before = self.detector.len() - len;
                State::Legacy(Box::new(LegacyDecoder::new(encoding)), before)
            }
            _ => State::Passing,
        };
        Ok(())
    }
}

/// Decodes a segment of a text to UTF-8. `before` is the number of bytes of the text before the
/// first byte that `decoder` received.
fn decode_segment(
    decoder: &mut LegacyDecoder,
    before: u64,
    segment: &[u8],
    last: bool,
) -> io::Result<Vec<u8>> {
    let mut sink = Sink::new(segment.len());
    match decoder.decode(segment, last, &mut sink, |_, _, _| false) {
        Ok(()) => Ok(sink.into_vec()),
        Err(stopped) => {
            let encoding = Charset::Legacy(decoder.encoding());
            let offset = before + stopped.sequence.offset;
            let words = format!("byte {offset}: ill-formed in {encoding}");
            Err(io::Error::new(io::ErrorKind::InvalidData, words))
        }
    }
}

impl Read for LateReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.start == self.ready.len() {
            if matches!(self.state, State::Ended) {
                return Ok(0);
            }
            if let Err(error) = self.advance() {
                // After a refusal or an error, no more text is returned.
                self.state = State::Ended;
                return Err(error);
            }
        }
        let read = (&self.ready[self.start..]).read(buffer)?;
        self.start += read;
        Ok(read)
    }
}
