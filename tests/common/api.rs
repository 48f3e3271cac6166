//! The public API of the library with erased types: every encoding and every pair of encodings is a
//! value with the same functions, which take and return bytes.
//!
//! Each function calls the operation that it is named after. Inputs and outputs are the bytes of a
//! text in memory. Offsets and errors are returned unchanged: they are counted in the library's
//! units, which may be wider than bytes.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::sync::LazyLock;

use utflane::{
    Ascii, ByteTranscoder, ByteValidator, Cesu8, Encoding, Error, Kernel, Latin1, Mutf8, Progress,
    Scheme, StreamError, Transcoder, Unicode, Unit, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be,
    Utf32Le, Validator, Wtf8, Wtf16, Wtf16Be, Wtf16Le,
};

/// Selects how a test calls an operation.
#[derive(Clone, Copy, Debug)]
pub enum Api {
    /// The free function.
    Free,
    /// The method of this kernel.
    On(Kernel),
}

impl Api {
    /// Returns the free functions, and every kernel that can run on this processor.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Api>> = LazyLock::new(|| {
            std::iter::once(Api::Free).chain(Kernel::available().map(Api::On)).collect()
        });
        &ALL
    }
}

/// Calls an operation through an [`Api`].
macro_rules! call {
    ($api:expr, $operation:ident::<$($T:ty),+>($($arg:expr),*)) => {
        match $api {
            Api::Free => utflane::$operation::<$($T),+>($($arg),*),
            Api::On(kernel) => kernel.$operation::<$($T),+>($($arg),*),
        }
    };
}

pub(crate) use call;

/// An owned text that can be converted from and to units.
pub trait Text<U>: Default {
    fn from_units(units: &[U]) -> Self;
    fn units(&self) -> &[U];
    /// Returns the capacity of the text's memory, in units.
    fn capacity_units(&self) -> usize;
}

impl<U: Unit> Text<U> for Vec<U> {
    fn from_units(units: &[U]) -> Self {
        units.to_vec()
    }

    fn units(&self) -> &[U] {
        self
    }

    fn capacity_units(&self) -> usize {
        self.capacity()
    }
}

impl Text<u8> for String {
    fn from_units(units: &[u8]) -> Self {
        Self::from_utf8(units.to_vec()).expect("a String is UTF-8")
    }

    fn units(&self) -> &[u8] {
        // A `String` that is not UTF-8 would be a bug in the library.
        assert!(std::str::from_utf8(self.as_bytes()).is_ok(), "a String is UTF-8: {self:?}");
        self.as_bytes()
    }

    fn capacity_units(&self) -> usize {
        self.capacity()
    }
}

/// An encoding whose owned texts implement [`Text`]. This is the case for all encodings.
pub trait HasOwnedText: Encoding<Owned: Text<<Self as Encoding>::Unit>> {}
impl<E: Encoding<Owned: Text<<E as Encoding>::Unit>>> HasOwnedText for E {}

/// Returns `bytes` as units. They are copied if they are not aligned for units.
pub fn units<U: Unit>(bytes: &[u8]) -> Cow<'_, [U]> {
    // SAFETY: `Unit` is implemented for integers only, and any bytes are a valid integer.
    let (before, units, after) = unsafe { bytes.align_to::<U>() };
    if before.is_empty() && after.is_empty() {
        return Cow::Borrowed(units);
    }
    assert_eq!(bytes.len() % size_of::<U>(), 0, "the bytes must be whole units");
    let mut copy = vec![U::default(); bytes.len() / size_of::<U>()];
    // SAFETY: units are integers; any bits are valid for bytes and for integers.
    unsafe { copy.align_to_mut::<u8>() }.1.copy_from_slice(bytes);
    Cow::Owned(copy)
}

/// Returns `bytes` as units. Panics if the bytes are not aligned for units.
pub fn units_mut<U: Unit>(bytes: &mut [u8]) -> &mut [U] {
    // SAFETY: units are integers; any bits are valid for bytes and for integers.
    let (before, units, after) = unsafe { bytes.align_to_mut::<U>() };
    assert!(before.is_empty() && after.is_empty(), "the output is not aligned");
    units
}

/// Returns `bytes` as units. Panics if the bytes are not aligned for units.
pub fn units_uninit<U: Unit>(bytes: &mut [MaybeUninit<u8>]) -> &mut [MaybeUninit<U>] {
    // SAFETY: both types are `MaybeUninit`, for which any memory is valid.
    let (before, units, after) = unsafe { bytes.align_to_mut::<MaybeUninit<U>>() };
    assert!(before.is_empty() && after.is_empty(), "the output is not aligned");
    units
}

/// Returns a copy of the bytes of `units`.
fn bytes<U: Unit>(units: &[U]) -> Vec<u8> {
    // SAFETY: units are integers, which have no padding, so all their bytes are initialised.
    unsafe { units.align_to::<u8>() }.1.to_vec()
}

