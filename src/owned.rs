//! Owned results in one pass: convert into spare capacity, and estimate the room from the ratio so
//! far.
//!
//! There is no length pass. If the input's size determines that of the result, or the input is
//! short, there is room for the worst case at once, and unused capacity is released afterwards. Of
//! a long text, a first stretch is converted with room for its worst case; its ratio of output to
//! input gives the room that the rest is likely to need. If that is too small, the conversion stops
//! as for any full output, and continues after more room has been made.

mod growth;

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::ManuallyDrop;
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
use crate::lossy::plan::LossyConversion;
use crate::owned::growth::Growth;
use crate::scalar::wtf8;
use crate::types::error::Error;
use crate::types::policy::Repair;
use crate::types::progress::{Reach, Stop};

/// The first stretch of a long text, in bytes: its ratio estimates the rest.
const STRETCH: usize = 2048;
/// Input of at most this many bytes gets room for the worst case at once.
const AT_ONCE: usize = 2 * STRETCH;

/// A conversion into a vector: everything except the text and the kernel. A constant of each pair,
/// so that a caller passes a single word.
pub(crate) struct ConversionToVec {
    pub(crate) conversion: Conversion,
    pub(crate) growth: Growth,
    /// Bytes of a unit of the input: errors count these.
    pub(crate) unit_size: usize,
    /// Bytes of a unit of the result.
    pub(crate) out_unit_size: usize,
}

impl ConversionToVec {
    /// Returns the conversion of a pair of encodings.
    pub(crate) const fn of_pair<A: Encoding, B: Encoding>() -> Self {
        let conversion = pairs::transcode(A::SCHEME, B::SCHEME);
        Self::of(conversion, size_of::<A::Unit>(), size_of::<B::Unit>())
    }

    /// Returns the conversion of a `&str`.
    const fn of_str<B: Encoding>() -> Self {
        Self::of(pairs::transcode_str(B::SCHEME), 1, size_of::<B::Unit>())
    }

    /// Returns `conversion` with the sizes of its units in bytes.
    pub(crate) const fn of(conversion: Conversion, unit_size: usize, out_unit_size: usize) -> Self {
        Self {
            conversion,
            growth: Growth::of(conversion.from, conversion.to),
            unit_size,
            out_unit_size,
        }
    }
}

#[cfg(feature = "rayon")]
impl ConversionToVec {
    /// Returns the conversion.
    pub(crate) const fn conversion(&self) -> Conversion {
        self.conversion
    }

    /// Returns the number of bytes that `bytes` of input become if all are converted, for pairs in
    /// which the text does not matter.
    pub(crate) fn fixed_len(&self, bytes: usize) -> Option<usize> {
        self.growth.fixed.then(|| self.growth.worst(bytes))
    }
}

/// A conversion with repairs into a vector.
pub(crate) struct LossyConversionToVec {
    pub(crate) strict: ConversionToVec,
    conversion: LossyConversion,
}

impl LossyConversionToVec {
    /// Returns the conversion of a pair of encodings.
    pub(crate) const fn of_pair<A: Encoding, B: Encoding>() -> Self {
        Self::of(A::SCHEME, B::SCHEME, size_of::<A::Unit>(), size_of::<B::Unit>())
    }

    /// Returns the conversion of a pair of schemes, with the sizes of their units in bytes.
    pub(crate) const fn of(
        from: Scheme,
        to: Scheme,
        unit_size: usize,
        out_unit_size: usize,
    ) -> Self {
        let strict = ConversionToVec::of(pairs::transcode(from, to), unit_size, out_unit_size);
        Self { strict, conversion: LossyConversion::of(from, to) }
    }

    /// Returns the bytes of room beyond those of `len` bytes of text: see
    /// [`LossyConversion::spare_room`].
    pub(crate) const fn spare_room(&self, len: usize) -> usize {
        self.conversion.spare_room(len)
    }
}

/// Results of up to this many bytes may keep any spare capacity.
const SMALL: usize = 2 * STRETCH;

