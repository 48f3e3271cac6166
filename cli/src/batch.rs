//! Converts or repairs several files at once, and replaces them in groups.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::mem;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use crate::destinations::Job;
use crate::directories::Files;
use crate::files::{self, FileReport};
use crate::output::{Failure, Finished, Output};
use crate::replacement::{GROUP_BYTES, Group, Replacement, is_lack_of_space_or_descriptors};
use crate::report::{self, Status};

/// What happened to the file of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    Done,
    /// The file already has the text.
    Unchanged,
    /// The file is not text, and was not to be converted.
    Skipped,
    /// The text is ill-formed, can't be converted, or is in an unknown encoding. Or it has double
    /// encoding that is only searched for.
    Refused,
    /// Something could not be read or written.
    Failed,
}

/// The result of one job.
pub(crate) struct JobResult {
    pub(crate) fate: Fate,
    /// The file that is to be replaced, if there is one.
    pub(crate) replacement: Option<Replacement>,
}

impl JobResult {
    /// Returns the result for a complete output.
    pub(crate) fn from_finished(finished: Finished) -> Self {
        match finished {
            Finished::Written => Fate::Done.into(),
            Finished::Unchanged => Fate::Unchanged.into(),
            Finished::Pending(replacement) => {
                Self { fate: Fate::Done, replacement: Some(replacement) }
            }
        }
    }
}

impl From<Fate> for JobResult {
    fn from(fate: Fate) -> Self {
        Self { fate, replacement: None }
    }
}

/// How the jobs are done.
pub(crate) struct Settings {
    /// The number of jobs that are done at once; by default the number of processors.
    pub(crate) threads: Option<NonZero<usize>>,
    pub(crate) quiet: bool,
    /// True if jobs may wait for memory until the jobs before them have ended.
    pub(crate) waits_for_memory: bool,
    /// The status so far.
    pub(crate) status: Status,
}

/// The results of all jobs.
pub(crate) struct Results {
    pub(crate) worst: Status,
    fates: Vec<Fate>,
}

impl Results {
    /// Returns the summary: how many files are `done`, such as `converted`, and how many are not.
    pub(crate) fn summary(&self, done: &str) -> String {
        let count = |fate| self.fates.iter().filter(|&&found| found == fate).count();
        let (total, files) =
            (self.fates.len(), if self.fates.len() == 1 { "file" } else { "files" });
        let mut line = format!("utflane: {} of {total} {files} {done}", count(Fate::Done));
        for (fate, words) in [
            (Fate::Unchanged, "unchanged"),
            (Fate::Refused, "refused"),
            (Fate::Failed, "failed"),
            (Fate::Skipped, "skipped as binary"),
        ] {
            match count(fate) {
                0 => {}
                count => line += &format!(", {count} {words}"),
            }
        }
        line + "\n"
    }
}

/// Calls `work` for each job, in several threads at once. A failure of one job is reported, and
/// does not stop the others.
pub(crate) fn run(
    jobs: &[Job],
    settings: &Settings,
    work: impl Fn(&Job, &mut FileReport) -> Result<JobResult, Failure> + Sync,
) -> Results {
    let paths = jobs.iter().map(|job| job.input.clone()).collect();
    let files = Files { paths, status: settings.status };
    let batch = Batch {
        jobs,
        settings,
        begun: AtomicUsize::new(0),
        long_jobs: AtomicUsize::new(0),
        alone: RwLock::new(()),
        group: Mutex::default(),
        committing: Mutex::new(()),
        fates: Mutex::new(vec![Fate::Done; jobs.len()]),
        failures: Mutex::default(),
    };
    let mut worst = files::for_each(&files, settings.threads, false, |index, report| {
        batch.run_job(index, report, &work)
    });
    batch.commit();
    let mut fates = mem::take(&mut *lock(&batch.fates));
    for (index, error) in mem::take(&mut *lock(&batch.failures)) {
        worst = worst.max(report::failure(jobs[index].output_name(), &error));
        fates[index] = Fate::Failed;
    }
    Results { worst, fates }
}

