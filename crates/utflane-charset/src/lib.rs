//! Detects the encoding of a text, finds encodings by their labels, converts the encodings from
//! before Unicode, and undoes double encoding.

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
pub mod mojibake;
mod sink;
mod structure;
/// The first step of detection. It is public for tests.
#[doc(hidden)]
pub mod unicode;

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
pub use self::unicode::{Confidence, Mixture};
