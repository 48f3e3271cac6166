//! Inputs and outputs that end where memory ends, and begin where it begins: one byte read or written outside is a
//! segmentation fault.

use crate::common::carriers::{embedded, last_common, sample, sample_chars, sequences, widths};
use crate::common::checks::check_utf8;
use crate::common::face::{Face, codecs, pairs};
use crate::common::guard::{Guarded, check_conversion};
use crate::common::lossy::repairs;
use crate::common::lossy_face::{self, LossyPair};
use crate::common::oracle::{Fault, decode, expect};
use crate::common::shared;
use utflane::{Repair, Stop};

/// Conversion of every length up to 200 units, into outputs of exactly the right size, and of less.
#[test]
fn conversions_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for pair in pairs() {
        let last = last_common(pair);
        let unit = pair.from.scheme.unit_size();
        let mut texts: Vec<_> =
            widths(last).map(|width| embedded(pair.from.scheme, width, last, 192, b"")).collect();
        texts.push(sample(pair, 200, 5));
        for text in texts {
            for len in shared("lengths", (0..=200).rev()) {
                let src = &text[..text.len().min(len * unit)];
                let exact = expect(pair.from.scheme, pair.to.scheme, src).out.len();
                check_conversion(pair, src, &mut input, &mut output, exact);
                let less = exact.saturating_sub(1 + len % 9) / pair.to.unit * pair.to.unit;
                check_conversion(pair, src, &mut input, &mut output, less);
                check_conversion(
                    pair,
                    src,
                    &mut input,
                    &mut output,
                    exact + len % 80 * pair.to.unit,
                );
            }
        }
    }
}

/// The same with an error at the end or near it.
#[test]
fn conversions_of_ill_formed_texts_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(8192));
    for pair in pairs() {
        let (scheme, last) = (pair.from.scheme, last_common(pair));
        let sequences = sequences(scheme);
        for (i, sequence) in shared("sequences", sequences.iter().enumerate().step_by(3)) {
            let width = 1 + i % last.len_utf8();
            let mut src = embedded(scheme, width, last, 128 + i % 64, b"");
            src.truncate((128 + i % 64) * scheme.unit_size());
            src.extend_from_slice(sequence);
            let exact = expect(scheme, pair.to.scheme, &src).out.len();
            check_conversion(pair, &src, &mut input, &mut output, exact);
        }
    }
}

/// Validation and counting of every length up to 700 bytes.
#[test]
fn validations_stay_inside() {
    let mut memory = Guarded::new(4096);
    for codec in codecs() {
        let pair =
            pairs().iter().find(|pair| pair.from.name == codec.name && pair.to.name == codec.name);
        let pair = pair.expect("the identity");
        for seed in 0..4 {
            let text = sample(pair, 700, seed);
            for len in shared("lengths", 0..=700.min(text.len() / codec.unit)) {
                let src = &text[..len * codec.unit];
                let want = decode(codec.scheme, src).fault;
                for &face in Face::all() {
                    for at_end in [true, false] {
                        let part =
                            if at_end { memory.last(src.len()) } else { memory.first(src.len()) };
                        part.copy_from_slice(src);
                        let got = (codec.validate)(face, part).err();
                        let got = got.map(|error| Fault::of(error, codec.unit));
                        assert_eq!(got, want, "{}, {face:?}", codec.name);
                        let _ = (codec.count)(face, part);
                    }
                }
            }
        }
    }
}

/// Counts, summaries and the question whether it fits into Latin-1, of every length up to 700 bytes. Texts that fit are
/// read to their end.
#[test]
fn questions_about_utf8_stay_inside() {
    let mut memory = Guarded::new(4096);
    for last in ['\u{7F}', '\u{FF}', '\u{7FF}', char::MAX] {
        let text: String = sample_chars(last, 700, 3).into_iter().collect();
        for len in shared("lengths", 0..=700) {
            let src = &text.as_bytes()[..len];
            for at_end in [true, false] {
                let part = if at_end { memory.last(len) } else { memory.first(len) };
                part.copy_from_slice(src);
                check_utf8(part);
            }
        }
    }
}

/// Conversions with repairs, of texts with errors strewn in, into outputs of exactly the right size, and of less.
#[test]
fn repairs_stay_inside() {
    let (mut input, mut output) = (Guarded::new(4096), Guarded::new(16384));
    for (k, pair) in lossy_face::pairs().iter().enumerate() {
        let unit = pair.from.scheme.unit_size();
        let mut text = sample(pair, 320, 5);
        let sequences = sequences(pair.from.scheme);
        for (i, sequence) in sequences.iter().step_by(sequences.len() / 40 + 1).enumerate() {
            let at = (3 + i * 9) * unit;
            if at < text.len() {
                text.splice(at..at, sequence.iter().copied());
            }
        }
        let repairs = repairs();
        for len in shared("lengths", 0..=320) {
            let src = &text[..text.len().min(len * unit)];
            let repair = repairs[(len + k) % repairs.len()];
            let exact = (pair.lossy)(Face::Free, src, repair).0.len();
            for capacity in [exact, exact.saturating_sub(1 + len % 9), exact / 2] {
                let capacity = capacity / pair.to.unit * pair.to.unit;
                for &face in Face::all() {
                    for at_end in [true, false] {
                        check_repair(
                            pair,
                            face,
                            (src, repair),
                            (&mut input, &mut output),
                            capacity,
                            at_end,
                        );
                    }
                }
            }
            assert_eq!((pair.len_lossy)(Face::Free, src, repair), exact, "{pair} of {src:02X?}");
        }
    }
}

/// One conversion with repairs, with both texts at one border of their memory.
fn check_repair(
    pair: &LossyPair,
    face: Face,
    (src, repair): (&[u8], Repair),
    (input, output): (&mut Guarded, &mut Guarded),
    capacity: usize,
    at_end: bool,
) {
    let from = if at_end { input.last(src.len()) } else { input.first(src.len()) };
    from.copy_from_slice(src);
    let dst = if at_end { output.last(capacity) } else { output.first(capacity) };
    let progress = (pair.lossy_into)(face, from, repair, dst);
    let done = matches!(progress.stop, Stop::Done);
    assert_eq!(progress.read * pair.from.unit == src.len(), done, "{pair}, {face:?}");
}
