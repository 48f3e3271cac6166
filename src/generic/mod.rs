//! The vector algorithms, each written once for all implementations of
//! [`Vector`](crate::arch::vector::Vector).
//!
//! The algorithms only detect that the input is ill-formed. The scalar reference then finds the
//! offset and the kind of the error.
//!
//! Instead of the error itself, a function returns a byte offset at or before the error: all bytes
//! before the offset are well-formed, except that the offset may split a sequence.

#![deny(unsafe_code)]

pub(crate) mod ascii;
#[cfg(feature = "code-pages")]
pub(crate) mod code_page;
#[cfg(feature = "count")]
pub(crate) mod copy;
#[cfg(feature = "count")]
pub(crate) mod count;
pub(crate) mod edge_lanes;
#[cfg(feature = "count")]
pub(crate) mod from_latin1;
#[cfg(feature = "wide")]
pub(crate) mod from_utf16;
#[cfg(feature = "wide")]
pub(crate) mod from_utf32;
pub(crate) mod from_utf8;
#[cfg(feature = "count")]
pub(crate) mod narrow;
#[cfg(feature = "count")]
pub(crate) mod position;
#[cfg(feature = "count")]
pub(crate) mod repair;
pub(crate) mod segments;
#[cfg(feature = "wide")]
pub(crate) mod vectors;
#[cfg(feature = "columns")]
pub(crate) mod views;
