//! The text of a file, read chunk by chunk, with the line and the column of each finding.
//!
//! Only whole characters and whole ill-formed sequences are counted. The last few bytes of a chunk
//! stay in the input: the chunk may end inside a sequence, and an error that is found in a later
//! chunk may begin in these bytes.

use std::io;
use std::time::{Duration, Instant};

use utflane::{ByteValidator, ErrorKind, Scheme, StreamError};

use crate::excerpt::{self, excerpt};
use crate::finding::{Finding, FindingKind};
use crate::input::Input;
use crate::position::Position;
use crate::units::{self, MAX_SEQUENCE_BYTES};

/// The longest time that a message waits for the rest of its line to arrive through a pipe.
pub(crate) const LINE_TIMEOUT: Duration = Duration::from_millis(100);

/// A file that is read chunk by chunk, with the current line and column.
pub(crate) struct Text {
    pub(crate) input: Input,
    scheme: Scheme,
    /// The position of the first byte that the input keeps.
    position: Position,
    /// The number of bytes that [`skip`](Self::skip) and [`resume`](Self::resume) passed over. The
    /// offsets of stream errors do not count these bytes.
    skipped: u64,
    /// The width of the terminal in columns, if findings have excerpts.
    excerpt_columns: Option<usize>,
    /// True if ill-formed sequences are repaired. Each sequence then counts as one column.
    repaired: bool,
    /// True if byte order marks are findings.
    marks: bool,
}

impl Text {
    /// Returns the text of `input` from its start, with excerpts in findings if `excerpts` is
    /// true.
    pub(crate) fn new(input: Input, scheme: Scheme, excerpts: bool) -> Self {
        let excerpt_columns = excerpts.then(excerpt::columns);
        let position = Position::default();
        Self { input, scheme, position, skipped: 0, excerpt_columns, repaired: false, marks: false }
    }

    /// Returns the same text. If `marks` is true, byte order marks are findings, too.
    pub(crate) fn with_marks(self, marks: bool) -> Self {
        Self { marks: marks && !self.scheme.byte_order_mark().is_empty(), ..self }
    }

    /// Returns the same text. If `repaired` is true, each ill-formed sequence counts as one column.
    pub(crate) fn with_repairs(self, repaired: bool) -> Self {
        Self { repaired, ..self }
    }

    /// Returns the same text, for findings that are not shown.
    pub(crate) fn without_excerpts(self) -> Self {
        Self { excerpt_columns: None, ..self }
    }

    /// Returns the next chunk, which is empty only at the end of the file. All text before the
    /// chunk must be well-formed, except [with repairs](Self::with_repairs).
    pub(crate) fn next_chunk(&mut self) -> io::Result<&[u8]> {
        self.count_and_release(units::stable_boundary(
            self.scheme,
            self.input.kept(),
            self.input.returned_len(),
        ));
        self.input.fill()
    }

    /// Skips the first `len` bytes of the file, which the caller has peeked at.
    pub(crate) fn skip(&mut self, len: usize) {
        self.count_and_release(len);
        self.skipped = len as u64;
    }

    /// Continues after `passed` bytes that were read and counted elsewhere; see [`Input::resume`].
    /// `more` is the position after these bytes, counted from the position before them.
    pub(crate) fn resume(&mut self, more: Position, passed: u64, history: &[u8], back: Vec<u8>) {
        self.input.resume(passed, history, back);
        self.position = self.position.then(more);
        self.skipped += passed;
    }

    /// Counts the first `len` kept bytes and releases them.
    fn count_and_release(&mut self, len: usize) {
        let counted = &self.input.kept()[..len];
        match self.repaired {
            true => self.position.advance_repaired(self.scheme, counted),
            false => self.position.advance(self.scheme, counted),
        }
        self.input.release(len);
    }

    /// Returns the next ill-formed sequence or, [with marks](Self::with_marks), byte order mark, if
    /// there is one.
    ///
    /// The text continues after the finding, which is one column wide. Don't mix calls of this
    /// function with calls of [`next_chunk`](Self::next_chunk): this function assumes that no kept
    /// byte has been validated.
    pub(crate) fn next_finding(&mut self) -> io::Result<Option<Finding>> {
        loop {
            let kept = self.input.kept();
            let error = self.scheme.validate(kept).err();
            let valid_len = error.map_or(kept.len(), |error| error.valid_up_to());
            if let Some(mark_offset) = self.find_mark(&kept[..valid_len]) {
                self.count_and_release(mark_offset);
                let len = self.scheme.byte_order_mark().len();
                let finding = self.finding(FindingKind::Mark, len)?;
                self.position.column += 1;
                self.input.release(len);
                return Ok(Some(finding));
            }
            // More bytes may change the kind of an error, complete an incomplete sequence, or make
            // an unpaired surrogate part of a pair.
            if kept.len() - valid_len < MAX_SEQUENCE_BYTES && !self.input.ended() {
                self.count_and_release(units::stable_boundary(self.scheme, kept, kept.len()));
                self.input.fill()?;
                continue;
            }
            self.count_and_release(valid_len);
            let Some(error) = error else { return Ok(None) };
            let len = error.error_len().unwrap_or(self.input.kept().len());
            let finding = self.finding(FindingKind::IllFormed(error.kind()), len)?;
            self.position.column += 1;
            self.input.release(len);
            return Ok(Some(finding));
        }
    }

