//! Every function that writes into the caller's memory: the bytes that it reports as written are
//! initialised, and it copies no uninitialised bytes into the rest of the output.
//!
//! Without valgrind, each call is made twice, and the results are compared (see
//! [`outputs`](crate::common::outputs)). With `valgrind target/debug/deps/all-... initialised::`,
//! valgrind also looks for uninitialised bytes, on the kernels that it can run.

use std::io::Read;
use std::mem::MaybeUninit;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    ByteTranscoder, IllFormed, Kernel, Metric, Policy, Repair, Scheme, Unmappable, Utf8,
    io::Reader, utf8, utf16,
};

use crate::common::api::{Api, codecs, units, units_mut, units_uninit};
use crate::common::carriers::{CARRIER, embedded_in, last_common_char, sequences, widths};
use crate::common::outputs::{Output, check_output, check_owned, memcheck};
use crate::common::pairs::{Pair, pair_named, pairs};
use crate::common::sampled_if_slow;

/// One repair for each way in which a replacement is made.
const REPAIRS: [Repair; 7] = [
    Repair::REPLACE,
    make_repair(IllFormed::Replace('?'), Unmappable::Replace('*')),
    make_repair(IllFormed::Replace('\u{1F600}'), Unmappable::Skip),
    make_repair(IllFormed::Skip, Unmappable::NumericReference),
    make_repair(IllFormed::Latin1, Unmappable::Skip),
    make_repair(IllFormed::ReplaceAsJava, Unmappable::Skip),
    make_repair(IllFormed::ReplaceRuns, Unmappable::Skip),
];

const fn make_repair(ill_formed: IllFormed, unmappable: Unmappable) -> Repair {
    Repair::REPLACE.on_ill_formed(ill_formed).on_unmappable(unmappable)
}

/// Returns a random member of `options`. Over all texts, the members occur in all combinations.
fn choose<T: Copy>(rng: &mut StdRng, options: &[T]) -> T {
    options[rng.random_range(0..options.len())]
}

/// Returns a random capacity: less than the result needs, exactly as much, or a few vectors more.
fn choose_capacity(rng: &mut StdRng, needed: usize) -> usize {
    choose(rng, &[needed / 8 * 4, needed, needed + 128])
}

/// Returns an output of `Output::Initialised` as a slice of bytes.
fn initialised_bytes(dst: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    // SAFETY: callers pass an output of `Output::Initialised`, which `check_output` has
    // initialised.
    unsafe { &mut *(dst as *mut _ as *mut [u8]) }
}

/// Calls `check` with a text for each kind of sequence in the source encoding. The sequence is
/// alone, or in a text of random length with characters of one width; some of these texts are
/// repeated.
fn for_each_text(pair: &Pair, mut check: impl FnMut(&mut StdRng, &[u8])) {
    let (scheme, last_char) = (pair.from.scheme, last_common_char(pair));
    let rng = &mut StdRng::seed_from_u64(scheme as u64);
    for sequence in sampled_if_slow("sequences", sequences(scheme).iter()) {
        let len = choose(rng, &[0, 3, 9, 20, 40, 80, CARRIER]);
        let (width, offset) = (rng.random_range(widths(last_char)), rng.random_range(0..=len));
        let text = embedded_in(len, scheme, width, last_char, offset, sequence);
        // Ill-formed sequences that are dense or numerous are repaired by other code.
        let repeats = choose(rng, &[1, 1, 1, 7]);
        check(rng, &text.repeat(repeats));
    }
}

#[test]
fn valgrind_runs_if_it_is_required() {
    let is_required = std::env::var_os("UTFLANE_REQUIRE_VALGRIND").is_some();
    assert!(memcheck::is_running() || !is_required, "this program does not run under valgrind");
    if memcheck::is_running() {
        let byte = &mut [MaybeUninit::new(1)];
        assert_eq!(memcheck::first_uninitialised(byte), None);
        memcheck::make_uninitialised(byte);
        let found = memcheck::unreported(|| memcheck::first_uninitialised(byte));
        assert_eq!(found, Some(0));
    }
}

