//! UTF-8 as defined before 2003, with sequences of up to six bytes and values of up to 31 bits.
//!
//! X/Open's FSS-UTF (1992) and, for the Internet, RFC 2279 (1998) defined a sequence for every
//! value of 31 bits:
//!
//! | values | bytes in binary |
//! |---|---|
//! | `0..=0x7F` | `0xxxxxxx` |
//! | `0x80..=0x7FF` | `110xxxxx 10xxxxxx` |
//! | `0x800..=0xFFFF` | `1110xxxx 10xxxxxx 10xxxxxx` |
//! | `0x10000..=0x1FFFFF` | `11110xxx`, and three bytes `10xxxxxx` |
//! | `0x200000..=0x3FFFFFF` | `111110xx`, and four bytes `10xxxxxx` |
//! | `0x4000000..=0x7FFFFFFF` | `1111110x`, and five bytes `10xxxxxx` |
//!
//! RFC 3629 (2003) limited UTF-8 to U+10FFFF, so **the longer sequences are not UTF-8 today**. No
//! operation outside this module accepts them, and all of them report 0xF8..=0xFD as [invalid lead
//! bytes](crate::ErrorKind::InvalidLeadByte). This module is for old data and old protocols, and
//! for the analysis of ill-formed text:
//!
//! * [`decode`], [`values`](values()) and [`first`] decode text according to the older definition.
//!   They return numbers, because values above U+10FFFF are not `char`s.
//! * [`sequences()`] finds, in any bytes, the sequences that have a value in a looser definition
//!   than the definition of today.
//!
//! **Strictness.** In RFC 2279, only the shortest sequence for a value is valid. Section 6 of the
//! RFC warns of decoders that accept longer sequences: 0xC0 0x80 for NUL, or 0x2F 0xC0 0xAE 0x2E
//! 0x2F for `/../`, pass checks that look at bytes. So overlong sequences are errors in this module
//! too. Surrogates (U+D800..=U+DFFF) are also errors: according to section 2, UTF-16 is decoded
//! before a character is encoded, so surrogates do not occur. 0xFE and 0xFF never occur. FSS-UTF
//! alone, without the RFC, requires only that encoders write the shortest sequence, and does not
//! mention surrogates.
//!
//! **Errors** are as in [`validate`](crate::validate): kinds are tested in the same order, and
//! offsets count bytes. The length of an error is the length of the maximal subpart, which is 1 to
//! 5 bytes in the *older* definition.
//! [`ErrorKind::InvalidLeadByte`](crate::ErrorKind::InvalidLeadByte) is reported for 0xFE and 0xFF.
//! [`ErrorKind::TooLarge`](crate::ErrorKind::TooLarge) does not occur, because all values of 31
//! bits are valid. Text that is well-formed today is also well-formed in the older definition, with
//! the same values.
//!
//! ```
//! use utflane::utf8::legacy;
//!
//! assert_eq!(legacy::decode(b"a\xC3\xA9\xFD\xBF\xBF\xBF\xBF\xBF")?, [0x61, 0xE9, 0x7FFF_FFFF]);
//!
//! let found = legacy::sequences(b"a \xF8\x88\x80\x80\x80 \xFF").next().unwrap();
//! assert_eq!(found.to_string(), "five-byte sequence of value 0x200000 from index 2");
//! assert_eq!((found.range, found.value), (2..7, 0x20_0000));
//! # Ok::<(), utflane::Error>(())
//! ```

mod bits;
mod sequences;
mod values;

pub use self::sequences::{Form, Sequence, Sequences, sequences};
#[cfg(all(feature = "alloc", feature = "transcode"))]
pub use self::values::decode;
pub use self::values::{MAX, Values, first, values};
