//! The list of kernels, and the choice among them at run time.

use core::fmt;
use core::mem;
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(vectors = "x86")]
use crate::arch::avx2::Avx2;
#[cfg(avx512)]
use crate::arch::avx512::Avx512;
#[cfg(vectors = "neon")]
use crate::arch::neon::Neon;
#[cfg(vectors = "simd128")]
use crate::arch::simd128::Simd128;
#[cfg(vectors = "x86")]
use crate::arch::sse42::Sse42;

/// An instruction set with kernels. The best one has the smallest number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Isa {
    /// The value of [`CHOICE`] before the choice. No kernel has it.
    Unchosen,
    #[cfg(avx512)]
    Avx512,
    /// AVX-512 on processors that execute its vectors as two halves: some functions are AVX2's.
    #[cfg(avx512)]
    Avx512x2,
    #[cfg(vectors = "x86")]
    Avx2,
    #[cfg(vectors = "x86")]
    Sse42,
    #[cfg(vectors = "neon")]
    Neon,
    #[cfg(vectors = "simd128")]
    Simd128,
    Scalar,
}

/// An entry of the list of kernels.
struct Entry {
    isa: Isa,
    name: &'static str,
    /// Returns true if this processor has its features.
    detect: fn() -> bool,
    /// True if the compile-time features leave no better kernel to find.
    is_fixed: bool,
}

/// The kernels of this build, best first on most processors ([`Isa::best_first`]): without
/// optimisation, the scalar one alone.
const KERNELS: &[Entry] = if crate::arch::IS_COMPILED { ALL } else { &[SCALAR] };

const ALL: &[Entry] = &[
    #[cfg(avx512)]
    Entry {
        isa: Isa::Avx512,
        name: "avx512",
        detect: Avx512::detect,
        is_fixed: cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512cd",
            target_feature = "avx512dq",
            target_feature = "avx512vl",
            target_feature = "avx512vbmi",
            target_feature = "avx512vbmi2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt"
        )),
    },
    #[cfg(avx512)]
    Entry { isa: Isa::Avx512x2, name: "avx512x2", detect: Avx512::detect, is_fixed: false },
    #[cfg(vectors = "x86")]
    Entry {
        isa: Isa::Avx2,
        name: "avx2",
        detect: Avx2::detect,
        is_fixed: cfg!(all(
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "lzcnt",
            target_feature = "popcnt",
            not(all(avx512, any(feature = "std", feature = "cpuid")))
        )),
    },
    #[cfg(vectors = "x86")]
    Entry { isa: Isa::Sse42, name: "sse42", detect: Sse42::detect, is_fixed: false },
    #[cfg(vectors = "neon")]
    Entry { isa: Isa::Neon, name: "neon", detect: Neon::detect, is_fixed: false },
    // All that run a module with these instructions have them.
    #[cfg(vectors = "simd128")]
    Entry { isa: Isa::Simd128, name: "simd128", detect: Simd128::detect, is_fixed: true },
    SCALAR,
];

const SCALAR: Entry = Entry { isa: Isa::Scalar, name: "scalar", detect: || true, is_fixed: false };

impl Isa {
    /// Returns the best kernel if it is the only one, or if the compile-time features guarantee it
    /// and there is no better one to detect.
    pub(crate) const fn fixed() -> Option<Self> {
        let mut i = 0;
        while i < KERNELS.len() {
            if KERNELS[i].is_fixed || KERNELS.len() == 1 {
                return Some(KERNELS[i].isa);
            }
            i += 1;
        }
        None
    }

    /// Returns the entry of a kernel of this build.
    fn entry(self) -> Option<&'static Entry> {
        KERNELS.iter().find(|entry| entry.isa == self)
    }

    /// Returns true if this build has the kernel and this processor can run it.
    pub(crate) fn is_available(self) -> bool {
        self.entry().is_some_and(|entry| (entry.detect)())
    }
}

/// A kernel: one set of implementations of every operation, for one instruction set.
///
/// A value is the proof that this processor can run it. The free functions use [`Kernel::active`].
/// Every operation that is generic over encodings is also a method here: for tests, for
/// measurements, and for callers with many short texts who choose once. What only one encoding has,
/// in the modules [`utf8`](crate::utf8) and [`utf16`](crate::utf16), runs on the active kernel; its
/// methods here are hidden, for tests and measurements. Every kernel gives the same results on
/// every input.
///
/// With the `std` feature the environment variable `UTFLANE_KERNEL` names the active kernel.
///
/// A build without optimisation (`opt-level = 0`, as in debug builds) has the scalar kernel alone:
/// unoptimised vector code takes most of the time of compiling, and little of it is faster. The
/// [profile lines](crate#cost) that optimise the library give debug builds all kernels.
///
/// ```
/// use utflane::{Kernel, Utf8};
///
/// for kernel in Kernel::available() {
///     assert_eq!(kernel.validate::<Utf8>("déjà vu".as_bytes()), Ok(()), "{kernel}");
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kernel(pub(crate) Isa);

