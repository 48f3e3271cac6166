//! The vector algorithms, each written once over [`Vector`](crate::arch::vector::Vector).
//!
//! They detect *that* the input is ill-formed, and fast. The scalar reference then finds the exact
//! place and kind of the error.

#![deny(unsafe_code)]

pub(crate) mod ascii;
#[cfg(feature = "count")]
pub(crate) mod backoff;
#[cfg(feature = "count")]
pub(crate) mod cesu8;
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
pub(crate) mod position;
#[cfg(feature = "count")]
pub(crate) mod repair;
#[cfg(feature = "columns")]
pub(crate) mod views;
