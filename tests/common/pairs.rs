//! Every ordered pair of encodings as a value, with the types erased as in [`api`](super::api).
//!
//! The 225 pairs have one type, [`Pair`], whose methods take bytes. Only [`Typed`] is compiled for
//! each pair, so its methods do nothing but call the operation.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::LazyLock;

use utflane::{
    Ascii, ByteTranscoder, Cesu8, Encoding, Error, Latin1, LossyProgress, Mutf8, Policy, Progress,
    Repair, StreamError, Transcoder, Unit, Utf8, Utf16, Utf16Be, Utf16Le, Utf32, Utf32Be, Utf32Le,
    Wtf8, Wtf16, Wtf16Be, Wtf16Le,
};

use super::api::{
    Api, Codec, HasOwnedText, OwnedText, SizeAndCapacity, Text, call, codecs, units, units_mut,
    units_uninit,
};

/// A [`Transcoder`] of any pair, or a [`ByteTranscoder`].
pub trait Transcode {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError>;
    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError>;
    fn repairs(&self) -> u64;
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

/// The chunks are aligned for units.
impl<A: Encoding, B: Encoding> Transcode for Transcoder<A, B> {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        self.push(aligned_units(chunk), units_mut::<B::Unit>(dst))
    }

    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        self.finish(units_mut::<B::Unit>(dst))
    }

    fn repairs(&self) -> u64 {
        self.repairs()
    }
}

/// A [`Transcoder`] that also takes chunks that are not aligned for its units.
struct Aligning {
    transcoder: Box<dyn Transcode>,
    unit_bytes: usize,
}

impl Transcode for Aligning {
    fn push(&mut self, chunk: &[u8], dst: &mut [u8]) -> Progress<StreamError> {
        self.transcoder.push(&aligned(chunk, self.unit_bytes), dst)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Progress<StreamError> {
        self.transcoder.finish(dst)
    }

    fn repairs(&self) -> u64 {
        self.transcoder.repairs()
    }
}

/// The bytes of a text, aligned for the units of its encoding.
enum Aligned<'a> {
    Units8(&'a [u8]),
    Units16(Cow<'a, [u16]>),
    Units32(Cow<'a, [u32]>),
}

/// Aligns `bytes` for units of `unit_bytes` bytes. They are copied if they are not aligned.
fn aligned(bytes: &[u8], unit_bytes: usize) -> Aligned<'_> {
    match unit_bytes {
        1 => Aligned::Units8(bytes),
        2 => Aligned::Units16(units(bytes)),
        _ => Aligned::Units32(units(bytes)),
    }
}

impl std::ops::Deref for Aligned<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Units8(bytes) => bytes,
            // SAFETY: units are integers, which have no padding, so all their bytes are
            // initialised.
            Self::Units16(units) => unsafe { units.align_to::<u8>() }.1,
            // SAFETY: as above.
            Self::Units32(units) => unsafe { units.align_to::<u8>() }.1,
        }
    }
}

/// Returns `bytes` as units. Panics if the bytes are not aligned for units.
fn aligned_units<U: Unit>(bytes: &[u8]) -> &[U] {
    match units(bytes) {
        Cow::Borrowed(units) => units,
        Cow::Owned(_) => panic!("the input is not aligned"),
    }
}

