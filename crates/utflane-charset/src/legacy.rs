//! Bytes in an encoding of `encoding_rs`, decoded to UTF-8 chunk by chunk, with the offset of each
//! ill-formed sequence. windows-1252 has separate, faster code.

use std::fmt;
use std::ops::Range;

use encoding_rs::{Decoder, DecoderResult, Encoding, WINDOWS_1252};

use crate::sink::Sink;
use crate::windows_1252;

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Bytes of the text before it.
    pub offset: u64,
    /// Its bytes.
    pub len: usize,
    /// Bytes after it that have been read too.
    pub after: usize,
    /// True if there is no character between it and the ill-formed sequence before.
    pub follows: bool,
}

impl Sequence {
    /// Its offset in a buffer of which `read` bytes have been read. What is before the buffer is
    /// left out.
    pub fn range_in(&self, read: usize) -> Range<usize> {
        let end = read.saturating_sub(self.after);
        end.saturating_sub(self.len)..end
    }
}

/// The reason why [`LegacyDecoder::push`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegacyStop {
    /// All bytes are read.
    Done,
    /// The output has no capacity for the next character.
    OutputFull,
    /// An ill-formed sequence was read.
    IllFormed(Sequence),
}

/// The result of [`LegacyDecoder::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegacyProgress {
    /// Bytes that were read.
    pub read: usize,
    /// Bytes of UTF-8 that were written.
    pub written: usize,
    /// Why no more were.
    pub stop: LegacyStop,
}

/// [`LegacyDecoder::decode`] was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Bytes of the chunk that were read.
    pub read: usize,
    /// The ill-formed sequence at which it was ended.
    pub sequence: Sequence,
}

/// Bytes that are kept: an ill-formed sequence and the bytes read after it are six at most, as the
/// documentation of `encoding_rs` says.
const KEPT: usize = 8;

/// Decodes a text that arrives in chunks, which may end anywhere. A byte order mark is a character
/// like others.
pub struct LegacyDecoder {
    decoder: Decoder,
    /// The last bytes that were read, zeros before the text.
    kept: [u8; KEPT],
    /// Bytes of all chunks so far.
    read: u64,
    /// True if nothing was written since an ill-formed sequence.
    follows: bool,
}

impl fmt::Debug for LegacyDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("LegacyDecoder");
        debug.field("encoding", &self.encoding()).field("read", &self.read).finish_non_exhaustive()
    }
}

impl LegacyDecoder {
    /// The start of a text.
    pub fn new(encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        Self { decoder, kept: [0; KEPT], read: 0, follows: false }
    }

