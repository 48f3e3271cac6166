//! Owned results in one pass: convert into spare capacity, and make room by what the text has needed so far.
//!
//! No length pass. Where the size of the result is known from that of the input, or the input is short, there is room for
//! everything at once, and what is left of it is given back. A long text is converted a first stretch with room for
//! anything, and the ratio of output to input says how much the rest is likely to need. If that falls short, the
//! conversion stops as it would for any full output and goes on after more room has been made.

#![expect(unreachable_pub, reason = "bounds of public traits that stay unnamed outside")]

use alloc::boxed::Box;
pub use alloc::string::String;
pub use alloc::vec::Vec;
use core::ptr::NonNull;

use crate::encoding::pairs::{self, Conversion};
use crate::encoding::{Encoding, Unicode, Unit, max_expansion, view};
use crate::error::Error;
use crate::lossy::{Plan, Route};
use crate::policy::Repair;
use crate::progress::{Reach, Stop};
use crate::scalar::wtf8;
use crate::{Kernel, Scheme};

/// The stretch that long texts are judged by.
const STRETCH: usize = 2048;
/// Input of at most so many bytes gets room for the worst case at once.
const AT_ONCE: usize = 2 * STRETCH;

/// A conversion to be done: everything but its texts, and the kernel. A constant of each pair, so that a verb hands over one
/// word.
pub struct Job {
    conversion: Conversion,
    growth: Growth,
    /// Bytes of the units in which positions are told.
    unit: usize,
}

impl Job {
    /// That of a pair, for input in units of so many bytes.
    pub(crate) const fn of(conversion: Conversion, unit: usize) -> Self {
        Self { conversion, growth: Growth::of(conversion.from, conversion.to), unit }
    }
}

/// A conversion to be done with repairs.
pub struct LossyJob {
    strict: Job,
    route: Route,
}

impl LossyJob {
    /// That of a pair, for input in units of so many bytes.
    pub(crate) const fn of(from: Scheme, to: Scheme, unit: usize) -> Self {
        Self { strict: Job::of(pairs::transcode(from, to), unit), route: Route::of(from, to) }
    }
}

/// How large the output of a conversion can become.
#[derive(Clone, Copy)]
struct Growth {
    /// A code unit of the input has so many bytes, as a power of two.
    unit: u32,
    /// The most bytes that a code unit of the input becomes.
    most: usize,
    /// Whether each becomes as many, if all of them are converted.
    fixed: bool,
}

impl Growth {
    /// That of a pair.
    const fn of(from: Scheme, to: Scheme) -> Self {
        use Scheme::{Ascii, Latin1, Utf8};
        let fixed = match (from, to) {
            (Latin1, Utf8) | (Utf8, Latin1) => false,
            (Utf8, Utf8 | Ascii) | (Latin1 | Ascii, _) => true,
            (Utf8, _) | (_, Utf8) => false,
            // Two families of wider units, or the same one twice; into one byte only what is one unit.
            (_, Latin1 | Ascii) => true,
            _ => from.unit_size() == to.unit_size(),
        };
        let most = max_expansion(from, to) * to.unit_size();
        Self { unit: from.unit_size().trailing_zeros(), most, fixed }
    }

    /// The most bytes that so many become.
    #[inline]
    fn worst(self, bytes: usize) -> usize {
        (bytes >> self.unit).saturating_mul(self.most)
    }
}

/// A growing text: `String` or `Vec` of units.
pub trait Buffer: Default {
    /// One unit of it.
    type Unit: Unit;

    /// The units.
    ///
    /// # Safety
    ///
    /// The caller leaves a `String` valid UTF-8.
    unsafe fn units_mut(&mut self) -> &mut Vec<Self::Unit>;

    /// The text of these units.
    ///
    /// # Safety
    ///
    /// Those of a `String` are valid UTF-8.
    unsafe fn of_units(units: Vec<Self::Unit>) -> Self;
}

impl<U: Unit> Buffer for Vec<U> {
    type Unit = U;

    unsafe fn units_mut(&mut self) -> &mut Self {
        self
    }

    #[inline]
    unsafe fn of_units(units: Self) -> Self {
        units
    }
}

impl Buffer for String {
    type Unit = u8;

    unsafe fn units_mut(&mut self) -> &mut Vec<u8> {
        // SAFETY: the caller leaves valid UTF-8.
        unsafe { self.as_mut_vec() }
    }

    #[inline]
    unsafe fn of_units(units: Vec<u8>) -> Self {
        // SAFETY: the caller has valid UTF-8.
        unsafe { Self::from_utf8_unchecked(units) }
    }
}

