//! Tests of streams: for any chunks and any output capacities, the results equal the results for
//! the whole text.

use std::cell::LazyCell;

use crate::common::api::{Api, codecs};
use crate::common::carriers::{sample, sequences};
use crate::common::pairs::pairs;
use crate::common::sampled;
use crate::common::streams::{check_stream, check_validator};
use utflane::{
    ByteTranscoder, ByteValidator, ErrorKind, Kernel, Repair, Scheme, Stop, Transcoder, Utf8,
    Utf16, Utf32, Validator,
};

/// The lengths of chunks, in elements of the input slice. A stream uses one of these lists in a
/// cycle.
const CHUNK_LENS: [&[usize]; 6] = [&[1], &[2], &[3], &[0, 1, 4], &[5, 1, 1], &[1000]];
/// The capacities of outputs, in elements of the output slice. A stream uses one of these lists in
/// a cycle. Some capacities are too small for one character.
const CAPACITIES: [&[usize]; 3] = [&[1000], &[1, 2, 3, 4], &[0, 7]];

#[test]
fn short_sequences_validated_in_chunks() {
    for codec in codecs() {
        for sequence in sampled("sequences", sequences(codec.scheme).iter()) {
            for chunk_lens in CHUNK_LENS {
                check_validator(codec, sequence, chunk_lens);
            }
        }
    }
}

#[test]
fn short_sequences_transcoded_in_chunks() {
    for pair in pairs() {
        let sequences = sequences(pair.from.scheme);
        for (i, sequence) in sampled("sequences", sequences.iter().enumerate()) {
            let chunk_lens = CHUNK_LENS[i % CHUNK_LENS.len()];
            let capacities = CAPACITIES[i / CHUNK_LENS.len() % CAPACITIES.len()];
            check_stream(pair, sequence, chunk_lens, capacities);
            check_stream(pair, sequence, &[1], CAPACITIES[i % CAPACITIES.len()]);
        }
    }
}

/// Texts of a few hundred units, well-formed and with scattered errors, in chunks of many lengths.
#[test]
fn longer_texts_in_chunks() {
    for (i, pair) in pairs().iter().enumerate() {
        let texts = LazyCell::new(|| {
            let text = sample(pair, 200, i as u64);
            let mut with_errors = text.clone();
            let sequences = sequences(pair.from.scheme);
            let unit = pair.from.scheme.unit_size();
            for (k, sequence) in sequences.iter().step_by(sequences.len() / 12 + 1).enumerate() {
                let at = (11 + 23 * k) * unit;
                if at < with_errors.len() {
                    with_errors.splice(at..at, sequence.iter().copied());
                }
            }
            (text, with_errors)
        });
        for &len in sampled("chunk lengths", [1, 2, 3, 7, 61, 63, 64, 65, 66, 67, 100].iter()) {
            let (text, with_errors) = &*texts;
            for capacities in [&[1000][..], &[1, 2, 3], &[16, 72, 80]] {
                check_stream(pair, text, &[len], capacities);
                check_stream(pair, with_errors, &[len], capacities);
                check_stream(pair, with_errors, &[len, 1, 0, 2], capacities);
            }
            check_validator(pair.from, with_errors, &[len, 1]);
        }
    }
}

/// Chunks about as long as a vector or a block. Each sequence begins up to four bytes before the
/// end of a chunk.
#[test]
fn chunks_of_about_a_vector() {
    let codecs = codecs();
    let utf8 = codecs.iter().find(|codec| codec.scheme == Scheme::Utf8).expect("UTF-8 is listed");
    let sequences = sequences(Scheme::Utf8);
    let chunk_lens = [
        15, 16, 17, 18, 19, 31, 32, 33, 34, 35, 63, 64, 65, 66, 67, 68, 127, 128, 129, 130, 131,
        132, 191, 512, 577, 1100, 1600,
    ];
    for &chunk_len in sampled("chunk lengths", chunk_lens.iter()) {
        for (i, sequence) in sampled("sequences", sequences.iter().enumerate()) {
            for shift in [0, 3] {
                // The sequence begins at the end of the second chunk, or up to four bytes before
                // that end.
                let start = 2 * chunk_len - (i + shift) % 5;
                let mut text = "é".repeat(start / 2).into_bytes();
                text.resize(start, b'x');
                text.extend_from_slice(sequence);
                text.extend("漢字 and more".repeat(chunk_len / 8 + 2).bytes());
                check_validator(utf8, &text, &[chunk_len]);
            }
        }
    }
}