    /// The encoding.
    pub fn encoding(&self) -> &'static Encoding {
        self.decoder.encoding()
    }

    /// Decodes up to the end of a chunk, an ill-formed sequence, or the end of the output. `last`
    /// is for the last chunk, which may be empty: an incomplete sequence at its end is ill-formed.
    ///
    /// Nothing may be pushed after the end of the last chunk was [`Done`](LegacyStop::Done).
    pub fn push(&mut self, chunk: &[u8], dst: &mut [u8], last: bool) -> LegacyProgress {
        let (result, read, written) = match self.encoding() == WINDOWS_1252 {
            true => windows_1252::decode(&mut self.decoder, chunk, dst),
            false => self.decoder.decode_to_utf8_without_replacement(chunk, dst, last),
        };
        self.read += read as u64;
        self.keep(&chunk[..read]);
        self.follows &= written == 0;
        let stop = match result {
            DecoderResult::InputEmpty => LegacyStop::Done,
            DecoderResult::OutputFull => LegacyStop::OutputFull,
            DecoderResult::Malformed(len, after) => {
                let back = u64::from(len) + u64::from(after);
                LegacyStop::IllFormed(Sequence {
                    offset: self.read.saturating_sub(back),
                    len: usize::from(len),
                    after: usize::from(after),
                    follows: std::mem::replace(&mut self.follows, true),
                })
            }
        };
        LegacyProgress { read, written, stop }
    }

    /// Keeps the last bytes that were read.
    fn keep(&mut self, read: &[u8]) {
        let more = &read[read.len().saturating_sub(KEPT)..];
        self.kept.copy_within(more.len().., 0);
        self.kept[KEPT - more.len()..].copy_from_slice(more);
    }

    /// The bytes of the ill-formed sequence that was read last.
    fn bytes_of(&self, sequence: Sequence) -> &[u8] {
        &self.kept[sequence.range_in(KEPT)]
    }

    /// Appends the text of a chunk to `sink`. `on_ill_formed` is called for each ill-formed
    /// sequence with its bytes, may write a replacement, and returns true if decoding continues.
    ///
    /// ```
    /// use utflane_charset::{LegacyDecoder, Sink};
    ///
    /// let mut decoder = LegacyDecoder::new(encoding_rs::SHIFT_JIS);
    /// let (mut sink, mut found) = (Sink::default(), Vec::new());
    /// for (chunk, last) in [(&b"a\x82"[..], false), (b"\xA0\xFFb\x82", true)] {
    ///     let result = decoder.decode(chunk, last, &mut sink, |sequence, bytes, sink| {
    ///         sink.push("\u{FFFD}".as_bytes());
    ///         found.push((sequence.offset, bytes.to_vec()));
    ///         true
    ///     });
    ///     assert_eq!(result, Ok(()));
    /// }
    /// assert_eq!(sink.bytes(), "aあ\u{FFFD}b\u{FFFD}".as_bytes());
    /// assert_eq!(found, [(3, vec![0xFF]), (5, vec![0x82])]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`Stopped`] where `on_ill_formed` ended it. The rest of the chunk may be decoded by another
    /// call.
    pub fn decode(
        &mut self,
        chunk: &[u8],
        last: bool,
        sink: &mut Sink,
        mut on_ill_formed: impl FnMut(Sequence, &[u8], &mut Sink) -> bool,
    ) -> Result<(), Stopped> {
        let mut read = 0;
        loop {
            let progress = self.push(&chunk[read..], sink.spare(), last);
            sink.advance(progress.written);
            read += progress.read;
            match progress.stop {
                LegacyStop::Done => return Ok(()),
                LegacyStop::OutputFull => sink.grow(),
                LegacyStop::IllFormed(sequence) => {
                    if !on_ill_formed(sequence, self.bytes_of(sequence), sink) {
                        return Err(Stopped { read, sequence });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels;

    /// All encodings of `encoding_rs` that decode.
    fn encodings() -> impl Iterator<Item = &'static Encoding> {
        let names = labels::all().filter_map(|(name, _)| Encoding::for_label(name.as_bytes()));
        names.filter(|&encoding| encoding != encoding_rs::REPLACEMENT)
    }

    /// Bytes of which many begin sequences, and few end them.
    fn bytes(seed: u64, len: usize) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 33) as usize
        };
        let common = b"a\x1B$B(J\x81\x82\x8E\x8F\xA1\xA4\xFE\xFF\x30\x5C\r\n";
        (0..len)
            .map(|_| if next() % 3 == 0 { next() as u8 } else { common[next() % common.len()] })
            .collect()
    }

    /// The text with U+FFFD for each ill-formed sequence, and the sequences, in chunks of a length.
    fn decoded(
        encoding: &'static Encoding,
        text: &[u8],
        chunk: usize,
    ) -> (String, Vec<(u64, usize)>) {
        let mut decoder = LegacyDecoder::new(encoding);
        let (mut sink, mut sequences) = (Sink::default(), Vec::new());
        let mut rest = text;
        loop {
            let (now, later) = rest.split_at(chunk.min(rest.len()));
            rest = later;
            let read = text.len() - rest.len();
            let result =
                decoder.decode(now, rest.is_empty(), &mut sink, |sequence, bytes, sink| {
                    let start = sequence.offset as usize;
                    assert_eq!(bytes, &text[start..start + sequence.len]);
                    let range = sequence.range_in(start + sequence.len + sequence.after);
                    assert_eq!(range, start..start + sequence.len);
                    assert!(range.end <= read);
                    let before = sequences.last().map(|&(_, _, written)| written);
                    assert_eq!(sequence.follows, before == Some(sink.len()));
                    sink.push("\u{FFFD}".as_bytes());
                    sequences.push((sequence.offset, sequence.len, sink.len()));
                    true
                });
            assert_eq!(result, Ok(()));
            if rest.is_empty() {
                let text = String::from_utf8(sink.into_vec()).expect("UTF-8");
                return (text, sequences.into_iter().map(|(at, len, _)| (at, len)).collect());
            }
        }
    }

    #[test]
    fn text_is_that_of_encoding_rs() {
        for encoding in encodings() {
            for seed in 0..30 {
                let text = bytes(seed, 7 * seed as usize);
                let (expected, _) = encoding.decode_without_bom_handling(&text);
                let whole = decoded(encoding, &text, usize::MAX);
                assert_eq!(whole.0, expected, "{encoding:?}: {text:02X?}");
                for chunk in [1, 2, 3, 64] {
                    assert_eq!(decoded(encoding, &text, chunk), whole, "{encoding:?}: {text:02X?}");
                }
            }
        }
    }

    #[test]
    fn sequences_are_those_of_encoding_rs() {
        for encoding in encodings() {
            for seed in 0..30 {
                let text = bytes(seed, 5 * seed as usize);
                let mut decoder = encoding.new_decoder_without_bom_handling();
                let (mut read, mut expected) = (0, Vec::new());
                let mut buffer = vec![0; 4 * text.len() + 16];
                while let (DecoderResult::Malformed(len, after), more, _) =
                    decoder.decode_to_utf8_without_replacement(&text[read..], &mut buffer, true)
                {
                    read += more;
                    let back = usize::from(len) + usize::from(after);
                    expected.push(((read - back) as u64, usize::from(len)));
                }
                assert_eq!(decoded(encoding, &text, usize::MAX).1, expected, "{encoding:?}");
            }
        }
    }

    #[test]
    fn decoding_continues_after_it_was_ended() {
        let mut decoder = LegacyDecoder::new(encoding_rs::EUC_KR);
        let text = b"a\xFF\xFFb\xB0\xA1\xB0";
        let (mut at, mut offsets) = (0, Vec::new());
        let mut sink = Sink::default();
        while let Err(stopped) = decoder.decode(&text[at..], true, &mut sink, |_, _, _| false) {
            at += stopped.read;
            assert_eq!(stopped.sequence.range_in(at).start as u64, stopped.sequence.offset);
            offsets.push((stopped.sequence.offset, stopped.sequence.follows));
        }
        assert_eq!(sink.bytes(), "ab가".as_bytes());
        assert_eq!(offsets, [(1, false), (2, true), (6, false)]);
    }

    #[test]
    fn a_full_output_loses_nothing() {
        let mut decoder = LegacyDecoder::new(encoding_rs::GB18030);
        let text = [&b"\xC4\xE3\x81\x30\x81\x30\xFFz"[..]; 20].concat();
        let (mut read, mut out) = (0, String::new());
        loop {
            let mut buffer = [0; 5];
            let progress = decoder.push(&text[read..], &mut buffer, true);
            read += progress.read;
            out.push_str(str::from_utf8(&buffer[..progress.written]).expect("UTF-8"));
            match progress.stop {
                LegacyStop::Done => break,
                LegacyStop::OutputFull => {}
                LegacyStop::IllFormed(_) => out.push('\u{FFFD}'),
            }
        }
        assert_eq!(read, text.len());
        assert_eq!(out, encoding_rs::GB18030.decode_without_bom_handling(&text).0);
    }
}