#[test]
fn a_replacement_leaks_no_bytes_of_the_stack() {
    let repair = Repair::REPLACE.on_ill_formed(IllFormed::Replace('?'));
    for kernel in Kernel::available() {
        check_output(kernel, Output::Initialised, 16, |dst| {
            let dst = initialised_bytes(dst);
            let written = kernel.transcode_lossy_into::<Utf8, Utf8>(b"a\xFFb", repair, dst).written;
            assert_eq!(&dst[..written], b"a?b");
            written
        });
    }
}

#[test]
fn strict_conversions() {
    for pair in pairs() {
        for_each_text(pair, |rng, src| {
            let (api, unit) = (choose(rng, Api::all()), pair.to.element_bytes);
            let name = format_args!("{pair} of {src:02X?} by {api:?}");
            let len = choose_capacity(rng, pair.len(api, src) * unit);
            check_output(name, Output::Initialised, len, |dst| {
                pair.transcode_into(api, src, initialised_bytes(dst)).written * unit
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                pair.transcode_into_uninit(api, src, dst).written * unit
            });
            if let Ok(text) = pair.transcode(api, src) {
                check_owned(pair, &text);
            }
        });
    }
}

#[test]
fn repairs() {
    for pair in pairs() {
        for_each_text(pair, |rng, src| {
            let (api, unit) = (choose(rng, Api::all()), pair.to.element_bytes);
            let repair = choose(rng, &REPAIRS);
            let name = format_args!("{pair} of {src:02X?} by {api:?}, {repair:?}");
            let len = choose_capacity(rng, pair.measure_lossy(api, src, repair).0);
            check_output(name, Output::Initialised, len, |dst| {
                pair.lossy_into(api, src, repair, initialised_bytes(dst)).written * unit
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                pair.lossy_into_uninit(api, src, repair, dst).written * unit
            });
            check_owned(pair, &pair.lossy(api, src, repair).0);
        });
    }
}

#[test]
fn streams() {
    for pair in pairs() {
        for_each_text(pair, |rng, src| {
            let (api, unit) = (choose(rng, Api::all()), pair.to.element_bytes);
            let split =
                rng.random_range(0..=src.len() / pair.from.element_bytes) * pair.from.element_bytes;
            let (front, rest) = src.split_at(split);
            let policy = choose(rng, &REPAIRS.map(Some)).filter(|_| rng.random_ratio(2, 3));
            let transcoder = || match policy {
                Some(repair) => pair.lossy_transcoder(api, repair.into()),
                None => pair.transcoder(api),
            };
            let name = format_args!("{pair} of {src:02X?} split at {split} by {api:?}, {policy:?}");
            let capacity = 8 * src.len() + 32;
            check_output(name, Output::Initialised, capacity, |dst| {
                transcoder().push(front, initialised_bytes(dst)).written * unit
            });
            // A sequence that is split is carried into the second chunk, or to the end.
            let after_front = || {
                let mut transcoder = transcoder();
                let _ = transcoder.push(front, &mut vec![0; capacity]);
                transcoder
            };
            check_output(name, Output::Initialised, capacity, |dst| {
                after_front().push(rest, initialised_bytes(dst)).written * unit
            });
            check_output(name, Output::Initialised, 32, |dst| {
                after_front().finish(initialised_bytes(dst)).written * unit
            });
        });
    }
}

#[test]
fn bytes_in_streams() {
    let text = "aé漢😀 ÿ".repeat(9);
    for &to in Scheme::ALL {
        for split in 0..text.len() {
            for policy in [Policy::STOP, Policy::from(Repair::REPLACE)] {
                let name = format_args!("UTF-8 to {to:?}, split at {split}");
                check_output(name, Output::Uninitialised, 1024, |dst| {
                    let mut transcoder = ByteTranscoder::new(Scheme::Utf8, to).with_policy(policy);
                    let (front, rest) = text.as_bytes().split_at(split);
                    let written = transcoder.push(front, dst).written;
                    written + transcoder.push(rest, &mut dst[written..]).written
                });
            }
        }
    }
}

