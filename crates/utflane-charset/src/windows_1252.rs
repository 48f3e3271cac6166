//! Decodes windows-1252, the most usual encoding from before Unicode. It differs from Latin-1 only
//! in the bytes 0x80..=0x9F, so the library's vector code decodes blocks without these bytes.

use encoding_rs::{Decoder, DecoderResult};
use utflane::{Latin1, Stop, Utf8, transcode_into};

/// The number of bytes of a block. If bytes of 0x80..=0x9F are frequent, most blocks contain one,
/// and `encoding_rs` decodes these blocks together.
const BLOCK_BYTES: usize = 64;

/// Returns true if the block means the same text in Latin-1.
fn is_latin1(block: &[u8]) -> bool {
    // There is no branch for each byte, so that the compiler can use vector instructions.
    !block.iter().fold(false, |any, byte| any | (byte & 0xE0 == 0x80))
}

/// Returns the length in bytes of the run of blocks at the start of `bytes` for which [`is_latin1`]
/// is the same, and this result.
fn find_run(bytes: &[u8]) -> (usize, bool) {
    let mut blocks = bytes.chunks(BLOCK_BYTES);
    let first = blocks.next().unwrap_or_default();
    let first_is_latin1 = is_latin1(first);
    let run = blocks.take_while(|block| is_latin1(block) == first_is_latin1);
    (run.fold(first.len(), |len, block| len + block.len()), first_is_latin1)
}

/// Decodes to UTF-8 as far as the output's capacity allows. Returns the reason why decoding
/// stopped, and the number of bytes read and written. There are no errors: all bytes are
/// characters.
pub(crate) fn decode(
    decoder: &mut Decoder,
    bytes: &[u8],
    dst: &mut [u8],
) -> (DecoderResult, usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < bytes.len() {
        let (len, is_latin1) = find_run(&bytes[read..]);
        let (run, out) = (&bytes[read..read + len], &mut dst[written..]);
        let (newly_read, newly_written, is_full) = if is_latin1 {
            let progress = transcode_into::<Latin1, Utf8>(run, out);
            (progress.read, progress.written, progress.stop != Stop::Done)
        } else {
            let (result, read, written) =
                decoder.decode_to_utf8_without_replacement(run, out, false);
            (read, written, result != DecoderResult::InputEmpty)
        };
        read += newly_read;
        written += newly_written;
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
    fn every_byte_is_decoded_as_by_encoding_rs() {
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
    fn no_character_is_lost_if_the_output_is_full() {
        let bytes = [&b"a\x80\xE9\x9Fbc\x81\xFF\x99"[..], &[0xE9; 80], b"\x80\x80z"].concat();
        let expected = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0;
        for capacity in 0..=expected.len() + 8 {
            let mut decoder = encoding_rs::WINDOWS_1252.new_decoder_without_bom_handling();
            let mut dst = vec![0; capacity];
            let (result, read, written) = decode(&mut decoder, &bytes, &mut dst);
            let text = str::from_utf8(&dst[..written]).expect("the output is UTF-8");
            assert!(expected.starts_with(text));
            assert_eq!(read, text.chars().count());
            assert_eq!(result == DecoderResult::InputEmpty, text == expected);
            // `encoding_rs` requires capacity for a few characters more than it writes.
            assert!(written + 8 >= capacity.min(expected.len()), "{written} of {capacity}");
        }
    }
}
