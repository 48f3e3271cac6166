//! The encodings of the library and of the Encoding Standard by their labels, and detection among
//! all of them.

#![forbid(unsafe_code)]

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod alphabet;
mod charset;
mod error;
mod found;
pub mod labels;

pub use self::charset::{ByMark, Charset, Source, Target};
pub use self::error::LabelError;
pub use self::found::{Found, detect_text};
