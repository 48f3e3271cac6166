//! The output of a conversion: standard output, a pipe or device, or a temporary file that replaces
//! OUT at the end.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::identity::Identity;
use crate::interrupt;
use crate::name;
use crate::report::reason;
use crate::streams;

/// The number of links to follow before they count as a cycle, as in Linux.
const MOST_LINKS: usize = 40;

/// The output of a conversion.
pub(crate) enum Output {
    Standard(Stdout),
    /// A pipe, a device, or standard output without a buffer. Written bytes can't be taken back.
    Direct(File),
    /// A file that is created or replaced by [`Output::commit`]. Dropping this changes nothing.
    Replacement {
        temporary: NamedTempFile,
        target: PathBuf,
        /// Owner, group and mode of the file that is replaced.
        replaced: Option<Box<Metadata>>,
    },
}

impl Output {
    /// The name of the output in messages.
    pub(crate) fn name(path: Option<&Path>) -> &Path {
        path.filter(|path| !is_standard(path)).unwrap_or(Path::new("standard output"))
    }

    /// Opens the output that `-o` names; none, `-` and `/dev/stdout` are standard output.
    ///
    /// # Errors
    ///
    /// If it can't be opened, or if it is `input` and would be written while that is read.
    pub(crate) fn create(path: Option<&Path>, input: Option<Identity>) -> io::Result<Self> {
        match path {
            Some(path) if !is_standard(path) => Self::open(path, input),
            _ => {
                streams::check_output()?;
                let Some(file) = standard() else { return Ok(Self::Standard(io::stdout())) };
                refuse_input(&file, input)?;
                Ok(Self::Direct(file))
            }
        }
    }

    /// Opens the file that `path` leads to.
    fn open(path: &Path, input: Option<Identity>) -> io::Result<Self> {
        let Some(target) = resolve_links(path)? else {
            let file = OpenOptions::new().write(true).open(path)?;
            refuse_input(&file, input)?;
            if file.metadata()?.is_file() {
                file.set_len(0)?;
            }
            return Ok(Self::Direct(file));
        };
        // Renaming would replace a file that may not be written, too: opening asks for permission.
        let replaced = match open_itself(&target) {
            Ok(file) => {
                let found = file.metadata()?;
                if !found.is_file() {
                    return Ok(Self::Direct(file));
                }
                Some(Box::new(found))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let temporary = temporary_beside(&target, replaced.is_none())?;
        Ok(Self::Replacement { temporary, target, replaced })
    }

    /// Whether dropping this leaves the old file.
    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self, Self::Replacement { .. })
    }

    /// Completes the output under its name.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self {
            Self::Standard(mut out) => out.flush(),
            Self::Direct(_) => Ok(()),
            Self::Replacement { temporary, target, replaced } => {
                if let Some(replaced) = &replaced {
                    copy_access(replaced, temporary.as_file())?;
                }
                // After a crash, the new name must not lead to a file without its text.
                temporary.as_file().sync_all()?;
                match replaced {
                    Some(_) => temporary.persist(target).map(drop).map_err(|error| error.error),
                    None => place_new(temporary, &target),
                }
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Direct(file) => file.write(bytes),
            Self::Replacement { temporary, .. } => temporary.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Direct(_) | Self::Replacement { .. } => Ok(()),
        }
    }
}

/// Gives `file` the owner, group and mode of the file that it replaces.
///
/// Only a privileged process may give a file away. Where the owner or the group cannot be kept, the
/// mode must not grant the new ones anything that was meant for the old ones.
#[cfg(unix)]
fn copy_access(replaced: &Metadata, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let (owner, group) = (replaced.uid(), replaced.gid());
    if fchown(file, Some(owner), Some(group)).is_err() {
        // The owner of a file may give it to another of the user's groups. The result is read from
        // the file.
        let _ = fchown(file, None, Some(group));
    }
    let now = file.metadata()?;
    let mode = kept_mode(replaced.mode(), now.uid() == owner, now.gid() == group);
    // A change of the owner clears these bits, so the mode comes last.
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn copy_access(replaced: &Metadata, file: &File) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// The bits of `mode` that a file may have whose owner or group is another one.
#[cfg(unix)]
fn kept_mode(mode: u32, same_owner: bool, same_group: bool) -> u32 {
    let mode = mode & 0o7777;
    match (same_owner, same_group) {
        (true, true) => mode,
        (false, true) => mode & !0o6000,
        (_, false) => {
            // Members of the new group were among the others before, and members of the old group
            // are among them now: neither gets more than both had.
            let both = mode >> 3 & mode & 0o7;
            mode & 0o1700 | both << 3 | both
        }
    }
}

/// Whether `-o` names standard output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// The side that failed: the message names its file.
pub(crate) enum Failure {
    Reading(io::Error),
    Writing(io::Error),
}

/// Ignores a closed pipe after an error in the text: the error in the text is reported instead.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Standard output as a file, without the standard library's line buffer.
#[cfg(unix)]
fn standard() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn standard() -> Option<File> {
    None
}

/// Fails if `file` is the `input`: it would be written while it is read.
fn refuse_input(file: &File, input: Option<Identity>) -> io::Result<()> {
    if input.is_some() && Identity::of(&file.metadata()?) == input {
        return Err(io::Error::other("it is the file that is read: use -o FILE to replace it"));
    }
    Ok(())
}

/// Gives a finished file its name, if that is free.
///
/// # Errors
///
/// If another program has created a file of that name since the conversion began.
fn place_new(temporary: NamedTempFile, target: &Path) -> io::Result<()> {
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
        // Some file systems have neither such a rename nor hard links. An empty file holds the name
        // there.
        Err(error) => {
            File::create_new(target).map_err(exists)?;
            error.file.persist(target).map(drop).map_err(|error| {
                let _ = fs::remove_file(target);
                error.error
            })
        }
    }
}

