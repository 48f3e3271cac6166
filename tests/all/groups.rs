//! UTF-8 of a few KiB is validated in groups of eight blocks. Validation first finds the blocks
//! that are not ASCII, and chooses the check of a group by its largest byte. Here the blocks of a
//! text are of different kinds, characters cross the boundaries of blocks and groups, and errors
//! are at every kind of offset.
//!
//! Texts of up to 1 KiB that begin with ASCII are checked without tables up to their first
//! three-byte character.

use crate::common::api::{Api, Codec, codecs};
use crate::common::{subset, subset_if_slow};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The length of a block, in bytes.
const BLOCK: usize = 64;
/// The length of a group, in bytes.
const GROUP: usize = 8 * BLOCK;

/// Asserts that validation on every kernel agrees with the standard library.
fn check_validation(codec: &Codec, src: &[u8]) {
    let want = std::str::from_utf8(src).map_err(|error| (error.valid_up_to(), error.error_len()));
    for &api in Api::all() {
        let got =
            (codec.validate)(api, src).map_err(|error| (error.valid_up_to(), error.error_len()));
        assert_eq!(got, want.map(|_| ()), "{api:?} of {} bytes, {src:02X?}", src.len());
        assert_eq!((codec.is_valid)(api, src), want.is_ok(), "is_valid, {api:?} of {src:02X?}");
    }
}

/// Returns the functions for UTF-8.
fn utf8_codec() -> &'static Codec {
    codecs().iter().find(|codec| codec.name == "Utf8").expect("UTF-8 is an encoding")
}

/// Returns a text of about `blocks` blocks. `choose_kind` chooses the kind of each block: 0 or 1
/// for ASCII, 2 to 4 for ASCII and characters of at most that many bytes.
fn random_text(
    blocks: usize,
    rng: &mut StdRng,
    mut choose_kind: impl FnMut(&mut StdRng) -> usize,
) -> Vec<u8> {
    let mut text = String::new();
    while text.len() < blocks * BLOCK {
        let end = (text.len() / BLOCK + 1) * BLOCK;
        let max_width = choose_kind(rng);
        while text.len() < end {
            text.push(match rng.random_range(0..max_width + 1) {
                0 | 1 => 'x',
                2 => ['\u{80}', 'é', '\u{7FF}'][rng.random_range(0..3)],
                3 => ['\u{800}', '€', '\u{FFFF}'][rng.random_range(0..3)],
                _ => ['\u{10000}', '😀', '\u{10FFFF}'][rng.random_range(0..3)],
            });
        }
    }
    text.into_bytes()
}

/// Returns a random offset in a text of `len` bytes: any offset, one near the end, or one around a
/// multiple of `boundary`.
fn random_offset(len: usize, boundary: usize, rng: &mut StdRng) -> usize {
    match rng.random_range(0..3) {
        0 => rng.random_range(0..len),
        1 => len - 1 - rng.random_range(0..8),
        _ => (boundary * rng.random_range(1..=len / boundary) + 4)
            .saturating_sub(rng.random_range(0..8))
            .min(len - 1),
    }
}

/// The kinds of the blocks of a text, one row for each text. Blocks of a kind are as frequent as
/// the kind is in the row.
const KINDS: [&[usize]; 9] = [
    &[0, 0, 0, 0, 0, 0, 0, 2],
    &[0, 0, 0, 2],
    &[0, 2],
    &[2],
    &[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3],
    &[3],
    &[4],
    &[0, 3, 4],
    &[0, 0, 2, 3, 4],
];

#[test]
fn blocks_of_changing_kinds() {
    let codec = utf8_codec();
    let mut rng = StdRng::seed_from_u64(26);
    for kinds in KINDS {
        for blocks in subset("lengths", 22..50) {
            let src = random_text(blocks, &mut rng, |rng| kinds[rng.random_range(0..kinds.len())]);
            check_validation(codec, &src);
            // Errors, most of them near a boundary.
            for _ in 0..30 {
                let mut wrong = src.clone();
                let boundary = [BLOCK, GROUP][rng.random_range(0..2)];
                let offset = random_offset(src.len(), boundary, &mut rng);
                wrong[offset] = [b'x', 0x80, 0xBF, 0xC0, 0xC1, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xF5]
                    [rng.random_range(0..11)];
                check_validation(codec, &wrong);
            }
            // The text without its last bytes, and the text after some ASCII, which moves all
            // boundaries.
            check_validation(codec, &src[..src.len() - rng.random_range(1..4)]);
            check_validation(codec, &[&b"0123456789"[..rng.random_range(1..10)], &src].concat());
        }
    }
}

/// ASCII with one sequence at every offset around block boundaries.
#[test]
fn ascii_with_one_sequence() {
    let codec = utf8_codec();
    let sequences: [&[u8]; 14] = [
        b"\x80",
        b"\xC0",
        b"\xC0\x80",
        b"\xC3",
        b"\xC3\xA9",
        b"\xC3\xA9\xA9",
        b"\xC3\xC3\xA9",
        b"\xE2\x82",
        b"\xE2\x82\xAC",
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF0\x9F\x98",
        b"\xF0\x9F\x98\x80",
        b"\xF4\x90\x80\x80",
    ];
    for len in [3 * GROUP, 3 * GROUP + 1, 4 * GROUP + BLOCK, 5 * GROUP - 1, 6 * GROUP + 7] {
        // Offsets around group boundaries are always tested. The first group begins after the first
        // block.
        let at_groups = (0..len - 4).filter(|offset| (offset + 5 + GROUP - BLOCK) % GROUP < 10);
        let others = subset("offsets", (0..len - 4).filter(|offset| (offset + 5) % BLOCK < 10));
        for offset in at_groups.chain(others) {
            for sequence in sequences {
                let mut src = vec![b'x'; len];
                src[offset..][..sequence.len()].copy_from_slice(sequence);
                check_validation(codec, &src);
            }
        }
    }
}

