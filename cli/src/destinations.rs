//! Finds the files that a command reads and writes, before anything is written.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::args::Destination;
use crate::output::resolved_path;

/// A file to convert or to repair.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) input: PathBuf,
    /// The file to write; `None` is standard output.
    pub(crate) output: Option<PathBuf>,
}

/// The reason why nothing is written, and the file name that it is about.
#[derive(Debug)]
pub(crate) struct Conflict {
    pub(crate) name: PathBuf,
    pub(crate) reason: io::Error,
}

/// Returns the files to convert or repair, in the order of the arguments. With `--in-place` or
/// `--output-dir`, a file that is named twice, such as by a directory and a directory in it, is one
/// job: converting a text twice in place would damage it.
///
/// # Errors
///
/// If there are several files, but neither option is given. With one of the options, also if a file
/// is standard input. With `--output-dir`, also if DIR is not a directory, if a file has no name,
/// if two jobs would write the same file, or if a job would write one of the inputs.
pub(crate) fn jobs(files: &[PathBuf], destination: &Destination) -> Result<Vec<Job>, Conflict> {
    if destination.in_place {
        return jobs_in_place(files);
    }
    if let Some(directory) = &destination.output_dir {
        return jobs_into_directory(files, directory);
    }
    match files {
        [_, second, ..] => {
            Err(conflict(second, "several files need --in-place or --output-dir (see --help)"))
        }
        _ => {
            let output = destination.output.clone();
            Ok(files
                .iter()
                .map(|file| Job { input: file.clone(), output: output.clone() })
                .collect())
        }
    }
}

fn jobs_in_place(files: &[PathBuf]) -> Result<Vec<Job>, Conflict> {
    let mut written = HashSet::new();
    let mut jobs = Vec::new();
    for file in files {
        refuse_standard_input(file)?;
        if written.insert(resolved_path(file)) {
            jobs.push(Job { input: file.clone(), output: Some(file.clone()) });
        }
    }
    Ok(jobs)
}

fn jobs_into_directory(files: &[PathBuf], directory: &Path) -> Result<Vec<Job>, Conflict> {
    match fs::metadata(directory) {
        Ok(found) if found.is_dir() => {}
        Ok(_) => return Err(conflict(directory, "Not a directory")),
        Err(reason) => return Err(Conflict { name: directory.into(), reason }),
    }
    let inputs: HashSet<PathBuf> =
        files.iter().filter_map(|file| fs::canonicalize(file).ok()).collect();
    let (mut read, mut written) = (HashSet::new(), HashSet::new());
    let mut jobs = Vec::new();
    for file in files {
        refuse_standard_input(file)?;
        if !read.insert(resolved_path(file)) {
            continue;
        }
        let Some(name) = file.file_name() else {
            return Err(conflict(file, "it has no file name for --output-dir"));
        };
        let output = directory.join(name);
        let path = resolved_path(&output);
        if inputs.contains(&path) {
            return Err(conflict(&output, "it is an input: use --in-place to replace it"));
        }
        if !written.insert(path) {
            return Err(conflict(
                &output,
                "two inputs would have this output file: use two directories",
            ));
        }
        jobs.push(Job { input: file.clone(), output: Some(output) });
    }
    Ok(jobs)
}

fn refuse_standard_input(file: &Path) -> Result<(), Conflict> {
    match file.as_os_str() == "-" {
        true => {
            Err(conflict(file, "standard input has no file name, which -i and -O need: use -o"))
        }
        false => Ok(()),
    }
}

fn conflict(name: &Path, reason: &str) -> Conflict {
    Conflict { name: name.into(), reason: io::Error::other(reason) }
}
