//! The list of kernels, and the choice among them.
//!
//! With `UTFLANE_REQUIRE_KERNELS=avx2,sse42,scalar`, a test fails if one of these kernels cannot
//! run. Without this, a machine would silently skip the tests of a kernel that it lacks.

use std::process::Command;

use crate::common::{sampling_interval, say};
use utflane::{Ascii, Kernel, Utf8};

#[test]
fn required_kernels_are_available() {
    let available: Vec<_> = Kernel::available().map(Kernel::name).collect();
    say(&format!("kernels: {}; active: {}", available.join(", "), Kernel::active()));
    if let Ok(required) = std::env::var("UTFLANE_REQUIRE_KERNELS") {
        for name in required.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            assert!(
                available.contains(&name),
                "'{name}' is required, but only {available:?} are available"
            );
        }
    }
}

/// Unoptimised builds have only the scalar kernel. `ci/no-std.sh` checks that too, in builds with
/// and without optimisation.
#[test]
fn optimised_builds_have_vector_kernels() {
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
    let mut in_order: Vec<_> =
        names.iter().filter(|name| available.contains(name)).copied().collect();
    if available[0] == "avx512x2" {
        in_order.swap(0, 1);
    }
    assert_eq!(in_order, available, "the available kernels are in the order of all kernels");
    let mut unique = names.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), names.len());
}

