//! What C calls encodings, errors, kernels and detections, against what the library calls them.

use std::collections::HashSet;
use std::ffi::{CStr, c_char};

use utflane::detect::detect;
use utflane::{ErrorKind, Kernel, Scheme};
use utflane_capi::detection::{utflane_detect, utflane_detection_name};
use utflane_capi::encodings::{utflane_encoding_from_label, utflane_encoding_name};
use utflane_capi::library::{utflane_active_kernel, utflane_available_kernel};
use utflane_capi::library::{utflane_status_description, utflane_version};
use utflane_capi::results::utflane_status;

/// A static string of the library.
fn text(at: *const c_char) -> &'static str {
    // SAFETY: all names are static and end with NUL.
    unsafe { CStr::from_ptr(at) }.to_str().expect("names are ASCII")
}

#[test]
fn every_encoding_has_its_name_and_number() {
    let mut numbers = HashSet::new();
    for scheme in Scheme::ALL {
        let name = scheme.name();
        // SAFETY: the label and its length are those of a string.
        let number = unsafe { utflane_encoding_from_label(name.as_ptr().cast(), name.len()) };
        assert_eq!(text(utflane_encoding_name(number)), name);
        assert!((1..=12).contains(&number) && numbers.insert(number), "{name}");
    }
    assert_eq!(numbers.len(), 12);
}

#[test]
fn every_kind_of_error_is_described_in_the_words_of_the_library() {
    let kinds = [
        ErrorKind::InvalidLeadByte,
        ErrorKind::TooShort,
        ErrorKind::TooLong,
        ErrorKind::Overlong,
        ErrorKind::TooLarge,
        ErrorKind::Surrogate,
        ErrorKind::Unmappable,
    ];
    for kind in kinds {
        let status = utflane_status::from(kind);
        assert_eq!(text(utflane_status_description(status as u32)), kind.description());
    }
}

#[test]
fn the_available_kernels_are_those_of_the_library() {
    let listed = (0..).map(|at| utflane_available_kernel(at)).take_while(|name| !name.is_null());
    let listed: Vec<_> = listed.map(text).collect();
    assert_eq!(listed, Kernel::available().map(Kernel::name).collect::<Vec<_>>());
    assert_eq!(text(utflane_active_kernel()), Kernel::active().name());
}

#[test]
fn detections_have_the_names_and_numbers_of_the_library() {
    let mixed = b"na\xC3\xAFve\na\0p\0p\0\n\0";
    let texts: [&[u8]; 8] = [
        b"",
        b"plain",
        b"caf\xC3\xA9",
        b"10 \x80",
        b"T\0e\0x\0t\0",
        &[0; 100],
        b"\xFE\xFF\0a",
        mixed,
    ];
    for src in texts {
        // SAFETY: the pointer and the length are those of a slice.
        let got = unsafe { utflane_detect(src.as_ptr().cast(), src.len()) };
        let wanted = detect(src);
        assert_eq!(text(utflane_detection_name(got)), wanted.name());
        assert_eq!(text(utflane_encoding_name(got.closest)), wanted.closest().name());
        assert_eq!(got.mark_length, wanted.mark_len());
        assert_eq!(got.confidence as usize, wanted.confidence() as usize);
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(text(utflane_version()), env!("CARGO_PKG_VERSION"));
}
