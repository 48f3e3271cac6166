//! Conversions from UTF-8, and its validation.

pub(crate) mod check;
pub(crate) mod copy;
pub(crate) mod decode;
pub(crate) mod fits_latin1;
pub(crate) mod short;
pub(crate) mod to_latin1;
pub(crate) mod to_utf16;
pub(crate) mod to_utf32;