/// The operations of a pair. Inputs and outputs are aligned for units.
trait Operations: Sync {
    fn transcode_into(&self, api: Api, src: &[u8], dst: &mut [u8]) -> Progress;
    fn transcode_into_uninit(&self, api: Api, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress;
    fn transcode(&self, api: Api, src: &[u8]) -> Result<Text, Error>;
    fn transcode_append(&self, api: Api, src: &[u8], out: &mut Text) -> Result<(), Error>;
    fn len(&self, api: Api, src: &[u8]) -> usize;
    fn max_len(&self, units: usize) -> Option<usize>;
    fn transcoder(&self, api: Api, policy: Option<Policy>) -> Box<dyn Transcode>;
    fn lossy(&self, api: Api, src: &[u8], repair: Repair) -> (Text, usize);
    fn lossy_append(&self, api: Api, src: &[u8], repair: Repair, out: &mut Text) -> usize;
    fn lossy_into(&self, api: Api, src: &[u8], repair: Repair, dst: &mut [u8]) -> LossyProgress;
    fn lossy_into_uninit(
        &self,
        api: Api,
        src: &[u8],
        repair: Repair,
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyProgress;
    /// Returns the length of the result in units, and the number of repairs.
    fn measure_lossy(&self, api: Api, src: &[u8], repair: Repair) -> (usize, usize);
    fn max_len_lossy(&self, units: usize, repair: Repair) -> Option<usize>;
}

/// A pair of encodings as types.
struct Typed<A, B>(PhantomData<fn(A, B)>);

impl<A: HasOwnedText, B: HasOwnedText> Operations for Typed<A, B> {
    fn transcode_into(&self, api: Api, src: &[u8], dst: &mut [u8]) -> Progress {
        call!(api, transcode_into::<A, B>(aligned_units(src), units_mut::<B::Unit>(dst)))
    }

    fn transcode_into_uninit(&self, api: Api, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        call!(api, transcode_into::<A, B>(aligned_units(src), units_uninit::<B::Unit>(dst)))
    }

    fn transcode(&self, api: Api, src: &[u8]) -> Result<Text, Error> {
        erase_result(call!(api, transcode::<A, B>(aligned_units(src))))
    }

    fn transcode_append(&self, api: Api, src: &[u8], out: &mut Text) -> Result<(), Error> {
        call!(api, transcode_append::<A, B>(aligned_units(src), OwnedText::get_mut(out)))
    }

    fn len(&self, api: Api, src: &[u8]) -> usize {
        call!(api, len::<A, B>(aligned_units(src)))
    }

    fn max_len(&self, units: usize) -> Option<usize> {
        utflane::max_len::<A, B>(units)
    }

    fn transcoder(&self, api: Api, policy: Option<Policy>) -> Box<dyn Transcode> {
        let mut transcoder = match api {
            Api::Free => Transcoder::<A, B>::new(),
            Api::On(kernel) => Transcoder::<A, B>::with_kernel(kernel),
        };
        if let Some(policy) = policy {
            transcoder = transcoder.with_policy(policy);
        }
        Box::new(transcoder)
    }

    fn lossy(&self, api: Api, src: &[u8], repair: Repair) -> (Text, usize) {
        let repaired = call!(api, transcode_lossy::<A, B>(aligned_units(src), repair));
        (repaired.text.erase(), repaired.repairs)
    }

    fn lossy_append(&self, api: Api, src: &[u8], repair: Repair, out: &mut Text) -> usize {
        let out = OwnedText::get_mut(out);
        call!(api, transcode_lossy_append::<A, B>(aligned_units(src), repair, out))
    }

    fn lossy_into(&self, api: Api, src: &[u8], repair: Repair, dst: &mut [u8]) -> LossyProgress {
        let dst = units_mut::<B::Unit>(dst);
        call!(api, transcode_lossy_into::<A, B>(aligned_units(src), repair, dst))
    }

    fn lossy_into_uninit(
        &self,
        api: Api,
        src: &[u8],
        repair: Repair,
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyProgress {
        let dst = units_uninit::<B::Unit>(dst);
        call!(api, transcode_lossy_into::<A, B>(aligned_units(src), repair, dst))
    }

    fn measure_lossy(&self, api: Api, src: &[u8], repair: Repair) -> (usize, usize) {
        let measured = call!(api, measure_lossy::<A, B>(aligned_units(src), repair));
        (measured.len, measured.repairs)
    }

    fn max_len_lossy(&self, units: usize, repair: Repair) -> Option<usize> {
        utflane::max_len_lossy::<A, B>(units, repair)
    }
}

/// Erases the type of a text. This function is compiled for each type of a text, not for each pair.
fn erase_result<T: OwnedText>(text: Result<T, Error>) -> Result<Text, Error> {
    text.map(T::erase)
}

/// An ordered pair of encodings.
pub struct Pair {
    pub from: &'static Codec,
    pub to: &'static Codec,
    operations: &'static dyn Operations,
}

impl Pair {
    fn aligned<'a>(&self, src: &'a [u8]) -> Aligned<'a> {
        aligned(src, self.from.element_bytes)
    }

    pub fn transcode_into(&self, api: Api, src: &[u8], dst: &mut [u8]) -> Progress {
        self.operations.transcode_into(api, &self.aligned(src), dst)
    }

    pub fn transcode_into_uninit(
        &self,
        api: Api,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Progress {
        self.operations.transcode_into_uninit(api, &self.aligned(src), dst)
    }

    pub fn transcode(&self, api: Api, src: &[u8]) -> Result<Vec<u8>, Error> {
        self.operations.transcode(api, &self.aligned(src)).map(|text| text.to_bytes())
    }

    /// Calls `transcode`. Returns the length and the capacity of the result.
    pub fn transcode_capacity(&self, api: Api, src: &[u8]) -> SizeAndCapacity {
        self.operations.transcode(api, &self.aligned(src)).map(|text| text.size_and_capacity())
    }

    /// Converts a text and appends the result to another text.
    pub fn transcode_append(&self, api: Api, src: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        let mut text = (self.to.text)(out);
        let result = self.operations.transcode_append(api, &self.aligned(src), &mut text);
        *out = text.to_bytes();
        result
    }

    pub fn len(&self, api: Api, src: &[u8]) -> usize {
        self.operations.len(api, &self.aligned(src))
    }

    pub fn max_len(&self, units: usize) -> Option<usize> {
        self.operations.max_len(units)
    }

    pub fn transcoder(&self, api: Api) -> Box<dyn Transcode> {
        self.aligning_transcoder(api, None)
    }

    pub fn lossy_transcoder(&self, api: Api, policy: Policy) -> Box<dyn Transcode> {
        self.aligning_transcoder(api, Some(policy))
    }

    fn aligning_transcoder(&self, api: Api, policy: Option<Policy>) -> Box<dyn Transcode> {
        let transcoder = self.operations.transcoder(api, policy);
        Box::new(Aligning { transcoder, unit_bytes: self.from.element_bytes })
    }

    /// Converts a text with repairs. Returns the result and the number of repairs.
    pub fn lossy(&self, api: Api, src: &[u8], repair: Repair) -> (Vec<u8>, usize) {
        let (text, repairs) = self.operations.lossy(api, &self.aligned(src), repair);
        (text.to_bytes(), repairs)
    }

    /// Like `lossy`, and appends the result to another text. Returns the number of repairs.
    pub fn lossy_append(&self, api: Api, src: &[u8], repair: Repair, out: &mut Vec<u8>) -> usize {
        let mut text = (self.to.text)(out);
        let repairs = self.operations.lossy_append(api, &self.aligned(src), repair, &mut text);
        *out = text.to_bytes();
        repairs
    }

    pub fn lossy_into(
        &self,
        api: Api,
        src: &[u8],
        repair: Repair,
        dst: &mut [u8],
    ) -> LossyProgress {
        self.operations.lossy_into(api, &self.aligned(src), repair, dst)
    }

    pub fn lossy_into_uninit(
        &self,
        api: Api,
        src: &[u8],
        repair: Repair,
        dst: &mut [MaybeUninit<u8>],
    ) -> LossyProgress {
        self.operations.lossy_into_uninit(api, &self.aligned(src), repair, dst)
    }

    /// Returns the length of the result in bytes, and the number of repairs.
    pub fn measure_lossy(&self, api: Api, src: &[u8], repair: Repair) -> (usize, usize) {
        let (units, repairs) = self.operations.measure_lossy(api, &self.aligned(src), repair);
        (units * self.to.element_bytes, repairs)
    }

    pub fn max_len_lossy(&self, units: usize, repair: Repair) -> Option<usize> {
        self.operations.max_len_lossy(units, repair)
    }
}

/// Defines the list of all pairs of these encodings, which are those of [`codecs`].
macro_rules! pairs {
    ($($name:ident),*) => {
        /// Returns the operations of the pairs whose source is `A`.
        fn operations_from<A: HasOwnedText>() -> Vec<&'static dyn Operations> {
            vec![$(&Typed::<A, $name>(PhantomData)),*]
        }

        /// Returns all ordered pairs of encodings.
        pub fn pairs() -> &'static [Pair] {
            static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
                let mut all = Vec::new();
                let names = codecs().iter().map(|codec| codec.name);
                assert!(names.eq([$(stringify!($name)),*]), "the lists are the same");
                let sources = [$(operations_from::<$name>()),*];
                for (from, operations) in codecs().iter().zip(sources) {
                    for (to, operations) in codecs().iter().zip(operations) {
                        all.push(Pair { from, to, operations });
                    }
                }
                all
            });
            &PAIRS
        }
    };
}

pairs!(
    Utf8, Utf16, Utf32, Utf16Le, Utf16Be, Utf32Le, Utf32Be, Latin1, Ascii, Cesu8, Mutf8, Wtf8,
    Wtf16, Wtf16Le, Wtf16Be
);

/// Returns the pair of the encodings with these names.
pub fn pair_named(from: &str, to: &str) -> &'static Pair {
    let mut pairs = pairs().iter();
    pairs.find(|pair| pair.from.name == from && pair.to.name == to).expect("known names")
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.from.name, self.to.name)
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
