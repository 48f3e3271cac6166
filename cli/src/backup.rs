//! Keeps the old file under another name before it is replaced.

use std::ffi::OsString;
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::{access, name};

/// Returns the name of the backup of `target`.
pub(crate) fn path(target: &Path, suffix: &str) -> PathBuf {
    let mut path: OsString = target.into();
    path.push(suffix);
    path.into()
}

/// Fails if there is a file named `backup`.
pub(crate) fn refuse_existing(backup: &Path) -> io::Result<()> {
    match fs::symlink_metadata(backup) {
        Ok(_) => Err(exists(backup)),
        Err(_) => Ok(()),
    }
}

/// Gives `target` the second name `backup`, so that the old text stays when `target` is replaced.
/// If the file system has no hard links, writes a copy; `create` creates a temporary file for it.
///
/// # Errors
///
/// If there is a file named `backup`, which then stays as it is.
pub(crate) fn keep(
    target: &Path,
    backup: &Path,
    create: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<()> {
    match fs::hard_link(target, backup) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(backup)),
        Err(_) => copy(target, backup, create()?),
    }
}

/// Writes a copy of `target`, with its rights and times, to `temporary`, and renames it.
fn copy(target: &Path, backup: &Path, mut temporary: NamedTempFile) -> io::Result<()> {
    let mut old = File::open(target)?;
    let found = old.metadata()?;
    io::copy(&mut old, temporary.as_file_mut())?;
    access::copy(&old, temporary.as_file())?;
    let times = FileTimes::new().set_accessed(found.accessed()?).set_modified(found.modified()?);
    temporary.as_file().set_times(times)?;
    temporary.as_file().sync_all()?;
    match temporary.persist_noclobber(backup) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(exists(backup)),
        Err(error) => Err(error.error),
    }
}

fn exists(backup: &Path) -> io::Error {
    let words = format!(
        "its backup {} exists already: remove it, or name another SUFFIX",
        name::escape(backup)
    );
    io::Error::new(io::ErrorKind::AlreadyExists, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    /// The file system of the tests has hard links, so the copy is tested here.
    #[test]
    fn a_copy_has_the_text_and_the_times() {
        let directory = tempfile::tempdir().unwrap();
        let (target, backup) = (directory.path().join("a"), directory.path().join("a.bak"));
        fs::write(&target, "text").unwrap();
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        File::options().write(true).open(&target).unwrap().set_modified(long_ago).unwrap();
        let temporary = || NamedTempFile::new_in(directory.path()).unwrap();
        copy(&target, &backup, temporary()).unwrap();
        assert_eq!(fs::read(&backup).unwrap(), b"text");
        let found = fs::metadata(&backup).unwrap();
        assert_eq!(found.modified().unwrap(), long_ago);
        assert_eq!(found.permissions(), fs::metadata(&target).unwrap().permissions());
        fs::write(&backup, "other").unwrap();
        let refused = copy(&target, &backup, temporary()).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&backup).unwrap(), b"other");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
