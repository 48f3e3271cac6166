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
#[path = "../../cli/src/late.rs"]
mod late;
#[path = "../../cli/src/memory.rs"]
#[allow(dead_code, reason = "nothing is compressed here")]
mod memory;
#[path = "../../cli/src/refusal.rs"]
#[allow(dead_code, reason = "the command also describes the refusal")]
mod refusal;
#[path = "../../cli/src/watch.rs"]
#[allow(dead_code, reason = "nothing is converted here")]
mod watch;

/// The command's reader of compressed files: the fuzz target has none.
mod decompress {
    use std::io::{self, Read};

    use crate::memory::Turn;

    #[derive(Clone, Default)]
    pub(crate) struct Trailing;

    pub(crate) fn decompressed(
        source: Box<dyn Read + Send>,
        _: Turn,
        _: Trailing,
    ) -> io::Result<Box<dyn Read + Send>> {
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

use auto::Resolved;
use common::io::{Manners, Rough};
use input::{CHUNK, Input};
use utflane::detect::detect;
use utflane_charset::{Detector, Source, detect_text};

/// The targets, and the number of bytes at the start of an input that they take for choices.
pub const HEADS: [(&str, usize); 12] = [
    ("validate", 1),
    ("transcode", 2),
    ("streams", 8),
    ("lossy", 4),
    ("positions", 2),
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

/// The command's detection of a file, read in chunks of at most `most` bytes, equals its detection
/// of one chunk. If its sample is the whole text, it also equals the detection of a text in memory,
/// and is no surer than the library's. A pipe with the same bytes is then read once, from the
/// start, as the command converts it.
pub fn check_command(src: &[u8], most: isize) {
    let file = || {
        let manners = Manners { most, interrupts: 5, ..Manners::GOOD };
        Input::new(Box::new(Rough::new(std::io::Cursor::new(src.to_vec()), manners)))
    };
    let found = auto::detect_input(&mut file()).expect("it can be read");
    let mut detector = Detector::default();
    detector.push(src);
    assert_eq!(found, detector.found(true), "{src:02X?}");
    if src.len() <= CHUNK {
        assert_eq!(found, detect_text(src, true), "{src:02X?}");
        let library = detect(src);
        assert!(found.confidence <= library.confidence(), "{src:02X?}: {found} {library}");
    }
    let mut input = file();
    let Resolved::Detected(..) = auto::resolve(Source::Auto, true, &mut input).expect("a pipe")
    else {
        return;
    };
    let mut read = Vec::new();
    loop {
        let chunk = match input.fill() {
            Ok([]) => break,
            Ok(chunk) => chunk,
            // Only a chunk does not show that a text is in two encodings.
            Err(_) if src.len() > CHUNK => return,
            Err(error) => panic!("{src:02X?}: {error}"),
        };
        read.extend_from_slice(chunk);
        assert_eq!(input.offset() + input.kept().len() as u64, read.len() as u64);
        // Some of it stays, as after a cut sequence.
        let stay = input.kept().len() % 4;
        input.release(input.kept().len() - stay);
    }
    assert!(input.ended(), "to its end");
    // From a longer text, other encodings may have become UTF-8.
    assert!(read == src || src.len() > CHUNK, "read once, from the start");
}
