//! Converts or repairs files one after another, and replaces them in groups.

use std::fs;
use std::io;
use std::path::Path;

use crate::destinations::Job;
use crate::output::{Failure, Finished, Output};
use crate::replacement::{GROUP_BYTES, Group, is_lack_of_space_or_descriptors};
use crate::report::{self, Status};

/// The result of one job.
pub(crate) struct JobResult {
    pub(crate) status: Status,
    /// The complete output, if there is one.
    pub(crate) finished: Option<Finished>,
}

impl From<Status> for JobResult {
    fn from(status: Status) -> Self {
        Self { status, finished: None }
    }
}

/// The results of all jobs.
pub(crate) struct Results {
    pub(crate) worst: Status,
    /// The number of jobs that succeeded, including jobs that changed nothing.
    pub(crate) succeeded: usize,
    /// The number of jobs whose file already has the text.
    pub(crate) unchanged: usize,
}

impl Results {
    /// Returns the summary: how many of `total` files are `done`, such as `converted`.
    pub(crate) fn summary(&self, total: usize, done: &str) -> String {
        let files = if total == 1 { "file" } else { "files" };
        let unchanged = match self.unchanged {
            0 => String::new(),
            unchanged => format!(" ({unchanged} already had the same bytes)"),
        };
        format!("utflane: {} of {total} {files} {done}{unchanged}\n", self.succeeded)
    }
}

/// Calls `work` for each job. A failure of one job is reported, and does not stop the others.
pub(crate) fn run(
    jobs: &[Job],
    quiet: bool,
    mut work: impl FnMut(&Job) -> Result<JobResult, Failure>,
) -> Results {
    let mut statuses = vec![Status::Success; jobs.len()];
    let mut unchanged = 0;
    let mut group = Group::default();
    let commit = |group: &mut Group, statuses: &mut [Status]| {
        for (index, error) in group.commit() {
            statuses[index] = report_unwritable(&jobs[index], &error, statuses[index]);
        }
    };
    for (index, job) in jobs.iter().enumerate() {
        if takes_long(&job.input) {
            commit(&mut group, &mut statuses);
        }
        let mut done = work(job);
        if let Err(Failure::Reading(error) | Failure::Writing(error)) = &done
            && is_lack_of_space_or_descriptors(error)
            && !group.is_empty()
        {
            // The group holds disk space and descriptors until it is committed.
            commit(&mut group, &mut statuses);
            done = work(job);
        }
        let JobResult { status, finished } = done.unwrap_or_else(|failure| match failure {
            Failure::Reading(error) => report::failure(&job.input, &error).into(),
            Failure::Writing(error) => report_unwritable(job, &error, Status::Success).into(),
        });
        statuses[index] = status;
        match finished {
            Some(Finished::Pending(replacement)) => {
                if replacement.leaves_links() && !quiet {
                    let name = Output::name(job.output.as_deref());
                    report::note(name, "its other hard links keep the old text");
                }
                if let Err(error) = group.add(index, replacement) {
                    statuses[index] = report_unwritable(job, &error, status);
                }
            }
            Some(Finished::Unchanged) => unchanged += 1,
            Some(Finished::Written) | None => {}
        }
        if group.is_full() {
            commit(&mut group, &mut statuses);
        }
    }
    commit(&mut group, &mut statuses);
    let succeeded = statuses.iter().filter(|&&status| status == Status::Success).count();
    let worst = statuses.into_iter().max().unwrap_or(Status::Success);
    Results { worst, succeeded, unchanged }
}

/// Returns true if reading the file may take so long that finished files should not wait for it.
fn takes_long(file: &Path) -> bool {
    fs::metadata(file).map_or(true, |found| !found.is_file() || found.len() > GROUP_BYTES)
}

/// Reports that the output of a job can't be written. Returns the new status of the job.
fn report_unwritable(job: &Job, error: &io::Error, so_far: Status) -> Status {
    report::unwritable(Output::name(job.output.as_deref()), error, so_far)
}
