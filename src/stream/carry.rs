//! The bytes that are carried over from one chunk to the next.

use crate::encoding::scheme::Scheme;
use crate::scalar::boundary::{IncompleteSuffix, first_word};
use crate::scalar::decode;
use crate::scalar::sequence::Sequence;
use crate::swar::words;
use crate::types::error::{DecodeError, Error, StreamError};
use crate::types::progress::{LossyReach, Progress, Stop};

/// The carried bytes: the start of a sequence that is split across chunks, and its offset in the
/// stream.
#[derive(Clone, Debug)]
pub(super) struct Carry {
    scheme: Scheme,
    /// Bytes of the stream before the carried bytes.
    pub(super) offset: u64,
    /// The carried bytes, the first one lowest, with zeros after them.
    word: u64,
    /// The number of carried bytes.
    pub(super) len: usize,
    /// Repairs so far, in this stream and the streams before it.
    pub(super) repairs: u64,
}

/// The carried bytes together with the first bytes of a chunk.
pub(super) enum Joined {
    /// A character, and its bytes in the chunk.
    Whole { c: u32, more: usize },
    /// A part of a character, which includes the whole chunk.
    Begun(IncompleteSuffix),
    /// An ill-formed sequence, or a sequence that depends on more text.
    Unknown,
}

/// A one-shot conversion or validation of some bytes, given the bytes of output so far. Without
/// `may_continue` the bytes are the end of the stream. A sequence left unread because it may
/// continue is an incomplete error.
pub(super) type Step<'a> = &'a mut dyn FnMut(&[u8], usize, bool) -> LossyReach;

impl Carry {
    /// The capacity in bytes: a multiple of every unit, and more than the longest sequence that may
    /// continue.
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

    /// Counts the carried bytes and `bytes` bytes of a chunk, except `tail`, the start of a
    /// character at their end, which is carried from now on.
    #[inline]
    pub(super) fn pass(&mut self, bytes: usize, tail: IncompleteSuffix) {
        self.offset += (self.len + bytes - tail.len) as u64;
        self.word = tail.word;
        self.len = tail.len;
    }

    /// Carries the incomplete sequence of UTF-8 at the end of the stream. `last` are its last
    /// bytes, which are well-formed, the last one highest, and which the offset has counted.
    #[inline]
    pub(super) fn begun_utf8(&mut self, last: u32) {
        let tail = IncompleteSuffix::find_utf8(last << 8).unwrap_or(IncompleteSuffix::NONE);
        self.offset -= tail.len as u64;
        self.word = tail.word;
        self.len = tail.len;
    }

