//! The list of kernels, and the choice among them at run time.

use core::fmt;
use core::mem;
use core::sync::atomic::{AtomicU8, Ordering};

/// The list of kernels, best first on most processors ([`Isa::best_first`]). Everything that
/// depends on the list is declared by a macro that receives it.
///
/// An entry has the instruction set, the name of its kernel, its room in `arch` with the token and
/// the vector type, and the compile-time features that leave no better kernel to find. Then the
/// constructor that doesn't detect, with the features that its caller must have; WebAssembly needs
/// none, since all that run such a module have them. A `wide` kernel runs the functions of the best
/// `native` one, except those of [`dispatch_long!`](crate::dispatch::run), which are compiled for
/// it too. Two `wide` kernels of one instruction set differ by the functions that they choose.
macro_rules! kernels {
    ($callback:ident $dollar:tt) => {
        $callback! { $dollar
            wide {
                #[cfg(avx512)]
                Avx512 = "avx512", avx512::{Avx512, U8x64}, fixed if all(
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
                ), avx512_unchecked needs [
                    "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vbmi",
                    "avx512vbmi2", "bmi1", "bmi2", "lzcnt", "popcnt"
                ];
                #[cfg(avx512)]
                Avx512x2 = "avx512x2", avx512x2::{Avx512, U8x64}, fixed if any(),
                    avx512x2_unchecked needs [
                        "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", "avx512vbmi",
                        "avx512vbmi2", "bmi1", "bmi2", "lzcnt", "popcnt"
                    ];
            }
            native {
                #[cfg(vectors = "x86")]
                Avx2 = "avx2", avx2::{Avx2, U8x32}, fixed if all(
                    target_feature = "avx2",
                    target_feature = "bmi1",
                    target_feature = "bmi2",
                    target_feature = "lzcnt",
                    target_feature = "popcnt",
                    not(all(avx512, any(feature = "std", feature = "cpuid")))
                ), avx2_unchecked needs ["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"];
                #[cfg(vectors = "x86")]
                Sse42 = "sse42", sse42::{Sse42, U8x16}, fixed if any(),
                    sse42_unchecked needs ["sse4.2", "ssse3", "popcnt"];
                #[cfg(vectors = "neon")]
                Neon = "neon", neon::{Neon, U8x16}, fixed if any(),
                    neon_unchecked needs ["neon"];
                #[cfg(vectors = "simd128")]
                Simd128 = "simd128", simd128::{Simd128, U8x16}, fixed if all();
            }
        }
    };
}
pub(crate) use kernels;

