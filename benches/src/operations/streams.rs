//! Streams: a text in chunks of a fixed size. Each call pushes or reads one chunk.

use std::io::Read;

use encoding_rs::CoderResult;
use encoding_rs_io::DecodeReaderBytesBuilder;
#[cfg(target_arch = "x86_64")]
use simdutf8::basic::imp::ChunkedUtf8Validator;
use utflane::io::Reader;
use utflane::{Scheme, Stop, Transcoder, Utf8, Utf16, Utf16Le, Validator};

use super::{Contender, Operation, Run, View, capacity, new_operation, peer};
use crate::peers::FAILED;

/// Rows of one operation, one for each measured size of chunks.
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

/// Returns the operation of our validator. The peers report errors only at the end.
fn validator<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.check(times, |src: &[u8]| {
            let mut validator = Validator::<Utf8>::with_kernel(kernel);
            src.chunks(CHUNK).all(|chunk| validator.accepts(chunk)) && validator.finish().is_ok()
        })
    };
    let mut operation = new_operation::<Utf8>(name, ours, ours);
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

/// Returns simdutf8's validator of chunks, if the size of a chunk is a multiple of 64 bytes. (The
/// last chunk may have any size.)
#[cfg(target_arch = "x86_64")]
fn simdutf8_chunked<const CHUNK: usize>() -> Option<Contender> {
    use simdutf8::basic::imp::x86::{avx2, sse42};

    let is_usable = is_x86_feature_detected!("avx2") && CHUNK.is_multiple_of(64);
    is_usable.then_some(peer!(
        check,
        "simdutf8-chunked",
        are_valid_chunks::<avx2::ChunkedUtf8ValidatorImp, CHUNK>,
        sse42: are_valid_chunks::<sse42::ChunkedUtf8ValidatorImp, CHUNK>
    ))
}

/// Returns true if `T`, whose features have been detected, accepts the chunks of `src`.
#[cfg(target_arch = "x86_64")]
fn are_valid_chunks<T: ChunkedUtf8Validator, const CHUNK: usize>(src: &[u8]) -> bool {
    // SAFETY: the caller has detected the features of `T`, as the documentation requires.
    let mut validator = unsafe { T::new() };
    let whole_blocks = src.len() - src.len() % 64;
    for chunk in src[..whole_blocks].chunks(CHUNK) {
        // SAFETY: the caller has detected the features of `T`.
        unsafe { validator.update_from_chunks(chunk) };
    }
    // SAFETY: the caller has detected the features of `T`.
    unsafe { validator.finalize(Some(&src[whole_blocks..])) }.is_ok()
}

/// Returns `None`: simdutf8's validator of chunks is measured only on x86-64.
#[cfg(not(target_arch = "x86_64"))]
fn simdutf8_chunked<const CHUNK: usize>() -> Option<Contender> {
    None
}

/// Transcodes `src` in chunks with our transcoder. Returns the number of written units.
#[inline(always)]
fn transcode_chunks<A, B, const CHUNK: usize>(
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

/// Returns the operation of our transcoder from UTF-8. The peer is encoding_rs's decoder.
fn decoder<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert(times, |src: &[u8], dst: &mut [u16]| {
            transcode_chunks::<Utf8, Utf16, CHUNK>(kernel, src, dst)
        })
    };
    Operation {
        capacity: Some(|bytes| capacity::<Utf8, Utf16>(bytes) + SPARE_BYTES),
        ..new_operation::<Utf8>(name, ours, ours)
    }
    .against([peer!(convert, "encoding_rs", |src: &[u8], dst: &mut [u16]| {
        let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
        let mut written = 0;
        for chunk in src.chunks(CHUNK) {
            let (result, _, chunk_written, replaced) =
                decoder.decode_to_utf16(chunk, &mut dst[written..], false);
            written += chunk_written;
            if replaced || result == CoderResult::OutputFull {
                return FAILED;
            }
        }
        let (_, _, end_written, replaced) = decoder.decode_to_utf16(&[], &mut dst[written..], true);
        if replaced { FAILED } else { written + end_written }
    })])
}

/// Returns the operation of our transcoder to UTF-8. The peer is encoding_rs's encoder.
fn encoder<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert(times, |src: &[u16], dst: &mut [u8]| {
            transcode_chunks::<Utf16, Utf8, CHUNK>(kernel, src, dst)
        })
    };
    Operation {
        capacity: Some(|bytes| capacity::<Utf16, Utf8>(bytes) + SPARE_BYTES),
        ..new_operation::<Utf16>(name, ours, ours)
    }
    .against([peer!(convert, "encoding_rs", |src: &[u16], dst: &mut [u8]| {
        let mut encoder = encoding_rs::UTF_8.new_encoder();
        let mut written = 0;
        let mut rest = src;
        while !rest.is_empty() {
            // The encoder does not accept half of a surrogate pair. So its callers split before a
            // pair, or after the pair if a chunk has one unit.
            let len = rest.len().min(CHUNK / 2);
            let splits_pair = len < rest.len() && rest[len - 1] & 0xFC00 == 0xD800;
            let (chunk, remaining) = rest.split_at(match (splits_pair, len) {
                (false, _) => len,
                (true, 1) => 2,
                (true, _) => len - 1,
            });
            rest = remaining;
            let (result, _, chunk_written, replaced) =
                encoder.encode_from_utf16(chunk, &mut dst[written..], false);
            written += chunk_written;
            if replaced || result == CoderResult::OutputFull {
                return FAILED;
            }
        }
        let (_, _, end_written, replaced) =
            encoder.encode_from_utf16(&[], &mut dst[written..], true);
        if replaced { FAILED } else { written + end_written }
    })])
}

/// Returns the operation of our reader of `std::io`, which always uses the active kernel. The peer
/// is the reader of encoding_rs_io.
fn reader<const CHUNK: usize>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        case.convert(times, |src: &[u8], dst: &mut [u8]| {
            read_all::<CHUNK>(Reader::new(src, Scheme::Utf16Le), dst)
        })
    };
    Operation {
        capacity: Some(|bytes| capacity::<Utf16Le, Utf8>(bytes) + SPARE_BYTES),
        ..new_operation::<Utf16Le>(name, ours, ours)
    }
    .against([peer!(convert, "encoding_rs_io", |src: &[u8], dst: &mut [u8]| {
        let mut builder = DecodeReaderBytesBuilder::new();
        let builder = builder.encoding(Some(encoding_rs::UTF_16LE)).bom_sniffing(false);
        read_all::<CHUNK>(builder.build(src), dst)
    })])
}

/// Reads a whole text in calls for `CHUNK` bytes. Returns the number of bytes. `dst` must be longer
/// than the text.
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

/// The number of bytes by which the output is longer than the longest result. encoding_rs requires
/// them.
const SPARE_BYTES: usize = 64;
