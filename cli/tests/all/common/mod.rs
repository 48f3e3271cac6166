//! Functions that the tests of the built command share: they run the command, and encode texts
//! without utflane.
#![allow(dead_code, reason = "some systems run only a part of the tests")]
#![allow(unreachable_pub, reason = "this module belongs to a program")]

pub mod model;

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;

/// The names of all encodings for the command and for `iconv`. Not every `iconv` has CESU-8,
/// Modified UTF-8 and WTF-8.
pub const ENCODINGS: [(&str, &str); 12] = [
    ("utf-8", "UTF-8"),
    ("utf-16le", "UTF-16LE"),
    ("utf-16be", "UTF-16BE"),
    ("utf-32le", "UTF-32LE"),
    ("utf-32be", "UTF-32BE"),
    ("latin1", "ISO-8859-1"),
    ("ascii", "US-ASCII"),
    ("cesu-8", ""),
    ("mutf-8", ""),
    ("wtf-8", ""),
    ("wtf-16le", ""),
    ("wtf-16be", ""),
];

/// Returns the command, ready to run. If the caller's environment selects a kernel, the command
/// uses this kernel.
pub fn utflane<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_utflane"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the command in `directory`.
pub fn run<S: AsRef<OsStr>>(directory: &Path, arguments: impl IntoIterator<Item = S>) -> Run {
    Run::from(utflane(arguments).current_dir(directory).output().unwrap())
}

/// Runs `command` with `input` as its standard input.
pub fn feed(command: &mut Command, input: &[u8]) -> Run {
    let (child, feeder) = start(command, input.to_vec());
    let output = child.wait_with_output().unwrap();
    // Writing fails if the command needs no more input and closes its end of the pipe.
    let _ = feeder.join().unwrap();
    Run::from(output)
}

/// Starts `command` with pipes as its standard streams, and a thread that writes `input`.
pub fn start(command: &mut Command, input: Vec<u8>) -> (Child, thread::JoinHandle<io::Result<()>>) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    (child, thread::spawn(move || pipe.write_all(&input)))
}

/// The result of a run: the exit status, and the contents of standard output and standard error.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub status: Option<i32>,
    pub out: Vec<u8>,
    pub err: String,
}

impl Run {
    /// Returns the standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    /// Asserts the exit status, the standard output and the standard error.
    #[track_caller]
    pub fn assert(&self, status: i32, out: &str, err: &str) {
        let seen = (self.status, String::from_utf8_lossy(&self.out), self.err.as_str());
        assert_eq!(seen, (Some(status), out.into(), err));
    }
}

impl Run {
    /// Like [`assert`](Self::assert), without the long output in the message.
    #[track_caller]
    pub fn assert_long(&self, status: i32, out: &str, err: &str) {
        assert_eq!((self.status, self.err.as_str()), (Some(status), err));
        assert!(self.out == out.as_bytes(), "the output of {} bytes differs", self.out.len());
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let err = String::from_utf8(output.stderr).unwrap();
        Self { status: output.status.code(), out: output.stdout, err }
    }
}

/// Asserts that two texts are equal. `assert_eq` would print megabytes.
#[track_caller]
pub fn assert_same_bytes(got: &[u8], want: &[u8], what: &str) {
    let position = || got.iter().zip(want).position(|(got, want)| got != want);
    let (got_len, want_len) = (got.len(), want.len());
    assert!(
        got == want,
        "{what}: {got_len} bytes, {want_len} wanted, difference at {:?}",
        position()
    );
}

/// Returns the bytes of `text` in an encoding, encoded without utflane.
pub fn encode(encoding: &str, text: &str) -> Vec<u8> {
    match encoding {
        "utf-8" | "wtf-8" => text.as_bytes().to_vec(),
        "utf-16le" | "wtf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" | "wtf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "utf-32le" => text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        "utf-32be" => text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(),
        "cesu-8" => text.encode_utf16().flat_map(unit_as_utf8).collect(),
        "mutf-8" => text.encode_utf16().flat_map(unit_as_mutf8).collect(),
        _ => text.chars().map(|c| u8::try_from(c).unwrap()).collect(),
    }
}

/// Returns a UTF-16 code unit in the form of a UTF-8 sequence.
pub fn unit_as_utf8(unit: u16) -> impl Iterator<Item = u8> {
    let tail = |bits: u16| 0x80 | (bits & 0x3F) as u8;
    let (bytes, len) = match unit {
        ..0x80 => ([unit as u8, 0, 0], 1),
        0x80..0x800 => ([0xC0 | (unit >> 6) as u8, tail(unit), 0], 2),
        _ => ([0xE0 | (unit >> 12) as u8, tail(unit >> 6), tail(unit)], 3),
    };
    bytes.into_iter().take(len)
}

/// Like [`unit_as_utf8`], with two bytes for NUL.
fn unit_as_mutf8(unit: u16) -> impl Iterator<Item = u8> {
    let nul: &[u8] = if unit == 0 { &[0xC0, 0x80] } else { &[] };
    nul.iter().copied().chain(unit_as_utf8(unit).skip(nul.len() / 2))
}

/// Returns the bytes of UTF-16 code units in an encoding that allows unpaired surrogates.
pub fn encode_units(encoding: &str, units: &[u16]) -> Vec<u8> {
    match encoding {
        "wtf-16le" => units.iter().copied().flat_map(u16::to_le_bytes).collect(),
        "wtf-16be" => units.iter().copied().flat_map(u16::to_be_bytes).collect(),
        "wtf-8" => char::decode_utf16(units.iter().copied())
            .flat_map(|c| match c {
                Ok(c) => c.to_string().into_bytes(),
                Err(error) => unit_as_utf8(error.unpaired_surrogate()).collect(),
            })
            .collect(),
        _ => unreachable!(),
    }
}

/// Returns every character that both encodings have, repeated until the text is so long that chunks
/// end at every position in a character. From U+20000, one character in five is enough: the text is
/// longer than a block in each encoding.
pub fn common_text(from: &str, to: &str) -> &'static str {
    static TEXTS: [OnceLock<String>; 3] = [const { OnceLock::new() }; 3];
    let index = |encoding| match encoding {
        "ascii" => 0,
        "latin1" => 1,
        _ => 2,
    };
    let index = index(from).min(index(to));
    TEXTS[index].get_or_init(|| {
        let last_char = ['\x7F', '\u{FF}', char::MAX][index];
        let is_taken = |&c: &char| c < '\u{20000}' || u32::from(c).is_multiple_of(5);
        let all_chars: String = ('\0'..=last_char).filter(is_taken).collect();
        // The extra characters shift the others from round to round.
        let rounds = (300_000 / all_chars.len()).max(1);
        (0..rounds).map(|round| format!("{all_chars}{}", "x".repeat(round % 5))).collect()
    })
}

/// Prints a line even if the test harness captures the output of `eprintln!`.
pub fn print_notice(line: &str) {
    // Nothing can be done if even this fails.
    let _ = writeln!(io::stderr(), "{line}");
}
