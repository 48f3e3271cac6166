//! Checks what a function writes to its output: all bytes that it reports as written must be
//! initialised, and it must not write uninitialised bytes to the rest of the output.
//!
//! Each function is called twice, with different bytes in the output and different bytes on the
//! stack below the call. If an output byte differs after the two calls although the function wrote
//! it, its value came from uninitialised memory. Under valgrind, memcheck's record of each bit is
//! checked too. Memcheck also tracks the bits in registers.

use std::fmt::Display;
use std::mem::MaybeUninit;

use super::checks::{filled_words, is_filled_with};

/// For each of the two calls, the byte that fills the output before it, and the byte that fills the
/// stack.
const FILLS: [(u8, u8); 2] = [(0xA5, 0x3C), (0x5A, 0xC3)];

/// The number of bytes after the output that must not change.
const GUARD_BYTES: usize = 64;

/// The type of the outputs of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// `&mut [U]`: the whole output stays initialised.
    Initialised,
    /// `&mut [MaybeUninit<U>]`: the units that are reported as written become initialised.
    Uninitialised,
}

/// Asserts that `call` initialises all bytes that it reports as written, that it does not read the
/// output, and that it does not write uninitialised bytes elsewhere in the output.
///
/// `call` gets an output of `len` bytes and returns the number of bytes written. The output is
/// aligned for every code unit.
pub fn check_output(
    name: impl Display,
    output: Output,
    len: usize,
    mut call: impl FnMut(&mut [MaybeUninit<u8>]) -> usize,
) {
    let results = FILLS.map(|(fill, stack)| {
        let mut words = filled_words(len + GUARD_BYTES, fill);
        // SAFETY: `MaybeUninit<u8>` has no invalid values. `call` gets a part of the words and is
        // safe code, so it writes only initialised bytes, unless the library has a bug.
        let all = unsafe { words.align_to_mut::<MaybeUninit<u8>>() }.1;
        let (dst, guard) = all.split_at_mut(len);
        if output == Output::Uninitialised {
            memcheck::make_uninitialised(dst);
        }
        fill_stack(stack);
        let written = call(dst);
        assert!(written <= len, "{name}: {written} bytes written of {len}");
        let checked = if output == Output::Initialised { len } else { written };
        if let Some(at) = memcheck::first_uninitialised(&dst[..checked]) {
            panic!("{name}: byte {at} of {len} is uninitialised, {written} are written");
        }
        memcheck::make_initialised(dst);
        // SAFETY: the words were initialised before the call, and `call` writes only initialised
        // bytes, unless the library has a bug.
        let bytes =
            |part: &[MaybeUninit<u8>]| unsafe { &*(part as *const _ as *const [u8]) }.to_vec();
        assert!(is_filled_with(&bytes(guard), fill), "{name}: wrote after the end of the output");
        (bytes(dst), written)
    });
    let [(first, written), (second, written_again)] = &results;
    assert_eq!(written, written_again, "{name}: number of bytes written");
    let is_rest_unchanged = is_filled_with(&first[*written..], FILLS[0].0)
        && is_filled_with(&second[*written..], FILLS[1].0);
    let compared =
        if is_rest_unchanged && first[..*written] == second[..*written] { 0 } else { len };
    for at in 0..compared {
        let is_unchanged = first[at] == FILLS[0].0 && second[at] == FILLS[1].0;
        assert!(
            first[at] == second[at] || is_unchanged && at >= *written,
            "{name}: byte {at} of {len} depends on uninitialised memory, {written} are written"
        );
    }
}

/// Asserts that memcheck regards all bytes of an owned result as initialised.
pub fn check_owned(name: impl Display, bytes: &[u8]) {
    // SAFETY: `MaybeUninit<u8>` has the layout of `u8`.
    let bytes = unsafe { &*(bytes as *const _ as *const [MaybeUninit<u8>]) };
    if let Some(at) = memcheck::first_uninitialised(bytes) {
        panic!("{name}: byte {at} of {} is uninitialised", bytes.len());
    }
}

/// Fills the stack below the caller, where the next call stores its variables.
#[inline(never)]
fn fill_stack(byte: u8) {
    let mut bytes = [0_u8; 1 << 14];
    bytes.fill(byte);
    std::hint::black_box(&mut bytes);
}

/// Requests to valgrind's memcheck. Without valgrind they do nothing, and all bytes count as
/// initialised.
pub mod memcheck {
    use std::mem::MaybeUninit;

    // These numbers are defined in valgrind/valgrind.h and valgrind/memcheck.h.
    const RUNNING_ON_VALGRIND: usize = 0x1001;
    const CHANGE_ERR_DISABLEMENT: usize = 0x1801;
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
    const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
    const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
    const CHECK_MEM_IS_DEFINED: usize = MEMCHECK + 5;

    /// Returns true if the program runs under valgrind.
    pub fn is_running() -> bool {
        request(RUNNING_ON_VALGRIND, 0, 0) != 0
    }

    /// Tells valgrind to regard these bytes as uninitialised.
    pub fn make_uninitialised(bytes: &mut [MaybeUninit<u8>]) {
        request(MAKE_MEM_UNDEFINED, bytes.as_ptr().addr(), bytes.len());
    }

    /// Tells valgrind to regard these bytes as initialised.
    pub fn make_initialised(bytes: &mut [MaybeUninit<u8>]) {
        request(MAKE_MEM_DEFINED, bytes.as_ptr().addr(), bytes.len());
    }

    /// Returns the index of the first byte that valgrind regards as uninitialised.
    pub fn first_uninitialised(bytes: &[MaybeUninit<u8>]) -> Option<usize> {
        let start = bytes.as_ptr().addr();
        match request(CHECK_MEM_IS_DEFINED, start, bytes.len()) {
            0 => None,
            address => Some(address - start),
        }
    }

    /// Calls `f` while valgrind reports no errors.
    pub fn unreported<T>(f: impl FnOnce() -> T) -> T {
        request(CHANGE_ERR_DISABLEMENT, 1, 0);
        let result = f();
        request(CHANGE_ERR_DISABLEMENT, usize::MAX, 0);
        result
    }

    /// Makes a request to valgrind and returns the answer, or 0 without valgrind.
    #[cfg(target_arch = "x86_64")]
    fn request(number: usize, start: usize, len: usize) -> usize {
        let arguments = [number, start, len, 0, 0, 0];
        let mut answer = 0_usize;
        // SAFETY: the instructions change no register: the four rotations are by 128 bits together,
        // and a register is exchanged with itself. Valgrind recognises them as a request, and
        // writes its answer to rdx, which is declared as an output.
        unsafe {
            std::arch::asm!(
                "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
                in("rax") arguments.as_ptr(),
                inout("rdx") answer,
                options(nostack),
            );
        }
        answer
    }

    /// Returns 0: on this processor, no request is made.
    #[cfg(not(target_arch = "x86_64"))]
    fn request(_: usize, _: usize, _: usize) -> usize {
        0
    }
}