/// Returns a copy of the bytes of a text.
pub fn text_bytes<E: HasOwnedText>(text: &E::Owned) -> Vec<u8> {
    bytes(text.units())
}

/// The length of an owned result and the capacity of its memory, in bytes.
type SizeAndCapacity = Result<(usize, usize), Error>;

/// Returns the length of a text and the capacity of its memory, in bytes.
fn size_and_capacity<E: HasOwnedText>(text: &E::Owned) -> (usize, usize) {
    (size_of_val(text.units()), text.capacity_units() * size_of::<E::Unit>())
}

/// A [`Validator`] of any encoding, or a [`ByteValidator`].
pub trait Validate {
    fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError>;
    fn finish(&mut self) -> Result<(), StreamError>;
}

impl<E: Encoding> Validate for Validator<E> {
    fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        self.push(&units(chunk))
    }

    fn finish(&mut self) -> Result<(), StreamError> {
        self.finish()
    }
}

impl Validate for ByteValidator {
    fn push(&mut self, chunk: &[u8]) -> Result<(), StreamError> {
        self.push(chunk)
    }

    fn finish(&mut self) -> Result<(), StreamError> {
        self.finish()
    }
}

/// A [`Transcoder`] of any pair, or a [`ByteTranscoder`].
pub trait Transcode {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError>;
    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError>;
    fn repairs(&self) -> u64;
}

impl<A: Encoding, B: Encoding> Transcode for Transcoder<A, B> {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        self.push(&units(chunk), units_mut::<B::Unit>(dst))
    }

    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        self.finish(units_mut(dst))
    }

    fn repairs(&self) -> u64 {
        self.repairs()
    }
}

impl Transcode for ByteTranscoder {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        self.push(chunk, dst)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        self.finish(dst)
    }

    fn repairs(&self) -> u64 {
        self.repairs()
    }
}

/// An encoding as a value.
pub struct Codec {
    pub name: &'static str,
    pub scheme: Scheme,
    /// The size of `E::Unit` in bytes: 1 for `Utf16Le`. The library counts in these units.
    pub element_bytes: usize,
    pub validate: fn(Api, &[u8]) -> Result<(), Error>,
    pub is_valid: fn(Api, &[u8]) -> bool,
    pub count: fn(Api, &[u8]) -> usize,
    /// Returns the lengths of the two parts, in bytes.
    pub split_incomplete: fn(&[u8]) -> (usize, usize),
    pub validator: fn(Api) -> Box<dyn Validate>,
    /// `None` if the encoding lacks some characters.
    pub from_str: Option<fn(Api, &str) -> Vec<u8>>,
    /// Calls `from_str_append` with an empty text. Returns the length and the capacity of the
    /// result.
    pub from_str_capacity: fn(Api, &str) -> SizeAndCapacity,
    pub from_str_into: fn(Api, &str, &mut [u8]) -> Progress,
    pub from_str_into_uninit: fn(Api, &str, &mut [MaybeUninit<u8>]) -> Progress,
    pub from_str_append: fn(Api, &str, &mut Vec<u8>) -> Result<(), Error>,
}

/// Creates the [`Codec`] of an encoding.
fn codec<E: HasOwnedText>(name: &'static str, from_str: Option<fn(Api, &str) -> Vec<u8>>) -> Codec {
    Codec {
        name,
        scheme: E::SCHEME,
        element_bytes: size_of::<E::Unit>(),
        validate: |api, src| call!(api, validate::<E>(&units(src))),
        is_valid: |api, src| call!(api, is_valid::<E>(&units(src))),
        count: |api, src| call!(api, count::<E>(&units(src))),
        split_incomplete: |src| {
            let src = units(src);
            let (text, rest) = utflane::split_incomplete::<E>(&src);
            assert!([text, rest].concat() == *src, "the two parts must be the whole text");
            (size_of_val(text), size_of_val(rest))
        },
        validator: |api| match api {
            Api::Free => Box::new(Validator::<E>::new()),
            Api::On(kernel) => Box::new(Validator::<E>::with_kernel(kernel)),
        },
        from_str,
        from_str_capacity: |api, src| {
            let mut text = E::Owned::default();
            call!(api, from_str_append::<E>(src, &mut text)).map(|()| size_and_capacity::<E>(&text))
        },
        from_str_into: |api, src, dst| {
            call!(api, from_str_into::<E>(src, units_mut::<E::Unit>(dst)))
        },
        from_str_into_uninit: |api, src, dst| {
            call!(api, from_str_into::<E>(src, units_uninit::<E::Unit>(dst)))
        },
        from_str_append: |api, src, out| {
            let mut text = E::Owned::from_units(&units(out));
            let result = call!(api, from_str_append::<E>(src, &mut text));
            *out = text_bytes::<E>(&text);
            result
        },
    }
}

/// Calls `from_str`, which exists for encodings that have every character.
fn from_str<E: HasOwnedText + Unicode>(api: Api, src: &str) -> Vec<u8> {
    text_bytes::<E>(&call!(api, from_str::<E>(src)))
}

