//! Decodes and encodes text in legacy encodings (older than Unicode), row by row.

use encoding_rs::ISO_2022_JP;
use utflane::{IllFormed, Unmappable};
use utflane_charset::{
    EncodeStop, Legacy, LegacyDecoder, LegacyEncoder, Sequence, Sink, numeric_reference,
};

use crate::encoding::OnError;

/// The reason why bytes or a text could not be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The number of bytes before the ill-formed sequence or the character.
    pub(crate) offset: usize,
    /// The character that the encoding lacks; `None` if a sequence is ill-formed.
    pub(crate) character: Option<char>,
}

/// Decodes `bytes` and appends the text to `sink`. The contents of `sink` after a failure are
/// unspecified.
pub(crate) fn decode(
    encoding: Legacy,
    bytes: &[u8],
    on_error: OnError<IllFormed>,
    sink: &mut Sink,
) -> Result<(), Failure> {
    let mut decoder = LegacyDecoder::new(encoding);
    let result = decoder
        .decode(bytes, true, sink, |sequence, bytes, sink| repair(on_error, sequence, bytes, sink));
    result.map_err(|stopped| Failure { offset: stopped.sequence.offset as usize, character: None })
}

/// Appends the replacement of the ill-formed sequence `bytes`. Returns false if `on_error` is not a
/// repair.
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

/// The capacity in bytes that an encoder needs for any character.
const MAX_CHARACTER_BYTES: usize = 16;

/// Encodes `text` and appends the bytes to `out`. The contents of `out` after a failure are
/// unspecified.
pub(crate) fn encode(
    encoding: Legacy,
    text: &str,
    on_error: OnError<Unmappable>,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let is_iso_2022_jp = encoding == Legacy::MultiByte(ISO_2022_JP);
    if on_error == OnError::Repair(Unmappable::Skip) && is_iso_2022_jp {
        // Before it reports an unmappable character, the encoder writes the escape sequence to
        // ASCII. If no replacement follows, the next escape sequence follows directly, and decoders
        // report two adjacent escape sequences as an error.
        let mappable: String = text.chars().filter(|&c| encoding.has(c)).collect();
        return encode(encoding, &mappable, OnError::Error, out);
    }
    let mut encoder = LegacyEncoder::new(encoding);
    // The same encoder also encodes the replacement: the encoder has a state, and writes the escape
    // sequence to ASCII at the end.
    let (mut rest, mut replacement) = (text, String::new());
    let mut replacement_read = 0;
    loop {
        // `src` is the rest of the text, or the rest of a replacement.
        let is_text = replacement_read == replacement.len();
        let src = if is_text { rest } else { &replacement[replacement_read..] };
        let start = out.len();
        // Most characters have fewer bytes in these encodings than in UTF-8.
        out.resize(start + src.len() + MAX_CHARACTER_BYTES, 0);
        let progress = encoder.push(src, &mut out[start..], is_text);
        out.truncate(start + progress.written);
        if is_text {
            rest = &rest[progress.read..]
        } else {
            replacement_read += progress.read
        }
        let character = match progress.stop {
            EncodeStop::Done if is_text => return Ok(()),
            EncodeStop::Done | EncodeStop::OutputFull => continue,
            EncodeStop::Unmappable(character) => character,
        };
        let OnError::Repair(repair) = on_error else {
            let offset = text.len() - rest.len() - character.len_utf8();
            return Err(Failure { offset, character: Some(character) });
        };
        replacement_read = 0;
        replacement = match repair {
            Unmappable::Replace(c) => c.into(),
            Unmappable::NumericReference => numeric_reference(character),
            _ => String::new(),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIFT_JIS: Legacy = Legacy::MultiByte(encoding_rs::SHIFT_JIS);
    const JAPANESE: Legacy = Legacy::MultiByte(ISO_2022_JP);
    const GREEK: Legacy = Legacy::Page(&utflane::code_page::WINDOWS_1253);

    fn decode_to_string(encoding: Legacy, bytes: &[u8], on_error: OnError<IllFormed>) -> String {
        let mut sink = Sink::default();
        decode(encoding, bytes, on_error, &mut sink).expect("well-formed or repaired");
        String::from_utf8(sink.into_vec()).expect("UTF-8")
    }

    #[test]
    fn failures_have_an_offset() {
        let mut sink = Sink::default();
        let failed = decode(SHIFT_JIS, b"ab\x82\xA0\x82", OnError::Error, &mut sink);
        assert_eq!(failed, Err(Failure { offset: 4, character: None }));
        let failed = decode(GREEK, b"a\xD2b", OnError::Null, &mut sink);
        assert_eq!(failed, Err(Failure { offset: 1, character: None }));
        let mut out = Vec::new();
        let failed = encode(GREEK, "a€漢", OnError::Error, &mut out);
        assert_eq!(failed, Err(Failure { offset: 4, character: Some('漢') }));
        // ISO-2022-JP cannot encode U+001B, which begins its own escape sequences.
        let failed = encode(JAPANESE, "\x1Ba", OnError::Error, &mut out);
        assert_eq!(failed, Err(Failure { offset: 0, character: Some('\x1B') }));
    }

    #[test]
    fn each_repair_of_ill_formed_sequences() {
        let bytes = b"\xD2\xFFa\xD2";
        let repaired = |repair| decode_to_string(GREEK, bytes, OnError::Repair(repair));
        assert_eq!(repaired(IllFormed::REPLACE), "\u{FFFD}\u{FFFD}a\u{FFFD}");
        assert_eq!(repaired(IllFormed::Skip), "a");
        assert_eq!(repaired(IllFormed::Latin1), "ÒÿaÒ");
        assert_eq!(repaired(IllFormed::ReplaceRuns), "\u{FFFD}a\u{FFFD}");
    }

    #[test]
    fn repaired_iso_2022_jp_can_be_decoded() {
        let encoded = |on_error| {
            let mut out = Vec::new();
            encode(JAPANESE, "漢€字", on_error, &mut out).expect("all failures are repaired");
            out
        };
        let bytes = encoded(OnError::Repair(Unmappable::Replace('?')));
        assert_eq!(decode_to_string(JAPANESE, &bytes, OnError::Error), "漢?字");
        let bytes = encoded(OnError::Repair(Unmappable::NumericReference));
        assert_eq!(decode_to_string(JAPANESE, &bytes, OnError::Error), "漢&#8364;字");
        let bytes = encoded(OnError::Repair(Unmappable::Skip));
        assert_eq!(decode_to_string(JAPANESE, &bytes, OnError::Error), "漢字");
    }
}
