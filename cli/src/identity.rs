//! The identity of an open file, independent of its name.

use std::fs::Metadata;

/// The identity of a regular file. All names and descriptors of a file share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns `None` for pipes and devices: these may be read and written at once.
    #[cfg(unix)]
    pub(crate) fn of(found: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        found.is_file().then(|| Self { device: found.dev(), inode: found.ino() })
    }

    /// The standard library has no identity elsewhere.
    #[cfg(not(unix))]
    pub(crate) fn of(_: &Metadata) -> Option<Self> {
        None
    }
}
