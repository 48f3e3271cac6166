//! The pair table and its functions: conversions, in a file for each source encoding, and checks,
//! lengths and repairs.

#[cfg(feature = "count")]
pub(crate) mod cesu8_mutf8;
#[cfg(feature = "count")]
mod cesu8_mutf8_len;
pub(crate) mod check;
#[cfg(feature = "stream")]
pub(crate) mod chunk;
mod exceptions;
#[cfg(feature = "count")]
mod from_latin1;
#[cfg(feature = "count")]
mod from_utf16;
#[cfg(feature = "count")]
mod from_utf32;
#[cfg(feature = "count")]
mod from_utf8;
#[cfg(feature = "columns")]
pub(crate) mod prefix;
#[cfg(feature = "count")]
pub(crate) mod repair;
#[cfg(feature = "count")]
pub(crate) mod table;
#[cfg(feature = "count")]
pub(crate) mod through;
pub(crate) mod validation;
#[cfg(feature = "columns")]
pub(crate) mod views;
#[cfg(feature = "count")]
mod wtf8;
