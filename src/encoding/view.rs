//! Code units seen as bytes or characters. The only place where slices and vectors change their type.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::mem::ManuallyDrop;
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
    // SAFETY: no padding, and bytes may lie anywhere; whatever is written, `MaybeUninit<U>` may hold it. Same memory, same lifetime.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size) }
}

/// The bytes of `units`, to be changed.
#[inline]
pub(crate) fn bytes_mut<U: Unit>(units: &mut [U]) -> &mut [u8] {
    let size = size_of_val(units);
    // SAFETY: no padding, and bytes may lie anywhere; whatever is written, `U` may hold it. Same memory, same lifetime.
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

/// What has been written to an output.
///
/// # Safety
///
/// All of it has been.
#[inline]
pub(crate) unsafe fn init_mut<U: Unit>(units: &mut [MaybeUninit<U>]) -> &mut [U] {
    // SAFETY: `MaybeUninit<U>` has the layout of `U`; that these are initialised is the caller's duty.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), units.len()) }
}

/// The bytes of `chars`, to be written.
#[inline]
pub(crate) fn char_bytes_uninit_mut(chars: &mut [MaybeUninit<char>]) -> &mut [MaybeUninit<u8>] {
    let size = size_of_val(chars);
    // SAFETY: no padding, and bytes may lie anywhere; whatever is written, `MaybeUninit<char>` may hold it. Same memory, same
    // lifetime.
    unsafe { core::slice::from_raw_parts_mut(chars.as_mut_ptr().cast(), size) }
}

/// `units` as characters.
///
/// # Safety
///
/// All of them are scalar values.
#[inline]
pub(crate) unsafe fn as_chars(units: &[u32]) -> &[char] {
    // SAFETY: `char` has the size and alignment of `u32`; that these are scalar values is the caller's duty.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// `units` as characters.
///
/// # Safety
///
/// All of them are scalar values.
#[inline]
pub(crate) unsafe fn as_chars_mut(units: &mut [u32]) -> &mut [char] {
    // SAFETY: `char` has the size and alignment of `u32`, which may have the bits of whatever `char` is written; that these are
    // scalar values is the caller's duty.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), units.len()) }
}

/// `chars` as units of UTF-32.
#[inline]
pub(crate) fn of_chars(chars: &[char]) -> &[u32] {
    // SAFETY: `char` has the size and alignment of `u32`, which may have any bits.
    unsafe { core::slice::from_raw_parts(chars.as_ptr().cast(), chars.len()) }
}

/// `units` as characters. No copy.
///
/// # Safety
///
/// All of them are scalar values.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) unsafe fn into_chars(units: Vec<u32>) -> Vec<char> {
    let mut units = ManuallyDrop::new(units);
    let (chars, len, capacity) = (units.as_mut_ptr().cast(), units.len(), units.capacity());
    // SAFETY: it is the allocation of a `Vec`, of which nothing else has a part any more, and `char` has the size and
    // alignment of `u32`; that these are scalar values is the caller's duty.
    unsafe { Vec::from_raw_parts(chars, len, capacity) }
}

/// `chars` as units of UTF-32. No copy.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn into_units(chars: Vec<char>) -> Vec<u32> {
    let mut chars = ManuallyDrop::new(chars);
    let (units, len, capacity) = (chars.as_mut_ptr().cast(), chars.len(), chars.capacity());
    // SAFETY: it is the allocation of a `Vec`, of which nothing else has a part any more, and `u32` has the size and alignment
    // of `char`, and may have any bits.
    unsafe { Vec::from_raw_parts(units, len, capacity) }
}
