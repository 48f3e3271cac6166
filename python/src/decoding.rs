//! Decoding of data, with each ill-formed sequence and its position.

use utflane::{ByteTranscoder, Error, Scheme, Stop};
use utflane_charset::{Charset, LegacyDecoder, Sequence, Sink};

use crate::errors::IllFormed;

/// The bytes that are decoded after an ill-formed sequence.
pub(crate) enum Next {
    /// The bytes after it.
    After,
    /// From this byte of the data on.
    From(usize),
    /// Nothing.
    Stop,
}

/// Called for each ill-formed sequence of `data`. It may write a replacement.
pub(crate) trait OnIllFormed {
    fn handle(&mut self, sequence: IllFormed, data: &[u8], sink: &mut Sink) -> Next;
}

impl<F: FnMut(IllFormed, &[u8], &mut Sink) -> Next> OnIllFormed for F {
    fn handle(&mut self, sequence: IllFormed, data: &[u8], sink: &mut Sink) -> Next {
        self(sequence, data, sink)
    }
}

/// The end of a decoding.
pub(crate) enum Ended {
    /// At a byte of the data: its end, or before a sequence that it cuts.
    Whole(usize),
    /// At an ill-formed sequence after which decoding continues at this byte.
    From(usize),
    /// At an ill-formed sequence.
    Stopped,
}

/// The part of a text that is decoded.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) charset: Charset,
    /// The first byte of the data that is decoded.
    pub(crate) from: usize,
    /// The state of ISO-2022-JP there, and at the start of the data: see [`shift`].
    shift: u8,
    first_shift: u8,
    /// True if the text ends with the data. If not, a sequence that the end cuts is left.
    pub(crate) last: bool,
}

impl Part {
    /// All of the data from a byte on, before which a decoder of ISO-2022-JP is in state `shift`.
    pub(crate) fn new(charset: Charset, from: usize, shift: u8, last: bool) -> Self {
        Self { charset, from, shift, first_shift: shift, last }
    }

    /// The part that begins at another byte of other data.
    pub(crate) fn at(self, from: usize) -> Self {
        Self { from, ..self }
    }

