//! Limits the memory for the text of compressed files. All files that are read at once share one
//! limit.
//!
//! A thread may wait for its file's turn to write while it holds memory. So the first unfinished
//! file never waits: one half of the limit is its own, and all other files share the other half.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The largest memory for all files together, in bytes.
pub(crate) const LIMIT: u64 = 512 << 20;

/// The largest memory for one file, in bytes. All files that are not the first unfinished file
/// share the same amount.
pub(crate) const FILE_LIMIT: u64 = LIMIT / 2;

/// The time after which a waiting thread checks again if its file is the first.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The number of bytes that files took while they were not the first unfinished file, and hold.
static SHARED: Mutex<u64> = Mutex::new(0);
/// Wakes waiting threads after memory was released.
static RELEASED: Condvar = Condvar::new();

/// The turn of a file: the index of the first unfinished file, and the index of the file itself.
#[derive(Clone, Default)]
pub(crate) struct Turn {
    pub(crate) first_unfinished: Arc<AtomicUsize>,
    pub(crate) index: usize,
}

impl Turn {
    fn is_first(&self) -> bool {
        self.first_unfinished.load(Ordering::Relaxed) == self.index
    }
}

/// The memory that one file has taken. All clones count together.
#[derive(Clone, Default)]
pub(crate) struct FileMemory {
    turn: Turn,
    /// The memory that all parts of the file hold, in bytes.
    bytes: Arc<AtomicU64>,
}

impl FileMemory {
    pub(crate) fn new(turn: Turn) -> Self {
        Self { turn, bytes: Arc::default() }
    }

    /// Returns a part of the file's memory that holds nothing yet.
    pub(crate) fn part(&self) -> Memory {
        Memory { file: self.clone(), bytes: 0, shared: 0 }
    }
}

/// A part of the memory of one file, which is released when this is dropped.
pub(crate) struct Memory {
    file: FileMemory,
    bytes: u64,
    /// The number of bytes that count in [`SHARED`].
    shared: u64,
}

impl Memory {
    /// Takes more memory, if needed, until this part has `bytes`. Waits until other files release
    /// enough.
    ///
    /// # Errors
    ///
    /// If the file would have more than it may take. The message begins with `start_of_message`.
    pub(crate) fn grow_to(&mut self, bytes: u64, start_of_message: &str) -> io::Result<()> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let mut shared = lock();
        let needed = self.file.bytes.load(Ordering::Relaxed).saturating_add(more);
        if needed > FILE_LIMIT {
            let needed = needed.div_ceil(1 << 20);
            return Err(too_much(&format!("{start_of_message} {needed} MiB of memory")));
        }
        while !self.file.turn.is_first() {
            if *shared + more <= LIMIT - FILE_LIMIT {
                *shared += more;
                self.shared += more;
                break;
            }
            let waited = RELEASED.wait_timeout(shared, CHECK_INTERVAL);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.file.bytes.fetch_add(more, Ordering::Relaxed);
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.file.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
        if self.shared > 0 {
            *lock() -= self.shared;
            RELEASED.notify_all();
        }
    }
}

/// Returns the error for a file that needs too much memory. `needs` says what it needs.
fn too_much(needs: &str) -> io::Error {
    let (limit, half) = (LIMIT >> 20, FILE_LIMIT >> 20);
    let words = format!(
        "{needs}, but one file may take {half} MiB of the {limit} MiB for all files: decompress it \
         first, and leave out -z"
    );
    io::Error::new(io::ErrorKind::OutOfMemory, words)
}

fn lock() -> MutexGuard<'static, u64> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// The number of threads does not multiply the limit, and the first file never waits.
    #[test]
    fn files_share_the_limit() {
        let first_unfinished = Arc::new(AtomicUsize::new(0));
        let file = |index| {
            FileMemory::new(Turn { first_unfinished: Arc::clone(&first_unfinished), index })
        };
        let mut second = file(1).part();
        second.grow_to(FILE_LIMIT / 2, "it needs").unwrap();
        second.grow_to(FILE_LIMIT, "it needs").unwrap();
        assert_eq!(*lock(), FILE_LIMIT);
        let foremost = file(0);
        let mut text = foremost.part();
        text.grow_to(FILE_LIMIT, "it needs").unwrap();
        for mut part in [text, foremost.part()] {
            let too_much = part.grow_to(FILE_LIMIT + 1, "the text needs").unwrap_err().to_string();
            assert!(too_much.ends_with(
                " MiB of memory, but one file may take 256 MiB of the 512 MiB for all files: \
                 decompress it first, and leave out -z"
            ));
        }
        // A decompressor and the text that it returns are parts of one file.
        let mut window = foremost.part();
        window.grow_to(FILE_LIMIT / 2, "it needs").unwrap();
        let mut text = foremost.part();
        assert!(text.grow_to(FILE_LIMIT, "it needs").is_err());
        drop(window);
        text.grow_to(FILE_LIMIT, "it needs").unwrap();
        let mut third = file(2).part();
        let waiting = thread::spawn(move || {
            third.grow_to(1, "it needs").unwrap();
            third
        });
        thread::sleep(2 * CHECK_INTERVAL);
        assert!(!waiting.is_finished());
        drop(second);
        let third = waiting.join().unwrap();
        assert_eq!(*lock(), 1);
        drop(third);
        assert_eq!(*lock(), 0);
        let mut late = file(1).part();
        late.grow_to(FILE_LIMIT, "it needs").unwrap();
        let mut next = file(2).part();
        let waiting = thread::spawn(move || next.grow_to(1, "it needs"));
        thread::sleep(2 * CHECK_INTERVAL);
        assert!(!waiting.is_finished());
        first_unfinished.store(2, Ordering::Relaxed);
        waiting.join().unwrap().unwrap();
    }
}