/// Declares [`Isa`] from the list.
macro_rules! declare_isa {
    ($dollar:tt
        wide { $(#[cfg($wide_cfg:meta)] $wide:ident = $wide_name:literal,
            $wide_room:ident::{$wide_token:ident, $wide_vector:ident}, fixed if $wide_fixed:meta
            $(, $wide_unchecked:ident needs [$($wide_feature:literal),*])?;)* }
        native { $(#[cfg($cfg:meta)] $native:ident = $name:literal,
            $room:ident::{$token:ident, $vector:ident}, fixed if $fixed:meta
            $(, $unchecked:ident needs [$($feature:literal),*])?;)* }
    ) => {
        /// An instruction set with kernels. The best one has the smallest number.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub(crate) enum Isa {
            /// The value of [`CHOICE`] before the choice. No kernel has it.
            Unchosen,
            $(#[cfg($wide_cfg)] $wide,)*
            $(#[cfg($cfg)] $native,)*
            Scalar,
        }

        impl Isa {
            /// All instruction sets of this build, best first: without optimisation, `Scalar`.
            const ALL: &[Self] = if crate::arch::IS_COMPILED {
                &[
                    $(#[cfg($wide_cfg)] Self::$wide,)*
                    $(#[cfg($cfg)] Self::$native,)*
                    Self::Scalar,
                ]
            } else {
                &[Self::Scalar]
            };

            /// The best one, if it is the only one, or if the compile-time features guarantee it
            /// and there is no better one to look for.
            #[allow(unreachable_code, reason = "the first that is fixed is returned")]
            pub(crate) const fn fixed() -> Option<Self> {
                if let [only] = Self::ALL {
                    return Some(*only);
                }
                $(#[cfg(all($wide_cfg, $wide_fixed))] return Some(Self::$wide);)*
                $(#[cfg(all($cfg, $fixed))] return Some(Self::$native);)*
                None
            }

            /// The name of its kernel.
            const fn name(self) -> &'static str {
                match self {
                    $(#[cfg($wide_cfg)] Self::$wide => $wide_name,)*
                    $(#[cfg($cfg)] Self::$native => $name,)*
                    Self::Scalar | Self::Unchosen => "scalar",
                }
            }

            /// Returns true if this build and this processor have it.
            fn is_available(self) -> bool {
                Self::ALL.contains(&self) && match self {
                    $(#[cfg($wide_cfg)]
                    Self::$wide => crate::arch::$wide_room::$wide_token::detect(),)*
                    $(#[cfg($cfg)] Self::$native => crate::arch::$room::$token::detect(),)*
                    Self::Scalar => true,
                    Self::Unchosen => false,
                }
            }
        }
    };
}

kernels!(declare_isa $);

/// A kernel: one set of implementations of every operation, for one instruction set.
///
/// A value is the proof that this processor can run it. The free functions use [`Kernel::active`].
/// Every operation is also a method here: for tests, for measurements, and for callers with many
/// short texts who choose once. Every kernel gives the same results on every input.
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
    /// The one of the active kernel, or [`Unchosen`](Self::Unchosen).
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

    /// All instruction sets of this target, the best for this processor first.
    fn best_first() -> impl Iterator<Item = Self> {
        let all = Self::ALL.iter().copied();
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

    /// The kernel that the free functions use: the best available one, unless `UTFLANE_KERNEL`
    /// names another.
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

    /// The [active](Self::active) kernel, if the choice has been made. A caller that makes it by
    /// calling a function for its whole work keeps nothing in registers across the choice.
    #[inline]
    pub(crate) fn chosen() -> Option<Self> {
        match Isa::active() {
            Isa::Unchosen => None,
            isa => Some(Self(isa)),
        }
    }

    /// The kernels that this processor can run, best first; the last is [`SCALAR`](Self::SCALAR).
    pub fn available() -> impl Iterator<Item = Self> {
        Isa::best_first().filter(|isa| isa.is_available()).map(Self)
    }

    /// The names of all kernels that are in this build, available or not, best first on most
    /// processors.
    ///
    /// ```
    /// assert_eq!(utflane::Kernel::names().last(), Some("scalar"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        Isa::ALL.iter().map(|isa| isa.name())
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
        let isa = *Isa::ALL.iter().find(|isa| isa.name().eq_ignore_ascii_case(name))?;
        isa.is_available().then_some(Self(isa))
    }

    /// The name: `scalar`, `sse42`, `avx2`, `avx512`, `avx512x2`, `neon` or `simd128`.
    ///
    /// `avx512x2` is `avx512` with functions of AVX2 where these are faster on Zen 4, which
    /// executes vectors of 64 bytes as two halves.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
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

/// Declares the constructors of kernels by their names, from the list. Those that detect are there
/// on every target, so that callers need no `cfg`.
macro_rules! declare_constructors {
    ($dollar:tt wide { $($wide:tt)* } native { $($native:tt)* }) => {
        constructors! { $($wide)* $($native)* }
    };
}

/// The constructors of some entries of the list.
macro_rules! constructors {
    ($(#[cfg($cfg:meta)] $isa:ident = $name:literal, $room:ident::{$token:ident, $vector:ident},
        fixed if $fixed:meta $(, $unchecked:ident needs [$($feature:literal),*])?;)*) => {
        /// Kernels by name, without a search: for callers that want one instruction set. Each
        /// detects only its own features.
        impl Kernel {$(
            #[doc = concat!("Returns the kernel `", $name, "` if this processor can run it; `None` \
                on other processors, and where it is not compiled: without optimisation, or for \
                other targets.")]
            ///
            /// On every target, so that portable code needs no `cfg`.
            ///
            /// ```
            /// use utflane::Kernel;
            ///
            #[doc = concat!("assert_eq!(Kernel::", stringify!($room), "(), Kernel::by_name(\"",
                $name, "\"));")]
            /// ```
            #[must_use]
            #[inline]
            pub fn $room() -> Option<Self> {
                cfg_if::cfg_if! {
                    if #[cfg($cfg)] {
                        Isa::$isa.is_available().then_some(Self(Isa::$isa))
                    } else {
                        None
                    }
                }
            }

            $(
                #[doc = concat!("Returns the kernel `", $name, "`, for callers that have detected \
                    its features themselves.")]
                ///
                /// Only on targets that have this kernel. A function that has the features calls
                /// it without `unsafe`. In a build without optimisation it returns
                /// [`SCALAR`](Self::SCALAR).
                ///
                /// # Safety
                ///
                #[doc = concat!("The processor has", $(" `", $feature, "`",)* ".")]
                ///
                /// ```
                /// use utflane::{Kernel, Utf8};
                ///
                $(#[doc = concat!("#[target_feature(enable = \"", $feature, "\")]")])*
                /// fn parse(text: &[u8]) -> bool {
                #[doc = concat!("    Kernel::", stringify!($unchecked),
                    "().is_valid::<Utf8>(text)")]
                /// }
                ///
                #[doc = concat!("if Kernel::", stringify!($room), "().is_some() {")]
                ///     // SAFETY: the kernel is available, so the processor has its features.
                ///     assert!(unsafe { parse(b"text") });
                /// }
                /// ```
                #[cfg($cfg)]
                #[must_use]
                #[inline]
                $(#[target_feature(enable = $feature)])*
                pub fn $unchecked() -> Self {
                    // A call without `unsafe`: the compiler compares the features above with those
                    // of the token.
                    let _ = crate::arch::$room::$token::assume();
                    if crate::arch::IS_COMPILED { Self(Isa::$isa) } else { Self::SCALAR }
                }
            )?
        )*}
    };
}

kernels!(declare_constructors $);

/// The kernel that `UTFLANE_KERNEL` names: `Some(None)` if it can't run here.
#[cfg(feature = "std")]
fn wanted() -> Option<Option<Kernel>> {
    let name = std::env::var_os("UTFLANE_KERNEL").filter(|name| !name.is_empty())?;
    Some(name.to_str().and_then(Kernel::by_name))
}

/// Without `std` there is no environment.
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
