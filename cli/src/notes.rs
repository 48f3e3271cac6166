//! Notes about a file that are known only after its text has been read.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Notes that readers of the file add. The copies share one list.
#[derive(Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    /// Adds a note.
    pub(crate) fn add(&self, words: impl Into<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(words.into());
    }

    /// Returns the notes, in the order in which they were added, and removes them.
    pub(crate) fn take(&self) -> Vec<String> {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
