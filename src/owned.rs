//! Converts text into new vectors, or appends it to vectors, in one pass. Text is converted into
//! spare capacity. The ratio of output to input so far gives an estimate of the capacity.
//!
//! The length of the result is not computed first.
//!
//! 1. If the size of the input determines the size of the result, or the input is short, reserve
//!    the worst case, convert, and release unused capacity.
//! 2. Else convert a first segment with capacity for its worst case. The ratio of output to input
//!    of this segment gives the capacity that the rest probably needs.
//! 3. Convert the rest. If the output is full, enlarge it and continue.

pub(crate) mod growth;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::table as pairs;
use crate::dispatch::pairs::table::Conversion;
use crate::encoding::buffer::Buffer;
use crate::encoding::scheme::Scheme;
use crate::encoding::types::{Encoding, Unicode};
use crate::encoding::unit::sealed::Unit as _;
use crate::encoding::unit::{Unit, VecMut};
use crate::encoding::view;
use crate::lossy::plan::{LossyConversion, LossyRun, StrictConversion};
use crate::owned::growth::{FIRST_SEGMENT_BYTES, Growth};
use crate::scalar::wtf8;
use crate::types::error::Error;
use crate::types::policy::Repair;
use crate::types::progress::{LossyReach, Stop};

/// A conversion into a vector: everything except the text and the kernel. Each pair of encodings
/// has a constant of this type, so a caller passes only a reference.
pub(crate) struct ConversionToVec {
    pub(crate) conversion: Conversion,
    pub(crate) growth: Growth,
    /// The size of a unit of the input, in bytes. The offsets of errors count these units.
    pub(crate) unit_size: usize,
}

impl ConversionToVec {
    /// Returns the conversion of a pair of encodings.
    pub(crate) const fn of_pair<A: Encoding, B: Encoding>() -> Self {
        let conversion = pairs::transcode(A::SCHEME, B::SCHEME);
        Self::new(conversion, size_of::<A::Unit>())
    }

    /// Returns the conversion of a `&str`.
    pub(crate) const fn of_str<B: Encoding>() -> Self {
        Self::new(pairs::transcode_str(B::SCHEME), 1)
    }

    /// Returns a `conversion` into a vector. `unit_size` is the size of a unit of the input, in
    /// bytes.
    pub(crate) const fn new(conversion: Conversion, unit_size: usize) -> Self {
        Self { conversion, growth: Growth::for_pair(conversion.from, conversion.to), unit_size }
    }
}

/// A conversion with repairs into a vector.
pub(crate) struct LossyConversionToVec {
    pub(crate) strict: ConversionToVec,
    pub(crate) conversion: LossyConversion,
}

impl LossyConversionToVec {
    /// Returns the conversion of a pair of encodings.
    pub(crate) const fn of_pair<A: Encoding, B: Encoding>() -> Self {
        Self::for_pair(A::SCHEME, B::SCHEME, size_of::<A::Unit>())
    }

    /// Returns the conversion of a pair of schemes. `unit_size` is the size of a unit of the input,
    /// in bytes.
    pub(crate) const fn for_pair(from: Scheme, to: Scheme, unit_size: usize) -> Self {
        let strict = ConversionToVec::new(pairs::transcode(from, to), unit_size);
        Self { strict, conversion: LossyConversion::for_pair(from, to) }
    }
}

/// Converts `src` into a new vector.
#[inline]
pub(crate) fn new<U: Unit>(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
) -> Result<Vec<U>, Error> {
    match new_short(kernel, to_vec, src) {
        Some(out) => Ok(out),
        None => new_by_growth(kernel, to_vec, src),
    }
}

/// Like [`new`], for a text that [`convert_short`] cannot convert. It is not inlined into callers.
#[inline(never)]
fn new_by_growth<U: Unit>(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
) -> Result<Vec<U>, Error> {
    let mut out = Vec::new();
    append(kernel, to_vec, src, U::vec_mut(&mut out))?;
    Ok(out)
}

