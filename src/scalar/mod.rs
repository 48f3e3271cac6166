//! The reference: safe Rust without vectors, which processes one character at a time. Its code
//! follows RFC 3629 and chapter 3.9 of the Unicode Standard.
//!
//! The reference is a kernel like the others, and the only code that decides which
//! [`Error`](crate::types::error::Error) text of a Unicode encoding has.
//!
//! Each encoding has two functions: [`Decode`](code::Decode) decodes the first character of some
//! bytes, and [`Encode`](code::Encode) encodes a character. Every conversion combines two such
//! functions.

#![forbid(unsafe_code)]

pub(crate) mod boundary;
mod bytes;
mod cesu8;
pub(crate) mod code;
#[cfg(feature = "code-pages")]
pub(crate) mod code_page;
mod convert;
#[cfg(feature = "count")]
pub(crate) mod position;
#[cfg(feature = "count")]
pub(crate) mod repair;
pub(crate) mod sequence;
pub(crate) mod utf16;
mod utf32;
pub(crate) mod utf8;
#[cfg(feature = "columns")]
pub(crate) mod views;
pub(crate) mod wtf8;

#[cfg(feature = "count")]
pub(crate) use self::convert::resume;
pub(crate) use self::convert::{
    convert, decode, decode_for, encode, encode_inlined, floor_boundary, stop, transcode,
    unmappable, validate,
};
