//! Conversions with repairs: the strict conversion runs first, and text is repaired where the
//! strict conversion stops.
//!
//! There are two strategies:
//!
//! * If ill-formed sequences are rare, or there is no vector code for them: the reference replaces
//!   the sequence and the ill-formed sequences directly after it. Then the strict conversion
//!   continues.
//! * If ill-formed sequences are dense: a segment is repaired into a buffer, and the buffer is
//!   converted like any other text. So there is one repair algorithm for each encoding, not one for
//!   each pair of encodings. The buffer stays in the cache.
//!
//! A character that the target lacks is replaced by the policy's substitute, as a rare sequence is.
//!
//! The first strategy works with any capacity of the output. The second strategy does nothing if
//! the whole converted segment does not fit.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::repair::{RepairFn, repair_fn};
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::generic::repair::utf8::BLOCK_CAPACITY;
use crate::scalar;
use crate::scalar::repair::RepairSpec;
use crate::scalar::wtf8;
use crate::types::error::{DecodeError, Error};
use crate::types::policy::{Policy, Unmappable};
use crate::types::progress::{LossyReach, Reach, Stop};

/// The size of the buffer in which a segment is repaired, in bytes.
const BUFFER_BYTES: usize = 2048 + BLOCK_CAPACITY;

/// Ill-formed sequences count as rare after this many well-formed bytes. The repair of a segment
/// handles as many bytes in the time that a call of the strict conversion takes.
const RARE_BYTES: usize = 256;

/// If fewer bytes are left, starting a segment takes longer than two calls of the strict
/// conversion.
const SHORT_BYTES: usize = 64;

/// The number of mappable characters that are converted one by one after an unmappable character.
const ONE_BY_ONE_CHARS: usize = 8;

/// Returns true if ill-formed sequences are probably dense in the next `rest` bytes, which begin
/// with an ill-formed sequence. `run` well-formed bytes precede it.
#[inline]
fn are_dense(run: usize, rest: usize) -> bool {
    run < RARE_BYTES.min(rest / 2) && rest > SHORT_BYTES
}

/// A strict conversion from one encoding to another, and the functions that repairs need.
pub(crate) trait StrictConversion: Copy {
    /// Returns the schemes of the input and of the output. A code page counts as Latin-1, whose
    /// units have one byte too, or as UTF-32 if it is the output.
    fn schemes(&self) -> (Scheme, Scheme);

    /// Converts as much of `src` as possible.
    fn reach(&self, kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach;

    /// Returns the first character of `src`, which is not empty, and its number of bytes.
    fn decode(&self, src: &[u8]) -> Result<(u32, usize), DecodeError>;

    /// Returns true if the output's encoding has the character `c`.
    fn has(&self, c: u32) -> bool;

    /// Writes the character `c`. Returns its number of bytes, or `None` if it does not fit.
    fn encode(&self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize>;

    /// Returns the function that repairs segments without changing their scheme, and the conversion
    /// of the repaired text. `None` if there is no vector code.
    fn segments(&self) -> Option<(RepairFn, Self)> {
        None
    }
}

/// The functions that convert one scheme to another with repairs. Each pair of schemes has a
/// constant of this type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyConversion {
    /// The conversion of well-formed text.
    pub(crate) strict: Conversion,
    /// The conversion of repaired text.
    repaired: Conversion,
    /// The function that repairs segments without changing their scheme. `None` if there is no
    /// vector code.
    repair: Option<RepairFn>,
}

impl LossyConversion {
    /// Returns the functions of a pair.
    pub(crate) const fn for_pair(from: Scheme, to: Scheme) -> Self {
        let repaired = match from {
            Scheme::Utf8 => pairs::transcode_str(to),
            from => pairs::transcode(from, to),
        };
        Self { strict: pairs::transcode(from, to), repaired, repair: repair_fn(from, to) }
    }

    /// Returns the number of bytes of spare capacity with which a text of `len` bytes with few
    /// errors is repaired fast up to its end. They are added to the capacity that well-formed text
    /// needs.
    #[cfg(feature = "alloc")]
    pub(crate) fn spare_capacity(&self, len: usize) -> usize {
        match (self.strict.from, self.strict.to) {
            (Scheme::Utf8, Scheme::Utf8) => 64 + BLOCK_CAPACITY + len.min(3 * BLOCK_CAPACITY),
            // A replacement may be longer than any character.
            _ => 64,
        }
    }
}

impl StrictConversion for LossyConversion {
    #[inline]
    fn schemes(&self) -> (Scheme, Scheme) {
        (self.strict.from, self.strict.to)
    }

