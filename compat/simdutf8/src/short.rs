//! The validation of short texts, in a function that is compiled once.
//!
//! utflane's `from_utf8` validates a few bytes inline, without a kernel. Inlined into many callers,
//! this is too much code: the compiler would put it into a function that returns its `Result`
//! through memory. The function of this file returns in registers.

use utflane::utf8;

/// The maximum length of an ASCII text that utflane validates without a kernel, in bytes.
pub(crate) const SHORT_MAX_BYTES: usize = 16;

/// Validates a text, and returns it as `&str`. Callers pass only short texts.
pub(crate) fn from_utf8(input: &[u8]) -> Option<&str> {
    utf8::from_utf8(input).ok()
}
