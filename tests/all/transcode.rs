//! Tests of conversions: every pair of encodings and every operation, compared with the standard
//! library.

use crate::common::api::codecs;
use crate::common::carriers::{embedded_in, last_common_char, sample, sequences, widths};
use crate::common::checks::{check_capacities, check_into, check_transcode, check_validate};
use crate::common::oracle::{encode, encode_all};
use crate::common::pairs::{pair_named, pairs};
use crate::common::{sampled, sampled_if_slow, text};
use core::cell::LazyCell;
use core::fmt::Debug;
use utflane::{Ascii, Encoding, Kernel, Latin1, Scheme, Utf8, Utf16, Utf32, transcode_into};

#[test]
fn empty_texts() {
    for pair in pairs() {
        check_transcode(pair, &[]);
    }
}

#[test]
fn short_sequences_alone() {
    for pair in pairs() {
        for sequence in sampled("sequences", sequences(pair.from.scheme).iter()) {
            check_transcode(pair, sequence);
        }
    }
}

/// Converts texts of one repeated byte, and texts of NULs with one byte 0x80. In 0x80, only the bit
/// that makes a byte non-ASCII is set.
#[test]
fn runs_of_one_byte() {
    for pair in pairs().iter().filter(|pair| pair.from.scheme.unit_size() == 1) {
        // Lengths of up to two words of 8 bytes are always tested, whatever the sampling interval.
        for len in 1..=16 {
            check_into(pair, &vec![0x80; len]);
        }
        for len in sampled("lengths", 1..=70) {
            for byte in [0, 0x7F, 0x80, 0xC0, 0xFF] {
                check_into(pair, &vec![byte; len]);
                check_validate(pair.from, &vec![byte; len]);
            }
            for at in [0, len / 2, len - 1] {
                let mut src = vec![0; len];
                src[at] = 0x80;
                check_into(pair, &src);
            }
        }
    }
}

/// Converts each UTF-16 unit alone with the free functions, which convert short inputs before they
/// choose a kernel. The capacity is exactly enough, one unit more, or one unit less.
#[test]
fn every_unit_of_utf16_alone() {
    fn check<B: Encoding>(unit: u16, want: Option<&[B::Unit]>)
    where
        B::Unit: Copy + Default + PartialEq + Debug,
    {
        let len = want.map_or(0, <[_]>::len);
        for capacity in [len, len + 1, len.saturating_sub(1)] {
            let mut dst = vec![B::Unit::default(); capacity];
            let progress = transcode_into::<Utf16, B>(&[unit], &mut dst);
            let want_if_it_fits = want.filter(|want| want.len() <= capacity);
            let written = want_if_it_fits.map_or(0, <[_]>::len);
            let read = usize::from(want_if_it_fits.is_some());
            let context = || format!("unit 0x{unit:04X}, capacity {capacity}");
            assert_eq!((progress.read, progress.written), (read, written), "{}", context());
            assert_eq!(&dst[..written], want_if_it_fits.unwrap_or_default(), "{}", context());
        }
    }
    for unit in sampled("units of UTF-16", 0..=u16::MAX) {
        let c = char::from_u32(unit.into());
        let mut utf8 = [0; 4];
        check::<Utf8>(unit, c.map(|c| &*c.encode_utf8(&mut utf8)).map(str::as_bytes));
        check::<Utf32>(unit, c.map(|_| [u32::from(unit)]).as_ref().map(<[_; 1]>::as_slice));
        let latin1 = u8::try_from(unit).ok().map(|byte| [byte]);
        check::<Latin1>(unit, latin1.as_ref().map(<[_; 1]>::as_slice));
    }
}

#[test]
fn texts_truncated_at_every_byte() {
    let pairs = pairs().iter().filter(|pair| pair.from.element_bytes == 1);
    for pair in sampled_if_slow("pairs", pairs) {
        let text = sample(pair, 40, 1);
        for end in sampled_if_slow("ends", 0..text.len()) {
            check_transcode(pair, &text[..end]);
        }
    }
}

/// Converts texts of every length from 0 to 300 code units: unchanged, and with a short sequence,
/// which may be ill-formed, in place of some units.
#[test]
fn every_length() {
    for (i, pair) in pairs().iter().enumerate() {
        // 300 characters have at least as many code units.
        let text = LazyCell::new(|| sample(pair, 300, i as u64));
        let sequences = sequences(pair.from.scheme);
        let unit_bytes = pair.from.scheme.unit_size();
        for len in sampled("lengths", 0..=300) {
            check_transcode(pair, &text[..len * unit_bytes]);
            let sequence = &sequences[len * 37 % sequences.len()];
            let at = (len * 17 % (len + 1)) * unit_bytes;
            let mut src = text[..len * unit_bytes].to_vec();
            src.splice(at..(at + sequence.len()).min(src.len()), sequence.iter().copied());
            check_transcode(pair, &src);
        }
    }
}