    /// Returns the offset of the first byte order mark in `bytes`, if byte order marks are
    /// findings.
    fn find_mark(&self, bytes: &[u8]) -> Option<usize> {
        let mut offsets = memchr::memmem::find_iter(bytes, self.scheme.byte_order_mark());
        let is_unit_start = |offset: &usize| offset.is_multiple_of(self.scheme.unit_size());
        if self.marks { offsets.find(is_unit_start) } else { None }
    }

    /// Returns the finding for `error`. A stream validator or transcoder that got all chunks found
    /// the error in the newest chunk or just before it.
    pub(crate) fn locate(&mut self, error: StreamError) -> io::Result<Finding> {
        self.count_to(self.skipped + error.offset());
        let kind = self.kind_in_whole_file(error)?;
        let len = error.error_len().unwrap_or(self.input.kept().len());
        self.finding(FindingKind::of(kind), len)
    }

    /// Returns the bytes that `error` covers. The error must meet the same conditions as for
    /// [`locate`](Self::locate).
    pub(crate) fn offending(&self, error: StreamError) -> &[u8] {
        let rest =
            &self.input.kept()[(self.skipped + error.offset() - self.input.offset()) as usize..];
        &rest[..error.error_len().unwrap_or(rest.len())]
    }

    /// Counts and releases the text up to `offset`, a byte offset in the newest chunk or just
    /// before this chunk.
    pub(crate) fn count_to(&mut self, offset: u64) {
        self.count_and_release((offset - self.input.offset()) as usize);
    }

    /// Returns the finding for the first `len` kept bytes.
    pub(crate) fn finding(&mut self, kind: FindingKind, len: usize) -> io::Result<Finding> {
        if self.excerpt_columns.is_some() {
            self.read_for_excerpt()?;
        }
        let kept = self.input.kept();
        let (offending, after) = kept.split_at(len);
        let history = self.input.history();
        let excerpt = self
            .excerpt_columns
            .map(|columns| excerpt(self.scheme, history, offending, after, columns));
        let (position, offset) = (self.position, self.input.offset());
        Ok(Finding { position, offset, kind, offending: kept[..len].to_vec(), excerpt })
    }

    /// Reads the part of the line that an excerpt shows, as far as it arrives within
    /// [`LINE_TIMEOUT`].
    fn read_for_excerpt(&mut self) -> io::Result<()> {
        let deadline = Instant::now() + LINE_TIMEOUT;
        loop {
            let kept = self.input.kept();
            let whole_units_len = kept.len() - kept.len() % self.scheme.unit_size();
            let is_read = kept.len() >= excerpt::MAX_BYTES_AFTER
                || units::after_last_line_feed(self.scheme, &kept[..whole_units_len]).is_some();
            let timeout = deadline.saturating_duration_since(Instant::now());
            if is_read || !self.input.is_ready(timeout) || self.input.fill()?.is_empty() {
                return Ok(());
            }
        }
    }

    /// Returns the kind of `error` as it would be in the whole file. The kept bytes begin with the
    /// ill-formed sequence.
    ///
    /// A stream reports a sequence as too short if its second byte is invalid and the next bytes
    /// have not been read yet. With the next bytes, the sequence may be overlong, for example. The
    /// message must not depend on where chunks end, so this function waits for these bytes.
    fn kind_in_whole_file(&mut self, error: StreamError) -> io::Result<ErrorKind> {
        if error.kind() != ErrorKind::TooShort || error.is_incomplete() {
            return Ok(error.kind());
        }
        while self.input.kept().len() < MAX_SEQUENCE_BYTES && !self.input.fill()?.is_empty() {}
        let kept = self.input.kept();
        let whole =
            ByteValidator::new(self.scheme).push(&kept[..kept.len().min(MAX_SEQUENCE_BYTES)]);
        Ok(whole.err().map_or(error.kind(), |error| error.kind()))
    }
}

#[cfg(test)]
mod tests;
