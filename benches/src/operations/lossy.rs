//! Conversions with repairs: of well-formed texts, of texts with an error at every thousandth and
//! at every hundredth position, and of random bytes.

use std::hint::black_box;

use encoding_rs::mem;
use utflane::{Encoding, Repair, Utf8, Utf16, transcode_lossy_into};

use super::{Operation, Pod, capacity, peer, row, written};
use crate::peers::rust;

/// Bytes, or units, from one error to the next in an ill-formed text.
const DISTANCE: usize = 100;

/// The same in an ill-formed text. A short text has an error in its middle.
const FAR: usize = 1000;

/// A change of the bytes of a text.
type Change = fn(&mut [u8]);

/// The changes of a text before the measurement, in UTF-8 and in UTF-16, with their name.
const STATES: [(&str, Option<Change>, Option<Change>); 4] = [
    ("", None, None),
    (" flawed", Some(put_few_ill_formed_bytes), Some(put_few_surrogates)),
    (" spoilt", Some(put_many_ill_formed_bytes), Some(put_many_surrogates)),
    (" garbage", Some(garbage), Some(garbage)),
];

pub(super) fn conversions() -> Vec<Operation> {
    let mut operations = Vec::new();
    for (state, change, change16) in STATES {
        let name = |name: &str| -> &'static str { format!("lossy{state} {name}").leak() };
        operations.extend([
            Operation { edit: change, ..lossy::<Utf8, Utf16>(name("utf8>utf16")) }.against([
                peer!(convert, "encoding_rs", mem::convert_utf8_to_utf16),
                peer!(convert, "encoding_rs-decoder", rust::encoding_rs_decode_to_utf16),
                peer!(convert, "std", rust::lossy_utf8_to_utf16),
            ]),
            Operation { edit: change, ..lossy::<Utf8, Utf8>(name("utf8>utf8")) }.against([
                peer!(convert, "encoding_rs", rust::encoding_rs_decode_to_utf8),
                peer!(convert, "std", rust::lossy_utf8_to_utf8),
                peer!(convert, "std-owned", rust::lossy_utf8_to_string),
            ]),
            Operation { edit: change16, ..lossy::<Utf16, Utf8>(name("utf16>utf8")) }.against([
                peer!(convert, "encoding_rs", mem::convert_utf16_to_utf8),
                peer!(convert, "std", rust::lossy_utf16_to_utf8),
            ]),
        ]);
    }
    operations
}

/// Our conversion, compared with the strict one if possible.
fn lossy<A: Encoding<Unit: Pod>, B: Encoding<Unit: Pod>>(name: &'static str) -> Operation {
    let operation = row::<A>(
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
    // encoding_rs requires more capacity than the longest result.
    let operation =
        Operation { capacity: Some(|bytes| 3 * capacity::<A, B>(bytes) + 64), ..operation };
    if name.starts_with("lossy u") {
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

/// Inserts an ill-formed byte every `distance` bytes.
fn put_bytes(bytes: &mut [u8], distance: usize) {
    let first = distance.min(bytes.len()) / 2;
    bytes.iter_mut().skip(first).step_by(distance).for_each(|byte| *byte = 0xFF);
}

/// Inserts an unpaired surrogate every `distance` units of UTF-16.
fn put_surrogates(bytes: &mut [u8], distance: usize) {
    let units = bytes.as_chunks_mut::<2>().0;
    let first = distance.min(units.len()) / 2;
    for unit in units.iter_mut().skip(first).step_by(distance) {
        *unit = 0xD800_u16.to_ne_bytes();
    }
}

/// Puts few bytes into a text that are always ill-formed.
fn put_few_ill_formed_bytes(bytes: &mut [u8]) {
    put_bytes(bytes, FAR);
}

/// Puts few unpaired surrogates into a text in UTF-16.
fn put_few_surrogates(bytes: &mut [u8]) {
    put_surrogates(bytes, FAR);
}

/// Puts bytes into a text that are always ill-formed.
fn put_many_ill_formed_bytes(bytes: &mut [u8]) {
    put_bytes(bytes, DISTANCE);
}

/// Puts unpaired surrogates into a text in UTF-16.
fn put_many_surrogates(bytes: &mut [u8]) {
    put_surrogates(bytes, DISTANCE);
}

/// Pseudorandom bytes.
fn garbage(bytes: &mut [u8]) {
    let mut state = 0x9E37_79B9_u32;
    for byte in bytes {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *byte = (state >> 24) as u8;
    }
}
