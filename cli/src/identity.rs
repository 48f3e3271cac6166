//! The identity of an open file, independent of its name, and the state in which it was opened.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// The identity of a regular file. All names and descriptors of a file share it, so two of them are
/// equal even if the file has changed between them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
    state: State,
}

/// The state of a file, which changes when the file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    len: u64,
    modified: Option<SystemTime>,
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

impl Eq for Identity {}

impl Identity {
    /// Returns the identity of a regular file. Returns `None` for pipes and devices: these may be
    /// read and written at the same time.
    #[cfg(unix)]
    pub(crate) fn from_metadata(found: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let state = State { len: found.len(), modified: found.modified().ok() };
        found.is_file().then(|| Self { device: found.dev(), inode: found.ino(), state })
    }

    /// Returns `None`: on other systems the standard library has no identity of a file.
    #[cfg(not(unix))]
    pub(crate) fn from_metadata(_: &Metadata) -> Option<Self> {
        None
    }

    /// Returns true if `path` is still the name of this file, which has not been written since.
    pub(crate) fn is_unchanged(&self, path: &Path) -> bool {
        let found = path.symlink_metadata().ok().and_then(|found| Self::from_metadata(&found));
        found.is_some_and(|found| found == *self && found.state == self.state)
    }
}
