//! Operations on CESU-8, Modified UTF-8 and WTF-8: validations, and conversions from and to UTF-8
//! and UTF-16. The peers are the crates for these encodings. The goal is the speed of our own
//! operation with UTF-8 instead of these encodings.

use utflane::{Cesu8, Mutf8, Utf8, Utf16, Wtf8, Wtf16};

use super::{Operation, from_str, peer, transcode, validate};
use crate::peers::rust;

pub(super) fn validations() -> Vec<Operation> {
    vec![
        validate::<Cesu8>("validate cesu8").with_goal(&validate::<Utf8>("")).against([
            peer!(check, "simd_cesu8", rust::simd_cesu8_is_cesu8),
            peer!(check, "cesu8", rust::cesu8_is_cesu8),
        ]),
        validate::<Mutf8>("validate mutf8").with_goal(&validate::<Utf8>("")).against([
            peer!(check, "simd_cesu8", rust::simd_cesu8_is_mutf8),
            peer!(check, "cesu8", rust::cesu8_is_mutf8),
            peer!(check, "residua-mutf8", rust::residua_is_mutf8),
        ]),
    ]
}

pub(super) fn conversions() -> Vec<Operation> {
    let mut all = cesu8_conversions();
    all.extend(mutf8_conversions());
    all.extend(wtf8_conversions());
    all
}

fn cesu8_conversions() -> Vec<Operation> {
    vec![
        transcode::<Utf8, Cesu8>("utf8>cesu8").with_goal(&transcode::<Utf8, Utf8>("")).against([
            peer!(convert, "simd_cesu8", rust::simd_cesu8_utf8_to_cesu8),
            peer!(convert, "cesu8", rust::cesu8_utf8_to_cesu8),
        ]),
        from_str::<Cesu8>("str>cesu8").against([
            peer!(convert, "simd_cesu8", rust::simd_cesu8_str_to_cesu8),
            peer!(convert, "cesu8", rust::cesu8_str_to_cesu8),
        ]),
        transcode::<Cesu8, Utf8>("cesu8>utf8").with_goal(&transcode::<Utf8, Utf8>("")).against([
            peer!(convert, "simd_cesu8", rust::simd_cesu8_cesu8_to_utf8),
            peer!(convert, "cesu8", rust::cesu8_cesu8_to_utf8),
        ]),
        transcode::<Cesu8, Utf16>("cesu8>utf16").with_goal(&transcode::<Utf8, Utf16>("")).against(
            [
                peer!(convert, "simd_cesu8+std", rust::simd_cesu8_cesu8_to_utf16),
                peer!(convert, "cesu8+std", rust::cesu8_cesu8_to_utf16),
            ],
        ),
        transcode::<Utf16, Cesu8>("utf16>cesu8").with_goal(&transcode::<Utf16, Utf8>("")).against(
            [
                peer!(convert, "std+simd_cesu8", rust::simd_cesu8_utf16_to_cesu8),
                peer!(convert, "std+cesu8", rust::cesu8_utf16_to_cesu8),
            ],
        ),
    ]
}

fn mutf8_conversions() -> Vec<Operation> {
    vec![
        transcode::<Utf8, Mutf8>("utf8>mutf8").with_goal(&transcode::<Utf8, Utf8>("")).against([
            peer!(convert, "simd_cesu8", rust::simd_cesu8_utf8_to_mutf8),
            peer!(convert, "cesu8", rust::cesu8_utf8_to_mutf8),
            peer!(convert, "residua-mutf8", rust::residua_utf8_to_mutf8),
        ]),
        from_str::<Mutf8>("str>mutf8").against([
            peer!(convert, "simd_cesu8", rust::simd_cesu8_str_to_mutf8),
            peer!(convert, "cesu8", rust::cesu8_str_to_mutf8),
            peer!(convert, "residua-mutf8", rust::residua_str_to_mutf8),
        ]),
        transcode::<Mutf8, Utf8>("mutf8>utf8").with_goal(&transcode::<Utf8, Utf8>("")).against([
            peer!(convert, "simd_cesu8", rust::simd_cesu8_mutf8_to_utf8),
            peer!(convert, "cesu8", rust::cesu8_mutf8_to_utf8),
            peer!(convert, "residua-mutf8", rust::residua_mutf8_to_utf8),
        ]),
        transcode::<Mutf8, Utf16>("mutf8>utf16").with_goal(&transcode::<Utf8, Utf16>("")).against(
            [
                peer!(convert, "simd_cesu8+std", rust::simd_cesu8_mutf8_to_utf16),
                peer!(convert, "cesu8+std", rust::cesu8_mutf8_to_utf16),
                peer!(convert, "residua-mutf8+std", rust::residua_mutf8_to_utf16),
            ],
        ),
        transcode::<Utf16, Mutf8>("utf16>mutf8").with_goal(&transcode::<Utf16, Utf8>("")).against(
            [
                peer!(convert, "std+simd_cesu8", rust::simd_cesu8_utf16_to_mutf8),
                peer!(convert, "std+cesu8", rust::cesu8_utf16_to_mutf8),
                peer!(convert, "std+residua-mutf8", rust::residua_utf16_to_mutf8),
            ],
        ),
    ]
}

/// Returns conversions between WTF-8 and WTF-16. No text of the benchmark has unpaired surrogates,
/// so the peer can be measured: it accepts bytes only in UTF-8.
fn wtf8_conversions() -> Vec<Operation> {
    vec![
        transcode::<Wtf8, Wtf16>("wtf8>wtf16")
            .with_goal(&transcode::<Utf8, Utf16>(""))
            .against([peer!(convert, "wtf8", rust::wtf8_wtf8_to_wtf16)]),
        transcode::<Wtf16, Wtf8>("wtf16>wtf8")
            .with_goal(&transcode::<Utf16, Utf8>(""))
            .against([peer!(convert, "wtf8", rust::wtf8_wtf16_to_wtf8)]),
    ]
}
