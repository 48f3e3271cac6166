//! Limits the memory for the text of compressed files. All files that are read at once share one
//! limit.
//!
//! A thread may wait for its file's turn to write while it holds memory. So the first unfinished
//! file never waits: it has a limit of its own, and all other files share another limit.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The largest memory for one file, and for all files together that wait for their turn, in bytes.
pub(crate) const LIMIT: u64 = 256 << 20;

/// The time after which a waiting thread checks again if its file is the first.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The memory held by files that are not the first, in bytes.
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

/// Memory of one file, which is released when this is dropped.
pub(crate) struct Memory {
    turn: Turn,
    bytes: u64,
    /// The part that counts in [`SHARED`].
    shared: u64,
}

impl Memory {
    /// Returns the memory of a file that holds none yet.
    pub(crate) fn new(turn: Turn) -> Self {
        Self { turn, bytes: 0, shared: 0 }
    }

    /// Takes more memory, if needed, until this file has `bytes`. Waits until other files release
    /// enough.
    ///
    /// # Errors
    ///
    /// If `bytes` is more than a file may take. The message begins with `what`.
    pub(crate) fn grow_to(&mut self, bytes: u64, what: &str) -> io::Result<()> {
        if bytes > LIMIT {
            let words = format!(
                "{what} {} MiB of memory, which is more than the limit of {} MiB",
                bytes.div_ceil(1 << 20),
                LIMIT >> 20
            );
            return Err(io::Error::new(io::ErrorKind::OutOfMemory, words));
        }
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let mut shared = lock();
        while !self.turn.is_first() {
            if *shared + more <= LIMIT {
                *shared += more;
                self.shared += more;
                break;
            }
            let waited = RELEASED.wait_timeout(shared, CHECK_INTERVAL);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        self.bytes = bytes;
        Ok(())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.shared > 0 {
            *lock() -= self.shared;
            RELEASED.notify_all();
        }
    }
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
        let turn = |index| Turn { first_unfinished: Arc::clone(&first_unfinished), index };
        let mut second = Memory::new(turn(1));
        second.grow_to(LIMIT / 2, "it needs").unwrap();
        second.grow_to(LIMIT, "it needs").unwrap();
        assert_eq!(*lock(), LIMIT);
        let mut foremost = Memory::new(turn(0));
        foremost.grow_to(LIMIT, "it needs").unwrap();
        let too_much = foremost.grow_to(LIMIT + 1, "the text needs").unwrap_err().to_string();
        assert_eq!(
            too_much,
            "the text needs 257 MiB of memory, which is more than the limit of 256 MiB"
        );
        let mut third = Memory::new(turn(2));
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
        let mut late = Memory::new(turn(1));
        late.grow_to(LIMIT, "it needs").unwrap();
        let mut next = Memory::new(turn(2));
        let waiting = thread::spawn(move || next.grow_to(1, "it needs"));
        thread::sleep(2 * CHECK_INTERVAL);
        assert!(!waiting.is_finished());
        first_unfinished.store(2, Ordering::Relaxed);
        waiting.join().unwrap().unwrap();
    }
}
