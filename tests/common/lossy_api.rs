//! The operations that repair, with erased types as in [`api`](super::api). They are in a separate
//! list, so that fuzz targets without repairs do not compile them for each pair.

use std::mem::MaybeUninit;
use std::ops::Deref;
use std::sync::LazyLock;

use utflane::{
    Ascii, Cesu8, Latin1, LossyProgress, Mutf8, Policy, Repair, Transcoder, Utf8, Utf16, Utf16Be,
    Utf16Le, Utf32, Utf32Be, Utf32Le, Wtf8, Wtf16, Wtf16Be, Wtf16Le,
};

use super::api::{
    self, Api, HasOwnedText, Pair, Text, Transcode, call, text_bytes, units, units_mut,
    units_uninit,
};

/// Converts a text with repairs. Returns the bytes of the result and the number of repairs.
type Lossy = fn(Api, &[u8], Repair) -> (Vec<u8>, usize);

/// Like [`LossyPair::lossy_into`], for an output that may be uninitialised.
type LossyIntoUninit = fn(Api, &[u8], Repair, &mut [MaybeUninit<u8>]) -> LossyProgress;

/// An ordered pair of encodings, and its operations that repair.
pub struct LossyPair {
    pair: &'static Pair,
    pub lossy: Lossy,
    pub lossy_append: fn(Api, &[u8], Repair, &mut Vec<u8>) -> usize,
    pub lossy_into: fn(Api, &[u8], Repair, &mut [u8]) -> LossyProgress,
    pub lossy_into_uninit: LossyIntoUninit,
    /// Returns the length of the result in bytes, and the number of repairs.
    pub measure_lossy: fn(Api, &[u8], Repair) -> (usize, usize),
    pub max_len_lossy: fn(usize, Repair) -> Option<usize>,
    pub lossy_transcoder: fn(Api, Policy) -> Box<dyn Transcode>,
}

impl Deref for LossyPair {
    type Target = Pair;

    fn deref(&self) -> &Pair {
        self.pair
    }
}

/// Creates the [`LossyPair`] of two encodings.
fn pair<A: HasOwnedText, B: HasOwnedText>(pair: &'static Pair) -> LossyPair {
    LossyPair {
        pair,
        lossy: |api, src, repair| {
            let repaired = call!(api, transcode_lossy::<A, B>(&units(src), repair));
            (text_bytes::<B>(&repaired.text), repaired.repairs)
        },
        lossy_append: |api, src, repair, out| {
            let mut text = B::Owned::from_units(&units(out));
            let repairs =
                call!(api, transcode_lossy_append::<A, B>(&units(src), repair, &mut text));
            *out = text_bytes::<B>(&text);
            repairs
        },
        lossy_into: |api, src, repair, dst| {
            let (src, dst) = (&units(src), units_mut::<B::Unit>(dst));
            call!(api, transcode_lossy_into::<A, B>(src, repair, dst))
        },
        lossy_into_uninit: |api, src, repair, dst| {
            let (src, dst) = (&units(src), units_uninit::<B::Unit>(dst));
            call!(api, transcode_lossy_into::<A, B>(src, repair, dst))
        },
        measure_lossy: |api, src, repair| {
            let measured = call!(api, measure_lossy::<A, B>(&units(src), repair));
            (measured.len * size_of::<B::Unit>(), measured.repairs)
        },
        max_len_lossy: utflane::max_len_lossy::<A, B>,
        lossy_transcoder: |api, policy| match api {
            Api::Free => Box::new(Transcoder::<A, B>::new().with_policy(policy)),
            Api::On(kernel) => {
                Box::new(Transcoder::<A, B>::with_kernel(kernel).with_policy(policy))
            }
        },
    }
}

/// Defines the list of all pairs of these encodings.
macro_rules! pairs {
    ($($name:ident),*) => {
        /// Returns the pairs whose source is `A`. `all` yields the same pairs of [`api::pairs`].
        fn pairs_from<A: HasOwnedText>(
            all: &mut std::slice::Iter<'static, Pair>,
        ) -> Vec<LossyPair> {
            vec![$(pair::<A, $name>(all.next().expect("one pair for each pair of encodings"))),*]
        }

        /// Returns all ordered pairs of encodings.
        pub fn pairs() -> &'static [LossyPair] {
            static PAIRS: LazyLock<Vec<LossyPair>> = LazyLock::new(|| {
                let all = &mut api::pairs().iter();
                [$(pairs_from::<$name>(all)),*].into_iter().flatten().collect()
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
pub fn lossy_pair_named(from: &str, to: &str) -> &'static LossyPair {
    let mut pairs = pairs().iter();
    pairs.find(|pair| pair.from.name == from && pair.to.name == to).expect("known names")
}

impl std::fmt::Display for LossyPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.pair.fmt(f)
    }
}
