//! Formats lines of JSON.

use std::ffi::OsStr;
use std::fmt::Write as _;

use serde_json::Value;

use crate::name::is_unsafe;

/// Returns one line of JSON, with escapes for all characters that control a terminal or are
/// invisible.
fn json_line(value: &Value) -> Vec<u8> {
    let mut line = String::new();
    // Characters beyond ASCII, and U+007F, occur only in strings, where JSON allows escapes.
    for c in value.to_string().chars() {
        match is_unsafe(c) {
            true => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing into a string doesn't fail.
                    let _ = write!(line, "\\u{unit:04x}");
                }
            }
            false => line.push(c),
        }
    }
    line.push('\n');
    line.into_bytes()
}

/// Returns one line of JSON about a file: `object` with the file's name as the member `file`. If
/// the name is not Unicode, it has U+FFFD there, and the member `file_bytes` has its bytes.
pub(crate) fn line_about(file: impl AsRef<OsStr>, mut object: Value) -> Vec<u8> {
    let file = file.as_ref();
    object["file"] = file.to_string_lossy().into();
    if file.to_str().is_none() {
        object["file_bytes"] = file.as_encoded_bytes().into();
    }
    json_line(&object)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// No name can control a terminal, and a parser of JSON returns the unescaped name.
    #[test]
    fn names_are_escaped() {
        for (name, want) in [
            ("größe 漢字😀", "größe 漢字😀"),
            ("\u{7F}", "\\u007f"),
            ("\u{80}\u{9B}31m\u{9F}", "\\u0080\\u009b31m\\u009f"),
            ("a\u{202E}txt.exe\u{2066}", "a\\u202etxt.exe\\u2066"),
            ("\u{E0041}", "\\udb40\\udc41"),
            ("\u{1B}\n\"", "\\u001b\\n\\\""),
        ] {
            let line = String::from_utf8(line_about(name, json!({}))).unwrap();
            assert_eq!(line, format!("{{\"file\":\"{want}\"}}\n"));
            let object: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(object["file"], name);
        }
        for c in ('\0'..=char::MAX).filter(|&c| is_unsafe(c)) {
            let line = line_about(c.to_string(), json!({ "n": 1 }));
            assert!(line.is_ascii(), "{c:?}");
        }
    }
}
