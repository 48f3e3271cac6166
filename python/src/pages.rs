//! Code pages. Python's strings are built from UTF-16 faster than from UTF-8, so the library
//! converts between code pages and UTF-16 here.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane::Utf16Le;
use utflane::code_page::CodePage;
use utflane_charset::Charset;

use crate::input::run_detached;
use crate::wide;

/// Returns the code page that `charset` is.
pub(crate) fn code_page(charset: Charset) -> Option<&'static CodePage> {
    match charset {
        Charset::Legacy(encoding) => encoding.page(),
        Charset::Scheme(_) => None,
    }
}

/// Decodes bytes. Returns `None` if one of them is unassigned, or if they are ASCII, for which
/// another function is faster.
pub(crate) fn decode<'py>(
    py: Python<'py>,
    page: &CodePage,
    bytes: &[u8],
) -> PyResult<Option<Bound<'py, PyString>>> {
    if page.is_ascii_compatible() && bytes.is_ascii() {
        return Ok(None);
    }
    let units = run_detached(py, bytes.len(), || page.decode::<Utf16Le>(bytes));
    units.ok().map(|units| wide::decode(py, &units, c"utf-16-le")).transpose()
}

/// Encodes a text. Returns `None` if the page lacks one of its characters.
pub(crate) fn encode<'py>(
    page: &CodePage,
    text: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = text.py();
    let Some(units) = wide::encode(text, c"utf-16-le", c"strict")? else { return Ok(None) };
    let units = units.as_bytes();
    let encoded = run_detached(py, units.len(), || page.encode::<Utf16Le>(units));
    Ok(encoded.ok().map(|bytes| PyBytes::new(py, &bytes).into_any()))
}