/// Appending to a vector of these units. One instance a unit, compiled in this crate whoever calls it. No kernel is the active
/// one, which is then asked for in here and not by each caller.
pub trait Append: Sized {
    /// Converts `src` and appends what comes of it to `out`: everything, or what stands in front of the error.
    fn append(
        kernel: Option<Kernel>,
        job: &Job,
        src: &[u8],
        out: &mut Vec<Self>,
    ) -> Result<(), Error>;

    /// The same into a new vector of which at most a quarter is spare, once it is longer than a few KiB.
    fn convert(kernel: Option<Kernel>, job: &Job, src: &[u8]) -> Result<Vec<Self>, Error>;

    /// Converts `src` with repairs and appends everything that comes of it to `out`; says how many repairs.
    fn append_lossy(
        kernel: Option<Kernel>,
        job: &LossyJob,
        repair: Repair,
        src: &[u8],
        out: &mut Vec<Self>,
    ) -> usize;

    /// The same into a new vector of which at most a quarter is spare, once it is longer than a few KiB.
    fn convert_lossy(
        kernel: Option<Kernel>,
        job: &LossyJob,
        repair: Repair,
        src: &[u8],
    ) -> (Vec<Self>, usize);

    /// Converts `src` into new memory for the worst case, if that is small and all of it can be converted: where that is and
    /// how many units there are. Two words, so that they travel in registers.
    fn convert_short(
        kernel: Option<Kernel>,
        job: &Job,
        src: &[u8],
    ) -> Option<(NonNull<Self>, usize)>;
}

/// Results up to this many bytes may have as much spare capacity as they like, and need no second look.
const SMALL: usize = 2 * STRETCH;

/// Converts `src` into a new vector. A short one is put together here: handed over in memory it would be written and
/// read in pieces of different sizes, which takes longer than a short conversion.
#[inline]
pub(crate) fn new<U: Unit>(
    kernel: Option<Kernel>,
    job: &'static Job,
    src: &[u8],
) -> Result<Vec<U>, Error> {
    if let Some((start, len)) = U::convert_short(kernel, job, src) {
        // SAFETY: `convert_short` has just made this, for this conversion and this text, and gave it to nobody else.
        return Ok(unsafe { adopted(job, src, start, len) });
    }
    // Long, or with an error somewhere.
    U::convert(kernel, job, src)
}

/// What [`Append::convert_short`] has made of `src`, as a vector.
///
/// # Safety
///
/// It has made that, for this conversion and this text, and nobody else has it.
#[inline]
unsafe fn adopted<U: Unit>(job: &Job, src: &[u8], start: NonNull<U>, len: usize) -> Vec<U> {
    let room = job.growth.worst(src.len()) / size_of::<U>();
    // SAFETY: by the caller it is what `convert_short` gives: the memory of a boxed slice of as many units as the worst case
    // has, of which `len` have been written.
    unsafe { Vec::from_raw_parts(start.as_ptr(), len, room) }
}

/// [`new`] with repairs; says how many.
#[inline]
pub(crate) fn new_lossy<U: Unit>(
    kernel: Option<Kernel>,
    job: &'static LossyJob,
    repair: Repair,
    src: &[u8],
) -> (Vec<U>, usize) {
    if let Some((start, len)) = U::convert_short(kernel, &job.strict, src) {
        // SAFETY: `convert_short` has just made this, for this conversion and this text, and gave it to nobody else.
        return (unsafe { adopted(&job.strict, src, start, len) }, 0);
    }
    U::convert_lossy(kernel, job, repair, src)
}

/// `transcode` on a kernel, or on the active one.
#[inline]
pub(crate) fn transcode<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
) -> Result<B::Owned, Error> {
    let job = const { &Job::of(pairs::transcode(A::SCHEME, B::SCHEME), size_of::<A::Unit>()) };
    let units = new::<B::Unit>(kernel, job, view::bytes(src))?;
    // SAFETY: only what has been converted to UTF-8 becomes a `String`.
    Ok(unsafe { B::Owned::of_units(units) })
}

/// `transcode_append` on a kernel, or on the active one.
#[inline]
pub(crate) fn transcode_append<A: Encoding, B: Encoding>(
    kernel: Option<Kernel>,
    src: &[A::Unit],
    out: &mut B::Owned,
) -> Result<(), Error> {
    let job = const { &Job::of(pairs::transcode(A::SCHEME, B::SCHEME), size_of::<A::Unit>()) };
    // SAFETY: what is appended to a `String` has been converted to UTF-8, and its length grows by whole characters only.
    let units = unsafe { out.units_mut() };
    B::Unit::append(kernel, job, view::bytes(src), units)
}

