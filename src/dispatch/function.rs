//! The shapes of the functions that the pair table names.

use core::mem::MaybeUninit;

use crate::dispatch::kernel::Kernel;
use crate::types::error::Error;
use crate::types::progress::Reach;

/// Converts bytes of one scheme into bytes of another, as far as possible.
pub(crate) type Transcode = fn(&[u8], &mut [MaybeUninit<u8>], Kernel) -> Reach;
/// Validates bytes of one scheme. Where there is an error, and only there, it returns `Err` with a
/// number of bytes that are known to be well-formed, up to a sequence that may be incomplete there.
/// It returns in registers, where an [`Error`] would need memory.
pub(crate) type Check = fn(&[u8], Kernel) -> Result<(), usize>;
/// Locates the error after the bytes that a [`Check`] knows to be well-formed.
pub(crate) type Locate = fn(&[u8], usize) -> Result<(), Error>;
/// Measures bytes of one scheme, in code units or code points.
pub(crate) type Measure = fn(&[u8], Kernel) -> usize;
/// Replaces positions in bytes of one scheme, which are sorted, by a count of the bytes before
/// each.
#[cfg(feature = "columns")]
pub(crate) type CountsBefore = fn(&[u8], &mut [usize], Kernel);
