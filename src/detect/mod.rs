//! Detection of an unknown encoding: by the byte order mark, then validity, then likelihood.
//!
//! Three steps, in this order:
//!
//! 1. Does the text begin with a [byte order mark](crate::bom)?
//! 2. Is it well-formed UTF-8? Other data hardly ever is by chance, so it is then UTF-8, or ASCII.
//!    Only text with control characters, as ASCII has them in UTF-16 and UTF-32, continues to the
//!    third step. So does text that is neither UTF-8, CESU-8, nor UTF-8 with few errors.
//! 3. How many bits would the start of the text take in each remaining encoding, by a rough
//!    estimate of the frequency of characters in text? The encoding with the fewest bits is the
//!    result.
//!
//! **Never wrong on UTF-8.** Text that is well-formed UTF-8 is detected as UTF-8 or ASCII if it has
//! no control characters other than tab, line feed, form feed, carriage return and escape, and no
//! escape sequences of ISO-2022; or if it is not also well-formed UTF-16 or UTF-32, in either byte
//! order, in whole or in part. So `a␀b␀` is UTF-16LE: it is well-formed in both, and likely in one.
//! Data with many control characters is called binary, unless it has characters beyond ASCII, and
//! ASCII with the escape sequences of ISO-2022-JP a legacy encoding.
//!
//! **Parts in different encodings.** All of the text is read, in search of an offset at which
//! UTF-16 or UTF-32 begins or ends, and of UTF-8 beside other bytes. Such a text has no scheme:
//! [`mixture`](Detection::mixture) has the offset. [`Detector`] does the same for chunks.
//!
//! **Unknown encodings.** The encodings from before Unicode, such as KOI8-R, Shift_JIS and GBK,
//! compete with UTF-16, which their bytes may also be. They are all reported as
//! [legacy](Reason::Legacy). Only their common property is known: letters beyond ASCII stand in
//! runs. Where they don't, as in Czech in windows-1250, the text is called Latin-1 or
//! [windows-1252](Reason::Windows1252). Modified UTF-8 and WTF-8 are not detected.
//!
//! **Cost.** One validation of UTF-8, and from its first error on a look at each byte beyond ASCII.
//! A kibibyte before the first NUL is priced byte by byte, and what follows where it is not plain
//! in the encoding of what came before. UTF-16 and UTF-32 are also validated in each of four
//! encodings. Data that is no text is read up to 64 KiB. For a bounded cost, pass the first 64 KiB
//! to [`detect_prefix`].
//!
//! ```
//! use utflane::Scheme;
//! use utflane::detect::{Confidence, Reason, detect};
//!
//! let found = detect("größer".as_bytes());
//! assert_eq!((found.scheme(), found.confidence()), (Some(Scheme::Utf8), Confidence::Likely));
//! assert_eq!(detect(b"gr\xF6\xDFer").scheme(), Some(Scheme::Latin1));
//! assert_eq!(detect(b"\0g\0r\0\xF6\0\xDF\0e\0r").scheme(), Some(Scheme::Utf16Be));
//! assert_eq!(detect(b"\xFF\xFEg\0").reason(), Reason::Mark);
//! ```

mod answer;
pub(crate) mod detection;
mod legacy;
mod likelihood;
mod prices;
mod runs;
#[cfg(feature = "alloc")]
mod streamed;
mod survey;
#[cfg(feature = "std")]
pub(crate) mod watch;

pub use self::answer::{Confidence, Detection, Mixture, Reason};
pub use self::detection::{detect, detect_prefix};
#[cfg(feature = "alloc")]
pub use self::streamed::Detector;
