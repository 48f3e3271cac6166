//! The identity of an open file, independent of its name.

use std::fs::Metadata;

/// The identity of a regular file. All names and descriptors of a file share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns the identity of a regular file. Returns `None` for pipes and devices: these may be
    /// read and written at the same time.
    #[cfg(unix)]
    pub(crate) fn from_metadata(found: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        found.is_file().then(|| Self { device: found.dev(), inode: found.ino() })
    }

    /// Returns `None`: on other systems the standard library has no identity of a file.
    #[cfg(not(unix))]
    pub(crate) fn from_metadata(_: &Metadata) -> Option<Self> {
        None
    }
}