    #[inline]
    fn reach(&self, kernel: Kernel, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Reach {
        self.strict.reach(kernel, src, dst)
    }

    #[inline]
    fn decode(&self, src: &[u8]) -> Result<(u32, usize), DecodeError> {
        scalar::decode_for(self.strict.to, self.strict.from, src)
    }

    #[inline]
    fn has(&self, c: u32) -> bool {
        c <= self.strict.to.largest()
    }

    #[inline]
    fn encode(&self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        scalar::encode_inlined(self.strict.to, c, dst)
    }

    #[inline]
    fn segments(&self) -> Option<(RepairFn, Self)> {
        Some((self.repair?, Self { strict: self.repaired, ..*self }))
    }
}

/// A conversion with the policy that it follows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyRun<C = LossyConversion> {
    pub(crate) conversion: C,
    /// The repair of ill-formed sequences. If it is `None`, the conversion stops at them.
    spec: Option<RepairSpec>,
    /// The replacement of unmappable characters. If it is `None`, the conversion stops at them.
    unmappable: Option<Unmappable>,
    /// True if the text converted so far ends with an ill-formed sequence that shares its
    /// replacement with the sequences after it.
    ends_ill_formed: bool,
}

impl<C: StrictConversion> LossyRun<C> {
    /// Applies a policy to a conversion.
    pub(crate) fn new(conversion: C, policy: Policy) -> Self {
        let (from, to) = conversion.schemes();
        Self {
            conversion,
            spec: policy.ill_formed.map(|ill_formed| RepairSpec::new(from, to, ill_formed)),
            unmappable: policy.unmappable,
            ends_ill_formed: false,
        }
    }

    /// Ends the text. The next call begins another text.
    pub(crate) fn end_text(&mut self) {
        self.ends_ill_formed = false;
    }

    /// Converts as much as possible of `src`, the next part of the text. If `may_continue` is true,
    /// more input may follow, and an incomplete sequence at the end of `src` is left unread.
    pub(crate) fn run(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
    ) -> LossyReach {
        self.run_after(kernel, src, dst, may_continue, None)
    }

    /// Like [`run`](Self::run), but does not repeat a strict conversion that is known to fail. If
    /// `failed_after` is given, the strict conversion stops at the start of `src`, and
    /// `failed_after` is the number of bytes that it has converted before `src`.
    #[inline(never)]
    pub(crate) fn run_after(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        mut failed_after: Option<usize>,
    ) -> LossyReach {
        let (from, _) = self.conversion.schemes();
        let mut total = LossyReach::NONE;
        let mut segments = self.segment_replacement(kernel);
        loop {
            let (rest, out) = (&src[total.read..], &mut dst[total.written..]);
            let complete = wtf8::complete(from, rest, may_continue);
            let run = match (failed_after.take(), complete) {
                (Some(run), _) => run,
                (None, []) => 0,
                (None, _) => {
                    let reach = self.conversion.reach(kernel, complete, out);
                    total.add(reach.read, reach.written, 0);
                    self.ends_ill_formed &= reach.read == 0;
                    reach.read
                }
            };
            if let Some(replacement) = segments
                && are_dense(run, src.len() - total.read)
            {
                if self.repair_segment(kernel, replacement, src, dst, may_continue, &mut total) {
                    continue;
                }
                // The rest of the output is too small, or the text is well-formed.
                segments = None;
            }
            if let Some(stop) = self.replace(src, dst, may_continue, &mut total) {
                total.stop = stop;
                return total;
            }
        }
    }

    /// Returns the replacement that [`repair_segment`](Self::repair_segment) writes for every
    /// ill-formed sequence; `Some(None)` stands for no replacement. Returns `None` if there is no
    /// vector code for this repair.
    fn segment_replacement(&self, kernel: Kernel) -> Option<Option<char>> {
        let spec = self.spec.filter(|spec| spec.shared().is_none())?;
        self.conversion.segments().filter(|_| kernel != Kernel::SCALAR)?;
        spec.uniform()
    }

