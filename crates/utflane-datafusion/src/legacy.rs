//! Text in encodings from before Unicode, row by row: `encoding_rs` decodes and encodes it.

use encoding_rs::{EncoderResult, Encoding};
use utflane::{IllFormed, Unmappable};
use utflane_charset::{LegacyDecoder, Sequence, Sink};

use crate::encoding::OnError;

/// The reason why bytes or a text could not be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The bytes before it.
    pub(crate) offset: usize,
    /// The character that the encoding lacks; `None` where bytes are ill-formed.
    pub(crate) character: Option<char>,
}

/// Appends the text of `bytes` to `sink`. The contents of `sink` after a failure are unspecified.
pub(crate) fn decode(
    encoding: &'static Encoding,
    bytes: &[u8],
    on_error: OnError<IllFormed>,
    sink: &mut Sink,
) -> Result<(), Failure> {
    let mut decoder = LegacyDecoder::new(encoding);
    let result = decoder
        .decode(bytes, true, sink, |sequence, bytes, sink| repair(on_error, sequence, bytes, sink));
    result.map_err(|stopped| Failure { offset: stopped.sequence.offset as usize, character: None })
}

/// Appends the replacement of an ill-formed sequence, `bytes`. Returns true if it is repaired.
pub(crate) fn repair(
    on_error: OnError<IllFormed>,
    sequence: Sequence,
    bytes: &[u8],
    sink: &mut Sink,
) -> bool {
    let OnError::Repair(repair) = on_error else { return false };
    let mut push = |c: char| sink.push(c.encode_utf8(&mut [0; 4]).as_bytes());
    match repair {
        IllFormed::Replace(c) => push(c),
        IllFormed::Skip => {}
        IllFormed::Latin1 => bytes.iter().for_each(|&byte| push(char::from(byte))),
        IllFormed::ReplaceRuns if sequence.follows => {}
        _ => push(char::REPLACEMENT_CHARACTER),
    }
    true
}

/// Appends the bytes of `text` to `out`. The contents of `out` after a failure are unspecified.
pub(crate) fn encode(
    encoding: &'static Encoding,
    text: &str,
    on_error: OnError<Unmappable>,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    if on_error == OnError::Repair(Unmappable::Skip) && encoding == encoding_rs::ISO_2022_JP {
        // The encoder has led back to ASCII before it fails. If nothing is written there, an escape
        // sequence follows another, which decoders report as an error.
        let is_mappable = |c: &char| !encoding.encode(c.encode_utf8(&mut [0; 4])).2;
        let mappable: String = text.chars().filter(is_mappable).collect();
        return encode(encoding, &mappable, OnError::Error, out);
    }
    let mut encoder = encoding.new_encoder();
    // A replacement is encoded too: the encoder has a state, and writes the escape sequence back to
    // ASCII.
    let (mut rest, mut replacement) = (text, String::new());
    let mut at = 0;
    loop {
        let last = at == replacement.len();
        let src = if last { rest } else { &replacement[at..] };
        let room = encoder.max_buffer_length_from_utf8_without_replacement(src.len());
        out.reserve(room.unwrap_or(src.len()).max(16));
        let (result, taken) = encoder.encode_from_utf8_to_vec_without_replacement(src, out, last);
        if last {
            rest = &rest[taken..]
        } else {
            at += taken
        }
        let character = match result {
            EncoderResult::InputEmpty if last => return Ok(()),
            EncoderResult::InputEmpty | EncoderResult::OutputFull => continue,
            EncoderResult::Unmappable(character) => character,
        };
        let OnError::Repair(repair) = on_error else {
            let offset = text.len() - rest.len() - character.len_utf8();
            return Err(Failure { offset, character: Some(character) });
        };
        at = 0;
        replacement = match repair {
            Unmappable::Replace(c) => c.into(),
            Unmappable::NumericReference => format!("&#{};", u32::from(character)),
            _ => String::new(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: &'static Encoding, bytes: &[u8], on_error: OnError<IllFormed>) -> String {
        let mut sink = Sink::default();
        decode(encoding, bytes, on_error, &mut sink).expect("repaired");
        String::from_utf8(sink.into_vec()).expect("UTF-8")
    }

    #[test]
    fn failures_have_their_place() {
        let mut sink = Sink::default();
        let failed = decode(encoding_rs::SHIFT_JIS, b"ab\x82\xA0\x82", OnError::Error, &mut sink);
        assert_eq!(failed, Err(Failure { offset: 4, character: None }));
        let failed = decode(encoding_rs::WINDOWS_1253, b"a\xD2b", OnError::Null, &mut sink);
        assert_eq!(failed, Err(Failure { offset: 1, character: None }));
        let mut out = Vec::new();
        let failed = encode(encoding_rs::WINDOWS_1252, "a€漢", OnError::Error, &mut out);
        assert_eq!(failed, Err(Failure { offset: 4, character: Some('漢') }));
    }

    #[test]
    fn repairs() {
        let bytes = b"\xD2\xFFa\xD2";
        let repaired = |repair| decoded(encoding_rs::WINDOWS_1253, bytes, OnError::Repair(repair));
        assert_eq!(repaired(IllFormed::REPLACE), "\u{FFFD}\u{FFFD}a\u{FFFD}");
        assert_eq!(repaired(IllFormed::Skip), "a");
        assert_eq!(repaired(IllFormed::Latin1), "ÒÿaÒ");
        assert_eq!(repaired(IllFormed::ReplaceRuns), "\u{FFFD}a\u{FFFD}");
    }

    #[test]
    fn a_stateful_encoding_leads_back_to_ascii() {
        let encoded = |on_error| {
            let mut out = Vec::new();
            encode(encoding_rs::ISO_2022_JP, "漢€字", on_error, &mut out).expect("repaired");
            out
        };
        let bytes = encoded(OnError::Repair(Unmappable::Replace('?')));
        assert_eq!(decoded(encoding_rs::ISO_2022_JP, &bytes, OnError::Error), "漢?字");
        let bytes = encoded(OnError::Repair(Unmappable::NumericReference));
        assert_eq!(decoded(encoding_rs::ISO_2022_JP, &bytes, OnError::Error), "漢&#8364;字");
        let bytes = encoded(OnError::Repair(Unmappable::Skip));
        assert_eq!(decoded(encoding_rs::ISO_2022_JP, &bytes, OnError::Error), "漢字");
    }
}