/// Like [`new`], but returns `None` if [`convert_short`] cannot convert the text. The vector is
/// made in the caller from two words in registers. A vector that is returned through memory is
/// written and read in parts of different sizes. That takes 10 ns, as long as the conversion of 60
/// bytes.
#[inline]
pub(crate) fn new_short<U: Unit>(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
) -> Option<Vec<U>> {
    let (start, len) = convert_short(kernel, to_vec, src, size_of::<U>())?;
    let capacity = to_vec.growth.worst(src.len()) / size_of::<U>();
    // SAFETY: `convert_short` has returned the start of a boxed slice of `capacity` units of this
    // type, the number of units in the worst case. It has written the first `len` units. Nothing
    // else owns the slice.
    Some(unsafe { Vec::from_raw_parts(start.cast().as_ptr(), len, capacity) })
}

/// Converts `src` into new memory for the worst case, if the worst case is small or certain.
/// Returns the start of the memory and the number of units written, two words in registers. Returns
/// `None` if the worst case is neither small nor certain, if `src` is empty, or if not all of it
/// can be converted.
#[inline(never)]
fn convert_short(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
    out_unit_size: usize,
) -> Option<(NonNull<u8>, usize)> {
    /// Returns the conversion into units of one size.
    #[inline(always)]
    fn convert<U: Unit>(
        kernel: Option<Kernel>,
        conversion: Conversion,
        src: &[u8],
        max_bytes: usize,
    ) -> Option<(NonNull<u8>, usize)> {
        let mut out = Box::<[U]>::new_uninit_slice(max_bytes / size_of::<U>());
        let kernel = kernel.unwrap_or_else(Kernel::active);
        let reach = conversion.reach(kernel, src, view::bytes_uninit_mut(&mut out));
        let is_complete = reach.read == src.len();
        is_complete.then(|| (NonNull::from(Box::leak(out)).cast(), reach.written / size_of::<U>()))
    }
    let max_bytes = to_vec.growth.worst(src.len());
    if src.is_empty() || max_bytes > SMALL_BYTES && !to_vec.growth.fixed {
        return None;
    }
    match out_unit_size {
        1 => convert::<u8>(kernel, to_vec.conversion, src, max_bytes),
        2 => convert::<u16>(kernel, to_vec.conversion, src, max_bytes),
        _ => convert::<u32>(kernel, to_vec.conversion, src, max_bytes),
    }
}

/// Converts `src` into a new `String` or vector, on `kernel`, or on the active kernel if it is
/// `None`.
#[inline]
pub(crate) fn to_new<B: Encoding>(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
) -> Result<B::Owned, Error> {
    debug_assert!(to_vec.conversion.to == B::SCHEME);
    let units = new::<B::Unit>(kernel, to_vec, src)?;
    // SAFETY: a `String` is made only of bytes that were converted to UTF-8.
    Ok(unsafe { B::Owned::of_units(units) })
}

/// Implements `from_str`. The conversion never fails.
#[inline]
pub(crate) fn from_str<B: Unicode>(kernel: Option<Kernel>, src: &str) -> B::Owned {
    let to_vec = const { &ConversionToVec::of_str::<B>() };
    let result = to_new::<B>(kernel, to_vec, src.as_bytes());
    debug_assert!(result.is_ok(), "every scalar value is in a Unicode encoding");
    result.unwrap_or_default()
}

/// Like [`append`], to a `String` or vector.
#[inline]
pub(crate) fn append_to<B: Encoding>(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
    out: &mut B::Owned,
) -> Result<(), Error> {
    debug_assert!(to_vec.conversion.to == B::SCHEME);
    // SAFETY: only text converted to UTF-8 is appended to a `String`, and its length grows by whole
    // characters.
    let units = unsafe { out.units_mut() };
    append(kernel, to_vec, src, B::Unit::vec_mut(units))
}

/// Like [`append_lossy`], to a `String` or vector.
#[inline]
pub(crate) fn append_lossy_to<B: Encoding>(
    kernel: Option<Kernel>,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    src: &[u8],
    out: &mut B::Owned,
) -> usize {
    debug_assert!(to_vec.strict.conversion.to == B::SCHEME);
    // SAFETY: only text converted to UTF-8 is appended to a `String`, and its length grows by whole
    // characters.
    let units = unsafe { out.units_mut() };
    append_lossy(kernel, to_vec, repair, src, B::Unit::vec_mut(units))
}

