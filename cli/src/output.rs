//! Where a conversion goes: standard output, a pipe or device, or a temporary file that takes OUT's place at the end.

use std::error::Error;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::interrupt;
use crate::report::reason;

/// Links that are followed before they are taken for a circle, as many as Linux follows.
const MOST_LINKS: usize = 40;

/// The output of a conversion.
pub(crate) enum Output {
    Standard(Stdout),
    /// A pipe or a device, or standard output without a buffer: what is written there can't be taken back.
    Straight(File),
    /// A file that isn't there yet, or is as it was, until [`Output::commit`]; dropping this changes nothing.
    Replacement {
        temporary: NamedTempFile,
        target: PathBuf,
        /// The mode of the file that is replaced.
        permissions: Option<Permissions>,
    },
}

impl Output {
    /// What the output is called in messages.
    pub(crate) fn name(path: Option<&Path>) -> &Path {
        path.unwrap_or(Path::new("standard output"))
    }

    /// Opens the output that `-o` names; none, `-` and `/dev/stdout` are standard output.
    pub(crate) fn create(path: Option<&Path>) -> io::Result<Self> {
        match path {
            Some(path) if path.as_os_str() != "-" && path != Path::new("/dev/stdout") => {
                Self::open(path)
            }
            _ => Ok(standard().map_or_else(|| Self::Standard(io::stdout()), Self::Straight)),
        }
    }

    /// Opens a file by what stands at its path, behind all links.
    fn open(path: &Path) -> io::Result<Self> {
        let permissions = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(io::Error::new(io::ErrorKind::IsADirectory, "Is a directory"));
            }
            Ok(found) if found.is_file() => {
                // Renaming would replace a file that may not be written, too: ask first.
                OpenOptions::new().write(true).open(path)?;
                Some(found.permissions())
            }
            Ok(_) => return OpenOptions::new().write(true).open(path).map(Self::Straight),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let Some(target) = behind_links(path)? else {
            let file = OpenOptions::new().write(true).truncate(true).open(path)?;
            return Ok(Self::Straight(file));
        };
        let temporary = temporary_beside(&target, permissions.is_none())?;
        Ok(Self::Replacement { temporary, target, permissions })
    }

    /// Whether dropping this leaves what was there before.
    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self, Self::Replacement { .. })
    }

    /// Ends the output: what was written is there, under its name.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self {
            Self::Standard(mut out) => out.flush(),
            Self::Straight(_) => Ok(()),
            Self::Replacement { temporary, target, permissions } => {
                if let Some(permissions) = permissions {
                    temporary.as_file().set_permissions(permissions)?;
                }
                temporary.persist(target).map(drop).map_err(|error| error.error)
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Straight(file) => file.write(bytes),
            Self::Replacement { temporary, .. } => temporary.as_file_mut().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Straight(_) | Self::Replacement { .. } => Ok(()),
        }
    }
}

/// Which side of the work failed, so that the message names its file.
pub(crate) enum Failure {
    Reading(io::Error),
    Writing(io::Error),
}

/// Forgives a closed pipe: behind an error in the text, that error is what is left to be told.
pub(crate) fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Standard output as a file, without the buffer that the standard library has for its lines.
#[cfg(unix)]
fn standard() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn standard() -> Option<File> {
    None
}

/// The path that `path` leads to, whether or not anything is there.
///
/// `None` where it leads through `/proc`, as `/dev/fd/3` does: what a descriptor has open is not replaced by its name.
fn behind_links(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        if !is_link {
            return Ok(Some(path));
        }
        if fs::canonicalize(directory(&path))?.starts_with("/proc") {
            return Ok(None);
        }
        // The link's own directory is where a relative one begins.
        path = directory(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many links"))
}

/// The directory that `path` is in.
fn directory(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A temporary file in the directory of `target`, so that renaming it needs no copy.
///
/// Where it takes nobody's place it gets the mode of any new file; else nobody else may read it until it has the mode of
/// the file it replaces.
fn temporary_beside(target: &Path, is_new: bool) -> io::Result<NamedTempFile> {
    let directory = directory(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".utflane-");
    #[cfg(unix)]
    if is_new {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(Permissions::from_mode(0o666)); // less the umask
    }
    #[cfg(not(unix))]
    let _ = is_new;
    interrupt::temporary(|| builder.tempfile_in(directory)).map_err(|error| {
        let (kind, directory) = (error.kind(), directory.display());
        // The system's words are those of an error inside.
        let words = error.source().map_or_else(|| kind.to_string(), |inside| reason(&inside));
        io::Error::new(kind, format!("no temporary file can be made in {directory}: {words}"))
    })
}
