//! The list of kernels, and the choice among them at run time.

use core::fmt;
use core::mem;
use core::sync::atomic::{AtomicU8, Ordering};

#[cfg(avx512)]
use crate::arch::avx512::Avx512;
#[cfg(vectors = "neon")]
use crate::arch::neon::Neon;
#[cfg(vectors = "simd128")]
use crate::arch::simd128::Simd128;
#[cfg(vectors = "x86")]
use crate::arch::{avx2::Avx2, sse42::Sse42};

/// The instruction set of a kernel. Better instruction sets have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Isa {
    /// The value of [`CHOICE`] before the choice. No kernel has it.
    Unchosen,
    #[cfg(avx512)]
    Avx512,
    /// AVX-512 on processors that execute a vector of 64 bytes as two halves. Some functions of
    /// this kernel are AVX2's functions.
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

/// An entry in the list of kernels.
struct Entry {
    isa: Isa,
    name: &'static str,
    /// Returns true if this processor has the features of the kernel.
    detect: fn() -> bool,
    /// True if the kernel need not be detected: the compile-time features include its features, and
    /// no better kernel can be detected.
    in_build: bool,
}

/// The kernels of this build, in the order that is best on most processors: see
/// [`Kernel::available`]. A build without optimisation has only the scalar kernel.
const KERNELS: &[Entry] = if crate::arch::HAS_KERNELS { ALL } else { &[SCALAR] };

const ALL: &[Entry] = &[
    #[cfg(avx512)]
    Entry { isa: Isa::Avx512, name: "avx512", detect: Avx512::detect, in_build: Avx512::IN_BUILD },
    #[cfg(avx512)]
    Entry { isa: Isa::Avx512x2, name: "avx512x2", detect: Avx512::detect, in_build: false },
    #[cfg(vectors = "x86")]
    Entry { isa: Isa::Avx2, name: "avx2", detect: Avx2::detect, in_build: Avx2::IN_BUILD },
    #[cfg(vectors = "x86")]
    Entry { isa: Isa::Sse42, name: "sse42", detect: Sse42::detect, in_build: false },
    #[cfg(vectors = "neon")]
    Entry { isa: Isa::Neon, name: "neon", detect: Neon::detect, in_build: false },
    // Every engine that accepts a module with these instructions supports them.
    #[cfg(vectors = "simd128")]
    Entry { isa: Isa::Simd128, name: "simd128", detect: Simd128::detect, in_build: true },
    SCALAR,
];

const SCALAR: Entry = Entry { isa: Isa::Scalar, name: "scalar", detect: || true, in_build: false };

impl Isa {
    /// Returns the kernel that is known at compile time: the only kernel, or the best kernel if the
    /// compile-time features include its features and no better kernel can be detected.
    pub(crate) const fn fixed() -> Option<Self> {
        let mut i = 0;
        while i < KERNELS.len() {
            if KERNELS[i].in_build || KERNELS.len() == 1 {
                return Some(KERNELS[i].isa);
            }
            if cfg!(any(feature = "std", feature = "cpuid")) {
                return None;
            }
            i += 1;
        }
        None
    }
}

/// A kernel: one set of implementations of every operation, for one instruction set.
///
/// A value is the proof that this processor can run the kernel. The free functions use
/// [`Kernel::active`]. Every operation that is generic over encodings is also a method here: for
/// tests, for measurements, and for callers with many short texts who choose a kernel once. The
/// operations that only one encoding has, in the modules [`utf8`](crate::utf8) and
/// [`utf16`](mod@crate::utf16), run on the active kernel. Their methods here are hidden, for tests
/// and measurements. Every kernel gives the same results on every input.
///
/// With the `std` feature, the environment variable `UTFLANE_KERNEL` chooses the active kernel by
/// its name.
///
/// A build without optimisation (`opt-level = 0`, as in debug builds) has only the scalar kernel:
/// vector code takes most of the compile time, and without optimisation little of it is faster. The
/// [profile settings](crate#cost) that optimise the library give debug builds all kernels.
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

/// The instruction set of the active kernel. Relaxed order is enough: every thread makes the same
/// choice, and no other data is published with it.
static CHOICE: AtomicU8 = AtomicU8::new(Isa::Unchosen as u8);

impl Kernel {
    /// The kernel of the scalar reference, which runs on every processor.
    pub const SCALAR: Self = Self(Isa::Scalar);

