//! A caller of every verb, for pairs of every kind: the vector kernels, the reference, and copies.
//!
//! Nothing here is run. `ci/thin-face.sh` looks at what was compiled in this crate.

use std::mem::MaybeUninit;

use utflane::{
    Ascii, ByteTranscoder, ByteValidator, Encoding, Error, Index, Kernel, Latin1, LineEnds,
    LossyProgress, Metric, Progress, Repair, Repaired, Scheme, StreamError, Transcoder, Unicode,
    Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Le, Validator,
};

type Owned<B> = Result<<B as Encoding>::Owned, Error>;

/// Every verb of one pair, by its plain name.
fn pair<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    dst: &mut [B::Unit],
    room: &mut [MaybeUninit<B::Unit>],
    out: &mut B::Owned,
) -> (Owned<B>, [Progress; 2], usize) {
    let _ = utflane::validate::<A>(utflane::split_incomplete::<A>(src).0);
    let _ = utflane::transcode_append::<A, B>(src, out);
    let steps = [
        utflane::transcode_into::<A, B>(src, dst),
        utflane::transcode_into_uninit::<A, B>(src, room),
    ];
    let sizes = utflane::len::<A, B>(src) + utflane::count::<A>(src);
    (utflane::transcode::<A, B>(src), steps, sizes + utflane::max_len::<A, B>(7).unwrap_or(0))
}

/// Every verb of a pair that repairs.
fn lossy<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    dst: &mut [B::Unit],
    room: &mut [MaybeUninit<B::Unit>],
    out: &mut B::Owned,
) -> (Repaired<B::Owned>, [LossyProgress; 2], usize, Transcoder<A, B>) {
    let count = utflane::transcode_lossy_append::<A, B>(src, Repair::REPLACE, out);
    let steps = [
        utflane::transcode_lossy_into::<A, B>(src, Repair::SKIP, dst),
        utflane::transcode_lossy_into_uninit::<A, B>(src, Repair::SKIP, room),
    ];
    let size = utflane::len_lossy::<A, B>(src, Repair::REPLACE)
        + utflane::measure_lossy::<A, B>(src, Repair::REPLACE).repairs
        + count;
    let transcoder = Transcoder::<A, B>::new().with_policy(Repair::REPLACE);
    (utflane::transcode_lossy::<A, B>(src, Repair::REPLACE), steps, size, transcoder)
}

/// Every verb from `str`.
fn text<B: Unicode>(
    src: &str,
    dst: &mut [B::Unit],
    room: &mut [MaybeUninit<B::Unit>],
    out: &mut B::Owned,
) -> (B::Owned, Owned<B>, [Progress; 2], usize) {
    let _ = utflane::from_str_append::<B>(src, out);
    let steps =
        [utflane::from_str_into::<B>(src, dst), utflane::from_str_into_uninit::<B>(src, room)];
    let size = utflane::from_str_len::<B>(src);
    (utflane::from_str::<B>(src), utflane::try_from_str::<B>(src), steps, size)
}

/// Every verb of a stream.
fn stream<A: Encoding, B: Encoding>(
    src: &[A::Unit],
    dst: &mut [B::Unit],
    room: &mut [MaybeUninit<B::Unit>],
) -> (Result<(), StreamError>, [Progress<StreamError>; 3]) {
    let mut validator = Validator::<A>::new();
    let mut transcoder = Transcoder::<A, B>::with_kernel(Kernel::SCALAR);
    let steps =
        [transcoder.push(src, dst), transcoder.push_uninit(src, room), transcoder.finish(dst)];
    (validator.push(src).and_then(|()| validator.finish()), steps)
}

/// Instances for these pairs, kept by having addresses.
macro_rules! pairs {
    ($($name:ident: $A:ident to $B:ident;)*) => {$(
        #[inline(never)]
        pub fn $name(
            src: &[<$A as Encoding>::Unit],
            dst: &mut [<$B as Encoding>::Unit],
            room: &mut [MaybeUninit<<$B as Encoding>::Unit>],
            out: &mut <$B as Encoding>::Owned,
        ) -> usize {
            let (_, steps, sizes) = pair::<$A, $B>(src, dst, room, out);
            let (_, more) = stream::<$A, $B>(src, dst, room);
            let (_, repaired, size, _) = lossy::<$A, $B>(src, dst, room, out);
            steps[0].written + more[0].written + sizes + repaired[0].written + size
        }
    )*};
}

