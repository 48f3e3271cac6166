//! Detection of an unknown encoding: by the byte order mark, then validity, then likelihood.
//!
//! Three steps, in this order:
//!
//! 1. Does the text begin with a [byte order mark](crate::bom)?
//! 2. Is it well-formed UTF-8? Other data hardly ever is by chance, so it is then UTF-8, or ASCII.
//!    Only text with control characters, as ASCII has them in UTF-16 and UTF-32, continues to the
//!    third step.
//! 3. How many bits would the start of the text take in each remaining encoding, by a rough
//!    estimate of the frequency of characters in text? The encoding with the fewest bits is the
//!    result.
//!
//! **Never wrong on UTF-8.** Text that is well-formed UTF-8 is detected as UTF-8 or ASCII if its
//! first KiB has no control characters other than tab, line feed, form feed, carriage return and
//! escape; or if it is not also well-formed UTF-16 or UTF-32, in either byte order. So `a␀b␀` is
//! UTF-16LE: it is well-formed in both, and likely in one.
//!
//! **Cost.** A mark: O(1). Otherwise one validation of UTF-8 up to the first error; after it, at
//! most a validation of the whole text in each of four encodings, all of which are faster, and a
//! few KiB byte by byte. For a bounded cost, pass the first 64 KiB to [`detect_prefix`].
//!
//! Text that is neither UTF-8, UTF-16, UTF-32, Latin-1 nor ASCII gets the best result among these:
//! windows-1252 is called Latin-1, with a [reason](Reason::Windows1252) that names it; other code
//! pages and binary data too, as a [guess](Confidence::Guess). CESU-8 and the other relatives are
//! not detected.
//!
//! ```
//! use utflane::Scheme;
//! use utflane::detect::{Confidence, Reason, detect};
//!
//! let found = detect("größer".as_bytes());
//! assert_eq!((found.scheme(), found.confidence()), (Scheme::Utf8, Confidence::Likely));
//! assert_eq!(detect(b"gr\xF6\xDFer").scheme(), Scheme::Latin1);
//! assert_eq!(detect(b"\0g\0r\0\xF6\0\xDF\0e\0r").scheme(), Scheme::Utf16Be);
//! assert_eq!(detect(b"\xFF\xFEg\0").reason(), Reason::Mark);
//! ```

pub(crate) mod detection;
mod likelihood;

pub use self::detection::{Confidence, Detection, Reason, detect, detect_prefix};
