//! Conversions from and to code pages, on the texts that a page can write.

use encoding_rs as rs;
use utflane::code_page::{
    CP037, CP437, CP850, CodePage, IBM866, KOI8_R, WINDOWS_874, WINDOWS_1250, WINDOWS_1251,
    WINDOWS_1252, WINDOWS_1253, WINDOWS_1255, WINDOWS_1256,
};
use utflane::{Utf8, Utf16};

use super::{Contender, Operation, Run, new_operation, written};
use crate::peers::code_pages as peers;

/// Capacity in bytes for the output of a page: three bytes of UTF-8 for each byte, in whole units.
fn capacity(bytes: usize) -> usize {
    4 * bytes
}

/// Returns an operation on the texts of a page.
fn page_row(name: &'static str, ours: Run, page: &'static CodePage, decodes: bool) -> Operation {
    let operation = new_operation::<Utf8>(name, ours, ours);
    Operation { page: Some(page), is_in_page: decodes, capacity: Some(capacity), ..operation }
}

/// The four conversions of each page, compared with encoding_rs or iconv.
macro_rules! pages {
    ($($page:ident $name:literal, $peer:ident $argument:expr;)*) => {
        pub(super) fn code_pages() -> Vec<Operation> {
            vec![$(
                page_row(concat!("page ", $name, ">utf16"), |case, times| {
                    let page = $page.with_kernel(case.kernel);
                    case.convert(times, |src: &[u8], dst: &mut [u16]| {
                        written(page.decode_into::<Utf16>(src, dst))
                    })
                }, &$page, true)
                .against([Contender {
                    name: stringify!($peer),
                    run: |case, times| case.convert(times, |src: &[u8], dst: &mut [u16]| {
                        peers::$peer::decode_to_utf16($argument, src, dst)
                    }),
                }]),
                page_row(concat!("page ", $name, ">utf8"), |case, times| {
                    let page = $page.with_kernel(case.kernel);
                    case.convert(times, |src: &[u8], dst: &mut [u8]| {
                        written(page.decode_into::<Utf8>(src, dst))
                    })
                }, &$page, true)
                .against([Contender {
                    name: stringify!($peer),
                    run: |case, times| case.convert(times, |src: &[u8], dst: &mut [u8]| {
                        peers::$peer::decode_to_utf8($argument, src, dst)
                    }),
                }]),
                Operation { source: <Utf16 as utflane::Encoding>::SCHEME, ..page_row(
                    concat!("page utf16>", $name), |case, times| {
                    let page = $page.with_kernel(case.kernel);
                    case.convert(times, |src: &[u16], dst: &mut [u8]| {
                        written(page.encode_into::<Utf16>(src, dst))
                    })
                }, &$page, false) }
                .against([Contender {
                    name: stringify!($peer),
                    run: |case, times| case.convert(times, |src: &[u16], dst: &mut [u8]| {
                        peers::$peer::encode_utf16($argument, src, dst)
                    }),
                }]),
                page_row(concat!("page utf8>", $name), |case, times| {
                    let page = $page.with_kernel(case.kernel);
                    case.convert(times, |src: &[u8], dst: &mut [u8]| {
                        written(page.encode_into::<Utf8>(src, dst))
                    })
                }, &$page, false)
                .against([Contender {
                    name: stringify!($peer),
                    run: |case, times| case.convert(times, |src: &str, dst: &mut [u8]| {
                        peers::$peer::encode_utf8($argument, src, dst)
                    }),
                }]),
            )*]
        }
    };
}

pages! {
    WINDOWS_1252 "windows-1252", encoding_rs rs::WINDOWS_1252;
    WINDOWS_1250 "windows-1250", encoding_rs rs::WINDOWS_1250;
    WINDOWS_1251 "windows-1251", encoding_rs rs::WINDOWS_1251;
    KOI8_R "koi8-r", encoding_rs rs::KOI8_R;
    IBM866 "ibm866", encoding_rs rs::IBM866;
    WINDOWS_1253 "windows-1253", encoding_rs rs::WINDOWS_1253;
    WINDOWS_1255 "windows-1255", encoding_rs rs::WINDOWS_1255;
    WINDOWS_1256 "windows-1256", encoding_rs rs::WINDOWS_1256;
    WINDOWS_874 "windows-874", encoding_rs rs::WINDOWS_874;
    CP437 "cp437", iconv c"CP437";
    CP850 "cp850", iconv c"CP850";
    CP037 "cp037", iconv c"CP037";
}
