//! Decodes bytes in an encoding from before Unicode to UTF-8, chunk by chunk, with the offset of
//! each ill-formed sequence.

use std::fmt;
use std::ops::Range;

use encoding_rs::{Decoder, DecoderResult};
use utflane::code_page::CodePage;
use utflane::{Stop, Utf8};

use crate::legacy::Legacy;
use crate::sink::Sink;

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// The byte offset of the sequence in the text.
    pub offset: u64,
    /// The length of the sequence in bytes.
    pub len: usize,
    /// The number of bytes after the sequence that the decoder has also read.
    pub after: usize,
    /// True if no character is between this sequence and the previous ill-formed sequence.
    pub follows: bool,
}

impl Sequence {
    /// Returns the range of the sequence in a buffer of which `read` bytes have been read. Bytes of
    /// the sequence in earlier buffers are left out.
    pub fn range_in(&self, read: usize) -> Range<usize> {
        let end = read.saturating_sub(self.after);
        end.saturating_sub(self.len)..end
    }
}

/// The reason why [`LegacyDecoder::push`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegacyStop {
    /// All bytes of the chunk were read.
    Done,
    /// The output has no capacity for the next character.
    OutputFull,
    /// An ill-formed sequence was read.
    IllFormed(Sequence),
}

/// The result of [`LegacyDecoder::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegacyProgress {
    /// The number of bytes that were read.
    pub read: usize,
    /// The number of bytes of UTF-8 that were written.
    pub written: usize,
    /// The reason why decoding stopped.
    pub stop: LegacyStop,
}

/// The error of [`LegacyDecoder::decode`]: `on_ill_formed` stopped decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The number of bytes of the chunk that were read.
    pub read: usize,
    /// The ill-formed sequence at which decoding stopped.
    pub sequence: Sequence,
}

/// The number of last bytes that are kept. According to the documentation of `encoding_rs`, an
/// ill-formed sequence and the bytes read after it have at most six bytes together.
const KEPT_BYTES: usize = 8;

/// Decodes a text that arrives in chunks. A chunk may end at any byte. A byte order mark is decoded
/// like other characters.
pub struct LegacyDecoder {
    decoder: PageOrDecoder,
    /// The last bytes that were read; zeros before the start of the text.
    kept: [u8; KEPT_BYTES],
    /// The number of bytes that were read from all chunks.
    read: u64,
    /// True if nothing was written since the last ill-formed sequence.
    follows: bool,
}

/// The decoder of each kind of encoding. A code page has no state.
enum PageOrDecoder {
    Page(&'static CodePage),
    MultiByte(Decoder),
}

impl PageOrDecoder {
    /// Decodes up to the end of a chunk, an error, or the end of the output. Returns the reason why
    /// it stopped, and the number of bytes read, with an error, and written.
    fn decode(
        &mut self,
        chunk: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        match self {
            Self::Page(page) => {
                let progress = page.decode_into::<Utf8>(chunk, dst);
                let (result, read) = match progress.stop {
                    Stop::Done => (DecoderResult::InputEmpty, progress.read),
                    Stop::OutputFull => (DecoderResult::OutputFull, progress.read),
                    Stop::Error(_) => (DecoderResult::Malformed(1, 0), progress.read + 1),
                };
                (result, read, progress.written)
            }
            Self::MultiByte(decoder) => {
                decoder.decode_to_utf8_without_replacement(chunk, dst, last)
            }
        }
    }
}

impl fmt::Debug for LegacyDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("LegacyDecoder");
        debug.field("encoding", &self.encoding()).field("read", &self.read).finish_non_exhaustive()
    }
}

impl LegacyDecoder {
    /// Creates a decoder for a new text.
    pub fn new(encoding: Legacy) -> Self {
        let decoder = match encoding {
            Legacy::Page(page) => PageOrDecoder::Page(page),
            Legacy::MultiByte(encoding) => {
                PageOrDecoder::MultiByte(encoding.new_decoder_without_bom_handling())
            }
        };
        Self { decoder, kept: [0; KEPT_BYTES], read: 0, follows: false }
    }

