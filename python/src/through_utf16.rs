//! Encodings from before Unicode. Python's strings are built from UTF-16 faster than from UTF-8, so
//! whole texts are converted between these encodings and UTF-16.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utflane_charset::Legacy;

use crate::input::run_detached;
use crate::wide;

/// Decodes bytes. Returns `None` if they are ill-formed, or if they are ASCII, for which another
/// function is faster.
pub(crate) fn decode<'py>(
    py: Python<'py>,
    encoding: Legacy,
    bytes: &[u8],
) -> PyResult<Option<Bound<'py, PyString>>> {
    if encoding.is_ascii_compatible() && bytes.is_ascii() {
        return Ok(None);
    }
    // Python decodes these two faster. It lacks some characters of GBK, such as the euro sign.
    let python_name = match encoding.name() {
        "euc-kr" => Some(c"cp949"),
        "gbk" => Some(c"gbk"),
        _ => None,
    };
    if let Some(name) = python_name
        && let Some(text) = wide::decode_if_well_formed(py, bytes, name)?
    {
        return Ok(Some(text));
    }
    let units = run_detached(py, bytes.len(), || encoding.decode_to_utf16le(bytes));
    units.map(|units| wide::decode(py, &units, c"utf-16-le")).transpose()
}

/// Encodes a text. Returns `None` if the encoding lacks one of its characters, and for ISO-2022-JP,
/// which has no table.
pub(crate) fn encode<'py>(
    encoding: Legacy,
    text: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = text.py();
    let Some(units) = wide::encode(text, c"utf-16-le", c"strict")? else { return Ok(None) };
    let units = units.as_bytes();
    let encoded = run_detached(py, units.len(), || encoding.encode_utf16le(units));
    Ok(encoded.map(|bytes| PyBytes::new(py, &bytes).into_any()))
}
