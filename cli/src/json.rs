//! Lines of JSON.

use std::ffi::OsStr;

use serde_json::Value;

/// One line of JSON.
fn json_line(value: &Value) -> Vec<u8> {
    let mut line = value.to_string().into_bytes();
    line.push(b'\n');
    line
}

/// One line of JSON about a file: `object` with the file's name as `file`. A name that is not
/// Unicode has U+FFFD there, and its bytes are `file_bytes`.
pub(crate) fn line_about(file: impl AsRef<OsStr>, mut object: Value) -> Vec<u8> {
    let file = file.as_ref();
    object["file"] = file.to_string_lossy().into();
    if file.to_str().is_none() {
        object["file_bytes"] = file.as_encoded_bytes().into();
    }
    json_line(&object)
}
