//! Tests of the structure of East Asian encodings: literal texts first, then samples of prose.

use super::*;

/// Returns the encoding that is most plausible.
fn best(text: &[u8]) -> Option<Structure> {
    examine(text).into_iter().next()
}

/// The same greeting or a few words in each encoding.
#[test]
fn a_few_words_are_recognised() {
    for (text, encoding, characters) in [
        // こんにちは世界
        (&b"\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD\x90\xA2\x8AE"[..], "shift_jis", 7),
        (b"\xA4\xB3\xA4\xF3\xA4\xCB\xA4\xC1\xA4\xCF\xC0\xA4\xB3\xA6", "euc-jp", 7),
        (b"\x1B$B$3$s$K$A$O@$3&\x1B(B", "iso-2022-jp", 7),
        // 안녕하세요, 세계
        (b"\xBE\xC8\xB3\xE7\xC7\xCF\xBC\xBC\xBF\xE4, \xBC\xBC\xB0\xE8", "euc-kr", 7),
        (b"\x1B$)C\x0E>H3gGO<<?d\x0F, \x0E<<0h\x0F", "iso-2022-kr", 7),
        (b"\xB4\x65\x91\x77\xD0\x61\xAD\x41\xB6\x61, \xAD\x41\x89\x81", "johab", 7),
        // 你好，世界
        (b"\xC4\xE3\xBA\xC3\xA3\xAC\xCA\xC0\xBD\xE7", "gbk", 5),
        (b"~{Dc:C#,J@=g~}", "hz", 5),
        (b"\x1B$)A\x0EDc:C#,J@=g\x0F", "iso-2022-cn", 5),
        (b"\xA7A\xA6n\xA1A\xA5@\xAC\xC9", "big5", 5),
        (b"\xC9\xA3\xC7\xEF\xA1\xA2\xC5\xE0\xD2\xCC", "euc-tw", 5),
        (b"Gr+APwA3w-e, Stra+AN8-e", "utf-7", 3),
    ] {
        let found = best(text).unwrap_or_else(|| panic!("{encoding}"));
        assert_eq!((found.encoding, found.characters), (encoding, characters), "{found:?}");
        assert_eq!((found.errors, found.valid_up_to, found.is_cut), (0, text.len(), false));
    }
}
