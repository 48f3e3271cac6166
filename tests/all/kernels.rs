//! The list of kernels, and the choice among them.
//!
//! With `UTFLANE_REQUIRE_KERNELS=avx2,sse42,scalar` this fails where one of them can't run, so that
//! a machine without it skips nothing silently.

use std::process::Command;

use crate::common::{say, share};
use utflane::{Ascii, Kernel, Utf8};

#[test]
fn the_list_is_printed_and_has_what_is_required() {
    let available: Vec<_> = Kernel::available().map(Kernel::name).collect();
    say(&format!("kernels: {}; active: {}", available.join(", "), Kernel::active()));
    if let Ok(required) = std::env::var("UTFLANE_REQUIRE_KERNELS") {
        for name in required.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            assert!(available.contains(&name), "'{name}' is required, and here are {available:?}");
        }
    }
}

/// `ci/no-std.sh` builds both.
#[test]
fn vector_kernels_are_built_unless_nothing_is_optimised() {
    for (name, is_for_target) in [
        ("avx512", cfg!(avx512)),
        ("avx512x2", cfg!(avx512)),
        ("avx2", cfg!(vectors = "x86")),
        ("sse42", cfg!(vectors = "x86")),
        ("neon", cfg!(vectors = "neon")),
        ("simd128", cfg!(vectors = "simd128")),
    ] {
        let is_built = Kernel::names().any(|built| built == name);
        assert_eq!(is_built, is_for_target && cfg!(not(unoptimised)), "{name}");
    }
}

#[test]
fn the_list_is_in_order_and_ends_with_scalar() {
    let names: Vec<_> = Kernel::names().collect();
    let available: Vec<_> = Kernel::available().map(Kernel::name).collect();
    assert_eq!(names.last(), Some(&"scalar"));
    assert_eq!(Kernel::available().last(), Some(Kernel::SCALAR));
    let mut kept: Vec<_> = names.iter().filter(|name| available.contains(name)).copied().collect();
    if available[0] == "avx512x2" {
        kept.swap(0, 1);
    }
    assert_eq!(kept, available, "those that can run, in the order of all");
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
}

/// Two kernels of AVX-512, of which the processor decides which is the better one: the other is
/// tested on each machine too.
#[test]
fn avx512_in_halves_is_the_best_on_zen_4() {
    assert_eq!(Kernel::avx512x2().is_some(), Kernel::avx512().is_some());
    let Ok(processor) = std::fs::read_to_string("/proc/cpuinfo") else {
        return say("the choice between the kernels of AVX-512 is not tested: no /proc/cpuinfo");
    };
    let has = |key: &str, value: &str| {
        processor.lines().any(|line| {
            line.split_once(':').is_some_and(|(name, is)| name.trim() == key && is.trim() == value)
        })
    };
    // Compile-time features can fix the kernel.
    if Kernel::avx512().is_some() && !cfg!(target_feature = "avx512vbmi2") {
        let halved = has("vendor_id", "AuthenticAMD") && has("cpu family", "25");
        let expected = if halved { Kernel::avx512x2() } else { Kernel::avx512() };
        assert_eq!(Kernel::available().next(), expected);
    }
}

#[test]
fn kernels_by_name() {
    for kernel in Kernel::available() {
        assert_eq!(Kernel::by_name(kernel.name()), Some(kernel));
        assert_eq!(Kernel::by_name(&kernel.name().to_uppercase()), Some(kernel));
        assert_eq!(kernel.to_string(), kernel.name());
        assert_eq!(format!("{kernel:?}"), format!("Kernel({})", kernel.name()));
        assert_eq!(format!("{kernel:>8}"), format!("{:>8}", kernel.name()));
    }
    for name in ["", " scalar", "scalar ", "avx", "abacus", "scalar\0"] {
        assert_eq!(Kernel::by_name(name), None, "{name:?}");
    }
    for name in Kernel::names().filter(|&name| !Kernel::available().any(|k| k.name() == name)) {
        assert_eq!(Kernel::by_name(name), None, "{name} can't run here");
    }
}