    /// Counts the carried bytes of UTF-8, returns them, the last one highest, and carries nothing.
    #[inline]
    pub(super) fn begin_utf8(&mut self) -> u32 {
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
        let front = first_word(chunk).wrapping_shl(8 * self.len as u32);
        let (word, len) = (self.word as u32 | front, self.len + chunk.len());
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
            Sequence::Incomplete => Joined::Begun(IncompleteSuffix { word: word.into(), len }),
            _ => Joined::Unknown,
        }
    }

    /// Returns true if [`join`](Self::join) has separate code for the scheme.
    #[inline]
    pub(super) fn joins_by_word(&self) -> bool {
        matches!(self.scheme, Scheme::Utf8 | Scheme::Utf16Le | Scheme::Utf16Be)
    }

    /// [`join`](Self::join) for other schemes.
    #[inline(never)]
    fn join_other(&self, chunk: &[u8]) -> Joined {
        // An unpaired surrogate may be complete, or the start of a pair.
        if self.scheme.has_surrogates() {
            return Joined::Unknown;
        }
        let (front, more) = match chunk.first_chunk() {
            Some(front) => (u64::from_le_bytes(*front), Self::CAPACITY_BYTES),
            None => (words::padded16(chunk)[0], chunk.len()),
        };
        // Shifts, because a copy of so few bytes would be a call.
        let bits = 8 * self.len.min(Self::CAPACITY_BYTES - 1);
        let joined = u128::from(self.word) | u128::from(front) << bits;
        let len = self.len + more;
        let bytes = joined.to_le_bytes();
        let Some(bytes) = bytes.get(..len) else { return Joined::Unknown };
        match decode(self.scheme, bytes) {
            Ok((c, len)) if len >= self.len => Joined::Whole { c, more: len - self.len },
            Err(DecodeError { len: 0, .. }) if len <= Self::CAPACITY_BYTES => {
                Joined::Begun(IncompleteSuffix { word: joined as u64, len })
            }
            _ => Joined::Unknown,
        }
    }

    /// Runs `step` over the carried bytes and `chunk`.
    #[inline(never)]
    pub(super) fn push(&mut self, chunk: &[u8], step: Step<'_>) -> Progress<StreamError> {
        let (mut read, mut written) = (0, 0);
        if self.len > 0 {
            // Join the carried bytes with the first bytes of the chunk: more than the sequence can
            // have.
            let (held, more) = (self.len, chunk.len().min(Self::CAPACITY_BYTES));
            let mut joined = [0; 2 * Self::CAPACITY_BYTES];
            joined[..Self::CAPACITY_BYTES].copy_from_slice(&self.word.to_le_bytes());
            joined[held..held + more].copy_from_slice(&chunk[..more]);
            let joined = &joined[..held + more];
            let reach = self.count(step(joined, 0, true));
            written = reach.written;
            if reach.read < held {
                return self.inside(reach, chunk);
            }
            // If it stopped inside the chunk, the next step determines the reason from the whole
            // chunk.
            read = reach.read - held;
            self.drop_prefix(held);
        }
        let reach = step(&chunk[read..], written, true);
        self.ended(chunk, read, written, reach)
    }

    /// Returns the progress of a chunk after a step over its bytes from `read` on. `written` bytes
    /// were written before the step.
    #[inline]
    pub(super) fn ended(
        &mut self,
        chunk: &[u8],
        read: usize,
        written: usize,
        reach: LossyReach,
    ) -> Progress<StreamError> {
        let reach = self.count(reach);
        let (read, written) = (read + reach.read, written + reach.written);
        match reach.stop {
            Stop::Done => Progress { read, written, stop: Stop::Done },
            Stop::OutputFull => Progress { read, written, stop: Stop::OutputFull },
            Stop::Error(error) => match error.error_len() {
                None => {
                    self.keep(&chunk[read..]);
                    Progress { read: chunk.len(), written, stop: Stop::Done }
                }
                Some(len) => self.stopped(read + len, written, error),
            },
        }
    }

    /// Returns the progress of a step that stopped inside the carried bytes.
    #[cold]
    #[inline(never)]
    pub(super) fn inside(&mut self, reach: LossyReach, chunk: &[u8]) -> Progress<StreamError> {
        let LossyReach { read: done, written, stop, .. } = reach;
        match stop {
            Stop::Error(error) => match error.error_len() {
                // Still incomplete, so the whole chunk is carried.
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
                    self.stopped(read, written, error)
                }
            },
            _ => {
                self.drop_prefix(done);
                Progress { read: 0, written, stop: Stop::OutputFull }
            }
        }
    }

    /// Ends the stream: a carried sequence remains incomplete. If it is ill-formed without the
    /// bytes after it, the stream has not ended before them.
    #[inline(never)]
    pub(super) fn finish(&mut self, step: Step<'_>) -> Progress<StreamError> {
        let held = self.len;
        let bytes = self.word.to_le_bytes();
        let reach = self.count(step(&bytes[..held], 0, false));
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
            return self.stopped(0, written, error);
        }
        let Self { scheme, offset, repairs, .. } = *self;
        *self = Self { repairs, ..Self::new(scheme) };
        match reach.stop {
            Stop::Error(error) => stopped(0, written, offset, error, scheme),
            _ => Progress { read: 0, written, stop: Stop::Done },
        }
    }

    /// Adds the progress of a step to the totals of the stream.
    pub(super) fn count(&mut self, reach: LossyReach) -> LossyReach {
        self.offset += reach.read as u64;
        self.repairs += reach.repairs as u64;
        reach
    }

    /// Carries more bytes.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        let mut word = self.word.to_le_bytes();
        word[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.word = u64::from_le_bytes(word);
        self.len += bytes.len();
    }

    /// Removes the first carried bytes.
    fn drop_prefix(&mut self, bytes: usize) {
        self.word = self.word.unbounded_shr(8 * bytes as u32);
        self.len -= bytes;
    }

    /// Returns the progress up to and including the ill-formed sequence at the current offset.
    pub(super) fn stopped(
        &mut self,
        read: usize,
        written: usize,
        error: Error,
    ) -> Progress<StreamError> {
        let at = self.offset;
        self.offset += error.error_len().unwrap_or(0) as u64;
        stopped(read, written, at, error, self.scheme)
    }
}

/// Returns the progress up to `error`, which is at `offset` of the stream.
#[cold]
pub(super) fn stopped(
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
