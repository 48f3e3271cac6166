//! The functions that JavaScript calls.
//!
//! A call takes its bytes from the input buffer, which [`input`] makes, and leaves its result in
//! the output buffer, at [`output`], of [`output_len`] bytes. Both stay where they are until the
//! next call. A result is a part of a file, or JSON.
#![expect(unsafe_code, reason = "names for JavaScript: no other function has them")]

use core::cell::RefCell;

use crate::state::State;

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Returned instead of a number by a call whose words are not understood.
const REFUSED: usize = usize::MAX;

/// Runs a call on the state, with at most as many bytes of input as there are.
fn with<T>(len: usize, call: impl FnOnce(&mut State, usize) -> T) -> T {
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

/// Returns the bytes of the output of the last call.
#[unsafe(no_mangle)]
pub extern "C" fn output_len() -> usize {
    STATE.with_borrow(|state| state.output.len())
}

/// Keeps the first bytes of a file, for its byte order mark.
#[unsafe(no_mangle)]
pub extern "C" fn set_head(len: usize) {
    with(len, State::set_head);
}

/// The output is the names of all encodings, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn encodings() {
    with(0, |state, _| state.encodings());
}

/// Starts the search for the encoding of a file.
#[unsafe(no_mangle)]
pub extern "C" fn start_survey() {
    with(0, |state, _| state.start_survey());
}

/// Reads the input as the next chunk.
#[unsafe(no_mangle)]
pub extern "C" fn push_survey(len: usize) {
    with(len, State::push_survey);
}

/// Ends the search. The output is JSON.
#[unsafe(no_mangle)]
pub extern "C" fn finish_survey() {
    with(0, |state, _| state.finish_survey());
}

/// Starts an analysis. The input is the label of an encoding, a space, and the letters of the
/// rounds of double encoding that are undone first (`L`, `W`). Returns the bytes of the byte order
/// mark, which the first chunk does not have; -1 if the input is not understood.
#[unsafe(no_mangle)]
pub extern "C" fn start_analysis(len: usize) -> usize {
    with(len, State::start_analysis).unwrap_or(REFUSED)
}

/// Analyses the input as the next chunk.
#[unsafe(no_mangle)]
pub extern "C" fn push_analysis(len: usize) {
    with(len, State::push_analysis);
}

/// Ends the analysis. The output is JSON.
#[unsafe(no_mangle)]
pub extern "C" fn finish_analysis() {
    with(0, |state, _| state.finish_analysis());
}

/// Starts a conversion. The input is the label of the source encoding, the label of the target,
/// `mark` or `plain`, and the letters of the rounds (`L`, `W`, `R`), with spaces between. Returns
/// as [`start_analysis`].
#[unsafe(no_mangle)]
pub extern "C" fn start_conversion(len: usize) -> usize {
    with(len, State::start_conversion).unwrap_or(REFUSED)
}

/// Converts the input as the next chunk. The output is the next part of the result.
#[unsafe(no_mangle)]
pub extern "C" fn push_conversion(len: usize) {
    with(len, State::push_conversion);
}

/// Ends the conversion. The output is the last part of the result.
#[unsafe(no_mangle)]
pub extern "C" fn finish_conversion() {
    with(0, |state, _| state.finish_conversion());
}

/// The output is the number of repairs of the conversion that ended, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn report_conversion() {
    with(0, |state, _| state.report_conversion());
}