/// Converts a text and appends the result to another text; both texts are given as bytes.
type Append = fn(Api, &[u8], &mut Vec<u8>) -> Result<(), Error>;

/// An ordered pair of encodings.
pub struct Pair {
    pub from: &'static Codec,
    pub to: &'static Codec,
    pub transcode_into: fn(Api, &[u8], &mut [u8]) -> Progress,
    pub transcode_into_uninit: fn(Api, &[u8], &mut [MaybeUninit<u8>]) -> Progress,
    pub transcode: fn(Api, &[u8]) -> Result<Vec<u8>, Error>,
    /// Calls `transcode`. Returns the length and the capacity of the result.
    pub transcode_capacity: fn(Api, &[u8]) -> SizeAndCapacity,
    pub transcode_append: Append,
    pub len: fn(Api, &[u8]) -> usize,
    pub max_len: fn(usize) -> Option<usize>,
    pub transcoder: fn(Api) -> Box<dyn Transcode>,
}

/// Creates the [`Pair`] of two encodings.
fn pair<A: HasOwnedText, B: HasOwnedText>(from: &'static Codec, to: &'static Codec) -> Pair {
    Pair {
        from,
        to,
        transcode_into: |api, src, dst| {
            call!(api, transcode_into::<A, B>(&units(src), units_mut::<B::Unit>(dst)))
        },
        transcode_into_uninit: |api, src, dst| {
            call!(api, transcode_into::<A, B>(&units(src), units_uninit::<B::Unit>(dst)))
        },
        transcode: |api, src| {
            call!(api, transcode::<A, B>(&units(src))).map(|text| text_bytes::<B>(&text))
        },
        transcode_capacity: |api, src| {
            call!(api, transcode::<A, B>(&units(src))).map(|text| size_and_capacity::<B>(&text))
        },
        transcode_append: |api, src, out| {
            let mut text = B::Owned::from_units(&units(out));
            let result = call!(api, transcode_append::<A, B>(&units(src), &mut text));
            *out = text_bytes::<B>(&text);
            result
        },
        len: |api, src| call!(api, len::<A, B>(&units(src))),
        max_len: utflane::max_len::<A, B>,
        transcoder: |api| match api {
            Api::Free => Box::new(Transcoder::<A, B>::new()),
            Api::On(kernel) => Box::new(Transcoder::<A, B>::with_kernel(kernel)),
        },
    }
}

/// Defines the lists of all encodings and of all pairs.
macro_rules! encodings {
    ($($name:ident $from_str:expr;)*) => {
        /// Returns the encodings: first UTF-8, then UTF-16 and UTF-32, then Latin-1 and ASCII, then
        /// CESU-8, Modified UTF-8, WTF-8 and WTF-16.
        pub fn codecs() -> &'static [Codec] {
            static CODECS: LazyLock<Vec<Codec>> =
                LazyLock::new(|| vec![$(codec::<$name>(stringify!($name), $from_str)),*]);
            &CODECS
        }

        /// Returns the pairs whose source is `A`, in the order of [`codecs`].
        fn pairs_from<A: HasOwnedText>(from: &'static Codec) -> Vec<Pair> {
            let mut codecs = codecs().iter();
            vec![$(pair::<A, $name>(from, codecs.next().expect("one codec for each encoding"))),*]
        }

        /// Returns all ordered pairs of encodings.
        pub fn pairs() -> &'static [Pair] {
            static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
                let mut codecs = codecs().iter();
                let pairs = [$(
                    pairs_from::<$name>(codecs.next().expect("one codec for each encoding"))
                ),*];
                pairs.into_iter().flatten().collect()
            });
            &PAIRS
        }
    };
}

encodings! {
    Utf8 Some(from_str::<Utf8>);
    Utf16 Some(from_str::<Utf16>);
    Utf32 Some(from_str::<Utf32>);
    Utf16Le Some(from_str::<Utf16Le>);
    Utf16Be Some(from_str::<Utf16Be>);
    Utf32Le Some(from_str::<Utf32Le>);
    Utf32Be Some(from_str::<Utf32Be>);
    Latin1 None;
    Ascii None;
    Cesu8 Some(from_str::<Cesu8>);
    Mutf8 Some(from_str::<Mutf8>);
    Wtf8 Some(from_str::<Wtf8>);
    Wtf16 Some(from_str::<Wtf16>);
    Wtf16Le Some(from_str::<Wtf16Le>);
    Wtf16Be Some(from_str::<Wtf16Be>);
}

/// Returns the encoding with this name.
pub fn codec_named(name: &str) -> &'static Codec {
    codecs().iter().find(|codec| codec.name == name).expect("a known name")
}

/// Returns the pair of the encodings with these names.
pub fn pair_named(from: &str, to: &str) -> &'static Pair {
    let mut pairs = pairs().iter();
    pairs.find(|pair| pair.from.name == from && pair.to.name == to).expect("known names")
}

impl std::fmt::Display for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.from.name, self.to.name)
    }
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}
