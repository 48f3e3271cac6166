//! Reads text in any encoding from any [`Read`], and writes it to any [`Write`].
//!
//! A program keeps its text in UTF-8; files and connections may use any encoding. A [`Reader`]
//! wraps a source of bytes and returns UTF-8: as [`Read`], as [`BufRead`], and as `&str`. A
//! [`Writer`] takes UTF-8 and writes any encoding to a sink of bytes. [`read_to_string`] and
//! [`read_text`] read a whole text.
//!
//! ```
//! use std::io::{BufRead, Write};
//! use utflane::Scheme;
//! use utflane::io::{Reader, Writer};
//!
//! let mut writer = Writer::new(Vec::new(), Scheme::Utf16Le).with_mark();
//! writeln!(writer, "Příliš žluťoučký kůň")?;
//! writeln!(writer, "úpěl ďábelské ódy.")?;
//! let file = writer.into_inner()?;
//!
//! // The mark tells the encoding.
//! let mut lines = Reader::marked(&file[..], Scheme::Utf8).lines();
//! assert_eq!(lines.next().unwrap()?, "Příliš žluťoučký kůň");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Errors
//!
//! Ill-formed text is an error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) that
//! holds a [`StreamError`]. The [`StreamError`] has the kind of the error and its position: the
//! number of bytes from the start of the stream, including the byte order mark. [`stream_error`]
//! extracts it from the [`Error`](std::io::Error). With a [`Policy`] that repairs, ill-formed text
//! is not an error.
//!
//! No other text is lost on an error. The text before the error has been returned or written, and
//! the next call continues after the error. Errors of the inner reader or writer are returned
//! unchanged, and the call may be repeated; [interrupted](std::io::ErrorKind::Interrupted) calls
//! are repeated at once.
//!
//! # Cost
//!
//! A reader has one or two buffers, and a writer one, of at most 64 KiB each, however long the text
//! is. UTF-8 is validated in the buffer that it was read into; any other encoding is decoded from
//! one buffer into the other.
//!
//! [`BufRead`]: std::io::BufRead
//! [`Policy`]: crate::Policy
//! [`Read`]: std::io::Read
//! [`StreamError`]: crate::StreamError
//! [`Write`]: std::io::Write

mod decoder;
mod encoder;
mod parts;
mod reader;
mod text;
mod writer;

pub use self::reader::Reader;
pub use self::text::{Decoded, read_text, read_to_string, stream_error};
pub use self::writer::{IntoInnerError, Writer};
