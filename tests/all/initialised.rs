//! Every function that writes into a caller's memory: what it reports as written is initialised,
//! and nothing else of the output receives bytes that nobody had initialised.
//!
//! By itself, each call is made twice and compared (see [`outputs`](crate::common::outputs)).
//! `valgrind target/debug/deps/all-... initialised::` asks valgrind as well, on the kernels that it
//! can run.

use std::io::Read;
use std::mem::MaybeUninit;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::{
    ByteTranscoder, IllFormed, Kernel, Metric, Policy, Repair, Scheme, Unmappable, Utf8,
    io::Reader, utf8, utf16,
};

use crate::common::api::{Api, Pair, codecs, named, pairs, units, units_mut, units_uninit};
use crate::common::carriers::{CARRIER, embedded_in, last_common, sequences, widths};
use crate::common::outputs::{Output, check_output, check_owned, memcheck};
use crate::common::{costly, lossy_api};

/// The repairs, one for each way in which the text of a replacement arises.
const REPAIRS: [Repair; 7] = [
    Repair::REPLACE,
    repair(IllFormed::Replace('?'), Unmappable::Replace('*')),
    repair(IllFormed::Replace('\u{1F600}'), Unmappable::Skip),
    repair(IllFormed::Skip, Unmappable::NumericReference),
    repair(IllFormed::Latin1, Unmappable::Skip),
    repair(IllFormed::ReplaceAsJava, Unmappable::Skip),
    repair(IllFormed::ReplaceRuns, Unmappable::Skip),
];

const fn repair(ill_formed: IllFormed, unmappable: Unmappable) -> Repair {
    Repair::REPLACE.on_ill_formed(ill_formed).on_unmappable(unmappable)
}

/// A choice from `options`: over all texts, each meets each.
fn choose<T: Copy>(rng: &mut StdRng, options: &[T]) -> T {
    options[rng.random_range(0..options.len())]
}

/// A capacity: less than the result needs, as much, or a few vectors more.
fn capacity(rng: &mut StdRng, needed: usize) -> usize {
    choose(rng, &[needed / 8 * 4, needed, needed + 128])
}

/// The output of each kind, as the function wants it. The bytes are initialised.
fn initialised(dst: &mut [MaybeUninit<u8>]) -> &mut [u8] {
    // SAFETY: `check_output` initialises the output where the function asks for `&mut [U]`.
    unsafe { &mut *(dst as *mut _ as *mut [u8]) }
}

/// Calls `check` with texts of a pair's source for each kind of sequence: alone, in short texts, in
/// long ones of each kind of character, and several times.
fn for_each_text(pair: &Pair, mut check: impl FnMut(&mut StdRng, &[u8])) {
    let (scheme, last) = (pair.from.scheme, last_common(pair));
    let rng = &mut StdRng::seed_from_u64(scheme as u64);
    for sequence in costly("sequences", sequences(scheme).iter()) {
        let len = choose(rng, &[0, 3, 9, 20, 40, 80, CARRIER]);
        let (width, at) = (rng.random_range(widths(last)), rng.random_range(0..=len));
        let text = embedded_in(len, scheme, width, last, at, sequence);
        // Ill-formed sequences that are dense, or many, are repaired by other code.
        let times = choose(rng, &[1, 1, 1, 7]);
        check(rng, &text.repeat(times));
    }
}

