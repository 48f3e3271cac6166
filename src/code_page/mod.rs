//! Code pages: encodings with one byte for each character, such as windows-1251, KOI8-R, cp437 of
//! DOS, Mac OS Roman and cp037 of EBCDIC.
//!
//! A [`CodePage`] is a static: [`WINDOWS_1251`], [`CP037`]. [`CodePage::by_label`] finds one at run
//! time. It converts to and from every Unicode encoding of the crate, with vector kernels in both
//! directions, exact errors, and the repairs of [`Repair`](crate::Repair).
//!
//! ```
//! use utflane::code_page::{CodePage, KOI8_R};
//! use utflane::{Utf8, Utf16};
//!
//! assert_eq!(KOI8_R.decode::<Utf8>(b"\xF0\xD2\xC9\xD7\xC5\xD4")?, "Привет");
//! assert_eq!(KOI8_R.encode::<Utf16>(&[0x41F, 0x440])?, b"\xF0\xD2");
//!
//! let page = CodePage::by_label("CP-1047").ok_or("no such page")?;
//! assert_eq!(page.decode::<Utf8>(b"\xC8\x85\x93\x93\x96")?, "Hello");
//!
//! // An unassigned byte and a character that the page lacks are errors.
//! let page = CodePage::by_label("iso-8859-3").ok_or("no such page")?;
//! assert_eq!(page.validate(b"a\xA5b").unwrap_err().valid_up_to(), 1);
//! assert_eq!(KOI8_R.encode_str("π").unwrap_err().valid_up_to(), 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Streams
//!
//! [`ByteTranscoder::decoding`](crate::ByteTranscoder::decoding) and
//! [`ByteTranscoder::encoding`](crate::ByteTranscoder::encoding) convert chunks that end anywhere;
//! `io::Reader::decoding` and `io::Writer::encoding` read and write (feature `std`).
//!
//! # Which table
//!
//! Pages of the [Encoding Standard](https://encoding.spec.whatwg.org/) have exactly its characters.
//! The others have the characters of Python's codecs, and of glibc's `iconv` where Python lacks the
//! page. A label names the page of that name: `iso-8859-1` is ISO 8859-1, while browsers decode it
//! as windows-1252.
//!
//! * The Standard maps the unassigned bytes of Microsoft's pages to control characters.
//!   [`CodePage::strict`] returns the page without these.
//! * EBCDIC ends lines by NEL (U+0085, byte 0x15). [`CodePage::with_line_feeds`] returns the page
//!   in which byte 0x15 is a line feed, and NEL is 0x25.

pub(crate) mod conversion;
mod decode;
mod encode;

use alloc::vec::Vec;
use core::fmt;

use crate::dispatch::code_page::find_unassigned;
use crate::dispatch::kernel::Kernel;
use crate::encoding::scheme::Scheme;
use crate::encoding::unit::Unit;
use crate::lossy::page::{DirectedPage, Direction};
use crate::lossy::plan::LossyRun;
use crate::owned;
use crate::owned::growth::Growth;
use crate::tables::code_pages as tables;
use crate::tables::code_pages::Page;
use crate::types::error::{DecodeError, Error, ErrorKind};
use crate::types::policy::Policy;

/// A code page: an encoding with one byte for each character. See [the module](self).
///
/// ```
/// use utflane::Utf8;
/// use utflane::code_page::{CP437, CodePage, WINDOWS_1252};
///
/// assert_eq!(CP437.decode::<Utf8>(b"\xC9\xCD\xBB")?, "╔═╗");
/// assert_eq!((WINDOWS_1252.character(0x80), WINDOWS_1252.byte('€')), (Some('€'), Some(0x80)));
/// assert!(CodePage::all().any(|page| *page == CP437));
/// # Ok::<(), utflane::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct CodePage {
    page: &'static Page,
    /// The kernel, or `None` for the active one.
    kernel: Option<Kernel>,
}

