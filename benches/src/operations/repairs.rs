//! Repair of UTF-16: of well-formed texts, and of texts with an unpaired surrogate at every
//! hundredth position.

use std::hint::black_box;

use encoding_rs::mem;
use utflane::{Utf16, utf16};

use super::{Operation, capacity, cpp, peer, row};
#[cfg(feature = "simdutf")]
use crate::peers::cpp as simdutf;
use crate::peers::rust;

/// Units from one ill-formed unit to the next.
const DISTANCE: usize = 100;

pub(super) fn of_utf16() -> Vec<Operation> {
    vec![
        // A repaired text stays repaired, so only a text without errors is the same each time.
        row::<Utf16>(
            "repair utf16",
            |case, times| {
                let kernel = case.kernel;
                case.change(times, |text: &mut [u16]| {
                    black_box(kernel).utf16_make_well_formed(text)
                })
            },
            |case, times| case.change(times, |text: &mut [u16]| utf16::make_well_formed(text)),
        )
        .against(cpp![peer!(change, "simdutf", simdutf::make_well_formed_utf16)])
        .against([
            peer!(change, "encoding_rs", |text: &mut [u16]| {
                mem::ensure_utf16_validity(text);
                0
            }),
            peer!(change, "std", rust::make_well_formed_utf16),
        ]),
        copies("repair-copy utf16"),
        Operation { edit: Some(put_many_surrogates), ..copies("repair-copy spoilt utf16") },
    ]
}

/// Repair while copying into another buffer.
fn copies(name: &'static str) -> Operation {
    let operation = row::<Utf16>(
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
        .against(cpp![peer!(convert, "simdutf", simdutf::to_well_formed_utf16)])
        .against([
            peer!(convert, "encoding_rs", rust::encoding_rs_to_well_formed),
            peer!(convert, "std", rust::to_well_formed_utf16),
        ])
}

/// Puts unpaired surrogates into a text in UTF-16.
fn put_many_surrogates(bytes: &mut [u8]) {
    for unit in bytes.as_chunks_mut::<2>().0.iter_mut().skip(DISTANCE / 2).step_by(DISTANCE) {
        *unit = 0xD800_u16.to_ne_bytes();
    }
}