/// `accepts` returns true until the first error. `finish` then returns the first error.
#[test]
fn accepts_returns_true_until_the_first_error() {
    for kernel in Kernel::available() {
        let mut validator = Validator::<Utf8>::with_kernel(kernel);
        let mut byte_validator = ByteValidator::with_kernel(kernel, Scheme::Utf8);
        for _ in 0..2 {
            for (chunk, accepted) in
                [(&b"caf\xC3"[..], true), (b"\xA9 \xC3", true), (b"x", false), (b"y", false)]
            {
                assert_eq!(validator.accepts(chunk), accepted, "{kernel}: {chunk:02X?}");
                assert_eq!(byte_validator.accepts(chunk), accepted, "{kernel}: {chunk:02X?}");
            }
            for error in [validator.finish(), byte_validator.finish()].map(Result::unwrap_err) {
                assert_eq!((error.offset(), error.error_len()), (6, Some(1)), "{kernel}");
            }
        }
        assert!(validator.accepts(b"\xC3"), "{kernel}: a new stream");
        assert!(validator.finish().unwrap_err().is_incomplete(), "{kernel}");
        assert_eq!(validator.finish(), Ok(()), "{kernel}: a new stream");
    }
}

/// The first byte that makes a sequence ill-formed is enough: the `push` of this byte returns the
/// error.
#[test]
fn push_reports_an_error_at_its_first_ill_formed_byte() {
    for (start, byte, len) in [
        (&b"\xC3"[..], b'A', 1),
        (b"\xE0", 0x9F, 1),
        (b"\xED", 0xA0, 1),
        (b"\xF0", 0x8F, 1),
        (b"\xF4", 0x90, 1),
        (b"\xE2\x82", b'A', 2),
        (b"\xF0\x9F", 0xC3, 2),
        (b"\xF0\x9F\x98", b'A', 3),
        (b"", 0xC0, 1),
        (b"", 0xF5, 1),
        (b"", 0xFF, 1),
        (b"", 0x80, 1),
    ] {
        for kernel in Kernel::available() {
            let mut validator = Validator::<Utf8>::with_kernel(kernel);
            validator.push(b"before").expect("ASCII");
            for byte in start {
                assert_eq!(validator.push(&[*byte]), Ok(()), "{kernel}: {start:02X?}");
            }
            let error = validator.push(&[byte]).expect_err("ill-formed");
            assert_eq!(
                (error.offset(), error.error_len()),
                (6, Some(len)),
                "{kernel}: {start:02X?}"
            );
        }
    }
}

/// The validator keeps a high surrogate until the next unit arrives. Offsets and lengths are
/// counted in units.
#[test]
fn unpaired_surrogates_at_the_end_of_a_chunk_of_units() {
    for kernel in Kernel::available() {
        let mut validator = Validator::<Utf16>::with_kernel(kernel);
        assert_eq!(validator.push(&[0x61, 0xD800]), Ok(()), "{kernel}");
        let error = validator.push(&[0x62]).expect_err("an unpaired surrogate");
        assert_eq!((error.offset(), error.error_len(), error.read()), (1, Some(1), 0), "{kernel}");
        assert_eq!(validator.push(&[0x62]), Ok(()), "{kernel}: continues after the surrogate");
        assert_eq!(validator.finish(), Ok(()), "{kernel}: no incomplete sequence remains");
    }
}

