//! Streams, in memory of the caller's.

use core::ffi::c_void;
use core::mem::{MaybeUninit, needs_drop};

use utflane::{ByteTranscoder, ByteValidator, Policy, Repair};

use crate::encodings::{both, scheme, utflane_encoding};
use crate::memory;
use crate::results::{utflane_status, utflane_stream_result};

pub const UTFLANE_VALIDATOR_WORDS: usize = 16;
pub const UTFLANE_TRANSCODER_WORDS: usize = 32;

pub const UTFLANE_ENOUGH_ROOM: usize = 24;

/// The validator of one stream, in memory of the caller's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct utflane_validator {
    pub words: [u64; UTFLANE_VALIDATOR_WORDS],
}

/// The converter of one stream, in memory of the caller's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct utflane_transcoder {
    pub words: [u64; UTFLANE_TRANSCODER_WORDS],
}

/// The contents of the words of an initialised stream. Zeroed memory is not initialised.
#[repr(C)]
struct Stream<T> {
    mark: u64,
    state: MaybeUninit<T>,
}

/// The mark of an initialised stream.
trait State: Sized {
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
const _: () = assert!(
    UTFLANE_ENOUGH_ROOM >= {
        type Any = utflane::Transcoder<utflane::Utf8, utflane::Utf8>;
        Any::ENOUGH_ROOM
    }
);

/// Writes a stream, or the mark of no stream where there is no state.
///
/// # Safety
///
/// `at` is null, or memory of the size and alignment of the caller's struct that can be written.
unsafe fn init<T: State>(at: *mut Stream<T>, state: Option<T>) -> utflane_status {
    if at.is_null() {
        return utflane_status::UTFLANE_INVALID_ARGUMENT;
    }
    let Some(state) = state else {
        // The rest stays as it is: a whole struct would bring bytes of the stack.
        // SAFETY: the caller's promise.
        unsafe { (*at).mark = 0 };
        return utflane_status::UTFLANE_INVALID_ARGUMENT;
    };
    // SAFETY: the caller's promise; the assertions above compare sizes and alignments.
    unsafe { at.write(Stream { mark: T::MARK, state: MaybeUninit::new(state) }) };
    utflane_status::UTFLANE_OK
}

/// Returns the state of a stream, if it is initialised.
///
/// # Safety
///
/// `at` is null, or an initialised struct of the caller's (or one of zeros), which nothing else
/// uses as long as the result is used.
unsafe fn state<'a, T: State>(at: *mut Stream<T>) -> Option<&'a mut T> {
    // SAFETY: the caller's promise. Any bytes are a mark, and a state that may not be there.
    let stream = unsafe { at.as_mut() }?;
    if stream.mark != T::MARK {
        return None;
    }
    // SAFETY: `init` wrote the mark together with a state.
    Some(unsafe { stream.state.assume_init_mut() })
}

/// Begins a stream that is validated.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_validator_init(
    validator: *mut utflane_validator,
    encoding: utflane_encoding,
) -> utflane_status {
    let state = scheme(encoding).map(ByteValidator::new);
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { init(validator.cast(), state) }
}

/// Validates the next chunk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_validator_push(
    validator: *mut utflane_validator,
    chunk: *const c_void,
    length: usize,
) -> utflane_stream_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    let state = unsafe { state::<ByteValidator>(validator.cast()) };
    // SAFETY: the caller keeps the header's contract of pointers.
    let chunk = unsafe { memory::source(chunk, length) };
    match state.zip(chunk).map(|(validator, chunk)| validator.push(chunk)) {
        Some(Ok(())) => utflane_stream_result::done(length, 0),
        Some(Err(error)) => utflane_stream_result::failed(error, 0),
        None => utflane_stream_result::default(),
    }
}

/// Ends a stream, and begins another one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_validator_finish(
    validator: *mut utflane_validator,
) -> utflane_stream_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    let state = unsafe { state::<ByteValidator>(validator.cast()) };
    match state.map(ByteValidator::finish) {
        Some(Ok(())) => utflane_stream_result::done(0, 0),
        Some(Err(error)) => utflane_stream_result::failed(error, 0),
        None => utflane_stream_result::default(),
    }
}

/// Begins a stream that is converted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_init(
    transcoder: *mut utflane_transcoder,
    from: utflane_encoding,
    to: utflane_encoding,
) -> utflane_status {
    let state = both(from, to).map(|(from, to)| ByteTranscoder::new(from, to));
    // SAFETY: the caller keeps the header's contract of pointers.
    unsafe { init(transcoder.cast(), state) }
}

/// Begins a stream that is converted with replacements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_init_lossy(
    transcoder: *mut utflane_transcoder,
    from: utflane_encoding,
    to: utflane_encoding,
) -> utflane_status {
    let policy = Policy::from(Repair::REPLACE);
    let state = both(from, to).map(|(from, to)| ByteTranscoder::new(from, to).with_policy(policy));
    // SAFETY: the caller keeps the header's contract of pointers.
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
    // SAFETY: the caller keeps the header's contract of pointers.
    let state = unsafe { state::<ByteTranscoder>(transcoder.cast()) };
    // SAFETY: the caller keeps the header's contract of pointers.
    let chunk = unsafe { memory::source(chunk, length) };
    // SAFETY: the caller keeps the header's contract of pointers.
    let dst = unsafe { memory::destination(dst, capacity) };
    match (state, chunk, dst) {
        (Some(transcoder), Some(chunk), Some(dst)) => transcoder.push_uninit(chunk, dst).into(),
        _ => utflane_stream_result::default(),
    }
}

/// Ends a stream, writes its kept bytes, and begins another stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_finish(
    transcoder: *mut utflane_transcoder,
    dst: *mut c_void,
    capacity: usize,
) -> utflane_stream_result {
    // SAFETY: the caller keeps the header's contract of pointers.
    let state = unsafe { state::<ByteTranscoder>(transcoder.cast()) };
    // SAFETY: the caller keeps the header's contract of pointers.
    let dst = unsafe { memory::destination(dst, capacity) };
    let (Some(transcoder), Some(dst)) = (state, dst) else {
        return utflane_stream_result::default();
    };
    // `finish` takes initialised memory. It writes at most one character, into this buffer.
    let mut last = [0; UTFLANE_ENOUGH_ROOM];
    let len = dst.len().min(last.len());
    let progress = transcoder.finish(&mut last[..len]);
    for (to, from) in dst.iter_mut().zip(&last[..progress.written]) {
        to.write(*from);
    }
    progress.into()
}

/// Returns the replacements since the transcoder was initialised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utflane_transcoder_repairs(transcoder: *const utflane_transcoder) -> u64 {
    // SAFETY: the caller keeps the header's contract of pointers. Nothing is written.
    let state = unsafe { state::<ByteTranscoder>(transcoder.cast_mut().cast()) };
    state.map_or(0, |transcoder| transcoder.repairs())
}
