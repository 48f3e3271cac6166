//! Files that are converted or repaired one after another, and replaced in groups.

use std::fs;
use std::io;
use std::path::Path;

use crate::destinations::Job;
use crate::output::{Failure, Finished, Output};
use crate::replacement::{GROUP_BYTES, Group, is_lack_of_room};
use crate::report::{self, Status};

/// The result of one job.
pub(crate) struct Done {
    pub(crate) status: Status,
    /// The complete output, if there is one.
    pub(crate) finished: Option<Finished>,
}

impl From<Status> for Done {
    fn from(status: Status) -> Self {
        Self { status, finished: None }
    }
}

/// The results of all jobs.
pub(crate) struct Results {
    pub(crate) worst: Status,
    /// Jobs that succeeded, including jobs that changed nothing.
    pub(crate) fine: usize,
    /// Jobs whose file has the text already.
    pub(crate) unchanged: usize,
}

impl Results {
    /// The summary: how many files are `done`.
    pub(crate) fn summary(&self, all: usize, done: &str) -> String {
        let files = if all == 1 { "file" } else { "files" };
        let unchanged = match self.unchanged {
            0 => String::new(),
            unchanged => format!(", {unchanged} of them unchanged"),
        };
        format!("utflane: {} of {all} {files} {done}{unchanged}\n", self.fine)
    }
}

/// Does the jobs by `work`. A failure of one is reported, and does not stop the others.
pub(crate) fn run(
    jobs: &[Job],
    quiet: bool,
    mut work: impl FnMut(&Job) -> Result<Done, Failure>,
) -> Results {
    let mut statuses = vec![Status::Fine; jobs.len()];
    let mut unchanged = 0;
    let mut group = Group::default();
    let commit = |group: &mut Group, statuses: &mut [Status]| {
        for (number, error) in group.commit() {
            statuses[number] = failed(&jobs[number], &error, statuses[number]);
        }
    };
    for (number, job) in jobs.iter().enumerate() {
        if takes_long(&job.input) {
            commit(&mut group, &mut statuses);
        }
        let mut done = work(job);
        if let Err(Failure::Reading(error) | Failure::Writing(error)) = &done
            && is_lack_of_room(error)
            && !group.is_empty()
        {
            // The group holds disk space and descriptors until it is committed.
            commit(&mut group, &mut statuses);
            done = work(job);
        }
        let Done { status, finished } = done.unwrap_or_else(|failure| match failure {
            Failure::Reading(error) => report::trouble(&job.input, &error).into(),
            Failure::Writing(error) => failed(job, &error, Status::Fine).into(),
        });
        statuses[number] = status;
        match finished {
            Some(Finished::Pending(replacement)) => {
                if replacement.leaves_links() && !quiet {
                    let name = Output::name(job.output.as_deref());
                    report::note(name, "its other hard links keep the old text");
                }
                if let Err(error) = group.add(number, replacement) {
                    statuses[number] = failed(job, &error, status);
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
    let fine = statuses.iter().filter(|&&status| status == Status::Fine).count();
    let worst = statuses.into_iter().max().unwrap_or(Status::Fine);
    Results { worst, fine, unchanged }
}

/// True if reading the file may take so long that others should not wait for it.
fn takes_long(file: &Path) -> bool {
    fs::metadata(file).map_or(true, |found| !found.is_file() || found.len() > GROUP_BYTES)
}

/// Reports that the output of a job can't be written.
fn failed(job: &Job, error: &io::Error, so_far: Status) -> Status {
    report::unwritable(Output::name(job.output.as_deref()), error, so_far)
}
