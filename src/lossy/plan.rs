//! Conversions with repairs: the strict conversion runs first, and text is repaired where it stops.
//!
//! A repair stays within the source encoding: a stretch of text becomes well-formed in a buffer,
//! and the buffer is converted like any other text. So there is one repair algorithm for each
//! encoding and none for each pair, and the buffer stays in the cache. After a stretch without
//! errors, the strict conversion continues. [Few](super::few) sequences are replaced alone.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::repair::{Fill, RepairFns, ToUnits, repair_fns};
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::scheme::Scheme;
use crate::encoding::view;
use crate::generic::repair::placeholders::{FILL, FILL_ROOM};
use crate::generic::repair::utf8;
use crate::lossy::few::{Input, Replacement};
use crate::lossy::{few, shared};
use crate::scalar;
use crate::scalar::repair::{End, RepairReach, RepairSpec, held};
use crate::scalar::wtf8;
use crate::types::error::ErrorKind;
use crate::types::policy::{Policy, Repair, Unmappable};
use crate::types::progress::{LossyReach, Reach, Stop};

/// Bytes of repaired text that are converted at once.
const BUFFER: usize = 2048 + utf8::ROOM;

/// The functions that convert one scheme to another with repairs: a constant of each pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LossyConversion {
    /// The conversion of well-formed text.
    strict: Conversion,
    /// The conversion of repaired text.
    repaired: Conversion,
    /// The functions that repair within the source encoding.
    repair_fns: RepairFns,
}

impl LossyConversion {
    /// Returns the functions of a pair.
    pub(crate) const fn of(from: Scheme, to: Scheme) -> Self {
        let repair_fns = repair_fns(from, to);
        let repaired = match repair_fns.scheme {
            Scheme::Utf8 => pairs::transcode_str(to),
            scheme => pairs::transcode(scheme, to),
        };
        Self { strict: pairs::transcode(from, to), repaired, repair_fns }
    }

    /// Returns the conversion of well-formed text.
    #[inline]
    pub(crate) const fn strict(&self) -> Conversion {
        self.strict
    }

    /// Converts `src` with repairs; no more input follows. `failed_after` is as in [`Input`]. The
    /// state that a [`LossyRun`] needs is made only where there are many errors.
    #[inline]
    pub(crate) fn run_once(
        &self,
        kernel: Kernel,
        repair: Repair,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        failed_after: Option<usize>,
    ) -> LossyReach {
        let mut at_failure = failed_after.is_some();
        let mut total = LossyReach::NONE;
        let input = Input { src, may_continue: false, failed_after };
        let Conversion { from, to, .. } = self.strict;
        if input.has_few()
            && let Some(few) = Replacement::new(from, to, repair.ill_formed)
        {
            if let few::End::Conversion = few.run(self.strict, kernel, input, dst, &mut total) {
                return total;
            }
            at_failure = true;
        }
        let (rest, room) = (&src[total.read..], &mut dst[total.written..]);
        let mut run = LossyRun::new(*self, repair.into());
        let many = run.run_from(kernel, rest, room, false, at_failure);
        total.add(many.read, many.written, many.repairs);
        LossyReach { stop: many.stop, ..total }
    }

