//! Tests the detection of encodings from before Unicode: by short texts, and by data that is not
//! text, or is text in another encoding.

use utflane::code_page::CodePage;
use utflane_charset::{Charset, Confidence, Found, Legacy, detect_text};

/// Encodes a text in a code page or another encoding.
fn encode(text: &str, label: &str) -> Vec<u8> {
    let page = CodePage::by_label(label).map(Legacy::Page);
    let encoding = page
        .or_else(|| encoding_rs::Encoding::for_label(label.as_bytes()).map(Legacy::from_encoding));
    let encoding = encoding.unwrap_or_else(|| panic!("{label} is no label"));
    encoding.encode(text).unwrap_or_else(|| panic!("{label} lacks a character of {text}"))
}

/// Decodes `bytes` from the encoding that was found.
fn decode(found: &Found, bytes: &[u8]) -> String {
    match found.charset {
        Some(Charset::Legacy(legacy)) => legacy.decode(bytes).into_owned(),
        Some(Charset::Scheme(utflane::Scheme::Latin1)) => {
            bytes.iter().map(|&byte| char::from(byte)).collect()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

const CZECH: &str = "Zapomněl jsem deštník a čekal na autobus. Přišel až večer.";
const GERMAN: &str = "Größe, Käse und Möbel: die Straße war schön, für alle Gäste.";
const FRENCH: &str = "L'été dernier à Nîmes, déjà vu par le garçon et sa mère.";
const RUSSIAN: &str = "Съешь ещё этих мягких французских булок, да выпей чаю.";
const GREEK: &str = "Βρέχει από το πρωί. Ξέχασα την ομπρέλα και περίμενα.";
const POLISH: &str = "Zażółć gęślą jaźń. Wczoraj padał śnieg i było zimno.";
const TURKISH: &str = "Bugün hava çok güzel, ışık ve gölge değişiyor.";
const HEBREW: &str = "שלום, היום יורד גשם מהבוקר ושכחתי את המטריה בבית.";
const ENGLISH: &str = "It has been raining since the morning, and I forgot my umbrella.";

#[test]
fn short_texts_are_decoded_rightly_and_are_likely() {
    for (text, labels) in [
        (CZECH, "windows-1250 iso-8859-2 cp852 x-mac-ce"),
        (GERMAN, "windows-1252 macintosh cp437 cp850 cp037 cp273 cp500"),
        (FRENCH, "windows-1252 macintosh cp850 cp863 cp037 cp297"),
        (RUSSIAN, "windows-1251 koi8-r iso-8859-5 cp866 x-mac-cyrillic"),
        (GREEK, "windows-1253 iso-8859-7 cp737 x-mac-greek cp875"),
        (POLISH, "windows-1250 iso-8859-2 cp852 x-mac-ce"),
        (TURKISH, "windows-1254 iso-8859-9 cp857 x-mac-turkish"),
        (HEBREW, "windows-1255 iso-8859-8 cp862"),
        (ENGLISH, "cp037"),
        ("今日は朝から雨が降っています。駅へ行く道で、傘を忘れた。", "shift_jis euc-jp"),
        ("今天早上下雨了，我忘了带伞，在车站等了半个小时。", "gbk"),
        ("오늘은 아침부터 비가 내립니다. 우산을 두고 왔다.", "euc-kr"),
        ("ฝนตกตั้งแต่เช้า ผมลืมร่มไว้ที่บ้าน", "windows-874"),
    ] {
        for label in labels.split(' ') {
            let bytes = encode(text, label);
            let found = detect_text(&bytes, true);
            assert_eq!(decode(&found, &bytes), text, "{label}: {found}");
            assert_eq!(found.confidence, Confidence::Likely, "{label}: {found}");
            assert!(found.probability > 0.95 && found.others.is_empty(), "{label}: {found}");
        }
    }
}

#[test]
fn texts_in_capitals_are_decoded_rightly() {
    for (text, labels) in [
        (RUSSIAN, "windows-1251 koi8-r iso-8859-5 cp866 x-mac-cyrillic"),
        ("Βρεχει απο το πρωι. Ξεχασα την ομπρελα και περιμενα.", "windows-1253 cp737"),
        (CZECH, "windows-1250 iso-8859-2 cp852"),
    ] {
        for label in labels.split(' ') {
            let text = text.to_uppercase();
            let bytes = encode(&text, label);
            let found = detect_text(&bytes, true);
            assert_eq!(decode(&found, &bytes), text, "{label}: {found}");
        }
    }
}

#[test]
fn the_language_is_the_reason() {
    for (text, label, language, reason) in [
        (CZECH, "windows-1250", "cs", "reads as text in Czech"),
        (RUSSIAN, "koi8-r", "ru", "reads as text in Russian"),
        (GERMAN, "cp850", "de", "reads as text in German"),
        ("今日は朝から雨が降っています。", "euc-jp", "ja", "reads as text in Japanese"),
    ] {
        let found = detect_text(&encode(text, label), true);
        assert_eq!((found.language, &*found.reason), (Some(language), reason), "{found}");
    }
}

#[test]
fn one_word_or_sign_beyond_ascii_is_a_guess() {
    for (text, label) in [
        ("in Plzeň", "windows-1250"),
        ("Да", "windows-1251"),
        ("The café is open on Sundays and on holidays.", "windows-1252"),
        ("김", "euc-kr"),
        ("5 €, 6 €", "windows-1252"),
        ("Köln Köln", "macintosh"),
    ] {
        let found = detect_text(&encode(text, label), true);
        assert_eq!(found.confidence, Confidence::Guess, "{text}: {found}");
    }
}

/// Box-drawing characters are not taken for letters of another encoding.
#[test]
fn frames_are_no_letters() {
    let line = "║ Файл    Правка   Вид     Поиск   Справка ║\n";
    let frame = format!("╔{0}╗\n{line}{line}╚{0}╝\n", "═".repeat(41));
    for label in ["koi8-r", "cp866"] {
        let bytes = encode(&frame, label);
        let found = detect_text(&bytes, true);
        assert_eq!(decode(&found, &bytes), frame, "{label}: {found}");
    }
    let frame =
        format!("┌{0}┐\n│ Größe: über 5 MB │\n│ schön für Käse   │\n└{0}┘\n", "─".repeat(18));
    let bytes = encode(&frame, "cp437");
    let found = detect_text(&bytes, true);
    assert_eq!(decode(&found, &bytes), frame, "{found}");
}

/// Encodings that can't be converted have a name.
#[test]
fn encodings_without_a_decoder_are_named() {
    for (bytes, name) in [
        (&b"\x1B$)C\x0E0!3*4Y\x0F abc \x0E6s8&\x0F\n"[..], "iso-2022-kr"),
        (b"~{<:Ky2;VpFDVPND~}\n", "hz"),
        (b"Hi Mom +Jjo--! A +ImIDkQ-. +ZeVnLIqe-\n", "utf-7"),
    ] {
        let found = detect_text(bytes, true);
        assert_eq!((found.charset, found.name()), (None, name), "{found}");
    }
}

/// The costs of long words and long runs do not overflow.
#[test]
fn long_words_and_runs_are_not_likely_legacy_text() {
    for bytes in [
        [&b"q".repeat(100_000)[..], b" gr\xF6\xDFer"].concat(),
        [&b"\xE9".repeat(100_000)[..], b"q"].concat(),
        b"\xC0\xE9\xF1\x90".repeat(30_000),
        b"\xFF\x90q ".repeat(30_000),
        b"\x40\x81".repeat(30_000),
    ] {
        let found = detect_text(&bytes, true);
        let is_legacy = matches!(found.charset, Some(Charset::Legacy(_)));
        assert!(!is_legacy || found.confidence == Confidence::Guess, "{found}");
    }
}

/// A generator of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        self.0 >> 33
    }
}

#[test]
fn random_bytes_are_never_text() {
    let mut random = Random(1);
    for i in 0..5000 {
        let len = 1 + random.next() as usize % [16, 256, 4096, 4096][i % 4];
        let bytes: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
        let found = detect_text(&bytes, true);
        // A few bytes may be UTF-8 or begin with a byte order mark by chance.
        if str::from_utf8(&bytes).is_ok() || found.marked {
            continue;
        }
        // A few units of UTF-16 are likely by chance.
        let is_wide = found.charset.and_then(Charset::scheme).is_some_and(|s| s.unit_size() > 1);
        let is_text = found.charset.is_some() && !(is_wide && len < 64);
        let is_text = is_text && found.confidence >= Confidence::Likely;
        assert!(!is_text, "{found}: {:02X?}", &bytes[..len.min(64)]);
    }
}

/// Programs have much readable text, but are not text.
#[test]
fn a_program_is_no_text_in_a_legacy_encoding() {
    let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    assert_eq!(detect_text(&program, true).name(), "binary");
    for chunk in program.chunks(64 * 1024).step_by(5) {
        let found = detect_text(chunk, true);
        let is_legacy = matches!(found.charset, Some(Charset::Legacy(_)));
        assert!(!is_legacy || found.confidence == Confidence::Guess, "{found}");
    }
}

#[test]
fn empty_text_is_ascii_and_single_bytes_are_a_guess() {
    assert_eq!(detect_text(b"", true).name(), "ascii");
    for byte in 0x80..=0xFF {
        let found = detect_text(&[byte], true);
        assert_eq!(found.confidence, Confidence::Guess, "{found}");
    }
}

/// In EBCDIC, 0x40 is a space. A text of spaces alone has no word that proves EBCDIC.
#[test]
fn commercial_at_signs_are_ascii() {
    for len in [1, 12, 13, 64, 5000, 70_000] {
        let found = detect_text(&vec![b'@'; len], true);
        assert_eq!(found.name(), "ascii", "{len}: {found}");
    }
}

/// On z/OS, lines of EBCDIC end with NEL. The variant `-lf` of a code page decodes NEL as LF.
#[test]
fn lines_of_ebcdic_become_lines() {
    let text = "Grüße aus München, wo die Bäume schön blühen.\nUnd noch eine Zeile.\n";
    let mainframe = utflane::code_page::CP1141_LF.encode_str(text).unwrap();
    let found = detect_text(&mainframe, true);
    assert!(found.name().ends_with("-lf"), "{found}");
    let Some(Charset::Legacy(encoding)) = found.charset else { panic!("{found}") };
    assert_eq!(encoding.decode(&mainframe), text);
    // Here the lines end with the LF of EBCDIC.
    let with_lf = utflane::code_page::CP1141.encode_str(text).unwrap();
    assert!(!detect_text(&with_lf, true).name().ends_with("-lf"));
}

/// A word or a sign is no evidence for a code page of DOS, Mac or EBCDIC.
#[test]
fn words_and_signs_are_in_usual_encodings() {
    for (bytes, name) in
        [(&b"t\xFFo"[..], "latin1"), (b"5 \x80", "windows-1252"), (b"gr\xFCn", "latin1")]
    {
        let found = detect_text(bytes, true);
        assert_eq!((found.name(), found.confidence), (name, Confidence::Guess), "{found}");
    }
}

/// A declared code page is the answer, even if the bytes are the same text in windows-1252.
#[test]
fn a_declared_code_page_keeps_its_name() {
    let text = b"<?xml version='1.0' encoding='windows-1254'?><a>gr\xFCn</a>";
    let found = detect_text(text, true);
    assert_eq!((found.name(), found.confidence), ("windows-1254", Confidence::Likely), "{found}");
}

/// The East Asian sets have Greek and Russian letters too.
#[test]
fn greek_and_russian_letters_are_no_east_asian_language() {
    for (text, language) in [(RUSSIAN, "ru"), ("Ξέχασα την ομπρέλα στο σπίτι", "el")]
    {
        // The sets have no accents.
        let text = text.replace('έ', "ε").replace('ί', "ι");
        for label in ["gbk", "euc-jp", "euc-kr", "shift_jis", "big5"] {
            let bytes = encode(&text, label);
            let found = detect_text(&bytes, true);
            assert_eq!(decode(&found, &bytes), text, "{label}: {found}");
            assert_eq!(found.language, Some(language), "{label}: {found}");
        }
    }
}

/// A word or a line is evidence once.
#[test]
fn repetitions_are_no_evidence() {
    for (word, label) in [("слово", "koi8-r"), ("日本語", "shift_jis"), ("中文", "gbk")] {
        for count in [3, 1000] {
            for separator in [" ", "\n"] {
                let bytes = encode(&format!("{word}{separator}").repeat(count), label);
                let found = detect_text(&bytes, true);
                assert_eq!(found.confidence, Confidence::Guess, "{label}: {found}");
            }
        }
    }
    let line = encode("Ja, schön größer.\n", "windows-1252");
    let probability = |count| detect_text(&line.repeat(count), true).probability;
    assert!((probability(1000) - probability(1)).abs() < 0.02);
}

/// Few letters, letters alone, frames and signs are no evidence, nor is a small difference in cost.
#[test]
fn short_texts_in_several_encodings_are_guesses() {
    for (text, label) in [
        ("© Dvořák synové ®", "windows-1250"),
        ("știință și țară", "iso-8859-16"),
        ("ｱｲｳｴｵ ｶﾀｶﾅ", "shift_jis"),
        ("φ χ ψ ω", "windows-1253"),
        ("α β γ", "cp737"),
        ("α = 5, β = 7, γ", "iso-8859-7"),
    ] {
        let found = detect_text(&encode(text, label), true);
        assert_eq!(found.confidence, Confidence::Guess, "{text}: {found}");
    }
    for (text, label) in [
        ("La città è grande, più di così.", "cp850"),
        ("“Quotes” are ‘evidence’ — and dashes too.", "windows-1252"),
    ] {
        let bytes = encode(text, label);
        let found = detect_text(&bytes, true);
        assert_eq!(decode(&found, &bytes), text, "{label}: {found}");
        assert_eq!(found.confidence, Confidence::Likely, "{label}: {found}");
    }
}

/// One letter or sign is no evidence, however often it occurs, and data without spaces is no text.
#[test]
fn one_sign_and_data_without_spaces_are_no_evidence() {
    let wave = |i: i32| 140 + (60.0 * (f64::from(i) / 30.0).sin()) as u8;
    let image: Vec<u8> = (0..2000).map(wave).collect();
    for bytes in [
        &b"isn\x92t, wasn\x92t, didn\x92t, shouldn\x92t\n"[..],
        b"key\xA0=\xA0value\nuser\xA0=\xA0root\nport\xA0=\xA080\n",
        b"int\xA0main()\n{\n\xA0\xA0\xA0\xA0return\xA00;\n}\n",
        b"in\xADfor\xADma\xADtion tech\xADnol\xADo\xADgy and its\xA0cost\n",
        b"x\xFD + y\xFD",
        b"Se\xA4or Mu\xA4oz",
        b"Bask\xFD Zaman\xFD",
        &image,
    ] {
        let found = detect_text(bytes, true);
        assert_eq!(found.confidence, Confidence::Guess, "{found}");
    }
}
