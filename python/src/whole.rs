//! Double encoding of texts as a whole. Python's own conversion of a `str` to UTF-8 takes longer
//! than the repair, so that is not used.
//!
//! A text that is not long is taken by its code points, as UTF-16. Of a long one, the beginning is
//! judged alone. If it is damaged, the rest is taken as Latin-1 or UTF-16, which are near to the
//! form that Python has.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyString;
use utflane::mojibake::{self, Options, undo_utf16le};
use utflane::utf8;

use crate::input::{Text, string};
use crate::wide;

/// Code points of the beginning of a long text.
const BEGINNING: isize = 512;

/// The characters that windows-1252 has for bytes `80..=9F`.
const SIGNS: &str = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ";

/// A text that is not long, without its damage; `None` if it has none.
pub(crate) fn fixed<'py>(
    text: &Bound<'py, PyString>,
    options: Options,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let mut buffer = wide::CodePoints::new();
    let code_points = buffer.code_points(text)?;
    // Most texts are seen to be undamaged at their first character beyond ASCII.
    let first = code_points.iter().find(|&&code_point| code_point >= 0x80);
    if !first.is_some_and(|first| ('Â'..='ô').contains(&char::from_u32(*first).unwrap_or('\0'))) {
        return Ok(None);
    }
    let undone = wide::utf16le(code_points, &mut wide::Units::new()).and_then(undo_utf16le);
    let Some(mut undone) = undone else { return Ok(None) };
    if options != options.once() {
        let more = options.undo(&undone);
        if more.rounds > 0 {
            undone = more.text.into_owned();
        }
    }
    match buffer.string(text.py(), &undone)? {
        Some(fixed) => Ok(Some(fixed)),
        None => string(text.py(), undone.as_bytes()).map(Some),
    }
}

/// The beginning of a long text.
fn beginning(text: &Bound<'_, PyString>) -> PyResult<Option<Text>> {
    if wide::len(text) < wide::LONG {
        return Ok(None);
    }
    Text::of(wide::beginning(text, BEGINNING)?.as_any()).map(Some)
}

/// Returns true if a long text is certainly not damaged as a whole: its first character beyond
/// ASCII is no lead byte that was taken for a letter, or no continuation byte follows it.
pub(crate) fn is_undamaged(text: &Bound<'_, PyString>) -> PyResult<bool> {
    let beginning = match beginning(text)? {
        Some(Text::Plain(beginning)) => beginning,
        Some(Text::Surrogates(_)) => return Ok(true),
        None => return Ok(false),
    };
    let mut rest = beginning.chars().skip_while(char::is_ascii);
    Ok(match (rest.next(), rest.next()) {
        (Some('Â'..='ô'), Some(next)) => {
            !matches!(next, '\u{80}'..='\u{BF}' | ' ') && !SIGNS.contains(next)
        }
        (Some('Â'..='ô') | None, _) => false,
        (Some(_), _) => true,
    })
}

/// A long text whose beginning is damaged, and more than a coincidence. So all of it is, if its
/// characters are the bytes of UTF-8.
pub(crate) enum Whole {
    /// The bytes themselves: the text in Latin-1.
    Latin1(PyBackedBytes),
    /// The text in UTF-16LE, with signs that Latin-1 does not have.
    Utf16(PyBackedBytes),
}

/// A repaired text.
pub(crate) enum Fixed {
    /// The text, in UTF-8.
    Text(Vec<u8>),
    /// The bytes of the damaged one.
    Given,
}

impl Whole {
    /// The text, if its beginning is damaged, in the form that is nearest to Python's.
    pub(crate) fn of(text: &Bound<'_, PyString>) -> PyResult<Option<Self>> {
        let Some(Text::Plain(beginning)) = beginning(text)? else { return Ok(None) };
        // Damage has no ASCII, so the last one of the beginning cuts nothing.
        let end = beginning.bytes().rposition(|byte| byte.is_ascii()).map_or(0, |last| last + 1);
        if mojibake::detect(&beginning[..end]).is_none() {
            return Ok(None);
        }
        if !beginning.contains(|c| c > '\u{FF}')
            && let Some(bytes) = wide::encoded(text, c"latin-1", c"strict")?
        {
            return Ok(Some(Self::Latin1(bytes.into())));
        }
        let units = wide::encoded(text, c"utf-16-le", c"strict")?;
        Ok(units.map(|units| Self::Utf16(units.into())))
    }

    /// The bytes of the text.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Latin1(bytes) | Self::Utf16(bytes) => bytes,
        }
    }

    /// The text as `options` undo it; `None` if it is not damaged.
    pub(crate) fn undone(&self, options: Options) -> Option<Fixed> {
        let undone = match self {
            Self::Latin1(bytes) => Cow::Borrowed(utf8::from_utf8(bytes).ok()?),
            Self::Utf16(bytes) => Cow::Owned(undo_utf16le(bytes)?),
        };
        if options != options.once() {
            let more = options.undo(&undone);
            if more.rounds > 0 {
                return Some(Fixed::Text(more.text.into_owned().into()));
            }
        }
        Some(match undone {
            Cow::Borrowed(_) => Fixed::Given,
            Cow::Owned(text) => Fixed::Text(text.into()),
        })
    }
}
