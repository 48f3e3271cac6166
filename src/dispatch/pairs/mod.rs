//! The functions of the pair table, a file for each source.

pub(crate) mod cesu8_mutf8;
mod cesu8_mutf8_len;
mod from_latin1;
mod from_utf16;
mod from_utf32;
mod from_utf8;
pub(crate) mod repair;
mod standard;
pub(crate) mod table;
mod utf32be;
mod wtf;
