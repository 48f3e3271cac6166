//! Texts in any encoding read from any [`Read`], and written to any [`Write`].
//!
//! A program has its text in UTF-8; files and connections have it in whatever they like. A [`Reader`] stands in front of
//! anything that gives bytes, and gives UTF-8: as [`Read`], as [`BufRead`], and as `&str`. A [`Writer`] takes UTF-8, and gives
//! any encoding to anything that takes bytes. [`read_to_string`] and [`read_text`] read everything at once.
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
//! // Its mark says what it is.
//! let mut lines = Reader::marked(&file[..], Scheme::Utf8).lines();
//! assert_eq!(lines.next().unwrap()?, "Příliš žluťoučký kůň");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Errors
//!
//! What is ill-formed is an error of the kind [`InvalidData`](io::ErrorKind::InvalidData) that holds a [`StreamError`]:
//! what is wrong, and where, counted in bytes from the start of the stream, the byte order mark included. [`stream_error`] takes
//! it out. A [`Policy`] says what is repaired instead.
//!
//! Nothing is lost on an error. What stands in front of it has been handed over before, and the next call goes on behind it.
//! Errors of the inner reader or writer come through as they are, and may be followed by another attempt; what is
//! [interrupted](io::ErrorKind::Interrupted) is tried again at once.
//!
//! # Cost
//!
//! A buffer or two of 64 KiB, filled once and emptied once, however long the text is. UTF-8 is validated where it has been
//! read, everything else is decoded from one buffer into the other.
//!
//! [`BufRead`]: std::io::BufRead
//! [`Write`]: std::io::Write

mod reader;
mod writer;

use std::io::{self, Read};
use std::string::String;
use std::vec::Vec;

pub use self::reader::Reader;
pub use self::writer::{IntoInnerError, Writer};
use crate::detect::{self, Detection};
use crate::error::Flaw;
use crate::{Error, Policy, Scheme, StreamError, Utf8, bom, utf8};

/// Bytes of a buffer, if nothing else is said.
const CAPACITY: usize = 64 * 1024;

/// The least bytes of a buffer: more than any character takes, and whatever stands for it.
const LEAST_CAPACITY: usize = 64;

impl From<StreamError> for io::Error {
    /// An error of the kind [`InvalidData`](io::ErrorKind::InvalidData), from which [`stream_error`] takes it out again.
    fn from(error: StreamError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// What is wrong with the text, if that is what `error` says.
///
/// ```
/// use std::io::Read;
/// use utflane::io::{Reader, stream_error};
/// use utflane::{ErrorKind, Scheme};
///
/// let mut text = String::new();
/// let mut reader = Reader::new(&b"\0a\xDC\0\0b"[..], Scheme::Utf16Be);
/// let error = reader.read_to_string(&mut text).unwrap_err();
/// let error = stream_error(&error).unwrap();
/// assert_eq!((error.kind(), error.offset()), (ErrorKind::Surrogate, 2));
/// assert_eq!(text, "a");
/// reader.read_to_string(&mut text)?;
/// assert_eq!(text, "ab");
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn stream_error(error: &io::Error) -> Option<StreamError> {
    error.get_ref()?.downcast_ref().copied()
}

/// What a text without a byte order mark is taken for.
///
/// ```
/// use utflane::Scheme;
/// use utflane::io::{Reader, Unmarked};
///
/// let mut reader = Reader::marked(&b"n\0o\0"[..], Unmarked::Detect);
/// assert_eq!(reader.find_scheme()?, Scheme::Utf16Le);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unmarked {
    /// Text in this encoding.
    Scheme(Scheme),
    /// What [`detect`] says: of a whole text, or of the beginning that a [`Reader`]'s buffer holds. ASCII is
    /// taken for UTF-8, which it is as well.
    Detect,
}

impl From<Scheme> for Unmarked {
    fn from(scheme: Scheme) -> Self {
        Self::Scheme(scheme)
    }
}

/// The scheme that was detected, and the length of its mark. ASCII is UTF-8 of which more may come.
fn taken_for(found: Detection) -> (Scheme, usize) {
    match found.scheme() {
        Scheme::Ascii => (Scheme::Utf8, 0),
        scheme => (scheme, found.mark_len()),
    }
}

/// Reads a whole text that is in UTF-8, or in the encoding that its byte order mark names. The mark is left out.
///
/// As [`std::io::read_to_string`], but for the mark and for the speed. UTF-8 is validated where it has been read, and not
/// copied; everything else is decoded while it is read.
///
/// # Errors
///
/// Those of `reader`, and [`InvalidData`](io::ErrorKind::InvalidData) for text that is ill-formed: see the [module](self). What
/// has been read is dropped then. Who wants to keep it takes a [`Reader`]; who wants it repaired, [`read_text`].
///
/// ```
/// use utflane::io::read_to_string;
///
/// assert_eq!(read_to_string(&b"caf\xC3\xA9"[..])?, "café");
/// assert_eq!(read_to_string(&b"\xEF\xBB\xBFcaf\xC3\xA9"[..])?, "café");
/// assert_eq!(read_to_string(&b"\xFE\xFF\0c\0a\0f\0\xE9"[..])?, "café");
/// let error = read_to_string(&b"caf\xE9"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "incomplete utf-8 byte sequence from index 3");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Files are readers:
///
/// ```no_run
/// let text = utflane::io::read_to_string(std::fs::File::open("notes.txt")?)?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_to_string<R: Read>(mut reader: R) -> io::Result<String> {
    read_all(&mut reader, Scheme::Utf8.into(), Policy::STOP).map(|decoded| decoded.text)
}