/// The file that is replaced where `path` is written, as far as that is known: two paths that lead
/// to one file are equal here.
pub(crate) fn destination(path: &Path) -> PathBuf {
    let target = resolve_links(path).ok().flatten().unwrap_or(path.into());
    match (fs::canonicalize(&target), fs::canonicalize(directory(&target)), target.file_name()) {
        (Ok(path), ..) => path,
        // It doesn't exist yet.
        (_, Ok(directory), Some(name)) => directory.join(name),
        _ => target,
    }
}

/// The path that the links at `path` lead to, whether or not a file exists there.
///
/// Returns `None` if they lead through `/proc`, as `/dev/fd/3` does: the file of a descriptor is
/// written, not replaced.
fn resolve_links(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Some(link) = fs::symlink_metadata(&path).ok().filter(Metadata::is_symlink) else {
            return Ok(Some(path));
        };
        let directory = directory(&path);
        refuse_foreign_link(&link, directory)?;
        if fs::canonicalize(directory)?.starts_with("/proc") {
            return Ok(None);
        }
        // A relative link begins in its own directory.
        path = directory.join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many links"))
}

/// Fails if `link` belongs to another user and stands in a directory where everybody may create
/// one, as in `/tmp`.
///
/// Linux does the same for links that it follows itself, if `fs.protected_symlinks` is set. No
/// other user can exchange any other link in such a directory, so the caller reads this one.
#[cfg(unix)]
fn refuse_foreign_link(link: &Metadata, directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    const STICKY_AND_WRITABLE: u32 = 0o1002;
    let found = fs::metadata(directory)?;
    let is_shared = found.mode() & STICKY_AND_WRITABLE == STICKY_AND_WRITABLE;
    let trusted = [found.uid(), rustix::process::geteuid().as_raw()];
    if is_shared && !trusted.contains(&link.uid()) {
        let reason = "a link that another user made in a shared directory is not followed";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_foreign_link(_: &Metadata, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens a file for writing, and fails if `path` is a link.
fn open_itself(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options.write(true).open(path)
}

/// The directory of `path`.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// Creates a temporary file in the directory of `target`, so that it can be renamed.
///
/// A file with a new name gets the usual mode. A file that replaces another is private until it
/// gets the mode of that one.
fn temporary_beside(target: &Path, is_new: bool) -> io::Result<NamedTempFile> {
    let directory = directory(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".utflane-");
    #[cfg(unix)]
    if is_new {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less the umask
    }
    #[cfg(not(unix))]
    let _ = is_new;
    interrupt::temporary(|| builder.tempfile_in(directory)).map_err(|error| {
        let (kind, words) = (error.kind(), reason(&error));
        // The name of OUT says enough about a directory that is missing.
        let words = match kind {
            io::ErrorKind::NotFound => words,
            _ => format!("can't create a temporary file in {}: {words}", name::shown(directory)),
        };
        io::Error::new(kind, words)
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn nobody_new_gets_more_than_before() {
        for (mode, owner, group, kept) in [
            (0o106755, true, true, 0o6755),
            (0o106755, false, true, 0o755),
            (0o106755, true, false, 0o755),
            (0o106755, false, false, 0o755),
            (0o100660, true, false, 0o600),
            (0o100664, false, false, 0o644),
            (0o100604, true, false, 0o600),
            (0o102770, true, false, 0o700),
        ] {
            assert_eq!(kept_mode(mode, owner, group), kept, "{mode:o} {owner} {group}");
        }
    }
}
