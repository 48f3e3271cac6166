//! The offsets of a column: `i32` or `i64`.

use core::fmt::Debug;

use self::sealed::OffsetList;
use crate::dispatch::kernel::Kernel;
use crate::dispatch::pairs::row_bounds::{any_continuation32, any_continuation64};

pub(crate) mod sealed {
    /// Offsets of either type.
    #[derive(Clone, Copy, Debug)]
    pub enum OffsetList<'a> {
        /// 32-bit offsets.
        I32(&'a [i32]),
        /// 64-bit offsets.
        I64(&'a [i64]),
    }

    use crate::dispatch::kernel::Kernel;

    /// Seals [`Offset`](crate::columns::Offset).
    pub trait Sealed: Sized {
        /// Returns the offsets as a list whose type is known at run time.
        fn list(offsets: &[Self]) -> OffsetList<'_>;

        /// Returns a value that is negative if this offset is negative or smaller than `before`.
        fn sign_after(self, before: Self) -> Self;

        /// Returns a value that is negative if `self` or `other` is negative.
        fn either(self, other: Self) -> Self;

        /// Returns true if the byte at one of these offsets is a continuation byte. The offsets are
        /// sorted, and `text` begins at the first offset.
        fn any_continuation(text: &[u8], offsets: &[Self], kernel: Kernel) -> bool;
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
    ($($offset:ident $variant:ident $any_continuation:ident;)*) => {$(
        impl sealed::Sealed for $offset {
            fn list(offsets: &[Self]) -> OffsetList<'_> {
                OffsetList::$variant(offsets)
            }

            #[inline(always)]
            fn sign_after(self, before: Self) -> Self {
                self.wrapping_sub(before) | self
            }

            #[inline(always)]
            fn either(self, other: Self) -> Self {
                self | other
            }

            fn any_continuation(text: &[u8], offsets: &[Self], kernel: Kernel) -> bool {
                $any_continuation(text, offsets, kernel)
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
    i32 I32 any_continuation32;
    i64 I64 any_continuation64;
}

/// Returns the offsets as a list whose type is known at run time.
#[inline]
pub(crate) fn list<O: Offset>(offsets: &[O]) -> OffsetList<'_> {
    <O as sealed::Sealed>::list(offsets)
}

/// Returns true if the byte of `text` at one of these offsets is a continuation byte. The offsets
/// are sorted.
pub(crate) fn any_continuation<O: Offset>(text: &[u8], offsets: &[O], kernel: Kernel) -> bool {
    let text = offsets.first().and_then(|first| text.get(first.to_size()..));
    text.is_some_and(|text| <O as sealed::Sealed>::any_continuation(text, offsets, kernel))
}

/// The number of rows whose offsets are tested together.
const TESTED_ROWS: usize = 1024;

/// Returns `Err` with the first row whose offsets decrease or are negative. Returns `Ok` if the
/// first offset is not negative and no offset is smaller than the one before it.
#[inline]
pub(crate) fn check_order<O: Offset>(offsets: &[O]) -> Result<(), usize> {
    let Some(&first) = offsets.first() else { return Ok(()) };
    let zero = O::default();
    if first < zero && offsets.len() > 1 {
        return Err(0);
    }
    let mut start = 0;
    while start + 1 < offsets.len() {
        let end = offsets.len().min(start + TESTED_ROWS + 1);
        let part = &offsets[start..end];
        // Combines the signs of all differences without a branch, so that LLVM vectorises the loop.
        let pairs = part.iter().zip(&part[1..]);
        let sign = pairs.fold(zero, |sign, (&a, &b)| sign.either(b.sign_after(a)));
        if sign < zero {
            let row = part.windows(2).position(|pair| pair[1] < pair[0]);
            return Err(start + row.unwrap_or(0));
        }
        start = end - 1;
    }
    Ok(())
}
