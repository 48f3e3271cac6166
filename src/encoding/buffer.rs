//! The owned text of an encoding: `String` or `Vec`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::encoding::unit::Unit;

/// A growable text: `String` or `Vec` of units.
pub trait Buffer: AsRef<[Self::Unit]> + Clone + Debug + Default {
    /// A unit of the text.
    type Unit: Unit;

    /// Returns the vector of units.
    ///
    /// # Safety
    ///
    /// A `String` must hold valid UTF-8 when the borrow ends.
    unsafe fn units_mut(&mut self) -> &mut Vec<Self::Unit>;

    /// Creates a text from `units`.
    ///
    /// # Safety
    ///
    /// For a `String`, the units must be valid UTF-8.
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
        // SAFETY: the caller guarantees valid UTF-8 when the borrow ends.
        unsafe { self.as_mut_vec() }
    }

    #[inline]
    unsafe fn of_units(units: Vec<u8>) -> Self {
        // SAFETY: the caller guarantees that `units` are valid UTF-8.
        unsafe { Self::from_utf8_unchecked(units) }
    }
}
