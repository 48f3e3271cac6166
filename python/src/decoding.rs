//! Decodes data, and calls a handler for each ill-formed sequence with its position.

use utflane::{ByteTranscoder, Error, Scheme, Stop};
use utflane_charset::{Charset, Legacy, LegacyDecoder, Sequence, Sink};

use crate::errors::IllFormed;

/// Where decoding continues after an ill-formed sequence.
pub(crate) enum Next {
    /// After the sequence.
    AfterSequence,
    /// At this byte offset of the data.
    At(usize),
    /// Decoding stops.
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

/// How [`Part::decode_some`] ended.
pub(crate) enum DecodeEnd {
    /// The data is decoded up to this byte offset, which is the end of the data or the start of an
    /// incomplete sequence.
    Complete(usize),
    /// The handler of an ill-formed sequence requires that decoding continues at this byte offset.
    ContinueAt(usize),
    /// The handler of an ill-formed sequence stopped the decoding.
    Stopped,
}

/// The part of the data that is decoded: from `start` to the end of the data.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) charset: Charset,
    /// The byte offset at which the part begins.
    pub(crate) start: usize,
    /// The state of ISO-2022-JP at `start`; see [`next_shift_state`].
    shift_state: u8,
    /// The state of ISO-2022-JP at the start of the data.
    initial_shift_state: u8,
    /// True if the end of the data is the end of the text. If not, an incomplete sequence at the
    /// end is not decoded.
    pub(crate) is_last_chunk: bool,
}

impl Part {
    /// Returns the part that begins at byte offset `start`, after a byte order mark if there is
    /// one. ISO-2022-JP has no mark, so `shift_state` is its state both at the start of the data
    /// and at `start`.
    pub(crate) fn new(
        charset: Charset,
        start: usize,
        shift_state: u8,
        is_last_chunk: bool,
    ) -> Self {
        Self { charset, start, shift_state, initial_shift_state: shift_state, is_last_chunk }
    }

    /// Returns the part that begins at byte offset `start` of the data that a handler put in place
    /// of the old data. The shift state stays, because it cannot be computed from the new data.
    pub(crate) fn with_start(self, start: usize) -> Self {
        Self { start, ..self }
    }

