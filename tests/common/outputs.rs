//! What a function does to the memory of its output: proof that it reports only initialised bytes
//! as written, and that nothing else of the output receives uninitialised ones.
//!
//! Each function is called twice, over different bytes in the output and different bytes on the
//! stack below the call. A byte that differs afterwards and was not left alone came from memory
//! that nobody had initialised. Under valgrind's memcheck its own record of each bit is asked too,
//! which also knows what a register held.

use std::fmt::Display;
use std::mem::MaybeUninit;

/// The bytes in the output and on the stack before each of the two calls.
const RUNS: [(u8, u8); 2] = [(0xA5, 0x3C), (0x5A, 0xC3)];

/// Bytes after the output that must stay as they are.
const GUARD_BYTES: usize = 64;

/// The type of the outputs of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// `&mut [U]`: the whole stays initialised.
    Initialised,
    /// `&mut [MaybeUninit<U>]`: what is reported as written becomes initialised.
    Uninitialised,
}

/// Asserts that `call` initialises what it reports as written, and that it neither reads the output
/// nor stores uninitialised bytes elsewhere in it.
///
/// `call` gets an output of `len` bytes and returns the number of bytes written. The output is
/// aligned for every code unit.
pub fn check_output(
    name: impl Display,
    output: Output,
    len: usize,
    mut call: impl FnMut(&mut [MaybeUninit<u8>]) -> usize,
) {
    let results = RUNS.map(|(fill, stack)| {
        let mut words = vec![u64::from_ne_bytes([fill; 8]); (len + GUARD_BYTES).div_ceil(8)];
        // SAFETY: any eight bytes are a `u64`, and it may become any; `call` is safe code.
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
        // SAFETY: the words had been initialised before the call, and memory keeps a value.
        let bytes =
            |part: &[MaybeUninit<u8>]| unsafe { &*(part as *const _ as *const [u8]) }.to_vec();
        assert!(bytes(guard).iter().all(|&byte| byte == fill), "{name}: written after the output");
        (bytes(dst), written)
    });
    let [(first, written), (second, written_again)] = &results;
    assert_eq!(written, written_again, "{name}: bytes written");
    for at in 0..len {
        let untouched = first[at] == RUNS[0].0 && second[at] == RUNS[1].0;
        assert!(
            first[at] == second[at] || untouched && at >= *written,
            "{name}: byte {at} of {len} depends on uninitialised memory, {written} are written"
        );
    }
}

/// Asserts that an owned result is initialised, as far as valgrind knows.
pub fn check_owned(name: impl Display, bytes: &[u8]) {
    // SAFETY: `MaybeUninit<u8>` has the layout of `u8`.
    let bytes = unsafe { &*(bytes as *const _ as *const [MaybeUninit<u8>]) };
    if let Some(at) = memcheck::first_uninitialised(bytes) {
        panic!("{name}: byte {at} of {} is uninitialised", bytes.len());
    }
}

/// Fills the stack below the caller, where the next call has its variables.
#[inline(never)]
fn fill_stack(byte: u8) {
    let mut bytes = [0_u8; 1 << 14];
    bytes.fill(byte);
    std::hint::black_box(&mut bytes);
}

/// Requests to valgrind's memcheck. Elsewhere they do nothing, and all bytes count as initialised.
pub mod memcheck {
    use std::mem::MaybeUninit;

    // The numbers are those of valgrind/valgrind.h and valgrind/memcheck.h.
    const RUNNING_ON_VALGRIND: usize = 0x1001;
    const CHANGE_ERR_DISABLEMENT: usize = 0x1801;
    const MEMCHECK: usize = (b'M' as usize) << 24 | (b'C' as usize) << 16;
    const MAKE_MEM_UNDEFINED: usize = MEMCHECK + 1;
    const MAKE_MEM_DEFINED: usize = MEMCHECK + 2;
    const CHECK_MEM_IS_DEFINED: usize = MEMCHECK + 5;

    /// True if the program runs under valgrind.
    pub fn is_running() -> bool {
        request(RUNNING_ON_VALGRIND, 0, 0) != 0
    }

    /// Makes valgrind take these bytes for uninitialised ones.
    pub fn make_uninitialised(bytes: &mut [MaybeUninit<u8>]) {
        request(MAKE_MEM_UNDEFINED, bytes.as_ptr().addr(), bytes.len());
    }

    /// Makes valgrind take these bytes for initialised ones.
    pub fn make_initialised(bytes: &mut [MaybeUninit<u8>]) {
        request(MAKE_MEM_DEFINED, bytes.as_ptr().addr(), bytes.len());
    }

    /// Returns the index of the first byte that valgrind has not seen initialised.
    pub fn first_uninitialised(bytes: &[MaybeUninit<u8>]) -> Option<usize> {
        let start = bytes.as_ptr().addr();
        match request(CHECK_MEM_IS_DEFINED, start, bytes.len()) {
            0 => None,
            at => Some(at - start),
        }
    }

    /// Calls `f`. What it finds is no error in valgrind's report.
    pub fn unreported<T>(f: impl FnOnce() -> T) -> T {
        request(CHANGE_ERR_DISABLEMENT, 1, 0);
        let result = f();
        request(CHANGE_ERR_DISABLEMENT, usize::MAX, 0);
        result
    }

    /// Makes a request, and returns 0 where nobody answers it.
    #[cfg(target_arch = "x86_64")]
    fn request(number: usize, start: usize, len: usize) -> usize {
        let arguments = [number, start, len, 0, 0, 0];
        let mut answer = 0_usize;
        // SAFETY: four rotations by 128 bits in all and an exchange of a register with itself
        // change nothing. Valgrind takes them for a request, and writes its answer to rdx.
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

    /// Returns 0: nobody answers here.
    #[cfg(not(target_arch = "x86_64"))]
    fn request(_: usize, _: usize, _: usize) -> usize {
        0
    }
}
