//! A program without std and without an allocator. It prints the name of the active kernel,
//! validates and converts a text, and aborts if a result is wrong.
#![no_std]
#![no_main]

use core::ffi::{c_char, c_int, c_void};
use core::panic::PanicInfo;

use utflane::{Kernel, Stop, Utf8, Utf16, Utf16Be, Validator, transcode_into, validate};

// The C library has the start code of the program, and `memcpy`, which compilers call.
#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
    fn write(file: c_int, bytes: *const c_void, len: usize) -> isize;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: `abort` has no conditions.
    unsafe { abort() }
}

/// The unwind tables of the compiled core refer to this function. It is never called, because
/// nothing unwinds in this program.
// SAFETY: the name is unique, because std, which also defines it, is not linked.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

const TEXT: &str = "Füße, мир, 世界, 🌍; and enough of plain ASCII after them to fill a block of \
    vectors twice, or nearly.";

// SAFETY: the name is unique: this program has no other `main`.
#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    for text in [Kernel::active().name(), "\n"] {
        // SAFETY: the pointer and the length are those of `text`.
        let written = unsafe { write(1, text.as_ptr().cast(), text.len()) };
        assert_eq!(written, text.len().cast_signed());
    }
    for kernel in Kernel::available() {
        assert!(kernel.is_valid::<Utf8>(TEXT.as_bytes()));
        let mut units = [0; 2 * TEXT.len()];
        let progress = kernel.transcode_into::<Utf8, Utf16Be>(TEXT.as_bytes(), &mut units);
        assert!(progress.stop == Stop::Done);
        let expected = TEXT.encode_utf16().flat_map(u16::to_be_bytes);
        assert!(expected.eq(units[..progress.written].iter().copied()));
    }
    let mut units = [0; TEXT.len()];
    let progress = transcode_into::<Utf8, Utf16>(TEXT.as_bytes(), &mut units);
    assert!(TEXT.encode_utf16().eq(units[..progress.written].iter().copied()));
    assert_eq!(validate::<Utf8>(b"ab\xFFc").map_err(|error| error.valid_up_to()), Err(2));
    let mut validator = Validator::<Utf8>::new();
    let (start, end) = TEXT.as_bytes().split_at(2);
    assert!(validator.push(start).and_then(|()| validator.push(end)).is_ok());
    assert!(validator.finish().is_ok());
    0
}
