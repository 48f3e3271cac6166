//! Conversion: every pair of encodings, every operation, against the standard library.

use crate::common::api::{codecs, named, pairs};
use crate::common::carriers::{embedded_in, last_common, sample, sequences, widths};
use crate::common::checks::{check_capacities, check_into, check_transcode, check_validate};
use crate::common::oracle::{encode, encode_all};
use crate::common::{shared, text};
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
        for sequence in shared("sequences", sequences(pair.from.scheme).iter()) {
            check_transcode(pair, sequence);
        }
    }
}

/// Runs of a single byte, some of which have only the bit that makes them non-ASCII; and one of
/// these among NULs.
#[test]
fn runs_of_one_byte() {
    for pair in pairs().iter().filter(|pair| pair.from.scheme.unit_size() == 1) {
        // Lengths of up to two words, whatever the share of the tests that runs.
        for len in 1..=16 {
            check_into(pair, &vec![0x80; len]);
        }
        for len in shared("lengths", 1..=70) {
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

/// Every unit of UTF-16 by itself, by the free functions, which convert short inputs before they
/// choose a kernel; with just enough capacity, and with less.
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
            let fits = want.filter(|want| want.len() <= capacity);
            let written = fits.map_or(0, <[_]>::len);
            let read = usize::from(fits.is_some());
            assert_eq!(
                (progress.read, progress.written),
                (read, written),
                "{unit:04X}, {capacity}"
            );
            assert_eq!(&dst[..written], fits.unwrap_or_default(), "{unit:04X}, {capacity}");
        }
    }
    for unit in shared("units of UTF-16", 0..=u16::MAX) {
        let c = char::from_u32(unit.into());
        let mut utf8 = [0; 4];
        check::<Utf8>(unit, c.map(|c| &*c.encode_utf8(&mut utf8)).map(str::as_bytes));
        check::<Utf32>(unit, c.map(|_| [u32::from(unit)]).as_ref().map(<[_; 1]>::as_slice));
        let latin1 = u8::try_from(unit).ok().map(|byte| [byte]);
        check::<Latin1>(unit, latin1.as_ref().map(<[_; 1]>::as_slice));
    }
}

#[test]
fn incomplete_units_at_the_end() {
    for pair in pairs().iter().filter(|pair| pair.from.unit == 1) {
        let text = sample(pair, 40, 1);
        for end in 0..text.len() {
            check_transcode(pair, &text[..end]);
        }
    }
}

/// Each length from 0 to 300 characters, whole, and with one unit of it replaced by a sequence.
#[test]
fn every_length() {
    for (i, pair) in pairs().iter().enumerate() {
        let text = sample(pair, 300, i as u64);
        let sequences = sequences(pair.from.scheme);
        let unit = pair.from.scheme.unit_size();
        for len in shared("lengths", 0..=text.len().min(300 * unit) / unit) {
            check_transcode(pair, &text[..len * unit]);
            let sequence = &sequences[len * 37 % sequences.len()];
            let at = (len * 17 % (len + 1)) * unit;
            let mut src = text[..len * unit].to_vec();
            src.splice(at..(at + sequence.len()).min(src.len()), sequence.iter().copied());
            check_transcode(pair, &src);
        }
    }
}

