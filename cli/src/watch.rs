//! Checks whether the bytes of an input are UTF-8 while they are decoded from another encoding.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use utflane::{ByteValidator, Scheme};

/// What is known about the bytes that have been read so far.
pub(crate) struct Watch(Arc<Mutex<ReadState>>);

struct ReadState {
    validator: ByteValidator,
    /// False after an ill-formed sequence or a NUL. A NUL is valid UTF-8, but does not occur in
    /// text files.
    is_utf8: bool,
    is_ascii: bool,
}

/// A source whose bytes are checked when they are read.
struct Watched {
    source: Box<dyn Read + Send>,
    state: Arc<Mutex<ReadState>>,
}

impl Watch {
    /// Begins to check the bytes that are read from `source`. Returns a handle, which tells at any
    /// time what is known, and the source to read from instead.
    pub(crate) fn begin(source: Box<dyn Read + Send>) -> (Self, Box<dyn Read + Send>) {
        let validator = ByteValidator::new(Scheme::Utf8);
        let state = Arc::new(Mutex::new(ReadState { validator, is_utf8: true, is_ascii: true }));
        (Self(Arc::clone(&state)), Box::new(Watched { source, state }))
    }

    /// Returns true if all bytes so far are UTF-8, and not all of them are ASCII.
    pub(crate) fn is_non_ascii_utf8(&self) -> bool {
        let state = lock(&self.0);
        state.is_utf8 && !state.is_ascii && state.validator.clone().finish().is_ok()
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let mut state = lock(&self.state);
        if state.is_utf8 {
            let bytes = &buffer[..read];
            state.is_ascii &= bytes.is_ascii();
            state.is_utf8 = state.validator.push(bytes).is_ok() && !bytes.contains(&0);
        }
        Ok(read)
    }
}

fn lock(state: &Mutex<ReadState>) -> MutexGuard<'_, ReadState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