    /// Decodes `data` to UTF-8 in which surrogates have three bytes. Returns the bytes that were
    /// read; `None` if `on_ill_formed` ended the work.
    pub(crate) fn decode(
        mut self,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> Option<usize> {
        loop {
            match self.decode_some(data, sink, on_ill_formed) {
                Ended::Whole(read) => return Some(read),
                Ended::From(from) => self = self.moved(data, from),
                Ended::Stopped => return None,
            }
        }
    }

    /// Returns the part that begins at another byte. Only the bytes between are looked through.
    pub(crate) fn moved(self, data: &[u8], from: usize) -> Self {
        let shift = match from.checked_sub(self.from) {
            Some(_) => shift(self.charset, self.shift, &data[self.from..from]),
            None => shift(self.charset, self.first_shift, &data[..from]),
        };
        Self { shift, from, ..self }
    }

    /// Decodes until `on_ill_formed` requires another position.
    pub(crate) fn decode_some(
        self,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> Ended {
        match self.charset {
            Charset::Scheme(scheme) => self.scheme(scheme, data, sink, on_ill_formed),
            Charset::Legacy(encoding) => {
                self.legacy(LegacyDecoder::new(encoding), data, sink, on_ill_formed)
            }
        }
    }

    fn scheme(
        self,
        scheme: Scheme,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> Ended {
        let rest = &data[self.from..];
        let rest = if self.last { rest } else { complete(scheme, rest) };
        let end = self.from + rest.len();
        let to = if has_surrogates(scheme) { Scheme::Wtf8 } else { Scheme::Utf8 };
        let mut transcoder = ByteTranscoder::new(scheme, to);
        let (mut read, mut is_pushed) = (0, false);
        loop {
            let progress = match is_pushed {
                false => transcoder.push(&rest[read..], sink.spare()),
                true => transcoder.finish(sink.spare()),
            };
            sink.advance(progress.written);
            read += if is_pushed { 0 } else { progress.read };
            match progress.stop {
                Stop::Done if is_pushed => return Ended::Whole(end),
                Stop::Done => is_pushed = true,
                Stop::OutputFull => sink.grow(),
                Stop::Error(error) => {
                    let start = self.from + usize::try_from(error.offset()).unwrap_or(usize::MAX);
                    let len = error.error_len();
                    let incomplete = len.is_none();
                    let kind = error.kind().description();
                    let sequence =
                        IllFormed { start, len: len.unwrap_or(end - start), kind, incomplete };
                    match on_ill_formed.handle(sequence, data, sink) {
                        // The incomplete sequence is the last error.
                        Next::After if incomplete => return Ended::Whole(end),
                        Next::After => {}
                        Next::From(from) => return Ended::From(from),
                        Next::Stop => return Ended::Stopped,
                    }
                }
            }
        }
    }

    fn legacy(
        self,
        mut decoder: LegacyDecoder,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> Ended {
        let before = SHIFTS[usize::from(self.shift)];
        // In this state, these bytes have no text, or one that was there already.
        let _ = decoder.decode(before, false, &mut Sink::default(), |_, _, _| true);
        let start_of = |sequence: Sequence| {
            let offset = usize::try_from(sequence.offset).unwrap_or(usize::MAX);
            (self.from + offset).saturating_sub(before.len())
        };
        let mut next = Next::After;
        let mut decode = |decoder: &mut LegacyDecoder, segment, incomplete, sink: &mut Sink| {
            let result = decoder.decode(segment, incomplete, sink, |sequence, _, sink| {
                let (start, len) = (start_of(sequence), sequence.len);
                let sequence = IllFormed { start, len, kind: "ill-formed sequence", incomplete };
                next = on_ill_formed.handle(sequence, data, sink);
                matches!(next, Next::After)
            });
            result.is_ok()
        };
        // An ill-formed sequence that appears only at the end is cut by it.
        let is_whole = decode(&mut decoder, &data[self.from..], false, sink)
            && (!self.last || decode(&mut decoder, &[], true, sink));
        if !is_whole {
            return match next {
                Next::From(from) => Ended::From(from),
                _ => Ended::Stopped,
            };
        }
        let mut end = data.len();
        if !self.last {
            // The decoder has the bytes of an incomplete sequence. Finishing it returns their
            // number.
            let _ = decoder.decode(&[], true, &mut Sink::default(), |sequence, _, _| {
                end = start_of(sequence);
                false
            });
        }
        Ended::Whole(end)
    }
}

/// Returns the text before a sequence that the end cuts. In UTF-8, two bytes of a surrogate are
/// such a sequence too: a handler may continue at the third.
pub(crate) fn complete(scheme: Scheme, text: &[u8]) -> &[u8] {
    let text = scheme.split_incomplete(text).0;
    match text {
        [whole @ .., 0xED, 0xA0..=0xBF] if scheme == Scheme::Utf8 => whole,
        _ => text,
    }
}

/// Returns true if unpaired surrogates are well-formed in `scheme`.
pub(crate) fn has_surrogates(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be)
}

/// Bytes that bring a new decoder of ISO-2022-JP into a state, by the number of the state: after an
/// escape sequence, and after a character that follows one. The first state is a new decoder's.
const SHIFTS: [&[u8]; 9] = [
    b"",
    b"\x1B(B",
    b"\x1B(Ba",
    b"\x1B(J",
    b"\x1B(Ja",
    b"\x1B(I",
    b"\x1B(I!",
    b"\x1B$B",
    b"\x1B$B!!",
];

/// Returns the number of the state in which a decoder is after `data`, and before it in `shift`: 0
/// for all but ISO-2022-JP.
pub(crate) fn shift(charset: Charset, shift: u8, data: &[u8]) -> u8 {
    if charset != Charset::Legacy(encoding_rs::ISO_2022_JP) || data.is_empty() {
        return shift;
    }
    let escapes: [(&[u8], u8); 5] = [(b"(B", 1), (b"(J", 3), (b"(I", 5), (b"$B", 7), (b"$@", 7)];
    let at_end = |end: usize| {
        let escape = data[..end].last_chunk::<3>().filter(|escape| escape[0] == 0x1B)?;
        escapes.iter().find(|(bytes, _)| escape[1..] == **bytes).map(|&(_, state)| state)
    };
    match (3..=data.len()).rev().find_map(|end| Some((end, at_end(end)?))) {
        Some((end, state)) if end == data.len() => state,
        Some((_, state)) => state + 1,
        // After a character, the state of an escape sequence is the one with a character.
        None => shift + shift % 2,
    }
}

/// Returns the ill-formed sequence of an error in data of `len` bytes.
pub(crate) fn ill_formed_from_error(error: Error, len: usize) -> IllFormed {
    let start = error.valid_up_to();
    IllFormed {
        start,
        len: error.error_len().unwrap_or(len - start),
        kind: error.kind().description(),
        incomplete: error.is_incomplete(),
    }
}
