//! The version of the library, the names of its kernels, and the descriptions of statuses.

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

/// Returns the name of the kernel at `index` among the kernels that this processor supports, in
/// order of preference. Returns null if `index` is not below their number.
#[unsafe(no_mangle)]
pub extern "C" fn utflane_available_kernel(index: usize) -> *const c_char {
    Kernel::available().nth(index).map_or(core::ptr::null(), name)
}

/// Returns the name of a kernel as a C string.
fn name(kernel: Kernel) -> *const c_char {
    let found = KERNELS.iter().find(|name| name.to_bytes() == kernel.name().as_bytes());
    found.map_or(c"unknown", |name| *name).as_ptr()
}

/// Returns the description of a status, such as "overlong sequence".
#[unsafe(no_mangle)]
pub extern "C" fn utflane_status_description(status: u32) -> *const c_char {
    const fn describe(kind: ErrorKind) -> [u8; 48] {
        c_string(kind.description())
    }
    static DESCRIPTIONS: [[u8; 48]; 12] = [
        c_string("ok"),
        describe(ErrorKind::InvalidLeadByte),
        describe(ErrorKind::TooShort),
        describe(ErrorKind::TooLong),
        describe(ErrorKind::Overlong),
        describe(ErrorKind::TooLarge),
        describe(ErrorKind::Surrogate),
        describe(ErrorKind::Unmappable),
        c_string("output full"),
        c_string("invalid argument"),
        c_string("ill-formed text"),
        describe(ErrorKind::Unassigned),
    ];
    let description = DESCRIPTIONS.get(status as usize);
    description.map_or(c"unknown status".as_ptr(), |bytes| bytes.as_ptr().cast())
}