/// The active kernel as its [`Isa`]. Relaxed order is enough: every thread makes the same choice,
/// and nothing else is published with it.
static CHOICE: AtomicU8 = AtomicU8::new(Isa::Unchosen as u8);

impl Isa {
    /// Returns the instruction set of the active kernel, or [`Unchosen`](Self::Unchosen).
    #[inline]
    fn active() -> Self {
        if let Some(isa) = const { Self::fixed() } {
            return isa;
        }
        let choice = CHOICE.load(Ordering::Relaxed);
        // SAFETY: `CHOICE` holds the number of an `Isa` from its start on, and `choose`, the only
        // one to store, stores another.
        unsafe { mem::transmute::<u8, Self>(choice) }
    }

    /// Returns all instruction sets of this target, the best for this processor first.
    fn best_first() -> impl Iterator<Item = Self> {
        let all = KERNELS.iter().map(|entry| entry.isa);
        cfg_if::cfg_if! {
            if #[cfg(avx512)] {
                let halved = Self::fixed().is_none() && crate::arch::avx512x2::is_halved();
                all.map(move |isa| match isa {
                    Self::Avx512 if halved => Self::Avx512x2,
                    Self::Avx512x2 if halved => Self::Avx512,
                    isa => isa,
                })
            } else {
                all
            }
        }
    }
}

impl Kernel {
    /// The scalar reference, which runs everywhere.
    pub const SCALAR: Self = Self(Isa::Scalar);

    /// Returns the kernel that the free functions use: the best available one, unless
    /// `UTFLANE_KERNEL` names another.
    ///
    /// The choice is made once. It is a constant where the compile-time features leave no better
    /// kernel to find.
    ///
    /// ```
    /// assert!(utflane::Kernel::available().any(|kernel| kernel == utflane::Kernel::active()));
    /// ```
    #[must_use]
    #[inline]
    pub fn active() -> Self {
        match Isa::active() {
            Isa::Unchosen => Self::choose(),
            isa => Self(isa),
        }
    }

    /// Returns the [active](Self::active) kernel, if the choice has been made. A caller that makes
    /// it by calling a function for its whole work keeps nothing in registers across the choice.
    #[inline]
    pub(crate) fn chosen() -> Option<Self> {
        match Isa::active() {
            Isa::Unchosen => None,
            isa => Some(Self(isa)),
        }
    }

    /// Returns the kernels that this processor can run, best first; the last is
    /// [`SCALAR`](Self::SCALAR).
    pub fn available() -> impl Iterator<Item = Self> {
        Isa::best_first().filter(|isa| isa.is_available()).map(Self)
    }

    /// Returns the names of all kernels that are in this build, available or not, best first on
    /// most processors.
    ///
    /// ```
    /// assert_eq!(utflane::Kernel::names().last(), Some("scalar"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        KERNELS.iter().map(|entry| entry.name)
    }

    /// Returns the kernel with this name, in any case, if this processor can run it.
    ///
    /// ```
    /// use utflane::Kernel;
    ///
    /// assert_eq!(Kernel::by_name("scalar"), Some(Kernel::SCALAR));
    /// assert_eq!(Kernel::by_name("abacus"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        // The name is compared first, because detection takes longer.
        let entry = KERNELS.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))?;
        (entry.detect)().then_some(Self(entry.isa))
    }

    /// Returns the name: `scalar`, `sse42`, `avx2`, `avx512`, `avx512x2`, `neon` or `simd128`.
    ///
    /// `avx512x2` is `avx512` with functions of AVX2 where these are faster on Zen 4, which
    /// executes vectors of 64 bytes as two halves.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.entry().map_or("scalar", |entry| entry.name)
    }

    /// Returns true if `UTFLANE_KERNEL` names a kernel that is not in this build, can't run here,
    /// or can't be chosen because the compile-time features fix the kernel. Such a name changes
    /// nothing. Programs that measure should stop.
    ///
    /// ```
    /// if utflane::Kernel::override_rejected() {
    ///     eprintln!("UTFLANE_KERNEL is ignored");
    /// }
    /// ```
    #[must_use]
    pub fn override_rejected() -> bool {
        match wanted() {
            Some(wanted) => wanted != Some(Self::active()),
            None => false,
        }
    }

    /// Detects the best kernel and stores the choice.
    #[cold]
    fn choose() -> Self {
        let best = Self::available().next().unwrap_or(Self::SCALAR);
        let choice = wanted().flatten().unwrap_or(best);
        CHOICE.store(choice.0 as u8, Ordering::Relaxed);
        choice
    }
}

/// Returns the kernel that `UTFLANE_KERNEL` names: `Some(None)` if it can't run here.
#[cfg(feature = "std")]
fn wanted() -> Option<Option<Kernel>> {
    let name = std::env::var_os("UTFLANE_KERNEL").filter(|name| !name.is_empty())?;
    Some(name.to_str().and_then(Kernel::by_name))
}

/// Returns `None`: without `std` there is no environment.
#[cfg(not(feature = "std"))]
fn wanted() -> Option<Option<Kernel>> {
    None
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel({self})")
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