/// The low surrogate of a pair is pushed with an output that is too small for the character. The
/// call writes nothing, and the same push with a larger output writes the character.
#[test]
fn surrogate_pair_is_kept_until_the_output_has_capacity() {
    for kernel in Kernel::available() {
        let mut transcoder = Transcoder::<Utf16, Utf8>::with_kernel(kernel);
        let mut dst = [0; 4];
        assert_eq!(transcoder.push(&[0xD83D], &mut dst).stop, Stop::Done, "{kernel}");
        let progress = transcoder.push(&[0xDE00], &mut dst[..3]);
        assert_eq!((progress.read, progress.written), (0, 0), "{kernel}: no progress");
        assert_eq!(progress.stop, Stop::OutputFull, "{kernel}");
        let progress = transcoder.push(&[0xDE00], &mut dst);
        assert_eq!(
            (progress.read, progress.written, progress.stop),
            (1, 4, Stop::Done),
            "{kernel}"
        );
        assert_eq!(dst, *"😀".as_bytes(), "{kernel}");
        assert_eq!(transcoder.finish(&mut dst).stop, Stop::Done, "{kernel}");
    }
}

/// The kind of an error depends on the bytes that have arrived when it is reported.
#[test]
fn error_kind_depends_on_the_bytes_that_have_arrived() {
    for kernel in Kernel::available() {
        let kind = |chunks: &[&[u8]]| {
            let mut validator = Validator::<Utf8>::with_kernel(kernel);
            chunks.iter().find_map(|chunk| validator.push(chunk).err()).map(|error| error.kind())
        };
        assert_eq!(kind(&[b"\xE0\x80\x80"]), Some(ErrorKind::Overlong), "{kernel}");
        assert_eq!(kind(&[b"\xE0", b"\x80"]), Some(ErrorKind::TooShort), "{kernel}");
        assert_eq!(kind(&[b"\xE0", b"\x80\x80"]), Some(ErrorKind::Overlong), "{kernel}");
        assert_eq!(kind(&[b"\xF4", b"\x90\x80\x80"]), Some(ErrorKind::TooLarge), "{kernel}");
        assert_eq!(kind(&[b"\xED", b"\xA0\x80"]), Some(ErrorKind::Surrogate), "{kernel}");
        // The chunk begins with the continuation byte of a split character. The error follows that
        // byte directly, or after up to 11 ASCII bytes.
        for ascii_len in 0..12 {
            let chunk = [b"\xA9", &b"abcdefghijkl"[..ascii_len], b"\xF4\xBF\x80\xBF"].concat();
            let got = kind(&[b"\xC3", &chunk]);
            assert_eq!(got, Some(ErrorKind::TooLarge), "{kernel}, after {ascii_len} bytes");
        }
    }
}

/// A clone continues independently, and `finish` resets a stream.
#[test]
fn clones_are_independent_and_finish_resets() {
    for &api in Api::all() {
        let mut transcoder = match api {
            Api::Free => Transcoder::<Utf8, Utf32>::default(),
            Api::On(kernel) => Transcoder::with_kernel(kernel),
        };
        let mut dst = [0; 8];
        assert_eq!(transcoder.push(b"a\xE2\x82", &mut dst).read, 3);
        let mut other = transcoder.clone();
        assert_eq!(transcoder.push(b"\xAC", &mut dst).written, 1);
        assert_eq!(dst[0], 0x20AC);
        let Stop::Error(error) = other.finish(&mut dst).stop else {
            panic!("{api:?}: the incomplete sequence was not reported")
        };
        assert_eq!((error.offset(), error.error_len()), (1, None), "{api:?}");
        let Stop::Error(error) = other.push(b"\xFF", &mut dst).stop else {
            panic!("{api:?}: 0xFF was accepted")
        };
        assert_eq!(error.offset(), 0, "{api:?}: a new stream");
    }
}

/// At the end of a stream, `finish` must write a surrogate and a replacement character. The output
/// holds only one of them, so two calls are needed, and each is written once.
#[test]
fn finish_continues_after_a_full_output() {
    let mut transcoder =
        ByteTranscoder::new(Scheme::Wtf8, Scheme::Wtf8).with_policy(Repair::REPLACE);
    let mut dst = [0; 5];
    let progress = transcoder.push(b"\xED\xA0\x80\xED", &mut dst);
    assert_eq!((progress.read, progress.written, progress.stop), (4, 0, Stop::Done));
    for (part, stop) in [(&b"\xED\xA0\x80"[..], Stop::OutputFull), (b"\xEF\xBF\xBD", Stop::Done)] {
        let progress = transcoder.finish(&mut dst);
        assert_eq!((&dst[..progress.written], progress.stop), (part, stop));
    }
    assert_eq!(transcoder.repairs(), 1);
    assert_eq!(transcoder.finish(&mut dst).written, 0, "a new stream");
}