include!(concat!(env!("OUT_DIR"), "/code_page_statics.rs"));

impl CodePage {
    /// All code pages, with their variants.
    pub const ALL: &'static [&'static Self] = &ALL;

    /// Creates the page of a table.
    const fn new(page: &'static Page) -> Self {
        Self { page, kernel: None }
    }

    /// Returns an iterator over [`ALL`](Self::ALL).
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Self::ALL.iter().copied()
    }

    /// Returns the page with this name or label. Case and punctuation do not count, nor zeros
    /// before a number: `cp037`, `CP37` and `IBM-037` are one page. Links all pages.
    ///
    /// ```
    /// use utflane::code_page::CodePage;
    ///
    /// assert_eq!(CodePage::by_label("latin_2").map(CodePage::name), Some("iso-8859-2"));
    /// assert!(CodePage::by_label("utf-8").is_none());
    /// ```
    #[must_use]
    pub fn by_label(label: &str) -> Option<&'static Self> {
        let mut buffer = [0; LABEL_MAX_BYTES];
        let label = loose(label, &mut buffer)?;
        Self::all().find(|page| page.page.labels.iter().any(|&known| known.as_bytes() == label))
    }

    /// Returns this page on `kernel` instead of the active one.
    #[must_use]
    pub const fn with_kernel(&self, kernel: Kernel) -> Self {
        Self { kernel: Some(kernel), ..*self }
    }

    /// Returns the name of the page, as `WINDOWS_1251.name()` is `windows-1251`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.page.name
    }

    /// Returns the group of the page: `ISO`, `Windows`, `Unix`, `DOS`, `Mac`, `EBCDIC` or
    /// `Web`.
    #[must_use]
    pub const fn group(&self) -> &'static str {
        self.page.group
    }

    /// Returns the labels of the page, in lower case without punctuation; the first one is its
    /// name.
    #[must_use]
    pub const fn labels(&self) -> &'static [&'static str] {
        self.page.labels
    }

    /// Returns true if the page is one of the 28 single-byte encodings of the Encoding Standard.
    #[must_use]
    pub const fn is_in_encoding_standard(&self) -> bool {
        self.page.is_web
    }

    /// Returns true if the bytes below 0x80 are ASCII. This is not so for EBCDIC, and for cp864,
    /// whose byte 0x25 is the Arabic percent sign.
    #[must_use]
    pub const fn is_ascii_compatible(&self) -> bool {
        self.page.is_ascii
    }

    /// Returns the page in which the bytes that Microsoft's table does not assign are unassigned,
    /// or `None` if there are none. In the Encoding Standard they are control characters.
    ///
    /// ```
    /// use utflane::code_page::WINDOWS_1251;
    ///
    /// let strict = WINDOWS_1251.strict().unwrap();
    /// assert_eq!((WINDOWS_1251.character(0x98), strict.character(0x98)), (Some('\u{98}'), None));
    /// assert_eq!(strict.name(), "windows-1251-strict");
    /// ```
    #[must_use]
    pub const fn strict(&self) -> Option<Self> {
        match self.page.strict {
            Some(page) => Some(Self { page, ..*self }),
            None => None,
        }
    }

    /// Returns the page of EBCDIC with NEL and LF exchanged, so that lines end by U+000A in
    /// Unicode, or `None` if the page is not EBCDIC.
    ///
    /// ```
    /// use utflane::Utf8;
    /// use utflane::code_page::CP1047;
    ///
    /// assert_eq!(CP1047.decode::<Utf8>(b"\x81\x15")?, "a\u{85}");
    /// let page = CP1047.with_line_feeds().unwrap();
    /// assert_eq!(page.decode::<Utf8>(b"\x81\x15")?, "a\n");
    /// # Ok::<(), utflane::Error>(())
    /// ```
    #[must_use]
    pub const fn with_line_feeds(&self) -> Option<Self> {
        match self.page.line_feeds {
            Some(page) => Some(Self { page, ..*self }),
            None => None,
        }
    }

    /// Returns the character of `byte`, or `None` if the byte is unassigned.
    #[must_use]
    pub fn character(&self, byte: u8) -> Option<char> {
        char::from_u32(self.page.decode(byte)?.into())
    }

    /// Returns the byte of `character`, or `None` if the page lacks it.
    #[must_use]
    pub const fn byte(&self, character: char) -> Option<u8> {
        self.page.encode(character as u32)
    }

    /// Validates `src`: finds the first unassigned byte. Costs nothing if the page assigns all
    /// bytes.
    ///
    /// # Errors
    ///
    /// The first unassigned byte, as [`ErrorKind::Unassigned`].
    ///
    /// ```
    /// use utflane::code_page::ISO_8859_7;
    ///
    /// assert_eq!(ISO_8859_7.validate(b"\xE1\xE2"), Ok(()));
    /// let error = ISO_8859_7.validate(b"\xE1\xFF").unwrap_err();
    /// assert_eq!((error.valid_up_to(), error.error_len()), (1, Some(1)));
    /// let message = "byte to which the code page assigns no character at index 1";
    /// assert_eq!(error.to_string(), message);
    /// ```
    pub fn validate(&self, src: &[u8]) -> Result<(), Error> {
        match find_unassigned(self.page, src, self.kernel()) {
            None => Ok(()),
            Some(at) => {
                let error = DecodeError::ill_formed(ErrorKind::Unassigned, 1);
                Err(Error::new(Scheme::Latin1, at, error))
            }
        }
    }

    /// Returns the table of the page, for streams.
    pub(crate) const fn page(&self) -> &'static Page {
        self.page
    }

    /// Returns the kernel of the page's conversions.
    pub(crate) fn kernel(&self) -> Kernel {
        self.kernel.unwrap_or_else(Kernel::active)
    }

    /// Converts all of `src` and appends the result to `out`, which on an error gets the part
    /// before it. Returns the number of repairs.
    fn append<U: Unit>(
        &self,
        direction: Direction,
        policy: Policy,
        src: &[u8],
        out: &mut Vec<U>,
    ) -> Result<usize, Error> {
        let (old_len, is_new) = (out.len(), out.capacity() == 0);
        // A replacement may be longer than a character.
        let spare = if policy == Policy::STOP { 0 } else { 64 };
        let growth = match direction {
            Direction::Decode(to) => Growth::of_decoded_page(to),
            Direction::Encode(from) => Growth::of_encoded_page(from),
        };
        let run = LossyRun::new(DirectedPage { page: self.page, direction }, policy);
        let capacity = (growth, spare);
        let repairs = owned::append_by_run(self.kernel(), run, capacity, src, None, out, old_len)?;
        if is_new {
            owned::release_spare(out);
        }
        Ok(repairs)
    }
}

impl PartialEq for CodePage {
    /// Compares the names: the kernel does not count.
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for CodePage {}

impl fmt::Debug for CodePage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CodePage").field(&self.name()).finish()
    }
}

impl fmt::Display for CodePage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The longest label that is looked for, without punctuation.
const LABEL_MAX_BYTES: usize = 32;

/// Writes a label in lower case, without punctuation and without zeros before a number. Returns it,
/// or `None` if it is longer than any label.
fn loose<'a>(label: &str, buffer: &'a mut [u8; LABEL_MAX_BYTES]) -> Option<&'a [u8]> {
    let letters = label.bytes().filter(u8::is_ascii_alphanumeric);
    let (mut len, mut in_number) = (0, false);
    let mut letters = letters.peekable();
    while let Some(letter) = letters.next() {
        let begins_number = !in_number && letters.peek().is_some_and(u8::is_ascii_digit);
        if letter == b'0' && begins_number {
            continue;
        }
        in_number = letter.is_ascii_digit();
        *buffer.get_mut(len)? = letter.to_ascii_lowercase();
        len += 1;
    }
    Some(&buffer[..len])
}
