//! UTF-8 of a few KiB, which is validated in groups of eight blocks: those that are not ASCII are
//! known ahead, and the largest byte of a group chooses its check. Each block is of a kind of its
//! own, characters cross the boundaries of blocks and groups, and errors are at every kind of
//! offset.
//!
//! Texts of up to a kilobyte that begin with ASCII are checked without tables until a character of
//! three bytes comes.

use crate::common::api::{Api, Codec, codecs};
use crate::common::{costly, shared};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// Bytes of a block, and of a group.
const BLOCK: usize = 64;
const GROUP: usize = 8 * BLOCK;

/// Validates on every kernel, against the standard library.
fn check(codec: &Codec, src: &[u8]) {
    let want = std::str::from_utf8(src).map_err(|error| (error.valid_up_to(), error.error_len()));
    for &api in Api::all() {
        let got =
            (codec.validate)(api, src).map_err(|error| (error.valid_up_to(), error.error_len()));
        assert_eq!(got, want.map(|_| ()), "{api:?} of {} bytes, {src:02X?}", src.len());
        assert_eq!((codec.is_valid)(api, src), want.is_ok(), "is_valid, {api:?} of {src:02X?}");
    }
}

/// UTF-8 as the library's api has it.
fn utf8() -> &'static Codec {
    codecs().iter().find(|codec| codec.name == "Utf8").expect("UTF-8 is an encoding")
}

/// About `blocks` blocks, each of a kind that `kind` chooses: 0 is ASCII, the others have
/// characters of so many bytes at most, 1 to 4, and ASCII.
fn text(blocks: usize, rng: &mut StdRng, mut kind: impl FnMut(&mut StdRng) -> usize) -> Vec<u8> {
    let mut text = String::new();
    while text.len() < blocks * BLOCK {
        let end = (text.len() / BLOCK + 1) * BLOCK;
        let most = kind(rng);
        while text.len() < end {
            text.push(match rng.random_range(0..most + 1) {
                0 | 1 => 'x',
                2 => ['\u{80}', 'é', '\u{7FF}'][rng.random_range(0..3)],
                3 => ['\u{800}', '€', '\u{FFFF}'][rng.random_range(0..3)],
                _ => ['\u{10000}', '😀', '\u{10FFFF}'][rng.random_range(0..3)],
            });
        }
    }
    text.into_bytes()
}

/// An offset in a text of `len` bytes: any, near the end, or about a multiple of `boundary`.
fn random_offset(len: usize, boundary: usize, rng: &mut StdRng) -> usize {
    match rng.random_range(0..3) {
        0 => rng.random_range(0..len),
        1 => len - 1 - rng.random_range(0..8),
        _ => (boundary * rng.random_range(1..=len / boundary) + 4)
            .saturating_sub(rng.random_range(0..8))
            .min(len - 1),
    }
}

/// Kinds of texts: the blocks of a text are of these kinds, each as often as it stands here.
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
fn with_blocks_of_changing_kinds() {
    let codec = utf8();
    let mut rng = StdRng::seed_from_u64(26);
    for kinds in KINDS {
        for blocks in shared("lengths", 22..50) {
            let src = text(blocks, &mut rng, |rng| kinds[rng.random_range(0..kinds.len())]);
            check(codec, &src);
            // Errors, most of them near a boundary.
            for _ in 0..30 {
                let mut wrong = src.clone();
                let boundary = [BLOCK, GROUP][rng.random_range(0..2)];
                let at = random_offset(src.len(), boundary, &mut rng);
                wrong[at] = [b'x', 0x80, 0xBF, 0xC0, 0xC1, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xF5]
                    [rng.random_range(0..11)];
                check(codec, &wrong);
            }
            // Cut off, and after some ASCII: boundaries are then at other offsets.
            check(codec, &src[..src.len() - rng.random_range(1..4)]);
            check(codec, &[&b"0123456789"[..rng.random_range(1..10)], &src].concat());
        }
    }
}

