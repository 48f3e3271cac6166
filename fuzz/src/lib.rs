//! Code shared by the fuzz targets, compiled once for all of them: the checks of the tests, and the
//! command's own reading.
//!
//! A target takes its choices (which pair, which cuts) from the first bytes of an input, and passes
//! the rest to a check. [`HEADS`] holds the number of these bytes, for the program that makes the
//! first inputs.

#[path = "../../tests/common/mod.rs"]
pub mod common;

#[path = "../../tests/common/par.rs"]
pub mod par;

#[path = "../../cli/src/auto.rs"]
#[allow(dead_code, reason = "the command also describes the result")]
mod auto;
#[path = "../../cli/src/identity.rs"]
#[allow(dead_code, reason = "nothing is written here")]
mod identity;
#[path = "../../cli/src/input.rs"]
#[allow(dead_code, reason = "the command uses all of it")]
mod input;

/// The command's reader of compressed files: the fuzz target has none.
mod decompress {
    use std::io::{self, Read};

    pub(crate) fn decompressed(source: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
        Ok(source)
    }
}

/// The command's standard streams: the fuzz target opens none.
mod streams {
    pub(crate) fn check_input() -> std::io::Result<()> {
        Ok(())
    }
}

/// The command's progress bar, to which its input reports the bytes it reads: none here.
mod progress {
    pub(crate) fn read(_: usize) {}
}

use common::io::{Manners, Rough};
use input::{CHUNK, Input};
use utflane::detect::{detect, detect_prefix};

/// The targets, and the number of bytes at the start of an input that they take for choices.
pub const HEADS: [(&str, usize); 12] = [
    ("validate", 1),
    ("transcode", 2),
    ("streams", 8),
    ("lossy", 4),
    ("places", 2),
    ("strings", 1),
    ("legacy", 0),
    ("guess", 1),
    ("io", 4),
    ("columns", 11),
    ("command", 2),
    ("par", 6),
];

/// The item of a list that a byte chooses.
pub fn choice<T>(all: &[T], byte: u8) -> &T {
    &all[usize::from(byte) % all.len()]
}

/// The command's detection of a file, read in pieces of at most `most` bytes: it equals that of the
/// whole, or of a first chunk, and is no surer than the library's. The inspected bytes are then
/// read once, from the start.
pub fn check_command(src: &[u8], most: isize) {
    let file = Rough::new(
        std::io::Cursor::new(src.to_vec()),
        Manners { most, interrupts: 5, ..Manners::GOOD },
    );
    let mut input = Input::new(Box::new(file));
    let found = auto::detect_input(&mut input).expect("it can be read");
    let (want, library) = match src.get(..CHUNK) {
        Some(beginning) => {
            (utflane_charset::detect_text(beginning, false), detect_prefix(beginning))
        }
        None => (utflane_charset::detect_text(src, true), detect(src)),
    };
    assert_eq!(found, want, "{src:02X?}");
    assert!(found.confidence <= library.confidence(), "{src:02X?}: {found} {library}");
    let mut read = Vec::new();
    loop {
        let chunk = input.fill().expect("it can be read");
        if chunk.is_empty() {
            break;
        }
        read.extend_from_slice(chunk);
        assert_eq!(input.offset() + input.kept().len() as u64, read.len() as u64);
        // Some of it stays, as after a cut sequence.
        let stay = input.kept().len() % 4;
        input.release(input.kept().len() - stay);
    }
    assert!(read == src && input.ended(), "read once, from the start");
}
