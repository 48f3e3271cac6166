//! Functions for UTF-16: repair of ill-formed text, as JavaScript's `toWellFormed` does; tests if a
//! text fits into Latin-1 or ASCII; positions and comparison in code point order.
//!
//! The number of supplementary code points, which are surrogate pairs, is the number of units minus
//! the number of [code points](crate::count).
//!
//! Only unpaired surrogates are ill-formed in UTF-16, and a repair replaces each of them by one
//! U+FFFD. So a repaired text has the same length, and a second repair does not change the text.

pub(crate) mod position;
pub(crate) mod repair;

pub use self::position::{
    ceil_boundary, compare, floor_boundary, index_of, is_boundary, offset_of,
};
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub use self::repair::to_well_formed;
pub use self::repair::{fits_ascii, fits_latin1};
#[cfg(feature = "transcode")]
pub use self::repair::{
    make_well_formed, make_well_formed_be, make_well_formed_le, well_formed_into,
};