/// Calls a function that is generic over units with the vector inside a [`VecMut`].
macro_rules! for_units {
    ($vec:expr, $f:ident($($argument:expr),*)) => {
        match $vec {
            VecMut::U8(out) => $f($($argument,)* out),
            VecMut::U16(out) => $f($($argument,)* out),
            VecMut::U32(out) => $f($($argument,)* out),
        }
    };
}

/// Converts `src` and appends the result to `out`. On failure, appends the part before the error. A
/// vector that had no capacity, and then has more than a few KiB, gets at most a quarter more
/// capacity than it needs. If `kernel` is `None`, the active kernel is loaded here, not by each
/// caller.
///
/// # Errors
///
/// Returns an error for the first ill-formed sequence or unmappable character. Its offset is in
/// units.
#[inline(never)]
pub(crate) fn append(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
    out: VecMut<'_>,
) -> Result<(), Error> {
    let kernel = kernel.unwrap_or_else(Kernel::active);
    for_units!(out, append_bytes(kernel, to_vec, src))
        .map_err(|error| error.in_units(to_vec.unit_size))
}

/// Like [`append`], but the offset of the error is in bytes.
pub(crate) fn append_bytes<U: Unit>(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    src: &[u8],
    out: &mut Vec<U>,
) -> Result<(), Error> {
    let Conversion { from, to, .. } = to_vec.conversion;
    let mut step = |read: usize, dst: &mut [MaybeUninit<u8>]| {
        // The first segment of a long text is converted alone.
        let is_first = read == 0 && !to_vec.growth.is_known(src.len());
        let part = if is_first { &src[..FIRST_SEGMENT_BYTES] } else { &src[read..] };
        // A conversion to an encoding without surrogates stops before an unpaired surrogate anyway.
        let part = wtf8::complete(from, part, is_first && to.has_surrogates());
        let reach = to_vec.conversion.reach(kernel, part, dst);
        // An error of the first segment is located with the rest of the text.
        let has_progress = is_first && reach.read > 0;
        let stop = if has_progress {
            Stop::OutputFull
        } else {
            to_vec.conversion.stop(src, read + reach.read)
        };
        LossyReach { read: reach.read, written: reach.written, repairs: 0, stop }
    };
    let (old_len, is_new) = (out.len(), out.capacity() == 0);
    append_in_steps(to_vec.growth, 0, src.len(), 0, out, old_len, &mut step)?;
    if is_new {
        release_spare(out);
    }
    Ok(())
}

/// Converts `src` with repairs and appends the result to `out`; returns the number of repairs.
#[inline(never)]
pub(crate) fn append_lossy(
    kernel: Option<Kernel>,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    src: &[u8],
    out: VecMut<'_>,
) -> usize {
    let kernel = kernel.unwrap_or_else(Kernel::active);
    for_units!(out, append_lossy_units(kernel, to_vec, repair, src))
}

/// Like [`append_lossy`], for units of one size.
fn append_lossy_units<U: Unit>(
    kernel: Kernel,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    src: &[u8],
    out: &mut Vec<U>,
) -> usize {
    let (old_len, is_new, growth) = (out.len(), out.capacity() == 0, to_vec.strict.growth);
    if is_new && growth.is_known(src.len()) {
        // The capacity includes the replacements, so the vector does not move after the first
        // error.
        let spare = to_vec.conversion.spare_capacity(src.len());
        let capacity = growth.worst(src.len()).saturating_add(spare);
        out.reserve_exact(capacity / size_of::<U>());
    }
    let repairs = match append_bytes(kernel, &to_vec.strict, src, out) {
        Ok(()) => 0,
        Err(error) => {
            append_repaired(kernel, to_vec, repair, src, error.valid_up_to(), out, old_len)
        }
    };
    if is_new {
        release_spare(out);
    }
    repairs
}

