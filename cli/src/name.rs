//! File names as people read them. A name may have any bytes but NUL and a slash: with line feeds
//! it could forge a finding, and with control characters the whole terminal.

use std::ffi::OsStr;
use std::fmt::Write as _;

/// The name, with escapes for everything that a terminal obeys or hides, and for bytes that are not
/// Unicode. A backslash then is doubled, so that no two names look the same.
pub(crate) fn shown(name: impl AsRef<OsStr>) -> String {
    let bytes = name.as_ref().as_encoded_bytes();
    let mut text = String::new();
    let mut escapes = false;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' | '\r' | '\t' => text.extend(c.escape_default()),
                c if is_unsafe(c) => text.extend(c.escape_unicode()),
                '\\' => {
                    text.push_str("\\\\");
                    continue;
                }
                c => {
                    text.push(c);
                    continue;
                }
            }
            escapes = true;
        }
        for byte in chunk.invalid() {
            // Writing into a string doesn't fail.
            let _ = write!(text, "\\x{byte:02X}");
            escapes = true;
        }
    }
    match std::str::from_utf8(bytes) {
        // A path of Windows keeps its backslashes.
        Ok(name) if !escapes => name.into(),
        _ => text,
    }
}

/// The name before a message: with a colon or, as it is, with a NUL.
pub(crate) fn label(name: impl AsRef<OsStr>, null: bool) -> Vec<u8> {
    if null {
        [name.as_ref().as_encoded_bytes(), b"\0"].concat()
    } else {
        (shown(name) + ":").into_bytes()
    }
}

/// The name as the end of a line.
pub(crate) fn line(name: impl AsRef<OsStr>) -> Vec<u8> {
    (shown(name) + "\n").into_bytes()
}

/// Returns true if a terminal obeys the character or hides it: control characters, bidirectional
/// controls, line separators and invisible characters.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}'
            | '\u{61C}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{E0000}'..='\u{E0FFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names_are_shown_as_they_are() {
        for name in ["a.txt", "größe 漢字.txt", "C:\\notes\\a.txt", "", "-", "e\u{301}"] {
            assert_eq!(shown(name), name);
        }
    }

    #[test]
    fn nothing_is_done_to_the_terminal() {
        for (name, want) in [
            ("a\nb.txt:1:1: byte 0: fine", "a\\nb.txt:1:1: byte 0: fine"),
            ("\u{1B}[2J\t\r", "\\u{1b}[2J\\t\\r"),
            ("txt.\u{202E}exe\u{200B}", "txt.\\u{202e}exe\\u{200b}"),
            ("\u{9B}31m\\", "\\u{9b}31m\\\\"),
        ] {
            assert_eq!(shown(name), want);
            assert!(!shown(name).chars().any(is_unsafe));
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_unicode() {
        use std::os::unix::ffi::OsStrExt;
        let name = OsStr::from_bytes(b"caf\xE9\\");
        assert_eq!(shown(name), "caf\\xE9\\\\");
        assert_eq!(label(name, false), b"caf\\xE9\\\\:");
        assert_eq!(label(name, true), b"caf\xE9\\\0");
    }
}
