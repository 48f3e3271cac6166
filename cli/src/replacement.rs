//! Writes a file under a temporary name, and renames it when all of its text is on the disk.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tempfile::NamedTempFile;

use crate::identity::Identity;
use crate::report::reason;
use crate::{access, backup, interrupt, name};

/// The largest number of files that are synced together. Each file takes a descriptor.
const GROUP_FILES: usize = 512;

/// The approximate number of bytes in the files that are synced together. A disk writes them in
/// less than a second.
pub(crate) const GROUP_BYTES: u64 = 64 << 20;

/// The largest number of threads that wait for the disk. A file system writes its journal once for
/// all waiting threads.
const SYNC_THREADS: usize = 16;

/// The message about a file that must not be replaced any more.
const CHANGED: &str = "it was changed by another program in the meantime: run utflane again";

/// The number of bytes that are compared at once.
const COMPARED_BYTES: usize = 64 * 1024;

/// Options for replacing a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplaceOptions {
    /// True if nothing is written.
    pub(crate) dry_run: bool,
    /// The end of the name under which the old file is kept.
    pub(crate) backup: Option<String>,
}

/// A file that is created or replaced by [`Group::commit`]. Dropping this changes nothing.
pub(crate) struct Replacement {
    text: NewText,
    target: PathBuf,
    /// The file that is replaced, if there is one. It is opened when the new text differs.
    replaced: Option<File>,
    /// The file that is replaced, as it was when it was opened or read.
    old: Option<Identity>,
    options: ReplaceOptions,
}

/// The new text of a file, as far as it has been written.
enum NewText {
    /// It is the beginning of the old text.
    Same(Comparison),
    Temporary(NamedTempFile),
    /// It differs from the old text, and is written nowhere.
    Discarded,
}

/// The replacement of a target, or a target that is not a regular file.
pub(crate) enum Target {
    File(Replacement),
    /// A pipe or a device, open for writing.
    Device(File),
}

impl Replacement {
    /// Begins to replace or to create `target`, which is not a link. If the target is the file
    /// `input`, a temporary file is created only when the new text differs from the old text.
    pub(crate) fn begin(
        target: PathBuf,
        input: Option<Identity>,
        options: &ReplaceOptions,
    ) -> io::Result<Target> {
        let (same, replaced) = match Comparison::begin(&target, input)? {
            Some(comparison) => (Some(comparison), None),
            // A rename would even replace a file that may not be written, so opening the file
            // checks the permission.
            None => match open_without_following(&target) {
                Ok(file) if !file.metadata()?.is_file() => return Ok(Target::Device(file)),
                Ok(file) => (None, Some(file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => (None, None),
                Err(error) => return Err(error),
            },
        };
        let is_same = same.is_some();
        let metadata = replaced.as_ref().map(File::metadata).transpose()?;
        let old = if is_same { input } else { metadata.as_ref().and_then(Identity::from_metadata) };
        let text = same.map_or(NewText::Discarded, NewText::Same);
        let mut replacement = Self { text, target, replaced, old, options: options.clone() };
        if !is_same {
            replacement.write_from_here()?;
        }
        Ok(Target::File(replacement))
    }

    /// Creates the temporary file, with the text so far.
    fn write_from_here(&mut self) -> io::Result<()> {
        if matches!(self.text, NewText::Same(_)) {
            self.replaced = Some(open_without_following(&self.target)?);
        }
        if self.options.dry_run {
            self.text = NewText::Discarded;
            return refuse_read_only(directory(&self.target));
        }
        let mut temporary = create_temporary_beside(&self.target, self.replaced.is_none())?;
        if let NewText::Same(comparison) = &mut self.text {
            comparison.copy_text(temporary.as_file_mut())?;
        }
        self.text = NewText::Temporary(temporary);
        Ok(())
    }

    /// Ends the text. Returns false if the old file has this text. Otherwise the replacement can be
    /// added to a group.
    ///
    /// # Errors
    ///
    /// If there is a file that has the name of the backup.
    pub(crate) fn finish(&mut self) -> io::Result<bool> {
        if let NewText::Same(comparison) = &mut self.text {
            if comparison.is_at_end()? {
                return Ok(false);
            }
            self.write_from_here()?;
        }
        if let (Some(backup), Some(_)) = (self.backup(), &self.replaced) {
            backup::refuse_existing(&backup)?;
        }
        Ok(true)
    }

    /// Gives a complete replacement the access rights of the old file. Returns `None` if nothing is
    /// written. `job` is the index of the job.
    pub(crate) fn complete(self, job: usize) -> io::Result<Option<PendingFile>> {
        let backup = self.backup();
        let Self { text, target, replaced, old, .. } = self;
        let NewText::Temporary(temporary) = text else { return Ok(None) };
        if let Some(replaced) = &replaced {
            access::copy(replaced, temporary.as_file())?;
        }
        begin_to_write(temporary.as_file());
        let bytes = temporary.as_file().metadata()?.len();
        let is_new = replaced.is_none();
        Ok(Some(PendingFile { job, temporary, target, is_new, old, backup, bytes }))
    }

    /// Returns the name of the backup, if one is made.
    fn backup(&self) -> Option<PathBuf> {
        self.options.backup.as_ref().map(|suffix| backup::path(&self.target, suffix))
    }

    /// Returns the note if the file that is replaced has other hard links.
    pub(crate) fn note_about_links(&self) -> Option<&'static str> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let replaced = self.replaced.as_ref()?.metadata().ok()?;
            (replaced.nlink() > 1).then_some(match self.options.dry_run {
                true => "its other hard links would keep the old text",
                false => "its other hard links keep the old text",
            })
        }
        #[cfg(not(unix))]
        None
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let NewText::Same(comparison) = &mut self.text {
            if comparison.matches(bytes)? {
                return Ok(bytes.len());
            }
            self.write_from_here()?;
        }
        match &mut self.text {
            NewText::Temporary(temporary) => temporary.as_file_mut().write(bytes),
            NewText::Same(_) | NewText::Discarded => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compares a new text with the old text of a file.
struct Comparison {
    old: File,
    /// The number of bytes that are equal.
    len: u64,
    buffer: Vec<u8>,
}

impl Comparison {
    /// Begins to compare with the text of `target`, if it is the file `input` and not a link.
    fn begin(target: &Path, input: Option<Identity>) -> io::Result<Option<Self>> {
        let is_input =
            |found: &Metadata| input.is_some() && Identity::from_metadata(found) == input;
        if !target.symlink_metadata().is_ok_and(|found| is_input(&found)) {
            return Ok(None);
        }
        // A file that may be written but not read can't be compared.
        let Ok(old) = File::open(target) else { return Ok(None) };
        let is_input = is_input(&old.metadata()?);
        Ok(is_input.then(|| Self { old, len: 0, buffer: vec![0; COMPARED_BYTES] }))
    }

    /// Returns true if the old text continues with `bytes`. Afterwards it is compared further on.
    fn matches(&mut self, bytes: &[u8]) -> io::Result<bool> {
        for part in bytes.chunks(COMPARED_BYTES) {
            let read = read_full(&mut self.old, &mut self.buffer[..part.len()])?;
            if self.buffer[..read] != *part {
                return Ok(false);
            }
        }
        self.len += bytes.len() as u64;
        Ok(true)
    }

    /// Returns true if the old text ends here.
    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(read_full(&mut self.old, &mut self.buffer[..1])? == 0)
    }

    /// Writes the text that is equal to `file`.
    fn copy_text(&mut self, file: &mut File) -> io::Result<()> {
        if self.len == 0 {
            return Ok(());
        }
        self.old.rewind()?;
        match io::copy(&mut (&self.old).take(self.len), file)? == self.len {
            true => Ok(()),
            false => Err(io::Error::other(CHANGED)),
        }
    }
}

/// Fails if no file can be created in a directory.
fn refuse_read_only(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use rustix::fs::{Access, access};
        let created = access(directory, Access::WRITE_OK | Access::EXEC_OK);
        created.map_err(|error| cannot_create_in(directory, &error.into()))
    }
    #[cfg(not(unix))]
    fs::metadata(directory).map(drop)
}

/// Replacements that are synced together, each with the index of its job.
#[derive(Default)]
pub(crate) struct Group {
    files: Vec<PendingFile>,
    bytes: u64,
}

/// A complete file that waits to be renamed.
pub(crate) struct PendingFile {
    job: usize,
    temporary: NamedTempFile,
    target: PathBuf,
    is_new: bool,
    /// The file that is replaced, as it was when it was opened or read.
    old: Option<Identity>,
    backup: Option<PathBuf>,
    bytes: u64,
}

impl Group {
    /// Adds a complete file.
    pub(crate) fn add(&mut self, file: PendingFile) {
        self.bytes += file.bytes;
        self.files.push(file);
    }

