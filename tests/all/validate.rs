//! Tests of validation, compared with the standard library: every encoding, short texts of all
//! kinds, and every length at every alignment.

use crate::common::api::{codec_named, codecs};
use crate::common::carriers::{CLASS_BOUNDARY_BYTES, sequences};
use crate::common::checks::check_validate;
use crate::common::oracle::encode_all;
use crate::common::pairs::pair_named;
use crate::common::{carriers, sampled, sampled_if_slow};
use utflane::{Ascii, Kernel, Utf8};

#[test]
fn empty_texts_are_well_formed() {
    for codec in codecs() {
        check_validate(codec, &[]);
    }
}

#[test]
fn short_sequences_alone() {
    for codec in codecs() {
        for sequence in sampled_if_slow("sequences", sequences(codec.scheme).iter()) {
            check_validate(codec, sequence);
        }
    }
}

#[test]
fn sequences_truncated_at_every_byte() {
    for codec in codecs().iter().filter(|codec| codec.element_bytes == 1) {
        for sequence in sequences(codec.scheme) {
            for end in sampled_if_slow("ends", 0..sequence.len()) {
                check_validate(codec, &sequence[..end]);
            }
        }
    }
}

#[test]
fn all_strings_of_one_and_two_bytes() {
    for codec in codecs().iter().filter(|codec| codec.element_bytes == 1) {
        for first in sampled("first bytes", 0..=255) {
            check_validate(codec, &[first]);
            for second in 0..=255 {
                check_validate(codec, &[first, second]);
            }
        }
    }
}

#[test]
fn all_strings_of_four_boundary_bytes() {
    let utf8 = codec_named("Utf8");
    let count = CLASS_BOUNDARY_BYTES.len();
    for number in sampled("strings of boundary bytes", 0..count.pow(4)) {
        let string: [u8; 4] =
            std::array::from_fn(|i| CLASS_BOUNDARY_BYTES[number / count.pow(i as u32) % count]);
        check_validate(utf8, &string);
    }
}

/// Texts of 0 to 300 bytes at alignments 0 to 63, with characters of each length. In each text one
/// byte is replaced by a byte of [`CLASS_BOUNDARY_BYTES`], at three offsets in turn. The offsets
/// change from text to text, so that together they cover all offsets.
#[test]
fn lengths_and_alignments_with_one_byte_replaced() {
    let mut counter = 0;
    for width in 1..=4 {
        let text = carriers::embedded(utflane::Scheme::Utf8, width, char::MAX, 192, b"");
        let text = [&text[..], &text[..]].concat();
        let mut buffer = vec![0; 64 + 300];
        for len in sampled("lengths", 0..=300) {
            for offset in 0..64 {
                let src = &mut buffer[offset..][..len];
                src.copy_from_slice(&text[..len]);
                check_utf8(src);
                for _ in 0..3.min(len) {
                    counter += 1;
                    let at = counter * 31 % len;
                    let original = std::mem::replace(
                        &mut src[at],
                        CLASS_BOUNDARY_BYTES[counter % CLASS_BOUNDARY_BYTES.len()],
                    );
                    check_utf8(src);
                    src[at] = original;
                }
            }
        }
    }
}

/// Texts of 0 to 300 bytes, in which each byte in turn is replaced by each boundary byte.
#[test]
#[ignore = "long: replaces every byte of every length by every boundary byte"]
fn lengths_with_every_byte_replaced_by_every_boundary_byte() {
    for width in 1..=4 {
        let text = carriers::embedded(utflane::Scheme::Utf8, width, char::MAX, 192, b"");
        let text = [&text[..], &text[..]].concat();
        for len in sampled("lengths", 0..=300) {
            let mut src = text[..len].to_vec();
            for at in 0..len {
                for byte in CLASS_BOUNDARY_BYTES {
                    let original = std::mem::replace(&mut src[at], byte);
                    check_utf8(&src);
                    src[at] = original;
                }
            }
        }
    }
}