/// The constructors, which are there on every target.
fn constructors() -> Vec<(&'static str, Option<Kernel>)> {
    vec![
        ("avx512", Kernel::avx512()),
        ("avx512x2", Kernel::avx512x2()),
        ("avx2", Kernel::avx2()),
        ("sse42", Kernel::sse42()),
        ("neon", Kernel::neon()),
        ("simd128", Kernel::simd128()),
    ]
}

#[test]
fn constructors_are_kernels_by_name() {
    for (name, kernel) in constructors() {
        assert_eq!(kernel, Kernel::by_name(name), "{name}");
        assert_eq!(kernel.is_some(), Kernel::available().any(|kernel| kernel.name() == name));
    }
    for name in Kernel::names().filter(|&name| name != Kernel::SCALAR.name()) {
        assert!(constructors().iter().any(|&(other, _)| other == name), "{name} has none");
    }
}

/// Calls those that don't detect, where the processor has the features.
#[test]
fn constructors_that_detect_nothing() {
    #[allow(unused_mut, reason = "some targets call none of them")]
    let mut called = 0;
    #[allow(unused_macros, reason = "some targets call none of them")]
    macro_rules! check {
        ($($detect:ident, $unchecked:ident;)*) => {$(
            if let Some(kernel) = Kernel::$detect() {
                // SAFETY: the kernel is available, so the processor has its features.
                assert_eq!(unsafe { Kernel::$unchecked() }, kernel);
                called += 1;
            }
        )*};
    }
    #[cfg(target_arch = "x86_64")]
    check! { avx2, avx2_unchecked; sse42, sse42_unchecked; }
    #[cfg(all(target_arch = "x86_64", feature = "avx512"))]
    check! { avx512, avx512_unchecked; avx512x2, avx512x2_unchecked; }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    check! { neon, neon_unchecked; }
    // WebAssembly has none, because all that run a module have its features.
    let vectors = Kernel::available().filter(|kernel| kernel.name() != "simd128").count() - 1;
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32")) {
        assert_eq!(called, vectors);
    }
}

#[test]
fn a_kernel_is_one_byte() {
    assert_eq!(size_of::<Kernel>(), 1);
    assert_eq!(size_of::<Option<Kernel>>(), 1);
}

/// The output of [`choice_of_a_child`] in a process with this `UTFLANE_KERNEL`.
fn choice_with(kernel: Option<&str>) -> String {
    let mut child = Command::new(std::env::current_exe().expect("this program"));
    child.args(["--exact", "kernels::choice_of_a_child", "--nocapture", "--test-threads=1"]);
    child.env("UTFLANE_TEST_CHILD", "1").env_remove("UTFLANE_KERNEL");
    if let Some(kernel) = kernel {
        child.env("UTFLANE_KERNEL", kernel);
    }
    let output = child.output().expect("this program starts again");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let (_, choice) = text.split_once("choice: ").unwrap_or_else(|| panic!("{text}"));
    choice.lines().next().unwrap_or_default().to_owned()
}

/// Prints the active kernel, for a parent that has set the environment. The first validation makes
/// the choice, and some functions of the active kernel are called by pointer.
#[test]
fn choice_of_a_child() {
    if std::env::var_os("UTFLANE_TEST_CHILD").is_some() {
        validate_like_std();
        println!("choice: {} {}", Kernel::active(), Kernel::override_rejected());
    }
}

