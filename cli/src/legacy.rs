//! Text in an encoding of `encoding_rs`, decoded piece by piece, with the place of each ill-formed
//! sequence.
//!
//! The decoder tells the offset of an ill-formed sequence. For the offset of a character, its piece
//! is decoded again byte by byte.

use std::io;
use std::ops::Range;

use encoding_rs::{Decoder, DecoderResult, Encoding};
use utflane::Scheme;

use crate::conversion::ROOM;
use crate::finding::{Finding, FindingKind};
use crate::input::Input;
use crate::place::Place;

/// Bytes of the longest sequence of any encoding, and more that a decoder may read ahead.
const MAX_SEQUENCE: usize = 16;

/// Bytes to decode at once. Their output fits in the room, whatever the encoding.
const PIECE: usize = ROOM / 4 - MAX_SEQUENCE;

/// The end of a piece of text.
pub(crate) enum End<E> {
    /// More text may follow.
    More,
    /// It was the last piece.
    Last,
    /// An ill-formed sequence follows.
    IllFormed(E),
}

/// An ill-formed sequence among the bytes that were decoded last.
#[derive(Clone, Copy)]
pub(crate) struct Sequence {
    len: usize,
    /// Bytes that were decoded after it.
    after: usize,
}

/// Text that `encoding_rs` decodes.
pub(crate) struct LegacyText {
    input: Input,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// The decoder as it was before the piece, if a character may have to be located in that.
    before: Option<Decoder>,
    /// Bytes of the last chunk that are not yet decoded.
    left: usize,
    /// Kept bytes before the piece.
    start: usize,
    /// The place after all pieces that have passed.
    place: Place,
}

impl LegacyText {
    /// The text of `input`, from its start.
    pub(crate) fn new(input: Input, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        let place = Place::default();
        Self { input, encoding, decoder, before: None, left: 0, start: 0, place }
    }

    /// The same text, for callers of [`locate_unmappable`](Self::locate_unmappable).
    pub(crate) fn locating_characters(self) -> Self {
        let before = Some(self.encoding.new_decoder_without_bom_handling());
        Self { before, ..self }
    }

    /// The finding for `len` kept bytes after the first `at`.
    fn finding(&self, kind: FindingKind, at: usize, len: usize) -> Finding {
        let offset = self.input.offset() + at as u64;
        let offending = self.input.kept()[at..at + len].to_vec();
        Finding { place: self.place, offset, kind, offending, excerpt: None }
    }

    /// The range of the ill-formed sequence in the kept bytes.
    fn ill_formed_range(&self, Sequence { len, after }: Sequence) -> Range<usize> {
        let end = self.input.kept().len() - self.left - after;
        end - len..end
    }

    /// The range of the character `c` in the kept bytes. It is at `at` of the piece in UTF-8.
    fn range_of(&mut self, c: char, at: usize) -> Range<usize> {
        let piece = &self.input.kept()[self.start..self.input.kept().len() - self.left];
        let (mut start, mut written) = (None, 0);
        for (read, byte) in piece.iter().enumerate() {
            let Some(decoder) = &mut self.before else { break };
            let byte = std::slice::from_ref(byte);
            let step = decoder.decode_to_utf8_without_replacement(byte, &mut [0; 32], false).2;
            written += step;
            let end = self.start + read + 1;
            if written > at {
                // The first character may begin in the piece before, so its usual length decides.
                let start = start.unwrap_or_else(|| end.saturating_sub(self.usual_len(c)));
                return self.after_escapes(start)..end;
            }
            if step > 0 {
                start = Some(end);
            }
        }
        debug_assert!(false, "the piece has this character");
        self.start..self.start
    }

    /// `start`, moved after the escape sequences there, which have three bytes.
    fn after_escapes(&self, mut start: usize) -> usize {
        while self.encoding == encoding_rs::ISO_2022_JP && self.input.kept()[start] == b'\x1B' {
            start += 3;
        }
        start
    }

    /// The length of `c` in this encoding.
    fn usual_len(&self, c: char) -> usize {
        if self.encoding == encoding_rs::ISO_2022_JP {
            return if c.is_ascii() { 1 } else { 2 }; // without escape sequences
        }
        self.encoding.encode(c.encode_utf8(&mut [0; 4])).0.len()
    }

    /// Writes the next piece to `text` in UTF-8, and returns its length. `text` has [`ROOM`].
    pub(crate) fn next(&mut self, text: &mut [u8]) -> io::Result<(usize, End<Sequence>)> {
        let mut last = false;
        if self.left == 0 {
            self.input.release(self.input.given().saturating_sub(MAX_SEQUENCE));
            self.left = self.input.fill()?.len();
            last = self.left == 0;
        }
        let kept = self.input.kept();
        self.start = kept.len() - self.left;
        let piece = &kept[self.start..][..self.left.min(PIECE)];
        let (result, read, written) =
            self.decoder.decode_to_utf8_without_replacement(piece, text, last);
        self.left -= read;
        let end = match result {
            DecoderResult::Malformed(len, after) => {
                End::IllFormed(Sequence { len: usize::from(len), after: usize::from(after) })
            }
            DecoderResult::InputEmpty if last => End::Last,
            _ => End::More,
        };
        Ok((written, end))
    }

    /// Moves past a piece.
    pub(crate) fn pass(&mut self, piece: &str) {
        self.place.advance(Scheme::Utf8, piece.as_bytes());
        let kept = self.input.kept();
        if let Some(decoder) = &mut self.before {
            let piece = &kept[self.start..kept.len() - self.left];
            // The output is not used: this decoder only follows the other one.
            let mut scratch = vec![0; 4 * (piece.len() + MAX_SEQUENCE)];
            let _ = decoder.decode_to_utf8_without_replacement(piece, &mut scratch, false);
        }
    }

    /// The bytes of an ill-formed sequence.
    pub(crate) fn offending(&self, sequence: Sequence) -> &[u8] {
        &self.input.kept()[self.ill_formed_range(sequence)]
    }

    /// Moves past an ill-formed sequence, as one column.
    pub(crate) fn pass_ill_formed(&mut self) {
        self.place.column += 1;
    }

    /// The finding for `sequence`. The piece before it has passed.
    pub(crate) fn locate_ill_formed(&self, sequence: Sequence) -> Finding {
        let range = self.ill_formed_range(sequence);
        self.finding(FindingKind::Malformed(self.encoding), range.start, range.len())
    }

    /// The finding for the unmappable character at `at` of `piece`, which has not passed.
    pub(crate) fn locate_unmappable(&mut self, piece: &str, at: usize) -> Finding {
        self.place.advance(Scheme::Utf8, &piece.as_bytes()[..at]);
        let c = piece[at..].chars().next().unwrap_or_default();
        let range = self.range_of(c, at);
        self.finding(FindingKind::Unmappable, range.start, range.len())
    }

    /// The next ill-formed sequence, if there is one. The text continues after it. `room` has
    /// [`ROOM`] bytes.
    pub(crate) fn next_finding(&mut self, room: &mut [u8]) -> io::Result<Option<Finding>> {
        loop {
            let (len, end) = self.next(room)?;
            self.pass(str::from_utf8(&room[..len]).map_err(io::Error::other)?);
            match end {
                End::More => {}
                End::Last => return Ok(None),
                End::IllFormed(sequence) => {
                    let finding = self.locate_ill_formed(sequence);
                    self.pass_ill_formed();
                    return Ok(Some(finding));
                }
            }
        }
    }

    /// Bytes of the file that have been decoded.
    pub(crate) fn decoded(&self) -> u64 {
        self.input.offset() + (self.input.kept().len() - self.left) as u64
    }
}