/// Results of more than this many bytes release spare capacity without a copy. glibc always maps
/// their pages alone.
const COPIED: usize = 16 << 20;

/// Converts `src` into a new vector. A short result is assembled in the caller: through memory, the
/// vector would be written and read in pieces of different sizes, which takes longer than a short
/// conversion.
#[inline]
pub(crate) fn new<U: Unit>(
    kernel: Option<Kernel>,
    to_vec: &'static ConversionToVec,
    src: &[u8],
) -> Result<Vec<U>, Error> {
    match convert_short(kernel, to_vec, src) {
        // SAFETY: `convert_short` has returned these for this conversion and this text, and nothing
        // else owns the memory.
        (Some(start), len) => Ok(unsafe { vec_from_parts(to_vec, src, start.cast(), len) }),
        (None, read) => match convert_rest(kernel, to_vec, src, read) {
            // SAFETY: `convert_rest` has taken a vector of these units apart, and nothing else owns
            // the memory.
            Ok(parts) => Ok(unsafe { parts.into_vec() }),
            Err(error) => Err(error),
        },
    }
}

/// Makes the result of [`convert_short`] a vector.
///
/// # Safety
///
/// `convert_short` has returned `start` and `len` for this conversion and this text, and nothing
/// else owns that memory.
#[inline]
unsafe fn vec_from_parts<U: Unit>(
    to_vec: &ConversionToVec,
    src: &[u8],
    start: NonNull<U>,
    len: usize,
) -> Vec<U> {
    let room = to_vec.growth.worst(src.len()) / size_of::<U>();
    // SAFETY: the caller passes the result of `convert_short`: a boxed slice of as many units as
    // the worst case has, of which `len` have been written.
    unsafe { Vec::from_raw_parts(start.as_ptr(), len, room) }
}

/// [`new`] with repairs; returns their number too.
#[inline]
pub(crate) fn new_lossy<U: Unit>(
    kernel: Option<Kernel>,
    to_vec: &'static LossyConversionToVec,
    repair: Repair,
    src: &[u8],
) -> (Vec<U>, usize) {
    let mut parts = Parts::EMPTY;
    let (start, number) = convert_lossy(kernel, to_vec, repair, src, &mut parts);
    match start {
        Some(start) => {
            // SAFETY: `convert_lossy` has returned these for this conversion and this text, and
            // nothing else owns the memory.
            (unsafe { vec_from_parts(&to_vec.strict, src, start.cast(), number) }, 0)
        }
        None => {
            // SAFETY: `convert_lossy` has taken a vector of these units apart, and nothing else
            // owns the memory.
            (unsafe { parts.into_vec() }, number)
        }
    }
}

/// `transcode` on `kernel`; `None` is the active one.
#[inline]
pub(crate) fn transcode<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
) -> Result<B::Owned, Error> {
    let to_vec = const { &ConversionToVec::of_pair::<A, B>() };
    let units = new::<B::Unit>(kernel, to_vec, view::bytes(src))?;
    // SAFETY: a `String` is made only of bytes that were converted to UTF-8.
    Ok(unsafe { B::Owned::of_units(units) })
}

/// `transcode_append` on `kernel`; `None` is the active one.
#[inline]
pub(crate) fn transcode_append<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
    out: &mut B::Owned,
) -> Result<(), Error> {
    let to_vec = const { &ConversionToVec::of_pair::<A, B>() };
    // SAFETY: only text converted to UTF-8 is appended to a `String`, and its length grows by whole
    // characters.
    let units = unsafe { out.units_mut() };
    append(kernel, to_vec, view::bytes(src), B::Unit::vec_mut(units))
}

/// `from_str` on `kernel`; `None` is the active one.
#[inline]
pub(crate) fn from_str<B: Unicode>(kernel: Option<Kernel>, src: &str) -> B::Owned {
    let result = try_from_str::<B>(kernel, src);
    debug_assert!(result.is_ok(), "every scalar value is in a Unicode encoding");
    result.unwrap_or_default()
}

