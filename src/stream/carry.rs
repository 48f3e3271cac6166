//! The bytes that are carried over from one chunk to the next.

use crate::encoding::scheme::Scheme;
use crate::scalar::boundary::{IncompleteSuffix, first_word};
use crate::scalar::decode;
use crate::scalar::sequence::Sequence;
use crate::swar::words;
use crate::types::error::{DecodeError, Error, StreamError};
use crate::types::progress::{LossyReach, Progress, Stop};

/// The carried bytes, which are the start of a sequence that is split across chunks, and their
/// offset in the stream.
#[derive(Clone, Debug)]
pub(super) struct Carry {
    scheme: Scheme,
    /// The number of bytes of the stream before the carried bytes.
    pub(super) offset: u64,
    /// The carried bytes, with the first byte in the low bits and zeros after the last.
    word: u64,
    /// The number of carried bytes.
    pub(super) len: usize,
    /// The number of repairs so far, in this stream and the streams before it.
    pub(super) repairs: u64,
}

/// The carried bytes together with the first bytes of a chunk.
pub(super) enum Joined {
    /// A complete character, and the number of its bytes that are in the chunk.
    Whole { c: u32, more: usize },
    /// The start of a character. The chunk ends before the character does.
    Incomplete(IncompleteSuffix),
    /// An ill-formed sequence, or a sequence that depends on more text.
    Unknown,
}

/// A one-shot conversion or validation. The arguments are the bytes, the number of bytes written so
/// far, and a flag `may_continue`. If the flag is false, the bytes are the end of the stream. A
/// sequence that is not read because it may continue is reported as an error without a length.
pub(super) type Step<'a> = &'a mut dyn FnMut(&[u8], usize, bool) -> LossyReach;

impl Carry {
    /// The capacity in bytes: a multiple of the size of every unit, and greater than the length of
    /// the longest sequence that may continue.
    const CAPACITY_BYTES: usize = 8;

    /// Creates an empty carry at the start of a stream.
    pub(super) const fn new(scheme: Scheme) -> Self {
        Self { scheme, offset: 0, word: 0, len: 0, repairs: 0 }
    }

    /// Returns true if no bytes are carried.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns true if the stream has not begun.
    #[cfg(all(feature = "std", feature = "transcode"))]
    pub(super) fn is_at_start(&self) -> bool {
        self.is_empty() && self.offset == 0
    }

    /// Notes that the carried bytes and the first `bytes` bytes of a chunk have been processed, up
    /// to `tail`, the start of a character at their end. Moves the offset to `tail`, and carries
    /// `tail`.
    #[inline]
    pub(super) fn pass(&mut self, bytes: usize, tail: IncompleteSuffix) {
        self.offset += (self.len + bytes - tail.len) as u64;
        self.word = tail.word;
        self.len = tail.len;
    }

    /// Carries the incomplete sequence at the end of the UTF-8 read so far, if there is one. `last`
    /// holds the last three bytes, with the last byte in the high bits. The text up to here has no
    /// error, and the offset is at its end.
    #[inline]
    pub(super) fn carry_incomplete_utf8(&mut self, last: u32) {
        let tail = IncompleteSuffix::find_utf8(last << 8).unwrap_or(IncompleteSuffix::NONE);
        self.offset -= tail.len as u64;
        self.word = tail.word;
        self.len = tail.len;
    }

    /// Stops carrying bytes of UTF-8: moves the offset past them. Returns them as three bytes, with
    /// the last byte in the high bits.
    #[inline]
    pub(super) fn take_utf8(&mut self) -> u32 {
        let last = (self.word << (24 - 8 * self.len.min(3))) as u32 & 0xFF_FFFF;
        self.pass(0, IncompleteSuffix::NONE);
        last
    }

