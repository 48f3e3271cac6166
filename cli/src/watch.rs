//! Checks whether the bytes of an input are UTF-8 while they are decoded from another encoding.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use utflane::{ByteValidator, Scheme};

/// The bytes that have been read so far.
pub(crate) struct Watch(Arc<Mutex<Seen>>);

struct Seen {
    validator: ByteValidator,
    /// False after an ill-formed sequence, and after a NUL, which text in UTF-8 does not have.
    is_utf8: bool,
    is_ascii: bool,
}

/// A source that is watched.
struct Watched {
    source: Box<dyn Read + Send>,
    seen: Arc<Mutex<Seen>>,
}

impl Watch {
    /// Watches the bytes that are read from `source`.
    pub(crate) fn begin(source: Box<dyn Read + Send>) -> (Self, Box<dyn Read + Send>) {
        let validator = ByteValidator::new(Scheme::Utf8);
        let seen = Arc::new(Mutex::new(Seen { validator, is_utf8: true, is_ascii: true }));
        (Self(Arc::clone(&seen)), Box::new(Watched { source, seen }))
    }

    /// True if all text so far is UTF-8 with characters beyond ASCII.
    pub(crate) fn is_utf8(&self) -> bool {
        let seen = lock(&self.0);
        seen.is_utf8 && !seen.is_ascii && seen.validator.clone().finish().is_ok()
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let mut seen = lock(&self.seen);
        if seen.is_utf8 {
            let bytes = &buffer[..read];
            seen.is_ascii &= bytes.is_ascii();
            seen.is_utf8 = seen.validator.push(bytes).is_ok() && !bytes.contains(&0);
        }
        Ok(read)
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}
