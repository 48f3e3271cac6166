//! The library itself: its version, its kernels, statuses in words.

use core::ffi::{CStr, c_char};

use utflane::Kernel;

use crate::results::utflane_status::{self, *};

/// The version of the library that is linked, such as "0.1.0".
const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => panic!("a version has no NUL"),
    };

/// The names of all kernels.
const KERNELS: [&CStr; 7] =
    [c"avx512", c"avx512x2", c"avx2", c"sse42", c"neon", c"simd128", c"scalar"];

/// Returns the version of the library that is linked, such as "0.1.0". The string is static.
///
/// Compare it with UTFLANE_VERSION, that of the header. Versions of the same major number (of the
/// same minor number, as long as the major one is 0) have the same binary interface.
///
/// @ingroup utflane_library
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_version() -> *const c_char {
    VERSION.as_ptr()
}

/// Returns the name of the kernel that all functions use, such as "avx2". The string is static.
///
/// The first call of any function chooses the best kernel of the processor, or the one that the
/// environment variable UTFLANE_KERNEL names.
///
/// @ingroup utflane_library
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_active_kernel() -> *const c_char {
    name(Kernel::active())
}

/// Returns the name of the kernel number `index` of those that this processor has, best first; null
/// if there are no more. The string is static.
///
/// @ingroup utflane_library
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_available_kernel(index: usize) -> *const c_char {
    Kernel::available().nth(index).map_or(core::ptr::null(), name)
}

/// Returns the name of a kernel as C has it.
fn name(kernel: Kernel) -> *const c_char {
    let found = KERNELS.iter().find(|name| name.to_bytes() == kernel.name().as_bytes());
    found.map_or(c"unknown", |name| *name).as_ptr()
}

/// Returns a status in words, such as "overlong sequence"; "unknown status" for other numbers. The
/// string is static.
///
/// @ingroup utflane_library
#[unsafe(no_mangle)]
#[must_use]
pub extern "C" fn utflane_status_description(status: u32) -> *const c_char {
    const WORDS: [(utflane_status, &CStr); 11] = [
        (UTFLANE_OK, c"ok"),
        (UTFLANE_INVALID_LEAD_BYTE, c"invalid lead byte"),
        (UTFLANE_TOO_SHORT, c"sequence too short"),
        (UTFLANE_TOO_LONG, c"stray continuation byte"),
        (UTFLANE_OVERLONG, c"overlong sequence"),
        (UTFLANE_TOO_LARGE, c"value too large"),
        (UTFLANE_SURROGATE, c"unpaired surrogate"),
        (UTFLANE_UNMAPPABLE, c"character not in the target encoding"),
        (UTFLANE_OUTPUT_FULL, c"output full"),
        (UTFLANE_INVALID_ARGUMENT, c"invalid argument"),
        (UTFLANE_ILL_FORMED, c"ill-formed text"),
    ];
    let found = WORDS.iter().find(|(known, _)| *known as u32 == status);
    found.map_or(c"unknown status", |(_, words)| *words).as_ptr()
}
