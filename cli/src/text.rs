//! The text of a file, read chunk by chunk, with line and column of each finding.
//!
//! Only whole characters and ill-formed sequences are counted. The newest few bytes stay in the
//! input: a chunk may end inside a sequence, and an error in a later chunk may begin there.

use std::io;
use std::time::{Duration, Instant};

use utflane::{ByteValidator, ErrorKind, Scheme, StreamError};

use crate::excerpt::{self, excerpt};
use crate::finding::{Finding, FindingKind};
use crate::input::Input;
use crate::position::Position;
use crate::units::{self, MAX_SEQUENCE};

/// The time that a message waits for the rest of its line from a pipe.
pub(crate) const LINE_TIMEOUT: Duration = Duration::from_millis(100);

/// A file that is read chunk by chunk, with the current line and column.
pub(crate) struct Text {
    pub(crate) input: Input,
    scheme: Scheme,
    /// The position of the first byte that the input keeps.
    position: Position,
    /// Bytes before the first chunk.
    skipped: u64,
    /// The width of the terminal, if findings have excerpts.
    excerpts: Option<usize>,
    /// True if ill-formed sequences are repaired, and so counted.
    repaired: bool,
    /// True if byte order marks are findings.
    marks: bool,
}

impl Text {
    /// The text of `input`, from its start.
    pub(crate) fn new(input: Input, scheme: Scheme, excerpts: bool) -> Self {
        let excerpts = excerpts.then(excerpt::columns);
        let position = Position::default();
        Self { input, scheme, position, skipped: 0, excerpts, repaired: false, marks: false }
    }

    /// The same text. If `marks`, byte order marks are findings, too.
    pub(crate) fn with_marks(self, marks: bool) -> Self {
        Self { marks: marks && !self.scheme.byte_order_mark().is_empty(), ..self }
    }

    /// The same text. If `repaired`, each ill-formed sequence counts as one column.
    pub(crate) fn with_repairs(self, repaired: bool) -> Self {
        Self { repaired, ..self }
    }

    /// The same text, for findings that are not shown.
    pub(crate) fn without_excerpts(self) -> Self {
        Self { excerpts: None, ..self }
    }

    /// The next chunk. It is empty at the end of the file only. Everything before it must be
    /// well-formed, except [with repairs](Self::with_repairs).
    pub(crate) fn next_chunk(&mut self) -> io::Result<&[u8]> {
        self.count(units::complete(self.scheme, self.input.kept(), self.input.given()));
        self.input.fill()
    }

