//! Finds the files that the arguments name and, with `--recursive`, the files in named directories.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::args::Recursion;
use crate::report::{self, Status};

/// The files to read.
pub(crate) struct Files {
    /// The paths in the order of the arguments. The files of a directory are sorted by their names.
    pub(crate) paths: Vec<PathBuf>,
    /// [`Status::Failure`] if a directory can't be read, which has been reported already.
    pub(crate) status: Status,
}

impl Files {
    /// Finds the files that the arguments name. If the arguments name none, standard input is read
    /// or, with `--recursive`, the current directory.
    pub(crate) fn find(named: &[PathBuf], recursion: &Recursion) -> Self {
        let mut files = Self { paths: Vec::new(), status: Status::Success };
        if !recursion.recursive {
            files.paths.extend_from_slice(named);
            if named.is_empty() {
                files.paths.push("-".into());
            }
            return files;
        }
        if named.is_empty() {
            files.add_directory(Path::new("."), recursion, true);
        }
        for path in named {
            // A path that is not a directory counts as a file. If it is not a file, opening it is
            // an error.
            match path.as_os_str() != "-" && fs::metadata(path).is_ok_and(|found| found.is_dir()) {
                true => files.add_directory(path, recursion, false),
                false => files.paths.push(path.clone()),
            }
        }
        files
    }

    /// Leaves out the files of directories whose names end with `suffix`. Files in `named` stay.
    pub(crate) fn leave_out(&mut self, suffix: &str, named: &[PathBuf]) {
        let is_left_out = |path: &PathBuf| {
            let bytes = path.as_os_str().as_encoded_bytes();
            bytes.ends_with(suffix.as_bytes()) && !named.contains(path)
        };
        self.paths.retain(|path| !is_left_out(path));
    }

    /// Adds the files in a directory. If `is_default`, the directory is `.`, and the names of its
    /// files don't begin with `./`.
    fn add_directory(&mut self, directory: &Path, recursion: &Recursion, is_default: bool) {
        let mut builder = WalkBuilder::new(directory);
        builder.hidden(!recursion.hidden).sort_by_file_name(Ord::cmp);
        if recursion.no_ignore {
            builder.standard_filters(false).hidden(!recursion.hidden);
        }
        match overrides(&recursion.glob) {
            Ok(overrides) => builder.overrides(overrides),
            Err(error) => {
                self.status = report::failure("--glob", &error);
                return;
            }
        };
        for entry in builder.build() {
            match entry {
                // Links, pipes and devices are read only if they are named.
                Ok(entry) if entry.file_type().is_some_and(|found| found.is_file()) => {
                    self.paths.push(entry_path(entry, is_default));
                }
                Ok(_) => {}
                Err(error) => self.report(directory, &error),
            }
        }
    }

    fn report(&mut self, directory: &Path, error: &ignore::Error) {
        let (path, error) = split_path_off(error, directory);
        let mut reason: &dyn Error = match error {
            ignore::Error::Io(error) => error,
            _ => error,
        };
        // The innermost cause has the message of the operating system.
        while let Some(cause) = reason.source() {
            reason = cause;
        }
        self.status = report::failure(path, &reason);
    }
}

/// Compiles the patterns of `--glob`. A pattern with a slash is matched against the path from the
/// current directory.
fn overrides(globs: &[String]) -> Result<Override, ignore::Error> {
    let mut builder = OverrideBuilder::new(env::current_dir().unwrap_or(".".into()));
    for glob in globs {
        builder.add(glob)?;
    }
    builder.build()
}

/// Returns the path of a file. If `is_default`, the path doesn't begin with `./`.
fn entry_path(entry: DirEntry, is_default: bool) -> PathBuf {
    let path = entry.into_path();
    match path.strip_prefix(".") {
        // `-` alone would be standard input.
        Ok(short) if is_default && short.as_os_str() != "-" => short.to_path_buf(),
        _ => path,
    }
}

/// Splits the path off an error: returns the path, which is `path` if the error has none, and the
/// error without it.
fn split_path_off<'a>(error: &'a ignore::Error, path: &'a Path) -> (&'a Path, &'a ignore::Error) {
    match error {
        ignore::Error::WithPath { path, err } => split_path_off(err, path),
        ignore::Error::WithDepth { err, .. } => split_path_off(err, path),
        _ => (path, error),
    }
}
