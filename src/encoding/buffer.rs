//! The owned text of an encoding: `String` or `Vec`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::encoding::unit::Unit;

/// A growing text: `String` or `Vec` of units.
pub trait Buffer: AsRef<[Self::Unit]> + Clone + Debug + Default {
    /// A unit of the text.
    type Unit: Unit;

    /// Returns the units.
    ///
    /// # Safety
    ///
    /// The caller leaves a `String` valid UTF-8.
    unsafe fn units_mut(&mut self) -> &mut Vec<Self::Unit>;

    /// Makes a text of these units.
    ///
    /// # Safety
    ///
    /// For a `String`, the units are valid UTF-8.
    unsafe fn of_units(units: Vec<Self::Unit>) -> Self;
}

impl<U: Unit> Buffer for Vec<U> {
    type Unit = U;

    unsafe fn units_mut(&mut self) -> &mut Self {
        self
    }

    #[inline]
    unsafe fn of_units(units: Self) -> Self {
        units
    }
}

impl Buffer for String {
    type Unit = u8;

    unsafe fn units_mut(&mut self) -> &mut Vec<u8> {
        // SAFETY: the caller leaves valid UTF-8.
        unsafe { self.as_mut_vec() }
    }

    #[inline]
    unsafe fn of_units(units: Vec<u8>) -> Self {
        // SAFETY: the caller passes valid UTF-8.
        unsafe { Self::from_utf8_unchecked(units) }
    }
}
