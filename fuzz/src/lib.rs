//! Code that all fuzz targets share, compiled once for all of them: the checks of the tests, and
//! the code with which the command reads files.
//!
//! A target takes its parameters (such as the pair of encodings and the lengths of chunks) from the
//! first bytes of an input, and passes the other bytes to a check. [`PARAMETER_BYTES`] has the
//! number of parameter bytes, for the program that generates the initial inputs.

#[path = "../../tests/common/mod.rs"]
pub mod common;

#[path = "../../tests/common/par.rs"]
pub mod par;

/// The checks of the tests of detection and of double encoding.
#[path = "../../crates/utflane-charset/tests/checks"]
pub mod checks {
    pub mod detect;
    pub mod mojibake;
}

#[path = "../../cli/src/auto.rs"]
#[allow(dead_code, reason = "the command also describes the result")]
mod auto;
#[path = "../../cli/src/binary.rs"]
#[allow(dead_code, reason = "the fuzz targets read no directories")]
mod binary;
#[path = "../../cli/src/identity.rs"]
#[allow(dead_code, reason = "the fuzz targets write no files")]
mod identity;
#[path = "../../cli/src/input.rs"]
#[allow(dead_code, reason = "the command uses all of it")]
mod input;
#[path = "../../cli/src/late.rs"]
mod late;
#[path = "../../cli/src/memory.rs"]
#[allow(dead_code, reason = "the fuzz targets read no compressed files")]
mod memory;
#[path = "../../cli/src/notes.rs"]
#[allow(dead_code, reason = "the command also prints the notes")]
mod notes;
#[path = "../../cli/src/refusal.rs"]
#[allow(dead_code, reason = "the command also describes the refusal")]
mod refusal;
#[path = "../../cli/src/watch.rs"]
#[allow(dead_code, reason = "the fuzz targets convert no files")]
mod watch;

/// Replaces the command's reader of compressed files, because the fuzz target reads none.
mod decompress {
    use std::io::{self, Read};

    use crate::memory::FileMemory;
    use crate::notes::Notes;

    pub(crate) fn decompressed(
        source: Box<dyn Read + Send>,
        _: FileMemory,
        _: Notes,
    ) -> io::Result<Box<dyn Read + Send>> {
        Ok(source)
    }
}

/// Replaces the command's check of standard streams, because the fuzz target opens none.
mod streams {
    pub(crate) fn check_input() -> std::io::Result<()> {
        Ok(())
    }
}

/// Replaces the command's progress bar, to which the command's input reports the bytes that it
/// reads.
mod progress {
    pub(crate) fn add_read(_: usize) {}
}

use auto::Resolved;
use common::io::{Manners, Rough};
use input::{CHUNK, Input};
use refusal::{Advice, Auto};
use utflane_charset::unicode::detect;
use utflane_charset::{Detector, Source, detect_text};

/// The targets, each with the number of parameter bytes at the start of an input.
pub const PARAMETER_BYTES: [(&str, usize); 13] = [
    ("validate", 1),
    ("transcode", 2),
    ("streams", 8),
    ("lossy", 4),
    ("positions", 2),
    ("strings", 1),
    ("legacy", 0),
    ("guess", 1),
    ("io", 4),
    ("code_pages", 3),
    ("columns", 11),
    ("command", 2),
    ("par", 6),
];

/// Returns the item of a list that a byte chooses.
pub fn choice<T>(all: &[T], byte: u8) -> &T {
    &all[usize::from(byte) % all.len()]
}

/// Checks how the command detects the encoding of a file, in reads of at most `max_read` bytes.
///
/// The result must be the same as for one chunk with all bytes. If the text is at most one chunk,
/// the result must also equal the detection of a text in memory, and its confidence must not be
/// higher than the confidence of the first step of detection. Then checks that the command, when it
/// converts a pipe with the same bytes, reads every byte once, from the start.
pub fn check_command(src: &[u8], max_read: isize) {
    let open_file = || {
        let manners = Manners { most: max_read, interrupts: 5, ..Manners::GOOD };
        Input::new(Box::new(Rough::new(std::io::Cursor::new(src.to_vec()), manners)))
    };
    let found = auto::detect_input(Detector::default(), &mut open_file())
        .expect("reading from memory succeeds");
    let mut detector = Detector::default();
    detector.push(src);
    assert_eq!(found, detector.found(true), "{src:02X?}");
    if src.len() <= CHUNK {
        assert_eq!(found, detect_text(src, true), "{src:02X?}");
        let first = detect(src);
        assert!(found.confidence <= first.confidence(), "{src:02X?}: {found} {first}");
    }
    let mut input = open_file();
    let auto = Auto {
        detector: Detector::default(),
        guess: true,
        quiet: true,
        advice: Advice { option: "-f", more: "" },
    };
    let resolved = auto::resolve(Source::Auto, auto, &mut input);
    let Resolved::Detected(..) = resolved.expect("reading from memory succeeds") else { return };
    let mut read = Vec::new();
    loop {
        let chunk = match input.fill() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            // The sample, a single chunk, may not show that the text is in two encodings.
            Err(_) if src.len() > CHUNK => return,
            Err(error) => panic!("{src:02X?}: {error}"),
        };
        read.extend_from_slice(chunk);
        assert_eq!(input.offset() + input.kept().len() as u64, read.len() as u64);
        // Some bytes are not released, as if a sequence were incomplete.
        let kept_len = input.kept().len() % 4;
        input.release(input.kept().len() - kept_len);
    }
    assert!(input.ended(), "the input must be read to its end");
    // A longer text that is not UTF-8 may have been converted to UTF-8 while it was read.
    assert!(read == src || src.len() > CHUNK, "every byte must be read once, from the start");
}
