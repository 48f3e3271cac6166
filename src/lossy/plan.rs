//! Conversions with repairs: the strict conversion runs first, and text is repaired where it stops.
//!
//! There are two strategies:
//!
//! * If ill-formed sequences are rare, or there is no vector code for them: the reference replaces
//!   the sequence and the sequences right after it, and the strict conversion continues.
//! * If they are dense: a segment is repaired into a buffer, and the buffer is converted
//!   like any other text. So there is one repair algorithm for each encoding and none for each
//!   pair, and the buffer stays in the cache.
//!
//! The first strategy is exact for any capacity. The second one does nothing if its whole segment
//! does not fit.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::repair::{RepairFns, repair_fns};
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::generic::repair::utf8::BLOCK_CAPACITY;
use crate::lossy::substitute::Substitute;
use crate::scalar;
use crate::scalar::repair::RepairSpec;
use crate::scalar::wtf8;
use crate::types::error::{DecodeError, Error};
use crate::types::policy::Policy;
use crate::types::progress::{LossyReach, Stop};

/// Bytes of a segment that is repaired in a buffer.
const BUFFER_BYTES: usize = 2048 + BLOCK_CAPACITY;

/// Well-formed bytes before an ill-formed sequence that show that such sequences are rare. As much
/// text is repaired in a segment in the time that a call of the strict conversion takes.
const RARE_BYTES: usize = 256;

/// For fewer bytes, starting a segment takes longer than two calls.
const SHORT_BYTES: usize = 64;

/// Ill-formed sequences that are replaced alone in the last [`SHORT_BYTES`].
const SHORT_REPAIRS: usize = 2;

/// The most consecutive ill-formed sequences that are replaced one by one: a lost byte makes two of
/// a character.
const RUN_SEQUENCES: usize = 4;

/// Returns true if ill-formed sequences are probably dense in the next `rest` bytes, which begin
/// with one, after `run` well-formed bytes and `repairs` repairs.
#[inline]
fn are_dense(run: usize, rest: usize, repairs: usize) -> bool {
    run < RARE_BYTES && run < rest / 2 && (rest > SHORT_BYTES || repairs >= SHORT_REPAIRS)
}

/// The functions that convert one scheme to another with repairs: a constant of each pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyConversion {
    /// The conversion of well-formed text.
    strict: Conversion,
    /// The conversion of repaired text.
    repaired: Conversion,
    /// The functions that repair segments.
    repair_fns: RepairFns,
}

impl LossyConversion {
    /// Returns the functions of a pair.
    pub(crate) const fn for_pair(from: Scheme, to: Scheme) -> Self {
        let repaired = match from {
            Scheme::Utf8 => pairs::transcode_str(to),
            from => pairs::transcode(from, to),
        };
        Self { strict: pairs::transcode(from, to), repaired, repair_fns: repair_fns(from, to) }
    }

    /// Returns the conversion of well-formed text.
    #[inline]
    pub(crate) const fn strict(&self) -> Conversion {
        self.strict
    }

    /// Returns the bytes of capacity, beyond the need of `len` bytes of well-formed text, with
    /// which a repair is fast to its end if there are few errors.
    #[cfg(feature = "alloc")]
    pub(crate) fn spare_capacity(&self, len: usize) -> usize {
        match (self.strict.from, self.strict.to) {
            (Scheme::Utf8, Scheme::Utf8) => 64 + BLOCK_CAPACITY + len.min(3 * BLOCK_CAPACITY),
            // A replacement may be longer than any character.
            _ => 64,
        }
    }
}

/// A [`LossyConversion`] with the policy that it follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyRun {
    conversion: LossyConversion,
    /// The repair of ill-formed sequences; `None` stops at them.
    spec: Option<RepairSpec>,
    /// The replacement of unmappable characters; `None` stops at them.
    unmappable: Option<Substitute>,
    /// True if the text converted so far ends with an ill-formed sequence that shares its
    /// replacement with the sequences after it.
    ends_ill_formed: bool,
}

impl LossyRun {
    /// Applies a policy to the functions of a pair.
    pub(crate) fn new(conversion: LossyConversion, policy: Policy) -> Self {
        let Conversion { from, to, .. } = conversion.strict;
        Self {
            conversion,
            spec: policy.ill_formed.map(|ill_formed| RepairSpec::new(from, to, ill_formed)),
            unmappable: policy.unmappable.map(|unmappable| Substitute::new(unmappable, to)),
            ends_ill_formed: false,
        }
    }

    /// Ends the text. The next call begins another one.
    pub(crate) fn end_text(&mut self) {
        self.ends_ill_formed = false;
    }

    /// Converts as much of `src` as possible: the next part of the text. With `may_continue`, more
    /// input may follow, and an incomplete sequence at the end of `src` is left unread.
    pub(crate) fn run(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
    ) -> LossyReach {
        self.run_after(kernel, src, dst, may_continue, None)
    }

