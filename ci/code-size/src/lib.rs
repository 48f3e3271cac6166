//! Takes the address of every operation for every pair of encodings. No operation runs. A function
//! whose address is taken is kept by the compiler, with all functions that it calls.
//! `ci/code-size.sh` measures the size of a program that uses this crate. `ci/thin-callers.sh`
//! checks which parts of the library were compiled in this crate.

use std::hint::black_box;

use utflane::{
    Ascii, Encoding, Kernel, Latin1, Transcoder, Unicode, Utf8, Utf16, Utf16Be, Utf16Le, Utf32,
    Utf32Be, Utf32Le, Validator, utf8, utf16, utf32,
};

/// Keeps functions by putting their addresses into a constant table, which adds no code. The
/// functions are methods of a type, or functions of a module: for a pair of encodings, for one
/// encoding, or without type arguments.
macro_rules! keep {
    (@ $($function:expr),*) => { black_box(const { &[$($function as *const ()),*] }) };
    (<$T:ty>: $($f:ident)*) => { keep!(@ $(<$T>::$f),*) };
    ($module:ident<$A:ident, $B:ident>: $($f:ident)*) => { keep!(@ $($module::$f::<$A, $B>),*) };
    ($module:ident<$E:ident>: $($f:ident)*) => { keep!(@ $($module::$f::<$E>),*) };
    ($module:ident: $($f:ident)*) => { keep!(@ $($module::$f),*) };
}

/// Keeps the operations of each pair of a source and a target encoding from the two lists.
macro_rules! keep_pairs {
    ([$($A:ident)*] $targets:tt) => { $( keep_pairs!($A $targets); )* };
    ($A:ident [$($B:ident)*]) => { $( keep_pair::<$A, $B>(); )* };
}

/// Calls a function for each encoding in the list.
macro_rules! call_for_each {
    ($f:ident [$($E:ident)*]) => { $( $f::<$E>(); )* };
}

/// Keeps the operations of a pair of encodings.
fn keep_pair<A: Encoding, B: Encoding>() {
    keep!(utflane<A, B>: transcode transcode_append len max_len);
    // These are inlined into each caller. Without optimisation, they add 58 KB for each pair.
    #[cfg(not(debug_assertions))]
    keep!(@ (utflane::transcode_into::<A, B> as fn(_, &mut [B::Unit]) -> _));
    keep!(@ (Transcoder::<A, B>::push as fn(_, _, &mut [B::Unit]) -> _));
    keep!(<Transcoder<A, B>>: finish);
    #[cfg(feature = "all")]
    {
        keep!(utflane<A, B>: transcode_lossy transcode_lossy_append measure_lossy);
        keep!(@ (utflane::transcode_lossy_into::<A, B> as fn(_, _, &mut [B::Unit]) -> _));
        keep!(<Transcoder<A, B>>: with_kernel);
        let with_policy: fn(_, utflane::Policy) -> _ = Transcoder::<A, B>::with_policy;
        black_box(with_policy);
    }
}

/// Keeps the operations of one encoding.
fn keep_encoding<E: Encoding>() {
    keep!(utflane<E>: validate is_valid split_incomplete count from_str_append);
    keep!(@ (utflane::from_str_into::<E> as fn(_, &mut [E::Unit]) -> _));
    keep!(<Validator<E>>: push finish);
}

/// Keeps the operations that need an encoding with all characters.
fn keep_unicode_encoding<E: Unicode>() {
    keep!(utflane<E>: from_str);
}