#[test]
fn valgrind_is_asked_where_it_is_required() {
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
fn a_replacement_leaks_no_stack() {
    let repair = Repair::REPLACE.on_ill_formed(IllFormed::Replace('?'));
    for kernel in Kernel::available() {
        check_output(kernel, Output::Initialised, 16, |dst| {
            let dst = initialised(dst);
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
            let (api, unit) = (choose(rng, Api::all()), pair.to.unit);
            let name = format_args!("{pair} of {src:02X?} by {api:?}");
            let len = capacity(rng, (pair.len)(api, src) * unit);
            check_output(name, Output::Initialised, len, |dst| {
                (pair.transcode_into)(api, src, initialised(dst)).written * unit
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                (pair.transcode_into_uninit)(api, src, dst).written * unit
            });
            if let Ok(text) = (pair.transcode)(api, src) {
                check_owned(pair, &text);
            }
        });
    }
}

#[test]
fn repairs() {
    for pair in lossy_api::pairs() {
        for_each_text(pair, |rng, src| {
            let (api, unit) = (choose(rng, Api::all()), pair.to.unit);
            let repair = choose(rng, &REPAIRS);
            let name = format_args!("{pair} of {src:02X?} by {api:?}, {repair:?}");
            let len = capacity(rng, (pair.len_lossy)(api, src, repair));
            check_output(name, Output::Initialised, len, |dst| {
                (pair.lossy_into)(api, src, repair, initialised(dst)).written * unit
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                (pair.lossy_into_uninit)(api, src, repair, dst).written * unit
            });
            check_owned(pair, &(pair.lossy)(api, src, repair).0);
        });
    }
}

#[test]
fn streams() {
    for pair in lossy_api::pairs() {
        for_each_text(pair, |rng, src| {
            let (api, unit) = (choose(rng, Api::all()), pair.to.unit);
            let cut = rng.random_range(0..=src.len() / pair.from.unit) * pair.from.unit;
            let (front, rest) = src.split_at(cut);
            let policy = choose(rng, &REPAIRS.map(Some)).filter(|_| rng.random_ratio(2, 3));
            let transcoder = || match policy {
                Some(repair) => (pair.lossy_transcoder)(api, repair.into()),
                None => (pair.transcoder)(api),
            };
            let name = format_args!("{pair} of {src:02X?} cut at {cut} by {api:?}, {policy:?}");
            let capacity = 8 * src.len() + 32;
            check_output(name, Output::Initialised, capacity, |dst| {
                transcoder().push(front, initialised(dst)).written * unit
            });
            // A sequence that the cut splits is carried into the second chunk, or to the end.
            let after_front = || {
                let mut transcoder = transcoder();
                let _ = transcoder.push(front, &mut vec![0; capacity]);
                transcoder
            };
            check_output(name, Output::Initialised, capacity, |dst| {
                after_front().push(rest, initialised(dst)).written * unit
            });
            check_output(name, Output::Initialised, 32, |dst| {
                after_front().finish(initialised(dst)).written * unit
            });
        });
    }
}

#[test]
fn bytes_in_streams() {
    let text = "aé漢😀 ÿ".repeat(9);
    for &to in Scheme::ALL {
        for cut in 0..text.len() {
            for policy in [Policy::STOP, Policy::from(Repair::REPLACE)] {
                let name = format_args!("UTF-8 to {to:?}, cut at {cut}");
                check_output(name, Output::Uninitialised, 1024, |dst| {
                    let mut transcoder = ByteTranscoder::new(Scheme::Utf8, to).with_policy(policy);
                    let (front, rest) = text.as_bytes().split_at(cut);
                    let written = transcoder.push_uninit(front, dst).written;
                    written + transcoder.push_uninit(rest, &mut dst[written..]).written
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
            let (width, last) = choose(
                rng,
                &[(1, '\x7F'), (2, 'ÿ'), (2, char::MAX), (3, char::MAX), (4, char::MAX)],
            );
            let text = embedded_in(len, Scheme::Utf8, width, last, 0, b"");
            let text = String::from_utf8(text).expect("UTF-8");
            let api = choose(rng, Api::all());
            let len = capacity(rng, (codec.from_str_len)(api, &text) * codec.unit);
            let name = format_args!("{text:?} to {} by {api:?}", codec.name);
            check_output(name, Output::Initialised, len, |dst| {
                (codec.from_str_into)(api, &text, initialised(dst)).written * codec.unit
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                (codec.from_str_into_uninit)(api, &text, dst).written * codec.unit
            });
        }
    }
}

#[test]
fn characters() {
    for_each_text(named("Utf8", "Utf8"), |rng, src| {
        for kernel in Kernel::available() {
            let len = capacity(rng, 4 * kernel.count::<Utf8>(src));
            check_output(format_args!("{src:02X?}"), Output::Uninitialised, len, |dst| {
                let dst = units_uninit::<u32>(dst);
                // SAFETY: `MaybeUninit<char>` has the layout of `MaybeUninit<u32>`.
                let dst = unsafe { &mut *(dst as *mut _ as *mut [MaybeUninit<char>]) };
                4 * match str::from_utf8(src) {
                    Ok(text) => kernel.str_to_chars_into_uninit(text, dst).written,
                    Err(_) => kernel.utf8_to_chars_into_uninit(src, dst).written,
                }
            });
        }
        if let Ok(text) = str::from_utf8(src) {
            check_owned("characters", String::from_iter(utf8::str_to_chars(text)).as_bytes());
        }
    });
}

#[test]
fn well_formed_utf16() {
    for_each_text(named("Utf16", "Utf16"), |rng, src| {
        let src = &units::<u16>(src)[..];
        for kernel in Kernel::available() {
            let name = format_args!("{src:04X?} on {kernel}");
            let len = capacity(rng, 2 * src.len());
            check_output(name, Output::Initialised, len, |dst| {
                2 * kernel.utf16_well_formed_into(src, units_mut(initialised(dst))).written
            });
            check_output(name, Output::Uninitialised, len, |dst| {
                2 * kernel.utf16_well_formed_into_uninit(src, units_uninit(dst)).written
            });
            // In place: all of the text is the output.
            check_output(name, Output::Initialised, 2 * src.len(), |dst| {
                let text = units_mut::<u16>(initialised(dst));
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
        // SAFETY: any bytes are a `usize`, and it may become any.
        let (_, words, _) = unsafe { initialised(dst).align_to_mut::<usize>() };
        for (i, word) in words.iter_mut().enumerate() {
            *word = 3 * i;
        }
        utf8::convert_positions(text.as_bytes(), Metric::CodePoints, Metric::Utf16, words)
            .expect("positions of the text");
        size_of_val(words)
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
                let (mut read, dst) = (0, initialised(dst));
                while read < dst.len() {
                    match reader.read(&mut dst[read..]).expect("repaired") {
                        0 => break,
                        more => read += more,
                    }
                }
                read
            });
        }
    }
}