/// ASCII of up to five blocks of 64 bytes, with one character or ill-formed byte at every position.
#[test]
fn one_other_character_in_ascii() {
    for len in shared("lengths", 1..=330) {
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

/// Owned results grow in segments: errors and ends at every position around the boundaries of the
/// first ones.
#[test]
fn long_texts_and_growing_outputs() {
    for pair in pairs() {
        let text = sample(pair, 6000, 3);
        check_transcode(pair, &text);
        let sequences = sequences(pair.from.scheme);
        let unit = pair.from.scheme.unit_size();
        for boundary in [2048, 4096] {
            for at in (boundary - 6 * unit..boundary + 3 * unit).step_by(unit) {
                if at + 2400 > text.len() {
                    continue;
                }
                let step = 151;
                for sequence in
                    shared("sequences", sequences.iter().skip(at / unit % step).step_by(step))
                {
                    let mut src = text[..(at + 2400) / 4 * 4].to_vec();
                    src[at..][..sequence.len()].copy_from_slice(sequence);
                    check_transcode(pair, &src);
                }
            }
        }
    }
}

/// Conversions that copy test for errors as seldom as validation does: errors and ends at every
/// position of texts that alternate between ASCII and the rest, in runs of every length.
#[test]
fn copies_with_an_error_at_every_offset() {
    let bad = sequences(Scheme::Utf8);
    for (seed, wide) in ['é', '€', '😀'].into_iter().enumerate() {
        let mut text = String::new();
        for run in 1..40 {
            text.extend((0..run * (5 + seed)).map(|i| char::from(b'a' + (i % 26) as u8)));
            text.extend((0..run * 3).map(|_| wide));
        }
        let text = &text.as_bytes()[..1700];
        for to in ["Utf8", "Ascii"] {
            let pair = named("Utf8", to);
            for at in shared("offsets", 0..text.len()) {
                check_into(pair, &text[at..]);
                check_into(pair, &text[..at]);
                let sequence = &bad[(at * 7 + seed) % bad.len()];
                let mut src = text.to_vec();
                src.splice(at..(at + sequence.len()).min(text.len()), sequence.iter().copied());
                check_into(pair, &src);
                check_into(pair, &src[at.saturating_sub(700)..]);
            }
        }
        // Cut by the end of the output, also in the middle of a character.
        check_capacities(named("Utf8", "Utf8"), text);
    }
}

/// An error is the same in a long text as in a short one, wherever the library divides the text to
/// free the output.
#[test]
fn errors_split_by_the_first_segment_keep_their_kind() {
    let pair = named("Utf8", "Utf16");
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
        for at in 2040..2056 {
            let mut src = vec![b'a'; 6000];
            src[at..][..sequence.len()].copy_from_slice(sequence);
            check_transcode(pair, &src);
        }
    }
}

/// A long `&str` is also converted in segments, by code that treats it as well-formed to its end:
/// a character across the boundary of the first one.
#[test]
fn long_strings_with_a_character_across_the_first_stretch() {
    for c in ['é', '€', '😀'] {
        for before in 2040..2050 {
            let text = "a".repeat(before) + &c.to_string().repeat(700) + &"b".repeat(3000);
            for to in codecs() {
                check_transcode(named("Utf8", to.name), text.as_bytes());
            }
        }
    }
}

/// Generated texts of every script, and pages that mix them.
#[test]
fn generated_texts() {
    for (name, text) in text::collection(3000) {
        for pair in shared("pairs", pairs().iter()) {
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

/// Stray continuation bytes about the position where some conversions cut a long text: at the end
/// of a segment of only such bytes no start of a character is visible, and no character before them
/// may be cut.
#[test]
fn too_many_continuation_bytes_at_a_cut() {
    const SEGMENT_BYTES: usize = 960;
    let sources = ["Utf8", "Cesu8", "Mutf8", "Wtf8"];
    for pair in pairs().iter().filter(|pair| sources.contains(&pair.from.name)) {
        let (scheme, last) = (pair.from.scheme, last_common(pair));
        for width in widths(last) {
            for too_many in 1..=4 {
                for at in SEGMENT_BYTES - 8..=SEGMENT_BYTES {
                    let wrong = &[0x80; 4][..too_many];
                    check_into(
                        pair,
                        &embedded_in(SEGMENT_BYTES + 80, scheme, width, last, at, wrong),
                    );
                }
            }
        }
    }
}

/// The first character that the target lacks, at every position.
#[test]
fn unmappable_characters_at_every_offset() {
    let all = ['\u{80}', 'ÿ', '\u{100}', '\u{7FF}', '\u{800}', '\u{FFFF}', '\u{10000}', char::MAX];
    for pair in pairs() {
        let (last, first_unmappable) = match (pair.from.name, pair.to.name) {
            ("Latin1", "Ascii") => ('~', &all[..2]),
            ("Ascii" | "Latin1", _) => continue,
            (_, "Ascii") => ('~', &all[..]),
            (_, "Latin1") => ('ÿ', &all[2..]),
            _ => continue,
        };
        for &c in first_unmappable {
            for at in shared("offsets", 0..150) {
                let chars = |i: usize| {
                    if i == at {
                        c
                    } else if i.is_multiple_of(2) {
                        'k'
                    } else {
                        last
                    }
                };
                check_into(pair, &encode_all(pair.from.scheme, (0..160).map(chars)));
            }
        }
        // Ill-formed wins over unmappable only where it comes first; both orders.
        let bad = sequences(pair.from.scheme);
        for sequence in bad.iter().step_by(5) {
            let unmappable = encode_all(pair.from.scheme, first_unmappable[..1].iter().copied());
            check_transcode(pair, &[&unmappable[..], sequence].concat());
            check_transcode(pair, &[&sequence[..], &unmappable].concat());
        }
    }
}

#[test]
fn max_len_overflows_to_none() {
    for pair in pairs() {
        let unit = pair.from.scheme.unit_size() / pair.from.unit;
        let most = (pair.max_len)(unit).expect("one unit");
        assert_eq!((pair.max_len)(0), Some(0), "{pair}");
        // A fragment of a unit adds nothing.
        assert_eq!((pair.max_len)(2 * unit - 1), Some(most), "{pair}");
        let want = (usize::MAX / unit).checked_mul(most);
        assert_eq!((pair.max_len)(usize::MAX), want, "{pair}");
        assert_eq!((pair.max_len)(unit * 1000), Some(1000 * most), "{pair}");
    }
}