    /// Returns the bytes of room, beyond those that `len` bytes of well-formed text need, with
    /// which a repair of such a text is fast to its end if it has few errors.
    #[cfg(feature = "alloc")]
    pub(crate) const fn spare_room(&self, len: usize) -> usize {
        match (self.strict.from, self.strict.to) {
            (Scheme::Utf8, Scheme::Utf8) => utf8::spare_room(len),
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
    /// The replacement of few ill-formed sequences.
    few: Option<Replacement>,
    /// The replacement of unmappable characters; `None` stops at them.
    unmappable: Option<Substitute>,
    /// Whether the text converted so far ends with a sequence that [`shared::replace`] has read.
    ends_ill_formed: bool,
}

/// How a conversion continues after repairs.
#[derive(Clone, Copy)]
enum Next {
    /// The conversion ends, for the reason in [`LossyReach::stop`].
    Stop,
    /// The strict conversion continues after the repairs.
    Strict,
}

/// The replacement of an unmappable character. Only Latin-1 and ASCII lack characters, so it is at
/// most one byte or ASCII.
#[derive(Clone, Copy, Debug)]
enum Substitute {
    /// This byte, a character of the target.
    Byte(u8),
    /// Nothing.
    Nothing,
    /// A decimal character reference: `&#1488;`.
    Reference,
}

impl LossyRun {
    /// Applies a policy to the functions of a pair.
    pub(crate) fn new(conversion: LossyConversion, policy: Policy) -> Self {
        let Conversion { from, to, .. } = conversion.strict;
        let substitute = |unmappable| match unmappable {
            #[expect(clippy::cast_possible_truncation, reason = "only Latin-1 and ASCII need it")]
            Unmappable::Replace(c) => Substitute::Byte(held(c, to) as u32 as u8),
            Unmappable::Skip => Substitute::Nothing,
            Unmappable::NumericReference => Substitute::Reference,
        };
        let spec = policy.ill_formed.map(|ill_formed| RepairSpec::new(from, to, ill_formed));
        Self {
            conversion,
            spec,
            few: policy.ill_formed.and_then(|ill_formed| Replacement::new(from, to, ill_formed)),
            unmappable: policy.unmappable.map(substitute),
            ends_ill_formed: false,
        }
    }

    /// Ends the text, so that another one follows.
    pub(crate) fn end_text(&mut self) {
        self.ends_ill_formed = false;
    }

    /// Converts as much of `src` as possible: the next part of the text. With `may_continue`, more
    /// input may follow, and a sequence that the end of `src` cuts is left unread.
    pub(crate) fn run(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
    ) -> LossyReach {
        self.run_from(kernel, src, dst, may_continue, false)
    }

    /// [`run`](Self::run). With `at_failure`, the strict conversion is known to convert nothing at
    /// the start of `src`.
    #[inline(never)]
    fn run_from(
        &mut self,
        kernel: Kernel,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        mut at_failure: bool,
    ) -> LossyReach {
        let Conversion { from, to, .. } = self.conversion.strict;
        let spec = self.spec;
        let mut total = LossyReach { read: 0, written: 0, repairs: 0, stop: Stop::Done };
        // The target has every character, so the failure can only be an ill-formed sequence. The
        // repair functions handle any sequence, so its kind need not be known.
        let mut ill_formed = at_failure && to.largest() == u32::from(char::MAX);
        // After a failure, there are known to be many.
        let mut may_be_few = !at_failure;
        let mut failed_after = None;
        loop {
            let input = Input { src: &src[total.read..], may_continue, failed_after };
            if may_be_few
                && input.has_few()
                && let Some(few) = &self.few
            {
                let (room, mut reach) = (&mut dst[total.written..], LossyReach::NONE);
                let end = few.run(self.conversion.strict, kernel, input, room, &mut reach);
                total.add(reach.read, reach.written, reach.repairs);
                total.stop = reach.stop;
                match end {
                    few::End::Conversion => return total,
                    few::End::Many => ill_formed = true,
                }
            }
            if ill_formed && let Some(spec) = &spec {
                if let Next::Stop = self.repair(kernel, spec, src, dst, may_continue, &mut total) {
                    return total;
                }
                at_failure = false;
            }
            may_be_few = true;
            let rest = &src[total.read..];
            let complete = wtf8::complete(from, rest, may_continue);
            let room = &mut dst[total.written..];
            let strict = self.convert(kernel, self.conversion.strict, complete, room, at_failure);
            at_failure = false;
            total.add(strict.read, strict.written, strict.repairs);
            self.ends_ill_formed &= strict.read == 0;
            total.stop = match strict.stop {
                Stop::Done if complete.len() < rest.len() => {
                    total.stop = Stop::Error(wtf8::incomplete_end(from, total.read));
                    return total;
                }
                // The strict conversion saw only the complete part. The error is determined with
                // the bytes after it.
                Stop::Error(_) if complete.len() < rest.len() => {
                    scalar::stop(from, to, src, total.read)
                }
                stop => stop,
            };
            let (Stop::Error(error), Some(spec)) = (total.stop, &spec) else { return total };
            let waits = error.is_incomplete() || spec.waits(&src[total.read..]);
            if error.kind() == ErrorKind::Unmappable || may_continue && waits {
                // A sequence that waits for more input is not yet an error.
                if waits && !error.is_incomplete() {
                    total.stop = Stop::Error(error.incomplete());
                }
                self.ends_ill_formed &= error.kind() != ErrorKind::Unmappable;
                return total;
            }
            failed_after = Some(strict.read);
            ill_formed = true;
        }
    }

    /// Repairs until the text is well-formed again, by the fastest of three ways for the pair, or
    /// one sequence at a time. [`Next::Stop`] if the input ended or the output is full.
    #[inline(never)]
    fn repair(
        &mut self,
        kernel: Kernel,
        spec: &RepairSpec,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> Next {
        let Conversion { from, to, .. } = self.conversion.strict;
        if let Some(c) = spec.shared() {
            let input = shared::Input { from, to, src, may_continue };
            match shared::replace(spec, c, input, dst, &mut self.ends_ill_formed, total) {
                Some(stop) => {
                    total.stop = stop;
                    Next::Stop
                }
                None => Next::Strict,
            }
        } else if let (Scheme::Utf8, Scheme::Utf8) = (from, to) {
            self.repair_in_place(kernel, spec, src, dst, may_continue, total)
        } else if let Some(replacement) = self.replacement(kernel, spec) {
            self.fill_and_patch(kernel, replacement, src, dst, may_continue, total)
        } else {
            self.repair_in_buffer(kernel, spec, src, dst, may_continue, total)
        }
    }

    /// Repairs from UTF-8 into UTF-8, without a buffer, until the text is well-formed again.
    #[inline(never)]
    fn repair_in_place(
        &self,
        kernel: Kernel,
        spec: &RepairSpec,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> Next {
        let RepairFns { fast, exact, .. } = self.conversion.repair_fns;
        let mut repaired =
            fast(&src[total.read..], &mut dst[total.written..], spec, may_continue, kernel);
        total.add(repaired.read, repaired.written, repaired.repairs);
        if repaired.end == End::Output {
            // There is less room than the vector code needs.
            repaired = exact(&src[total.read..], &mut dst[total.written..], spec, may_continue);
            total.add(repaired.read, repaired.written, repaired.repairs);
        }
        total.stop = if repaired.end == End::Output { Stop::OutputFull } else { Stop::Done };
        if repaired.end == End::Output || total.read == src.len() {
            Next::Stop
        } else {
            Next::Strict
        }
    }

    /// Returns the functions and the unit for [`fill_and_patch`](Self::fill_and_patch), if the
    /// replacement is a single unit of the target and the kernel has vectors.
    fn replacement(&self, kernel: Kernel, spec: &RepairSpec) -> Option<ReplacementUnit> {
        let c = spec.uniform()??;
        let RepairFns { fill: Some(fill), isolated: Some(isolated), .. } =
            self.conversion.repair_fns
        else {
            return None;
        };
        if kernel == Kernel::SCALAR {
            return None;
        }
        let (number, size) = match self.conversion.strict.to {
            Scheme::Utf16Le => (0, 2),
            Scheme::Utf16Be => (1, 2),
            Scheme::Utf32Le => (2, 4),
            Scheme::Utf32Be => (3, 4),
            _ => return None,
        };
        if size == 2 && c.len_utf16() > 1 {
            return None;
        }
        let wide = u32::from(c).to_le_bytes();
        let unit = match (number, wide) {
            (1, [low, high, ..]) => [high, low, 0, 0],
            (3, [a, b, c, d]) => [d, c, b, a],
            _ => wide,
        };
        Some(ReplacementUnit { fill: fill[number / 2], isolated: isolated[number], unit, size })
    }

    /// Copies the text with placeholders for ill-formed sequences, converts the copy, and
    /// overwrites each converted placeholder with the replacement. Repeats this until the text is
    /// well-formed again.
    #[inline(never)]
    fn fill_and_patch(
        &self,
        kernel: Kernel,
        replacement: ReplacementUnit,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> Next {
        let mut buffer = [MaybeUninit::uninit(); FILL_ROOM];
        let mut positions = [MaybeUninit::uninit(); FILL];
        loop {
            let (rest, room) = (&src[total.read..], &mut dst[total.written..]);
            if rest.get(1..9).is_some_and(<[u8]>::is_ascii) {
                let isolated = (replacement.isolated)(rest, room, replacement.unit, kernel);
                total.add(isolated.read, isolated.read * replacement.size, isolated.repairs);
            }
            // At most as much as there is room for: each byte becomes at most one unit.
            let rest = &src[total.read..];
            let (part, may_continue) =
                stretch(rest, (dst.len() - total.written) / replacement.size, may_continue);
            let filled =
                (replacement.fill)(part, &mut buffer, &mut positions, may_continue, kernel);
            if filled.read == 0 {
                return Next::Strict;
            }
            // SAFETY: a kernel function initialises as many bytes as it returns.
            let text = unsafe { view::init_mut(&mut buffer[..filled.read]) };
            let room = &mut dst[total.written..];
            let Reach { read, written } = self.conversion.repaired.reach(kernel, text, room);
            let mut repairs = 0;
            // SAFETY: it initialises as many positions as it returns.
            let positions = unsafe { view::init_mut(&mut positions[..filled.places]) };
            for &position in &*positions {
                let at = usize::from(position) * replacement.size;
                if at >= written {
                    break;
                }
                replacement.put(&mut room[at..]);
                repairs += 1;
            }
            total.add(read, written, repairs);
            if read < filled.read {
                total.stop = Stop::OutputFull;
                return Next::Stop;
            }
            if total.read == src.len() {
                total.stop = Stop::Done;
                return Next::Stop;
            }
            if filled.places == 0 {
                return Next::Strict;
            }
        }
    }

    /// Repairs into a buffer and converts the buffer, until the text is well-formed again.
    #[inline(never)]
    fn repair_in_buffer(
        &self,
        kernel: Kernel,
        spec: &RepairSpec,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        may_continue: bool,
        total: &mut LossyReach,
    ) -> Next {
        let RepairFns { fast, exact, .. } = self.conversion.repair_fns;
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        loop {
            // At most as much as there is room for, so that little is repaired twice if the output
            // fills.
            let rest = &src[total.read..];
            let (part, may_continue) = stretch(rest, dst.len() - total.written, may_continue);
            let RepairReach { read, written, repairs, end } =
                fast(part, &mut buffer, spec, may_continue, kernel);
            if read == 0 {
                return Next::Strict;
            }
            // SAFETY: a kernel function initialises as many bytes as it returns.
            let text = unsafe { view::init_mut(&mut buffer[..written]) };
            let room = &mut dst[total.written..];
            let mut converted = self.convert(kernel, self.conversion.repaired, text, room, false);
            if let Stop::Done = converted.stop {
                total.add(read, converted.written, repairs + converted.repairs);
            } else {
                // Find how much of the input that was. The reason to stop is the same in the input,
                // because well-formed sequences keep their bytes.
                let limit = converted.read;
                let repaired = exact(rest, &mut buffer[..limit], spec, may_continue);
                total.stop = converted.stop;
                if repaired.written < limit {
                    // The last sequence became several characters, and not all of them fit.
                    // SAFETY: `exact` initialises as many bytes as it returns.
                    let text = unsafe { view::init_mut(&mut buffer[..repaired.written]) };
                    converted = self.convert(kernel, self.conversion.repaired, text, room, false);
                }
                total.add(repaired.read, converted.written, repaired.repairs + converted.repairs);
                return Next::Stop;
            }
            if total.read == src.len() {
                total.stop = Stop::Done;
                return Next::Stop;
            }
            if end != End::Output || repairs == 0 {
                return Next::Strict;
            }
        }
    }

    /// Converts `src` and replaces unmappable characters. With `at_failure`, an unmappable
    /// character or ill-formed sequence is known to stand at the start.
    fn convert(
        &self,
        kernel: Kernel,
        conversion: Conversion,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        mut at_failure: bool,
    ) -> LossyReach {
        let mut total = LossyReach { read: 0, written: 0, repairs: 0, stop: Stop::Done };
        loop {
            if total.read == src.len() {
                total.stop = Stop::Done;
                return total;
            }
            if !at_failure {
                let reach = conversion.reach(kernel, &src[total.read..], &mut dst[total.written..]);
                total.add(reach.read, reach.written, 0);
            }
            at_failure = false;
            total.stop = conversion.stop(src, total.read);
            let (Stop::Error(error), Some(substitute)) = (total.stop, self.unmappable) else {
                return total;
            };
            if error.kind() != ErrorKind::Unmappable {
                return total;
            }
            if let Next::Stop = substitute.run(conversion, src, dst, &mut total) {
                return total;
            }
        }
    }
}

/// The replacement of an ill-formed sequence as a single unit of the target, and the functions that
/// write it.
#[derive(Clone, Copy)]
struct ReplacementUnit {
    fill: Fill,
    isolated: ToUnits,
    unit: [u8; 4],
    size: usize,
}

impl ReplacementUnit {
    /// Writes the unit to the start of `dst`.
    #[inline]
    fn put(self, dst: &mut [MaybeUninit<u8>]) {
        // One store for each size: a copy of `size` bytes would be a call.
        if self.size == 2 {
            dst[..2].copy_from_slice(view::as_uninit(&self.unit[..2]));
        } else {
            dst[..4].copy_from_slice(view::as_uninit(&self.unit));
        }
    }
}

/// Returns as much of `rest` as there is room for and [`BEYOND`] bytes more, and whether more input
/// may follow it.
fn stretch(rest: &[u8], room: usize, may_continue: bool) -> (&[u8], bool) {
    match rest.split_at_checked(room.saturating_add(BEYOND)) {
        Some((part, [_, ..])) => (part, true),
        _ => (rest, may_continue),
    }
}

/// Bytes that are repaired beyond the room of the output, so that a small room does not cause many
/// small steps.
const BEYOND: usize = 64;

/// Characters that are converted one by one after an unmappable one.
const NEAR: usize = 8;

impl Substitute {
    /// Converts characters one by one while unmappable ones are near. [`Next::Stop`] if the output
    /// is full; [`Next::Strict`] if [`NEAR`] characters were mappable or one is ill-formed.
    fn run(
        self,
        conversion: Conversion,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        total: &mut LossyReach,
    ) -> Next {
        let mut near = NEAR;
        while near > 0 && total.read < src.len() {
            let decoded = scalar::decode_for(conversion.to, conversion.from, &src[total.read..]);
            let Ok((c, len)) = decoded else { break };
            let room = &mut dst[total.written..];
            let repairs = usize::from(c > conversion.to.largest());
            let put = if repairs == 0 { put(&[c as u8], room) } else { self.put(c, room) };
            let Some(put) = put else {
                total.stop = Stop::OutputFull;
                return Next::Stop;
            };
            near = if repairs == 0 { near - 1 } else { NEAR };
            total.add(len, put, repairs);
        }
        Next::Strict
    }

    /// Writes the replacement of `c`, if it fits; returns its bytes.
    fn put(self, c: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        match self {
            Self::Byte(byte) => put(&[byte], dst),
            Self::Nothing => Some(0),
            Self::Reference => {
                // At most seven digits, written from the last to the first.
                let mut text = *b"&#0000000;";
                let (mut at, mut rest) = (text.len() - 1, c);
                while rest > 0 {
                    at -= 1;
                    text[at] = b'0' + (rest % 10) as u8;
                    rest /= 10;
                }
                let digits = text.len() - at;
                text.copy_within(at.., 2);
                put(&text[..2 + digits], dst)
            }
        }
    }
}

/// Writes `bytes`, if they fit; returns their number.
fn put(bytes: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    dst.get_mut(..bytes.len())?.copy_from_slice(view::as_uninit(bytes));
    Some(bytes.len())
}
