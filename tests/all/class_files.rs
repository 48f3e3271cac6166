//! Modified UTF-8 as a Java compiler writes it: the string constants of a class file, where there
//! is a `javac`.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::api::{Api, call};
use crate::common::say;
use utflane::{ErrorKind, Mutf8, Utf8, Utf16, Wtf16};

/// A folder that is removed when the test ends, even if it fails.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let name = format!("utflane-class-files-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Fails if the folder exists: it is then not ours.
        fs::create_dir(&path).expect("a new folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A failure leaves only a few files among temporary ones.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Code units as a string of a Java program, in ASCII.
fn literal(units: &[u16]) -> String {
    let mut out = String::from("\"");
    for &unit in units {
        match u8::try_from(unit) {
            // Unicode escapes are read before all else, so a character that ends a literal can't be
            // one.
            Ok(byte) if byte < 0x80 && byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            Ok(byte @ ..0x80) => write!(out, "\\{byte:03o}").expect("a String"),
            _ => write!(out, "\\u{unit:04X}").expect("a String"),
        }
    }
    out + "\""
}

/// Compiles a class with these constants; `None` if there is no compiler.
fn compile(constants: &[Vec<u16>]) -> Option<Vec<u8>> {
    let mut source = String::from("class Constants {\n");
    for (i, units) in constants.iter().enumerate() {
        let line = format!("    static final String C{i} = {};\n", literal(units));
        source += &line;
    }
    source += "}\n";
    let folder = Folder::new();
    let file = folder.0.join("Constants.java");
    fs::write(&file, source).expect("a file in that folder");
    if let Err(error) = javac(&folder.0, &file) {
        say(&format!("class files: not compared, since javac can't be run: {error}"));
        return None;
    }
    Some(fs::read(folder.0.join("Constants.class")).expect("what javac has written"))
}

/// Runs the compiler.
fn javac(folder: &Path, file: &Path) -> io::Result<()> {
    let output = Command::new("javac")
        .args(["-encoding", "US-ASCII", "-g:none", "-d"])
        .args([folder, file])
        .output()?;
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The constants `CONSTANT_Utf8` of a class file (the Java Virtual Machine Specification, 4.4).
fn utf8_constants(class: &[u8]) -> HashSet<&[u8]> {
    let number = |at: usize| usize::from(u16::from_be_bytes([class[at], class[at + 1]]));
    assert_eq!(class[..4], [0xCA, 0xFE, 0xBA, 0xBE], "a class file");
    let (mut constants, mut at) = (HashSet::new(), 10);
    let mut entry = 1;
    while entry < number(8) {
        let bytes = match class[at] {
            1 => {
                let len = number(at + 1);
                constants.insert(&class[at + 3..][..len]);
                3 + len
            }
            // Eight-byte numbers are two entries.
            5 | 6 => {
                entry += 1;
                9
            }
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            3 | 4 | 9..=12 | 17 | 18 => 5,
            tag => panic!("a constant of kind {tag}"),
        };
        at += bytes;
        entry += 1;
    }
    constants
}

/// Texts: short ones, long ones, every character up to U+FFFF, and one in 17 of the others.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "Java",
        "\0",
        "a\0b\0\0c",
        "é€😀",
        "😀\0😀",
        "\u{10000}\u{10FFFF}\u{FFFF}\u{D7FF}\u{E000}",
        "\u{7F}\u{80}\u{7FF}\u{800}",
        "quotes \" and \\ and\nlines\r\n",
    ]
    .map(str::to_owned)
    .into();
    texts.push("a long text with € and 😀 and \0. ".repeat(1500));
    texts.push("😀".repeat(10_922));
    let low: Vec<char> = ('\0'..='\u{FFFF}').collect();
    let high: Vec<char> = ('\u{10000}'..=char::MAX).step_by(17).collect();
    texts.extend([low, high].iter().flat_map(|set| set.chunks(10_000)).map(String::from_iter));
    texts
}

/// The kind of an error, its position and its length.
type Verdict = (ErrorKind, usize, Option<usize>);

/// A Java compiler writes texts in the same bytes, and unpaired surrogates in a form that isn't
/// Modified UTF-8.
#[test]
fn constants_of_a_class_file() {
    let texts = texts();
    let unpaired: [(&[u16], Verdict); 6] = [
        // A high one is three bytes short of a pair; at the end the pair may be continued.
        (&[0xD800], (ErrorKind::Surrogate, 0, None)),
        (&[0xD800, 0x61], (ErrorKind::Surrogate, 0, Some(3))),
        (&[0x61, 0xE9, 0xDBFF, 0xD83D, 0xDE00], (ErrorKind::Surrogate, 3, Some(3))),
        // A low one can't begin a sequence.
        (&[0xDC00], (ErrorKind::Surrogate, 0, Some(1))),
        (&[0, 0x20AC, 0xDFFF, 0x61], (ErrorKind::Surrogate, 5, Some(1))),
        (&[0xDE00, 0xD83D], (ErrorKind::Surrogate, 0, Some(1))),
    ];
    let units = texts.iter().map(|text| text.encode_utf16().collect());
    let all: Vec<Vec<u16>> = units.chain(unpaired.map(|(units, _)| units.to_vec())).collect();
    let Some(class) = compile(&all) else { return };
    let constants = utf8_constants(&class);
    for (text, units) in texts.iter().zip(&all) {
        for &api in Api::all() {
            let bytes = call!(api, from_str::<Mutf8>(text));
            assert!(constants.contains(&bytes[..]), "{api:?}: {bytes:02X?} is not in the file");
            assert_eq!(call!(api, transcode::<Utf16, Mutf8>(units)), Ok(bytes.clone()));
            assert_eq!(call!(api, transcode::<Mutf8, Utf8>(&bytes)).as_ref(), Ok(text));
            assert_eq!(call!(api, transcode::<Mutf8, Utf16>(&bytes)).as_ref(), Ok(units));
        }
    }
    for (units, want) in unpaired {
        // As Java writes it: each unit by itself.
        let one = |&unit: &u16| match unit {
            0xD800..=0xDFFF => {
                vec![0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]
            }
            unit => call!(Api::Free, transcode::<Wtf16, Mutf8>(&[unit])).expect("a character"),
        };
        let bytes: Vec<u8> = units.iter().flat_map(one).collect();
        assert!(constants.contains(&bytes[..]), "{bytes:02X?} is not in the file");
        for &api in Api::all() {
            let error = call!(api, transcode::<Mutf8, Utf8>(&bytes)).expect_err("no text");
            let got = (error.kind(), error.valid_up_to(), error.error_len());
            assert_eq!(got, want, "{api:?} of {bytes:02X?}");
        }
    }
}