    /// [`run`](Self::run). `failed_after` is given if the strict conversion is known to convert
    /// nothing at the start of `src`: the bytes that it has converted before.
    #[inline(never)]
    pub(crate) fn run_after(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        mut failed_after: Option<usize>,
    ) -> LossyReach {
        let from = self.conversion.strict.from;
        let mut total = LossyReach::NONE;
        let mut segments = self.segment_replacement(kernel);
        loop {
            let (rest, out) = (&src[total.read..], &mut dst[total.written..]);
            let complete = wtf8::complete(from, rest, may_continue);
            let run = match (failed_after.take(), complete) {
                (Some(run), _) => run,
                (None, []) => 0,
                (None, _) => {
                    let reach = self.conversion.strict.reach(kernel, complete, out);
                    total.add(reach.read, reach.written, 0);
                    self.ends_ill_formed &= reach.read == 0;
                    reach.read
                }
            };
            if let Some(replacement) = segments
                && are_dense(run, src.len() - total.read, total.repairs)
            {
                if self.repair_segment(kernel, replacement, src, dst, may_continue, &mut total) {
                    continue;
                }
                // The rest of the output is too small, or the text is well-formed.
                segments = None;
            }
            let most = if segments.is_some() { RUN_SEQUENCES } else { usize::MAX };
            if let Some(stop) = self.replace(most, src, dst, may_continue, &mut total) {
                total.stop = stop;
                return total;
            }
        }
    }

    /// Returns the replacement that [`repair_segment`](Self::repair_segment) writes for every
    /// sequence, which may be nothing, or `None` if there is no code for it.
    fn segment_replacement(&self, kernel: Kernel) -> Option<Option<char>> {
        let spec = self.spec.filter(|spec| spec.shared().is_none())?;
        self.conversion.repair_fns.same.filter(|_| kernel != Kernel::SCALAR)?;
        spec.uniform()
    }

    /// Repairs a segment, in a buffer unless the output has the same encoding, and converts the
    /// buffer. Returns false if nothing has been done, because there is no vector code for the
    /// text, or it does not fit.
    #[inline(never)]
    fn repair_segment(
        &self,
        kernel: Kernel,
        replacement: Option<char>,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> bool {
        let RepairFns { same: Some(same), isolated } = self.conversion.repair_fns else {
            return false;
        };
        let Conversion { from, to, .. } = self.conversion.strict;
        let start = total.read;
        let (rest, out) = (&src[start..], &mut dst[total.written..]);
        if from.without_surrogates() == to.without_surrogates() {
            let reach = same(rest, out, replacement, may_continue, kernel);
            total.add(reach.read, reach.written, reach.repairs);
            return total.read > start;
        }
        if let Some(isolated) = isolated
            && rest.get(1..9).is_some_and(<[u8]>::is_ascii)
        {
            let reach = isolated(rest, out, replacement, may_continue, kernel);
            total.add(reach.read, reach.written, reach.repairs);
        }
        let (rest, out) = (&src[total.read..], &mut dst[total.written..]);
        // A segment that does not fit is repaired twice, so it is not much longer than the output.
        let part = &rest[..rest.len().min(out.len())];
        let may_continue = may_continue || part.len() < rest.len();
        let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
        let reach = same(part, &mut buffer, replacement, may_continue, kernel);
        // SAFETY: a kernel function initialises as many bytes as it returns.
        let text = unsafe { view::init_mut(&mut buffer[..reach.written]) };
        let strict = self.conversion.repaired;
        let mut converter = Self { spec: None, ..*self };
        converter.conversion.strict = strict;
        let converted = converter.run(kernel, text, out, false);
        if converted.stop == Stop::Done {
            total.add(reach.read, converted.written, reach.repairs + converted.repairs);
        }
        total.read > start
    }

    /// Replaces the text at `total.read`, where the strict conversion stopped: a limited number of
    /// consecutive ill-formed sequences, or unmappable characters. Returns the reason if the
    /// conversion ends here.
    ///
    /// A further sequence that shares a replacement needs no capacity, so all sequences of a run
    /// are read even if the output is full.
    #[inline(always)]
    fn replace(
        &mut self,
        most: usize,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> Option<Stop> {
        let Conversion { from, to, .. } = self.conversion.strict;
        let error = |decode_error, at| Some(Stop::Error(Error::new(from, at, decode_error)));
        let mut count = 0;
        while count < most {
            let rest = &src[total.read..];
            if rest.is_empty() {
                return Some(Stop::Done);
            }
            if may_continue && wtf8::is_incomplete_pair(from, rest) {
                return Some(Stop::Error(wtf8::incomplete_end(from, total.read)));
            }
            let decode_error = match scalar::decode_for(to, from, rest) {
                Ok(_) if count > 0 => break,
                Ok((c, len)) if c > to.largest() => {
                    self.ends_ill_formed = false;
                    let Some(substitute) = self.unmappable else {
                        return error(scalar::unmappable(len), total.read);
                    };
                    return substitute.run(self.conversion.strict, src, dst, total);
                }
                Ok(_) => return Some(Stop::OutputFull),
                Err(decode_error) => decode_error,
            };
            let Some(spec) = &self.spec else { return error(decode_error, total.read) };
            if may_continue && (decode_error.len == 0 || spec.waits(rest)) {
                // A sequence that waits for more input is not yet an error.
                return error(DecodeError::incomplete(decode_error.kind), total.read);
            }
            let len = if decode_error.len == 0 { rest.len() } else { decode_error.len.into() };
            let len = spec.extent(rest, len);
            count += 1;
            if self.ends_ill_formed && spec.joins_runs() {
                total.add(len, 0, 0);
                continue;
            }
            let Some((len, written)) = spec.write(rest, len, &mut dst[total.written..]) else {
                return Some(Stop::OutputFull);
            };
            total.add(len, written, 1);
            self.ends_ill_formed = true;
        }
        None
    }
}
