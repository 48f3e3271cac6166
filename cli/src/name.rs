//! Formats file names for people. On Unix, a name may have any bytes except NUL and a slash. Line
//! feeds could forge a message about another file, and control characters could change anything
//! that the terminal shows.

use std::ffi::OsStr;
use std::fmt::Write as _;

/// Returns the name, with escapes for characters that control a terminal or are invisible, and for
/// bytes that are not Unicode. Backslashes are doubled, so that no name looks like the escapes of
/// another name. On Windows, where they separate directories, they are doubled only if the name has
/// escapes.
pub(crate) fn escape(name: impl AsRef<OsStr>) -> String {
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
        Ok(name) if cfg!(windows) && !escapes => name.into(),
        _ => text,
    }
}

/// Returns the name for the start of a message: with a colon after it or, if `null`, without
/// escapes and with a NUL after it.
pub(crate) fn label(name: impl AsRef<OsStr>, null: bool) -> Vec<u8> {
    if null {
        [name.as_ref().as_encoded_bytes(), b"\0"].concat()
    } else {
        (escape(name) + ":").into_bytes()
    }
}

/// Returns the name and a line feed.
pub(crate) fn line(name: impl AsRef<OsStr>) -> Vec<u8> {
    (escape(name) + "\n").into_bytes()
}

/// Returns true if the character controls a terminal or is invisible: control characters,
/// bidirectional controls, line separators and invisible characters.
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
    fn plain_names_are_not_escaped() {
        for name in ["a.txt", "größe 漢字.txt", "", "-", "e\u{301}"] {
            assert_eq!(escape(name), name);
        }
    }

    #[test]
    fn backslashes_are_doubled_except_in_paths_of_windows() {
        let expected = if cfg!(windows) { "C:\\notes" } else { "C:\\\\notes" };
        assert_eq!(escape("C:\\notes"), expected);
        assert_eq!(escape("C:\\notes\n"), "C:\\\\notes\\n");
    }

    #[cfg(unix)]
    #[test]
    fn no_name_looks_like_the_escapes_of_another_name() {
        for (with_backslash, with_escape) in
            [("a\\n", "a\n"), ("\\u{1b}", "\u{1b}"), ("\\\\n", "\\\n")]
        {
            assert_ne!(escape(with_backslash), escape(with_escape));
        }
    }

    #[test]
    fn characters_that_control_the_terminal_are_escaped() {
        for (name, want) in [
            ("a\nb.txt:1:1: byte 0: fine", "a\\nb.txt:1:1: byte 0: fine"),
            ("\u{1B}[2J\t\r", "\\u{1b}[2J\\t\\r"),
            ("txt.\u{202E}exe\u{200B}", "txt.\\u{202e}exe\\u{200b}"),
            ("\u{9B}31m\\", "\\u{9b}31m\\\\"),
        ] {
            assert_eq!(escape(name), want);
            assert!(!escape(name).chars().any(is_unsafe));
        }
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_unicode_are_escaped() {
        use std::os::unix::ffi::OsStrExt;
        let name = OsStr::from_bytes(b"caf\xE9\\");
        assert_eq!(escape(name), "caf\\xE9\\\\");
        assert_eq!(label(name, false), b"caf\\xE9\\\\:");
        assert_eq!(label(name, true), b"caf\xE9\\\0");
    }
}
