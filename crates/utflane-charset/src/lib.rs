//! Finds the encodings of the library and of the Encoding Standard by their labels, detects which
//! of them a text is in, and decodes encodings that the library does not have.

#![forbid(unsafe_code)]

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod alphabet;
mod charset;
mod declared;
mod error;
mod evidence;
mod found;
pub mod labels;
mod legacy;
mod sink;
#[cfg_attr(not(test), allow(dead_code, reason = "the detection does not use it yet"))]
mod structure;
mod windows_1252;

pub use self::charset::{ByMark, Charset, Source, Target};
pub use self::error::LabelError;
pub use self::found::{Detector, Found, detect_text};
pub use self::legacy::{LegacyDecoder, LegacyProgress, LegacyStop, Sequence, Stopped};
pub use self::sink::Sink;
