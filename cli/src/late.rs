//! Reads a text of unknown encoding that can be read only once. Detection continues while it is
//! read.
//!
//! ASCII is the same in UTF-8 and in every other encoding that may follow. So an ASCII prefix is
//! passed on unchanged. The bytes that follow it decide the encoding. If they are not UTF-8, they
//! are converted to UTF-8 here. If their encoding is not likely, the text ends before them with a
//! [`LateRefusal`].

use std::io::{self, Read};

use utflane::{Latin1, Scheme, Utf8, transcode};
use utflane_charset::{Charset, LegacyDecoder, Sink};

use crate::input::CHUNK;
use crate::notes::Notes;
use crate::refusal::{Auto, LateRefusal, Refusal};

/// A reader of the rest of a text whose beginning the detector has received.
pub(crate) struct LateReader {
    source: Box<dyn Read + Send>,
    auto: Auto,
    /// Receives a note about the encoding, if it is not UTF-8.
    notes: Notes,
    state: State,
    /// Bytes that are ready to be read. The first `start` of them have been read already.
    ready: Vec<u8>,
    start: usize,
    /// The error that follows the bytes that are ready.
    error: Option<io::Error>,
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
    /// Returns a reader of the rest of `source`, after the bytes that the detector of `auto` has
    /// received.
    pub(crate) fn new(source: Box<dyn Read + Send>, auto: Auto, notes: Notes) -> Self {
        let state = if auto.detector.is_plain() { State::Plain } else { State::Passing };
        Self { source, auto, notes, state, ready: Vec::new(), start: 0, error: None }
    }

    /// Appends the next bytes of the source to `chunk`. Returns false at the end of the source.
    fn fetch(&mut self, chunk: &mut Vec<u8>) -> io::Result<bool> {
        let before = chunk.len();
        chunk.resize(before + CHUNK, 0);
        let read = self.source.read(&mut chunk[before..]);
        chunk.truncate(before + *read.as_ref().unwrap_or(&0));
        self.auto.detector.push(&chunk[before..]);
        Ok(read? > 0)
    }

    /// Reads and converts the next bytes, so that they are ready to be read.
    fn advance(&mut self) -> io::Result<()> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut chunk = Vec::new();
        let mut more = self.fetch(&mut chunk)?;
        let mut stop = None;
        if matches!(self.state, State::Plain) && !self.auto.detector.is_plain() {
            while more && !self.auto.detector.is_decided() {
                more = self.fetch(&mut chunk)?;
            }
            stop = self.decide(!more, &chunk);
        }
        let before = self.auto.detector.len() - chunk.len() as u64;
        if stop.is_none()
            && let Some(mixture) = self.auto.detector.mixture(!more)
        {
            let at = mixture.boundary.saturating_sub(before).min(chunk.len() as u64) as usize;
            stop = Some((at, Refusal::Mixed(mixture.to_string())));
        }
        if let Some((at, refusal)) = stop {
            chunk.truncate(at);
            self.error = Some(LateRefusal::error(before + at as u64, &refusal, self.auto.advice));
        }
        self.start = 0;
        self.ready = match &mut self.state {
            State::Plain | State::Passing | State::Ended => chunk,
            State::Latin1 => transcode::<Latin1, Utf8>(&chunk).map_err(io::Error::other)?.into(),
            State::Legacy(decoder, before) => {
                let last = !more && self.error.is_none();
                let (text, ill_formed) = decode_segment(decoder, &chunk, last);
                if let Some(offset) = ill_formed {
                    let refusal = Refusal::IllFormed(Charset::Legacy(decoder.encoding()));
                    let offset = *before + offset;
                    self.error = Some(LateRefusal::error(offset, &refusal, self.auto.advice));
                }
                text
            }
        };
        if !more && self.error.is_none() {
            self.state = State::Ended;
        }
        Ok(())
    }

    /// Chooses the encoding of `chunk`, the last bytes so far, and of the bytes that follow.
    /// `is_whole` is true if the text ends here. If no encoding is used, returns the reason, and
    /// the length of the ASCII prefix of `chunk`.
    fn decide(&mut self, is_whole: bool, chunk: &[u8]) -> Option<(usize, Refusal)> {
        let found = self.auto.detector.found(is_whole);
        let plain_len = plain_len(chunk);
        if let Some(refusal) = Refusal::from_found(&found, self.auto.guess) {
            return Some((plain_len, refusal));
        }
        let before = self.auto.detector.len() - chunk.len() as u64;
        self.state = match found.charset {
            Some(Charset::Scheme(Scheme::Latin1)) => State::Latin1,
            Some(Charset::Legacy(encoding)) => {
                State::Legacy(Box::new(LegacyDecoder::new(encoding)), before)
            }
            _ => State::Passing,
        };
        if matches!(self.state, State::Passing) {
            return None;
        }
        self.notes.set_recoded();
        if !self.auto.quiet {
            let start = before + plain_len as u64;
            self.notes.add(format!("from byte {start} on, detected as {found}"));
        }
        None
    }
}

/// Returns the number of bytes at the start of `chunk` that are the same text in every encoding
/// that may follow.
fn plain_len(chunk: &[u8]) -> usize {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    chunk.iter().position(|byte| !is_plain(byte)).unwrap_or(chunk.len())
}

/// Decodes a segment of a text to UTF-8, up to the first ill-formed sequence. Returns the offset of
/// this sequence from the first byte that `decoder` received, if there is one.
fn decode_segment(
    decoder: &mut LegacyDecoder,
    segment: &[u8],
    last: bool,
) -> (Vec<u8>, Option<u64>) {
    let mut sink = Sink::new(segment.len());
    let stopped = decoder.decode(segment, last, &mut sink, |_, _, _| false).err();
    (sink.into_vec(), stopped.map(|stopped| stopped.sequence.offset))
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
