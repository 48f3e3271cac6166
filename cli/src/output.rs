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
const MOST_LINKS: usize = 40;

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

/// How a complete output ended.
pub(crate) enum Finished {
    Written,
    /// The file has this text already, and was not touched.
    Unchanged,
    /// The file waits to be renamed.
    Pending(Replacement),
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

    /// Returns true if dropping this leaves the old file.
    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self.sink, Sink::Replacement(_))
    }

    /// Completes the output. If it replaces `input` and has the same text, nothing is written.
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

/// Opens the file that `path` leads to.
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

/// The side that failed: the message names its file.
pub(crate) enum Failure {
    Reading(io::Error),
    Writing(io::Error),
}

/// Ignores a closed pipe after an error in the text: the error in the text is reported instead.
pub(crate) fn unless_closed<T>(written: io::Result<T>) -> io::Result<Option<T>> {
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

/// Returns the path that the links at `path` lead to, even if no file exists there.
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
