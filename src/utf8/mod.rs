//! Functions for UTF-8: conversions of bytes to `&str` and `String`, with the names of the standard
//! library; summaries; characters; counts; positions and boundaries; valid and invalid runs; and
//! the [older definition](legacy) of UTF-8.

pub(crate) mod boundary;
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub(crate) mod chars;
#[cfg(feature = "count")]
pub(crate) mod chunks;
#[cfg(feature = "count")]
pub(crate) mod count;
#[cfg(feature = "count")]
pub mod legacy;
#[cfg(feature = "count")]
pub(crate) mod lines;
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub(crate) mod lossy;
#[cfg(feature = "count")]
pub(crate) mod position;
#[cfg(feature = "count")]
pub(crate) mod positions;
pub(crate) mod text;

pub use self::boundary::{ceil_boundary, floor_boundary, is_boundary};
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub use self::chars::{str_to_chars, to_chars};
#[cfg(feature = "count")]
pub use self::chunks::{Chunk, Chunks, chunks};
#[cfg(feature = "count")]
pub use self::count::count_supplementary;
#[cfg(feature = "count")]
pub use self::lines::Lines;
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub use self::lossy::{from_utf8_lossy, into_string_lossy};
#[cfg(feature = "count")]
pub use self::position::{index_of, offset_of};
#[cfg(feature = "count")]
pub use self::positions::convert_positions;
#[cfg(feature = "alloc")]
pub use self::text::into_string;
#[cfg(feature = "count")]
pub use self::text::{fits_latin1, summary};
pub use self::text::{from_utf8, from_utf8_mut};
#[cfg(feature = "count")]
pub use crate::types::summary::Summary;
