//! The functions that JavaScript calls.
//!
//! A function reads its input from the input buffer, which [`input`] allocates. It writes its
//! output to the output buffer, which begins at the address [`output`] and has [`output_len`]
//! bytes. The addresses of both buffers are valid until the next call. The output is a part of a
//! file, or JSON.
#![expect(unsafe_code, reason = "`no_mangle`: the names are unique, and JavaScript needs them")]

use core::cell::RefCell;

use crate::state::State;

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// The result of a start function if its input is not understood. It is -1 in JavaScript.
const NOT_UNDERSTOOD: usize = usize::MAX;

/// Calls a method of the state with the length of its input, or with the length of the buffer if
/// that is less.
fn with_state<T>(len: usize, call: impl FnOnce(&mut State, usize) -> T) -> T {
    STATE.with_borrow_mut(|state| {
        let len = len.min(state.input.len());
        call(state, len)
    })
}

/// Returns the address of an input buffer of `len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input.resize(len, 0);
        state.input.as_mut_ptr()
    })
}

/// Returns the address of the output of the last call.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}

/// Returns the length of the output of the last call, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn output_len() -> usize {
    STATE.with_borrow(|state| state.output.len())
}

/// Keeps the input: the first bytes of a file, which may be a byte order mark.
#[unsafe(no_mangle)]
pub extern "C" fn set_head(len: usize) {
    with_state(len, State::set_head);
}

/// Writes the names of all encodings to the output, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn list_encodings() {
    with_state(0, |state, _| state.list_encodings());
}

/// Starts the detection of the encoding of a file.
#[unsafe(no_mangle)]
pub extern "C" fn start_detection() {
    with_state(0, |state, _| state.start_detection());
}

/// Reads the input as the next chunk of the file.
#[unsafe(no_mangle)]
pub extern "C" fn push_detection(len: usize) {
    with_state(len, State::push_detection);
}

/// Ends the detection. The output is the result, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn finish_detection() {
    with_state(0, |state, _| state.finish_detection());
}

/// Starts an analysis. The input is the label of an encoding, a space, and one letter (`L` or `W`)
/// for each round of double encoding that is undone first. Returns the length of the byte order
/// mark, in bytes, or -1 if the input is not understood. The first chunk begins after the byte
/// order mark.
#[unsafe(no_mangle)]
pub extern "C" fn start_analysis(len: usize) -> usize {
    with_state(len, State::start_analysis).unwrap_or(NOT_UNDERSTOOD)
}

/// Analyses the input as the next chunk of the file.
#[unsafe(no_mangle)]
pub extern "C" fn push_analysis(len: usize) {
    with_state(len, State::push_analysis);
}

/// Ends the analysis. The output is the result, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn finish_analysis() {
    with_state(0, |state, _| state.finish_analysis());
}

/// Starts a conversion. The input has four words, separated by spaces: the label of the source
/// encoding, the label of the target encoding, `mark` (write a byte order mark) or `plain`, and one
/// letter (`L`, `W` or `R`) for each round of double encoding to undo. Returns the same as
/// [`start_analysis`].
#[unsafe(no_mangle)]
pub extern "C" fn start_conversion(len: usize) -> usize {
    with_state(len, State::start_conversion).unwrap_or(NOT_UNDERSTOOD)
}

/// Converts the input as the next chunk of the file. The output is the next part of the result.
#[unsafe(no_mangle)]
pub extern "C" fn push_conversion(len: usize) {
    with_state(len, State::push_conversion);
}

/// Ends the conversion. The output is the last part of the result.
#[unsafe(no_mangle)]
pub extern "C" fn finish_conversion() {
    with_state(0, |state, _| state.finish_conversion());
}

/// Writes the numbers of repairs of the ended conversion to the output, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn report_conversion() {
    with_state(0, |state, _| state.report_conversion());
}
