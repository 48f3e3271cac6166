//! Short texts, compiled here once.
//!
//! The library validates a few bytes in the caller, without a kernel. That is too much code for
//! each of many callers, so the compiler would make it a function there, which returns through
//! memory. This one returns in registers.

use utflane::utf8;

/// Bytes that the library validates without a kernel, if they are ASCII.
pub(crate) const SHORT: usize = 16;

/// Validates a text, likely a short one, and returns it as `&str`.
pub(crate) fn from_utf8(input: &[u8]) -> Option<&str> {
    utf8::from_utf8(input).ok()
}
