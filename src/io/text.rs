//! Reads whole texts from readers, and converts errors in text to [`io::Error`].

use std::io::{self, Read};
use std::string::String;
use std::vec::Vec;

use crate::encoding::scheme::Scheme;
use crate::encoding::types::Utf8;
use crate::io::parts::decode_error;
use crate::io::reader::Reader;
use crate::types::error::{Error, StreamError};
use crate::types::policy::Policy;
use crate::{bom, utf8};

impl From<Error> for io::Error {
    /// Returns an error of the kind [`InvalidData`](io::ErrorKind::InvalidData), so that `?` works
    /// on [`utf8::from_utf8`] in a function that returns [`io::Result`].
    ///
    /// ```
    /// fn first_line(bytes: &[u8]) -> std::io::Result<&str> {
    ///     Ok(utflane::utf8::from_utf8(bytes)?.lines().next().unwrap_or(""))
    /// }
    /// assert_eq!(first_line(b"a\nb")?, "a");
    /// assert_eq!(first_line(b"\xFF").unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn from(error: Error) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

impl From<StreamError> for io::Error {
    /// Returns an error of the kind [`InvalidData`](io::ErrorKind::InvalidData). [`stream_error`]
    /// extracts the [`StreamError`] from it.
    fn from(error: StreamError) -> Self {
        Self::new(io::ErrorKind::InvalidData, error)
    }
}

/// Returns the [`StreamError`] inside `error`, if the text was ill-formed or unmappable.
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

/// Reads a whole text in UTF-8, or in the encoding of its byte order mark. The mark is removed.
///
/// This function is like [`std::io::read_to_string`], but it detects the mark, and is faster. UTF-8
/// is validated in the buffer that it was read into, and not copied. Text in any other encoding is
/// decoded while it is read.
///
/// # Errors
///
/// Returns the errors of `reader`, and [`InvalidData`](io::ErrorKind::InvalidData) for ill-formed
/// text: see the [module](crate::io). The text read so far is dropped. A [`Reader`] returns it
/// before the error; [`read_text`] can repair ill-formed text.
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
    read_all(&mut reader, Scheme::Utf8, Policy::STOP).map(|decoded| decoded.text)
}

/// A whole text, and its encoding: the result of [`read_text`].
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
    /// The encoding of the bytes.
    pub scheme: Scheme,
    /// True if the bytes began with a byte order mark.
    pub has_mark: bool,
    /// The number of repaired ill-formed sequences.
    pub repairs: u64,
}

/// Reads a whole text in the encoding of its byte order mark, or in `scheme` if it has none.
/// `policy` repairs ill-formed sequences or reports them as errors.
///
/// This function costs as much as [`read_to_string`]; UTF-8 that needs repairs is also copied.
///
/// # Errors
///
/// Returns the errors of [`read_to_string`]. Ill-formed text is not an error with a policy that
/// repairs it.
///
/// ```
/// use utflane::io::read_text;
/// use utflane::{IllFormed, Policy, Repair, Scheme};
///
/// // The mark decides.
/// let decoded = read_text(&b"\xFF\xFEH\0i\0"[..], Scheme::Latin1, Repair::REPLACE)?;
/// assert_eq!((decoded.text.as_str(), decoded.scheme), ("Hi", Scheme::Utf16Le));
///
/// // The text is UTF-8 with some characters in Latin-1.
/// let policy = Policy::STOP.on_ill_formed(IllFormed::Latin1);
/// let decoded = read_text(&b"gr\xF6\xC3\x9Fer"[..], Scheme::Utf8, policy)?;
/// assert_eq!((decoded.text.as_str(), decoded.repairs), ("größer", 1));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_text<R: Read>(
    mut reader: R,
    scheme: Scheme,
    policy: impl Into<Policy>,
) -> io::Result<Decoded> {
    read_all(&mut reader, scheme, policy.into())
}

/// Reads a whole text: [`read_text`] without type parameters.
fn read_all(mut reader: &mut dyn Read, scheme: Scheme, policy: Policy) -> io::Result<Decoded> {
    // The longest byte order mark has four bytes.
    let mut bytes = Vec::new();
    (&mut reader).take(4).read_to_end(&mut bytes)?;
    if bom::detect(&bytes).unwrap_or(scheme) != Scheme::Utf8 {
        return read_whole(Reader::marked(bytes.chain(reader), scheme), policy);
    }
    reader.read_to_end(&mut bytes)?;
    let mark_len = bytes.len() - bom::strip::<Utf8>(&bytes).len();
    decode_utf8(bytes, mark_len, policy)
}

/// Returns the text of `bytes`, which are UTF-8 after a mark of `mark_len` bytes.
fn decode_utf8(mut bytes: Vec<u8>, mark_len: usize, policy: Policy) -> io::Result<Decoded> {
    bytes.drain(..mark_len);
    let (scheme, has_mark) = (Scheme::Utf8, mark_len > 0);
    let error = match utf8::into_string(bytes) {
        Ok(text) => return Ok(Decoded { text, scheme, has_mark, repairs: 0 }),
        Err(error) => error,
    };
    if policy.ill_formed.is_some() {
        return read_whole(Reader::after_mark(&error.units[..], scheme, mark_len), policy);
    }
    let error = error.error;
    let offset = (mark_len + error.valid_up_to()) as u64;
    Err(StreamError::new(scheme, offset, 0, decode_error(error)).into())
}

/// Returns the whole text of a reader, with ill-formed sequences as `policy` defines.
fn read_whole<R: Read>(reader: Reader<R>, policy: Policy) -> io::Result<Decoded> {
    let mut reader = reader.with_policy(policy);
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    let (scheme, has_mark, repairs) = (reader.find_scheme()?, reader.has_mark(), reader.repairs());
    Ok(Decoded { text, scheme, has_mark, repairs })
}