/// Converts ASCII texts of up to five blocks of 64 bytes, with one non-ASCII character or
/// ill-formed byte at every offset.
#[test]
fn one_non_ascii_sequence_in_ascii() {
    for len in sampled("lengths", 1..=330) {
        let ascii: Vec<u8> = (b'a'..=b'z').cycle().take(len).collect();
        let others: [&[u8]; 3] = ["\u{E9}".as_bytes(), b"\xC3", b"\x80"];
        for (at, other) in (0..len).flat_map(|at| others.map(|other| (at, other))) {
            let mut src = ascii.clone();
            src.splice(at..(at + other.len()).min(len), other.iter().copied());
            let valid =
                std::str::from_utf8(&src).map_or_else(|error| error.valid_up_to(), str::len);
            for kernel in Kernel::available() {
                let mut dst = vec![0; src.len()];
                let read = kernel.transcode_into::<Utf8, Utf8>(&src, &mut dst).read;
                assert_eq!(dst[..read], src[..valid], "{len} {at} {other:x?} {kernel:?}");
                let read = kernel.transcode_into::<Utf8, Ascii>(&src, &mut dst).read;
                assert_eq!(dst[..read], src[..at], "{len} {at} {other:x?} {kernel:?}");
            }
        }
    }
}

/// Owned results are allocated and converted in segments. Converts texts with an error at every
/// position near the boundaries of the first segments.
#[test]
fn errors_near_the_boundaries_of_segments() {
    // The length of the text from the ill-formed sequence on.
    const TAIL_BYTES: usize = 2400;
    // One sequence in 151 is tested at each offset, other sequences at the next offset.
    const SEQUENCE_INTERVAL: usize = 151;
    for pair in sampled_if_slow("pairs", pairs().iter()) {
        let text = sample(pair, 6000, 3);
        check_transcode(pair, &text);
        let sequences = sequences(pair.from.scheme);
        let unit_bytes = pair.from.scheme.unit_size();
        for boundary in [2048, 4096] {
            for at in (boundary - 6 * unit_bytes..boundary + 3 * unit_bytes).step_by(unit_bytes) {
                if at + TAIL_BYTES > text.len() {
                    continue;
                }
                for sequence in sampled(
                    "sequences",
                    sequences
                        .iter()
                        .skip(at / unit_bytes % SEQUENCE_INTERVAL)
                        .step_by(SEQUENCE_INTERVAL),
                ) {
                    let mut src = text[..(at + TAIL_BYTES) / 4 * 4].to_vec();
                    src[at..][..sequence.len()].copy_from_slice(sequence);
                    check_transcode(pair, &src);
                }
            }
        }
    }
}

/// Conversions that only copy bytes look for errors once for several blocks, as validation does.
/// Converts texts in which ASCII runs and runs of one non-ASCII character alternate, with errors
/// and ends at every offset.
#[test]
fn copies_with_an_error_at_every_offset() {
    let sequences = sequences(Scheme::Utf8);
    for (seed, non_ascii) in ['é', '€', '😀'].into_iter().enumerate() {
        let mut text = String::new();
        for run in 1..40 {
            text.extend((0..run * (5 + seed)).map(|i| char::from(b'a' + (i % 26) as u8)));
            text.extend((0..run * 3).map(|_| non_ascii));
        }
        let text = &text.as_bytes()[..1700];
        for to in ["Utf8", "Ascii"] {
            let pair = pair_named("Utf8", to);
            for at in sampled("offsets", 0..text.len()) {
                check_into(pair, &text[at..]);
                check_into(pair, &text[..at]);
                let sequence = &sequences[(at * 7 + seed) % sequences.len()];
                let mut src = text.to_vec();
                src.splice(at..(at + sequence.len()).min(text.len()), sequence.iter().copied());
                check_into(pair, &src);
                check_into(pair, &src[at.saturating_sub(700)..]);
            }
        }
        // Outputs that are too short, some of which end inside a character.
        check_capacities(pair_named("Utf8", "Utf8"), text);
    }
}

/// The first segment of a long text may end inside an ill-formed sequence. The error is the same as
/// in a short text.
#[test]
fn errors_split_by_the_first_segment_keep_their_kind() {
    let pair = pair_named("Utf8", "Utf16");
    for sequence in [
        &b"\xC0\x80"[..],
        b"\xE0\x80\x80",
        b"\xED\xA0\x80",
        b"\xF0\x80\x80\x80",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
        b"\xF0\x90\x80A",
        b"\xE2\x82A",
    ] {
        for at in sampled_if_slow("offsets", 2040..2056) {
            let mut src = vec![b'a'; 6000];
            src[at..][..sequence.len()].copy_from_slice(sequence);
            check_transcode(pair, &src);
        }
    }
}

