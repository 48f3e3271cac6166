//! Encodings of one byte by tables, which Python reads and writes in C: once without the way
//! through UTF-8.

use encoding_rs::Encoding;
use pyo3::exceptions::PyUnicodeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use utflane_charset::Charset;

/// Stands in a table for a byte that has no character.
const UNDEFINED: char = '\u{FFFE}';

/// Returns the encoding, if it is one by a table.
pub(crate) fn by_table(charset: Charset) -> Option<&'static Encoding> {
    match charset {
        Charset::Legacy(encoding) if encoding.is_single_byte() => Some(encoding),
        _ => None,
    }
}

/// Returns the characters of all bytes, and the map from them that Python makes of these.
fn tables<'py>(py: Python<'py>, encoding: &'static Encoding) -> PyResult<Bound<'py, PyTuple>> {
    static TABLES: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    let known = TABLES.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
    if let Some(tables) = known.get_item(encoding.name())? {
        return Ok(tables.cast_into()?);
    }
    let character = |byte: u8| {
        let byte = [byte];
        let text = encoding.decode_without_bom_handling_and_without_replacement(&byte);
        text.and_then(|text| text.chars().next()).unwrap_or(UNDEFINED)
    };
    let table: String = (0..=u8::MAX).map(character).collect();
    let map = py.import("codecs")?.call_method1("charmap_build", (&table,))?;
    let tables = PyTuple::new(py, [PyString::new(py, &table).into_any(), map])?;
    known.set_item(encoding.name(), &tables)?;
    Ok(tables)
}

/// Calls one of Python's functions with a table; `None` if there is an error in the text.
fn called<'py>(
    function: &str,
    text: &Bound<'py, PyAny>,
    table: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = text.py();
    match py.import("codecs")?.call_method1(function, (text, "strict", table)) {
        Ok(pair) => pair.get_item(0).map(Some),
        Err(error) if error.is_instance_of::<PyUnicodeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the text of some bytes; `None` if it has errors, or is ASCII, which is faster elsewhere.
pub(crate) fn decoded<'py>(
    encoding: &'static Encoding,
    bytes: &Bound<'py, PyBytes>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    // A subclass may export other bytes.
    if bytes.as_bytes().is_ascii() || !bytes.is_exact_instance_of::<PyBytes>() {
        return Ok(None);
    }
    let table = tables(bytes.py(), encoding)?.get_item(0)?;
    let text = called("charmap_decode", bytes.as_any(), &table)?;
    Ok(text.map(Bound::cast_into).transpose()?)
}

/// Returns the bytes of a text; `None` if it has errors.
pub(crate) fn encoded<'py>(
    encoding: &'static Encoding,
    text: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let map = tables(text.py(), encoding)?.get_item(1)?;
    called("charmap_encode", text.as_any(), &map)
}