    /// Joins the carried bytes with the first bytes of `chunk`, which is not empty.
    #[inline(always)]
    pub(super) fn join(&self, chunk: &[u8]) -> Joined {
        if !self.joins_by_word() {
            return self.join_other(chunk);
        }
        // At most three bytes of these encodings are carried.
        let shifted = first_word(chunk).wrapping_shl(8 * self.len as u32);
        let (word, len) = (self.word as u32 | shifted, self.len + chunk.len());
        let sequence = match self.scheme {
            Scheme::Utf8 => Sequence::decode_utf8(word, len),
            scheme => {
                let swapped = word.swap_bytes().rotate_left(16);
                Sequence::decode_utf16(if scheme == Scheme::Utf16Be { swapped } else { word }, len)
            }
        };
        match sequence {
            Sequence::Character(c, len) if len >= self.len => {
                Joined::Whole { c, more: len - self.len }
            }
            Sequence::Incomplete => Joined::Incomplete(IncompleteSuffix { word: word.into(), len }),
            _ => Joined::Unknown,
        }
    }

    /// Returns true if [`join`](Self::join) has separate code for the scheme.
    #[inline]
    pub(super) fn joins_by_word(&self) -> bool {
        matches!(self.scheme, Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be)
    }

    /// Joins as [`join`](Self::join) does, for the other schemes.
    #[inline(never)]
    fn join_other(&self, chunk: &[u8]) -> Joined {
        // A high surrogate may be complete, or the start of a pair.
        if self.scheme.has_surrogates() {
            return Joined::Unknown;
        }
        let (front, front_len) = match chunk.first_chunk() {
            Some(front) => (u64::from_le_bytes(*front), Self::CAPACITY_BYTES),
            None => (words::padded16(chunk)[0], chunk.len()),
        };
        // Shifts join the bytes, because a copy of a few bytes would be a call.
        let shift = 8 * self.len.min(Self::CAPACITY_BYTES - 1);
        let joined = u128::from(self.word) | u128::from(front) << shift;
        let len = self.len + front_len;
        let bytes = joined.to_le_bytes();
        let Some(bytes) = bytes.get(..len) else { return Joined::Unknown };
        match decode(self.scheme, bytes) {
            Ok((c, len)) if len >= self.len => Joined::Whole { c, more: len - self.len },
            Err(DecodeError { len: 0, .. }) if len <= Self::CAPACITY_BYTES => {
                Joined::Incomplete(IncompleteSuffix { word: joined as u64, len })
            }
            _ => Joined::Unknown,
        }
    }

    /// Calls `step` for the carried bytes, joined with the start of `chunk`, and then for the rest
    /// of `chunk`.
    #[inline(never)]
    pub(super) fn push(&mut self, chunk: &[u8], step: Step<'_>) -> Progress<StreamError> {
        let (mut read, mut written) = (0, 0);
        if self.len > 0 {
            // Eight bytes of the chunk, or all, are joined: more than the rest of any sequence.
            let (held, front_len) = (self.len, chunk.len().min(Self::CAPACITY_BYTES));
            let mut joined = [0; 2 * Self::CAPACITY_BYTES];
            joined[..Self::CAPACITY_BYTES].copy_from_slice(&self.word.to_le_bytes());
            joined[held..held + front_len].copy_from_slice(&chunk[..front_len]);
            let joined = &joined[..held + front_len];
            let reach = self.add_to_totals(step(joined, 0, true));
            written = reach.written;
            if reach.read < held {
                return self.stop_in_carried(reach, chunk);
            }
            // If this step stopped inside the chunk, the next step determines the reason from the
            // whole chunk.
            read = reach.read - held;
            self.drop_prefix(held);
        }
        let reach = step(&chunk[read..], written, true);
        self.finish_step(chunk, read, written, reach)
    }

    /// Returns the progress of a chunk after a step that began at byte `read` of the chunk.
    /// `written` bytes were written before this step.
    #[inline]
    pub(super) fn finish_step(
        &mut self,
        chunk: &[u8],
        read: usize,
        written: usize,
        reach: LossyReach,
    ) -> Progress<StreamError> {
        let reach = self.add_to_totals(reach);
        let (read, written) = (read + reach.read, written + reach.written);
        match reach.stop {
            Stop::Done => Progress { read, written, stop: Stop::Done },
            Stop::OutputFull => Progress { read, written, stop: Stop::OutputFull },
            Stop::Error(error) => match error.error_len() {
                None => {
                    self.keep(&chunk[read..]);
                    Progress { read: chunk.len(), written, stop: Stop::Done }
                }
                Some(len) => self.stop_at_error(read + len, written, error),
            },
        }
    }