/// An unpaired surrogate, which the target encoding lacks, and an incomplete sequence after it at
/// the end are two errors.
#[test]
fn two_errors_at_the_end_of_a_stream() {
    let mut transcoder = ByteTranscoder::new(Scheme::Wtf8, Scheme::Utf32Le);
    let mut dst = [0; 16];
    let progress = transcoder.push(b"a\xED\xA0\x87\xED", &mut dst);
    assert_eq!((progress.read, progress.written, progress.stop), (5, 4, Stop::Done));
    for (offset, len) in [(1, Some(3)), (4, None)] {
        let Stop::Error(error) = transcoder.finish(&mut dst).stop else {
            panic!("the error at {offset} was not reported")
        };
        assert_eq!((error.offset(), error.error_len()), (offset, len));
    }
    assert_eq!(transcoder.finish(&mut dst).stop, Stop::Done, "a new stream");
}

/// A surrogate that follows an incomplete sequence shows that the sequence is ill-formed. The error
/// is reported at once, although the validator holds the surrogate back.
#[test]
fn held_back_surrogate_reveals_the_error_before_it() {
    for kernel in Kernel::available() {
        let texts = [
            &b"a\xF0\x9F\xED\xA0\x80"[..],
            // A surrogate without its third byte, ended by the ASCII byte after it.
            b"a\xED\xA0A",
            b"a\xED\xA0A\xED",
            b"a\xED\xA0A\xED\xB0",
        ];
        for text in texts {
            let mut validator = ByteValidator::with_kernel(kernel, Scheme::Wtf8);
            let error = validator.push(text).unwrap_err();
            let found = (error.offset(), error.error_len(), error.read());
            assert_eq!(found, (1, Some(2), 3), "{kernel:?} of {text:02X?}");
        }
    }
}

/// Like `held_back_surrogate_reveals_the_error_before_it`, with repairs: the `push` that receives
/// the surrogate replaces the incomplete sequence before it.
#[test]
fn sequence_before_a_held_back_surrogate_is_repaired_at_once() {
    for kernel in Kernel::available() {
        let transcoder = ByteTranscoder::with_kernel(kernel, Scheme::Wtf8, Scheme::Utf8);
        let mut transcoder = transcoder.with_policy(Repair::REPLACE);
        let mut dst = [0; 16];
        let progress = transcoder.push(b"a\xF0\x9F\xED\xA0\x80", &mut dst);
        assert_eq!((progress.read, progress.written, progress.stop), (6, 4, Stop::Done));
        assert_eq!(transcoder.repairs(), 1, "{kernel:?}");
    }
}

/// A surrogate pair in WTF-8 is ill-formed and becomes one repair, even if it arrives in two chunks
/// after another repair.
#[test]
fn surrogate_pair_in_two_chunks_is_one_repair() {
    for kernel in Kernel::available() {
        let transcoder = ByteTranscoder::with_kernel(kernel, Scheme::Wtf8, Scheme::Wtf8);
        let mut transcoder = transcoder.with_policy(Repair::REPLACE);
        let mut dst = [0; 16];
        for (chunk, repairs) in [(&b"\xFF\xED\xA0\xBD"[..], 1), (b"\xED\xB8\x80", 2)] {
            let progress = transcoder.push(chunk, &mut dst);
            assert_eq!((progress.read, progress.stop), (chunk.len(), Stop::Done), "{kernel:?}");
            assert_eq!(&dst[..progress.written], "\u{FFFD}".as_bytes(), "{kernel:?}");
            assert_eq!(transcoder.repairs(), repairs, "{kernel:?}");
        }
    }
}
