//! Conversions with repairs: of well-formed texts, of texts with an error in every thousand or in
//! every hundred bytes or units, and of random bytes.

use std::hint::black_box;

use encoding_rs::mem;
use utflane::{Encoding, Repair, Utf8, Utf16, transcode_lossy_into};

use super::{Operation, Pod, capacity, new_operation, peer, written};
use crate::peers::rust;

/// The distance between errors in a text with many errors, in bytes or UTF-16 units.
const DENSE_DISTANCE: usize = 100;

/// The distance between errors in a text with few errors, in bytes or UTF-16 units. A shorter text
/// has one error in its middle.
const SPARSE_DISTANCE: usize = 1000;

/// A change of the bytes of a text.
type Change = fn(&mut [u8]);

/// The changes of a text before the measurement: the name of the changed text, the change of UTF-8
/// and the change of UTF-16.
const TEXT_CHANGES: [(&str, Option<Change>, Option<Change>); 4] = [
    ("", None, None),
    (" few-errors", Some(put_few_ill_formed_bytes), Some(put_few_surrogates)),
    (" many-errors", Some(put_many_ill_formed_bytes), Some(put_many_surrogates)),
    (" random", Some(put_random_bytes), Some(put_random_bytes)),
];

pub(super) fn conversions() -> Vec<Operation> {
    let mut operations = Vec::new();
    for (text_name, change_utf8, change_utf16) in TEXT_CHANGES {
        let name = |name: &str| -> &'static str { format!("lossy{text_name} {name}").leak() };
        operations.extend([
            lossy::<Utf8, Utf16>(name("utf8>utf16"), change_utf8).against([
                peer!(convert, "encoding_rs", mem::convert_utf8_to_utf16),
                peer!(convert, "encoding_rs-decoder", rust::encoding_rs_decode_to_utf16),
                peer!(convert, "std", rust::lossy_utf8_to_utf16),
            ]),
            lossy::<Utf8, Utf8>(name("utf8>utf8"), change_utf8).against([
                peer!(convert, "encoding_rs", rust::encoding_rs_decode_to_utf8),
                peer!(convert, "std", rust::lossy_utf8_to_utf8),
                peer!(convert, "std-owned", rust::lossy_utf8_to_string),
            ]),
            lossy::<Utf16, Utf8>(name("utf16>utf8"), change_utf16).against([
                peer!(convert, "encoding_rs", mem::convert_utf16_to_utf8),
                peer!(convert, "std", rust::lossy_utf16_to_utf8),
            ]),
        ]);
    }
    operations
}

/// Returns our conversion of texts with the change `edit`. If the texts are not changed, they are
/// well-formed, and our strict conversion is a peer.
fn lossy<A: Encoding<Unit: Pod>, B: Encoding<Unit: Pod>>(
    name: &'static str,
    edit: Option<Change>,
) -> Operation {
    let operation = new_operation::<A>(
        name,
        |case, times| {
            let kernel = case.kernel;
            case.convert(times, |src: &[A::Unit], dst: &mut [B::Unit]| {
                black_box(kernel).transcode_lossy_into::<A, B>(src, Repair::REPLACE, dst).written
            })
        },
        |case, times| {
            case.convert(times, |src: &[A::Unit], dst: &mut [B::Unit]| {
                transcode_lossy_into::<A, B>(src, Repair::REPLACE, dst).written
            })
        },
    );
    // encoding_rs requires an output that is longer than the longest result.
    let operation =
        Operation { edit, capacity: Some(|bytes| 3 * capacity::<A, B>(bytes) + 64), ..operation };
    if edit.is_none() {
        return operation.against([super::Contender {
            name: "our-strict",
            run: |case, times| {
                let kernel = case.kernel;
                case.convert(times, |src: &[A::Unit], dst: &mut [B::Unit]| {
                    written(black_box(kernel).transcode_into::<A, B>(src, dst))
                })
            },
        }]);
    }
    operation
}

/// Overwrites a byte in every `distance` bytes by a byte that is always ill-formed.
fn put_ill_formed_bytes(bytes: &mut [u8], distance: usize) {
    let first = distance.min(bytes.len()) / 2;
    bytes.iter_mut().skip(first).step_by(distance).for_each(|byte| *byte = 0xFF);
}

/// Overwrites a unit in every `distance` units of UTF-16 by an unpaired surrogate.
fn put_surrogates(bytes: &mut [u8], distance: usize) {
    let units = bytes.as_chunks_mut::<2>().0;
    let first = distance.min(units.len()) / 2;
    for unit in units.iter_mut().skip(first).step_by(distance) {
        *unit = 0xD800_u16.to_ne_bytes();
    }
}

/// Makes a text with few ill-formed bytes.
fn put_few_ill_formed_bytes(bytes: &mut [u8]) {
    put_ill_formed_bytes(bytes, SPARSE_DISTANCE);
}

/// Makes a text in UTF-16 with few unpaired surrogates.
fn put_few_surrogates(bytes: &mut [u8]) {
    put_surrogates(bytes, SPARSE_DISTANCE);
}

/// Makes a text with many ill-formed bytes.
fn put_many_ill_formed_bytes(bytes: &mut [u8]) {
    put_ill_formed_bytes(bytes, DENSE_DISTANCE);
}

/// Makes a text in UTF-16 with many unpaired surrogates.
fn put_many_surrogates(bytes: &mut [u8]) {
    put_surrogates(bytes, DENSE_DISTANCE);
}

/// Overwrites the whole text by pseudorandom bytes.
fn put_random_bytes(bytes: &mut [u8]) {
    let mut state = 0x9E37_79B9_u32;
    for byte in bytes {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *byte = (state >> 24) as u8;
    }
}
