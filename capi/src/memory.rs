//! A caller's pointer and length as a slice: the only place where the memory of C becomes memory
//! of Rust.

use core::mem::MaybeUninit;
use core::slice;

/// Returns `length` units at `text` as bytes. A null pointer is an empty text.
///
/// # Safety
///
/// `text` is null, or `length` units from it on can be read and don't change as long as the result
/// is used.
#[inline(always)]
pub(crate) unsafe fn input<'a, T>(text: *const T, length: usize) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise. Bytes need no alignment.
    unsafe { slice::from_raw_parts(text.cast(), length * size_of::<T>()) }
}

/// Returns `length` units at `text`. A null pointer is an empty text.
///
/// # Safety
///
/// That of [`input`], and `text` is aligned.
#[inline(always)]
pub(crate) unsafe fn input_units<'a, T>(text: *const T, length: usize) -> &'a [T] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { slice::from_raw_parts(text, length) }
}

/// Returns room for `capacity` units at `room` as bytes. A null pointer is no room.
///
/// # Safety
///
/// `room` is null, or `capacity` units from it on can be written, and nothing else reads or writes
/// them as long as the result is used.
#[inline(always)]
pub(crate) unsafe fn output<'a, T>(room: *mut T, capacity: usize) -> &'a mut [MaybeUninit<u8>] {
    if room.is_null() {
        return &mut [];
    }
    // SAFETY: the caller's promise. Bytes need no alignment, and may be uninitialised.
    unsafe { slice::from_raw_parts_mut(room.cast(), capacity * size_of::<T>()) }
}

/// Returns room for `capacity` units at `room`. A null pointer is no room.
///
/// # Safety
///
/// That of [`output`], and `room` is aligned.
#[inline(always)]
pub(crate) unsafe fn output_units<'a, T>(
    room: *mut T,
    capacity: usize,
) -> &'a mut [MaybeUninit<T>] {
    if room.is_null() {
        return &mut [];
    }
    // SAFETY: the caller's promise. Units may be uninitialised.
    unsafe { slice::from_raw_parts_mut(room.cast(), capacity) }
}
