//! Shows a progress bar on standard error, if standard error is a terminal and the work takes more
//! than a second.
//!
//! There is only one terminal, so there is only one bar for everything that the command reads. The
//! bar is a static, and not a parameter of every reader.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The duration of the work after which the bar is shown.
const BAR_DELAY: Duration = Duration::from_secs(1);

/// The smallest width of a terminal, in columns, for which the bar shows more than one number. The
/// numbers take up to 60 columns.
const WIDE_COLUMNS: u16 = 70;

static METER: OnceLock<Meter> = OnceLock::new();

/// Counts the bytes read.
struct Meter {
    begin: Instant,
    read: AtomicU64,
    /// The bar, which is hidden at first. It measures the speed from the start.
    bar: ProgressBar,
    shown: Once,
}

/// Begins the work on `files`, with a bar if it can be seen.
///
/// `writes_text_to_stdout` is true if converted text goes to standard output. A bar on the same
/// terminal would disturb it. Findings are printed while the bar is hidden.
pub(crate) fn begin<'a>(
    files: impl Iterator<Item = &'a Path>,
    quiet: bool,
    writes_text_to_stdout: bool,
) {
    let would_disturb = writes_text_to_stdout && io::stdout().is_terminal();
    if quiet || would_disturb || !io::stderr().is_terminal() {
        return;
    }
    let bar = hidden_bar(files.map(file_size).sum());
    let (begin, read, shown) = (Instant::now(), AtomicU64::new(0), Once::new());
    // This is called once, so there is no other bar.
    let _ = METER.set(Meter { begin, read, bar, shown });
}

/// Returns a hidden bar for work on `total` bytes.
fn hidden_bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
    // A line that the terminal wraps would stay when the bar is drawn again.
    let columns = terminal_size::terminal_size().map_or(80, |(width, _)| width.0);
    let template = match (total, columns) {
        (Some(_), WIDE_COLUMNS..) => {
            "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left"
        }
        (Some(_), _) => "{percent}%",
        (None, WIDE_COLUMNS..) => "{spinner} {bytes}, {bytes_per_sec}",
        (None, _) => "{bytes}",
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Returns the size of a file in bytes, if it has one.
fn file_size(file: &Path) -> Option<u64> {
    match fs::metadata(file) {
        Ok(found) if found.is_file() => Some(found.len()),
        // An unreadable file adds nothing; pipes and devices have no size.
        Err(_) if file.as_os_str() != "-" => Some(0),
        _ => None,
    }
}

/// Adds to the number of bytes that have been read.
pub(crate) fn add_read(bytes: usize) {
    let Some(meter) = METER.get() else { return };
    let read = meter.read.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
    if meter.begin.elapsed() >= BAR_DELAY {
        let show = || meter.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        meter.shown.call_once(show);
    }
    meter.bar.set_position(read);
}

/// Runs `work`, which may write to the terminal, while the bar is hidden.
pub(crate) fn suspended<T>(work: impl FnOnce() -> T) -> T {
    match METER.get() {
        Some(meter) => meter.bar.suspend(work),
        None => work(),
    }
}

/// Ends the work and removes the bar.
pub(crate) fn end() {
    if let Some(meter) = METER.get() {
        meter.bar.finish_and_clear();
    }
}