    /// Returns the kernel whose `Isa` has this number, or [`SCALAR`](Self::SCALAR). The caller must
    /// know that the processor can run this kernel.
    pub(crate) const fn of_number(number: u8) -> Self {
        let mut i = 0;
        while i < KERNELS.len() - 1 && KERNELS[i].isa as u8 != number {
            i += 1;
        }
        Self(KERNELS[i].isa)
    }

    /// Returns the kernel that the free functions use: the best available kernel, unless
    /// `UTFLANE_KERNEL` names another one.
    ///
    /// The choice is made once. It is a constant if the compile-time features leave no better
    /// kernel to detect.
    ///
    /// ```
    /// assert!(utflane::Kernel::available().any(|kernel| kernel == utflane::Kernel::active()));
    /// ```
    #[must_use]
    #[inline]
    pub fn active() -> Self {
        if let Some(isa) = const { Isa::fixed() } {
            return Self(isa);
        }
        // SAFETY: the number is the value of an `Isa`. `CHOICE` is initialised with such a number,
        // and only `choose` stores another number, also of an `Isa`.
        match unsafe { mem::transmute::<u8, Isa>(CHOICE.load(Ordering::Relaxed)) } {
            Isa::Unchosen => Self::choose(),
            isa => Self(isa),
        }
    }

    /// Returns the kernels that this processor can run, best first. The last kernel is
    /// [`SCALAR`](Self::SCALAR).
    pub fn available() -> impl Iterator<Item = Self> {
        #[cfg(avx512)]
        let halved = Isa::fixed().is_none() && crate::arch::avx512x2::is_halved();
        let isas = KERNELS.iter().filter(|entry| (entry.detect)()).map(|entry| entry.isa);
        isas.map(move |isa| match isa {
            #[cfg(avx512)]
            Isa::Avx512 if halved => Self(Isa::Avx512x2),
            #[cfg(avx512)]
            Isa::Avx512x2 if halved => Self(Isa::Avx512),
            isa => Self(isa),
        })
    }

    /// Returns the names of all kernels of this build, including those that this processor cannot
    /// run, in the order that is best on most processors.
    ///
    /// ```
    /// assert_eq!(utflane::Kernel::names().last(), Some("scalar"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        KERNELS.iter().map(|entry| entry.name)
    }

    /// Returns the kernel with this name, ignoring ASCII case, if this processor can run it.
    /// Returns `None` on other processors, and in builds without this kernel: builds without
    /// optimisation and builds for other targets. Only the features of this kernel are detected.
    ///
    /// ```
    /// use utflane::Kernel;
    ///
    /// assert_eq!(Kernel::by_name("scalar"), Some(Kernel::SCALAR));
    /// assert_eq!(Kernel::by_name("abacus"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        // Names are compared first, because detection takes longer.
        let entry = KERNELS.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))?;
        (entry.detect)().then_some(Self(entry.isa))
    }

    /// Returns the name: `scalar`, `sse42`, `avx2`, `avx512`, `avx512x2`, `neon` or `simd128`.
    ///
    /// `avx512x2` is `avx512` with the functions of AVX2 that are faster on Zen 4, which executes
    /// vectors of 64 bytes as two halves.
    #[must_use]
    pub fn name(self) -> &'static str {
        let entry = KERNELS.iter().find(|entry| entry.isa == self.0);
        entry.map_or("scalar", |entry| entry.name)
    }

    /// Returns true if `UTFLANE_KERNEL` names a kernel that is not in this build, that this
    /// processor cannot run, or that cannot be chosen because the compile-time features fix the
    /// kernel. Such a name is ignored. Programs that measure should stop.
    ///
    /// ```
    /// if utflane::Kernel::override_rejected() {
    ///     eprintln!("UTFLANE_KERNEL is ignored");
    /// }
    /// ```
    #[must_use]
    pub fn override_rejected() -> bool {
        wanted().is_some_and(|wanted| wanted != Some(Self::active()))
    }

    /// Detects the best kernel and stores the choice.
    #[cold]
    fn choose() -> Self {
        let choice =
            wanted().flatten().or_else(|| Self::available().next()).unwrap_or(Self::SCALAR);
        CHOICE.store(choice.0 as u8, Ordering::Relaxed);
        choice
    }
}

/// Returns the kernel that `UTFLANE_KERNEL` names: `None` if the variable is not set or there is no
/// environment, and `Some(None)` if the named kernel cannot run here.
fn wanted() -> Option<Option<Kernel>> {
    cfg_if::cfg_if! {
        if #[cfg(feature = "std")] {
            let name = std::env::var_os("UTFLANE_KERNEL").filter(|name| !name.is_empty())?;
            Some(name.to_str().and_then(Kernel::by_name))
        } else {
            None
        }
    }
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
