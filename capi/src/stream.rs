//! The functions for streams. The state of a stream is in the caller's memory.

use core::ffi::c_void;
use core::mem::{MaybeUninit, needs_drop};

use utflane::{ByteTranscoder, ByteValidator, Repair, Transcoder, Utf8};

use crate::conversion::Pair;
use crate::encodings::{scheme, utflane_encoding};
use crate::memory;
use crate::results::{utflane_status, utflane_stream_result};

pub const UTFLANE_VALIDATOR_WORDS: usize = 16;
pub const UTFLANE_TRANSCODER_WORDS: usize = 32;

pub const UTFLANE_ENOUGH_CAPACITY: usize = 24;

/// The validator of one stream, in the caller's memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct utflane_validator {
    pub words: [u64; UTFLANE_VALIDATOR_WORDS],
}

/// The converter of one stream, in the caller's memory.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct utflane_transcoder {
    pub words: [u64; UTFLANE_TRANSCODER_WORDS],
}

/// The contents of the words of a [`utflane_validator`] or [`utflane_transcoder`].
#[repr(C)]
struct Stream<T> {
    /// [`State::MARK`] if the state is initialised. Zero in zeroed memory.
    mark: u64,
    state: MaybeUninit<T>,
}

/// The state of a stream.
trait State: Sized {
    /// The number that marks a stream with an initialised state of this type.
    const MARK: u64;
}

impl State for ByteValidator {
    const MARK: u64 = u64::from_le_bytes(*b"utflaneV");
}

impl State for ByteTranscoder {
    const MARK: u64 = u64::from_le_bytes(*b"utflaneT");
}

const _: () = assert!(size_of::<Stream<ByteValidator>>() <= size_of::<utflane_validator>());
const _: () = assert!(size_of::<Stream<ByteTranscoder>>() <= size_of::<utflane_transcoder>());
const _: () = assert!(align_of::<Stream<ByteValidator>>() <= align_of::<utflane_validator>());
const _: () = assert!(align_of::<Stream<ByteTranscoder>>() <= align_of::<utflane_transcoder>());
const _: () = assert!(!needs_drop::<ByteValidator>() && !needs_drop::<ByteTranscoder>());
const _: () = assert!(UTFLANE_ENOUGH_CAPACITY >= Transcoder::<Utf8, Utf8>::ENOUGH_CAPACITY);

/// Initialises a stream with a state. Without a state, marks the stream as uninitialised.
///
/// # Safety
///
/// `stream` is null, or points to a struct of the caller that can be written.
unsafe fn init<T: State>(stream: *mut Stream<T>, state: Option<T>) -> utflane_status {
    if stream.is_null() {
        return utflane_status::UTFLANE_INVALID_ARGUMENT;
    }
    let Some(state) = state else {
        // Only the mark is written: a write of the whole struct would copy bytes of the stack to
        // the caller.
        // SAFETY: the caller guarantees that the struct can be written.
        unsafe { (*stream).mark = 0 };
        return utflane_status::UTFLANE_INVALID_ARGUMENT;
    };
    // SAFETY: the caller guarantees that the struct can be written. The assertions above compare
    // sizes and alignments.
    unsafe { stream.write(Stream { mark: T::MARK, state: MaybeUninit::new(state) }) };
    utflane_status::UTFLANE_OK
}

/// Returns the state of a stream, or `None` if the stream is not initialised.
///
/// # Safety
///
/// `stream` is null, or points to a struct of the caller that is initialised or zeroed. Nothing
/// else uses the struct as long as the result is used.
unsafe fn get_state<'a, T: State>(stream: *mut Stream<T>) -> Option<&'a mut T> {
    // SAFETY: the caller guarantees the struct. Its mark and its `MaybeUninit` state are valid with
    // any bytes.
    let stream = unsafe { stream.as_mut() }?;
    if stream.mark != T::MARK {
        return None;
    }
    // SAFETY: `init` wrote the mark together with a state.
    Some(unsafe { stream.state.assume_init_mut() })
}

/// Begins the validation of a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_validator_init(
    validator: *mut utflane_validator,
    encoding: utflane_encoding,
) -> utflane_status {
    let state = scheme(encoding).map(ByteValidator::new);
    // SAFETY: the caller meets the header's requirements for pointers.
    unsafe { init(validator.cast(), state) }
}

