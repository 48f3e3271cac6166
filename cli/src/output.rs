//! The output of a conversion: standard output, a pipe or device, or a temporary file that replaces
//! OUT at the end.

use std::borrow::Cow;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::identity::Identity;
use crate::replacement::{ReplaceOptions, Replacement, Target, directory};
use crate::streams::StandardOutput;
use crate::unit_filter::UnitFilter;

/// The number of links to follow before they count as a cycle, as in Linux.
const MAX_LINKS: usize = 40;

/// The output of a conversion.
pub(crate) struct Output {
    sink: Sink,
    /// Replace byte order marks and line ends in the output, one after another.
    filters: Vec<UnitFilter>,
}

enum Sink {
    Standard(StandardOutput),
    /// A pipe or a device. Written bytes can't be taken back.
    Direct(File),
    Replacement(Replacement),
    /// Nothing is written.
    Nothing,
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
    /// If the output can't be opened, or if it is the file `input` and would be written directly.
    pub(crate) fn create(
        path: Option<&Path>,
        input: Option<Identity>,
        options: &ReplaceOptions,
    ) -> io::Result<Self> {
        let sink = match path {
            Some(path) if !is_standard(path) => open(path, input, options)?,
            _ if options.dry_run => Sink::Nothing,
            _ => {
                let output = StandardOutput::open()?;
                if let Some(file) = output.file() {
                    refuse_input(file, input)?;
                }
                Sink::Standard(output)
            }
        };
        Ok(Self { sink, filters: Vec::new() })
    }

    /// Writes to `file` directly.
    #[cfg(test)]
    pub(crate) fn direct(file: File) -> Self {
        Self { sink: Sink::Direct(file), filters: Vec::new() }
    }

    /// Passes the output from now on through more filters.
    pub(crate) fn add_filters(&mut self, filters: impl IntoIterator<Item = UnitFilter>) {
        self.filters.extend(filters);
    }

    /// Returns true if dropping this output leaves the old file unchanged.
    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self.sink, Sink::Replacement(_))
    }

    /// Completes the output. If the output replaces the file that was read and has the same text,
    /// the file is not touched.
    pub(crate) fn finish(mut self) -> io::Result<Finished> {
        let mut held = Vec::new();
        for filter in &mut self.filters {
            let mut text = Vec::new();
            filter.filter(&held, &mut text);
            text.extend(filter.take_held());
            held = text;
        }
        self.sink.write_all(&held)?;
        match self.sink {
            Sink::Standard(mut out) => out.flush().map(|()| Finished::Written),
            Sink::Direct(_) | Sink::Nothing => Ok(Finished::Written),
            Sink::Replacement(mut replacement) => match replacement.finish()? {
                false => Ok(Finished::Unchanged),
                true => Ok(Finished::Pending(replacement)),
            },
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.filters.is_empty() {
            return self.sink.write(bytes);
        }
        let mut text = Cow::Borrowed(bytes);
        for filter in &mut self.filters {
            let mut filtered = Vec::with_capacity(text.len());
            filter.filter(&text, &mut filtered);
            text = filtered.into();
        }
        self.sink.write_all(&text)?;
        Ok(bytes.len())
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
            Self::Replacement(replacement) => replacement.write(bytes),
            Self::Nothing => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Direct(_) | Self::Replacement(_) | Self::Nothing => Ok(()),
        }
    }
}

/// Opens the file that `path` and its links lead to.
fn open(path: &Path, input: Option<Identity>, options: &ReplaceOptions) -> io::Result<Sink> {
    let Some(target) = resolve_links(path)? else {
        let file = OpenOptions::new().write(true).open(path)?;
        refuse_input(&file, input)?;
        if options.dry_run {
            return Ok(Sink::Nothing);
        }
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        return Ok(Sink::Direct(file));
    };
    Ok(match Replacement::begin(target, input, options)? {
        Target::File(replacement) => Sink::Replacement(replacement),
        Target::Device(_) if options.dry_run => Sink::Nothing,
        Target::Device(file) => Sink::Direct(file),
    })
}

/// Returns true if `-o` names standard output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// What failed in a conversion.
pub(crate) enum Failure {
    /// Reading the input. The message names the input.
    Reading(io::Error),
    /// Writing the output. The message names the output.
    Writing(io::Error),
    /// Writing the report to standard output. The reason is recorded, and all work ends.
    Reporting(io::Error),
}

/// Returns `Ok(None)` if the pipe was closed. The caller reports an error in the text instead.
pub(crate) fn ignore_closed_pipe<T>(written: io::Result<T>) -> io::Result<Option<T>> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        written => written.map(Some),
    }
}

/// Fails if `file`, which would be written directly, is the file `input`.
fn refuse_input(file: &File, input: Option<Identity>) -> io::Result<()> {
    match input.is_some() && Identity::from_metadata(&file.metadata()?) == input {
        true => Err(io::Error::other("it is the file that is read: use -o FILE to replace it")),
        false => Ok(()),
    }
}

/// Returns the path of the file that is replaced if `path` is written: follows links, and makes the
/// path absolute, as far as this is possible. If two paths lead to one file, the results are equal.
pub(crate) fn resolved_path(path: &Path) -> PathBuf {
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
        let reason =
            "a link that another user made in a shared directory is not followed: name its target";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_foreign_link(_: &Metadata, _: &Path) -> io::Result<()> {
    Ok(())
}
