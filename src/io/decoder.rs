//! The buffers of a reader, and the decoding of their bytes.
//!
//! UTF-8 is validated in the buffer that it was read into, and returned from there. Text in any
//! other encoding is transcoded into a second buffer. Text is *ready* after it has been validated
//! or decoded, until it has been returned. A call first returns ready text. If no text is ready, it
//! reports the error that follows the returned text. If there is no such error, it decodes bytes
//! that have been read, and reads more only if there are none. So no error loses text.

use std::boxed::Box;
use std::io::{self, Read};
use std::ops::Range;
use std::vec::Vec;

use crate::bom;
use crate::bom::Probe;
use crate::encoding::scheme::Scheme;
use crate::io::parts::{DEFAULT_CAPACITY_BYTES, decode_error, excess_count_error, grow};
use crate::stream::transcoder::ByteTranscoder;
use crate::types::error::StreamError;
use crate::types::policy::Policy;
use crate::types::progress::Stop;

/// The buffer that holds the ready text, and how it gets there.
pub(super) enum State {
    /// The text may begin with a byte order mark.
    Start,
    /// The ready text is in `raw`, which holds UTF-8.
    InPlace,
    /// The ready text is in `decoded`, into which the transcoder writes.
    Transcoded(Box<ByteTranscoder>),
}

/// The result of an attempt to decode.
#[derive(Clone, Copy)]
enum Step {
    /// Text is ready, an error has been found, or bytes have been consumed.
    Progress,
    /// More bytes must be read first.
    NeedsInput,
}

/// A reader without its inner reader, which callers pass to the methods.
pub(super) struct Decoder {
    pub(super) state: State,
    /// The scheme. In the state `Start`, the scheme of a text without a byte order mark.
    pub(super) scheme: Scheme,
    pub(super) policy: Policy,
    pub(super) has_mark: bool,
    /// The maximum size of each buffer, in bytes.
    pub(super) capacity: usize,
    /// Bytes that have been read.
    raw: Vec<u8>,
    /// The range of `raw` that has been read and not decoded.
    rest: Range<usize>,
    /// The number of bytes of the stream before `raw`.
    pub(super) raw_offset: u64,
    /// The offset in the stream of the first byte that the transcoder has seen.
    transcoder_offset: u64,
    /// The output of the transcoder, unless the text is decoded in place.
    decoded: Vec<u8>,
    /// The ready text: a range of `raw` or `decoded`.
    pub(super) ready: Range<usize>,
    /// The error after the ready text.
    error: Option<StreamError>,
    /// True if the inner reader has ended and this reader has not yet reported the end.
    ended: bool,
}

impl Decoder {
    /// Creates a decoder at the start of a stream. Without a byte order mark, it is in `scheme`.
    pub(super) fn new(scheme: Scheme) -> Self {
        Self {
            state: State::Start,
            scheme,
            policy: Policy::STOP,
            has_mark: false,
            capacity: DEFAULT_CAPACITY_BYTES,
            raw: Vec::new(),
            rest: 0..0,
            raw_offset: 0,
            transcoder_offset: 0,
            decoded: Vec::new(),
            ready: 0..0,
            error: None,
            ended: false,
        }
    }

