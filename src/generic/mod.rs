//! The vector algorithms, each written once over [`Vector`](crate::arch::Vector). They find out *that* something is
//! wrong, and fast; what it is and where exactly, the scalar reference says.

#![deny(unsafe_code)]

pub(crate) mod ascii;
pub(crate) mod cesu8_to_utf16;
pub(crate) mod copy;
pub(crate) mod count;
mod count_wide;
pub(crate) mod decode;
#[cfg(feature = "alloc")]
pub(crate) mod index;
pub(crate) mod latin1;
pub(crate) mod latin1_to_utf8;
pub(crate) mod places;
pub(crate) mod plain;
mod select;
pub(crate) mod summary;
pub(crate) mod tiny;
pub(crate) mod utf16_check;
pub(crate) mod utf16_copy;
pub(crate) mod utf16_count;
pub(crate) mod utf16_halves;
pub(crate) mod utf16_places;
pub(crate) mod utf16_repair;
pub(crate) mod utf16_tiny;
pub(crate) mod utf16_to_cesu8;
pub(crate) mod utf16_to_utf32;
pub(crate) mod utf16_to_utf8;
pub(crate) mod utf32_check;
pub(crate) mod utf32_copy;
pub(crate) mod utf32_count;
pub(crate) mod utf32_swap;
pub(crate) mod utf32_tiny;
pub(crate) mod utf32_to_utf16;
pub(crate) mod utf32_to_utf8;
pub(crate) mod utf8;
pub(crate) mod utf8_edit;
pub(crate) mod utf8_fill;
pub(crate) mod utf8_mend;
pub(crate) mod utf8_sequences;
pub(crate) mod utf8_to_latin1;
pub(crate) mod utf8_to_utf16;
pub(crate) mod utf8_to_utf32;
pub(crate) mod utf8_to_utf8;
pub(crate) mod widen;
pub(crate) mod words;
