//! Undoes double encoding of whole texts. Python's conversion of a `str` to UTF-8 would take longer
//! than the repair, so this module does not use it.
//!
//! A short text is copied as code points and converted to UTF-16. For a long text, the beginning is
//! tested first. If the beginning is double-encoded, the text is converted to Latin-1 or UTF-16,
//! which are close to Python's internal form.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyString;
use utflane::utf8;
use utflane_charset::mojibake::{self, Options, undo_utf16le};

use crate::input::{Text, to_python_string};
use crate::wide;

/// The number of code points at the beginning of a long text that are tested.
const BEGINNING_CODE_POINTS: isize = 512;

/// The characters that windows-1252 has for the bytes 0x80..=0x9F.
const WINDOWS_1252_CHARACTERS: &str = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

/// Undoes double encoding in a short text. Returns `None` if the text is not double-encoded.
pub(crate) fn fix_short<'py>(
    text: &Bound<'py, PyString>,
    options: Options,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let mut buffer = wide::CodePointBuffer::new();
    let code_points = buffer.copy_code_points(text)?;
    // Most texts are not double-encoded. For most of these, the first non-ASCII character shows it.
    let first_non_ascii = code_points.iter().find(|&&code_point| code_point >= 0x80);
    let may_be_lead_byte =
        |code_point: &u32| ('Â'..='ô').contains(&char::from_u32(*code_point).unwrap_or('\0'));
    if !first_non_ascii.is_some_and(may_be_lead_byte) {
        return Ok(None);
    }
    let undone =
        wide::to_utf16le(code_points, &mut wide::Utf16Buffer::new()).and_then(undo_utf16le);
    let Some(mut undone) = undone else { return Ok(None) };
    if options != options.once() {
        let undone_again = options.undo(&undone);
        if undone_again.rounds > 0 {
            undone = undone_again.text.into_owned();
        }
    }
    match buffer.make_python_string(text.py(), &undone)? {
        Some(fixed) => Ok(Some(fixed)),
        None => to_python_string(text.py(), undone.as_bytes()).map(Some),
    }
}

/// Returns the beginning of a long text, or `None` if the text is short.
fn beginning_of_long(text: &Bound<'_, PyString>) -> PyResult<Option<Text>> {
    if wide::count_code_points(text) < wide::LONG_CODE_POINTS {
        return Ok(None);
    }
    Text::from_object(wide::prefix(text, BEGINNING_CODE_POINTS)?.as_any()).map(Some)
}

/// Returns true if a long text is certainly not double-encoded as a whole: its first non-ASCII
/// character does not stand for a lead byte, or the next character does not stand for a
/// continuation byte.
pub(crate) fn is_not_double_encoded(text: &Bound<'_, PyString>) -> PyResult<bool> {
    let beginning = match beginning_of_long(text)? {
        Some(Text::Utf8(beginning)) => beginning,
        Some(Text::WithSurrogates(_)) => return Ok(true),
        None => return Ok(false),
    };
    let mut from_non_ascii = beginning.chars().skip_while(char::is_ascii);
    Ok(match (from_non_ascii.next(), from_non_ascii.next()) {
        (Some('Â'..='ô'), Some(next)) => {
            !matches!(next, '\u{80}'..='\u{BF}' | ' ') && !WINDOWS_1252_CHARACTERS.contains(next)
        }
        (Some('Â'..='ô') | None, _) => false,
        (Some(_), _) => true,
    })
}

/// A long text whose beginning is double-encoded, with so much evidence that a coincidence is
/// excluded. So the whole text is double-encoded if all its characters stand for bytes of UTF-8.
pub(crate) enum WholeText {
    /// The text in Latin-1. These are the bytes of the repaired text in UTF-8.
    Latin1(PyBackedBytes),
    /// The text in UTF-16LE, with characters that Latin-1 lacks.
    Utf16(PyBackedBytes),
}

/// A repaired text.
pub(crate) enum Fixed {
    /// The repaired text in UTF-8.
    Text(Vec<u8>),
    /// The bytes that [`WholeText::bytes`] returns are already the repaired text in UTF-8.
    UnchangedBytes,
}

impl WholeText {
    /// Converts a long text to the encoding that is closest to Python's internal form. Returns
    /// `None` if the beginning of the text is not double-encoded.
    pub(crate) fn from_string(text: &Bound<'_, PyString>) -> PyResult<Option<Self>> {
        let Some(Text::Utf8(beginning)) = beginning_of_long(text)? else { return Ok(None) };
        // A double-encoded character contains no ASCII character. So a part that ends after an
        // ASCII character does not cut a double-encoded character.
        let end = beginning.bytes().rposition(|byte| byte.is_ascii()).map_or(0, |last| last + 1);
        if mojibake::detect(&beginning[..end]).is_none() {
            return Ok(None);
        }
        if !beginning.contains(|c| c > '\u{FF}')
            && let Some(bytes) = wide::encode(text, c"latin-1", c"strict")?
        {
            return Ok(Some(Self::Latin1(bytes.into())));
        }
        let units = wide::encode(text, c"utf-16-le", c"strict")?;
        Ok(units.map(|units| Self::Utf16(units.into())))
    }

    /// Returns the bytes of the text, in Latin-1 or UTF-16LE.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Latin1(bytes) | Self::Utf16(bytes) => bytes,
        }
    }

    /// Undoes double encoding as `options` say. Returns `None` if the text is not double-encoded.
    pub(crate) fn undo(&self, options: Options) -> Option<Fixed> {
        let undone = match self {
            Self::Latin1(bytes) => Cow::Borrowed(utf8::from_utf8(bytes).ok()?),
            Self::Utf16(bytes) => Cow::Owned(undo_utf16le(bytes)?),
        };
        if options != options.once() {
            let undone_again = options.undo(&undone);
            if undone_again.rounds > 0 {
                return Some(Fixed::Text(undone_again.text.into_owned().into()));
            }
        }
        Some(match undone {
            Cow::Borrowed(_) => Fixed::UnchangedBytes,
            Cow::Owned(text) => Fixed::Text(text.into()),
        })
    }
}