    /// Returns true if the files should be committed before other files are added.
    pub(crate) fn is_full(&self) -> bool {
        self.files.len() >= GROUP_FILES || self.bytes >= GROUP_BYTES
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
        for file in files {
            let job = file.job;
            let renamed = synced.remove(&job).map_or_else(|| file.rename(), Err);
            failures.extend(renamed.err().map(|error| (job, error)));
        }
        failures
    }
}

impl PendingFile {
    /// Keeps the old file, if it has a backup, and renames the new file.
    ///
    /// # Errors
    ///
    /// If another program has written, replaced, moved or deleted the old file.
    fn rename(self) -> io::Result<()> {
        let Self { temporary, target, is_new, old, backup, .. } = self;
        if is_new {
            return rename_to_new(temporary, &target);
        }
        if old.is_some_and(|old| !old.is_unchanged(&target)) {
            return Err(io::Error::other(CHANGED));
        }
        if let Some(backup) = &backup {
            backup::keep(&target, backup, || create_temporary_beside(&target, false))?;
        }
        temporary.persist(&target).map(drop).map_err(|error| {
            if let Some(backup) = backup {
                // The old file still has its name.
                let _ = fs::remove_file(backup);
            }
            add_advice(error.error)
        })
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

/// Begins to write a complete file to the disk, and does not wait for it. When the group is synced,
/// the disk has most texts already, and one write of the journal serves all of them.
fn begin_to_write(file: &File) {
    // The kernel begins to write pages before it drops them.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = file;
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
        io::ErrorKind::AlreadyExists => io::Error::new(
            error.kind(),
            "it was created by another program in the meantime: run utflane again to replace it",
        ),
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
        // If the directory is missing, the name of OUT in the message is enough.
        match error.kind() {
            io::ErrorKind::NotFound => io::Error::new(error.kind(), reason(&error)),
            _ => cannot_create_in(directory, &error),
        }
    })
}

/// Returns `error`, with words about the directory in which no temporary file can be created.
fn cannot_create_in(directory: &Path, error: &io::Error) -> io::Error {
    let words =
        format!("can't create a temporary file in {}: {}", name::escape(directory), reason(error));
    io::Error::new(error.kind(), words)
}

/// Returns the directory of `path`.
pub(crate) fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(all(test, unix))]
mod tests;