/// `try_from_str` on `kernel`; `None` is the active one.
#[inline]
pub(crate) fn try_from_str<B: Encoding>(
    kernel: Option<Kernel>,
    src: &str,
) -> Result<B::Owned, Error> {
    let to_vec = const { &ConversionToVec::of_str::<B>() };
    let units = new::<B::Unit>(kernel, to_vec, src.as_bytes())?;
    // SAFETY: a `String` is made only of bytes that were converted to UTF-8.
    Ok(unsafe { B::Owned::of_units(units) })
}

/// `from_str_append` on `kernel`; `None` is the active one.
#[inline]
pub(crate) fn from_str_append<B: Encoding>(
    kernel: Option<Kernel>,
    src: &str,
    out: &mut B::Owned,
) -> Result<(), Error> {
    let to_vec = const { &ConversionToVec::of_str::<B>() };
    // SAFETY: only text converted to UTF-8 is appended to a `String`, and its length grows by whole
    // characters.
    let units = unsafe { out.units_mut() };
    append(kernel, to_vec, src.as_bytes(), B::Unit::vec_mut(units))
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

/// Converts `src` and appends the result to `out`; on failure, the part before the error. A
/// `kernel` of `None` is the active one: it is loaded here, not by each caller.
///
/// # Errors
///
/// The first ill-formed sequence or unmappable character, in units.
pub(crate) fn append(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
    out: VecMut<'_>,
) -> Result<(), Error> {
    let kernel = chosen(kernel);
    for_units!(out, append_units(kernel, to_vec, src))
        .map_err(|error| error.in_units(to_vec.unit_size))
}

/// [`append`] with an error that counts bytes.
#[cfg(feature = "rayon")]
pub(crate) fn append_bytes<U: Unit>(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    src: &[u8],
    out: &mut Vec<U>,
) -> Result<(), Error> {
    append_units(kernel, to_vec, src, out)
}

/// A vector of units of a known size, taken apart. A function without type parameters returns it,
/// and its callers have nothing to release where there is an error instead.
struct Parts {
    start: NonNull<u8>,
    len: usize,
    capacity: usize,
}

impl Parts {
    /// Those of an empty vector. The largest unit has this alignment.
    const EMPTY: Self = Self { start: NonNull::<u32>::dangling().cast(), len: 0, capacity: 0 };

    /// Puts the vector together again.
    ///
    /// # Safety
    ///
    /// It had these units, and nothing else owns the memory.
    #[inline]
    unsafe fn into_vec<U: Unit>(self) -> Vec<U> {
        // SAFETY: these are the parts of a vector of these units, as the caller promises.
        unsafe { Vec::from_raw_parts(self.start.cast().as_ptr(), self.len, self.capacity) }
    }

    /// Takes a vector apart.
    fn of<U: Unit>(vec: Vec<U>) -> Self {
        let mut vec = ManuallyDrop::new(vec);
        let (len, capacity) = (vec.len(), vec.capacity());
        Self { start: NonNull::from(vec.as_mut_slice()).cast(), len, capacity }
    }
}

/// Ends a conversion that [`convert_short`] did not: a long text is converted into a vector of the
/// units of `to_vec`, and a short one has its error at `read`. At most a quarter of a result above
/// a few KiB is spare capacity.
///
/// # Errors
///
/// The first position that can't be converted, in units.
fn convert_rest(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
    read: usize,
) -> Result<Parts, Error> {
    /// The conversion into units of one size.
    fn filled<U: Unit>(
        kernel: Kernel,
        to_vec: &ConversionToVec,
        src: &[u8],
    ) -> Result<Parts, Error> {
        let mut out = Vec::<U>::new();
        fill(kernel, to_vec, src, &mut out)?;
        Ok(Parts::of(out))
    }
    if read < LONG {
        return Err(error_at(to_vec, src, read));
    }
    let kernel = chosen(kernel);
    let parts = match to_vec.out_unit_size {
        1 => filled::<u8>(kernel, to_vec, src),
        2 => filled::<u16>(kernel, to_vec, src),
        _ => filled::<u32>(kernel, to_vec, src),
    };
    parts.map_err(|error| error.in_units(to_vec.unit_size))
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
    let kernel = chosen(kernel);
    for_units!(out, append_lossy_units(kernel, to_vec, repair, src))
}

/// The second value that [`convert_short`] returns for a text that is too long for it.
const LONG: usize = usize::MAX;

/// Converts `src` into new memory for the worst case, if that is small or certain. Returns the
/// start of the result and its units; or, without memory, the bytes read until the conversion
/// stopped, or [`LONG`]. Two words are returned in registers.
#[inline(never)]
fn convert_short(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
) -> (Option<NonNull<u8>>, usize) {
    match to_vec.out_unit_size {
        1 => whole_or_read::<u8>(kernel, to_vec, src),
        2 => whole_or_read::<u16>(kernel, to_vec, src),
        _ => whole_or_read::<u32>(kernel, to_vec, src),
    }
}

/// [`convert_short`] for units of one size.
#[inline(always)]
fn whole_or_read<U: Unit>(
    kernel: Option<Kernel>,
    to_vec: &ConversionToVec,
    src: &[u8],
) -> (Option<NonNull<u8>>, usize) {
    match short_units::<U>(kernel, to_vec, src) {
        Short::Whole(start, len) => (Some(start), len),
        Short::Stopped(_, read) => (None, read),
        Short::Long => (None, LONG),
    }
}

/// The result of a conversion into new memory for the worst case.
enum Short<U> {
    /// The whole text has been converted: the start of the result, and its units.
    Whole(NonNull<u8>, usize),
    /// The conversion stopped: the result so far, and the bytes of input that it took.
    Stopped(Vec<U>, usize),
    /// The text is too long, and the size of its result unknown. Nothing has been converted.
    Long,
}

/// Converts `src` into new memory for the worst case, if that is small or certain.
#[inline(always)]
fn short_units<U: Unit>(kernel: Option<Kernel>, to_vec: &ConversionToVec, src: &[u8]) -> Short<U> {
    let most = to_vec.growth.worst(src.len());
    if most > SMALL && !to_vec.growth.fixed {
        return Short::Long;
    }
    if src.is_empty() {
        return Short::Whole(NonNull::<U>::dangling().cast(), 0);
    }
    let mut out = Box::<[U]>::new_uninit_slice(most / size_of::<U>());
    let reach = to_vec.conversion.reach(chosen(kernel), src, view::bytes_uninit_mut(&mut out));
    let (start, len) = (NonNull::from(Box::leak(out)), reach.written / size_of::<U>());
    if reach.read < src.len() {
        // SAFETY: this is the memory that `vec_from_parts` requires, and nothing else owns it.
        return Short::Stopped(
            unsafe { vec_from_parts(to_vec, src, start.cast(), len) },
            reach.read,
        );
    }
    Short::Whole(start.cast(), len)
}

/// Returns the error that stopped the conversion of a short text, in units.
#[cold]
#[inline(never)]
fn error_at(to_vec: &ConversionToVec, src: &[u8], read: usize) -> Error {
    match to_vec.conversion.stop(src, read) {
        Stop::Error(error) => error.in_units(to_vec.unit_size),
        Stop::Done | Stop::OutputFull => unreachable!("there was room for everything"),
    }
}

/// Converts `src` with repairs: a short text without errors as [`convert_short`] does, any other
/// one into `parts`. Returns the memory and units of a short text; otherwise no
/// memory and the number of repairs.
#[inline(never)]
fn convert_lossy(
    kernel: Option<Kernel>,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    src: &[u8],
    parts: &mut Parts,
) -> (Option<NonNull<u8>>, usize) {
    match to_vec.strict.out_unit_size {
        1 => convert_lossy_units::<u8>(kernel, to_vec, repair, src, parts),
        2 => convert_lossy_units::<u16>(kernel, to_vec, repair, src, parts),
        _ => convert_lossy_units::<u32>(kernel, to_vec, repair, src, parts),
    }
}

/// [`convert_lossy`] for units of one size.
#[inline(always)]
fn convert_lossy_units<U: Unit>(
    kernel: Option<Kernel>,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    src: &[u8],
    parts: &mut Parts,
) -> (Option<NonNull<u8>>, usize) {
    let (mut out, read) = match short_units::<U>(kernel, &to_vec.strict, src) {
        Short::Whole(start, len) => return (Some(start), len),
        Short::Stopped(prefix, read) => (prefix, read),
        Short::Long => {
            let mut out = Vec::new();
            let filled = fill(chosen(kernel), &to_vec.strict, src, &mut out);
            (out, filled.map_or_else(|error| error.valid_up_to(), |()| src.len()))
        }
    };
    let mut repairs = 0;
    if read < src.len() {
        repairs = repair_rest(chosen(kernel), to_vec, repair, (src, read), &mut out);
    }
    *parts = Parts::of(out);
    (None, repairs)
}

/// Converts a text with repairs from its first failure on: `out` has the text before it. Releases
/// spare capacity, and returns the number of repairs.
#[inline(never)]
pub(crate) fn repair_rest<U: Unit>(
    kernel: Kernel,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    from: (&[u8], usize),
    out: &mut Vec<U>,
) -> usize {
    let repairs = append_repaired(kernel, to_vec, repair, from, out, 0);
    give_back(out);
    repairs
}

/// Returns `kernel`, or the active one.
#[inline]
fn chosen(kernel: Option<Kernel>) -> Kernel {
    kernel.unwrap_or_else(Kernel::active)
}

/// Converts `src` into `out`, which is empty; on failure, the part before the error.
fn fill<U: Unit>(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    src: &[u8],
    out: &mut Vec<U>,
) -> Result<(), Error> {
    append_units(kernel, to_vec, src, out)?;
    give_back(out);
    Ok(())
}

/// Releases spare capacity of more than a quarter of the length.
///
/// A copy does this, and not the allocator, which would shrink the block. glibc maps the pages of a
/// large block for it alone until it has seen a block of that size freed. If each is freed smaller
/// than it was made, it never sees one, and every result waits for the making of its pages: ten
/// times as long as for the conversion.
#[inline(never)]
pub(crate) fn give_back<U: Unit>(out: &mut Vec<U>) {
    let bytes = out.len() * size_of::<U>();
    if bytes <= SMALL || out.capacity() - out.len() <= out.len() / 4 {
        return;
    }
    if bytes <= COPIED {
        *out = out.as_slice().to_vec();
    } else {
        out.shrink_to_fit();
    }
}

/// Converts `src` with repairs into the spare capacity of `out`, which grows as needed; returns the
/// number of repairs.
fn append_lossy_units<U: Unit>(
    kernel: Kernel,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    src: &[u8],
    out: &mut Vec<U>,
) -> usize {
    let before = out.len();
    match append_units(kernel, &to_vec.strict, src, out) {
        Ok(()) => 0,
        Err(error) => {
            append_repaired(kernel, to_vec, repair, (src, error.valid_up_to()), out, before)
        }
    }
}

/// [`append_lossy`] of a text of which some bytes have been appended, up to a sequence to repair.
/// `out` had `before` units before the text.
#[cold]
fn append_repaired<U: Unit>(
    kernel: Kernel,
    to_vec: &LossyConversionToVec,
    repair: Repair,
    (src, mut read): (&[u8], usize),
    out: &mut Vec<U>,
    before: usize,
) -> usize {
    let mut repairs = 0;
    let mut failed_after = Some(read);
    loop {
        let written = (out.len() - before) * size_of::<U>();
        let room = room(&to_vec.strict, src.len() - read, read, written);
        let spare = to_vec.spare_room(src.len() - read);
        let room = (room + spare) / size_of::<U>();
        if before > 0 {
            out.reserve(room);
        } else {
            // Not twice the capacity: replacements need little more than the text. An eighth at
            // least after the first time, since each growth may move the vector.
            let least = if failed_after.is_some() { 0 } else { out.len() / 8 };
            out.reserve_exact(room.max(least));
        }
        let dst = view::bytes_uninit_mut(out.spare_capacity_mut());
        let reach = to_vec.conversion.run_once(kernel, repair, &src[read..], dst, failed_after);
        failed_after = None;
        let len = out.len() + reach.written / size_of::<U>();
        // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
        unsafe { out.set_len(len) };
        read += reach.read;
        repairs += reach.repairs;
        if reach.stop == Stop::Done {
            return repairs;
        }
        debug_assert_eq!(reach.stop, Stop::OutputFull, "a repair never fails");
    }
}

/// Converts as much of `src` as there is spare capacity for.
#[inline]
fn step<U: Unit>(kernel: Kernel, to_vec: &ConversionToVec, src: &[u8], out: &mut Vec<U>) -> Reach {
    let dst = view::bytes_uninit_mut(out.spare_capacity_mut());
    let reach = to_vec.conversion.reach(kernel, src, dst);
    let len = out.len() + reach.written / size_of::<U>();
    // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
    unsafe { out.set_len(len) };
    reach
}

/// Converts `src` into the spare capacity of `out`, which grows as needed.
fn append_units<U: Unit>(
    kernel: Kernel,
    to_vec: &ConversionToVec,
    src: &[u8],
    out: &mut Vec<U>,
) -> Result<(), Error> {
    let before = out.len();
    let mut read = 0;
    // The first stretch of a long text is converted alone: its ratio tells how much room the rest
    // needs.
    let known = src.len() <= AT_ONCE || to_vec.growth.fixed;
    let mut end = if known { src.len() } else { STRETCH };
    loop {
        let written = (out.len() - before) * size_of::<U>();
        let rest = src.len() - read;
        let room =
            if known { to_vec.growth.worst(rest) } else { room(to_vec, rest, read, written) };
        let room = room / size_of::<U>();
        if before == 0 {
            // By the ratio so far instead of twice the capacity, most of which would be given back.
            out.reserve_exact(room);
        } else {
            out.reserve(room);
        }
        // A conversion to an encoding without surrogates stops before half a pair by itself.
        let may_continue = end < src.len() && to_vec.conversion.to.has_surrogates();
        let part = wtf8::complete(to_vec.conversion.from, &src[read..end], may_continue);
        read += step(kernel, to_vec, part, out).read;
        if end < src.len() {
            // The reason to stop, an error included, is determined with the rest in view.
            end = src.len();
            continue;
        }
        match to_vec.conversion.stop(src, read) {
            Stop::Done => return Ok(()),
            Stop::OutputFull => {}
            Stop::Error(error) => return Err(error),
        }
    }
}

/// Returns the bytes of output to reserve for the remaining `rest` bytes of input, given that
/// `read` bytes became `written` bytes.
fn room(to_vec: &ConversionToVec, rest: usize, read: usize, written: usize) -> usize {
    let growth = to_vec.growth;
    if rest <= AT_ONCE {
        return growth.worst(rest);
    }
    if read == 0 {
        return growth.worst(STRETCH);
    }
    // A sixteenth more than the ratio so far, and enough that the next round does not stop at once.
    likely(rest, written, read).clamp(growth.worst(64), growth.worst(rest))
}

/// Returns a sixteenth more than `rest` bytes become, by the ratio so far. Products of gigabytes
/// have more than 64 bits.
fn likely(rest: usize, written: usize, read: usize) -> usize {
    let bytes = (rest as u128 * written as u128 / read as u128).saturating_mul(17) / 16;
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_of_gigabytes() {
        assert_eq!(likely(1600, 10, 10), 1700);
        #[cfg(target_pointer_width = "64")]
        assert_eq!(likely(6_300_000_000, 6_300_000_000, 3_150_000_000), 13_387_500_000);
        assert_eq!(likely(usize::MAX, usize::MAX, 1), usize::MAX);
    }
}
