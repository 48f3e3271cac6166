//! The verbs that repair, erased as those of [`face`](super::face) are. In a list of their own, so that fuzz targets which
//! don't look at repairs don't compile them 81 times.

use std::ops::Deref;
use std::sync::LazyLock;

use utflane::{
    Ascii, Latin1, LossyProgress, Policy, Repair, Transcoder, Utf8, Utf16, Utf16Be, Utf16Le, Utf32,
    Utf32Be, Utf32Le,
};

use super::face::{
    self, Face, Pair, Readable, Text, Transcode, call, text_bytes, units, units_mut,
};

/// Bytes, and the number of repairs.
type Lossy = fn(Face, &[u8], Repair) -> (Vec<u8>, usize);

/// An ordered pair of encodings, and its verbs that repair.
pub struct LossyPair {
    pair: &'static Pair,
    pub lossy: Lossy,
    pub lossy_append: fn(Face, &[u8], Repair, &mut Vec<u8>) -> usize,
    pub lossy_into: fn(Face, &[u8], Repair, &mut [u8]) -> LossyProgress,
    pub len_lossy: fn(Face, &[u8], Repair) -> usize,
    pub max_len_lossy: fn(usize, Repair) -> Option<usize>,
    pub lossy_transcoder: fn(Face, Policy) -> Box<dyn Transcode>,
}

impl Deref for LossyPair {
    type Target = Pair;

    fn deref(&self) -> &Pair {
        self.pair
    }
}

/// A pair as a value.
fn pair<A: Readable, B: Readable>(pair: &'static Pair) -> LossyPair {
    LossyPair {
        pair,
        lossy: |face, src, repair| {
            let repaired = call!(face, transcode_lossy::<A, B>(&units(src), repair));
            (text_bytes::<B>(&repaired.text), repaired.repairs)
        },
        lossy_append: |face, src, repair, out| {
            let mut text = B::Owned::from_units(&units(out));
            let repairs =
                call!(face, transcode_lossy_append::<A, B>(&units(src), repair, &mut text));
            *out = text_bytes::<B>(&text);
            repairs
        },
        lossy_into: |face, src, repair, dst| {
            call!(face, transcode_lossy_into::<A, B>(&units(src), repair, units_mut(dst)))
        },
        len_lossy: |face, src, repair| {
            call!(face, len_lossy::<A, B>(&units(src), repair)) * size_of::<B::Unit>()
        },
        max_len_lossy: utflane::max_len_lossy::<A, B>,
        lossy_transcoder: |face, policy| match face {
            Face::Free => Box::new(Transcoder::<A, B>::new().with_policy(policy)),
            Face::On(kernel) => {
                Box::new(Transcoder::<A, B>::with_kernel(kernel).with_policy(policy))
            }
        },
    }
}

/// The nine pairs from `A`, given as those of [`face::pairs`].
fn pairs_from<A: Readable>(pairs: &'static [Pair]) -> [LossyPair; 9] {
    [
        pair::<A, Utf8>(&pairs[0]),
        pair::<A, Utf16>(&pairs[1]),
        pair::<A, Utf32>(&pairs[2]),
        pair::<A, Utf16Le>(&pairs[3]),
        pair::<A, Utf16Be>(&pairs[4]),
        pair::<A, Utf32Le>(&pairs[5]),
        pair::<A, Utf32Be>(&pairs[6]),
        pair::<A, Latin1>(&pairs[7]),
        pair::<A, Ascii>(&pairs[8]),
    ]
}

/// All 81 ordered pairs.
pub fn pairs() -> &'static [LossyPair] {
    static PAIRS: LazyLock<Vec<LossyPair>> = LazyLock::new(|| {
        let all = face::pairs();
        [
            pairs_from::<Utf8>(&all[..9]),
            pairs_from::<Utf16>(&all[9..18]),
            pairs_from::<Utf32>(&all[18..27]),
            pairs_from::<Utf16Le>(&all[27..36]),
            pairs_from::<Utf16Be>(&all[36..45]),
            pairs_from::<Utf32Le>(&all[45..54]),
            pairs_from::<Utf32Be>(&all[54..63]),
            pairs_from::<Latin1>(&all[63..72]),
            pairs_from::<Ascii>(&all[72..]),
        ]
        .into_iter()
        .flatten()
        .collect()
    });
    &PAIRS
}

/// The pair with these names.
pub fn named(from: &str, to: &str) -> &'static LossyPair {
    pairs().iter().find(|pair| pair.from.name == from && pair.to.name == to).expect("a pair")
}

impl std::fmt::Display for LossyPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.pair.fmt(f)
    }
}
