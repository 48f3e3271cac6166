//! Code pages, for which Python has fast functions in C. They convert by a table, and without UTF-8
//! as an intermediate form.

use pyo3::exceptions::PyUnicodeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use utflane::code_page::CodePage;
use utflane_charset::Charset;

/// The entry of the table for a byte that has no character.
const UNDEFINED: char = '\u{FFFE}';

/// Returns the code page that `charset` is.
pub(crate) fn code_page(charset: Charset) -> Option<&'static CodePage> {
    match charset {
        Charset::Legacy(encoding) => encoding.page(),
        Charset::Scheme(_) => None,
    }
}

/// Returns a tuple of two tables: a string of the characters of all 256 bytes, and the map from
/// these characters to the bytes, which Python builds from the string.
fn cached_tables<'py>(
    py: Python<'py>,
    page: &CodePage,
) -> PyResult<Bound<'py, PyTuple>> {
    static TABLES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let cache = TABLES.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    if let Some(tables) = cache.get_item(page.name())? {
        return Ok(tables.cast_into()?);
    }
    let table: String =
        (0..=u8::MAX).map(|byte| page.character(byte).unwrap_or(UNDEFINED)).collect();
    let map = py.import("codecs")?.call_method1("charmap_build", (&table,))?;
    let tables = PyTuple::new(py, [PyString::new(py, &table).into_any(), map])?;
    cache.set_item(page.name(), &tables)?;
    Ok(tables)
}

/// Calls a function of Python's module `codecs` with a table. Returns `None` if the text has an
/// error.
fn call_codec<'py>(
    function: &str,
    text: &Bound<'py, PyAny>,
    table: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = text.py();
    match py.import("codecs")?.call_method1(function, (text, "strict", table)) {
        Ok(result_and_len) => result_and_len.get_item(0).map(Some),
        Err(error) if error.is_instance_of::<PyUnicodeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Decodes bytes. Returns `None` if they have errors, or if they are ASCII, for which another
/// function is faster.
pub(crate) fn decode<'py>(
    page: &CodePage,
    bytes: &Bound<'py, PyBytes>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    // `codecs.charmap_decode` reads the buffer of the object. A subclass of `bytes` may export
    // other bytes there.
    let is_ascii_text = page.is_ascii_compatible() && bytes.as_bytes().is_ascii();
    if is_ascii_text || !bytes.is_exact_instance_of::<PyBytes>() {
        return Ok(None);
    }
    let table = cached_tables(bytes.py(), page)?.get_item(0)?;
    let text = call_codec("charmap_decode", bytes.as_any(), &table)?;
    Ok(text.map(Bound::cast_into).transpose()?)
}

/// Encodes a text. Returns `None` if it has errors.
pub(crate) fn encode<'py>(
    page: &CodePage,
    text: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let map = cached_tables(text.py(), page)?.get_item(1)?;
    call_codec("charmap_encode", text.as_any(), &map)
}