/// Text of one kind only, of every length around whole groups, which may begin and end inside a
/// character.
#[test]
fn text_of_one_kind() {
    let codec = utf8_codec();
    for unit in ["é", "€", "😀", "xé", "x€", "é€", "€😀"] {
        let text = unit.repeat(6 * GROUP / unit.len());
        for start in 0..4 {
            for end in subset("lengths", 3 * GROUP..3 * GROUP + 2 * BLOCK + 4) {
                check_validation(codec, &text.as_bytes()[start..end]);
                check_validation(
                    codec,
                    &[&b"xyz"[..start.min(3)], &text.as_bytes()[..end]].concat(),
                );
            }
        }
    }
}

/// Two sequences with up to three groups of ASCII between them, so the check leaves a group and
/// begins a new group at any block.
#[test]
fn two_sequences_with_ascii_between() {
    let codec = utf8_codec();
    let sequences: [&[u8]; 7] = [
        b"\xC3\xA9",
        b"\xE2\x82\xAC",
        b"\xF0\x9F\x98\x80",
        b"\x80",
        b"\xC3",
        b"\xE2\x82",
        b"\xF0\x9F\x98",
    ];
    let mut rng = StdRng::seed_from_u64(33);
    for blocks in 0..3 * GROUP / BLOCK + 2 {
        for first in sequences {
            for second in sequences {
                let front_len = rng.random_range(0..2 * BLOCK);
                let ascii_len = blocks * BLOCK + rng.random_range(0..BLOCK);
                let back_len = (3 * GROUP).saturating_sub(front_len + ascii_len);
                let back_len = back_len + rng.random_range(0..2 * GROUP);
                let ascii = |len| vec![b'x'; len];
                let src = [&ascii(front_len), first, &ascii(ascii_len), second, &ascii(back_len)]
                    .concat();
                check_validation(codec, &src);
                // The first sequence is at the end of a block, so the next block begins with ASCII.
                let aligned = ascii(BLOCK - first.len());
                check_validation(
                    codec,
                    &[&aligned, first, &src[front_len + first.len()..]].concat(),
                );
            }
        }
    }
}

/// Short texts: a block of ASCII, and then blocks of changing kinds.
#[test]
fn text_of_a_few_blocks() {
    let codec = utf8_codec();
    let mut rng = StdRng::seed_from_u64(35);
    let bytes =
        [b'x', 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xDF, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xFF];
    for kinds in KINDS {
        for blocks in 1..18 {
            for _ in 0..subset_if_slow("texts", 0..8).count() {
                let others =
                    random_text(blocks, &mut rng, |rng| kinds[rng.random_range(0..kinds.len())]);
                let ascii = vec![b'x'; BLOCK + rng.random_range(0..BLOCK)];
                let src = [&ascii[..], &others].concat();
                let src = &src[rng.random_range(0..BLOCK)..];
                check_validation(codec, src);
                check_validation(codec, &src[..src.len() - rng.random_range(1..4)]);
                check_validation(codec, &[src, &b"0123456789"[..rng.random_range(1..10)]].concat());
                for byte in bytes {
                    let mut wrong = src.to_vec();
                    let offset = random_offset(src.len(), BLOCK, &mut rng);
                    wrong[offset] = byte;
                    check_validation(codec, &wrong);
                }
            }
        }
    }
}

/// ASCII with one sequence of two bytes, well-formed or ill-formed, at every offset of a short
/// text.
#[test]
fn one_sequence_in_a_few_blocks() {
    let codec = utf8_codec();
    let sequences: [&[u8]; 8] = [
        b"\x80",
        b"\xC0\x80",
        b"\xC1\xBF",
        b"\xC2\x80",
        b"\xDF",
        b"\xDF\xBF",
        b"\xC3\xA9\xA9",
        b"\xC3\xC3\xA9",
    ];
    for len in [BLOCK + 3, 2 * BLOCK, 3 * BLOCK + 1, 4 * BLOCK, 5 * BLOCK - 1, 1024, 1025] {
        for offset in subset_if_slow("offsets", 0..len - 2) {
            for sequence in sequences {
                let mut src = vec![b'x'; len];
                let sequence = &sequence[..sequence.len().min(len - offset)];
                src[offset..][..sequence.len()].copy_from_slice(sequence);
                check_validation(codec, &src);
                // With a two-byte character in every block after the first too, unless the sequence
                // is in its place.
                for k in (BLOCK + 20..len - 1).step_by(BLOCK) {
                    if src[k..k + 2] == *b"xx" {
                        src[k..k + 2].copy_from_slice("é".as_bytes());
                    }
                }
                check_validation(codec, &src);
            }
        }
    }
}