    /// Repairs and converts a segment. If the output has the same encoding, the segment is repaired
    /// into the output. Else it is repaired into a buffer, and the buffer is converted. Returns
    /// false if nothing has been done, because there is no vector code for the text, or the result
    /// does not fit.
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
        let Some((repair, conversion)) = self.conversion.segments() else { return false };
        let (from, to) = self.conversion.schemes();
        let start = total.read;
        let (rest, out) = (&src[start..], &mut dst[total.written..]);
        if from.without_surrogates() == to.without_surrogates() {
            let reach = repair(rest, out, replacement, may_continue, kernel);
            total.add(reach.read, reach.written, reach.repairs);
            return total.read > start;
        }
        // A segment whose result does not fit has to be repaired again, so the segment is not
        // longer than the rest of the output.
        let part = &rest[..rest.len().min(out.len())];
        let may_continue = may_continue || part.len() < rest.len();
        let mut buffer = [MaybeUninit::uninit(); BUFFER_BYTES];
        let reach = repair(part, &mut buffer, replacement, may_continue, kernel);
        // SAFETY: the kernel function has initialised the `reach.written` bytes that it returned.
        let text = unsafe { view::init_mut(&mut buffer[..reach.written]) };
        let mut converter = Self { conversion, spec: None, ..*self };
        let converted = converter.run(kernel, text, out, false);
        if converted.stop == Stop::Done {
            total.add(reach.read, converted.written, reach.repairs + converted.repairs);
        }
        total.read > start
    }

    /// Replaces the text at `total.read`, where the strict conversion stopped: consecutive
    /// ill-formed sequences, or unmappable characters. Returns the reason to stop if the conversion
    /// ends here.
    ///
    /// A sequence that shares the replacement of the sequence before it needs no capacity, so all
    /// sequences of a run are read even if the output is full.
    #[inline(always)]
    fn replace(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> Option<Stop> {
        let (from, _) = self.conversion.schemes();
        let error =
            |decode_error, offset| Some(Stop::Error(Error::new(from, offset, decode_error)));
        let mut count = 0;
        loop {
            let rest = &src[total.read..];
            if rest.is_empty() {
                return Some(Stop::Done);
            }
            if may_continue && wtf8::is_incomplete_pair(from, rest) {
                return Some(Stop::Error(wtf8::incomplete_end(from, total.read)));
            }
            let decode_error = match self.conversion.decode(rest) {
                Ok(_) if count > 0 => return None,
                Ok((c, len)) if !self.conversion.has(c) => {
                    self.ends_ill_formed = false;
                    let Some(unmappable) = self.unmappable else {
                        return error(scalar::unmappable(len), total.read);
                    };
                    return self.convert_one_by_one(unmappable, src, dst, total);
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
            let out = &mut dst[total.written..];
            let encode = |c, written: usize| self.encode_or_question_mark(c, &mut out[written..]);
            let Some((len, written)) = spec.write(rest, len, encode) else {
                return Some(Stop::OutputFull);
            };
            total.add(len, written, 1);
            self.ends_ill_formed = true;
        }
    }

    /// Converts characters one by one, until [`ONE_BY_ONE_CHARS`] consecutive characters were
    /// mappable, or a sequence is ill-formed. Returns [`Stop::OutputFull`] if a character or its
    /// replacement does not fit.
    fn convert_one_by_one(
        &self,
        unmappable: Unmappable,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        total: &mut LossyReach,
    ) -> Option<Stop> {
        let mut mappable_left = ONE_BY_ONE_CHARS;
        while mappable_left > 0 && total.read < src.len() {
            let Ok((c, len)) = self.conversion.decode(&src[total.read..]) else { break };
            let out = &mut dst[total.written..];
            let is_mappable = self.conversion.has(c);
            let written = match unmappable {
                _ if is_mappable => self.conversion.encode(c, out),
                Unmappable::Replace(c) => self.encode_or_question_mark(c.into(), out),
                Unmappable::Skip => Some(0),
                Unmappable::NumericReference => self.encode_reference(c, out),
            };
            let Some(written) = written else { return Some(Stop::OutputFull) };
            mappable_left = if is_mappable { mappable_left - 1 } else { ONE_BY_ONE_CHARS };
            total.add(len, written, usize::from(!is_mappable));
        }
        None
    }

    /// Writes `c`, or `?` if the output's encoding lacks `c`. Returns the number of bytes, or
    /// `None` if they do not fit.
    fn encode_or_question_mark(&self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let c = if self.conversion.has(c) { c } else { u32::from('?') };
        self.conversion.encode(c, dst)
    }

    /// Writes `c` as a decimal character reference: `&#1488;`. Returns the number of bytes, or
    /// `None` if they do not fit.
    fn encode_reference(&self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let digits = c.checked_ilog10().map_or(1, |log| log + 1);
        let digits = (0..digits).rev().map(|at| u32::from(b'0') + c / 10_u32.pow(at) % 10);
        let reference = [b'&', b'#'].map(u32::from).into_iter().chain(digits);
        reference.chain([u32::from(b';')]).try_fold(0, |written, c| {
            Some(written + self.encode_or_question_mark(c, &mut dst[written..])?)
        })
    }
}
