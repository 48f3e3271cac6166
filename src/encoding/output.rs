//! Outputs of conversions: slices of units, which may be uninitialised.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;

use crate::encoding::unit::Unit;
use crate::encoding::view;

pub(crate) mod sealed {
    use core::mem::MaybeUninit;

    /// The view of an output that only this crate uses.
    pub trait Output<U> {
        /// Returns the units as an uninitialised output.
        ///
        /// # Safety
        ///
        /// The caller must not write an uninitialised value through the result.
        unsafe fn uninit_mut(&mut self) -> &mut [MaybeUninit<U>];
    }
}

/// A slice or an array into which a conversion writes units. The units may be uninitialised, as the
/// spare capacity of a vector is. A vector is the slice of its elements. This trait is sealed.
///
/// If a function returns a number of written units, it has initialised so many units at the start
/// of the output.
///
/// ```
/// use utflane::{transcode_into, Latin1, Utf16};
///
/// let mut units: Vec<u16> = Vec::with_capacity(16);
/// let progress = transcode_into::<Latin1, Utf16>(b"caf\xE9", units.spare_capacity_mut());
/// // SAFETY: this number of units has been initialised.
/// unsafe { units.set_len(progress.written) };
/// assert_eq!(units, [0x63, 0x61, 0x66, 0xE9]);
/// ```
pub trait Output<U: Unit>: sealed::Output<U> {}

impl<U: Unit> sealed::Output<U> for [U] {
    #[inline(always)]
    unsafe fn uninit_mut(&mut self) -> &mut [MaybeUninit<U>] {
        // SAFETY: the caller writes only initialised values.
        unsafe { view::uninit_mut(self) }
    }
}

impl<U: Unit> sealed::Output<U> for [MaybeUninit<U>] {
    #[inline(always)]
    unsafe fn uninit_mut(&mut self) -> &mut [MaybeUninit<U>] {
        self
    }
}

impl<U: Unit, const N: usize> sealed::Output<U> for [U; N] {
    #[inline(always)]
    unsafe fn uninit_mut(&mut self) -> &mut [MaybeUninit<U>] {
        // SAFETY: the caller writes only initialised values.
        unsafe { view::uninit_mut(self) }
    }
}

impl<U: Unit, const N: usize> sealed::Output<U> for [MaybeUninit<U>; N] {
    #[inline(always)]
    unsafe fn uninit_mut(&mut self) -> &mut [MaybeUninit<U>] {
        self
    }
}

#[cfg(feature = "alloc")]
impl<U: Unit> sealed::Output<U> for Vec<U> {
    #[inline(always)]
    unsafe fn uninit_mut(&mut self) -> &mut [MaybeUninit<U>] {
        // SAFETY: the caller writes only initialised values.
        unsafe { view::uninit_mut(self) }
    }
}

impl<U: Unit> Output<U> for [U] {}
impl<U: Unit> Output<U> for [MaybeUninit<U>] {}
impl<U: Unit, const N: usize> Output<U> for [U; N] {}
impl<U: Unit, const N: usize> Output<U> for [MaybeUninit<U>; N] {}
#[cfg(feature = "alloc")]
impl<U: Unit> Output<U> for Vec<U> {}
