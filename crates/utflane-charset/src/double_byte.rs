//! Encodes UTF-16 in the multi-byte encodings without a state. Most of their characters have one or
//! two bytes, so a table has the bytes of each code unit. It is filled by `encoding_rs`, which
//! encodes each character when it occurs for the first time, and always the others: those beyond
//! U+FFFF, and those with four bytes in GB18030.
//!
//! The loop takes about a fifth of the time of `encoding_rs`, which searches in several tables.

use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use encoding_rs::{BIG5, EUC_JP, EUC_KR, EncoderResult, Encoding, GB18030, GBK, SHIFT_JIS};
use utflane::{Utf8, Utf16Le, transcode_into};

/// The encodings that have a table.
static ENCODINGS: [&Encoding; 6] = [BIG5, EUC_JP, EUC_KR, GB18030, GBK, SHIFT_JIS];
static TABLES: [EncodeTable; 6] =
    [const { EncodeTable([const { AtomicU16::new(0) }; 0x1_0000]) }; 6];

/// The number of code units that are encoded at once.
const CHUNK_UNITS: usize = 1024;
/// Like [`CHUNK_UNITS`], for the first chunk of a call. Each unmappable character ends a call, and
/// the units after it have been converted in vain.
const FIRST_CHUNK_UNITS: usize = 64;

/// For each code unit, its one or two bytes, the first of them in the lower half. 0 if the unit has
/// not occurred yet, if the encoding lacks the character or has more bytes for it, and for
/// surrogates and U+0000.
pub(crate) struct EncodeTable([AtomicU16; 0x1_0000]);

impl EncodeTable {
    /// Returns the table of `encoding`, if it has one.
    pub(crate) fn of(encoding: &'static Encoding) -> Option<&'static Self> {
        let at = ENCODINGS.iter().position(|&listed| listed == encoding)?;
        Some(&TABLES[at])
    }

    /// Encodes units up to the first that the table lacks or whose bytes may not fit into `dst`.
    /// Returns the numbers of units read and of bytes written.
    fn encode_listed(&self, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        for &unit in units {
            let bytes = self.0[usize::from(u16::from_le_bytes(unit))].load(Relaxed);
            let slot = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut);
            let Some(slot) = slot.filter(|_| bytes != 0) else { break };
            // Two bytes are stored even for a character of one byte. The next character
            // overwrites the second.
            *slot = bytes.to_le_bytes();
            written += 1 + usize::from(bytes > 0xFF);
            read += 1;
        }
        (read, written)
    }

    /// Encodes well-formed UTF-16LE. Returns the reason why encoding stopped, and the numbers of
    /// bytes read and written, as `encoding_rs` does.
    fn encode(
        &self,
        encoding: &'static Encoding,
        units: &[u8],
        dst: &mut [u8],
    ) -> (EncoderResult, usize, usize) {
        let mut encoder = encoding.new_encoder();
        let units = units.as_chunks().0;
        let (mut read, mut written) = (0, 0);
        let result = loop {
            let (units_read, bytes) = self.encode_listed(&units[read..], &mut dst[written..]);
            (read, written) = (read + units_read, written + bytes);
            let rest = units[read..].iter().map(|&unit| u16::from_le_bytes(unit));
            let Some(c) = char::decode_utf16(rest).next() else { break EncoderResult::InputEmpty };
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            let (mut utf8, dst) = ([0; 4], &mut dst[written..]);
            let text = c.encode_utf8(&mut utf8);
            let (result, _, bytes) = encoder.encode_from_utf8_without_replacement(text, dst, false);
            if result == EncoderResult::OutputFull {
                break result;
            }
            (read, written) = (read + c.len_utf16(), written + bytes);
            if result != EncoderResult::InputEmpty {
                break EncoderResult::Unmappable(c);
            }
            let bytes = match dst[..bytes] {
                [first] => [first, 0],
                [first, second] => [first, second],
                _ => continue,
            };
            if let Ok(unit) = u16::try_from(u32::from(c)) {
                self.0[usize::from(unit)].store(u16::from_le_bytes(bytes), Relaxed);
            }
        };
        (result, 2 * read, written)
    }

