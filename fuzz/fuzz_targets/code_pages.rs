//! Decodes any bytes from a code page, and encodes any text in it, strictly and with repairs, on
//! every kernel: the results equal the scalar kernel's. The first bytes choose the page, the repair
//! and the capacity.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane::code_page::CodePage;
use utflane::{
    ByteTranscoder, Cesu8, IllFormed, Kernel, Repair, Scheme, Stop, Unicode, Unmappable, Utf8,
    Utf16, Utf16Be, Utf32, Wtf8,
};
use utflane_fuzz::choice;
use utflane_fuzz::common::api::units;

const REPAIRS: [Repair; 5] = [
    Repair::REPLACE,
    Repair::SKIP,
    Repair::REPLACE.on_unmappable(Unmappable::NumericReference),
    Repair::REPLACE.on_ill_formed(IllFormed::Latin1),
    Repair::REPLACE.on_ill_formed(IllFormed::ReplaceRuns),
];

/// Asserts that `result` is the same on every kernel as on the scalar one.
fn same_everywhere<R: PartialEq + std::fmt::Debug>(
    page: &CodePage,
    result: impl Fn(&CodePage) -> R,
) -> R {
    let expected = result(&page.with_kernel(Kernel::SCALAR));
    for kernel in Kernel::available() {
        assert_eq!(result(&page.with_kernel(kernel)), expected, "{page} on {kernel:?}");
    }
    expected
}

/// Checks the conversions of any bytes into an encoding.
fn check_decode<B: Unicode<Owned: PartialEq>>(
    page: &CodePage,
    src: &[u8],
    repair: Repair,
    capacity: usize,
) {
    let decoded = same_everywhere(page, |page| page.decode::<B>(src));
    same_everywhere(page, |page| page.decoded_len::<B>(src));
    let _ = same_everywhere(page, |page| {
        let mut dst = vec![B::Unit::default(); capacity];
        let progress = page.decode_into::<B>(src, &mut dst);
        dst.truncate(progress.written);
        (progress, dst)
    });
    same_everywhere(page, |page| {
        let repaired = page.decode_lossy::<B>(src, repair);
        (repaired.text, repaired.repairs)
    });
    if let Ok(text) = decoded {
        assert_eq!(page.encode::<B>(text.as_ref()).as_deref(), Ok(src));
        assert_eq!(page.decoded_len::<B>(src), text.as_ref().len());
    }
}

/// Checks the conversions of any units of an encoding into the page.
fn check_encode<A: Unicode>(page: &CodePage, src: &[A::Unit], repair: Repair, capacity: usize) {
    let encoded = same_everywhere(page, |page| page.encode::<A>(src));
    let _ = same_everywhere(page, |page| {
        let mut dst = vec![0; capacity];
        let progress = page.encode_into::<A>(src, &mut dst);
        dst.truncate(progress.written);
        (progress, dst)
    });
    let lossy = same_everywhere(page, |page| {
        let repaired = page.encode_lossy::<A>(src, repair);
        (repaired.text, repaired.repairs)
    });
    assert_eq!(lossy.1 == 0, encoded.is_ok());
    if let Ok(bytes) = encoded {
        assert_eq!(bytes, lossy.0);
    }
}

/// Checks a stream in chunks of `size` bytes: its output is the output for the whole text.
fn check_stream(page: &CodePage, src: &[u8], repair: Repair, size: usize) {
    let mut transcoder = ByteTranscoder::encoding(Scheme::Utf8, page).with_policy(repair);
    let (mut out, mut dst) = (Vec::new(), [0; 64]);
    for mut chunk in src.chunks(size) {
        while !chunk.is_empty() {
            let progress = transcoder.push(chunk, &mut dst);
            out.extend(&dst[..progress.written]);
            chunk = &chunk[progress.read..];
        }
    }
    let progress = transcoder.finish(&mut dst);
    out.extend(&dst[..progress.written]);
    assert_eq!(progress.stop, Stop::Done);
    let whole = page.encode_lossy::<Utf8>(src, repair);
    assert_eq!((out, transcoder.repairs()), (whole.text, whole.repairs as u64));
}

fuzz_target!(|data: &[u8]| {
    let [number, options, capacity, src @ ..] = data else { return };
    let pages: Vec<_> = CodePage::all().collect();
    let page = *choice(&pages, *number);
    let repair = *choice(&REPAIRS, *options);
    let capacity = usize::from(*capacity) * (src.len() + 1) / 64;
    let _ = same_everywhere(page, |page| page.validate(src));
    check_decode::<Utf8>(page, src, repair, capacity);
    check_decode::<Utf16Be>(page, src, repair, capacity);
    check_decode::<Utf32>(page, src, repair, capacity);
    check_encode::<Utf8>(page, src, repair, capacity);
    check_encode::<Cesu8>(page, src, repair, capacity);
    check_encode::<Wtf8>(page, src, repair, capacity);
    check_encode::<Utf16Be>(page, src, repair, capacity);
    check_encode::<Utf16>(page, &units(&src[..src.len() / 2 * 2]), repair, capacity);
    check_encode::<Utf32>(page, &units(&src[..src.len() / 4 * 4]), repair, capacity);
    check_stream(page, src, repair, usize::from(*options) % 40 + 1);
});
