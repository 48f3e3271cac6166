//! Notes about a file that are known only after its text has been read.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Notes that readers of the file add. The copies share one list.
#[derive(Clone, Default)]
pub(crate) struct Notes {
    lines: Arc<Mutex<Vec<String>>>,
    is_recoded: Arc<AtomicBool>,
}

impl Notes {
    /// Adds a note.
    pub(crate) fn add(&self, words: impl Into<String>) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(words.into());
    }

    /// Returns the notes, in the order in which they were added, and removes them.
    pub(crate) fn take(&self) -> Vec<String> {
        mem::take(&mut self.lines.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes that a reader converts the text to UTF-8.
    pub(crate) fn set_recoded(&self) {
        self.is_recoded.store(true, Ordering::Relaxed);
    }

    /// Returns true if a reader converts the text to UTF-8. Then offsets count the bytes of the
    /// converted text.
    pub(crate) fn is_recoded(&self) -> bool {
        self.is_recoded.load(Ordering::Relaxed)
    }
}
