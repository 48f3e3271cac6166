//! A caller's pointer and length as a slice: the only place where the memory of C becomes memory
//! of Rust.

use core::mem::MaybeUninit;
use core::slice;

/// True if `length` units at `at` can be memory: a null pointer has none, and no memory has more
/// than `isize::MAX` bytes.
#[inline(always)]
pub(crate) fn is_possible<U>(at: *const U, length: usize) -> bool {
    length == 0 || !at.is_null() && length <= isize::MAX as usize / size_of::<U>()
}

/// Returns `length` units at `text`, each as one or more `T`. `None` if they can't be memory; a
/// null pointer with length 0 is an empty text.
///
/// # Safety
///
/// If `text` is not null, `length` units from it on can be read (unless they are too many for any
/// memory) and don't change as long as the result is used. `text` is aligned for `T`, which divides
/// a unit and has no invalid values.
#[inline(always)]
pub(crate) unsafe fn source<'a, U, T>(text: *const U, length: usize) -> Option<&'a [T]> {
    if !is_possible(text, length) {
        return None;
    }
    if text.is_null() {
        return Some(&[]);
    }
    let len = length * (size_of::<U>() / size_of::<T>());
    // SAFETY: the caller's promise. The size does not overflow: `is_possible`.
    Some(unsafe { slice::from_raw_parts(text.cast(), len) })
}

/// Returns an output of `capacity` units at `output`, each as one or more `T`. `None` if they can't
/// be memory; a null pointer with capacity 0 is an output without capacity.
///
/// # Safety
///
/// If `output` is not null, `capacity` units from it on can be written (unless they are too many
/// for any memory), and nothing else reads or writes them as long as the result is used. `output`
/// is aligned for `T`, which divides a unit.
#[inline(always)]
pub(crate) unsafe fn destination<'a, U, T>(
    output: *mut U,
    capacity: usize,
) -> Option<&'a mut [MaybeUninit<T>]> {
    if !is_possible(output, capacity) {
        return None;
    }
    if output.is_null() {
        return Some(&mut []);
    }
    let len = capacity * (size_of::<U>() / size_of::<T>());
    // SAFETY: the caller's promise. The size does not overflow: `is_possible`.
    Some(unsafe { slice::from_raw_parts_mut(output.cast(), len) })
}

/// Returns the bytes of `length` units at `text`.
///
/// # Safety
///
/// That of [`source`], and [`is_possible`] holds.
#[inline(always)]
pub(crate) unsafe fn input<'a, T>(text: *const T, length: usize) -> &'a [u8] {
    // SAFETY: the caller's promise. Bytes need no alignment.
    unsafe { source(text, length) }.unwrap_or_default()
}