/// A long `&str` is also converted in segments. A character lies across the boundary between the
/// first and the second segment.
#[test]
fn long_strings_with_a_character_across_the_first_boundary() {
    for c in ['é', '€', '😀'] {
        for before in sampled_if_slow("offsets", 2040..2050) {
            let text = "a".repeat(before) + &c.to_string().repeat(700) + &"b".repeat(3000);
            for to in sampled_if_slow("targets", codecs().iter()) {
                check_transcode(pair_named("Utf8", to.name), text.as_bytes());
            }
        }
    }
}

/// Converts generated texts of every script, and pages that mix them.
#[test]
fn generated_texts() {
    for (name, text) in text::collection(3000) {
        for pair in sampled("pairs", pairs().iter()) {
            let mut src = Vec::new();
            // A text with a character that the target lacks is converted up to that character.
            if text.chars().all(|c| encode(pair.from.scheme, c, &mut src)) {
                check_transcode(pair, &src);
            } else {
                assert!(["Latin1", "Ascii"].contains(&pair.from.name), "{name}");
            }
        }
    }
}

/// Converts texts with unexpected continuation bytes near the end of a segment. Some conversions
/// end a segment at the start of a character. If only continuation bytes precede the end, no
/// character starts there. The conversion must then not split the character before those bytes.
#[test]
fn unexpected_continuation_bytes_at_a_segment_boundary() {
    // The length of a segment in these conversions.
    const SEGMENT_BYTES: usize = 960;
    let sources = ["Utf8", "Cesu8", "Mutf8", "Wtf8"];
    for pair in pairs().iter().filter(|pair| sources.contains(&pair.from.name)) {
        let (scheme, last) = (pair.from.scheme, last_common_char(pair));
        for width in widths(last) {
            for count in sampled_if_slow("counts", 1..=4) {
                for at in sampled_if_slow("offsets", SEGMENT_BYTES - 8..=SEGMENT_BYTES) {
                    let unexpected = &[0x80; 4][..count];
                    check_into(
                        pair,
                        &embedded_in(SEGMENT_BYTES + 80, scheme, width, last, at, unexpected),
                    );
                }
            }
        }
    }
}

/// The first unmappable character is at every offset of a text.
#[test]
fn unmappable_characters_at_every_offset() {
    let all = ['\u{80}', 'ÿ', '\u{100}', '\u{7FF}', '\u{800}', '\u{FFFF}', '\u{10000}', char::MAX];
    for pair in pairs() {
        let (last_mappable, unmappable_chars) = match (pair.from.name, pair.to.name) {
            ("Latin1", "Ascii") => ('~', &all[..2]),
            ("Ascii" | "Latin1", _) => continue,
            (_, "Ascii") => ('~', &all[..]),
            (_, "Latin1") => ('ÿ', &all[2..]),
            _ => continue,
        };
        for &c in unmappable_chars {
            for at in sampled("offsets", 0..150) {
                let chars = |i: usize| {
                    if i == at {
                        c
                    } else if i.is_multiple_of(2) {
                        'k'
                    } else {
                        last_mappable
                    }
                };
                check_into(pair, &encode_all(pair.from.scheme, (0..160).map(chars)));
            }
        }
        // With an ill-formed sequence and an unmappable character, the first of the two is the
        // error, in either order.
        let sequences = sequences(pair.from.scheme).iter().step_by(5);
        for sequence in sampled_if_slow("sequences", sequences) {
            let unmappable = encode_all(pair.from.scheme, unmappable_chars[..1].iter().copied());
            check_transcode(pair, &[&unmappable[..], sequence].concat());
            check_transcode(pair, &[&sequence[..], &unmappable].concat());
        }
    }
}

#[test]
fn max_len_overflows_to_none() {
    for pair in pairs() {
        let elements_per_unit = pair.from.scheme.unit_size() / pair.from.element_bytes;
        let max_per_unit = pair.max_len(elements_per_unit).expect("one unit");
        assert_eq!(pair.max_len(0), Some(0), "{pair}");
        // An incomplete code unit at the end adds nothing.
        assert_eq!(pair.max_len(2 * elements_per_unit - 1), Some(max_per_unit), "{pair}");
        let want = (usize::MAX / elements_per_unit).checked_mul(max_per_unit);
        assert_eq!(pair.max_len(usize::MAX), want, "{pair}");
        assert_eq!(pair.max_len(elements_per_unit * 1000), Some(1000 * max_per_unit), "{pair}");
    }
}