/// `from_str` on a kernel, or on the active one.
#[inline]
pub(crate) fn from_str<B: Unicode>(kernel: Option<Kernel>, src: &str) -> B::Owned {
    let result = try_from_str::<B>(kernel, src);
    debug_assert!(result.is_ok(), "every scalar value is in a Unicode encoding");
    result.unwrap_or_default()
}

/// `try_from_str` on a kernel, or on the active one.
#[inline]
pub(crate) fn try_from_str<B: Encoding>(
    kernel: Option<Kernel>,
    src: &str,
) -> Result<B::Owned, Error> {
    let job = const { &Job::of(pairs::transcode_str(B::SCHEME), 1) };
    let units = new::<B::Unit>(kernel, job, src.as_bytes())?;
    // SAFETY: only what has been converted to UTF-8 becomes a `String`.
    Ok(unsafe { B::Owned::of_units(units) })
}

/// `from_str_append` on a kernel, or on the active one.
#[inline]
pub(crate) fn from_str_append<B: Encoding>(
    kernel: Option<Kernel>,
    src: &str,
    out: &mut B::Owned,
) -> Result<(), Error> {
    let job = const { &Job::of(pairs::transcode_str(B::SCHEME), 1) };
    // SAFETY: what is appended to a `String` has been converted to UTF-8, and its length grows by whole characters only.
    let units = unsafe { out.units_mut() };
    B::Unit::append(kernel, job, src.as_bytes(), units)
}

/// [`Append`] for one unit, without generics on the outside.
macro_rules! append_units {
    ($($unit:ty),*) => {$(
        impl Append for $unit {
            fn append(
                kernel: Option<Kernel>,
                job: &Job,
                src: &[u8],
                out: &mut Vec<Self>,
            ) -> Result<(), Error> {
                append(chosen(kernel), job, src, out).map_err(|error| error.in_units(job.unit))
            }

            fn convert(kernel: Option<Kernel>, job: &Job, src: &[u8]) -> Result<Vec<Self>, Error> {
                convert(chosen(kernel), job, src).map_err(|error| error.in_units(job.unit))
            }

            #[inline(never)]
            fn append_lossy(
                kernel: Option<Kernel>,
                job: &LossyJob,
                repair: Repair,
                src: &[u8],
                out: &mut Vec<Self>,
            ) -> usize {
                append_lossy(chosen(kernel), job, repair, src, out)
            }

            #[inline(never)]
            fn convert_lossy(
                kernel: Option<Kernel>,
                job: &LossyJob,
                repair: Repair,
                src: &[u8],
            ) -> (Vec<Self>, usize) {
                let kernel = chosen(kernel);
                let (mut out, result) = fill(kernel, &job.strict, src);
                let Err(error) = result else { return (out, 0) };
                let rest = &src[error.valid_up_to()..];
                let repairs = append_repaired(kernel, job, repair, rest, &mut out);
                give_back(&mut out);
                (out, repairs)
            }

            #[inline(never)]
            fn convert_short(
                kernel: Option<Kernel>,
                job: &Job,
                src: &[u8],
            ) -> Option<(NonNull<Self>, usize)> {
                let most = job.growth.worst(src.len());
                if most > SMALL {
                    return None;
                }
                if src.is_empty() {
                    return Some((NonNull::dangling(), 0));
                }
                let mut out = Box::<[Self]>::new_uninit_slice(most / size_of::<Self>());
                let dst = view::bytes_uninit_mut(&mut out);
                let reach = job.conversion.reach(chosen(kernel), src, dst);
                if reach.read < src.len() {
                    return None;
                }
                let start = NonNull::from(Box::leak(out)).cast();
                Some((start, reach.written / size_of::<Self>()))
            }
        }
    )*};
}

append_units!(u8, u16, u32);

/// The kernel, or the active one.
#[inline]
fn chosen(kernel: Option<Kernel>) -> Kernel {
    kernel.unwrap_or_else(Kernel::active)
}

/// Converts `src` into a new vector.
fn convert<U: Unit>(kernel: Kernel, job: &Job, src: &[u8]) -> Result<Vec<U>, Error> {
    let (out, result) = fill(kernel, job, src);
    result.map(|()| out)
}