pairs! {
    utf8_to_utf16: Utf8 to Utf16;
    utf8_to_utf16be: Utf8 to Utf16Be;
    utf8_to_utf8: Utf8 to Utf8;
    utf16_to_utf8: Utf16 to Utf8;
    utf16le_to_utf32: Utf16Le to Utf32;
    utf32le_to_latin1: Utf32Le to Latin1;
    latin1_to_utf8: Latin1 to Utf8;
    ascii_to_utf16: Ascii to Utf16;
}

#[inline(never)]
pub fn texts(
    src: &str,
    dst: &mut [u16],
    room: &mut [MaybeUninit<u16>],
    out: &mut Vec<u16>,
) -> usize {
    text::<Utf16>(src, dst, room, out).3
}

/// Repair of UTF-16.
#[inline(never)]
pub fn repairs(text: &mut [u16], dst: &mut [u16], room: &mut [MaybeUninit<u16>]) -> usize {
    let _ = utflane::utf16::well_formed_into_uninit(text, room);
    let written = utflane::utf16::well_formed_into(text, dst).written;
    let owned = utflane::utf16::to_well_formed(text).len();
    let fits = usize::from(utflane::utf16::fits_latin1(text))
        + usize::from(utflane::utf16::fits_ascii(text));
    written + owned + fits + utflane::utf16::make_well_formed(text)
}

/// Places, runs, and an index.
#[inline(never)]
pub fn places(bytes: &[u8], units: &[u16], n: usize) -> Option<usize> {
    let offset = utflane::utf8::offset_of(bytes, n, Metric::Utf16)?;
    let position = utflane::utf8::position_of(bytes, offset, Metric::CodePoints)?;
    let index = Index::new(&bytes[utflane::utf8::ceil_boundary(bytes, n)..]);
    let valid: usize = utflane::utf8::chunks(bytes).map(|chunk| chunk.valid().len()).sum();
    let order = utflane::utf16::compare(units, &units[1..]);
    let place =
        utflane::utf16::offset_of(units, valid)? + index.offset_at(position, Metric::Bytes)?;
    let lines = utflane::utf8::Lines::new(bytes, LineEnds::Lsp).count()
        + utflane::utf8::count_lines(bytes)
        + utflane::utf8::count_supplementary(bytes);
    let offset = utflane::utf8::saturating_offset_at(bytes, position, Metric::Utf16)
        + utflane::utf16::saturating_index_of(units, utflane::utf16::count_supplementary(units));
    let (from, to) = (Metric::Bytes, Metric::Utf16);
    let _ = utflane::utf8::convert_positions(bytes, from, to, &mut [offset]);
    order.is_lt().then_some(place + lines + offset + index.saturating_line_of(n))
}

/// The functions without type parameters.
#[inline(never)]
pub fn others(bytes: &mut [u8], owned: Vec<u8>, dst: &mut [u8]) -> Progress<StreamError> {
    let _ = utflane::utf8::lossy(bytes).len();
    let _ = utflane::utf8::from_bytes(bytes).is_ok();
    let _ = utflane::utf8::from_bytes_mut(bytes).is_ok();
    let _ = utflane::utf8::into_string(owned).is_ok();
    let _ = utflane::is_valid::<Utf8>(bytes) && Kernel::active().is_valid::<Utf8>(bytes);
    let _ = Kernel::active().validate::<Utf8>(bytes).is_ok() && Kernel::avx2().is_some();
    let _ = ByteValidator::new(Scheme::Utf8).push(bytes).is_ok();
    ByteTranscoder::new(Scheme::Utf8, Scheme::Utf16Le).push(bytes, dst)
}
