//! `utflane kernels`: lists the kernels, marks the available and the active ones, and explains why
//! a requested kernel is rejected.

use std::fmt::Write as _;

use utflane::Kernel;

use crate::name;
use crate::report::{self, Status};
use crate::streams;

/// Lists the kernels, the best one first. Then reports the `refusal`, if there is one.
pub(crate) fn run(refusal: Option<&str>) -> Status {
    let active = Kernel::active();
    let width = Kernel::names().map(str::len).fold("kernel".len(), usize::max);
    let mut table = format!("{:<width$}  available  active\n", "kernel");
    for name in Kernel::names() {
        let kernel = Kernel::by_name(name);
        let (available, active) = (yes_or_no(kernel.is_some()), yes_or_no(kernel == Some(active)));
        let _ = writeln!(table, "{name:<width$}  {available:<9}  {active}");
    }
    let written = streams::write(table.as_bytes());
    let status =
        refusal.map_or(Status::Success, |refusal| report::failure("UTFLANE_KERNEL", &refusal));
    report::finish(written, status)
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// Returns the reason why the kernel that `UTFLANE_KERNEL` names isn't active. Returns `None` if
/// this kernel is active, or if the variable is not set.
pub(crate) fn refusal() -> Option<String> {
    if !Kernel::override_rejected() {
        return None;
    }
    let wanted = std::env::var_os("UTFLANE_KERNEL").unwrap_or_default();
    let wanted = name::escape(wanted);
    if Kernel::by_name(&wanted).is_some() {
        let active = Kernel::active();
        return Some(format!(
            "'{wanted}' can't be chosen: this program was built for {active} only"
        ));
    }
    let verdict = match Kernel::names().any(|name| name.eq_ignore_ascii_case(&wanted)) {
        true => "can't run on this processor",
        false => "is not a kernel of this program",
    };
    let available: Vec<&str> = Kernel::available().map(Kernel::name).collect();
    Some(format!("'{wanted}' {verdict}: use one of {}", available.join(", ")))
}
