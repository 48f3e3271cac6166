//! The offsets of a column: `i32` or `i64`.

use core::fmt::Debug;

use self::sealed::Bounds;

pub(crate) mod sealed {
    use core::ops::BitOr;

    /// Where rows begin and end in the text that they form. There is one more offset than rows, and
    /// no offsets mean no rows.
    #[derive(Clone, Copy, Debug)]
    pub enum Bounds<'a> {
        /// 32-bit offsets, and the binary logarithm of the size in bytes of the unit that they
        /// count.
        Offsets32(&'a [i32], u32),
        /// 64-bit offsets, and the same logarithm.
        Offsets64(&'a [i64], u32),
        /// The width of all rows in bytes, and the number of rows.
        Fixed(usize, usize),
    }

    /// Seals [`Offset`](crate::columns::Offset).
    pub trait Sealed: Sized + BitOr<Output = Self> {
        /// Returns a value that is negative if this offset is negative or smaller than `before`.
        fn sign_after(self, before: Self) -> Self;

        /// Returns the offsets as bounds. They count units of `1 << unit_log2` bytes.
        fn bounds(offsets: &[Self], unit_log2: u32) -> Bounds<'_>;
    }
}

/// An offset of a column: `i32` or `i64`. Sealed.
pub trait Offset: sealed::Sealed + Copy + Default + Ord + Debug + Send + Sync + 'static {
    /// Returns the offset as a size. A negative offset becomes a size that is larger than any
    /// slice.
    #[must_use]
    fn to_size(self) -> usize;

    /// Returns `size` as an offset, or `None` if the type cannot hold it.
    #[must_use]
    fn of_size(size: usize) -> Option<Self>;
}

/// Implements the traits for the offset types.
macro_rules! offsets {
    ($($offset:ident $variant:ident;)*) => {$(
        impl sealed::Sealed for $offset {
            #[inline(always)]
            fn sign_after(self, before: Self) -> Self {
                self.wrapping_sub(before) | self
            }

            fn bounds(offsets: &[Self], unit_log2: u32) -> Bounds<'_> {
                Bounds::$variant(offsets, unit_log2)
            }
        }

        impl Offset for $offset {
            #[inline(always)]
            #[expect(clippy::cast_sign_loss, reason = "a negative offset is outside any slice")]
            #[allow(clippy::cast_possible_truncation, reason = "the offsets have been checked")]
            fn to_size(self) -> usize {
                self as usize
            }

            #[inline(always)]
            fn of_size(size: usize) -> Option<Self> {
                Self::try_from(size).ok()
            }
        }
    )*};
}

offsets! {
    i32 Offsets32;
    i64 Offsets64;
}

/// Returns the first row whose offsets decrease.
pub(crate) fn find_decrease<O: Offset>(offsets: &[O]) -> Option<usize> {
    let mut pairs = offsets.iter().zip(offsets.get(1..)?);
    // Combines the signs without a branch, so that LLVM vectorises the loop.
    let sign = pairs.clone().fold(O::default(), |sign, (&a, &b)| sign | b.sign_after(a));
    if sign < O::default() { pairs.position(|(start, end)| end < start) } else { None }
}
