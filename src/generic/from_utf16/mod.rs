//! Conversions from UTF-16, and its validation.

pub(crate) mod check;
pub(crate) mod copy;
pub(crate) mod short;
pub(crate) mod surrogates;
pub(crate) mod to_utf32;
pub(crate) mod to_utf8;
pub(crate) mod to_utf8_deinterleaved;
pub(crate) mod utf8_encoder;
pub(crate) mod utf8_ends;
