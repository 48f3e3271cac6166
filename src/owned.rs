//! Owned results in one pass: convert into spare capacity, and make room by what the text has needed so far.
//!
//! No length pass and no worst case for long texts: a first stretch is converted with room for anything, and its ratio
//! of output to input says how much the rest is likely to need. If that falls short, the conversion stops as it would
//! for any full output and goes on after more room has been made.

#![expect(unreachable_pub, reason = "bounds of public traits that stay unnamed outside")]

pub use alloc::string::String;
pub use alloc::vec::Vec;

use crate::Kernel;
use crate::encoding::pairs::Conversion;
use crate::encoding::{Unit, max_expansion, view};
use crate::error::Error;
use crate::progress::Stop;

/// Input below this many bytes gets room for the worst case at once; it is also the stretch that longer texts are
/// judged by.
const STRETCH: usize = 2048;

/// A conversion to be done: everything but its texts.
pub struct Job {
    pub(crate) kernel: Kernel,
    pub(crate) conversion: Conversion,
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
}

impl<U: Unit> Buffer for Vec<U> {
    type Unit = U;

    unsafe fn units_mut(&mut self) -> &mut Self {
        self
    }
}

impl Buffer for String {
    type Unit = u8;

    unsafe fn units_mut(&mut self) -> &mut Vec<u8> {
        // SAFETY: the caller leaves valid UTF-8.
        unsafe { self.as_mut_vec() }
    }
}

/// Appending to a vector of these units. One instance a unit, compiled in this crate whoever calls it.
pub trait Append: Sized {
    /// Converts `src` and appends what comes of it to `out`: everything, or what stands in front of the error.
    /// Positions are in bytes.
    fn append(job: &Job, src: &[u8], out: &mut Vec<Self>) -> Result<(), Error>;

    /// The same into a new vector of which at most a quarter is spare, once it is longer than a few KiB.
    fn convert(job: &Job, src: &[u8], out: &mut Vec<Self>) -> Result<(), Error>;
}

/// [`Append`] for one unit, without generics on the outside.
macro_rules! append_units {
    ($($unit:ty),*) => {$(
        impl Append for $unit {
            fn append(job: &Job, src: &[u8], out: &mut Vec<Self>) -> Result<(), Error> {
                append(job, src, out)
            }

            fn convert(job: &Job, src: &[u8], out: &mut Vec<Self>) -> Result<(), Error> {
                append(job, src, out)?;
                if out.len() * size_of::<Self>() > 2 * STRETCH && out.capacity() / 5 * 4 > out.len() {
                    out.shrink_to_fit();
                }
                Ok(())
            }
        }
    )*};
}

append_units!(u8, u16, u32);

/// Converts `src` into the spare capacity of `out`, which grows as needed.
fn append<U: Unit>(job: &Job, src: &[u8], out: &mut Vec<U>) -> Result<(), Error> {
    let before = out.len();
    let mut read = 0;
    // The first stretch of a long text goes alone: it tells how much room the rest needs.
    let mut end = if src.len() > 2 * STRETCH { STRETCH } else { src.len() };
    loop {
        let written = (out.len() - before) * size_of::<U>();
        out.reserve(room(job, src.len() - read, read, written) / size_of::<U>());
        let dst = view::bytes_uninit_mut(out.spare_capacity_mut());
        let reach = job.conversion.reach(job.kernel, &src[read..end], dst);
        let len = out.len() + reach.written / size_of::<U>();
        // SAFETY: the conversion has initialised `written` bytes of the spare capacity.
        unsafe { out.set_len(len) };
        read += reach.read;
        if read == src.len() {
            return Ok(());
        }
        // What stopped it in the stretch, an error too, is judged in sight of the rest.
        if end < src.len() {
            end = src.len();
        } else if let Stop::Error(error) = job.conversion.stop(src, read) {
            return Err(error);
        }
    }
}

/// Bytes of output to make room for, before the `rest` bytes of input that are left, when `read` bytes have become
/// `written`.
fn room(job: &Job, rest: usize, read: usize, written: usize) -> usize {
    let Conversion { from, to, .. } = job.conversion;
    let worst = |bytes: usize| {
        let units = bytes / from.unit_size() * max_expansion(from, to);
        units.saturating_mul(to.unit_size())
    };
    if rest <= 2 * STRETCH {
        return worst(rest);
    }
    if read == 0 {
        return worst(STRETCH);
    }
    // A sixteenth more than the ratio so far says, and never so little that the next round stops at once.
    let likely = (rest as u64 * written as u64 / read as u64).saturating_mul(17) / 16;
    usize::try_from(likely).unwrap_or(usize::MAX).clamp(worst(64), worst(rest))
}