/// Keeps the operations of the modules `utf8`, `utf16` and `utf32`, and of `Kernel`. Also keeps the
/// operations of a few pairs that [`keep_pair`] leaves out in builds without optimisation.
fn keep_other_operations() {
    keep!(@ (utflane::transcode_into::<Utf8, Utf16> as fn(_, &mut [u16]) -> _),
        (utflane::transcode_into::<Utf16, Utf8> as fn(_, &mut [u8]) -> _),
        (utflane::transcode_into::<Latin1, Utf8> as fn(_, &mut [u8]) -> _));
    keep!(utf8: from_utf8 from_utf8_mut into_string summary fits_latin1 to_chars
        str_to_chars);
    keep!(utf16: make_well_formed to_well_formed fits_latin1 fits_ascii
        make_well_formed_le make_well_formed_be);
    keep!(@ (utf16::well_formed_into as fn(_, &mut [u16]) -> _));
    keep!(utf32: as_chars as_chars_mut from_chars);
    keep!(Kernel: active by_name);
}

/// Keeps the operations of CESU-8, Modified UTF-8 and WTF-8, with all other encodings. Also keeps
/// the operations whose encoding is a run-time argument, which contain the code for all encodings.
#[cfg(feature = "all")]
fn keep_cesu8_mutf8_wtf8() {
    use utflane::{
        ByteTranscoder, ByteValidator, Cesu8, Mutf8, Scheme, Wtf8, Wtf16, Wtf16Be, Wtf16Le, cesu8,
        mutf8, wtf8,
    };

    keep_pairs!([Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]
        [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii Cesu8 Mutf8 Wtf8 Wtf16
            Wtf16Le Wtf16Be]);
    keep_pairs!([Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]
        [Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]);
    call_for_each!(keep_encoding [Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]);
    call_for_each!(keep_unicode_encoding [Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]);
    keep!(cesu8: from_str to_str);
    keep!(mutf8: from_str to_str);
    keep!(wtf8: to_str append);
    keep!(Scheme: from_label validate is_valid split_incomplete transcode_append count len);
    keep!(@ (Scheme::transcode_into as fn(_, _, _, &mut [u8]) -> _));
    keep!(ByteValidator: push);
    keep!(@ (ByteTranscoder::push as fn(_, _, &mut [u8]) -> _));
}

/// Keeps the operations that examine a text and do not convert it: offsets, byte order marks.
#[cfg(feature = "all")]
fn keep_queries() {
    use utflane::utf8::{Chunks, Lines};
    use utflane::{Index, bom};

    keep!(utf8: from_utf8_lossy count_supplementary offset_of index_of convert_positions
        floor_boundary ceil_boundary);
    keep!(<Chunks<'static>>: next);
    keep!(Lines: new count line_of line_start position_of offset_at);
    keep!(utf16: offset_of index_of compare);
    keep!(Index: new with_line_ends offset_of index_of line_start line_of position_of offset_at);
    keep!(bom: probe);
}

/// Keeps the operations of code pages, in every direction.
#[cfg(feature = "pages")]
fn keep_code_pages() {
    use utflane::ByteTranscoder;
    use utflane::code_page::CodePage;

    fn keep_page<E: Unicode>() {
        keep!(@ CodePage::decode::<E>, CodePage::decode_append::<E>, CodePage::decode_lossy::<E>,
            CodePage::decoded_len::<E>, CodePage::encode::<E>, CodePage::encode_append::<E>,
            CodePage::encode_lossy::<E>,
            (CodePage::decode_into::<E> as fn(_, _, &mut [E::Unit]) -> _),
            (CodePage::decode_lossy_into::<E> as fn(_, _, _, &mut [E::Unit]) -> _),
            (CodePage::encode_into::<E> as fn(_, _, &mut [u8]) -> _),
            (CodePage::encode_lossy_into::<E> as fn(_, _, _, &mut [u8]) -> _));
    }

    call_for_each!(keep_page [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be]);
    keep!(<CodePage>: by_label validate character byte);
    keep!(<ByteTranscoder>: decoding encoding);
}

/// Keeps every operation.
pub fn keep_every_operation() {
    keep_pairs!([Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]
        [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]);
    call_for_each!(keep_encoding [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]);
    call_for_each!(keep_unicode_encoding [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be]);
    keep_other_operations();
    #[cfg(feature = "all")]
    {
        keep_cesu8_mutf8_wtf8();
        keep_queries();
    }
    #[cfg(feature = "pages")]
    keep_code_pages();
}
