//! Writes a file under a temporary name, and renames it when all of its text is on the disk.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tempfile::NamedTempFile;

use crate::identity::Identity;
use crate::report::reason;
use crate::{access, interrupt, name};

/// The largest number of files that are synced together. Each file takes a descriptor.
const GROUP_FILES: usize = 64;

/// The approximate number of bytes in the files that are synced together. A disk writes them in
/// less than a second.
pub(crate) const GROUP_BYTES: u64 = 64 << 20;

/// The largest number of threads that wait for the disk. A file system writes its journal once for
/// all waiting threads.
const SYNC_THREADS: usize = 16;

/// The number of bytes that are compared at once.
const COMPARED_BYTES: usize = 64 * 1024;

/// A file that is created or replaced by [`Group::commit`]. Dropping this changes nothing.
pub(crate) struct Replacement {
    temporary: NamedTempFile,
    target: PathBuf,
    /// The file that is replaced, if there is one.
    replaced: Option<File>,
}

/// The replacement of a target, or a target that is not a regular file.
pub(crate) enum Target {
    File(Replacement),
    /// A pipe or a device, open for writing.
    Device(File),
}

impl Replacement {
    /// Begins to replace or to create `target`, which is not a link.
    pub(crate) fn begin(target: PathBuf) -> io::Result<Target> {
        // A rename would even replace a file that may not be written, so opening the file checks
        // the permission.
        let replaced = match open_without_following(&target) {
            Ok(file) if !file.metadata()?.is_file() => return Ok(Target::Device(file)),
            Ok(file) => Some(file),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let temporary = create_temporary_beside(&target, replaced.is_none())?;
        Ok(Target::File(Self { temporary, target, replaced }))
    }

    /// Returns the file to write.
    pub(crate) fn file(&mut self) -> &mut File {
        self.temporary.as_file_mut()
    }

    /// Returns true if the file that is replaced is `input` and already has this text.
    pub(crate) fn changes_nothing(&mut self, input: Option<Identity>) -> io::Result<bool> {
        let Some(replaced) = &self.replaced else { return Ok(false) };
        let found = replaced.metadata()?;
        let new = self.temporary.as_file_mut();
        if input.is_none()
            || Identity::from_metadata(&found) != input
            || found.len() != new.metadata()?.len()
        {
            return Ok(false);
        }
        // A file that may be written but not read can't be compared.
        let Ok(mut old) = File::open(&self.target) else { return Ok(false) };
        if Identity::from_metadata(&old.metadata()?) != input {
            return Ok(false);
        }
        new.rewind()?;
        have_same_text(&mut old, new)
    }

    /// Returns true if the file that is replaced has other hard links, which keep the old text.
    pub(crate) fn leaves_links(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let replaced = self.replaced.as_ref().and_then(|file| file.metadata().ok());
            replaced.is_some_and(|found| found.nlink() > 1)
        }
        #[cfg(not(unix))]
        false
    }
}

/// Replacements that are synced together, each with the index of its job.
#[derive(Default)]
pub(crate) struct Group {
    files: Vec<PendingFile>,
    bytes: u64,
}

/// A complete file that waits to be renamed.
struct PendingFile {
    job: usize,
    temporary: NamedTempFile,
    target: PathBuf,
    is_new: bool,
}

impl Group {
    /// Adds a complete replacement, and gives it the access rights of the old file.
    pub(crate) fn add(&mut self, job: usize, replacement: Replacement) -> io::Result<()> {
        let Replacement { temporary, target, replaced } = replacement;
        if let Some(replaced) = &replaced {
            access::copy(replaced, temporary.as_file())?;
        }
        self.bytes += temporary.as_file().metadata()?.len();
        self.files.push(PendingFile { job, temporary, target, is_new: replaced.is_none() });
        Ok(())
    }

    /// Returns true if the files should be committed before other files are added.
    pub(crate) fn is_full(&self) -> bool {
        self.files.len() >= GROUP_FILES || self.bytes >= GROUP_BYTES
    }

