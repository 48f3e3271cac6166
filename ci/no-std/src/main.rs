//! A program without std and without an allocator. It says which kernel is active, validates and
//! converts, and aborts if that was wrong.
#![no_std]
#![no_main]

use core::ffi::{c_char, c_int, c_void};
use core::panic::PanicInfo;

use utflane::{Kernel, Stop, Utf8, Utf16, Utf16Be, Validator, transcode_into, validate};

// Where the program begins, and the memcpy that compilers call.
#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
    fn write(file: c_int, bytes: *const c_void, len: usize) -> isize;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: it has no conditions.
    unsafe { abort() }
}

/// The compiled core names it in its unwind tables; nothing unwinds here.
// SAFETY: std, which would have it too, is not here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

const TEXT: &str = "Füße, мир, 世界, 🌍; and enough of plain ASCII after them to fill a block of \
    vectors twice, or nearly.";

// SAFETY: the only `main` of this program.
#[unsafe(no_mangle)]
extern "C" fn main(_: c_int, _: *const *const c_char) -> c_int {
    for text in [Kernel::active().name(), "\n"] {
        // SAFETY: as many bytes as are said to be there.
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