/// The jobs, and the state that all threads share.
struct Batch<'a> {
    jobs: &'a [Job],
    settings: &'a Settings,
    /// The number of jobs that have begun.
    begun: AtomicUsize,
    /// The number of jobs in progress that take long. If no other job follows, finished files don't
    /// wait for them.
    long_jobs: AtomicUsize,
    /// Each job holds this lock for reading. A job that lacks disk space holds it for writing.
    alone: RwLock<()>,
    /// The files that wait to be renamed.
    group: Mutex<Group>,
    /// Held while a group is committed.
    committing: Mutex<()>,
    fates: Mutex<Vec<Fate>>,
    /// The files that could not be renamed, by the index of their job.
    failures: Mutex<BTreeMap<usize, io::Error>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Batch<'_> {
    /// Does one job. An error is trouble with its input, or with standard output.
    fn run_job(
        &self,
        index: usize,
        report: &mut FileReport,
        work: impl Fn(&Job, &mut FileReport) -> Result<JobResult, Failure>,
    ) -> io::Result<()> {
        let job = &self.jobs[index];
        self.begun.fetch_add(1, Ordering::SeqCst);
        let takes_long = usize::from(takes_long(&job.input));
        if takes_long > 0 {
            self.long_jobs.fetch_add(takes_long, Ordering::SeqCst);
            self.commit();
        }
        let (fate, read) = match self.work(job, report, work) {
            Ok(JobResult { fate, replacement: None }) => (fate, Ok(())),
            Ok(JobResult { fate, replacement: Some(replacement) }) => {
                (self.add(index, replacement, fate, report), Ok(()))
            }
            Err(Failure::Reading(error) | Failure::Reporting(error)) => (Fate::Failed, Err(error)),
            Err(Failure::Writing(error)) => (fail(job, &error, report), Ok(())),
        };
        match fate {
            Fate::Refused => report.raise_status(Status::Invalid),
            Fate::Failed => report.raise_status(Status::Failure),
            Fate::Done | Fate::Unchanged | Fate::Skipped => {}
        }
        lock(&self.fates)[index] = fate;
        let long_jobs = self.long_jobs.fetch_sub(takes_long, Ordering::SeqCst) - takes_long;
        let is_last = self.begun.load(Ordering::SeqCst) == self.jobs.len();
        if lock(&self.group).is_full() || is_last && long_jobs > 0 {
            self.commit();
        }
        read
    }

    /// Calls `work`. If the disk is full, or if too many files are open, calls it again when
    /// nothing else needs space.
    fn work(
        &self,
        job: &Job,
        report: &mut FileReport,
        work: impl Fn(&Job, &mut FileReport) -> Result<JobResult, Failure>,
    ) -> Result<JobResult, Failure> {
        let done = {
            let _shared = self.alone.read();
            work(job, report)
        };
        match &done {
            Err(Failure::Reading(error) | Failure::Writing(error))
                if self.jobs.len() > 1 && is_lack_of_space_or_descriptors(error) => {}
            _ => return done,
        }
        // A job that waits for memory would never end if this job waited for it.
        let _alone = (!self.settings.waits_for_memory).then(|| self.alone.write());
        self.commit();
        work(job, report)
    }

    /// Adds a complete replacement to the group.
    fn add(
        &self,
        index: usize,
        replacement: Replacement,
        fate: Fate,
        report: &mut FileReport,
    ) -> Fate {
        let job = &self.jobs[index];
        if let Some(words) = replacement.note_about_links()
            && !self.settings.quiet
        {
            report.write_stderr(report::note_line(job.output_name(), words).as_bytes());
        }
        match replacement.complete(index) {
            Ok(None) => fate,
            Ok(Some(file)) => {
                lock(&self.group).add(file);
                fate
            }
            Err(error) => fail(job, &error, report),
        }
    }

    /// Renames the files of the group. Waits for the files of another group, if they are just being
    /// renamed.
    fn commit(&self) {
        let _guard = lock(&self.committing);
        let mut group = mem::take(&mut *lock(&self.group));
        lock(&self.failures).extend(group.commit());
    }
}

/// Returns true if reading the file may take so long that finished files should not wait for it.
fn takes_long(file: &Path) -> bool {
    fs::metadata(file).map_or(true, |found| !found.is_file() || found.len() > GROUP_BYTES)
}

/// Reports that the output of a job can't be written. It is no failure if the reader has closed its
/// pipe.
fn fail(job: &Job, error: &io::Error, report: &mut FileReport) -> Fate {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Fate::Done;
    }
    report.write_stderr(report::failure_line(job.output_name(), error).as_bytes());
    Fate::Failed
}

impl Job {
    /// Returns the name of the output in messages.
    fn output_name(&self) -> &Path {
        Output::name(self.output.as_deref())
    }
}