    /// Returns a part of the buffer that holds the ready text.
    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        match self.state {
            State::Transcoded(_) => &self.decoded[range],
            _ => &self.raw[range],
        }
    }

    /// Returns the range of the ready text. Fails if a part of its first character has been
    /// consumed.
    pub(super) fn ready_range(&self) -> io::Result<Range<usize>> {
        let ready = self.ready.clone();
        if self.bytes(ready.clone()).first().is_some_and(|byte| (0x80..0xC0).contains(byte)) {
            let message = "a part of a character has been consumed as bytes";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(ready)
    }

    /// Makes text ready if no text is ready. If no text is ready afterwards, the stream has ended.
    pub(super) fn fill(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        if self.ready.is_empty() { self.refill(inner) } else { Ok(()) }
    }

    /// Makes text ready: see [`fill`](Self::fill).
    #[inline(never)]
    fn refill(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        self.determine_scheme(inner)?;
        loop {
            if !self.ready.is_empty() {
                return Ok(());
            }
            if let Some(error) = self.error.take() {
                return Err(error.into());
            }
            if let Step::Progress = self.decode() {
                continue;
            }
            if self.ended {
                self.ended = false;
                return Ok(());
            }
            self.fetch(inner)?;
        }
    }

    /// Reads until the scheme is known.
    pub(super) fn determine_scheme(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        while let State::Start = self.state {
            let src = &self.raw[self.rest.clone()];
            let marked = match bom::probe(src) {
                Probe::Mark(scheme) => Some(scheme),
                Probe::NoMark => None,
                Probe::More if self.ended => bom::detect(src),
                Probe::More => {
                    self.fetch(inner)?;
                    continue;
                }
            };
            let mark_len = marked.map_or(0, |scheme| scheme.byte_order_mark().len());
            self.begin_decoding(marked.unwrap_or(self.scheme), mark_len);
        }
        Ok(())
    }

    /// Begins to decode after a mark of `mark_len` bytes.
    pub(super) fn begin_decoding(&mut self, scheme: Scheme, mark_len: usize) {
        self.scheme = scheme;
        self.has_mark = mark_len > 0;
        self.rest.start += mark_len;
        self.state = State::InPlace;
        if !matches!(scheme, Scheme::Utf8 | Scheme::Ascii) {
            self.begin_transcoding();
        }
    }

    /// Decodes into the second buffer from now on.
    fn begin_transcoding(&mut self) {
        let transcoder = ByteTranscoder::new(self.scheme, Scheme::Utf8).with_policy(self.policy);
        self.transcoder_offset = self.raw_offset + self.rest.start as u64;
        self.state = State::Transcoded(Box::new(transcoder));
        self.ready = 0..0;
    }

    /// Reads more bytes and adds them to the undecoded bytes, which are fewer than the capacity.
    fn fetch(&mut self, inner: &mut dyn Read) -> io::Result<()> {
        // If the last read has filled the buffer, the inner reader may have more bytes ready.
        let is_full = self.rest.end == self.raw.len();
        if self.rest.start > 0 {
            self.raw_offset += self.rest.start as u64;
            self.raw.copy_within(self.rest.clone(), 0);
            self.rest = 0..self.rest.len();
        }
        if is_full && self.raw.len() < self.capacity {
            grow(&mut self.raw, self.capacity);
        }
        let free = &mut self.raw[self.rest.end..];
        let read = loop {
            match inner.read(free) {
                Ok(read) if read <= free.len() => break read,
                Ok(_) => return Err(excess_count_error()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        };
        self.ended |= read == 0;
        self.rest.end += read;
        Ok(())
    }

    /// Makes text ready from the bytes read, or finds an error.
    fn decode(&mut self) -> Step {
        match self.state {
            State::Transcoded(_) => self.decode_by_transcoder(),
            _ => self.decode_in_place(),
        }
    }

    /// Decodes UTF-8 and ASCII in place: see [`decode`](Self::decode).
    fn decode_in_place(&mut self) -> Step {
        let src = &self.raw[self.rest.clone()];
        let result = self.scheme.validate(src);
        let valid_len = result.map_or_else(|error| error.valid_up_to(), |()| src.len());
        let Err(error) = result else {
            self.take_ready(valid_len);
            return if valid_len > 0 { Step::Progress } else { Step::NeedsInput };
        };
        if valid_len > 0 {
            // The next call finds the error again.
            self.take_ready(valid_len);
            return Step::Progress;
        }
        if error.is_incomplete() && !self.ended {
            return Step::NeedsInput;
        }
        if self.policy.ill_formed.is_some() {
            self.begin_transcoding();
            return Step::Progress;
        }
        let offset = self.raw_offset + self.rest.start as u64;
        self.error = Some(StreamError::new(self.scheme, offset, 0, decode_error(error)));
        self.rest.start += error.error_len().unwrap_or(src.len());
        Step::Progress
    }

    /// Makes `len` valid bytes ready.
    fn take_ready(&mut self, len: usize) {
        self.ready = self.rest.start..self.rest.start + len;
        self.rest.start += len;
    }

    /// Decodes with the transcoder: see [`decode`](Self::decode).
    fn decode_by_transcoder(&mut self) -> Step {
        let State::Transcoded(transcoder) = &mut self.state else { return Step::NeedsInput };
        while self.decoded.len() < self.raw.len() {
            grow(&mut self.decoded, self.capacity);
        }
        let transcoder_offset = self.transcoder_offset;
        let src = &self.raw[self.rest.clone()];
        let progress = if !src.is_empty() {
            transcoder.push(src, &mut self.decoded)
        } else if self.ended {
            let progress = transcoder.finish(&mut self.decoded);
            if transcoder.is_at_start() {
                self.transcoder_offset = self.raw_offset + self.rest.start as u64;
            }
            progress
        } else {
            return Step::NeedsInput;
        };
        self.rest.start += progress.read;
        self.ready = 0..progress.written;
        if let Stop::Error(error) = progress.stop {
            self.error = Some(error.placed(transcoder_offset + error.offset(), 0));
        }
        let progressed = progress.read + progress.written > 0 || self.error.is_some();
        debug_assert!(
            progressed || self.rest.is_empty(),
            "the buffer has the capacity for any character"
        );
        if progressed { Step::Progress } else { Step::NeedsInput }
    }
}
