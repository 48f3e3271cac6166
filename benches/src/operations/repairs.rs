//! Repair of UTF-16: of well-formed texts, and of texts with an unpaired surrogate in every hundred
//! units.

use std::hint::black_box;

use encoding_rs::mem;
use utflane::{Utf16, utf16};

use super::{Operation, capacity, new_operation, peer, with_simdutf};
#[cfg(feature = "simdutf")]
use crate::peers::cpp as simdutf;
use crate::peers::rust;

/// The distance between unpaired surrogates, in units.
const SURROGATE_DISTANCE: usize = 100;

pub(super) fn utf16_repairs() -> Vec<Operation> {
    vec![
        // After the first call, a text with errors would have been repaired. So in place, only
        // well-formed texts are measured.
        new_operation::<Utf16>(
            "repair utf16",
            |case, times| {
                let kernel = case.kernel;
                case.change(times, |text: &mut [u16]| {
                    black_box(kernel).utf16_make_well_formed(text)
                })
            },
            |case, times| case.change(times, |text: &mut [u16]| utf16::make_well_formed(text)),
        )
        .against(with_simdutf![peer!(change, "simdutf", simdutf::make_well_formed_utf16)])
        .against([
            peer!(change, "encoding_rs", |text: &mut [u16]| {
                mem::ensure_utf16_validity(text);
                0
            }),
            peer!(change, "std", rust::make_well_formed_utf16),
        ]),
        repair_copy("repair-copy utf16"),
        Operation { edit: Some(put_surrogates), ..repair_copy("repair-copy many-errors utf16") },
    ]
}

/// Returns the operation that repair_copy a text into another buffer and repairs it.
fn repair_copy(name: &'static str) -> Operation {
    let operation = new_operation::<Utf16>(
        name,
        |case, times| {
            let kernel = case.kernel;
            case.convert(times, |src: &[u16], dst: &mut [u16]| {
                black_box(kernel).utf16_well_formed_into(src, dst).written
            })
        },
        |case, times| {
            case.convert(times, |src: &[u16], dst: &mut [u16]| {
                utf16::well_formed_into(src, dst).written
            })
        },
    );
    Operation { capacity: Some(capacity::<Utf16, Utf16>), ..operation }
        .against(with_simdutf![peer!(convert, "simdutf", simdutf::to_well_formed_utf16)])
        .against([
            peer!(convert, "encoding_rs", rust::encoding_rs_to_well_formed),
            peer!(convert, "std", rust::to_well_formed_utf16),
        ])
}

/// Overwrites a unit in every hundred units of UTF-16 by an unpaired surrogate.
fn put_surrogates(bytes: &mut [u8]) {
    for unit in bytes
        .as_chunks_mut::<2>()
        .0
        .iter_mut()
        .skip(SURROGATE_DISTANCE / 2)
        .step_by(SURROGATE_DISTANCE)
    {
        *unit = 0xD800_u16.to_ne_bytes();
    }
}