/// Compares validations of UTF-8 and ASCII by the free functions with those of std: texts of every
/// length up to a few blocks, and around the lengths from which other functions serve, without an
/// error, and with one after a third of the text and at its end.
fn validate_like_std() {
    let text: Vec<u8> = "Zwölf Boxkämpfer, 中文 and 😀. ".repeat(90).into_bytes();
    for len in (0..300).chain(1000..1100).chain(1500..1600).chain([text.len()]) {
        for error in [None, Some(len / 3), Some(len.saturating_sub(1))] {
            let mut bytes = text[..len].to_vec();
            if let Some(byte) = error.and_then(|at| bytes.get_mut(at)) {
                *byte = 0xFF;
            }
            let expected = std::str::from_utf8(&bytes).map(drop);
            assert_eq!(utflane::is_valid::<Utf8>(&bytes), expected.is_ok(), "{bytes:x?}");
            let ours = utflane::validate::<Utf8>(&bytes);
            let ours = ours.map_err(|error| (error.valid_up_to(), error.is_incomplete()));
            let expected =
                expected.map_err(|error| (error.valid_up_to(), error.error_len().is_none()));
            assert_eq!(ours, expected, "{} of {len} bytes", Kernel::active());
            let mut bytes: Vec<u8> = bytes.iter().map(|byte| byte & 0x7F).collect();
            if let Some(byte) = error.and_then(|at| bytes.get_mut(at)) {
                *byte |= 0x80;
            }
            let valid =
                utflane::validate::<Ascii>(&bytes).map_or_else(|e| e.valid_up_to(), |()| len);
            let expected = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(len);
            assert_eq!(valid, expected, "{} of {len} bytes of ASCII", Kernel::active());
        }
    }
}

/// Returns true if the target's features fix the kernel: then only the best kernel of this
/// processor can be named.
fn is_fixed() -> bool {
    Kernel::available().count() > 1 && choice_with(Some("scalar")) == format!("{} true", best())
}

fn best() -> Kernel {
    Kernel::available().next().expect("there is a scalar one")
}

#[test]
fn the_environment_names_the_active_kernel() {
    if !can_start_itself() {
        return;
    }
    assert_eq!(choice_with(None), format!("{} false", best()));
    assert_eq!(choice_with(Some("")), format!("{} false", best()));
    let fixed = is_fixed();
    for kernel in Kernel::available().filter(|&kernel| !fixed || kernel == best()) {
        assert_eq!(choice_with(Some(kernel.name())), format!("{kernel} false"));
        assert_eq!(choice_with(Some(&kernel.name().to_uppercase())), format!("{kernel} false"));
    }
}

#[test]
fn an_unknown_kernel_in_the_environment_changes_nothing() {
    if !can_start_itself() {
        return;
    }
    for name in ["abacus", "avx", " scalar", "scalar,avx2"] {
        assert_eq!(choice_with(Some(name)), format!("{} true", best()), "{name}");
    }
    for name in Kernel::names().filter(|&name| !Kernel::available().any(|k| k.name() == name)) {
        assert_eq!(choice_with(Some(name)), format!("{} true", best()), "{name} can't run here");
    }
}

/// The tests of functions that are no methods of `Kernel`, and the one that takes long with any
/// share.
const WITHOUT_A_KERNEL: [&str; 8] = [
    "bom::",
    "detect::",
    "double_encoding::",
    "io::",
    "legacy::",
    "mojibake::",
    "detect_model::",
    "to_str::",
];
const LONG: &str = "long_texts_are_read";

/// Run by itself, such a test runs on the active kernel. Here a few of its inputs run on each of
/// the others.
#[test]
#[cfg_attr(
    utflane_bochs,
    ignore = "hundreds of tests for each kernel take an emulated PC too long"
)]
fn what_has_no_kernel_runs_on_every_kernel() {
    if !can_start_itself() {
        say("what has no kernel: only on the active one here");
        return;
    }
    for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::active()) {
        let mut child = Command::new(std::env::current_exe().expect("this program"));
        child.args(WITHOUT_A_KERNEL).args(["--skip", LONG]);
        child.env("UTFLANE_KERNEL", kernel.name());
        child.env("UTFLANE_TEST_SHARE", (share() * 31).to_string());
        let output = child.output().expect("this program starts again");
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{kernel}: {told}");
        // Some of each.
        let ran =
            |module: &str| told.lines().any(|line| line.starts_with(&format!("test {module}")));
        assert!(WITHOUT_A_KERNEL.iter().all(|module| ran(module)), "{kernel}: {told}");
    }
}

/// Returns true if this program can be started a second time, which some emulators can't do.
pub(crate) fn can_start_itself() -> bool {
    let list = std::env::current_exe().and_then(|exe| Command::new(exe).arg("--list").output());
    let can = list.is_ok_and(|output| output.status.success());
    if !can {
        say("UTFLANE_KERNEL is not tested: this program can't start itself here");
    }
    can
}
