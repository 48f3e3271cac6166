//! Streams: a text in chunks of a fixed size, each pushed or read by a call.

use std::io::Read;

use encoding_rs::CoderResult;
use encoding_rs_io::DecodeReaderBytesBuilder;
#[cfg(target_arch = "x86_64")]
use simdutf8::basic::imp::ChunkedUtf8Validator;
use utflane::io::Reader;
use utflane::{Scheme, Stop, Transcoder, Utf8, Utf16, Utf16Le, Validator};

use super::{Contender, Operation, Run, View, capacity, peer, row};
use crate::peers::FAILED;

/// Rows of one operation, for the chunks that are measured.
macro_rules! by_chunk {
    ($operation:ident, $name:literal: $($bytes:literal $suffix:literal),*) => {
        vec![$($operation::<$bytes>(concat!($name, " by ", $suffix))),*]
    };
}

pub(super) fn streams() -> Vec<Operation> {
    let mut all = by_chunk!(
        validator, "stream utf8":
        1 "1", 16 "16", 64 "64", 256 "256", 1024 "1K", 4096 "4K", 65_536 "64K"
    );
    all.extend(by_chunk!(
        decoder, "stream utf8>utf16":
        1 "1", 16 "16", 64 "64", 256 "256", 1024 "1K", 4096 "4K", 65_536 "64K"
    ));
    all.extend(by_chunk!(
        encoder, "stream utf16>utf8":
        2 "2", 16 "16", 64 "64", 256 "256", 1024 "1K", 4096 "4K", 65_536 "64K"
    ));
    all.extend(by_chunk!(
        reader, "reader utf16le>utf8":
        1 "1", 16 "16", 64 "64", 256 "256", 1024 "1K", 4096 "4K", 65_536 "64K"
    ));
    all
}

/// Our validator, and validators that report errors only at the end.
fn validator<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.check(times, |src: &[u8]| {
            let mut validator = Validator::<Utf8>::with_kernel(kernel);
            src.chunks(CHUNK).all(|chunk| validator.accepts(chunk)) && validator.finish().is_ok()
        })
    };
    let mut operation = row::<Utf8>(name, ours, ours);
    operation.peers.extend(simdutf8_chunked::<CHUNK>());
    operation.against([peer!(check, "encoding_rs", |src: &[u8]| {
        let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
        let mut dst = [0; 1024];
        let mut valid = true;
        let mut decode = |mut src: &[u8], last| loop {
            let (result, read, _, replaced) = decoder.decode_to_utf16(src, &mut dst, last);
            valid &= !replaced;
            src = &src[read..];
            if result == CoderResult::InputEmpty {
                break;
            }
        };
        src.chunks(CHUNK).for_each(|chunk| decode(chunk, false));
        decode(&[], true);
        valid
    })])
}

/// simdutf8's validator of chunks, which are multiples of 64 bytes except for the last.
#[cfg(target_arch = "x86_64")]
fn simdutf8_chunked<const CHUNK: usize>() -> Option<Contender> {
    use simdutf8::basic::imp::x86::{avx2, sse42};

    let known = is_x86_feature_detected!("avx2") && CHUNK.is_multiple_of(64);
    known.then_some(peer!(
        check,
        "simdutf8-chunked",
        are_valid_chunks::<avx2::ChunkedUtf8ValidatorImp, CHUNK>,
        sse42: are_valid_chunks::<sse42::ChunkedUtf8ValidatorImp, CHUNK>
    ))
}

/// Returns true if `T`, whose features have been detected, accepts the chunks of `src`.
#[cfg(target_arch = "x86_64")]
fn are_valid_chunks<T: ChunkedUtf8Validator, const CHUNK: usize>(src: &[u8]) -> bool {
    // SAFETY: its features have been detected.
    let mut validator = unsafe { T::new() };
    let whole = src.len() - src.len() % 64;
    for chunk in src[..whole].chunks(CHUNK) {
        // SAFETY: as above.
        unsafe { validator.update_from_chunks(chunk) };
    }
    // SAFETY: as above.
    unsafe { validator.finalize(Some(&src[whole..])) }.is_ok()
}

/// There is none without the instruction set.
#[cfg(not(target_arch = "x86_64"))]
fn simdutf8_chunked<const CHUNK: usize>() -> Option<Contender> {
    None
}

