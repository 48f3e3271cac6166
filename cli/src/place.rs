//! Where in a file an error stands: line and column, kept while the file goes by.
//!
//! Only whole characters and ill-formed sequences are counted. The newest few bytes stay behind in the input: they may be cut
//! inside one, and an error found in a later chunk may begin with them.

use std::io;
use std::path::Path;

use utflane::{ByteValidator, ErrorKind, Scheme, StreamError};

use crate::excerpt::{self, Excerpt};
use crate::finding::{Finding, Flaw};
use crate::input::Input;
use crate::units::{self, LONGEST};

/// Line and column of a place in a text, both counted from 0 here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Place {
    /// Moves behind `units`, which begin and end at boundaries ([`units::floor_boundary`]).
    pub(crate) fn advance(&mut self, scheme: Scheme, units: &[u8]) {
        self.advance_by(scheme, units, units::code_points);
    }

    /// The same for a text that may be ill-formed, where each sequence is one column.
    pub(crate) fn advance_repaired(&mut self, scheme: Scheme, units: &[u8]) {
        self.advance_by(scheme, units, units::repaired_code_points);
    }

    fn advance_by(&mut self, scheme: Scheme, units: &[u8], columns: fn(Scheme, &[u8]) -> u64) {
        match units::behind_last_line_feed(scheme, units) {
            Some(start) => {
                self.line += units::line_feeds(scheme, &units[..start]);
                self.column = columns(scheme, &units[start..]);
            }
            None => self.column += columns(scheme, units),
        }
    }
}

impl Place {
    /// The place that is `more` behind this one, as a place is counted from the start of a text.
    pub(crate) fn then(self, more: Self) -> Self {
        let column = if more.line == 0 { self.column + more.column } else { more.column };
        Self { line: self.line + more.line, column }
    }
}

/// A file that is read chunk by chunk, with the place up to which it has been counted.
pub(crate) struct Text {
    pub(crate) input: Input,
    scheme: Scheme,
    /// The place of the first byte that the input keeps.
    place: Place,
    /// Bytes in front of the first chunk.
    skipped: u64,
    /// Whether findings show the text around them.
    excerpts: bool,
    /// Whether what goes by may be ill-formed, for it is repaired.
    repaired: bool,
}

impl Text {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(file: &Path, scheme: Scheme, excerpts: bool) -> io::Result<Self> {
        Ok(Self::new(Input::open(file)?, scheme, excerpts))
    }

    /// A text that `input` is at the start of.
    pub(crate) fn new(input: Input, scheme: Scheme, excerpts: bool) -> Self {
        Self { input, scheme, place: Place::default(), skipped: 0, excerpts, repaired: false }
    }

    /// The same, of which ill-formed sequences may be repaired: then each counts as one column.
    pub(crate) fn with_repairs(self, repaired: bool) -> Self {
        Self { repaired, ..self }
    }

    /// The next chunk; empty at the end of the file only. What came before it must have been well-formed so far, but
    /// [with repairs](Self::with_repairs).
    pub(crate) fn next_chunk(&mut self) -> io::Result<&[u8]> {
        self.count(units::settled(self.scheme, self.input.kept(), self.input.given()));
        self.input.fill()
    }

