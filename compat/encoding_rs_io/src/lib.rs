//! The interface of the crate `encoding_rs_io` 0.1.8, implemented with [utflane]. If
//! `[patch.crates-io]` replaces encoding_rs_io by this package, a program and all its dependencies
//! use utflane without a change.
//!
//! [`DecodeReaderBytes`] wraps a reader and returns its text in UTF-8. The encoding is the encoding
//! of the byte order mark, or it is given to the [`DecodeReaderBytesBuilder`]. U+FFFD replaces
//! sequences that are ill-formed in this encoding. Without an encoding, the bytes are returned
//! unchanged.
//!
//! ```
//! use std::io::Read;
//!
//! use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};
//!
//! let mut text = String::new();
//! DecodeReaderBytes::new(&b"\xFF\xFEH\0i\0"[..]).read_to_string(&mut text)?;
//! assert_eq!(text, "Hi");
//!
//! let mut text = String::new();
//! DecodeReaderBytesBuilder::new()
//!     .encoding(Some(encoding_rs::WINDOWS_1251))
//!     .build(&b"\xC4\xE0"[..])
//!     .read_to_string(&mut text)?;
//! assert_eq!(text, "Да");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Differences
//!
//! * utflane decodes UTF-8, UTF-16 and the 28 single-byte encodings of the Encoding Standard. All
//!   other encodings are decoded by encoding_rs.
//! * An error of the inner reader within the first three bytes loses no bytes, and the next call
//!   still looks for a byte order mark.
//! * While decoding, the inner reader is called once at its end, not twice, unless the stream has
//!   less than three bytes.

mod builder;
mod decoder;
mod reader;
mod source;

pub use crate::builder::DecodeReaderBytesBuilder;
pub use crate::reader::DecodeReaderBytes;