    /// Decodes `data` to UTF-8 in which surrogates have three bytes. Returns the byte offset up to
    /// which the data was read, or `None` if `on_ill_formed` stopped the decoding.
    pub(crate) fn decode(
        mut self,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> Option<usize> {
        loop {
            match self.decode_some(data, sink, on_ill_formed) {
                DecodeEnd::Complete(read) => return Some(read),
                DecodeEnd::ContinueAt(start) => self = self.restart_at(data, start),
                DecodeEnd::Stopped => return None,
            }
        }
    }

    /// Returns the part that begins at byte offset `start` of the same data. The shift state is
    /// computed from the bytes between the current start and `start`, or from all bytes before
    /// `start` if it is before the current start.
    pub(crate) fn restart_at(self, data: &[u8], start: usize) -> Self {
        let shift_state = match start.checked_sub(self.start) {
            Some(_) => next_shift_state(self.charset, self.shift_state, &data[self.start..start]),
            None => next_shift_state(self.charset, self.initial_shift_state, &data[..start]),
        };
        Self { shift_state, start, ..self }
    }

    /// Decodes until the end, or until `on_ill_formed` requires another position or stops.
    pub(crate) fn decode_some(
        self,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> DecodeEnd {
        match self.charset {
            Charset::Scheme(scheme) => self.decode_scheme(scheme, data, sink, on_ill_formed),
            Charset::Legacy(encoding) => {
                self.decode_legacy(LegacyDecoder::new(encoding), data, sink, on_ill_formed)
            }
        }
    }

    fn decode_scheme(
        self,
        scheme: Scheme,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> DecodeEnd {
        let input = &data[self.start..];
        let input = if self.is_last_chunk { input } else { without_incomplete(scheme, input) };
        let end = self.start + input.len();
        let target = if has_surrogates(scheme) { Scheme::Wtf8 } else { Scheme::Utf8 };
        let mut transcoder = ByteTranscoder::new(scheme, target);
        let (mut read, mut all_pushed) = (0, false);
        loop {
            let progress = match all_pushed {
                false => transcoder.push(&input[read..], sink.spare()),
                true => transcoder.finish(sink.spare()),
            };
            sink.advance(progress.written);
            read += if all_pushed { 0 } else { progress.read };
            match progress.stop {
                Stop::Done if all_pushed => return DecodeEnd::Complete(end),
                Stop::Done => all_pushed = true,
                Stop::OutputFull => sink.grow(),
                Stop::Error(error) => {
                    let start = self.start + usize::try_from(error.offset()).unwrap_or(usize::MAX);
                    let len = error.error_len();
                    let incomplete = len.is_none();
                    let kind = error.kind().description();
                    let sequence =
                        IllFormed { start, len: len.unwrap_or(end - start), kind, incomplete };
                    match on_ill_formed.handle(sequence, data, sink) {
                        // An incomplete sequence is at the end of the text.
                        Next::AfterSequence if incomplete => return DecodeEnd::Complete(end),
                        Next::AfterSequence => {}
                        Next::At(start) => return DecodeEnd::ContinueAt(start),
                        Next::Stop => return DecodeEnd::Stopped,
                    }
                }
            }
        }
    }

    fn decode_legacy(
        self,
        mut decoder: LegacyDecoder,
        data: &[u8],
        sink: &mut Sink,
        on_ill_formed: &mut impl OnIllFormed,
    ) -> DecodeEnd {
        // These bytes only set the state of the decoder. Their text is not part of the result.
        let shift_prefix = SHIFT_PREFIXES[usize::from(self.shift_state)];
        let _ = decoder.decode(shift_prefix, false, &mut Sink::default(), |_, _, _| true);
        let sequence_start = |sequence: Sequence| {
            let offset = usize::try_from(sequence.offset).unwrap_or(usize::MAX);
            (self.start + offset).saturating_sub(shift_prefix.len())
        };
        let mut next = Next::AfterSequence;
        let mut decode = |decoder: &mut LegacyDecoder, segment, is_end, sink: &mut Sink| {
            let result = decoder.decode(segment, is_end, sink, |sequence, _, sink| {
                let (start, len) = (sequence_start(sequence), sequence.len);
                let kind = "ill-formed sequence";
                let sequence = IllFormed { start, len, kind, incomplete: is_end };
                next = on_ill_formed.handle(sequence, data, sink);
                matches!(next, Next::AfterSequence)
            });
            result.is_ok()
        };
        // The second call ends the text. A sequence that only this call reports is incomplete.
        let is_complete = decode(&mut decoder, &data[self.start..], false, sink)
            && (!self.is_last_chunk || decode(&mut decoder, &[], true, sink));
        if !is_complete {
            return match next {
                Next::At(start) => DecodeEnd::ContinueAt(start),
                _ => DecodeEnd::Stopped,
            };
        }
        let mut end = data.len();
        if !self.is_last_chunk {
            // The decoder keeps the bytes of an incomplete sequence. Ending the text reports this
            // sequence and where it starts.
            let _ = decoder.decode(&[], true, &mut Sink::default(), |sequence, _, _| {
                end = sequence_start(sequence);
                false
            });
        }
        DecodeEnd::Complete(end)
    }
}

/// Returns the text without an incomplete sequence at its end. In UTF-8, the first two bytes of a
/// surrogate count as incomplete too, because Python's handler `surrogatepass` needs all three.
pub(crate) fn without_incomplete(scheme: Scheme, text: &[u8]) -> &[u8] {
    let text = scheme.split_incomplete(text).0;
    match text {
        [complete @ .., 0xED, 0xA0..=0xBF] if scheme == Scheme::Utf8 => complete,
        _ => text,
    }
}

/// Returns true if unpaired surrogates are well-formed in `scheme`.
pub(crate) fn has_surrogates(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::Wtf8 | Scheme::Wtf16Le | Scheme::Wtf16Be)
}

/// The bytes that bring a new decoder of ISO-2022-JP into a state, indexed by the number of the
/// state. State 0 is the state of a new decoder. An odd number is a state directly after an escape
/// sequence. The next even number is the state after a character that follows this escape sequence.
const SHIFT_PREFIXES: [&[u8]; 9] = [
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

/// Returns the number of the state in which a decoder of ISO-2022-JP is after `data`, if it is in
/// `shift_state` before `data`. For other encodings, returns `shift_state`.
pub(crate) fn next_shift_state(charset: Charset, shift_state: u8, data: &[u8]) -> u8 {
    if charset != Charset::Legacy(Legacy::MultiByte(encoding_rs::ISO_2022_JP)) || data.is_empty() {
        return shift_state;
    }
    let escapes: [(&[u8], u8); 5] = [(b"(B", 1), (b"(J", 3), (b"(I", 5), (b"$B", 7), (b"$@", 7)];
    let state_of_escape_before = |end: usize| {
        let escape = data[..end].last_chunk::<3>().filter(|escape| escape[0] == 0x1B)?;
        escapes.iter().find(|(bytes, _)| escape[1..] == **bytes).map(|&(_, state)| state)
    };
    match (3..=data.len()).rev().find_map(|end| Some((end, state_of_escape_before(end)?))) {
        Some((end, state)) if end == data.len() => state,
        Some((_, state)) => state + 1,
        // `data` has characters and no escape sequence, so an odd state becomes the next even
        // state.
        None => shift_state + shift_state % 2,
    }
}

/// Returns the ill-formed sequence that `error` reports in data of `data_len` bytes.
pub(crate) fn ill_formed_from_error(error: Error, data_len: usize) -> IllFormed {
    let start = error.valid_up_to();
    IllFormed {
        start,
        len: error.error_len().unwrap_or(data_len - start),
        kind: error.kind().description(),
        incomplete: error.is_incomplete(),
    }
}
