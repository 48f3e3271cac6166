//! Code units viewed as bytes or characters. This is the only module in which slices and vectors
//! change their element type.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::mem::ManuallyDrop;
use core::mem::MaybeUninit;

use crate::encoding::unit::Unit;

/// The bytes of an output, which need not be initialised.
pub(crate) type Uninit = [MaybeUninit<u8>];

/// Returns the bytes of `units` in memory order.
#[inline]
pub(crate) fn bytes<U: Unit>(units: &[U]) -> &[u8] {
    // SAFETY: `U` is `u8`, `u16` or `u32`, because its trait is sealed. These types have no
    // padding, and `u8` needs no alignment. The result has the same memory and the same lifetime as
    // `units`.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// Returns the bytes of `views`, the 16-byte views of an Arrow view array, in memory order.
#[cfg(feature = "columns")]
#[inline]
pub(crate) fn bytes_of_views(views: &[u128]) -> &[u8] {
    // SAFETY: `u128` has no padding, and `u8` needs no alignment. The result has the same memory
    // and the same lifetime as `views`.
    unsafe { core::slice::from_raw_parts(views.as_ptr().cast(), size_of_val(views)) }
}

/// Returns the bytes of `units` as an uninitialised output.
#[inline]
pub(crate) fn bytes_uninit_mut<U: Unit>(units: &mut [MaybeUninit<U>]) -> &mut [MaybeUninit<u8>] {
    let size = size_of_val(units);
    // SAFETY: `U` has no padding, bytes need no alignment, and `MaybeUninit<U>` may hold any bytes.
    // The result has the same memory and the same lifetime as `units`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size) }
}

/// Returns the bytes of `units` for in-place changes.
#[inline]
pub(crate) fn bytes_mut<U: Unit>(units: &mut [U]) -> &mut [u8] {
    let size = size_of_val(units);
    // SAFETY: `U` has no padding, bytes need no alignment, and `U` may hold any bytes. The result
    // has the same memory and the same lifetime as `units`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size) }
}

/// Returns `bytes` as possibly uninitialised bytes, so that they can be copied into an
/// uninitialised output.
#[inline]
pub(crate) fn as_uninit(bytes: &[u8]) -> &[MaybeUninit<u8>] {
    // SAFETY: `MaybeUninit<u8>` has the layout of `u8`, and may hold any `u8`.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// Returns `units` as an uninitialised output.
///
/// # Safety
///
/// The caller must not write an uninitialised value through the result.
#[inline]
pub(crate) unsafe fn uninit_mut<U: Unit>(units: &mut [U]) -> &mut [MaybeUninit<U>] {
    let len = units.len();
    // SAFETY: `MaybeUninit<U>` has the layout of `U`, and the caller writes only initialised
    // values.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}

/// Returns `units` as an initialised slice, after all of it has been written.
///
/// # Safety
///
/// All of `units` must have been initialised.
#[inline]
pub(crate) unsafe fn init_mut<U: Unit>(units: &mut [MaybeUninit<U>]) -> &mut [U] {
    // SAFETY: `MaybeUninit<U>` has the layout of `U`, and the caller has initialised all units.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), units.len()) }
}

/// Returns `units` as characters.
///
/// # Safety
///
/// All units must be scalar values.
#[inline]
pub(crate) unsafe fn as_chars(units: &[u32]) -> &[char] {
    // SAFETY: `char` has the size and alignment of `u32`, and the caller guarantees scalar values.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// Returns `units` as characters for in-place changes.
///
/// # Safety
///
/// All units must be scalar values.
#[inline]
pub(crate) unsafe fn as_chars_mut(units: &mut [u32]) -> &mut [char] {
    // SAFETY: `char` has the size and alignment of `u32`, and the bits of any `char` are a valid
    // `u32`. The caller guarantees scalar values.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), units.len()) }
}

/// Returns `chars` as units of UTF-32.
#[inline]
pub(crate) fn chars_as_units(chars: &[char]) -> &[u32] {
    // SAFETY: `char` has the size and alignment of `u32`, and a `u32` may have any bits.
    unsafe { core::slice::from_raw_parts(chars.as_ptr().cast(), chars.len()) }
}

/// Converts `units` to characters without a copy.
///
/// # Safety
///
/// All units must be scalar values.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) unsafe fn into_chars(units: Vec<u32>) -> Vec<char> {
    let mut units = ManuallyDrop::new(units);
    let (chars, len, capacity) = (units.as_mut_ptr().cast(), units.len(), units.capacity());
    // SAFETY: the pointer, the length and the capacity belong to a `Vec` that nothing else owns.
    // `char` has the size and alignment of `u32`, and the caller guarantees scalar values.
    unsafe { Vec::from_raw_parts(chars, len, capacity) }
}