    /// Skips the first `bytes` bytes of the file, which have been peeked at.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.count(bytes);
        self.skipped = bytes as u64;
    }

    /// Continues after `passed` bytes that were read and counted elsewhere; see [`Input::resume`].
    pub(crate) fn resume(&mut self, more: Position, passed: u64, history: &[u8], back: Vec<u8>) {
        self.input.resume(passed, history, back);
        self.position = self.position.then(more);
        self.skipped += passed;
    }

    /// Counts the first `bytes` kept bytes and releases them.
    fn count(&mut self, bytes: usize) {
        let counted = &self.input.kept()[..bytes];
        match self.repaired {
            true => self.position.advance_repaired(self.scheme, counted),
            false => self.position.advance(self.scheme, counted),
        }
        self.input.release(bytes);
    }

    /// The next ill-formed sequence, if there is one.
    ///
    /// The text continues after the sequence, which is one column wide. Don't mix this with
    /// [`next_chunk`](Self::next_chunk): here, no kept byte has been validated.
    pub(crate) fn next_finding(&mut self) -> io::Result<Option<Finding>> {
        loop {
            let kept = self.input.kept();
            let error = self.scheme.validate(kept).err();
            let good = error.map_or(kept.len(), |error| error.valid_up_to());
            if let Some(at) = self.mark_in(&kept[..good]) {
                self.count(at);
                let len = self.scheme.byte_order_mark().len();
                let finding = self.finding(FindingKind::Mark, len)?;
                self.position.column += 1;
                self.input.release(len);
                return Ok(Some(finding));
            }
            // The rest of a sequence may change the kind of an error, complete a cut sequence, or
            // join a surrogate to a pair.
            if kept.len() - good < MAX_SEQUENCE && !self.input.ended() {
                self.count(units::complete(self.scheme, kept, kept.len()));
                self.input.fill()?;
                continue;
            }
            self.count(good);
            let Some(error) = error else { return Ok(None) };
            let len = error.error_len().unwrap_or(self.input.kept().len());
            let finding = self.finding(FindingKind::IllFormed(error.kind()), len)?;
            self.position.column += 1;
            self.input.release(len);
            return Ok(Some(finding));
        }
    }

    /// The offset of the first byte order mark in `units`, if that is a finding.
    fn mark_in(&self, units: &[u8]) -> Option<usize> {
        let mut marks = memchr::memmem::find_iter(units, self.scheme.byte_order_mark());
        let is_unit = |at: &usize| at.is_multiple_of(self.scheme.unit_size());
        if self.marks { marks.find(is_unit) } else { None }
    }

    /// The finding for `error`, which a stream over all chunks found in the newest one or just
    /// before it.
    pub(crate) fn locate(&mut self, error: StreamError) -> io::Result<Finding> {
        self.count_to(self.skipped + error.offset());
        let kind = self.kind_of(error)?;
        let len = error.error_len().unwrap_or(self.input.kept().len());
        self.finding(FindingKind::of(kind), len)
    }

    /// The bytes that `error` covers, for errors that [`locate`](Self::locate) takes.
    pub(crate) fn offending(&self, error: StreamError) -> &[u8] {
        let rest =
            &self.input.kept()[(self.skipped + error.offset() - self.input.offset()) as usize..];
        &rest[..error.error_len().unwrap_or(rest.len())]
    }

    /// Counts up to `offset`, which is in the newest chunk or just before it.
    pub(crate) fn count_to(&mut self, offset: u64) {
        self.count((offset - self.input.offset()) as usize);
    }

    /// The finding for the first `len` kept bytes.
    pub(crate) fn finding(&mut self, kind: FindingKind, len: usize) -> io::Result<Finding> {
        if self.excerpts.is_some() {
            self.read_line()?;
        }
        let kept = self.input.kept();
        let (offending, rest) = kept.split_at(len);
        let history = self.input.history();
        let excerpt =
            self.excerpts.map(|columns| excerpt(self.scheme, history, offending, rest, columns));
        let (position, offset) = (self.position, self.input.offset());
        Ok(Finding { position, offset, kind, offending: kept[..len].to_vec(), excerpt })
    }

    /// Reads the part of the line that an excerpt shows, if it is there or comes soon.
    fn read_line(&mut self) -> io::Result<()> {
        let end = Instant::now() + LINE_TIMEOUT;
        loop {
            let kept = self.input.kept();
            let whole = kept.len() - kept.len() % self.scheme.unit_size();
            let seen = kept.len() >= excerpt::AFTER
                || units::after_last_line_feed(self.scheme, &kept[..whole]).is_some();
            let timeout = end.saturating_duration_since(Instant::now());
            if seen || !self.input.is_ready(timeout) || self.input.fill()?.is_empty() {
                return Ok(());
            }
        }
    }

    /// The kind of `error` for the whole file. The kept bytes begin with its sequence.
    ///
    /// A stream reports a sequence as too short if its second byte is invalid and the others have
    /// not come. With them it may be overlong, for example. The message must not depend on the
    /// chunks, so this waits for these bytes.
    fn kind_of(&mut self, error: StreamError) -> io::Result<ErrorKind> {
        if error.kind() != ErrorKind::TooShort || error.is_incomplete() {
            return Ok(error.kind());
        }
        while self.input.kept().len() < MAX_SEQUENCE && !self.input.fill()?.is_empty() {}
        let kept = self.input.kept();
        let whole = ByteValidator::new(self.scheme).push(&kept[..kept.len().min(MAX_SEQUENCE)]);
        Ok(whole.err().map_or(error.kind(), |error| error.kind()))
    }
}

#[cfg(test)]
mod tests;