/// Converts `src` into a new vector: everything, or what stands in front of the error.
fn fill<U: Unit>(kernel: Kernel, job: &Job, src: &[u8]) -> (Vec<U>, Result<(), Error>) {
    let mut out;
    let result;
    if src.len() <= AT_ONCE || job.growth.fixed {
        out = Vec::with_capacity(job.growth.worst(src.len()) / size_of::<U>());
        let read = step(kernel, job, src, &mut out).read;
        result = match job.conversion.stop(src, read) {
            Stop::Error(error) => Err(error),
            _ => Ok(()),
        };
    } else {
        out = Vec::new();
        result = append(kernel, job, src, &mut out);
    }
    if result.is_ok() {
        give_back(&mut out);
    }
    (out, result)
}

/// Gives back what is more than a quarter of what has been filled.
fn give_back<U: Unit>(out: &mut Vec<U>) {
    if out.len() * size_of::<U>() > SMALL && out.capacity() - out.len() > out.len() / 4 {
        out.shrink_to_fit();
    }
}

/// Converts `src` with repairs into the spare capacity of `out`, which grows as needed; says how many.
fn append_lossy<U: Unit>(
    kernel: Kernel,
    job: &LossyJob,
    repair: Repair,
    src: &[u8],
    out: &mut Vec<U>,
) -> usize {
    match append(kernel, &job.strict, src, out) {
        Ok(()) => 0,
        Err(error) => append_repaired(kernel, job, repair, &src[error.valid_up_to()..], out),
    }
}

/// [`append_lossy`] of a text that begins with something to repair.
#[cold]
fn append_repaired<U: Unit>(
    kernel: Kernel,
    job: &LossyJob,
    repair: Repair,
    src: &[u8],
    out: &mut Vec<U>,
) -> usize {
    let plan = Plan::new(job.route, repair.into());
    let before = out.len();
    let (mut read, mut repairs, mut stuck) = (0, 0, true);
    loop {
        let written = (out.len() - before) * size_of::<U>();
        let room = room(&job.strict, src.len() - read, read, written);
        // What stands for a character may be longer than any.
        out.reserve((room + 64) / size_of::<U>());
        let dst = view::bytes_uninit_mut(out.spare_capacity_mut());
        let outcome = plan.run_from(kernel, &src[read..], dst, false, stuck);
        stuck = false;
        let len = out.len() + outcome.written / size_of::<U>();
        // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
        unsafe { out.set_len(len) };
        read += outcome.read;
        repairs += outcome.repairs;
        if outcome.stop == Stop::Done {
            return repairs;
        }
        debug_assert_eq!(outcome.stop, Stop::OutputFull, "a repair never fails");
    }
}

/// Converts as much of `src` as there is spare capacity for.
#[inline]
fn step<U: Unit>(kernel: Kernel, job: &Job, src: &[u8], out: &mut Vec<U>) -> Reach {
    let dst = view::bytes_uninit_mut(out.spare_capacity_mut());
    let reach = job.conversion.reach(kernel, src, dst);
    let len = out.len() + reach.written / size_of::<U>();
    // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
    unsafe { out.set_len(len) };
    reach
}

/// Converts `src` into the spare capacity of `out`, which grows as needed.
fn append<U: Unit>(kernel: Kernel, job: &Job, src: &[u8], out: &mut Vec<U>) -> Result<(), Error> {
    let before = out.len();
    let mut read = 0;
    // The first stretch of a long text goes alone: it tells how much room the rest needs.
    let known = src.len() <= AT_ONCE || job.growth.fixed;
    let mut end = if known { src.len() } else { STRETCH };
    loop {
        let written = (out.len() - before) * size_of::<U>();
        let rest = src.len() - read;
        let room = if known { job.growth.worst(rest) } else { room(job, rest, read, written) };
        out.reserve(room / size_of::<U>());
        let part = wtf8::settled(job.conversion.from, &src[read..end], end < src.len());
        read += step(kernel, job, part, out).read;
        if end < src.len() {
            // What stopped it in the stretch, an error too, is judged in sight of the rest.
            end = src.len();
            continue;
        }
        match job.conversion.stop(src, read) {
            Stop::Done => return Ok(()),
            Stop::OutputFull => {}
            Stop::Error(error) => return Err(error),
        }
    }
}

/// Bytes of output to make room for, before the `rest` bytes of input that are left, when `read` bytes have become
/// `written`.
fn room(job: &Job, rest: usize, read: usize, written: usize) -> usize {
    let growth = job.growth;
    if rest <= AT_ONCE {
        return growth.worst(rest);
    }
    if read == 0 {
        return growth.worst(STRETCH);
    }
    // A sixteenth more than the ratio so far says, and never so little that the next round stops at once.
    let likely = (rest as u64 * written as u64 / read as u64).saturating_mul(17) / 16;
    usize::try_from(likely).unwrap_or(usize::MAX).clamp(growth.worst(64), growth.worst(rest))
}
