//! Converts a caller's pointer and length to a slice. Only this file makes Rust references to
//! memory of C programs.

use core::mem::MaybeUninit;
use core::slice;

/// Returns the maximum number of units `U` in a slice.
pub(crate) const fn max_units<U>() -> usize {
    isize::MAX as usize / size_of::<U>()
}

/// Returns true if a pointer and a length are possible arguments: no units are at a null pointer,
/// and no memory has more than `isize::MAX` bytes.
#[inline(always)]
#[cfg(feature = "simdutf")]
pub(crate) fn is_possible<U>(pointer: *const U, length: usize) -> bool {
    length == 0 || !pointer.is_null() && length <= max_units::<U>()
}

/// Returns the slice for a null pointer: an empty slice if `length` is 0, otherwise `None`. Not
/// inlined, because null pointers are rare.
#[cold]
fn slice_of_null<T: Default>(length: usize) -> Option<T> {
    (length == 0).then(T::default)
}

/// Returns the `length` units at `text`, each as one or more `T`. A null pointer with length 0 is
/// an empty text. Returns `None` for a null pointer with another length, and for a length that is
/// larger than any memory.
///
/// # Safety
///
/// If `text` is not null and `length` is at most [`max_units`], the `length` units at `text` can be
/// read, and do not change as long as the result is used. `text` is aligned for `T`. The size of
/// `U` is a multiple of the size of `T`, and every value of the bytes is a valid `T`.
#[inline(always)]
pub(crate) unsafe fn source<'a, U, T>(text: *const U, length: usize) -> Option<&'a [T]> {
    if text.is_null() {
        return slice_of_null(length);
    }
    if length > max_units::<U>() {
        return None;
    }
    let len = length * (size_of::<U>() / size_of::<T>());
    // SAFETY: the caller guarantees the units. Their size in bytes is at most `isize::MAX`.
    Some(unsafe { slice::from_raw_parts(text.cast(), len) })
}

/// Returns the output of `capacity` units at `output`, each as one or more `T`. A null pointer with
/// capacity 0 is an output without capacity. Returns `None` for a null pointer with another
/// capacity, and for a capacity that is larger than any memory.
///
/// # Safety
///
/// If `output` is not null and `capacity` is at most [`max_units`], the `capacity` units at
/// `output` can be written, and nothing else reads or writes them as long as the result is used.
/// `output` is aligned for `T`. The size of `U` is a multiple of the size of `T`.
#[inline(always)]
pub(crate) unsafe fn destination<'a, U, T>(
    output: *mut U,
    capacity: usize,
) -> Option<&'a mut [MaybeUninit<T>]> {
    if output.is_null() {
        return slice_of_null(capacity);
    }
    if capacity > max_units::<U>() {
        return None;
    }
    let len = capacity * (size_of::<U>() / size_of::<T>());
    // SAFETY: the caller guarantees the units. Their size in bytes is at most `isize::MAX`.
    Some(unsafe { slice::from_raw_parts_mut(output.cast(), len) })
}

/// Returns a text as a C string, which ends with NUL.
pub(crate) const fn c_string<const N: usize>(text: &str) -> [u8; N] {
    assert!(text.len() < N);
    let mut bytes = [0; N];
    bytes.split_at_mut(text.len()).0.copy_from_slice(text.as_bytes());
    bytes
}
