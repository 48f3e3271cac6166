//! Conversions from UTF-32, and its validation.

pub(crate) mod check;
pub(crate) mod copy;
pub(crate) mod short;
pub(crate) mod swap;
pub(crate) mod to_utf16;
pub(crate) mod to_utf8;