    /// Returns the progress of a step that stopped inside the carried bytes.
    #[cold]
    #[inline(never)]
    fn stop_in_carried(&mut self, reach: LossyReach, chunk: &[u8]) -> Progress<StreamError> {
        let LossyReach { read: done, written, stop, .. } = reach;
        match stop {
            Stop::Error(error) => match error.error_len() {
                // The sequence is still incomplete, so the whole chunk is carried.
                None => {
                    self.drop_prefix(done);
                    self.keep(chunk);
                    Progress { read: chunk.len(), written, stop: Stop::Done }
                }
                // The bytes after the error begin a new sequence.
                Some(len) => {
                    let after = done + len;
                    let read = after.saturating_sub(self.len);
                    self.drop_prefix(after.min(self.len));
                    self.stop_at_error(read, written, error)
                }
            },
            _ => {
                self.drop_prefix(done);
                Progress { read: 0, written, stop: Stop::OutputFull }
            }
        }
    }

    /// Processes the carried bytes, an incomplete sequence, at the end of the stream. If an error
    /// covers only the first of them, returns it: the caller calls again for the other bytes.
    #[inline(never)]
    pub(super) fn finish(&mut self, step: Step<'_>) -> Progress<StreamError> {
        let held = self.len;
        let bytes = self.word.to_le_bytes();
        let reach = self.add_to_totals(step(&bytes[..held], 0, false));
        let written = reach.written;
        if let Stop::OutputFull = reach.stop {
            self.drop_prefix(reach.read);
            return Progress { read: 0, written, stop: Stop::OutputFull };
        }
        if let Stop::Error(error) = reach.stop
            && let Some(len) = error.error_len()
            && reach.read + len < held
        {
            self.drop_prefix(reach.read + len);
            return self.stop_at_error(0, written, error);
        }
        let Self { scheme, offset, repairs, .. } = *self;
        *self = Self { repairs, ..Self::new(scheme) };
        match reach.stop {
            Stop::Error(error) => progress_with_error(0, written, offset, error, scheme),
            _ => Progress { read: 0, written, stop: Stop::Done },
        }
    }

    /// Adds the progress of a step to the totals of the stream.
    fn add_to_totals(&mut self, reach: LossyReach) -> LossyReach {
        self.offset += reach.read as u64;
        self.repairs += reach.repairs as u64;
        reach
    }

    /// Adds `bytes` to the carried bytes.
    fn keep(&mut self, bytes: &[u8]) {
        let mut word = self.word.to_le_bytes();
        word[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.word = u64::from_le_bytes(word);
        self.len += bytes.len();
    }

    /// Removes the first `count` carried bytes.
    fn drop_prefix(&mut self, count: usize) {
        self.word = self.word.unbounded_shr(8 * count as u32);
        self.len -= count;
    }

    /// Moves the offset past the ill-formed sequence at the current offset, and returns the
    /// progress with its error.
    fn stop_at_error(
        &mut self,
        read: usize,
        written: usize,
        error: Error,
    ) -> Progress<StreamError> {
        let error_offset = self.offset;
        self.offset += error.error_len().unwrap_or(0) as u64;
        progress_with_error(read, written, error_offset, error, self.scheme)
    }
}

/// Returns the progress with an error at byte `offset` of the stream.
#[cold]
fn progress_with_error(
    read: usize,
    written: usize,
    offset: u64,
    error: Error,
    scheme: Scheme,
) -> Progress<StreamError> {
    #[expect(clippy::cast_possible_truncation, reason = "at most four bytes")]
    let decode_error =
        DecodeError { kind: error.kind(), len: error.error_len().unwrap_or(0) as u8 };
    Progress {
        read,
        written,
        stop: Stop::Error(StreamError::new(scheme, offset, read, decode_error)),
    }
}
