//! Decoders, which utflane or encoding_rs implements.

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use utflane::code_page::CodePage;
use utflane::{ByteTranscoder, Repair, Scheme, Transcoder, Utf8, bom};

/// The capacity with which every call makes progress.
pub(crate) const OUTPUT_MIN_BYTES: usize = Transcoder::<Utf8, Utf8>::ENOUGH_CAPACITY;

/// Decodes chunks to UTF-8, and removes a byte order mark of UTF-8 or UTF-16.
#[derive(Debug)]
pub(crate) struct Decoder {
    with: With,
    /// True until the first character of UTF-8 or UTF-16 has been decoded.
    is_before_mark: bool,
}

/// The library that decodes.
enum With {
    Utflane(Box<ByteTranscoder>),
    EncodingRs(Box<encoding_rs::Decoder>),
}

impl Decoder {
    /// Creates a decoder at the start of a stream.
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        let scheme =
            [(UTF_8, Scheme::Utf8), (UTF_16LE, Scheme::Utf16Le), (UTF_16BE, Scheme::Utf16Be)]
                .into_iter()
                .find_map(|(known, scheme)| (known == encoding).then_some(scheme));
        let transcoder = match scheme {
            Some(scheme) => Some(ByteTranscoder::new(scheme, Scheme::Utf8)),
            None => CodePage::by_label(encoding.name())
                .filter(|page| page.is_in_encoding_standard())
                .map(|page| ByteTranscoder::decoding(page, Scheme::Utf8)),
        };
        let with = match transcoder {
            Some(transcoder) => With::Utflane(Box::new(transcoder.with_policy(Repair::REPLACE))),
            None => With::EncodingRs(Box::new(encoding.new_decoder_without_bom_handling())),
        };
        Self { with, is_before_mark: scheme.is_some() }
    }

    /// Returns true if a byte order mark may still be removed.
    pub(crate) fn is_before_mark(&self) -> bool {
        self.is_before_mark
    }

    /// Decodes as much of `src` as fits into `dst`. Returns the number of bytes read, and where the
    /// text is in `dst`: it begins at 0 unless [`is_before_mark`](Self::is_before_mark) was true.
    pub(crate) fn push(&mut self, src: &[u8], dst: &mut [u8]) -> (usize, Range<usize>) {
        let (read, written) = match &mut self.with {
            With::Utflane(transcoder) => {
                let progress = transcoder.push(src, dst);
                (progress.read, progress.written)
            }
            With::EncodingRs(decoder) => {
                let (_, read, written, _) = decoder.decode_to_utf8(src, dst, false);
                (read, written)
            }
        };
        (read, self.without_mark(&dst[..written]))
    }

    /// Ends the stream, and returns where the text is in `dst`. Call it once.
    pub(crate) fn finish(&mut self, dst: &mut [u8]) -> Range<usize> {
        let written = match &mut self.with {
            With::Utflane(transcoder) => transcoder.finish(dst).written,
            With::EncodingRs(decoder) => decoder.decode_to_utf8(&[], dst, true).2,
        };
        self.without_mark(&dst[..written])
    }

    /// Returns the range of `text` without the mark, if the text is the first one.
    fn without_mark(&mut self, text: &[u8]) -> Range<usize> {
        let is_first = self.is_before_mark && !text.is_empty();
        self.is_before_mark &= !is_first;
        if is_first {
            text.len() - bom::strip::<Utf8>(text).len()..text.len()
        } else {
            0..text.len()
        }
    }
}

impl std::fmt::Debug for With {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Utflane(transcoder) => transcoder.fmt(f),
            Self::EncodingRs(decoder) => f.write_str(decoder.encoding().name()),
        }
    }
}