    /// Leaves out the first `bytes` bytes of the file, which have been peeked at.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.count(bytes);
        self.skipped = bytes as u64;
    }

    /// Goes on behind `passed` bytes that others have read and counted; see [`Input::resume`].
    pub(crate) fn resume(&mut self, more: Place, passed: u64, history: &[u8], back: Vec<u8>) {
        self.input.resume(passed, history, back);
        self.place = self.place.then(more);
        self.skipped += passed;
    }

    /// Counts the first `bytes` kept bytes and lets them go.
    fn count(&mut self, bytes: usize) {
        let counted = &self.input.kept()[..bytes];
        match self.repaired {
            true => self.place.advance_repaired(self.scheme, counted),
            false => self.place.advance(self.scheme, counted),
        }
        self.input.release(bytes);
    }

    /// The next place that is ill-formed, if there is one.
    ///
    /// The text goes on behind what the error covers, which is one column wide. Not to be mixed with
    /// [`next_chunk`](Self::next_chunk): here, all that is kept has not been looked at.
    pub(crate) fn next_finding(&mut self) -> io::Result<Option<Finding>> {
        loop {
            let kept = self.input.kept();
            let error = self.scheme.validate(kept).err();
            let good = error.map_or(kept.len(), |error| error.valid_up_to());
            // The kind of an error may depend on as many bytes as a sequence has, an incomplete one may be completed, and
            // a surrogate that may stand alone is none if it becomes a pair.
            if kept.len() - good < LONGEST && !self.input.ended() {
                self.count(units::settled(self.scheme, kept, kept.len()));
                self.input.fill()?;
                continue;
            }
            self.count(good);
            let Some(error) = error else { return Ok(None) };
            let len = error.error_len().unwrap_or(self.input.kept().len());
            let finding = self.finding(Flaw::IllFormed(error.kind()), len)?;
            self.place.column += 1;
            self.input.release(len);
            return Ok(Some(finding));
        }
    }

    /// The finding that `error` is, found in the newest chunk or behind it by one stream for all chunks.
    pub(crate) fn locate(&mut self, error: StreamError) -> io::Result<Finding> {
        self.count_to(self.skipped + error.offset());
        let kind = self.kind_of(error)?;
        let len = error.error_len().unwrap_or(self.input.kept().len());
        self.finding(Flaw::of(kind), len)
    }

    /// The bytes that `error` covers, which [`locate`](Self::locate) could tell of.
    pub(crate) fn offence(&self, error: StreamError) -> &[u8] {
        let rest =
            &self.input.kept()[(self.skipped + error.offset() - self.input.offset()) as usize..];
        &rest[..error.error_len().unwrap_or(rest.len())]
    }

    /// Counts up to `offset`, which is in the newest chunk or just in front of it.
    pub(crate) fn count_to(&mut self, offset: u64) {
        self.count((offset - self.input.offset()) as usize);
    }

    /// The finding at the first kept byte, `len` bytes long.
    pub(crate) fn finding(&mut self, flaw: Flaw, len: usize) -> io::Result<Finding> {
        if self.excerpts {
            self.read_line()?;
        }
        let kept = self.input.kept();
        let excerpt = self
            .excerpts
            .then(|| Excerpt::new(self.scheme, self.input.history(), &kept[..len], &kept[len..]));
        let (place, offset) = (self.place, self.input.offset());
        Ok(Finding { place, offset, flaw, offence: kept[..len].to_vec(), excerpt })
    }

    /// Reads as much of the line as an excerpt may show.
    fn read_line(&mut self) -> io::Result<()> {
        loop {
            let kept = self.input.kept();
            let whole = kept.len() - kept.len() % self.scheme.unit_size();
            let seen = kept.len() >= excerpt::BEHIND
                || units::behind_last_line_feed(self.scheme, &kept[..whole]).is_some();
            if seen || self.input.fill()?.is_empty() {
                return Ok(());
            }
        }
    }

    /// The kind of `error`, whose sequence the kept bytes begin with, as it is for the whole file.
    ///
    /// A stream calls a sequence too short whose second byte is wrong and whose others have not come; with them it may
    /// turn out to be overlong, say. The message must not depend on where the chunks were cut, so this waits for them.
    fn kind_of(&mut self, error: StreamError) -> io::Result<ErrorKind> {
        if error.kind() != ErrorKind::TooShort || error.is_incomplete() {
            return Ok(error.kind());
        }
        while self.input.kept().len() < LONGEST && !self.input.fill()?.is_empty() {}
        let kept = self.input.kept();
        let whole = ByteValidator::new(self.scheme).push(&kept[..kept.len().min(LONGEST)]);
        Ok(whole.err().map_or(error.kind(), |error| error.kind()))
    }
}

#[cfg(test)]
mod tests;
