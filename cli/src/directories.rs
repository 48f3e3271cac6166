//! The files that the arguments name: with `--recursive`, those in directories.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

use crate::args::Several;
use crate::report::{self, Status};

/// The files to read.
pub(crate) struct Files {
    /// In the order of the arguments; the files of a directory by their names.
    pub(crate) paths: Vec<PathBuf>,
    /// Trouble if a directory can't be read. It has been reported.
    pub(crate) status: Status,
}

impl Files {
    /// The files that `several` names.
    pub(crate) fn of(several: &Several) -> Self {
        let mut files = Self { paths: Vec::new(), status: Status::Fine };
        if !several.recursive {
            files.paths.clone_from(&several.files);
            return files;
        }
        if several.files.is_empty() {
            files.walk(Path::new("."), several, true);
        }
        for path in &several.files {
            // Everything else is a file, or an error when it is opened.
            match path.as_os_str() != "-" && fs::metadata(path).is_ok_and(|found| found.is_dir()) {
                true => files.walk(path, several, false),
                false => files.paths.push(path.clone()),
            }
        }
        files
    }

    /// Adds the files in a directory. If `here`, their names don't begin with its name.
    fn walk(&mut self, directory: &Path, several: &Several, here: bool) {
        let mut builder = WalkBuilder::new(directory);
        builder.hidden(!several.hidden).sort_by_file_name(Ord::cmp);
        if several.no_ignore {
            builder.standard_filters(false).hidden(!several.hidden);
        }
        for entry in builder.build() {
            match entry {
                // Links, pipes and devices are read only if they are named.
                Ok(entry) if entry.file_type().is_some_and(|found| found.is_file()) => {
                    self.paths.push(name(entry, here));
                }
                Ok(_) => {}
                Err(error) => self.report(directory, &error),
            }
        }
    }

    fn report(&mut self, directory: &Path, error: &ignore::Error) {
        let (path, error) = innermost(error, directory);
        let mut reason: &dyn Error = match error {
            ignore::Error::Io(error) => error,
            _ => error,
        };
        // The system's words are those of the first cause.
        while let Some(cause) = reason.source() {
            reason = cause;
        }
        self.status = report::trouble(path, &reason);
    }
}

/// The name of a file; if `here`, without the dot at its start.
fn name(entry: DirEntry, here: bool) -> PathBuf {
    let path = entry.into_path();
    match path.strip_prefix(".") {
        // `-` alone would be standard input.
        Ok(short) if here && short.as_os_str() != "-" => short.to_path_buf(),
        _ => path,
    }
}

/// The path that an error is about, and the error without it.
fn innermost<'a>(error: &'a ignore::Error, path: &'a Path) -> (&'a Path, &'a ignore::Error) {
    match error {
        ignore::Error::WithPath { path, err } => innermost(err, path),
        ignore::Error::WithDepth { err, .. } => innermost(err, path),
        _ => (path, error),
    }
}
