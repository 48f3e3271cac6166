//! Conversions that return a new `String` or `Vec`. The measured time includes freeing the memory,
//! for all contenders.

use std::hint::black_box;

use bytemuck::Pod;
use utflane::{Ascii, Encoding, Latin1, Unicode, Utf8, Utf16, Utf32, utf8};

use super::{Case, Operation, Run, Sample, View, new_operation, peer, with_simdutf};
use crate::peers::{FAILED, owned, sse42};

/// A text that owns its memory.
trait Owned {
    /// Returns the length in bytes.
    fn byte_len(&self) -> usize;
}

impl<T> Owned for Vec<T> {
    fn byte_len(&self) -> usize {
        size_of_val(&self[..])
    }
}

impl Owned for String {
    fn byte_len(&self) -> usize {
        self.len()
    }
}

impl Case {
    /// Times a call that returns an owned text. [`Sample::result`] is the length of the text in
    /// bytes.
    #[inline(always)]
    fn convert_owned<S: View + ?Sized, T: Owned>(
        &mut self,
        times: usize,
        f: impl Fn(&S) -> Option<T>,
    ) -> Sample {
        self.compute(times, |src: &S| black_box(f(src)).map_or(FAILED, |text| text.byte_len()))
    }
}

/// Returns the operation of our conversion, which validates.
fn transcode<A, B>(name: &'static str) -> Operation
where
    A: Encoding<Unit: Pod>,
    B: Encoding<Owned: Owned>,
{
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert_owned(times, |src: &[A::Unit]| black_box(kernel).transcode::<A, B>(src).ok())
    };
    let free: Run = |case, times| {
        case.convert_owned(times, |src: &[A::Unit]| utflane::transcode::<A, B>(src).ok())
    };
    new_operation::<A>(name, ours, free)
}

/// Returns the operation of our conversion from `&str`.
fn from_str<B: Unicode + Encoding<Owned: Owned>>(name: &'static str) -> Operation {
    let ours: Run = |case, times| {
        let kernel = case.kernel;
        case.convert_owned(times, |src: &str| Some(black_box(kernel).from_str::<B>(src)))
    };
    let free: Run =
        |case, times| case.convert_owned(times, |src: &str| Some(utflane::from_str::<B>(src)));
    new_operation::<Utf8>(name, ours, free)
}

/// A peer: its name, and its function in [`owned`].
macro_rules! owned_peer {
    ($name:literal, $function:ident) => {
        $crate::operations::peer!(convert_owned, $name, owned::$function)
    };
}

pub(super) fn from_utf8() -> Vec<Operation> {
    vec![
        transcode::<Utf8, Utf16>("owned utf8>utf16")
            .against(with_simdutf![owned_peer!("simdutf", simdutf_utf8_to_utf16)])
            .against([
                owned_peer!("encoding_rs", encoding_rs_utf8_to_utf16),
                owned_peer!("std", utf8_to_utf16),
            ]),
        transcode::<Utf8, Utf32>("owned utf8>utf32")
            .against(with_simdutf![owned_peer!("simdutf", simdutf_utf8_to_utf32)])
            .against([owned_peer!("std", utf8_to_utf32)]),
        transcode::<Utf8, Latin1>("owned utf8>latin1")
            .for_latin1()
            .against(with_simdutf![owned_peer!("simdutf", simdutf_utf8_to_latin1)])
            .against([
                owned_peer!("encoding_rs", encoding_rs_utf8_to_latin1),
                owned_peer!("std", utf8_to_latin1),
            ]),
        transcode::<Utf8, Utf8>("owned utf8>utf8")
            .against(with_simdutf![owned_peer!("simdutf", simdutf_utf8_to_utf8)])
            .against([
                peer!(
                    convert_owned,
                    "simdutf8",
                    owned::simdutf8_utf8_to_utf8,
                    sse42: sse42::simdutf8_to_owned
                ),
                owned_peer!("std", utf8_to_utf8),
            ]),
        new_operation::<Utf8>(
            "owned utf8>chars",
            |case, times| {
                let kernel = case.kernel;
                case.convert_owned(times, |src: &[u8]| black_box(kernel).utf8_to_chars(src).ok())
            },
            |case, times| case.convert_owned(times, |src: &[u8]| utf8::to_chars(src).ok()),
        )
        .against(with_simdutf![owned_peer!("simdutf", simdutf_utf8_to_utf32)])
        .against([owned_peer!("std", utf8_to_chars)]),
        from_str::<Utf16>("owned str>utf16")
            .against(with_simdutf![owned_peer!("simdutf", simdutf_str_to_utf16)])
            .against([
                owned_peer!("encoding_rs", encoding_rs_str_to_utf16),
                owned_peer!("std", str_to_utf16),
            ]),
        from_str::<Utf32>("owned str>utf32")
            .against(with_simdutf![owned_peer!("simdutf", simdutf_str_to_utf32)])
            .against([owned_peer!("std", str_to_utf32)]),
        new_operation::<Utf8>(
            "owned str>chars",
            |case, times| {
                let kernel = case.kernel;
                case.convert_owned(times, |src: &str| Some(black_box(kernel).str_to_chars(src)))
            },
            |case, times| case.convert_owned(times, |src: &str| Some(utf8::str_to_chars(src))),
        )
        .against(with_simdutf![owned_peer!("simdutf", simdutf_str_to_utf32)])
        .against([owned_peer!("std", str_to_chars)]),
    ]
}

pub(super) fn into_utf8() -> Vec<Operation> {
    vec![
        transcode::<Utf16, Utf8>("owned utf16>utf8")
            .against(with_simdutf![owned_peer!("simdutf", simdutf_utf16_to_utf8)])
            .against([owned_peer!("std", utf16_to_utf8)]),
        transcode::<Latin1, Utf8>("owned latin1>utf8")
            .for_latin1()
            .against(with_simdutf![owned_peer!("simdutf", simdutf_latin1_to_utf8)])
            .against([
                owned_peer!("encoding_rs", encoding_rs_latin1_to_utf8),
                owned_peer!("std", latin1_to_utf8),
            ]),
    ]
}

pub(super) fn from_latin1_and_ascii() -> Vec<Operation> {
    vec![
        transcode::<Latin1, Utf16>("owned latin1>utf16")
            .for_latin1()
            .against(with_simdutf![owned_peer!("simdutf", simdutf_latin1_to_utf16)])
            .against([
                owned_peer!("encoding_rs", encoding_rs_latin1_to_utf16),
                owned_peer!("std", latin1_to_utf16),
            ]),
        transcode::<Latin1, Utf32>("owned latin1>utf32")
            .for_latin1()
            .against(with_simdutf![owned_peer!("simdutf", simdutf_latin1_to_utf32)])
            .against([owned_peer!("std", latin1_to_utf32)]),
        transcode::<Ascii, Utf8>("owned ascii>utf8")
            .for_ascii()
            .against(with_simdutf![owned_peer!("simdutf", simdutf_ascii_to_utf8)])
            .against([owned_peer!("std", ascii_to_utf8)]),
        transcode::<Ascii, Utf16>("owned ascii>utf16")
            .for_ascii()
            .against(with_simdutf![owned_peer!("simdutf", simdutf_ascii_to_utf16)])
            .against([owned_peer!("std", ascii_to_utf16)]),
    ]
}