    /// Returns the encoding.
    pub fn encoding(&self) -> Legacy {
        match &self.decoder {
            PageOrDecoder::Page(page) => Legacy::Page(page),
            PageOrDecoder::MultiByte(decoder) => Legacy::MultiByte(decoder.encoding()),
        }
    }

    /// Decodes up to the end of a chunk, an ill-formed sequence, or the end of the output. `last`
    /// is true for the last chunk, which may be empty: an incomplete sequence at its end is
    /// ill-formed.
    ///
    /// After [`Done`](LegacyStop::Done) for the last chunk, `push` must not be called again.
    pub fn push(&mut self, chunk: &[u8], dst: &mut [u8], last: bool) -> LegacyProgress {
        let (result, read, written) = self.decoder.decode(chunk, dst, last);
        self.read += read as u64;
        self.keep_last_bytes(&chunk[..read]);
        self.follows &= written == 0;
        let stop = match result {
            DecoderResult::InputEmpty => LegacyStop::Done,
            DecoderResult::OutputFull => LegacyStop::OutputFull,
            DecoderResult::Malformed(len, after) => {
                let distance = u64::from(len) + u64::from(after);
                LegacyStop::IllFormed(Sequence {
                    offset: self.read.saturating_sub(distance),
                    len: usize::from(len),
                    after: usize::from(after),
                    follows: std::mem::replace(&mut self.follows, true),
                })
            }
        };
        LegacyProgress { read, written, stop }
    }

    /// Keeps the last bytes that were read.
    fn keep_last_bytes(&mut self, read: &[u8]) {
        let last_bytes = &read[read.len().saturating_sub(KEPT_BYTES)..];
        self.kept.copy_within(last_bytes.len().., 0);
        self.kept[KEPT_BYTES - last_bytes.len()..].copy_from_slice(last_bytes);
    }

    /// Returns the bytes of `sequence`, the last ill-formed sequence that was read.
    fn sequence_bytes(&self, sequence: Sequence) -> &[u8] {
        &self.kept[sequence.range_in(KEPT_BYTES)]
    }

    /// Appends the text of a chunk to `sink`. `on_ill_formed` is called with each ill-formed
    /// sequence and its bytes. It may write a replacement, and returns true to continue decoding.
    ///
    /// ```
    /// use utflane_charset::{Legacy, LegacyDecoder, Sink};
    ///
    /// let mut decoder = LegacyDecoder::new(Legacy::MultiByte(encoding_rs::SHIFT_JIS));
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
    /// Returns [`Stopped`] if `on_ill_formed` returned false. Another call may decode the rest of
    /// the chunk.
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
                    if !on_ill_formed(sequence, self.sequence_bytes(sequence), sink) {
                        return Err(Stopped { read, sequence });
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::Encoding;

    use super::*;
    use crate::labels;

    /// Returns all encodings of `encoding_rs` that can decode, code pages among them.
    fn encodings() -> impl Iterator<Item = &'static Encoding> {
        let names = labels::all().filter_map(|entry| Encoding::for_label(entry.name.as_bytes()));
        names.filter(|&encoding| encoding != encoding_rs::REPLACEMENT)
    }