/// One sequence, and nothing else that is not ASCII, at every offset about the boundaries of
/// blocks.
#[test]
fn with_one_sequence() {
    let codec = utf8();
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
        // Those about the boundaries of groups, which begin after a block, in any case.
        let at_groups = (0..len - 4).filter(|at| (at + 5 + GROUP - BLOCK) % GROUP < 10);
        let others = shared("offsets", (0..len - 4).filter(|at| (at + 5) % BLOCK < 10));
        for at in at_groups.chain(others) {
            for sequence in sequences {
                let mut src = vec![b'x'; len];
                src[at..][..sequence.len()].copy_from_slice(sequence);
                check(codec, &src);
            }
        }
    }
}

/// Text that is all of one kind, of every length about whole groups, truncated anywhere.
#[test]
fn of_one_kind() {
    let codec = utf8();
    for unit in ["é", "€", "😀", "xé", "x€", "é€", "€😀"] {
        let text = unit.repeat(6 * GROUP / unit.len());
        for start in 0..4 {
            for end in shared("lengths", 3 * GROUP..3 * GROUP + 2 * BLOCK + 4) {
                check(codec, &text.as_bytes()[start..end]);
                check(codec, &[&b"xyz"[..start.min(3)], &text.as_bytes()[..end]].concat());
            }
        }
    }
}

/// Two sequences with ASCII between them, from none to three groups: the check leaves the groups
/// and begins new ones, at any block.
#[test]
fn with_ascii_between() {
    let codec = utf8();
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
                let before = rng.random_range(0..2 * BLOCK);
                let between = blocks * BLOCK + rng.random_range(0..BLOCK);
                let after = (3 * GROUP).saturating_sub(before + between);
                let after = after + rng.random_range(0..2 * GROUP);
                let ascii = |len| vec![b'x'; len];
                let src = [&ascii(before), first, &ascii(between), second, &ascii(after)].concat();
                check(codec, &src);
                // The first one at the very end of a block, so ASCII follows with the next.
                let aligned = ascii(BLOCK - first.len());
                check(codec, &[&aligned, first, &src[before + first.len()..]].concat());
            }
        }
    }
}

/// Short texts: a block of ASCII, and then blocks of changing kinds.
#[test]
fn of_a_few_blocks() {
    let codec = utf8();
    let mut rng = StdRng::seed_from_u64(35);
    let bytes =
        [b'x', 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xDF, 0xE0, 0xE2, 0xED, 0xF0, 0xF4, 0xFF];
    for kinds in KINDS {
        for blocks in 1..18 {
            for _ in 0..costly("texts", 0..8).count() {
                let others = text(blocks, &mut rng, |rng| kinds[rng.random_range(0..kinds.len())]);
                let ascii = vec![b'x'; BLOCK + rng.random_range(0..BLOCK)];
                let src = [&ascii[..], &others].concat();
                let src = &src[rng.random_range(0..BLOCK)..];
                check(codec, src);
                check(codec, &src[..src.len() - rng.random_range(1..4)]);
                check(codec, &[src, &b"0123456789"[..rng.random_range(1..10)]].concat());
                for byte in bytes {
                    let mut wrong = src.to_vec();
                    let at = random_offset(src.len(), BLOCK, &mut rng);
                    wrong[at] = byte;
                    check(codec, &wrong);
                }
            }
        }
    }
}

/// One sequence of two bytes, or half of one, after ASCII, at every offset of a short text.
#[test]
fn with_one_sequence_in_a_few_blocks() {
    let codec = utf8();
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
        for at in costly("offsets", 0..len - 2) {
            for sequence in sequences {
                let mut src = vec![b'x'; len];
                let sequence = &sequence[..sequence.len().min(len - at)];
                src[at..][..sequence.len()].copy_from_slice(sequence);
                check(codec, &src);
                // With a character in every block before and after it, as far as they fit.
                for k in (BLOCK + 20..len - 1).step_by(BLOCK) {
                    if src[k..k + 2] == *b"xx" {
                        src[k..k + 2].copy_from_slice("é".as_bytes());
                    }
                }
                check(codec, &src);
            }
        }
    }
}
