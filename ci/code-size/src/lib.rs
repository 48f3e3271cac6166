//! Names every operation for every pair of encodings. Nothing here is run: a function is kept by
//! having an address, with all that it calls. `ci/code-size.sh` looks at the size of a program of
//! it, and `ci/thin-callers.sh` the parts of the library that were compiled in this crate.

use std::hint::black_box;

use utflane::{
    Ascii, Encoding, Kernel, Latin1, Transcoder, Unicode, Utf8, Utf16, Utf16Be, Utf16Le, Utf32,
    Utf32Be, Utf32Le, Validator, utf8, utf16, utf32,
};

/// Keeps functions in a table, so that keeping them is no code: of a type, or of a module for one
/// encoding, for a pair, or for none.
macro_rules! keep {
    (@ $($function:expr),*) => { black_box(const { &[$($function as *const ()),*] }) };
    (<$T:ty>: $($f:ident)*) => { keep!(@ $(<$T>::$f),*) };
    ($of:ident<$A:ident, $B:ident>: $($f:ident)*) => { keep!(@ $($of::$f::<$A, $B>),*) };
    ($of:ident<$E:ident>: $($f:ident)*) => { keep!(@ $($of::$f::<$E>),*) };
    ($of:ident: $($f:ident)*) => { keep!(@ $($of::$f),*) };
}

/// All pairs of the encodings in brackets.
macro_rules! pairs {
    ([$($A:ident)*] $targets:tt) => { $( pairs!($A $targets); )* };
    ($A:ident [$($B:ident)*]) => { $( pair::<$A, $B>(); )* };
}

/// A function for each encoding in brackets.
macro_rules! each {
    ($f:ident [$($E:ident)*]) => { $( $f::<$E>(); )* };
}

/// The operations of a pair.
fn pair<A: Encoding, B: Encoding>() {
    keep!(utflane<A, B>: transcode transcode_append len max_len);
    // Inlined into each caller. Without optimisation that is 58 KB a pair.
    #[cfg(not(debug_assertions))]
    keep!(utflane<A, B>: transcode_into transcode_into_uninit);
    keep!(<Transcoder<A, B>>: push finish);
    #[cfg(feature = "all")]
    {
        keep!(utflane<A, B>: transcode_lossy transcode_lossy_append transcode_lossy_into
            transcode_lossy_into_uninit len_lossy measure_lossy);
        keep!(<Transcoder<A, B>>: push_uninit with_kernel);
        let with_policy: fn(_, utflane::Policy) -> _ = Transcoder::<A, B>::with_policy;
        black_box(with_policy);
    }
}

/// The operations of an encoding.
fn one<E: Encoding>() {
    keep!(utflane<E>: validate is_valid split_incomplete count try_from_str from_str_into
        from_str_into_uninit from_str_append from_str_len);
    keep!(<Validator<E>>: push finish);
}

/// The operations that need an encoding with all characters.
fn all_characters<E: Unicode>() {
    keep!(utflane<E>: from_str);
}

/// The operations of one encoding alone, and some pairs for the program without optimisation.
fn others() {
    keep!(utflane<Utf8, Utf16>: transcode_into transcode_into_uninit);
    keep!(utflane<Utf16, Utf8>: transcode_into transcode_into_uninit);
    keep!(utflane<Latin1, Utf8>: transcode_into transcode_into_uninit);
    keep!(utf8: from_utf8 from_utf8_mut into_string summary fits_latin1 to_chars to_chars_append
        to_chars_into_uninit str_to_chars str_to_chars_append str_to_chars_into_uninit);
    keep!(utf16: make_well_formed well_formed_into well_formed_into_uninit to_well_formed
        fits_latin1 fits_ascii make_well_formed_le make_well_formed_be);
    keep!(utf32: as_chars as_chars_mut from_chars);
    keep!(Kernel: active by_name avx2);
}

/// CESU-8, Modified UTF-8 and WTF-8, with all others; and the operations whose encoding is chosen
/// while they run, which have all of them.
#[cfg(feature = "all")]
fn cesu8_mutf8_wtf8() {
    use utflane::{
        ByteTranscoder, ByteValidator, Cesu8, Mutf8, Scheme, Wtf8, Wtf16, Wtf16Be, Wtf16Le, cesu8,
        mutf8, wtf8,
    };

    pairs!([Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]
        [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii Cesu8 Mutf8 Wtf8 Wtf16
            Wtf16Le Wtf16Be]);
    pairs!([Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]
        [Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]);
    each!(one [Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]);
    each!(all_characters [Cesu8 Mutf8 Wtf8 Wtf16 Wtf16Le Wtf16Be]);
    keep!(cesu8: from_str to_str);
    keep!(mutf8: from_str to_str);
    keep!(wtf8: to_str append);
    keep!(Scheme: from_label validate is_valid split_incomplete transcode_append transcode_into
        count len);
    keep!(ByteValidator: push);
    keep!(ByteTranscoder: push);
}

/// Questions about a text instead of conversions: offsets in it, its encoding, how it was damaged.
#[cfg(feature = "all")]
fn questions() {
    use utflane::utf8::{Chunks, Lines};
    use utflane::{Index, bom, detect, mojibake};

    keep!(utf8: from_utf8_lossy count_supplementary count_lines offset_of index_of
        convert_positions line_of line_start position_of offset_at floor_boundary ceil_boundary);
    keep!(<Chunks<'static>>: next);
    keep!(Lines: new position_of offset_at);
    keep!(utf16: count_supplementary offset_of index_of compare);
    keep!(Index: new with_line_ends offset_of index_of line_start line_of position_of offset_at);
    keep!(bom: probe);
    keep!(detect: detect);
    keep!(mojibake: detect undo_all undo_runs);
    keep!(<mojibake::Options>: undo);
}

/// Code pages, in every direction.
#[cfg(feature = "pages")]
fn code_pages() {
    use utflane::ByteTranscoder;
    use utflane::code_page::CodePage;

    fn page<E: Unicode>() {
        keep!(@ CodePage::decode::<E>, CodePage::decode_append::<E>, CodePage::decode_into::<E>,
            CodePage::decode_lossy::<E>, CodePage::decode_lossy_into::<E>,
            CodePage::decoded_len::<E>, CodePage::encode::<E>, CodePage::encode_append::<E>,
            CodePage::encode_into::<E>, CodePage::encode_lossy::<E>,
            CodePage::encode_lossy_into::<E>);
    }

    each!(page [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be]);
    keep!(<CodePage>: by_label validate is_valid character byte);
    keep!(<ByteTranscoder>: decoding encoding);
}

/// All of them.
pub fn every_verb() {
    pairs!([Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]
        [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]);
    each!(one [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]);
    each!(all_characters [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be]);
    others();
    #[cfg(feature = "all")]
    {
        cesu8_mutf8_wtf8();
        questions();
    }
    #[cfg(feature = "pages")]
    code_pages();
}