/// The byte at every offset of every length is replaced by a boundary byte. The boundary byte and
/// the alignment of the text change from offset to offset.
#[test]
fn errors_at_every_offset() {
    let mut counter = 0;
    let mut buffer = vec![0; 64 + 300];
    for width in 1..=4 {
        let text = carriers::embedded(utflane::Scheme::Utf8, width, char::MAX, 192, b"");
        let text = [&text[..], &text[..]].concat();
        for len in sampled("lengths", 0..=300) {
            for at in 0..len {
                counter += 1;
                let src = &mut buffer[counter % 64..][..len];
                src.copy_from_slice(&text[..len]);
                src[at] = CLASS_BOUNDARY_BYTES[counter % CLASS_BOUNDARY_BYTES.len()];
                check_utf8(src);
            }
        }
    }
}

/// ASCII texts of every length at every alignment: unchanged, and with non-ASCII bytes at two
/// offsets. Over all lengths, these cover every offset.
#[test]
fn ascii_with_errors_at_every_offset() {
    let mut buffer = [b'a'; 64 + 700];
    for len in sampled("lengths", 0..=700) {
        for offset in 0..64 {
            let src = &mut buffer[offset..][..len];
            check_ascii(src, None);
            // Up to 200 bytes, each length may have separate code, so every offset is tested; in
            // longer texts only some offsets.
            let step = if len <= 200 { 1 } else { 29 };
            for at in (offset % step..len).step_by(step) {
                // Of two non-ASCII bytes, the first is the error.
                let second = (at + 1 + offset) % len;
                src[at] = 0x80;
                check_ascii(src, Some(at));
                src[second] = 0xFF;
                check_ascii(src, Some(at.min(second)));
                src[at] = b'a';
                src[second] = b'a';
            }
        }
    }
}

/// One non-ASCII byte, at every offset of every length. This set always runs in full, even if
/// only a share of other sets is run.
#[test]
fn one_error_in_ascii() {
    let mut src = [b'a'; 330];
    for len in 0..=src.len() {
        for at in 0..len {
            src[at] = 0x80;
            check_ascii(&src[..len], Some(at));
            for kernel in Kernel::available() {
                let error = kernel.validate::<Utf8>(&src[..len]).expect_err("a continuation byte");
                assert_eq!(error.valid_up_to(), at, "{kernel}, {len} bytes");
            }
            src[at] = b'a';
        }
    }
}

/// Checks that validation as ASCII finds its error at offset `want`, on every kernel and by the
/// free function.
fn check_ascii(src: &[u8], want: Option<usize>) {
    let valid_up_to = |result: Result<(), utflane::Error>| result.err().map(|e| e.valid_up_to());
    for kernel in Kernel::available() {
        assert_eq!(valid_up_to(kernel.validate::<Ascii>(src)), want, "{kernel} on {src:02X?}");
    }
    assert_eq!(valid_up_to(utflane::validate::<Ascii>(src)), want, "{src:02X?}");
}

/// Checks the offset and the length of the error that UTF-8 validation returns, on every kernel and
/// by the free function. This is the fast part of [`check_validate`].
fn check_utf8(src: &[u8]) {
    let want = core::str::from_utf8(src).map(drop).map_err(|e| (e.valid_up_to(), e.error_len()));
    for kernel in Kernel::available() {
        let got = kernel.validate::<Utf8>(src).map_err(|e| (e.valid_up_to(), e.error_len()));
        assert_eq!(got, want, "{kernel} on {src:02X?}");
    }
    let got = utflane::validate::<Utf8>(src).map_err(|e| (e.valid_up_to(), e.error_len()));
    assert_eq!(got, want, "{src:02X?}");
}

/// Errors in long texts, at every offset near the boundaries of blocks and of the groups of
/// blocks that validation checks together.
#[test]
fn errors_in_long_texts() {
    for codec in codecs() {
        let last = carriers::last_common_char(pair_named(codec.name, codec.name));
        let text = encode_all(codec.scheme, carriers::sample_chars(last, 3000, 7));
        let sequences = sequences(codec.scheme);
        let unit = codec.scheme.unit_size();
        for boundary in [64, 128, 512, 576, 1024, 2048, 4096] {
            for at in (boundary - 8..boundary + 8).filter(|at| at * unit + 64 < text.len()) {
                for sequence in sampled("sequences", sequences.iter().skip(at % 7).step_by(7)) {
                    let mut src = text[..text.len().min(at * unit + 700)].to_vec();
                    src[at * unit..][..sequence.len()].copy_from_slice(sequence);
                    check_validate(codec, &src);
                }
            }
        }
    }
}