#[test]
fn strings() {
    let rng = &mut StdRng::seed_from_u64(1);
    for codec in codecs() {
        for len in 0..300 {
            let (width, last_char) = choose(
                rng,
                &[(1, '\x7F'), (2, 'ÿ'), (2, char::MAX), (3, char::MAX), (4, char::MAX)],
            );
            let text = embedded_in(len, Scheme::Utf8, width, last_char, 0, b"");
            let text = String::from_utf8(text).expect("UTF-8");
            let api = choose(rng, Api::all());
            let units = pair_named("Utf8", codec.name).len(api, text.as_bytes());
            let len = choose_capacity(rng, units * codec.element_bytes);
            let name = format_args!("{text:?} to {} by {api:?}", codec.name);
            check_output(name, Output::Initialised, len, |dst| {
                (codec.from_str_into)(api, &text, initialised_bytes(dst)).written
                    * codec.element_bytes
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                (codec.from_str_into_uninit)(api, &text, dst).written * codec.element_bytes
            });
        }
    }
}

#[test]
fn characters() {
    for_each_text(pair_named("Utf8", "Utf8"), |_, src| {
        if let Ok(text) = str::from_utf8(src) {
            check_owned("characters", String::from_iter(utf8::str_to_chars(text)).as_bytes());
        }
    });
}

#[test]
fn well_formed_utf16() {
    for_each_text(pair_named("Utf16", "Utf16"), |rng, src| {
        let src = &units::<u16>(src)[..];
        for kernel in Kernel::available() {
            let name = format_args!("{src:04X?} on {kernel}");
            let len = choose_capacity(rng, 2 * src.len());
            check_output(name, Output::Initialised, len, |dst| {
                let dst = units_mut::<u16>(initialised_bytes(dst));
                2 * kernel.utf16_well_formed_into(src, dst).written
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                2 * kernel.utf16_well_formed_into(src, units_uninit::<u16>(dst)).written
            });
            // The repair in place has the whole text as its output.
            check_output(name, Output::Initialised, 2 * src.len(), |dst| {
                let text = units_mut::<u16>(initialised_bytes(dst));
                text.copy_from_slice(src);
                kernel.utf16_make_well_formed(text);
                2 * text.len()
            });
        }
        check_owned("UTF-16", String::from_utf16_lossy(&utf16::to_well_formed(src)).as_bytes());
    });
}

#[test]
fn positions() {
    let text = "aé漢😀\n".repeat(30);
    check_output("positions", Output::Initialised, 80, |dst| {
        // SAFETY: any bytes are a valid `usize`, and any `usize` is valid bytes.
        let (_, offsets, _) = unsafe { initialised_bytes(dst).align_to_mut::<usize>() };
        for (i, offset) in offsets.iter_mut().enumerate() {
            *offset = 3 * i;
        }
        utf8::convert_positions(text.as_bytes(), Metric::CodePoints, Metric::Utf16, offsets)
            .expect("positions of the text");
        size_of_val(offsets)
    });
}

#[test]
fn readers() {
    let text = "aé漢😀 ÿ".repeat(40);
    let src = [text.as_bytes(), b"\xF0\x9F", text.as_bytes(), b"\xFF"].concat();
    for from in [Scheme::Utf8, Scheme::Latin1] {
        for len in [4, 7, 64, 100, 9000] {
            check_output(format_args!("{from:?} read by {len}"), Output::Initialised, len, |dst| {
                let policy = Policy::from(Repair::REPLACE);
                let mut reader = Reader::new(&src[..], from).with_policy(policy);
                let (mut read_len, dst) = (0, initialised_bytes(dst));
                while read_len < dst.len() {
                    match reader.read(&mut dst[read_len..]).expect("repaired") {
                        0 => break,
                        read_now => read_len += read_now,
                    }
                }
                read_len
            });
        }
    }
}