/// A whole text that has been read, and what it was.
///
/// ```
/// use utflane::io::{Decoded, read_text};
/// use utflane::{Repair, Scheme};
///
/// let decoded = read_text(&b"a\xFFb"[..], Scheme::Utf8, Repair::REPLACE)?;
/// let Decoded { text, scheme, has_mark, repairs } = decoded;
/// assert_eq!((text.as_str(), scheme), ("a\u{FFFD}b", Scheme::Utf8));
/// assert_eq!((has_mark, repairs), (false, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without its byte order mark.
    pub text: String,
    /// The encoding that it was in.
    pub scheme: Scheme,
    /// Whether it began with a byte order mark.
    pub has_mark: bool,
    /// Ill-formed sequences that have been repaired.
    pub repairs: u64,
}

/// Reads a whole text: in the encoding that its byte order mark names, or in the one that `unmarked` says; with errors or
/// repairs, as `policy` says.
///
/// Costs what [`read_to_string`] costs, and for text in UTF-8 that needs repairs a copy. Detection looks at the whole text, so
/// that is in memory as it stands, next to what it becomes.
///
/// # Errors
///
/// As [`read_to_string`]. Text that is ill-formed is no error with a policy that repairs it.
///
/// ```
/// use utflane::io::{Unmarked, read_text};
/// use utflane::{IllFormed, Policy, Repair, Scheme};
///
/// // Whatever it is.
/// let decoded = read_text(&b"gr\xF6\xDFer"[..], Unmarked::Detect, Repair::REPLACE)?;
/// assert_eq!((decoded.text.as_str(), decoded.scheme), ("größer", Scheme::Latin1));
///
/// // UTF-8 with some Latin-1 in it.
/// let policy = Policy::STOP.on_ill_formed(IllFormed::Latin1);
/// let decoded = read_text(&b"gr\xF6\xC3\x9Fer"[..], Scheme::Utf8, policy)?;
/// assert_eq!((decoded.text.as_str(), decoded.repairs), ("größer", 1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_text<R: Read>(
    mut reader: R,
    unmarked: impl Into<Unmarked>,
    policy: impl Into<Policy>,
) -> io::Result<Decoded> {
    read_all(&mut reader, unmarked.into(), policy.into())
}

/// [`read_text`] without types.
fn read_all(mut reader: &mut dyn Read, unmarked: Unmarked, policy: Policy) -> io::Result<Decoded> {
    // As many bytes as tell a mark.
    let mut bytes = Vec::new();
    (&mut reader).take(4).read_to_end(&mut bytes)?;
    let scheme = match (unmarked, bom::detect(&bytes)) {
        // One mark could be another one with U+0000 behind it, which detection tells apart.
        (Unmarked::Detect, None | Some(Scheme::Utf32Le)) => None,
        (_, Some(scheme)) => Some(scheme),
        (Unmarked::Scheme(scheme), None) => Some(scheme),
    };
    match scheme {
        Some(Scheme::Utf8) => {
            reader.read_to_end(&mut bytes)?;
            let mark = bytes.len() - bom::strip::<Utf8>(&bytes).len();
            of_utf8(bytes, mark, policy)
        }
        Some(_) => through(Reader::marked(bytes.chain(reader), unmarked), policy),
        None => {
            reader.read_to_end(&mut bytes)?;
            match taken_for(detect::detect(&bytes)) {
                (Scheme::Utf8, mark) => of_utf8(bytes, mark, policy),
                (scheme, mark) => through(Reader::behind(&bytes[mark..], scheme, mark), policy),
            }
        }
    }
}

/// A whole text in UTF-8, behind a mark of so many bytes.
fn of_utf8(mut bytes: Vec<u8>, mark: usize, policy: Policy) -> io::Result<Decoded> {
    bytes.drain(..mark);
    let (scheme, has_mark) = (Scheme::Utf8, mark > 0);
    let error = match utf8::into_string(bytes) {
        Ok(text) => return Ok(Decoded { text, scheme, has_mark, repairs: 0 }),
        Err(error) => error,
    };
    if policy.ill_formed.is_some() {
        return through(Reader::behind(error.as_bytes(), scheme, mark), policy);
    }
    let error = error.error();
    let offset = (mark + error.valid_up_to()) as u64;
    Err(StreamError::new(scheme, offset, 0, flaw(error)).into())
}

/// Everything that a reader gives.
fn through<R: Read>(reader: Reader<R>, policy: Policy) -> io::Result<Decoded> {
    let mut reader = reader.with_policy(policy);
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    let (scheme, has_mark, repairs) = (reader.find_scheme()?, reader.has_mark(), reader.repairs());
    Ok(Decoded { text, scheme, has_mark, repairs })
}

/// What an error says, without its place.
fn flaw(error: Error) -> Flaw {
    #[expect(clippy::cast_possible_truncation, reason = "at most four bytes")]
    Flaw { kind: error.kind(), len: error.error_len().unwrap_or(0) as u8 }
}

/// What to say of an inner reader or writer that claims more bytes than it was given room or text for.
#[cold]
fn boasts() -> io::Error {
    io::Error::other("the inner reader or writer claims more bytes than there were")
}
