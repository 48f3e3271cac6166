//! UTF-8 as defined before 2003: sequences of up to six bytes, values of up to 31 bits.
//!
//! X/Open's FSS-UTF (1992) and, for the Internet, RFC 2279 (1998) gave every value of 31 bits a
//! sequence:
//!
//! | values | bytes |
//! |---|---|
//! | `0..=7F` | `0xxxxxxx` |
//! | `80..=7FF` | `110xxxxx 10xxxxxx` |
//! | `800..=FFFF` | `1110xxxx 10xxxxxx 10xxxxxx` |
//! | `10000..=1FFFFF` | `11110xxx`, and three bytes `10xxxxxx` |
//! | `200000..=3FFFFFF` | `111110xx`, and four |
//! | `4000000..=7FFFFFFF` | `1111110x`, and five |
//!
//! RFC 3629 (2003) ended it at U+10FFFF, and **today this is not UTF-8**: no operation of this
//! crate accepts it, and all of them report `F8..=FD` as [invalid lead
//! bytes](crate::ErrorKind::InvalidLeadByte). This module is for old data and old protocols, and
//! for the analysis of ill-formed text:
//!
//! * [`decode`], [`decode_append`], [`values`](values()) and [`first`] read text by the older
//!   definition, as values, because values above U+10FFFF are not `char`s.
//! * [`sequences()`] finds, in any bytes, the sequences that have a value by a looser definition
//!   than today's.
//!
//! **Strictness.** RFC 2279 has only one valid sequence for a value, the shortest, and its section
//! 6 warns of decoders that accept another: `C0 80` for NUL, or `2F C0 AE 2E 2F` for `/../`, pass
//! checks that look at bytes. So overlong sequences are errors here too. So are surrogates
//! (U+D800..=U+DFFF): by section 2, UTF-16 is decoded before a character is encoded, so they do not
//! occur. `FE` and `FF` never occur either. FSS-UTF alone, without the RFC, requires the shortest
//! sequence of an encoder, and does not know surrogates.
//!
//! **Errors** are as in [`validate`](crate::validate): kinds are tested in the same order, offsets
//! count bytes, and the length is the maximal subpart's, by the *older* definition 1 to 5 bytes.
//! [`ErrorKind::InvalidLeadByte`](crate::ErrorKind::InvalidLeadByte) is `FE` or `FF`;
//! [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge) does not occur, because all 31 bits are in
//! use. Text that is well-formed today is well-formed here, with the same values.
//!
//! ```
//! use utflane::utf8::legacy;
//!
//! assert_eq!(legacy::decode(b"a\xC3\xA9\xFD\xBF\xBF\xBF\xBF\xBF")?, [0x61, 0xE9, 0x7FFF_FFFF]);
//!
//! let found = legacy::sequences(b"a \xF8\x88\x80\x80\x80 \xFF").next().unwrap();
//! assert_eq!((found.range(), found.value()), (2..7, 0x20_0000));
//! assert_eq!(found.to_string(), "five-byte sequence of value 200000 from index 2");
//! # Ok::<(), utflane::Error>(())
//! ```

mod bits;
mod sequences;
mod values;

pub use self::sequences::{Form, Sequence, Sequences, sequences};
pub use self::values::{MAX, Values, first, values};
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub use self::values::{decode, decode_append};