/// Like [`append_lossy`], for a text whose first `read` bytes have been appended, up to a sequence
/// that needs a repair. `out` had `old_len` units before the text.
#[cold]
#[inline(never)]
pub(crate) fn append_repaired<U: Unit>(
    kernel: Kernel,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    src: &[u8],
    read: usize,
    out: &mut Vec<U>,
    old_len: usize,
) -> usize {
    let run = LossyRun::new(to_vec.conversion, repair.into());
    let spare = to_vec.conversion.spare_capacity(src.len() - read);
    let growth = to_vec.strict.growth;
    let repairs = append_by_run(kernel, run, (growth, spare), src, Some(read), out, old_len);
    debug_assert!(repairs.is_ok(), "a repair never fails");
    repairs.unwrap_or(0)
}

/// Converts `src` by `run` and appends the result to `out`, which had `old_len` units before the
/// text. If `read` bytes have been appended, the strict conversion stops there.
///
/// # Errors
///
/// Returns an error where the policy of `run` stops. Its offset is in bytes.
pub(crate) fn append_by_run<U: Unit, C: StrictConversion>(
    kernel: Kernel,
    mut run: LossyRun<C>,
    (growth, spare): (Growth, usize),
    src: &[u8],
    read: Option<usize>,
    out: &mut Vec<U>,
    old_len: usize,
) -> Result<usize, Error> {
    let mut failed_after = read;
    let mut step = |start: usize, dst: &mut [MaybeUninit<u8>]| {
        let reach = run.run_after(kernel, &src[start..], dst, false, failed_after.take());
        LossyReach { stop: reach.after(start, 0).stop, ..reach }
    };
    append_in_steps(growth, spare, src.len(), read.unwrap_or(0), out, old_len, &mut step)
}

/// Converts a text of `len` bytes into the spare capacity of `out`. The first `read` bytes have
/// been converted. `out` grows as needed, and by `spare` bytes more. Each step begins where the
/// step before it stopped. `out` had `old_len` units before the text. Returns the number of
/// repairs.
///
/// # Errors
///
/// Returns the error of a step.
#[inline(never)]
fn append_in_steps<U: Unit>(
    growth: Growth,
    spare: usize,
    len: usize,
    mut read: usize,
    out: &mut Vec<U>,
    old_len: usize,
    step: &mut dyn FnMut(usize, &mut [MaybeUninit<u8>]) -> LossyReach,
) -> Result<usize, Error> {
    let mut repairs = 0;
    // Each growth may move the vector, so each growth after the first is at least an eighth of the
    // length.
    let mut min_growth = 0;
    while read < len {
        let written = (out.len() - old_len) * size_of::<U>();
        let capacity = growth.capacity(len - read, read, written).saturating_add(spare);
        let units = capacity / size_of::<U>();
        if old_len == 0 {
            // The estimate is reserved exactly. If the capacity were doubled instead, most of it
            // would be released again.
            out.reserve_exact(units.max(min_growth));
        } else {
            out.reserve(units);
        }
        let reach = step(read, view::bytes_uninit_mut(out.spare_capacity_mut()));
        let filled = out.len() + reach.written / size_of::<U>();
        // SAFETY: the step has initialised `reach.written` bytes of the spare capacity.
        unsafe { out.set_len(filled) };
        read += reach.read;
        repairs += reach.repairs;
        min_growth = out.len() / 8;
        if let Stop::Error(error) = reach.stop {
            return Err(error);
        }
    }
    Ok(repairs)
}

/// Results of up to this many bytes may keep any spare capacity.
const SMALL_BYTES: usize = 4096;

/// Results of more than this many bytes release spare capacity without a copy. glibc always maps
/// separate pages for such a block.
const COPIED_MAX_BYTES: usize = 16 << 20;

/// Releases spare capacity of more than a quarter of the length.
///
/// The text is copied to a smaller block, and the large block is freed without being shrunk. glibc
/// maps new pages for each large block until a block of that size has been freed. If every block
/// were shrunk before it is freed, every result would wait for new pages: ten times as long as for
/// the conversion.
#[inline]
pub(crate) fn release_spare<U: Unit>(out: &mut Vec<U>) {
    let bytes = out.len() * size_of::<U>();
    if bytes <= SMALL_BYTES || out.capacity() - out.len() <= out.len() / 4 {
        return;
    }
    if bytes <= COPIED_MAX_BYTES {
        *out = out.as_slice().to_vec();
    } else {
        out.shrink_to_fit();
    }
}
