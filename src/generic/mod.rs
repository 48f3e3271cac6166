//! The vector algorithms, each written once over [`Vector`](crate::arch::vector::Vector).
//!
//! They only detect that the input is ill-formed. The scalar reference then finds the offset and
//! the kind of the error.
//!
//! A function returns an offset before the error instead of the error itself: all bytes before it
//! are well-formed, except that a sequence may continue there.

#![deny(unsafe_code)]

pub(crate) mod ascii;
#[cfg(feature = "count")]
pub(crate) mod backoff;
#[cfg(feature = "count")]
pub(crate) mod cesu8;
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
pub(crate) mod position;
#[cfg(feature = "count")]
pub(crate) mod repair;
#[cfg(feature = "columns")]
pub(crate) mod views;
