//! Literals: `utf16!`, `utf16z!`, `latin1!` and `code_page!`.

use utflane::{latin1, utf16, utf16z};

#[test]
fn texts_in_utf16() {
    assert_eq!(utf16!(""), [0; 0]);
    assert_eq!(utf16!("a"), [0x61]);
    assert_eq!(utf16!("é€😀"), [0xE9, 0x20AC, 0xD83D, 0xDE00]);
    assert_eq!(utf16z!(""), [0]);
    assert_eq!(utf16z!("😀"), [0xD83D, 0xDE00, 0]);
    const NAME: &str = concat!("C:", "\\");
    assert_eq!(utf16z!(NAME), [0x43, 0x3A, 0x5C, 0]);
}

/// The first and the last character of each length in UTF-8, and the neighbours of the surrogates.
#[test]
fn characters_of_every_length() {
    const TEXT: &str = "\0\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}";
    const UNITS: [u16; 12] = utf16!(TEXT);
    assert!(TEXT.encode_utf16().eq(UNITS));
}

#[test]
fn texts_in_latin1() {
    assert_eq!(latin1!(""), [0; 0]);
    assert_eq!(latin1!("naïve ÿ"), *b"na\xEFve \xFF");
    static TITLE: [u8; 4] = latin1!("Fête");
    assert_eq!(TITLE, *b"F\xEAte");
}

#[test]
#[should_panic(expected = "the encoding lacks U+0020AC")]
fn the_message_names_the_character() {
    let _ = utflane::literals::latin1_bytes::<3>("5 €");
}

#[test]
#[cfg(feature = "code-pages")]
fn texts_in_code_pages() {
    use utflane::code_page::{CP037, CodePage, WINDOWS_1251};
    use utflane::{Utf8, code_page, literals};

    assert_eq!(code_page!(WINDOWS_1251, ""), [0; 0]);
    assert_eq!(code_page!(WINDOWS_1251, "Привет"), *b"\xCF\xF0\xE8\xE2\xE5\xF2");
    static RECORD: [u8; 3] = code_page!(CP037, "A 1");
    assert_eq!(RECORD, *b"\xC1\x40\xF1");
    for page in CodePage::ALL {
        let bytes: Vec<u8> = (0..=255).filter(|&byte| page.character(byte).is_some()).collect();
        let text = page.decode::<Utf8>(&bytes).unwrap();
        assert_eq!(literals::page_bytes::<256>(page, &text)[..bytes.len()], bytes, "{page}");
        // Without unwinding, a panic ends the process.
        if cfg!(panic = "unwind") {
            let bytes =
                |text: &str| std::panic::catch_unwind(|| literals::page_bytes::<9>(page, text));
            assert!(bytes("漢").is_err() && bytes("😀").is_err(), "{page}");
        }
    }
}