/// Validates the next chunk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_validator_push(
    validator: *mut utflane_validator,
    chunk: *const c_void,
    length: usize,
) -> utflane_stream_result {
    // SAFETY: the caller meets the header's requirements for pointers.
    let state = unsafe { get_state::<ByteValidator>(validator.cast()) };
    // SAFETY: the caller meets the header's requirements for pointers.
    let chunk = unsafe { memory::source(chunk, length) };
    match state.zip(chunk).map(|(validator, chunk)| validator.push(chunk)) {
        Some(Ok(())) => utflane_stream_result::done(length, 0),
        Some(Err(error)) => utflane_stream_result::failed(error, 0),
        None => utflane_stream_result::default(),
    }
}

/// Ends a stream, and begins another stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_validator_finish(
    validator: *mut utflane_validator,
) -> utflane_stream_result {
    // SAFETY: the caller meets the header's requirements for pointers.
    let state = unsafe { get_state::<ByteValidator>(validator.cast()) };
    match state.map(ByteValidator::finish) {
        Some(Ok(())) => utflane_stream_result::done(0, 0),
        Some(Err(error)) => utflane_stream_result::failed(error, 0),
        None => utflane_stream_result::default(),
    }
}

/// Begins the conversion of a stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_init(
    transcoder: *mut utflane_transcoder,
    from: utflane_encoding,
    to: utflane_encoding,
) -> utflane_status {
    let state = Pair::new(from, to).map(Pair::transcoder);
    // SAFETY: the caller meets the header's requirements for pointers.
    unsafe { init(transcoder.cast(), state) }
}

/// Begins the conversion of a stream, with replacements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_init_lossy(
    transcoder: *mut utflane_transcoder,
    from: utflane_encoding,
    to: utflane_encoding,
) -> utflane_status {
    let state = Pair::new(from, to).map(|pair| pair.transcoder().with_policy(Repair::REPLACE));
    // SAFETY: the caller meets the header's requirements for pointers.
    unsafe { init(transcoder.cast(), state) }
}

/// Converts the next chunk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_push(
    transcoder: *mut utflane_transcoder,
    chunk: *const c_void,
    length: usize,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_stream_result {
    // SAFETY: the caller meets the header's requirements for pointers.
    let state = unsafe { get_state::<ByteTranscoder>(transcoder.cast()) };
    // SAFETY: the caller meets the header's requirements for pointers.
    let chunk = unsafe { memory::source(chunk, length) };
    // SAFETY: the caller meets the header's requirements for pointers.
    let dst = unsafe { memory::destination(dst, capacity) };
    match (state, chunk, dst) {
        (Some(transcoder), Some(chunk), Some(dst)) => transcoder.push(chunk, dst).into(),
        _ => utflane_stream_result::default(),
    }
}

/// Ends a stream: writes the result of the bytes that it kept, and begins another stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_finish(
    transcoder: *mut utflane_transcoder,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_stream_result {
    // SAFETY: the caller meets the header's requirements for pointers.
    let state = unsafe { get_state::<ByteTranscoder>(transcoder.cast()) };
    // SAFETY: the caller meets the header's requirements for pointers.
    let dst = unsafe { memory::destination(dst, capacity) };
    let (Some(transcoder), Some(dst)) = (state, dst) else {
        return utflane_stream_result::default();
    };
    // `finish` requires an initialised output, so it writes into this buffer. It writes at most one
    // character.
    let mut buffer = [0; UTFLANE_ENOUGH_CAPACITY];
    let len = dst.len().min(buffer.len());
    let progress = transcoder.finish(&mut buffer[..len]);
    for (to, from) in dst.iter_mut().zip(&buffer[..progress.written]) {
        to.write(*from);
    }
    progress.into()
}

/// Returns the number of replacements since the transcoder was initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_repairs(transcoder: *const utflane_transcoder) -> u64 {
    // SAFETY: the caller meets the header's requirements for pointers. This function does not write
    // to the struct.
    let state = unsafe { get_state::<ByteTranscoder>(transcoder.cast_mut().cast()) };
    state.map_or(0, |transcoder| transcoder.repairs())
}
