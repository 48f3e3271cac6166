//! Finds and undoes double encoding in UTF-8 text.

use std::borrow::Cow;
use std::io;

use utflane::{Scheme, Utf8, bom, utf8};
use utflane_charset::mojibake::{self, Misread, Options};

use crate::args::Mode;
use crate::excerpt::{self, excerpt};
use crate::finding::{Finding, FindingKind};
use crate::input::Input;
use crate::memory::Memory;
use crate::position::Position;

/// The largest number of offending bytes that a finding shows.
const MAX_SHOWN_BYTES: usize = 24;

/// The number of bytes by which the memory for compressed text grows at once.
const GROWTH_BYTES: u64 = 16 << 20;

/// Reads all of `input`. `memory` limits the text of a compressed file.
pub(crate) fn read_whole(
    input: &mut Input,
    mut memory: Option<&mut Memory>,
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let len = input.fill()?.len();
        if len == 0 {
            return Ok(bytes);
        }
        if let Some(memory) = &mut memory {
            // The text and the repaired text are in memory at the same time.
            let needed = 2 * (bytes.len() + len) as u64;
            memory.grow_to(
                needed.next_multiple_of(GROWTH_BYTES),
                "the decompressed text needs at least",
            )?;
        }
        bytes.extend_from_slice(input.kept());
        input.release(len);
    }
}

/// Returns the length of the byte order mark in `bytes` and the text after the mark. If the text is
/// not UTF-8, returns its first error.
pub(crate) fn decode_utf8(bytes: &[u8]) -> Result<(usize, &str), Finding> {
    let mark_len = bytes.len() - bom::strip::<Utf8>(bytes).len();
    match utf8::from_utf8(&bytes[mark_len..]) {
        Ok(text) => Ok((mark_len, text)),
        Err(_) => {
            let (at, len, kind) = match Scheme::Utf8.validate(bytes) {
                Err(error) => {
                    (error.valid_up_to(), error.error_len(), FindingKind::of(error.kind()))
                }
                Ok(()) => (0, None, FindingKind::DoubleEncoding),
            };
            let len = len.unwrap_or(bytes.len() - at);
            Err(finding(bytes, at, len, kind, false))
        }
    }
}

/// Returns the finding for the `len` bytes at offset `at`.
fn finding(bytes: &[u8], at: usize, len: usize, kind: FindingKind, excerpts: bool) -> Finding {
    let (before, rest) = bytes.split_at(at);
    let mut position = Position::default();
    position.advance(Scheme::Utf8, before);
    let (offending, rest) = rest.split_at(len);
    let excerpt =
        excerpts.then(|| excerpt(Scheme::Utf8, before, offending, rest, excerpt::columns()));
    Finding { position, offset: at as u64, kind, offending: offending.to_vec(), excerpt }
}

/// A text without double encoding.
pub(crate) struct UndoneText<'a> {
    pub(crate) text: Cow<'a, str>,
    /// The number of rounds that were undone.
    pub(crate) rounds: usize,
}

/// Undoes the double encoding of a text. Returns `None` if `mode` can't undo it.
pub(crate) fn undo(text: &str, mode: Mode, no_break_spaces: bool) -> Option<UndoneText<'_>> {
    let options = match mode {
        Mode::All => Options::new(),
        Mode::Once => Options::new().once(),
        Mode::Runs => Options::new().runs().once(),
        Mode::RunsAll => Options::new().runs(),
        Mode::Latin1 => return revert(text, Misread::Latin1),
        Mode::Windows1252 => return revert(text, Misread::Windows1252),
    };
    let options = if no_break_spaces { options.no_break_spaces() } else { options };
    let undone = options.undo(text);
    Some(UndoneText { text: undone.text, rounds: undone.rounds })
}

fn revert(text: &str, misread: Misread) -> Option<UndoneText<'_>> {
    let reverted = mojibake::revert(text, misread)?;
    let rounds = usize::from(reverted != text);
    Some(UndoneText { text: reverted.into(), rounds })
}

/// Returns the first double encoding in `bytes`, if there is one. `text` is the text after a byte
/// order mark of `mark_len` bytes.
pub(crate) fn find(
    bytes: &[u8],
    (mark_len, text): (usize, &str),
    mode: Mode,
    no_break_spaces: bool,
    excerpts: bool,
) -> Option<Finding> {
    let undone = undo(text, mode, no_break_spaces)?;
    if undone.rounds == 0 {
        return None;
    }
    let same_len =
        text.bytes().zip(undone.text.bytes()).take_while(|(one, other)| one == other).count();
    let at = utf8::floor_boundary(text.as_bytes(), same_len);
    // The characters beyond ASCII that follow there belong to the double encoding.
    let len = text[at..].chars().take_while(|c| !c.is_ascii()).map(char::len_utf8).sum::<usize>();
    let len = utf8::floor_boundary(&text.as_bytes()[at..], len.clamp(1, MAX_SHOWN_BYTES));
    let len = len.min(text.len() - at);
    Some(finding(bytes, mark_len + at, len, FindingKind::DoubleEncoding, excerpts))
}
