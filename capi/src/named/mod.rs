//! Functions named for their encodings, by source.

// Written by capi/generate.py: change that.

/// Latin-1.
pub mod latin1;
/// native UTF-16.
pub mod utf16;
/// UTF-16BE.
pub mod utf16be;
/// UTF-16LE.
pub mod utf16le;
/// native UTF-32.
pub mod utf32;
/// UTF-32BE.
pub mod utf32be;
/// UTF-32LE.
pub mod utf32le;
/// UTF-8.
pub mod utf8;
