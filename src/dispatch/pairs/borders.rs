//! Borders of rows that cut characters of UTF-8.

use crate::dispatch::kernel::Kernel;
use crate::dispatch::run::{WIDE_BYTES, dispatch};
use crate::generic::position::boundaries::{any_by_one, any_continuation};

/// Places that are not worth the choice of a kernel.
const FEW: usize = 32;

/// Declares a function for a type of places.
macro_rules! any_continuation {
    ($(fn $name:ident of $place:ident;)*) => {$(
        /// Returns true if one of `places` is before a continuation byte. They are sorted, and
        /// `text` begins at the first of them.
        #[inline(never)]
        pub(crate) fn $name(text: &[u8], places: &[$place], kernel: Kernel) -> bool {
            if places.len() < FEW {
                return any_by_one(text, places);
            }
            dispatch!(kernel, wide if text.len() >= 3 * WIDE_BYTES,
                scalar => any_by_one(text, places),
                |V, token, text, places| any_continuation::<V, $place>(token, text, places))
        }
    )*};
}

any_continuation! {
    fn any_continuation32 of i32;
    fn any_continuation64 of i64;
}
