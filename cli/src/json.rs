//! Lines of JSON.

use std::ffi::OsStr;

use serde_json::Value;

/// One line of JSON.
pub(crate) fn json_line(value: Value) -> Vec<u8> {
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// A file name for JSON, with U+FFFD for parts that are not Unicode.
pub(crate) fn file_name(file: impl AsRef<OsStr>) -> Value {
    file.as_ref().to_string_lossy().into()
}
