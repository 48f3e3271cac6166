//! Repairs of few ill-formed sequences: where the strict conversion stops, one is replaced by the
//! reference, and the strict conversion continues.
//!
//! That costs a call of it for each sequence. Where they are dense, other code repairs a stretch of
//! text at once, at a higher cost for its start.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::scalar;
use crate::types::policy::IllFormed;
use crate::types::progress::{LossyReach, Stop};

/// Well-formed bytes before an ill-formed sequence that show that such sequences are few. As much
/// text is repaired by other code in the time that a call of the strict conversion takes.
const FAR: usize = 256;

/// Bytes for which the start of other code takes longer than two calls.
const SHORT: usize = 64;

/// Ill-formed sequences that are replaced in the last [`SHORT`] bytes.
const FEW: usize = 2;

/// Ill-formed sequences that follow each other and count as one.
const TOGETHER: usize = 4;

/// Whether few ill-formed sequences are to be expected in `rest` bytes, which begin with one, after
/// a `run` of well-formed bytes and some `repairs`.
#[inline]
fn are_few(run: usize, rest: usize, repairs: usize) -> bool {
    run >= FAR || rest / 2 <= run || rest <= SHORT && repairs < FEW
}

/// The replacement of every ill-formed sequence, in the target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replacement {
    /// All four are initialised: [`put`](Self::put) stores all of them into the caller's output.
    bytes: [MaybeUninit<u8>; 4],
    /// The number of bytes of the replacement.
    len: usize,
}

/// The part of a text that is still to be converted.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) src: &'a [u8],
    /// Whether more input may follow.
    pub(super) may_continue: bool,
    /// If the strict conversion is known to convert nothing at the start of `src`: the bytes that
    /// it has converted before.
    pub(super) failed_after: Option<usize>,
}

impl Input<'_> {
    /// Whether few ill-formed sequences are to be expected.
    #[inline]
    pub(super) fn has_few(self) -> bool {
        self.failed_after.is_none_or(|run| are_few(run, self.src.len(), 0))
    }
}

/// The reason why [`Replacement::run`] stopped.
pub(super) enum End {
    /// The conversion ends, for the reason in [`LossyReach::stop`].
    Conversion,
    /// The text continues with a sequence that other code handles.
    Many,
}

impl Replacement {
    /// Returns the replacement for a pair of schemes, if there is one for all sequences, and each
    /// failure of the strict conversion is a sequence to replace.
    pub(super) fn new(from: Scheme, to: Scheme, ill_formed: IllFormed) -> Option<Self> {
        let mut bytes = [MaybeUninit::new(0); 4];
        // Unpaired surrogates that are allowed in the source need the text after them.
        if to.largest() != u32::from(char::MAX) || from.has_surrogates() {
            return None;
        }
        let len = match ill_formed {
            IllFormed::Replace(c) => scalar::encode_inlined(to, c.into(), &mut bytes)?,
            IllFormed::Skip => 0,
            _ => return None,
        };
        Some(Self { bytes, len })
    }

    /// Converts `input`, and replaces its ill-formed sequences as long as they are few. `total`
    /// begins with [`LossyReach::NONE`].
    #[inline(never)]
    pub(super) fn run(
        &self,
        conversion: Conversion,
        kernel: Kernel,
        input: Input<'_>,
        dst: &mut [MaybeUninit<u8>],
        total: &mut LossyReach,
    ) -> End {
        let Input { src, mut failed_after, .. } = input;
        loop {
            let run = match failed_after.take() {
                Some(run) => run,
                None => {
                    let (rest, room) = (&src[total.read..], &mut dst[total.written..]);
                    let reach = conversion.reach(kernel, rest, room);
                    total.add(reach.read, reach.written, 0);
                    reach.read
                }
            };
            let rest = &src[total.read..];
            if rest.is_empty() {
                total.stop = Stop::Done;
                return End::Conversion;
            }
            if !are_few(run, rest.len(), total.repairs) {
                return End::Many;
            }
            let before = total.repairs;
            if let Some(end) = self.replace(conversion, input, dst, total) {
                return end;
            }
            if total.repairs == before {
                // The target has every character.
                total.stop = Stop::OutputFull;
                return End::Conversion;
            }
        }
    }

    /// Replaces the ill-formed sequences that follow each other from `total.read` on, at most
    /// [`TOGETHER`]: a byte that is lost splits a character in two.
    #[inline(always)]
    fn replace(
        &self,
        Conversion { from, to, .. }: Conversion,
        input: Input<'_>,
        dst: &mut [MaybeUninit<u8>],
        total: &mut LossyReach,
    ) -> Option<End> {
        let mut sequences = 0;
        loop {
            let rest = &input.src[total.read..];
            let Err(flaw) = scalar::decode_for(to, from, rest) else { return None };
            if flaw.len == 0 && input.may_continue {
                total.stop = scalar::stop(from, to, input.src, total.read);
                return Some(End::Conversion);
            }
            if sequences == TOGETHER {
                return Some(End::Many);
            }
            if !self.put(&mut dst[total.written..]) {
                total.stop = Stop::OutputFull;
                return Some(End::Conversion);
            }
            let len = if flaw.len == 0 { rest.len() } else { flaw.len.into() };
            total.add(len, self.len, 1);
            sequences += 1;
            // Most often, ASCII follows.
            if rest.get(len).is_none_or(u8::is_ascii) {
                return None;
            }
        }
    }

    /// Writes the replacement to the start of `dst`, if it fits. Bytes after it may be written too.
    #[inline(always)]
    fn put(&self, dst: &mut [MaybeUninit<u8>]) -> bool {
        if let Some(room) = dst.first_chunk_mut() {
            *room = self.bytes;
            return true;
        }
        let Some(room) = dst.get_mut(..self.len) else { return false };
        for (room, &byte) in room.iter_mut().zip(&self.bytes) {
            *room = byte;
        }
        true
    }
}
