//! The public API of the library with erased types: every encoding is a value with the same
//! functions, which take and return bytes. [`pairs`](super::pairs) has every pair of encodings.
//!
//! Each function calls the operation that it is named after. Inputs and outputs are the bytes of a
//! text in memory. Offsets and errors are returned unchanged: they are counted in the library's
//! units, which may be wider than bytes.

use std::borrow::Cow;
use std::mem::MaybeUninit;
use std::sync::LazyLock;

use utflane::{
    Ascii, ByteValidator, Cesu8, Encoding, Error, Kernel, Latin1, Mutf8, Progress, Scheme,
    StreamError, Unicode, Unit, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le, Validator,
    Wtf8, Wtf16, Wtf16Be, Wtf16Le,
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

/// Defines [`Text`].
macro_rules! texts {
    ($($Variant:ident $T:ty;)*) => {
        /// The owned text of any encoding.
        pub enum Text {
            $($Variant($T)),*
        }

        $(impl OwnedText for $T {
            fn erase(self) -> Text {
                Text::$Variant(self)
            }

            fn get_mut(text: &mut Text) -> &mut Self {
                match text {
                    Text::$Variant(text) => text,
                    _ => panic!("this is the text of another encoding"),
                }
            }
        })*
    };
}

texts! {
    String String;
    Units8 Vec<u8>;
    Units16 Vec<u16>;
    Units32 Vec<u32>;
}

/// An owned text as the library returns it.
pub trait OwnedText: Default {
    fn erase(self) -> Text;
    /// Returns the text inside of `text`. Panics if it has another type.
    fn get_mut(text: &mut Text) -> &mut Self;
}

impl Text {
    /// Returns a copy of `bytes` as the owned text of `E`, without spare capacity.
    fn new<E: HasOwnedText>(bytes: &[u8]) -> Self {
        let mut text = E::Owned::default().erase();
        match &mut text {
            Self::String(text) => {
                *text = String::from_utf8(bytes.to_vec()).expect("a String is UTF-8");
            }
            Self::Units8(text) => *text = bytes.to_vec(),
            Self::Units16(text) => *text = units(bytes).into_owned(),
            Self::Units32(text) => *text = units(bytes).into_owned(),
        }
        text
    }

    /// Returns a copy of the bytes of the text.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::String(text) => {
                // A `String` that is not UTF-8 would be a bug in the library.
                assert!(
                    std::str::from_utf8(text.as_bytes()).is_ok(),
                    "a String is UTF-8: {text:?}"
                );
                text.as_bytes().to_vec()
            }
            Self::Units8(text) => text.clone(),
            Self::Units16(text) => bytes(text),
            Self::Units32(text) => bytes(text),
        }
    }

    /// Returns the length of the text and the capacity of its memory, in bytes.
    pub fn size_and_capacity(&self) -> (usize, usize) {
        let capacity = match self {
            Self::String(text) => text.capacity(),
            Self::Units8(text) => text.capacity(),
            Self::Units16(text) => 2 * text.capacity(),
            Self::Units32(text) => 4 * text.capacity(),
        };
        (self.to_bytes().len(), capacity)
    }
}

/// An encoding whose owned texts implement [`OwnedText`]. This is the case for all encodings.
pub trait HasOwnedText: Encoding<Owned: OwnedText> {}
impl<E: Encoding<Owned: OwnedText>> HasOwnedText for E {}

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

/// The length of an owned result and the capacity of its memory, in bytes.
pub type SizeAndCapacity = Result<(usize, usize), Error>;

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

/// An encoding as a value.
pub struct Codec {
    pub name: &'static str,
    pub scheme: Scheme,
    /// The size of `E::Unit` in bytes: 1 for `Utf16Le`. The library counts in these units.
    pub element_bytes: usize,
    /// Creates an owned text that is a copy of these bytes.
    pub text: fn(&[u8]) -> Text,
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
        text: Text::new::<E>,
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
            call!(api, from_str_append::<E>(src, &mut text))
                .map(|()| text.erase().size_and_capacity())
        },
        from_str_into: |api, src, dst| {
            call!(api, from_str_into::<E>(src, units_mut::<E::Unit>(dst)))
        },
        from_str_into_uninit: |api, src, dst| {
            call!(api, from_str_into::<E>(src, units_uninit::<E::Unit>(dst)))
        },
        from_str_append: |api, src, out| {
            let mut text = Text::new::<E>(out);
            let result = call!(api, from_str_append::<E>(src, OwnedText::get_mut(&mut text)));
            *out = text.to_bytes();
            result
        },
    }
}

/// Calls `from_str`, which exists for encodings that have every character.
fn from_str<E: HasOwnedText + Unicode>(api: Api, src: &str) -> Vec<u8> {
    call!(api, from_str::<E>(src)).erase().to_bytes()
}

/// Defines the list of all encodings.
macro_rules! encodings {
    ($($name:ident $from_str:expr;)*) => {
        /// Returns the encodings: first UTF-8, then UTF-16 and UTF-32, then Latin-1 and ASCII, then
        /// CESU-8, Modified UTF-8, WTF-8 and WTF-16.
        pub fn codecs() -> &'static [Codec] {
            static CODECS: LazyLock<Vec<Codec>> =
                LazyLock::new(|| vec![$(codec::<$name>(stringify!($name), $from_str)),*]);
            &CODECS
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
