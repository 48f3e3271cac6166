//! The library itself: its version, its kernels, statuses in words.

use core::ffi::{CStr, c_char};

use utflane::{ErrorKind, Kernel};

use crate::memory::c_string;

/// The version of the library that is linked, such as "0.1.0".
static VERSION: [u8; 16] = c_string(env!("CARGO_PKG_VERSION"));

/// The names of all kernels.
const KERNELS: [&CStr; 7] =
    [c"avx512", c"avx512x2", c"avx2", c"sse42", c"neon", c"simd128", c"scalar"];

/// Returns the version of the library that is linked, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn utflane_version() -> *const c_char {
    VERSION.as_ptr().cast()
}

/// Returns the name of the kernel that all functions use, such as "avx2".
#[unsafe(no_mangle)]
pub extern "C" fn utflane_active_kernel() -> *const c_char {
    name(Kernel::active())
}

/// Returns the name of one of the kernels that this processor has, best first, or null.
#[unsafe(no_mangle)]
pub extern "C" fn utflane_available_kernel(index: usize) -> *const c_char {
    Kernel::available().nth(index).map_or(core::ptr::null(), name)
}

/// Returns the name of a kernel as C has it.
fn name(kernel: Kernel) -> *const c_char {
    let found = KERNELS.iter().find(|name| name.to_bytes() == kernel.name().as_bytes());
    found.map_or(c"unknown", |name| *name).as_ptr()
}

/// Returns a status in words, such as "overlong sequence".
#[unsafe(no_mangle)]
pub extern "C" fn utflane_status_description(status: u32) -> *const c_char {
    const fn of(kind: ErrorKind) -> [u8; 48] {
        c_string(kind.description())
    }
    static WORDS: [[u8; 48]; 11] = [
        c_string("ok"),
        of(ErrorKind::InvalidLeadByte),
        of(ErrorKind::TooShort),
        of(ErrorKind::TooLong),
        of(ErrorKind::Overlong),
        of(ErrorKind::TooLarge),
        of(ErrorKind::Surrogate),
        of(ErrorKind::Unmappable),
        c_string("output full"),
        c_string("invalid argument"),
        c_string("ill-formed text"),
    ];
    WORDS.get(status as usize).map_or(c"unknown status".as_ptr(), |words| words.as_ptr().cast())
}
