//! The api of the library, erased: every encoding and every pair as a value with the same
//! functions, over bytes.
//!
//! Each function is one call of the operation that it is named after. Inputs and outputs are the
//! bytes of the text in memory; positions and errors stay as the library gave them, in its own
//! units.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::sync::LazyLock;

use utflane::{
    Ascii, ByteTranscoder, ByteValidator, Cesu8, Encoding, Error, Kernel, Latin1, Mutf8, Progress,
    Scheme, StreamError, Transcoder, Unicode, Unit, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be,
    Utf32Le, Validator, Wtf8, Wtf16, Wtf16Be, Wtf16Le,
};

/// The caller's way to an operation.
#[derive(Clone, Copy, Debug)]
pub enum Api {
    /// The free function.
    Free,
    /// The method of this kernel.
    On(Kernel),
}

impl Api {
    /// The free functions, and every kernel that can run here.
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<Api>> = LazyLock::new(|| {
            std::iter::once(Api::Free).chain(Kernel::available().map(Api::On)).collect()
        });
        &ALL
    }
}

/// Calls an operation through a api.
macro_rules! call {
    ($api:expr, $operation:ident::<$($T:ty),+>($($arg:expr),*)) => {
        match $api {
            Api::Free => utflane::$operation::<$($T),+>($($arg),*),
            Api::On(kernel) => kernel.$operation::<$($T),+>($($arg),*),
        }
    };
}

pub(crate) use call;

/// An owned text, to look at it.
pub trait Text<U>: Default {
    fn from_units(units: &[U]) -> Self;
    fn units(&self) -> &[U];
    /// Units that its memory holds.
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
        // A `String` with other contents would be a bug of the library.
        assert!(std::str::from_utf8(self.as_bytes()).is_ok(), "a String is UTF-8: {self:?}");
        self.as_bytes()
    }

    fn capacity_units(&self) -> usize {
        self.capacity()
    }
}

/// An encoding whose texts can be looked at: all of them are.
pub trait Readable: Encoding<Owned: Text<<Self as Encoding>::Unit>> {}
impl<E: Encoding<Owned: Text<<E as Encoding>::Unit>>> Readable for E {}

/// `bytes` as units; a copy if they aren't aligned as units are.
pub fn units<U: Unit>(bytes: &[u8]) -> Cow<'_, [U]> {
    // SAFETY: a unit may have any bits.
    let (front, units, back) = unsafe { bytes.align_to::<U>() };
    if front.is_empty() && back.is_empty() {
        return Cow::Borrowed(units);
    }
    assert_eq!(bytes.len() % size_of::<U>(), 0, "whole units");
    let mut copy = vec![U::default(); bytes.len() / size_of::<U>()];
    // SAFETY: bytes may have any bits, and so may units.
    unsafe { copy.align_to_mut::<u8>() }.1.copy_from_slice(bytes);
    Cow::Owned(copy)
}

/// `bytes` as units. They must be aligned as units are.
pub fn units_mut<U: Unit>(bytes: &mut [u8]) -> &mut [U] {
    // SAFETY: bytes may have any bits, and so may units.
    let (front, units, back) = unsafe { bytes.align_to_mut::<U>() };
    assert!(front.is_empty() && back.is_empty(), "aligned output");
    units
}

/// `bytes` as units. They must be aligned as units are.
pub fn units_uninit<U: Unit>(bytes: &mut [MaybeUninit<u8>]) -> &mut [MaybeUninit<U>] {
    // SAFETY: neither need be initialised.
    let (front, units, back) = unsafe { bytes.align_to_mut::<MaybeUninit<U>>() };
    assert!(front.is_empty() && back.is_empty(), "aligned output");
    units
}

/// The bytes of `units`.
fn bytes<U: Unit>(units: &[U]) -> Vec<u8> {
    // SAFETY: units have no padding.
    unsafe { units.align_to::<u8>() }.1.to_vec()
}

/// The bytes of a text.
pub fn text_bytes<E: Readable>(text: &E::Owned) -> Vec<u8> {
    bytes(text.units())
}

/// Bytes of an owned result, and the number that its memory holds.
type SizeAndCapacity = Result<(usize, usize), Error>;

/// [`SizeAndCapacity`] of a text.
fn size_and_capacity<E: Readable>(text: &E::Owned) -> (usize, usize) {
    (size_of_val(text.units()), text.capacity_units() * size_of::<E::Unit>())
}

/// A validator of any kind.
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

/// A transcoder of any kind.
pub trait Transcode {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError>;
    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError>;
    fn repairs(&self) -> u64;
}

