//! windows-1252, the most usual of the encodings from before Unicode. It is Latin-1 except for
//! bytes `80..=9F`, so the library's vector code decodes where these are not.

use encoding_rs::{Decoder, DecoderResult};
use utflane::{Latin1, Stop, Utf8, transcode_into};

/// Bytes that are tried at once. Where signs are frequent, most blocks have one, and `encoding_rs`
/// decodes all of them.
const BLOCK: usize = 64;

/// Returns true if Latin-1 has the same characters.
fn is_latin1(block: &[u8]) -> bool {
    // Without a branch for each byte, the compiler has vectors for it.
    !block.iter().fold(false, |any, byte| any | (byte & 0xE0 == 0x80))
}

/// The length of the blocks with which `bytes` begin, and which are all Latin-1 or all not.
fn run(bytes: &[u8]) -> (usize, bool) {
    let mut blocks = bytes.chunks(BLOCK);
    let first = blocks.next().unwrap_or_default();
    let kind = is_latin1(first);
    let same = blocks.take_while(|block| is_latin1(block) == kind);
    (same.fold(first.len(), |len, block| len + block.len()), kind)
}

/// Decodes to UTF-8 as far as the output's capacity allows. Returns the reason why it ended, and
/// the bytes read and written. All bytes have a character.
pub(crate) fn decode(
    decoder: &mut Decoder,
    bytes: &[u8],
    dst: &mut [u8],
) -> (DecoderResult, usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < bytes.len() {
        let (len, is_latin1) = run(&bytes[read..]);
        let (run, out) = (&bytes[read..read + len], &mut dst[written..]);
        let (passed, more, is_full) = if is_latin1 {
            let progress = transcode_into::<Latin1, Utf8>(run, out);
            (progress.read, progress.written, progress.stop != Stop::Done)
        } else {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(run, out, false);
            (read, written, result != DecoderResult::InputEmpty)
        };
        read += passed;
        written += more;
        if is_full {
            return (DecoderResult::OutputFull, read, written);
        }
    }
    (DecoderResult::InputEmpty, read, written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_that_of_encoding_rs() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        for padding in [0, 1, 31, 32, 33, 64] {
            let bytes = [&vec![b'a'; padding][..], &all, &vec![0xE9; padding]].concat();
            let expected = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0;
            let mut dst = vec![0; 3 * bytes.len()];
            let mut decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
            let (result, read, written) = decode(&mut decoder, &bytes, &mut dst);
            assert_eq!((result, read), (DecoderResult::InputEmpty, bytes.len()));
            assert_eq!(&dst[..written], expected.as_bytes());
        }
    }

    #[test]
    fn no_character_is_lost_where_the_room_ends() {
        let bytes = [&b"a\x80\xE9\x9Fbc\x81\xFF\x99"[..], &[0xE9; 80], b"\x80\x80z"].concat();
        let expected = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0;
        for capacity in 0..=expected.len() + 8 {
            let mut decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
            let mut dst = vec![0; capacity];
            let (result, read, written) = decode(&mut decoder, &bytes, &mut dst);
            let text = str::from_utf8(&dst[..written]).expect("UTF-8");
            assert!(expected.starts_with(text));
            assert_eq!(read, text.chars().count());
            assert_eq!(result == DecoderResult::InputEmpty, text == expected);
            // encoding_rs requires capacity for a few characters more.
            assert!(written + 8 >= capacity.min(expected.len()), "{written} of {capacity}");
        }
    }
}
