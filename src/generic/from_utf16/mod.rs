//! Conversions from UTF-16, and its validation.
//!
//! The feature `count` compiles the conversions too, because an entry of the pair table has the
//! lengths and the conversions of a pair.

pub(crate) mod check;
#[cfg(feature = "count")]
mod code_point_decoder;
#[cfg(feature = "count")]
pub(crate) mod copy;
#[cfg(feature = "count")]
pub(crate) mod reference;
#[cfg(feature = "count")]
pub(crate) mod short;
pub(crate) mod surrogate_free;
pub(crate) mod surrogates;
#[cfg(feature = "count")]
pub(crate) mod to_utf32;
#[cfg(feature = "count")]
pub(crate) mod to_utf8;
#[cfg(feature = "count")]
pub(crate) mod to_utf8_deinterleaved;
#[cfg(feature = "count")]
pub(crate) mod utf8_encoder;
#[cfg(feature = "count")]
pub(crate) mod utf8_tail;
