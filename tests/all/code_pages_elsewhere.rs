//! Compares the tables of code pages with Python's codecs and glibc's iconv, where these are
//! installed. docs/code-pages.md lists the differences; here each is a literal.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use utflane::code_page::CodePage;

use crate::common::{is_slow, say};

/// Our pages and the codecs of Python with the same table.
const PYTHON: &[(&str, &str)] = &[
    ("koi8-r", "koi8_r"),
    ("koi8-u", "koi8_u"),
    ("koi8-t", "koi8_t"),
    ("kz-1048", "kz1048"),
    ("ptcp154", "ptcp154"),
    ("tis-620", "tis_620"),
    ("hp-roman8", "hp_roman8"),
    ("ibm866", "cp866"),
    ("windows-874-strict", "cp874"),
    ("macintosh", "mac_roman"),
    ("x-mac-ce", "mac_latin2"),
    ("x-mac-greek", "mac_greek"),
    ("x-mac-cyrillic", "mac_cyrillic"),
    ("x-mac-turkish", "mac_turkish"),
    ("x-mac-croatian", "mac_croatian"),
    ("x-mac-romanian", "mac_romanian"),
    ("x-mac-icelandic", "mac_iceland"),
];

/// Bytes that Python decodes differently: page, byte, its character.
const PYTHON_DIFFERS: &[(&str, u8, char)] = &[
    ("koi8-u", 0xAE, '╝'),
    ("koi8-u", 0xBE, '╬'),
    ("windows-1255", 0xCA, char::REPLACEMENT_CHARACTER),
    ("windows-1255-strict", 0xCA, char::REPLACEMENT_CHARACTER),
    ("cp273", 0xBC, '\u{203E}'),
    ("cp875", 0xDC, '\u{1A}'),
    ("cp875", 0xE1, '\u{1A}'),
    ("cp875", 0xEC, '\u{1A}'),
    ("cp875", 0xED, '\u{1A}'),
    ("cp875", 0xFC, '\u{1A}'),
    ("cp875", 0xFD, '\u{1A}'),
];

/// Returns the codec of Python for a page, if it has one with a table of the same kind.
fn python_codec(page: &CodePage) -> Option<String> {
    let name = page.name();
    if let Some((_, codec)) = PYTHON.iter().find(|(page, _)| *page == name) {
        return Some((*codec).to_owned());
    }
    let is_variant = name.ends_with("-lf") || name.ends_with("-strict");
    match name.strip_prefix("iso-8859-") {
        Some("8-i") => return None,
        Some(part) => return Some(format!("iso8859_{part}")),
        None => {}
    }
    if let Some(number) = name.strip_prefix("windows-").and_then(|n| n.strip_suffix("-strict")) {
        return Some(format!("cp{number}"));
    }
    let without_strict = page.strict().is_none();
    if name.starts_with("windows-") && without_strict {
        return name.strip_prefix("windows-").map(|number| format!("cp{number}"));
    }
    (name.starts_with("cp") && !is_variant).then(|| name.to_owned())
}

/// Every byte of every page that Python has.
#[test]
fn python_has_the_same_tables() {
    if is_slow() {
        return say("code pages: not compared with python3, because tests are slow here");
    }
    let pages: Vec<_> =
        CodePage::all().filter_map(|page| Some((page, python_codec(page)?))).collect();
    let mut script = String::from("import codecs\n");
    for (_, codec) in &pages {
        // Prints `-` for a codec that this Python lacks, and for an unassigned byte.
        let table = format!("[bytes([b]).decode({codec:?}, 'replace') for b in range(256)]");
        writeln!(script, "try: print(*[f'{{ord(c):X}}' for c in {table}])").unwrap();
        writeln!(script, "except LookupError: print('-')").unwrap();
    }
    let Ok(output) = Command::new("python3").args(["-c", &script]).output() else {
        return say("SKIPPED: python3 is not installed, so code pages are not compared with it");
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut compared = 0;
    for ((page, codec), line) in pages.iter().zip(text.lines()) {
        if line == "-" {
            continue;
        }
        compared += 1;
        for (byte, hex) in (0..=255).zip(line.split(' ')) {
            let c = char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap();
            let known =
                PYTHON_DIFFERS.iter().find(|(name, at, _)| *name == page.name() && *at == byte);
            if let Some((.., theirs)) = known {
                assert_eq!(c, *theirs, "{page} {byte:#04X}");
                continue;
            }
            if page.name() == "tis-620" && (0x80..0xA0).contains(&byte) {
                assert_eq!(u32::from(c), byte.into());
                continue;
            }
            let ours = page.character(byte).unwrap_or(char::REPLACEMENT_CHARACTER);
            assert_eq!(ours, c, "{page} {byte:#04X} in {codec}");
        }
    }
    // All except Python's newest: those of 3.9 and later have kz1048, koi8_t and cp273.
    assert!(compared >= 55, "{compared}");
}

/// The pages of EBCDIC and DOS that glibc has by our name, and the bytes that it decodes
/// differently.
const ICONV_DIFFERS: &[(&str, u8)] = &[
    ("cp424", 0x78),
    ("cp424", 0x8F),
    ("cp875", 0x6A),
    ("cp875", 0x74),
    ("cp875", 0xDD),
    ("cp1026", 0x9D),
    ("cp1026", 0xBC),
];

/// Every assigned byte of the pages of DOS and EBCDIC, in one text each.
#[test]
fn iconv_has_the_same_tables() {
    if is_slow() {
        return say("code pages: not compared with iconv, because tests are slow here");
    }
    let mut compared = 0;
    for page in CodePage::all() {
        let is_variant = page.name().ends_with("-lf");
        if !matches!(page.group(), "DOS" | "EBCDIC") || is_variant {
            continue;
        }
        let differs = |byte| ICONV_DIFFERS.contains(&(page.name(), byte));
        let bytes: Vec<u8> =
            (0..=255).filter(|&byte| page.character(byte).is_some() && !differs(byte)).collect();
        let text = page.decode::<utflane::Utf16Le>(&bytes).expect("assigned");
        let number = page.name().trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let Some(name) = ["IBM", "CP"].iter().find_map(|prefix| {
            let name = format!("{prefix}{number}");
            iconv(&name, b"1").map(|_| name)
        }) else {
            continue;
        };
        assert_eq!(iconv(&name, &bytes).as_ref(), Some(&text), "{page}");
        compared += 1;
    }
    if compared == 0 {
        return say("SKIPPED: iconv is not installed, so code pages are not compared with it");
    }
    assert!(compared >= 35, "{compared}");
}

/// Returns `bytes` in UTF-16LE by iconv, or `None` if it fails.
fn iconv(name: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new("iconv");
    command.args(["-f", name, "-t", "UTF-16LE"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    child.stdin.take()?.write_all(bytes).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then_some(output.stdout)
}
