//! Compares Modified UTF-8 with the string constants that a Java compiler writes to a class file,
//! if `javac` can be run.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::api::{Api, call};
use crate::common::{is_slow, say};
use utflane::{ErrorKind, Mutf8, Utf8, Utf16, Wtf16};

/// A temporary folder, which is removed when the test ends, even if the test fails.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> Self {
        let name = format!("utflane-class-files-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // This fails if the folder exists, because another program made it.
        fs::create_dir(&path).expect("a new folder can be made");
        Self(path)
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // If this fails, only a few temporary files remain.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the code units as a string literal of a Java program, in ASCII.
fn java_literal(units: &[u16]) -> String {
    let mut out = String::from("\"");
    for &unit in units {
        match u8::try_from(unit) {
            // Java replaces Unicode escapes before it reads literals, so the Unicode escape of a
            // quotation mark or a line feed would end the literal. ASCII gets octal escapes
            // instead.
            Ok(byte) if byte < 0x80 && byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            Ok(byte @ ..0x80) => {
                write!(out, "\\{byte:03o}").expect("writing to a String does not fail");
            }
            _ => write!(out, "\\u{unit:04X}").expect("writing to a String does not fail"),
        }
    }
    out + "\""
}

/// Compiles a class with these string constants, and returns the bytes of the class file; `None` if
/// `javac` cannot be run.
fn compile_constants(constants: &[Vec<u16>]) -> Option<Vec<u8>> {
    let mut source = String::from("class Constants {\n");
    for (i, units) in constants.iter().enumerate() {
        let line = format!("    static final String C{i} = {};\n", java_literal(units));
        source += &line;
    }
    source += "}\n";
    let folder = TemporaryFolder::new();
    let file = folder.0.join("Constants.java");
    fs::write(&file, source).expect("the source file can be written");
    if let Err(error) = run_javac(&folder.0, &file) {
        say(&format!("class files: not compared, since javac can't be run: {error}"));
        return None;
    }
    Some(fs::read(folder.0.join("Constants.class")).expect("javac has written the class file"))
}

/// Runs `javac` on `file`; the class file is written to `folder`.
fn run_javac(folder: &Path, file: &Path) -> io::Result<()> {
    let output = Command::new("javac")
        .args(["-encoding", "US-ASCII", "-g:none", "-d"])
        .args([folder, file])
        .output()?;
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// Returns the contents of the `CONSTANT_Utf8` entries of a class file (the Java Virtual Machine
/// Specification, 4.4).
fn utf8_constants(class: &[u8]) -> HashSet<&[u8]> {
    let read_u16 =
        |offset: usize| usize::from(u16::from_be_bytes([class[offset], class[offset + 1]]));
    assert_eq!(class[..4], [0xCA, 0xFE, 0xBA, 0xBE], "a class file");
    let (mut constants, mut offset) = (HashSet::new(), 10);
    let mut entry = 1;
    while entry < read_u16(8) {
        let entry_len = match class[offset] {
            1 => {
                let len = read_u16(offset + 1);
                constants.insert(&class[offset + 3..][..len]);
                3 + len
            }
            // An eight-byte number counts as two entries.
            5 | 6 => {
                entry += 1;
                9
            }
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            3 | 4 | 9..=12 | 17 | 18 => 5,
            tag => panic!("a constant of kind {tag}"),
        };
        offset += entry_len;
        entry += 1;
    }
    constants
}

/// Returns short texts, long texts, and texts of every character up to U+FFFF and of one in 17
/// supplementary characters.
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
    let bmp: Vec<char> = ('\0'..='\u{FFFF}').collect();
    let supplementary: Vec<char> = ('\u{10000}'..=char::MAX).step_by(17).collect();
    texts.extend(
        [bmp, supplementary].iter().flat_map(|set| set.chunks(10_000)).map(String::from_iter),
    );
    texts
}

/// The kind, the offset and the length of an error.
type ExpectedError = (ErrorKind, usize, Option<usize>);

/// A Java compiler encodes texts as the same bytes as utflane. It also encodes unpaired surrogates,
/// and utflane rejects the bytes of these.
#[test]
fn constants_of_a_class_file_are_mutf8() {
    if is_slow() {
        return say("class files: not compared, because tests are slow here");
    }
    let texts = texts();
    let unpaired: [(&[u16], ExpectedError); 6] = [
        // An unpaired high surrogate is an error of three bytes. At the end of the text the error
        // has no length, because a low surrogate could follow.
        (&[0xD800], (ErrorKind::Surrogate, 0, None)),
        (&[0xD800, 0x61], (ErrorKind::Surrogate, 0, Some(3))),
        (&[0x61, 0xE9, 0xDBFF, 0xD83D, 0xDE00], (ErrorKind::Surrogate, 3, Some(3))),
        // A low surrogate cannot begin a sequence, so the error has one byte.
        (&[0xDC00], (ErrorKind::Surrogate, 0, Some(1))),
        (&[0, 0x20AC, 0xDFFF, 0x61], (ErrorKind::Surrogate, 5, Some(1))),
        (&[0xDE00, 0xD83D], (ErrorKind::Surrogate, 0, Some(1))),
    ];
    let units = texts.iter().map(|text| text.encode_utf16().collect());
    let all: Vec<Vec<u16>> = units.chain(unpaired.map(|(units, _)| units.to_vec())).collect();
    let Some(class) = compile_constants(&all) else { return };
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
        // Java encodes each code unit by itself.
        let encode_unit = |&unit: &u16| match unit {
            0xD800..=0xDFFF => {
                vec![0xED, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]
            }
            unit => call!(Api::Free, transcode::<Wtf16, Mutf8>(&[unit])).expect("a character"),
        };
        let bytes: Vec<u8> = units.iter().flat_map(encode_unit).collect();
        assert!(constants.contains(&bytes[..]), "{bytes:02X?} is not in the file");
        for &api in Api::all() {
            let error =
                call!(api, transcode::<Mutf8, Utf8>(&bytes)).expect_err("unpaired surrogates");
            let got = (error.kind(), error.valid_up_to(), error.error_len());
            assert_eq!(got, want, "{api:?} of {bytes:02X?}");
        }
    }
}
