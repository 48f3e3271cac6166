//! Finds the encodings of the library and of the Encoding Standard by their labels, detects which
//! of them a text is in, and converts the encodings from before Unicode.

#![forbid(unsafe_code)]

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod charset;
mod declared;
mod decoder;
mod double_byte;
mod encoder;
mod error;
mod found;
mod fusion;
pub mod labels;
mod language;
mod legacy;
mod sink;
mod structure;

pub use self::charset::{ByMark, Charset, Source, Target};
pub use self::decoder::{LegacyDecoder, LegacyProgress, LegacyStop, Sequence, Stopped};
pub use self::encoder::{EncodeProgress, EncodeStop, LegacyEncoder, numeric_reference};
pub use self::error::LabelError;
pub use self::found::{Detector, Found, detect_text};
#[doc(hidden)]
pub use self::fusion::features;
pub use self::language::{language_codes, name_of_language};
pub use self::legacy::Legacy;
pub use self::sink::Sink;