/// Our transcoder of chunks into the rest of the output. Returns the units written.
#[inline(always)]
fn transcoded<A, B, const CHUNK: usize>(
    kernel: utflane::Kernel,
    src: &[A::Unit],
    dst: &mut [B::Unit],
) -> usize
where
    A: utflane::Encoding,
    B: utflane::Encoding,
    [A::Unit]: View,
{
    let mut transcoder = Transcoder::<A, B>::with_kernel(kernel);
    let mut written = 0;
    for chunk in src.chunks(CHUNK / size_of::<A::Unit>()) {
        let progress = transcoder.push(chunk, &mut dst[written..]);
        written += progress.written;
        if progress.stop != Stop::Done {
            return FAILED;
        }
    }
    let end = transcoder.finish(&mut dst[written..]);
    if end.stop == Stop::Done { written + end.written } else { FAILED }
}

/// Our transcoder, and encoding_rs's decoder.
fn decoder<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert(times, |src: &[u8], dst: &mut [u16]| {
            transcoded::<Utf8, Utf16, CHUNK>(kernel, src, dst)
        })
    };
    Operation {
        capacity: Some(|bytes| capacity::<Utf8, Utf16>(bytes) + SPARE),
        ..row::<Utf8>(name, ours, ours)
    }
    .against([peer!(convert, "encoding_rs", |src: &[u8], dst: &mut [u16]| {
        let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
        let mut written = 0;
        for chunk in src.chunks(CHUNK) {
            let (result, _, some, replaced) =
                decoder.decode_to_utf16(chunk, &mut dst[written..], false);
            written += some;
            if replaced || result == CoderResult::OutputFull {
                return FAILED;
            }
        }
        let (_, _, some, replaced) = decoder.decode_to_utf16(&[], &mut dst[written..], true);
        if replaced { FAILED } else { written + some }
    })])
}

/// Our transcoder, and encoding_rs's encoder.
fn encoder<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert(times, |src: &[u16], dst: &mut [u8]| {
            transcoded::<Utf16, Utf8, CHUNK>(kernel, src, dst)
        })
    };
    Operation {
        capacity: Some(|bytes| capacity::<Utf16, Utf8>(bytes) + SPARE),
        ..row::<Utf16>(name, ours, ours)
    }
    .against([peer!(convert, "encoding_rs", |src: &[u16], dst: &mut [u8]| {
        let mut encoder = encoding_rs::UTF_8.new_encoder();
        let mut written = 0;
        let mut rest = src;
        while !rest.is_empty() {
            // It takes no half of a pair, so its callers cut before one, or after it if a chunk is
            // one unit.
            let len = rest.len().min(CHUNK / 2);
            let cut = len < rest.len() && rest[len - 1] & 0xFC00 == 0xD800;
            let (chunk, after) = rest.split_at(match (cut, len) {
                (false, _) => len,
                (true, 1) => 2,
                (true, _) => len - 1,
            });
            rest = after;
            let (result, _, some, replaced) =
                encoder.encode_from_utf16(chunk, &mut dst[written..], false);
            written += some;
            if replaced || result == CoderResult::OutputFull {
                return FAILED;
            }
        }
        let (_, _, some, replaced) = encoder.encode_from_utf16(&[], &mut dst[written..], true);
        if replaced { FAILED } else { written + some }
    })])
}

/// Our reader of `std::io`, always on the active kernel, and the reader of encoding_rs_io.
fn reader<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        case.convert(times, |src: &[u8], dst: &mut [u8]| {
            read_all::<CHUNK>(Reader::new(src, Scheme::Utf16Le), dst)
        })
    };
    Operation {
        capacity: Some(|bytes| capacity::<Utf16Le, Utf8>(bytes) + SPARE),
        ..row::<Utf16Le>(name, ours, ours)
    }
    .against([peer!(convert, "encoding_rs_io", |src: &[u8], dst: &mut [u8]| {
        let mut builder = DecodeReaderBytesBuilder::new();
        let builder = builder.encoding(Some(encoding_rs::UTF_16LE)).bom_sniffing(false);
        read_all::<CHUNK>(builder.build(src), dst)
    })])
}

/// Reads all of a text in calls for `CHUNK` bytes. Returns the number of bytes. `dst` is longer.
fn read_all<const CHUNK: usize>(mut reader: impl Read, dst: &mut [u8]) -> usize {
    let mut written = 0;
    loop {
        let end = dst.len().min(written + CHUNK);
        match reader.read(&mut dst[written..end]) {
            Ok(0) => return written,
            Ok(bytes) => written += bytes,
            Err(_) => return FAILED,
        }
    }
}

/// Bytes of output beyond the longest result, which encoding_rs wants to see.
const SPARE: usize = 64;