    /// Returns true if no file waits to be renamed.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Syncs and renames all files. Returns the jobs that failed, each by its index and with its
    /// error.
    ///
    /// After a crash, the new name must not lead to a file without its text, so each file is synced
    /// before it is renamed.
    pub(crate) fn commit(&mut self) -> Vec<(usize, io::Error)> {
        let Self { files, .. } = mem::take(self);
        let mut synced = sync_all(&files);
        let mut failures = Vec::new();
        for PendingFile { job, temporary, target, is_new } in files {
            let renamed = synced.remove(&job).map_or(Ok(()), Err).and_then(|()| match is_new {
                true => rename_to_new(temporary, &target),
                false => {
                    temporary.persist(target).map(drop).map_err(|error| add_advice(error.error))
                }
            });
            failures.extend(renamed.err().map(|error| (job, error)));
        }
        failures
    }
}

/// Waits until the files are on the disk. Returns the errors by the index of the job.
fn sync_all(files: &[PendingFile]) -> BTreeMap<usize, io::Error> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = file.temporary.as_file().sync_all() {
                failures.lock().unwrap_or_else(PoisonError::into_inner).insert(file.job, error);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..files.len().min(SYNC_THREADS) {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break; // with fewer threads, the work is only slower
            }
        }
        work();
    });
    failures.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Returns true if an error says that the disk is full, or may say that too many files are open.
pub(crate) fn is_lack_of_space_or_descriptors(error: &io::Error) -> bool {
    use io::ErrorKind::{QuotaExceeded, StorageFull};
    // The error for too many open files has no kind of its own: other errors have the same kind.
    #[cfg(unix)]
    let too_many_files = rustix::io::Errno::MFILE.kind();
    #[cfg(not(unix))]
    let too_many_files = StorageFull;
    [StorageFull, QuotaExceeded, too_many_files].contains(&error.kind())
}

/// Returns the error of a rename. If the target can't be replaced at all, the message has advice.
fn add_advice(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::ResourceBusy => {
            let advice = "it is mounted and can't be replaced: write another file, and copy that \
                          over it (cat NEW > FILE)";
            io::Error::new(error.kind(), format!("{}: {advice}", reason(&error)))
        }
        _ => error,
    }
}

/// Returns true if two files have the same bytes after their positions.
fn have_same_text(one: &mut File, other: &mut File) -> io::Result<bool> {
    let mut buffers = [vec![0; COMPARED_BYTES], vec![0; COMPARED_BYTES]];
    loop {
        let [first, second] = &mut buffers;
        let read = read_full(one, first)?;
        if read != read_full(other, second)? || first[..read] != second[..read] {
            return Ok(false);
        }
        if read == 0 {
            return Ok(true);
        }
    }
}

/// Fills `buffer` as far as the file has bytes, and returns the number of bytes read.
fn read_full(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read(&mut buffer[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

/// Renames a finished file to `target`, if no file has this name.
///
/// # Errors
///
/// If another program has created a file of that name since the conversion began.
fn rename_to_new(temporary: NamedTempFile, target: &Path) -> io::Result<()> {
    let exists = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(error.kind(), "it was created by another program in the meantime")
        }
        _ => error,
    };
    match temporary.persist_noclobber(target) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
            Err(exists(error.error))
        }
        // Some file systems have neither hard links nor a rename that fails if the name is taken.
        // There, an empty file reserves the name.
        Err(error) => {
            File::create_new(target).map_err(exists)?;
            error.file.persist(target).map(drop).map_err(|error| {
                let _ = fs::remove_file(target);
                error.error
            })
        }
    }
}

/// Opens a file for writing, and fails if `path` is a link.
fn open_without_following(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options.write(true).open(path)
}

/// Creates a temporary file in the directory of `target`, so that it can be renamed to `target`.
///
/// A file with a new name gets the usual mode. A file that replaces another file is private until
/// it gets the mode of the old file.
fn create_temporary_beside(target: &Path, is_new: bool) -> io::Result<NamedTempFile> {
    let directory = directory(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".utflane-");
    #[cfg(unix)]
    if is_new {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666)); // minus the umask
    }
    #[cfg(not(unix))]
    let _ = is_new;
    interrupt::create_temporary(|| builder.tempfile_in(directory)).map_err(|error| {
        let (kind, words) = (error.kind(), reason(&error));
        // If the directory is missing, the name of OUT in the message is enough.
        let words = match kind {
            io::ErrorKind::NotFound => words,
            _ => format!("can't create a temporary file in {}: {words}", name::escape(directory)),
        };
        io::Error::new(kind, words)
    })
}

/// Returns the directory of `path`.
pub(crate) fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}
