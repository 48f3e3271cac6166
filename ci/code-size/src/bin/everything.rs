//! Names every verb for every pair of encodings. Nothing here is run: a function is kept by having
//! an address, with all that it calls.

use std::borrow::Cow;
use std::hint::black_box;
use std::mem::MaybeUninit;

use utflane::{
    Ascii, Encoding, Kernel, Latin1, Progress, StreamError, Transcoder, Unicode, Utf8, Utf16,
    Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le, Validator, utf8, utf16, utf32,
};

/// Keeps functions, by their types: in a table, so that keeping them is no code.
macro_rules! keep {
    ($($function:expr => fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        black_box(const { &[$($function as fn($($argument),*) $(-> $result)? as *const ()),*] });
    };
}

/// All pairs of the encodings in brackets.
macro_rules! pairs {
    ([$($A:ident)*] $targets:tt) => { $( pairs!($A $targets); )* };
    ($A:ident [$($B:ident)*]) => { $(
        pair::<$A, $B>();
        #[cfg(feature = "repairs")]
        repairs::<$A, $B>();
    )* };
}

/// A function for each encoding in brackets.
macro_rules! each {
    ($f:ident [$($E:ident)*]) => { $( $f::<$E>(); )* };
}

type Result<T> = std::result::Result<T, utflane::Error>;
type Units<E> = [<E as Encoding>::Unit];
type Room<E> = [MaybeUninit<<E as Encoding>::Unit>];

/// The verbs of a pair.
fn pair<A: Encoding, B: Encoding>() {
    keep! {
        utflane::transcode::<A, B> => fn(&Units<A>) -> Result<B::Owned>;
        utflane::transcode_into::<A, B> => fn(&Units<A>, &mut Units<B>) -> Progress;
        utflane::transcode_into_uninit::<A, B> => fn(&Units<A>, &mut Room<B>) -> Progress;
        utflane::transcode_append::<A, B> => fn(&Units<A>, &mut B::Owned) -> Result<()>;
        utflane::len::<A, B> => fn(&Units<A>) -> usize;
        utflane::max_len::<A, B> => fn(usize) -> Option<usize>;
        Transcoder::<A, B>::push =>
            fn(&mut Transcoder<A, B>, &Units<A>, &mut Units<B>) -> Progress<StreamError>;
        Transcoder::<A, B>::finish =>
            fn(&mut Transcoder<A, B>, &mut Units<B>) -> Progress<StreamError>;
    }
}

/// The verbs of an encoding.
fn one<E: Encoding>() {
    keep! {
        utflane::validate::<E> => fn(&Units<E>) -> Result<()>;
        utflane::is_valid::<E> => fn(&Units<E>) -> bool;
        utflane::split_incomplete::<E> => fn(&Units<E>) -> (&Units<E>, &Units<E>);
        utflane::count::<E> => fn(&Units<E>) -> usize;
        utflane::try_from_str::<E> => fn(&str) -> Result<E::Owned>;
        utflane::from_str_into::<E> => fn(&str, &mut Units<E>) -> Progress;
        utflane::from_str_into_uninit::<E> => fn(&str, &mut Room<E>) -> Progress;
        utflane::from_str_append::<E> => fn(&str, &mut E::Owned) -> Result<()>;
        utflane::from_str_len::<E> => fn(&str) -> usize;
        Validator::<E>::push =>
            fn(&mut Validator<E>, &Units<E>) -> std::result::Result<(), StreamError>;
        Validator::<E>::finish => fn(&mut Validator<E>) -> std::result::Result<(), StreamError>;
    }
}

/// The verbs that need an encoding with all characters.
fn all_characters<E: Unicode>() {
    keep! { utflane::from_str::<E> => fn(&str) -> E::Owned; }
}

/// The verbs of one encoding alone.
fn others() {
    keep! {
        utf8::from_bytes => fn(&[u8]) -> Result<&str>;
        utf8::from_bytes_mut => fn(&mut [u8]) -> Result<&mut str>;
        utf8::into_string => fn(Vec<u8>) -> std::result::Result<String, utf8::IntoStringError>;
        utf8::summary => fn(&[u8]) -> utf8::Summary;
        utf8::fits_latin1 => fn(&[u8]) -> bool;
        utf8::to_chars => fn(&[u8]) -> Result<Vec<char>>;
        utf8::to_chars_append => fn(&[u8], &mut Vec<char>) -> Result<()>;
        utf8::to_chars_into_uninit => fn(&[u8], &mut [MaybeUninit<char>]) -> Progress;
        utf8::str_to_chars => fn(&str) -> Vec<char>;
        utf8::str_to_chars_append => fn(&str, &mut Vec<char>);
        utf8::str_to_chars_into_uninit => fn(&str, &mut [MaybeUninit<char>]) -> Progress;
        utf16::make_well_formed => fn(&mut [u16]) -> usize;
        utf16::well_formed_into => fn(&[u16], &mut [u16]) -> Progress;
        utf16::well_formed_into_uninit => fn(&[u16], &mut [MaybeUninit<u16>]) -> Progress;
        utf16::to_well_formed => fn(&[u16]) -> Cow<'_, [u16]>;
        utf16::fits_latin1 => fn(&[u16]) -> bool;
        utf16::fits_ascii => fn(&[u16]) -> bool;
        utf16::make_well_formed_le => fn(&mut [u8]) -> usize;
        utf16::make_well_formed_be => fn(&mut [u8]) -> usize;
        utf32::as_chars => fn(&[u32]) -> Result<&[char]>;
        utf32::as_chars_mut => fn(&mut [u32]) -> Result<&mut [char]>;
        utf32::from_chars => fn(&[char]) -> &[u32];
        Kernel::active => fn() -> Kernel;
        Kernel::by_name => fn(&str) -> Option<Kernel>;
        Kernel::avx2 => fn() -> Option<Kernel>;
    }
}

/// The relatives of UTF-8, with all others; and the verbs that are told an encoding while they run,
/// which have all of them.
#[cfg(feature = "relatives")]
fn relatives() {
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
    keep! {
        cesu8::from_str => fn(&str) -> Cow<'_, [u8]>;
        cesu8::to_str => fn(&[u8]) -> Result<Cow<'_, str>>;
        mutf8::from_str => fn(&str) -> Cow<'_, [u8]>;
        mutf8::to_str => fn(&[u8]) -> Result<Cow<'_, str>>;
        wtf8::to_str => fn(&[u8]) -> Result<&str>;
        wtf8::append => fn(&mut Vec<u8>, &[u8]);
        Scheme::from_label => fn(&str) -> std::result::Result<Scheme, utflane::UnknownLabel>;
        Scheme::validate => fn(Scheme, &[u8]) -> Result<()>;
        Scheme::is_valid => fn(Scheme, &[u8]) -> bool;
        Scheme::split_incomplete => fn(Scheme, &[u8]) -> (&[u8], &[u8]);
        Scheme::transcode_append => fn(Scheme, &[u8], Scheme, &mut Vec<u8>) -> Result<()>;
        Scheme::transcode_into => fn(Scheme, &[u8], Scheme, &mut [u8]) -> Progress;
        Scheme::count => fn(Scheme, &[u8]) -> usize;
        Scheme::len => fn(Scheme, &[u8], Scheme) -> usize;
        ByteValidator::push =>
            fn(&mut ByteValidator, &[u8]) -> std::result::Result<(), StreamError>;
        ByteTranscoder::push => fn(&mut ByteTranscoder, &[u8], &mut [u8]) -> Progress<StreamError>;
    }
}

/// Questions about a text instead of conversions: places in it, its encoding, how it was damaged.
#[cfg(feature = "questions")]
fn questions() {
    use std::cmp::Ordering;
    use utflane::{Index, LineEnds, Metric, Position, PositionsError, bom, detect, mojibake};

    keep! {
        utf8::count_supplementary => fn(&[u8]) -> usize;
        utf8::count_lines => fn(&[u8]) -> usize;
        utf16::count_supplementary => fn(&[u16]) -> usize;
        utf8::offset_of => fn(&[u8], usize, Metric) -> Option<usize>;
        utf8::index_of => fn(&[u8], usize, Metric) -> Option<usize>;
        utf8::convert_positions =>
            fn(&[u8], Metric, Metric, &mut [usize]) -> std::result::Result<(), PositionsError>;
        utf8::line_of => fn(&[u8], usize) -> Option<usize>;
        utf8::line_start => fn(&[u8], usize) -> Option<usize>;
        utf8::position_of => fn(&[u8], usize, Metric) -> Option<Position>;
        utf8::offset_at => fn(&[u8], Position, Metric) -> Option<usize>;
        utf8::saturating_offset_of => fn(&[u8], usize, Metric) -> usize;
        utf8::saturating_index_of => fn(&[u8], usize, Metric) -> usize;
        utf8::saturating_line_of => fn(&[u8], usize) -> usize;
        utf8::saturating_line_start => fn(&[u8], usize) -> usize;
        utf8::saturating_position_of => fn(&[u8], usize, Metric) -> Position;
        utf8::saturating_offset_at => fn(&[u8], Position, Metric) -> usize;
        utf8::floor_boundary => fn(&[u8], usize) -> usize;
        utf8::ceil_boundary => fn(&[u8], usize) -> usize;
        utf8::Chunks::next => fn(&mut utf8::Chunks<'static>) -> Option<utf8::Chunk<'static>>;
        utf16::offset_of => fn(&[u16], usize) -> Option<usize>;
        utf16::index_of => fn(&[u16], usize) -> Option<usize>;
        utf16::saturating_offset_of => fn(&[u16], usize) -> usize;
        utf16::saturating_index_of => fn(&[u16], usize) -> usize;
        utf16::compare => fn(&[u16], &[u16]) -> Ordering;
        Index::new => fn(&'static [u8]) -> Index<'static>;
        Index::with_line_ends => fn(Index<'static>, LineEnds) -> Index<'static>;
        utf8::Lines::new => fn(&'static [u8], LineEnds) -> utf8::Lines<'static>;
        utf8::Lines::position_of =>
            fn(&utf8::Lines<'static>, usize, Metric) -> Option<Position>;
        utf8::Lines::offset_at => fn(&utf8::Lines<'static>, Position, Metric) -> Option<usize>;
        Index::offset_of => fn(&Index<'static>, usize, Metric) -> Option<usize>;
        Index::index_of => fn(&Index<'static>, usize, Metric) -> Option<usize>;
        Index::line_start => fn(&Index<'static>, usize) -> Option<usize>;
        Index::line_of => fn(&Index<'static>, usize) -> Option<usize>;
        Index::position_of => fn(&Index<'static>, usize, Metric) -> Option<Position>;
        Index::offset_at => fn(&Index<'static>, Position, Metric) -> Option<usize>;
        Index::saturating_offset_of => fn(&Index<'static>, usize, Metric) -> usize;
        Index::saturating_index_of => fn(&Index<'static>, usize, Metric) -> usize;
        Index::saturating_line_of => fn(&Index<'static>, usize) -> usize;
        Index::saturating_line_start => fn(&Index<'static>, usize) -> usize;
        Index::saturating_position_of => fn(&Index<'static>, usize, Metric) -> Position;
        Index::saturating_offset_at => fn(&Index<'static>, Position, Metric) -> usize;
        bom::probe => fn(&[u8]) -> bom::Probe;
        detect::detect => fn(&[u8]) -> detect::Detection;
        mojibake::detect => fn(&str) -> Option<mojibake::Misread>;
        mojibake::undo_all => fn(&str) -> mojibake::Undone<'_>;
        mojibake::undo_runs => fn(&str) -> Cow<'_, str>;
    }
}

/// The verbs of a pair that repair.
#[cfg(feature = "repairs")]
fn repairs<A: Encoding, B: Encoding>() {
    use utflane::{LossyProgress, Policy, Repair, Repaired, RepairedLen};

    keep! {
        utflane::transcode_lossy::<A, B> => fn(&Units<A>, Repair) -> Repaired<B::Owned>;
        utflane::transcode_lossy_append::<A, B> => fn(&Units<A>, Repair, &mut B::Owned) -> usize;
        utflane::transcode_lossy_into::<A, B> =>
            fn(&Units<A>, Repair, &mut Units<B>) -> LossyProgress;
        utflane::len_lossy::<A, B> => fn(&Units<A>, Repair) -> usize;
        utflane::measure_lossy::<A, B> => fn(&Units<A>, Repair) -> RepairedLen;
        Transcoder::<A, B>::with_policy => fn(Transcoder<A, B>, Policy) -> Transcoder<A, B>;
        utf8::lossy => fn(&[u8]) -> Cow<'_, str>;
        utflane::mojibake::Options::undo =>
            fn(utflane::mojibake::Options, &str) -> utflane::mojibake::Undone<'_>;
    }
}

fn main() {
    pairs!([Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]
        [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]);
    each!(one [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be Latin1 Ascii]);
    each!(all_characters [Utf8 Utf16 Utf32 Utf16Le Utf16Be Utf32Le Utf32Be]);
    others();
    #[cfg(feature = "questions")]
    questions();
    #[cfg(feature = "relatives")]
    relatives();
}