impl<A: Encoding, B: Encoding> Transcode for Transcoder<A, B> {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        self.push(&units(chunk), units_mut(dst))
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

/// An encoding.
pub struct Codec {
    pub name: &'static str,
    pub scheme: Scheme,
    /// Bytes of an element of its slices, in which the library counts.
    pub unit: usize,
    pub validate: fn(Api, &[u8]) -> Result<(), Error>,
    pub is_valid: fn(Api, &[u8]) -> bool,
    pub count: fn(Api, &[u8]) -> usize,
    /// The bytes of the two parts.
    pub split_incomplete: fn(&[u8]) -> (usize, usize),
    pub validator: fn(Api) -> Box<dyn Validate>,
    /// `None` where the target doesn't hold every character.
    pub from_str: Option<fn(Api, &str) -> Vec<u8>>,
    pub try_from_str: fn(Api, &str) -> Result<Vec<u8>, Error>,
    /// The memory that `try_from_str` takes.
    pub try_from_str_capacity: fn(Api, &str) -> SizeAndCapacity,
    pub from_str_into: fn(Api, &str, &mut [u8]) -> Progress,
    pub from_str_into_uninit: fn(Api, &str, &mut [MaybeUninit<u8>]) -> Progress,
    pub from_str_append: fn(Api, &str, &mut Vec<u8>) -> Result<(), Error>,
    pub from_str_len: fn(Api, &str) -> usize,
}

/// An encoding as a value.
fn codec<E: Readable>(name: &'static str, from_str: Option<fn(Api, &str) -> Vec<u8>>) -> Codec {
    Codec {
        name,
        scheme: E::SCHEME,
        unit: size_of::<E::Unit>(),
        validate: |api, src| call!(api, validate::<E>(&units(src))),
        is_valid: |api, src| call!(api, is_valid::<E>(&units(src))),
        count: |api, src| call!(api, count::<E>(&units(src))),
        split_incomplete: |src| {
            let src = units(src);
            let (text, rest) = utflane::split_incomplete::<E>(&src);
            assert!([text, rest].concat() == *src, "the parts are the whole");
            (size_of_val(text), size_of_val(rest))
        },
        validator: |api| match api {
            Api::Free => Box::new(Validator::<E>::new()),
            Api::On(kernel) => Box::new(Validator::<E>::with_kernel(kernel)),
        },
        from_str,
        try_from_str: |api, src| {
            call!(api, try_from_str::<E>(src)).map(|text| text_bytes::<E>(&text))
        },
        try_from_str_capacity: |api, src| {
            call!(api, try_from_str::<E>(src)).map(|text| size_and_capacity::<E>(&text))
        },
        from_str_into: |api, src, dst| call!(api, from_str_into::<E>(src, units_mut(dst))),
        from_str_into_uninit: |api, src, dst| {
            call!(api, from_str_into_uninit::<E>(src, units_uninit(dst)))
        },
        from_str_append: |api, src, out| {
            let mut text = E::Owned::from_units(&units(out));
            let result = call!(api, from_str_append::<E>(src, &mut text));
            *out = text_bytes::<E>(&text);
            result
        },
        from_str_len: |api, src| call!(api, from_str_len::<E>(src)),
    }
}

/// `from_str`, for encodings that hold every character.
fn from_str<E: Readable + Unicode>(api: Api, src: &str) -> Vec<u8> {
    text_bytes::<E>(&call!(api, from_str::<E>(src)))
}

/// Appends the conversion of a text to another one, given as bytes.
type Append = fn(Api, &[u8], &mut Vec<u8>) -> Result<(), Error>;

/// An ordered pair of encodings.
pub struct Pair {
    pub from: &'static Codec,
    pub to: &'static Codec,
    pub transcode_into: fn(Api, &[u8], &mut [u8]) -> Progress,
    pub transcode_into_uninit: fn(Api, &[u8], &mut [MaybeUninit<u8>]) -> Progress,
    pub transcode: fn(Api, &[u8]) -> Result<Vec<u8>, Error>,
    /// The memory that `transcode` takes.
    pub transcode_capacity: fn(Api, &[u8]) -> SizeAndCapacity,
    pub transcode_append: Append,
    pub len: fn(Api, &[u8]) -> usize,
    pub max_len: fn(usize) -> Option<usize>,
    pub transcoder: fn(Api) -> Box<dyn Transcode>,
}

/// A pair as a value.
fn pair<A: Readable, B: Readable>(from: &'static Codec, to: &'static Codec) -> Pair {
    Pair {
        from,
        to,
        transcode_into: |api, src, dst| {
            call!(api, transcode_into::<A, B>(&units(src), units_mut(dst)))
        },
        transcode_into_uninit: |api, src, dst| {
            call!(api, transcode_into_uninit::<A, B>(&units(src), units_uninit(dst)))
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

/// All encodings, in groups of one kind, and the lists made from them.
macro_rules! encodings {
    ($($name:ident $from_str:expr;)*) => {
        /// The encodings: UTF-8 first, then those with wider units, the small ones, then CESU-8,
        /// Modified UTF-8 and WTF-8.
        pub fn codecs() -> &'static [Codec] {
            static CODECS: LazyLock<Vec<Codec>> =
                LazyLock::new(|| vec![$(codec::<$name>(stringify!($name), $from_str)),*]);
            &CODECS
        }

        /// The pairs from `A`, in the order of [`codecs`].
        fn pairs_from<A: Readable>(from: &'static Codec) -> Vec<Pair> {
            let mut codecs = codecs().iter();
            vec![$(pair::<A, $name>(from, codecs.next().expect("as many"))),*]
        }

        /// All ordered pairs.
        pub fn pairs() -> &'static [Pair] {
            static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
                let mut codecs = codecs().iter();
                let pairs = [$(pairs_from::<$name>(codecs.next().expect("as many"))),*];
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

/// The pair with these names.
pub fn named(from: &str, to: &str) -> &'static Pair {
    pairs().iter().find(|pair| pair.from.name == from && pair.to.name == to).expect("a pair")
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
