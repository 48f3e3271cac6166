//! Code units: the element types of texts in memory.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt::Debug;

pub(crate) mod sealed {
    #[cfg(feature = "alloc")]
    use alloc::vec::Vec;

    /// Seals the public traits of encodings: only types of this crate can implement them.
    pub trait Sealed {}

    /// The operations on units that only this crate uses.
    pub trait Unit: Sized {
        /// Returns a `Vec` of this unit as a [`VecMut`](super::VecMut).
        #[cfg(feature = "alloc")]
        fn vec_mut(vec: &mut Vec<Self>) -> super::VecMut<'_>;
    }
}

/// A code unit: `u8`, `u16` or `u32`. This trait is sealed.
///
/// Every bit pattern is a valid value and there is no padding, so a slice of units may be viewed as
/// bytes.
pub trait Unit: sealed::Unit + Copy + Default + Eq + Debug + Send + Sync + 'static {}

impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

/// A `Vec` of units of any size, for functions without type parameters that append units.
#[cfg(feature = "alloc")]
#[derive(Debug)]
pub enum VecMut<'a> {
    /// A `Vec` of bytes.
    U8(&'a mut Vec<u8>),
    /// A `Vec` of 16-bit units.
    U16(&'a mut Vec<u16>),
    /// A `Vec` of 32-bit units.
    U32(&'a mut Vec<u32>),
}

/// Implements the traits for the unit types.
macro_rules! units {
    ($($unit:ident $variant:ident;)*) => {$(
        impl sealed::Unit for $unit {
            #[cfg(feature = "alloc")]
            #[inline(always)]
            fn vec_mut(vec: &mut Vec<Self>) -> VecMut<'_> {
                VecMut::$variant(vec)
            }
        }
    )*};
}

units! {
    u8 U8;
    u16 U16;
    u32 U32;
}
