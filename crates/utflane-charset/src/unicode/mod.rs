//! The first step of detection: Unicode, ASCII and binary data are detected by the byte order mark,
//! then by validity, then by likelihood. `found.rs` continues with other text.
//!
//! The step has three parts:
//!
//! 1. Does the text begin with a [byte order mark](utflane::bom)? If it does, the mark decides.
//! 2. Is the text well-formed UTF-8? Other data hardly ever is by chance, so the text is then UTF-8
//!    or ASCII. Two kinds of text continue to the third part: text with control characters, because
//!    ASCII characters in UTF-16 and UTF-32 have NUL bytes, and text that is neither UTF-8, nor
//!    CESU-8, nor UTF-8 with few errors.
//! 3. How many bits would the start of the text take in each remaining encoding? This is a rough
//!    estimate from the frequency of characters in text. The encoding with the fewest bits is the
//!    result. Numbers look like text in UTF-16 and UTF-32 too, so these are only a guess if the
//!    start, the middle or the end of the text takes fewer bits as numbers.
//!
//! **Never wrong on UTF-8.** Text that is well-formed UTF-8 is detected as UTF-8 or ASCII in two
//! cases. In the first case, it has no control characters other than tab, line feed, form feed,
//! carriage return and escape, and no escape sequences of ISO-2022. In the second case, it is not
//! also well-formed UTF-16 or UTF-32, in either byte order, in whole or in part. So `a␀b␀` is
//! UTF-16LE: it is well-formed in UTF-8 and in UTF-16LE, but likely only in UTF-16LE. Data with
//! many control characters is called binary, unless it has non-ASCII characters. ASCII with the
//! escape sequences of ISO-2022-JP is called a legacy encoding.
//!
//! **Parts in different encodings.** The whole text is read to find an offset at which UTF-16 or
//! UTF-32 begins or ends, and to find UTF-8 beside other bytes. A text with such parts has no
//! scheme: `Detection::mixture` returns the parts and the offset. `Detector` does the same for a
//! text in chunks.
//!
//! **Unknown encodings.** The legacy encodings, such as KOI8-R, Shift_JIS and GBK, are older than
//! Unicode. They compete with UTF-16, in which their bytes may also be well-formed. They are all
//! reported as `Reason::Legacy`. They are recognised only by their common property:
//! non-ASCII letters follow each other in runs. If the letters do not, as in Czech in windows-1250,
//! the text is called Latin-1 or windows-1252. Modified UTF-8 and WTF-8 are not detected.
//!
//! **Cost.** The text is validated as UTF-8 once, and from the first error on, it is searched for
//! characters of UTF-8. From 1 KiB before the first NUL on, the cost of the text in each encoding
//! is computed byte by byte, except where the text is ordinary for the encoding so far. UTF-16 and
//! UTF-32 are also validated, in up to four encodings. Data that is not text is read up to 64 KiB.
//! For a bounded cost, pass the first 64 KiB to `detect_prefix`.
//!
//! ```
//! use utflane::Scheme;
//! use utflane_charset::unicode::{Confidence, Reason, detect};
//!
//! let found = detect("größer".as_bytes());
//! assert_eq!((found.scheme(), found.confidence()), (Some(Scheme::Utf8), Confidence::Likely));
//! assert_eq!(detect(b"gr\xF6\xDFer").scheme(), Some(Scheme::Latin1));
//! assert_eq!(detect(b"\0g\0r\0\xF6\0\xDF\0e\0r").scheme(), Some(Scheme::Utf16Be));
//! assert_eq!(detect(b"\xFF\xFEg\0").reason(), Reason::Mark);
//! ```

mod answer;
mod assigned;
mod detection;
mod evidence;
mod legacy;
mod likelihood;
mod prices;
mod runs;
mod streamed;
mod survey;

pub use self::answer::{Confidence, Detection, Mixture, Reason};
pub use self::detection::{detect, detect_prefix};
pub use self::streamed::Detector;