    /// Encodes a text as `Encoder::encode_from_utf8_without_replacement` does.
    pub(crate) fn push(
        &self,
        encoding: &'static Encoding,
        text: &str,
        dst: &mut [u8],
    ) -> (EncoderResult, usize, usize) {
        let mut units = [0; 2 * CHUNK_UNITS];
        let mut chunk_len = 2 * FIRST_CHUNK_UNITS;
        let (mut read, mut written, mut result) = (0, 0, EncoderResult::InputEmpty);
        while read < text.len() && result == EncoderResult::InputEmpty {
            let (rest, chunk) = (&text.as_bytes()[read..], &mut units[..chunk_len]);
            let units_len = transcode_into::<Utf8, Utf16Le>(rest, chunk).written;
            chunk_len = units.len();
            let (units_read, bytes);
            (result, units_read, bytes) =
                self.encode(encoding, &units[..units_len], &mut dst[written..]);
            read += utflane::len::<Utf16Le, Utf8>(&units[..units_read]);
            written += bytes;
        }
        (result, read, written)
    }
}

/// Encodes a whole text in well-formed UTF-16LE. Returns `None` if `encoding` lacks one of its
/// characters or has no table.
pub(crate) fn encode_utf16le(encoding: &'static Encoding, units: &[u8]) -> Option<Vec<u8>> {
    let table = EncodeTable::of(encoding)?;
    let capacity =
        encoding.new_encoder().max_buffer_length_from_utf16_without_replacement(units.len() / 2)?;
    let mut dst = vec![0; capacity];
    let (result, _, written) = table.encode(encoding, units, &mut dst);
    dst.truncate(written);
    (result == EncoderResult::InputEmpty).then_some(dst)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes the text in UTF-8 by `encoding_rs`, with `?` for each unmappable character.
    fn expected(encoding: &'static Encoding, text: &str) -> (Vec<u8>, Vec<char>) {
        let (mut bytes, mut unmappable) = (Vec::new(), Vec::new());
        for c in text.chars() {
            match encoding.encode(c.encode_utf8(&mut [0; 4])) {
                (encoded, _, false) => bytes.extend_from_slice(&encoded),
                _ => {
                    unmappable.push(c);
                    bytes.push(b'?');
                }
            }
        }
        (bytes, unmappable)
    }

    #[test]
    fn every_character_is_encoded_as_by_encoding_rs() {
        // Most of those that only GB18030 has are not tried: `encoding_rs` searches long for them.
        let is_tried = |&c: &char| {
            let is_usual = matches!(c, '\0'..='\u{9FFF}' | '\u{AC00}'..='\u{FFFF}');
            is_usual || u32::from(c).is_multiple_of(61)
        };
        let text: String = ('\0'..='\u{2FFFF}').filter(is_tried).collect();
        for encoding in ENCODINGS {
            let table = EncodeTable::of(encoding).expect("it is listed");
            let (expected_bytes, expected_unmappable) = expected(encoding, &text);
            // The output is long, or there is hardly capacity for a character.
            for capacity in [4096, 17] {
                let (mut rest, mut bytes, mut unmappable) = (&*text, Vec::new(), Vec::new());
                loop {
                    let mut dst = vec![0xEE; capacity];
                    let (result, read, written) = table.push(encoding, rest, &mut dst);
                    rest = &rest[read..];
                    bytes.extend_from_slice(&dst[..written]);
                    match result {
                        EncoderResult::InputEmpty => break,
                        EncoderResult::OutputFull => assert!(written > capacity - 16),
                        EncoderResult::Unmappable(c) => {
                            unmappable.push(c);
                            bytes.push(b'?');
                        }
                    }
                }
                assert!(bytes == expected_bytes, "{encoding:?}");
                assert!(unmappable == expected_unmappable, "{encoding:?}");
            }
            let mappable: String =
                text.chars().filter(|c| !expected_unmappable.contains(c)).collect();
            let units: Vec<u8> = mappable.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let encoded = encode_utf16le(encoding, &units).expect("all are mappable");
            assert!(encoded == *encoding.encode(&mappable).0, "{encoding:?}");
        }
    }

    #[test]
    fn texts_that_are_not_encoded_as_a_whole() {
        let units =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        assert_eq!(encode_utf16le(EUC_KR, &units("한é")), None);
        assert_eq!(encode_utf16le(EUC_KR, &units("한😀")), None);
        assert_eq!(encode_utf16le(encoding_rs::ISO_2022_JP, &units("漢")), None);
    }
}
