//! The output of a conversion: standard output, a pipe or device, or a temporary file that replaces
//! OUT at the end.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::identity::Identity;
use crate::marks::MarkFilter;
use crate::replacement::{Replacement, Target, directory};
use crate::streams::StandardOutput;

/// The number of links to follow before they count as a cycle, as in Linux.
const MAX_LINKS: usize = 40;

/// The output of a conversion.
pub(crate) struct Output {
    sink: Sink,
    /// Removes byte order marks from the output.
    marks: Option<MarkFilter>,
}

enum Sink {
    Standard(StandardOutput),
    /// A pipe or a device. Written bytes can't be taken back.
    Direct(File),
    Replacement(Replacement),
}

/// The state of a complete output.
pub(crate) enum Finished {
    /// The text has been written.
    Written,
    /// The file already has this text, and was not touched.
    Unchanged,
    /// The file waits to be renamed.
    Pending(Replacement),
}

impl Output {
    /// Returns the name of the output in messages.
    pub(crate) fn name(path: Option<&Path>) -> &Path {
        path.filter(|path| !is_standard(path)).unwrap_or(Path::new("standard output"))
    }

    /// Opens the output that `-o` names. Without a name, and for `-` and `/dev/stdout`, this is
    /// standard output.
    ///
    /// # Errors
    ///
    /// If the output can't be opened, or if it is the file `input` and would be written while this
    /// file is read.
    pub(crate) fn create(path: Option<&Path>, input: Option<Identity>) -> io::Result<Self> {
        let sink = match path {
            Some(path) if !is_standard(path) => open(path, input)?,
            _ => {
                let output = StandardOutput::open()?;
                if let Some(file) = output.file() {
                    refuse_input(file, input)?;
                }
                Sink::Standard(output)
            }
        };
        Ok(Self { sink, marks: None })
    }

    /// Writes to `file` directly.
    #[cfg(test)]
    pub(crate) fn direct(file: File) -> Self {
        Self { sink: Sink::Direct(file), marks: None }
    }

    /// Removes all byte order marks from the output from now on.
    pub(crate) fn strip_marks(&mut self, marks: MarkFilter) {
        self.marks = Some(marks);
    }

    /// Returns true if dropping this output leaves the old file unchanged.
    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self.sink, Sink::Replacement(_))
    }

    /// Completes the output. If the output replaces `input` and has the same text, the file is not
    /// touched.
    pub(crate) fn finish(mut self, input: Option<Identity>) -> io::Result<Finished> {
        if let Some(mut marks) = self.marks.take() {
            self.sink.write_all(marks.held())?;
        }
        match self.sink {
            Sink::Standard(mut out) => out.flush().map(|()| Finished::Written),
            Sink::Direct(_) => Ok(Finished::Written),
            Sink::Replacement(mut replacement) => match replacement.changes_nothing(input)? {
                true => Ok(Finished::Unchanged),
                false => Ok(Finished::Pending(replacement)),
            },
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.marks {
            None => self.sink.write(bytes),
            Some(marks) => {
                marks.filter(bytes, |kept| self.sink.write_all(kept))?;
                Ok(bytes.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Direct(file) => file.write(bytes),
            Self::Replacement(replacement) => replacement.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Direct(_) | Self::Replacement(_) => Ok(()),
        }
    }
}

/// Opens the file that `path` and its links lead to.
fn open(path: &Path, input: Option<Identity>) -> io::Result<Sink> {
    let Some(target) = resolve_links(path)? else {
        let file = OpenOptions::new().write(true).open(path)?;
        refuse_input(&file, input)?;
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        return Ok(Sink::Direct(file));
    };
    Ok(match Replacement::begin(target)? {
        Target::File(replacement) => Sink::Replacement(replacement),
        Target::Device(file) => Sink::Direct(file),
    })
}

/// Returns true if `-o` names standard output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// The side of a conversion that failed. The message names the file on this side.
pub(crate) enum Failure {
    Reading(io::Error),
    Writing(io::Error),
}

/// Returns `Ok(None)` if the pipe was closed. The caller reports an error in the text instead.
pub(crate) fn ignore_closed_pipe<T>(written: io::Result<T>) -> io::Result<Option<T>> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        written => written.map(Some),
    }
}

/// Fails if `file` is the `input`: it would be written while it is read.
fn refuse_input(file: &File, input: Option<Identity>) -> io::Result<()> {
    if input.is_some() && Identity::from_metadata(&file.metadata()?) == input {
        return Err(io::Error::other("it is the file that is read: use -o FILE to replace it"));
    }
    Ok(())
}

/// Returns the path of the file that is replaced if `path` is written, as far as this is known. If
/// two paths lead to one file, the results are equal.
pub(crate) fn destination(path: &Path) -> PathBuf {
    let target = resolve_links(path).ok().flatten().unwrap_or(path.into());
    match (fs::canonicalize(&target), fs::canonicalize(directory(&target)), target.file_name()) {
        (Ok(path), ..) => path,
        // The file doesn't exist yet.
        (_, Ok(directory), Some(name)) => directory.join(name),
        _ => target,
    }
}

/// Returns the path that the links at `path` lead to, even if no file exists there.
///
/// Returns `None` if they lead through `/proc`, as `/dev/fd/3` does: the file of a descriptor is
/// written, not replaced.
fn resolve_links(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let Some(link) = fs::symlink_metadata(&path).ok().filter(Metadata::is_symlink) else {
            return Ok(Some(path));
        };
        let directory = directory(&path);
        refuse_foreign_link(&link, directory)?;
        if fs::canonicalize(directory)?.starts_with("/proc") {
            return Ok(None);
        }
        // The target of a relative link begins at the directory of the link.
        path = directory.join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many links"))
}

/// Fails if `link` belongs to another user and is in a directory where everybody may create links,
/// such as `/tmp`.
///
/// Linux refuses the same links when it follows them itself, if `fs.protected_symlinks` is set.
/// Other users can't exchange any other link in such a directory, so the caller reads the link that
/// was checked here.
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