    /// Returns random bytes: many lead bytes, and few bytes that complete a sequence.
    fn random_bytes(seed: u64, len: usize) -> Vec<u8> {
        let mut state = seed;
        let mut next_random = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 33) as usize
        };
        let common = b"a\x1B$B(J\x81\x82\x8E\x8F\xA1\xA4\xFE\xFF\x30\x5C\r\n";
        (0..len)
            .map(|_| match next_random() % 3 {
                0 => next_random() as u8,
                _ => common[next_random() % common.len()],
            })
            .collect()
    }

    /// Decodes a text in chunks. Returns the result, with U+FFFD for each ill-formed sequence, and
    /// the offset and length of each of these sequences.
    fn decode_in_chunks(
        encoding: &'static Encoding,
        text: &[u8],
        chunk_len: usize,
    ) -> (String, Vec<(u64, usize)>) {
        let mut decoder = LegacyDecoder::new(Legacy::from_encoding(encoding));
        let (mut sink, mut sequences) = (Sink::default(), Vec::new());
        let mut rest = text;
        loop {
            let (chunk, after) = rest.split_at(chunk_len.min(rest.len()));
            rest = after;
            let read = text.len() - rest.len();
            let result =
                decoder.decode(chunk, rest.is_empty(), &mut sink, |sequence, bytes, sink| {
                    let start = sequence.offset as usize;
                    assert_eq!(bytes, &text[start..start + sequence.len]);
                    let range = sequence.range_in(start + sequence.len + sequence.after);
                    assert_eq!(range, start..start + sequence.len);
                    assert!(range.end <= read);
                    let written_before = sequences.last().map(|&(_, _, written)| written);
                    assert_eq!(sequence.follows, written_before == Some(sink.len()));
                    sink.push("\u{FFFD}".as_bytes());
                    sequences.push((sequence.offset, sequence.len, sink.len()));
                    true
                });
            assert_eq!(result, Ok(()));
            if rest.is_empty() {
                let text = String::from_utf8(sink.into_vec()).expect("the output is UTF-8");
                return (
                    text,
                    sequences.into_iter().map(|(offset, len, _)| (offset, len)).collect(),
                );
            }
        }
    }

    #[test]
    fn the_decoded_text_equals_the_result_of_encoding_rs() {
        for encoding in encodings() {
            for seed in 0..30 {
                let text = random_bytes(seed, 7 * seed as usize);
                let (expected, _) = encoding.decode_without_bom_handling(&text);
                let whole = decode_in_chunks(encoding, &text, usize::MAX);
                assert_eq!(whole.0, expected, "{encoding:?}: {text:02X?}");
                for chunk_len in [1, 2, 3, 64] {
                    let in_chunks = decode_in_chunks(encoding, &text, chunk_len);
                    assert_eq!(in_chunks, whole, "{encoding:?}: {text:02X?}");
                }
            }
        }
    }

    #[test]
    fn ill_formed_sequences_equal_the_results_of_encoding_rs() {
        for encoding in encodings() {
            for seed in 0..30 {
                let text = random_bytes(seed, 5 * seed as usize);
                let mut decoder = encoding.new_decoder_without_bom_handling();
                let (mut read, mut expected) = (0, Vec::new());
                let mut buffer = vec![0; 4 * text.len() + 16];
                while let (DecoderResult::Malformed(len, after), newly_read, _) =
                    decoder.decode_to_utf8_without_replacement(&text[read..], &mut buffer, true)
                {
                    read += newly_read;
                    let distance = usize::from(len) + usize::from(after);
                    expected.push(((read - distance) as u64, usize::from(len)));
                }
                let (_, sequences) = decode_in_chunks(encoding, &text, usize::MAX);
                assert_eq!(sequences, expected, "{encoding:?}");
            }
        }
    }

    #[test]
    fn decoding_continues_after_it_was_stopped() {
        let mut decoder = LegacyDecoder::new(Legacy::MultiByte(encoding_rs::EUC_KR));
        let text = b"a\xFF\xFFb\xB0\xA1\xB0";
        let (mut read, mut offsets) = (0, Vec::new());
        let mut sink = Sink::default();
        while let Err(stopped) = decoder.decode(&text[read..], true, &mut sink, |_, _, _| false) {
            read += stopped.read;
            assert_eq!(stopped.sequence.range_in(read).start as u64, stopped.sequence.offset);
            offsets.push((stopped.sequence.offset, stopped.sequence.follows));
        }
        assert_eq!(sink.bytes(), "ab가".as_bytes());
        assert_eq!(offsets, [(1, false), (2, true), (6, false)]);
    }

    #[test]
    fn a_full_output_loses_nothing() {
        let mut decoder = LegacyDecoder::new(Legacy::MultiByte(encoding_rs::GB18030));
        let text = [&b"\xC4\xE3\x81\x30\x81\x30\xFFz"[..]; 20].concat();
        let (mut read, mut out) = (0, String::new());
        loop {
            let mut buffer = [0; 5];
            let progress = decoder.push(&text[read..], &mut buffer, true);
            read += progress.read;
            out.push_str(str::from_utf8(&buffer[..progress.written]).expect("the output is UTF-8"));
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
