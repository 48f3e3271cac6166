//! Code units seen as bytes. The only place where slices change their type.

use core::mem::MaybeUninit;

use super::Unit;

/// The bytes of `units`, as they lie in memory.
#[inline]
pub(crate) fn bytes<U: Unit>(units: &[U]) -> &[u8] {
    // SAFETY: `U` is u8, u16 or u32 (sealed): no padding, and `u8` may lie anywhere. Same memory, same lifetime.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// The bytes of `units`, to be written.
#[inline]
pub(crate) fn bytes_uninit_mut<U: Unit>(units: &mut [MaybeUninit<U>]) -> &mut [MaybeUninit<u8>] {
    let size = size_of_val(units);
    // SAFETY: as in `bytes`; whatever is written, `MaybeUninit<U>` may hold it.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size) }
}

/// `bytes` as the content of an output that need not be initialised, to be copied there.
#[inline]
pub(crate) fn as_uninit(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: `MaybeUninit<u8>` has the layout of `u8`, and may hold any.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// `units` as an output that need not be initialised.
///
/// # Safety
///
/// Nobody may write an uninitialised value through the result.
#[inline]
pub(crate) unsafe fn uninit_mut<U: Unit>(units: &mut [U]) -> &mut [MaybeUninit<U>] {
    let len = units.len();
    // SAFETY: `MaybeUninit<U>` has the layout of `U`; that only values are written is the caller's duty.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}
