//! Converts a caller's pointer and length to a slice: only this file makes Rust references to C's
//! memory.

use core::mem::MaybeUninit;
use core::slice;

/// Returns the largest number of units that memory can have.
pub(crate) const fn max_units<U>() -> usize {
    isize::MAX as usize / size_of::<U>()
}

/// Returns an empty slice if `length` is 0. Outlined: null pointers are rare.
#[cold]
fn nothing<T: Default>(length: usize) -> Option<T> {
    (length == 0).then(T::default)
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
    if text.is_null() {
        return nothing(length);
    }
    if length > max_units::<U>() {
        return None;
    }
    let len = length * (size_of::<U>() / size_of::<T>());
    // SAFETY: the caller's promise. The size does not overflow: `max_units`.
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
    if output.is_null() {
        return nothing(capacity);
    }
    if capacity > max_units::<U>() {
        return None;
    }
    let len = capacity * (size_of::<U>() / size_of::<T>());
    // SAFETY: the caller's promise. The size does not overflow: `max_units`.
    Some(unsafe { slice::from_raw_parts_mut(output.cast(), len) })
}

/// Returns a text as C has it: with NUL after it.
pub(crate) const fn c_string<const N: usize>(text: &str) -> [u8; N] {
    assert!(text.len() < N);
    let mut bytes = [0; N];
    bytes.split_at_mut(text.len()).0.copy_from_slice(text.as_bytes());
    bytes
}