/// There are two kernels of AVX-512. The processor decides which of them is better, but both are
/// tested on every machine with AVX-512.
#[test]
fn avx512x2_is_the_best_kernel_on_zen_4() {
    let [avx512, avx512x2] = ["avx512", "avx512x2"].map(Kernel::by_name);
    assert_eq!(avx512x2.is_some(), avx512.is_some());
    let Ok(processor) = std::fs::read_to_string("/proc/cpuinfo") else {
        return say("the choice between the kernels of AVX-512 is not tested: no /proc/cpuinfo");
    };
    let has_entry = |key: &str, value: &str| {
        processor.lines().any(|line| {
            line.split_once(':')
                .is_some_and(|(name, entry)| name.trim() == key && entry.trim() == value)
        })
    };
    // Target features that are enabled at compile time can determine the kernel.
    if avx512.is_some() && !cfg!(target_feature = "avx512vbmi2") {
        // Zen 4 executes a 64-byte vector as two halves, for which the kernel `avx512x2` is made.
        let executes_vectors_as_halves =
            has_entry("vendor_id", "AuthenticAMD") && has_entry("cpu family", "25");
        let expected = if executes_vectors_as_halves { avx512x2 } else { avx512 };
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

/// Calls the constructors that detect no features, if the processor has the features.
#[test]
fn unchecked_constructors() {
    #[allow(unused_mut, reason = "some targets have no unchecked constructor")]
    let mut called = 0;
    #[allow(unused_macros, reason = "some targets have no unchecked constructor")]
    macro_rules! check {
        ($($name:literal, $unchecked:ident;)*) => {$(
            if let Some(kernel) = Kernel::by_name($name) {
                // SAFETY: the kernel is available, so the processor has its features.
                assert_eq!(unsafe { Kernel::$unchecked() }, kernel);
                called += 1;
            }
        )*};
    }
    #[cfg(target_arch = "x86_64")]
    check! { "avx2", avx2_unchecked; "sse42", sse42_unchecked; }
    #[cfg(all(target_arch = "x86_64", feature = "avx512"))]
    check! { "avx512", avx512_unchecked; }
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    check! { "neon", neon_unchecked; }
    // WebAssembly has no such constructor, because every engine that runs a module has its
    // features. The kernel `avx512x2` needs the same features as `avx512`.
    let has_constructor = |kernel: &Kernel| !["simd128", "avx512x2"].contains(&kernel.name());
    let vector_kernels = Kernel::available().filter(has_constructor).count() - 1;
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32")) {
        assert_eq!(called, vector_kernels);
    }
}

#[test]
fn a_kernel_is_one_byte() {
    assert_eq!(size_of::<Kernel>(), 1);
    assert_eq!(size_of::<Option<Kernel>>(), 1);
}

/// Returns the output of [`print_active_kernel_in_child_process`] in a process with this
/// `UTFLANE_KERNEL`.
fn run_child_with(kernel: Option<&str>) -> String {
    let mut child = Command::new(std::env::current_exe().expect("the path of this program"));
    child.args([
        "--exact",
        "kernels::print_active_kernel_in_child_process",
        "--nocapture",
        "--test-threads=1",
    ]);
    child.env("UTFLANE_TEST_CHILD", "1").env_remove("UTFLANE_KERNEL");
    if let Some(kernel) = kernel {
        child.env("UTFLANE_KERNEL", kernel);
    }
    let output = child.output().expect("this program can start itself");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let (_, choice) = text.split_once("choice: ").unwrap_or_else(|| panic!("{text}"));
    choice.lines().next().unwrap_or_default().to_owned()
}

/// Prints the active kernel, and whether the kernel that the environment names is rejected, for a
/// parent process that has set the environment. It validates texts
/// first, because the first validation chooses the kernel, and some functions of the active kernel
/// are called by pointer.
#[test]
fn print_active_kernel_in_child_process() {
    if std::env::var_os("UTFLANE_TEST_CHILD").is_some() {
        validate_like_std();
        let rejected = if Kernel::override_rejected() { "rejected" } else { "not rejected" };
        println!("choice: {} {rejected}", Kernel::active());
    }
}

/// Compares the validation of UTF-8 and ASCII by the free functions with std's. The texts have
/// every length up to a few blocks, and lengths around the thresholds at which the library calls
/// another function. They have no error, an error after a third of the text, or an error at the
/// end.
fn validate_like_std() {
    let text: Vec<u8> = "Zwölf Boxkämpfer, 中文 and 😀. ".repeat(90).into_bytes();
    for len in (0..300).chain(1000..1100).chain(1500..1600).chain([text.len()]) {
        for error_offset in [None, Some(len / 3), Some(len.saturating_sub(1))] {
            let mut bytes = text[..len].to_vec();
            if let Some(byte) = error_offset.and_then(|offset| bytes.get_mut(offset)) {
                *byte = 0xFF;
            }
            let expected = std::str::from_utf8(&bytes).map(drop);
            assert_eq!(utflane::is_valid::<Utf8>(&bytes), expected.is_ok(), "{bytes:x?}");
            let got = utflane::validate::<Utf8>(&bytes);
            let got = got.map_err(|error| (error.valid_up_to(), error.is_incomplete()));
            let expected =
                expected.map_err(|error| (error.valid_up_to(), error.error_len().is_none()));
            assert_eq!(got, expected, "{} of {len} bytes", Kernel::active());
            let mut bytes: Vec<u8> = bytes.iter().map(|byte| byte & 0x7F).collect();
            if let Some(byte) = error_offset.and_then(|offset| bytes.get_mut(offset)) {
                *byte |= 0x80;
            }
            let valid =
                utflane::validate::<Ascii>(&bytes).map_or_else(|e| e.valid_up_to(), |()| len);
            let expected = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(len);
            assert_eq!(valid, expected, "{} of {len} bytes of ASCII", Kernel::active());
        }
    }
}

/// Returns true if the target's features determine the kernel at compile time, so that the
/// environment can only name the best kernel of this processor.
fn is_chosen_at_compile_time() -> bool {
    Kernel::available().count() > 1
        && run_child_with(Some("scalar")) == format!("{} rejected", best_kernel())
}

fn best_kernel() -> Kernel {
    Kernel::available().next().expect("the scalar kernel can always run")
}

#[test]
fn the_environment_names_the_active_kernel() {
    if !can_start_itself() {
        return;
    }
    assert_eq!(run_child_with(None), format!("{} not rejected", best_kernel()));
    assert_eq!(run_child_with(Some("")), format!("{} not rejected", best_kernel()));
    let only_best = is_chosen_at_compile_time();
    for kernel in Kernel::available().filter(|&kernel| !only_best || kernel == best_kernel()) {
        assert_eq!(run_child_with(Some(kernel.name())), format!("{kernel} not rejected"));
        assert_eq!(
            run_child_with(Some(&kernel.name().to_uppercase())),
            format!("{kernel} not rejected")
        );
    }
}

#[test]
fn an_unknown_kernel_in_the_environment_changes_nothing() {
    if !can_start_itself() {
        return;
    }
    for name in ["abacus", "avx", " scalar", "scalar,avx2"] {
        assert_eq!(run_child_with(Some(name)), format!("{} rejected", best_kernel()), "{name}");
    }
    for name in Kernel::names().filter(|&name| !Kernel::available().any(|k| k.name() == name)) {
        assert_eq!(
            run_child_with(Some(name)),
            format!("{} rejected", best_kernel()),
            "{name} can't run here"
        );
    }
}

/// The modules with tests of functions that are not methods of `Kernel`.
const MODULES_WITHOUT_A_KERNEL: [&str; 4] = ["bom::", "io::", "legacy::", "to_str::"];
/// A test in these modules that is slow even with few inputs.
const LONG_TEST: &str = "long_texts_are_read";

/// The tests in [`MODULES_WITHOUT_A_KERNEL`] normally run on the active kernel. This test runs
/// them, with few of their inputs, on each of the other kernels.
#[test]
fn functions_without_a_kernel_run_on_every_kernel() {
    // Hundreds of tests for each kernel take an emulated PC too long.
    if !can_start_itself() || std::env::var_os("UTFLANE_EMULATED_PC").is_some() {
        say("functions without a kernel: tested only on the active kernel");
        return;
    }
    for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::active()) {
        let mut child = Command::new(std::env::current_exe().expect("the path of this program"));
        child.args(MODULES_WITHOUT_A_KERNEL).args(["--skip", LONG_TEST]);
        child.env("UTFLANE_KERNEL", kernel.name());
        child.env("UTFLANE_TEST_SHARE", (sampling_interval() * 31).to_string());
        let output = child.output().expect("this program can start itself");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{kernel}: {stdout}");
        // Some tests of each module have run.
        let ran =
            |module: &str| stdout.lines().any(|line| line.starts_with(&format!("test {module}")));
        assert!(MODULES_WITHOUT_A_KERNEL.iter().all(|module| ran(module)), "{kernel}: {stdout}");
    }
}

/// Returns true if this program can start itself as a child process. Some emulators cannot do this.
/// In others, a program with several threads sometimes hangs if it tries, so
/// `UTFLANE_NO_CHILDREN` forbids it.
pub(crate) fn can_start_itself() -> bool {
    let starts =
        |exe| Command::new(exe).arg("--list").output().is_ok_and(|output| output.status.success());
    let can_start = std::env::var_os("UTFLANE_NO_CHILDREN").is_none()
        && std::env::current_exe().is_ok_and(starts);
    if !can_start {
        say("UTFLANE_KERNEL is not tested: this program can't start itself here");
    }
    can_start
}
