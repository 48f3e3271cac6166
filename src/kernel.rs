//! Which code runs: the list of kernels, the choice among them at run time, and the way from a verb into one.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::encoding::{pairs, view};
#[cfg(feature = "alloc")]
use crate::owned;
use crate::progress::Units;
use crate::utf8::{self, Summary};
use crate::{Encoding, Error, Progress, utf16};
#[cfg(feature = "alloc")]
use crate::{Unicode, Utf16};

/// Runs the scalar code, or the vector code for `V` with the token that allows it, as `$kernel` says.
///
/// The vector expression is compiled once for each instruction set, inside a function that has its features; what it
/// calls is `#[inline(always)]` down to the single instructions. Variables named behind the token are handed over as
/// arguments instead of being captured.
///
/// What runs for AVX-512 is the code for AVX2. Where wider vectors are worth code of their own, [`dispatch_long!`] is taken.
macro_rules! dispatch {
    ($kernel:expr, scalar => $scalar:expr, |$V:ident, $token:ident| $vector:expr) => {
        crate::kernel::dispatch!($kernel, scalar => $scalar, |$V, $token, (), ()| $vector)
    };
    ($kernel:expr, scalar => $scalar:expr, |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {
        match $kernel.0.vectors() {
            crate::kernel::Vectors::None => crate::kernel::apart(move || $scalar),
            #[cfg(vectors = "x86")]
            crate::kernel::Vectors::Sse42 => {
                type $V = crate::arch::sse42::U8x16;
                // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
                let token = unsafe { crate::arch::sse42::Sse42::assume() };
                token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
            }
            #[cfg(vectors = "x86")]
            crate::kernel::Vectors::Avx2 => {
                type $V = crate::arch::avx2::U8x32;
                // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
                let token = unsafe { crate::arch::avx2::Avx2::assume() };
                token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
            }
            #[cfg(vectors = "neon")]
            crate::kernel::Vectors::Neon => {
                type $V = crate::arch::neon::U8x16;
                // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
                let token = unsafe { crate::arch::neon::Neon::assume() };
                token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
            }
            #[cfg(vectors = "simd128")]
            crate::kernel::Vectors::Simd128 => {
                type $V = crate::arch::simd128::U8x16;
                let token = crate::arch::simd128::Simd128::new();
                token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
            }
        }
    };
}
pub(crate) use dispatch;

/// [`dispatch!`] for what is so short that it takes vectors of 16 bytes: on x86, AVX2 leaves it to the same function as
/// SSE4.2.
macro_rules! dispatch_short {
    ($kernel:expr, scalar => $scalar:expr, |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {
        crate::kernel::dispatch!($kernel.of_16_bytes(), scalar => $scalar, |$V, $token, $a, $b| $vector)
    };
}
pub(crate) use dispatch_short;

/// [`dispatch!`] with code of its own for AVX-512, for texts of at least a few vectors. `$len` is the length of the text in
/// bytes, or of as much of it as can be needed.
macro_rules! dispatch_long {
    ($kernel:expr, $len:expr, scalar => $scalar:expr, |$V:ident, $token:ident| $vector:expr) => {
        crate::kernel::dispatch_long!($kernel, $len, scalar => $scalar, |$V, $token, (), ()| $vector)
    };
    ($kernel:expr, $len:expr, scalar => $scalar:expr,
        |$V:ident, $token:ident, $a:tt, $b:tt| $vector:expr) => {{
        cfg_if::cfg_if! {
            if #[cfg(avx512)] {
                let kernel = $kernel;
                if kernel.is_wide_for($len) {
                    type $V = crate::arch::avx512::U8x64;
                    // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
                    let token = unsafe { crate::arch::avx512::Avx512::assume() };
                    token.run($a, $b, #[inline(always)] move |$token, $a, $b| $vector)
                } else {
                    crate::kernel::dispatch!(kernel, scalar => $scalar, |$V, $token, $a, $b| $vector)
                }
            } else {
                let _ = $len;
                crate::kernel::dispatch!($kernel, scalar => $scalar, |$V, $token, $a, $b| $vector)
            }
        }
    }};
}
pub(crate) use dispatch_long;

/// What is added to the length of a text for [`dispatch_long!`] where the functions of AVX-512 take texts of two vectors, and of
/// one.
pub(crate) const FROM_TWO_VECTORS: usize = 64;
pub(crate) const FROM_A_VECTOR: usize = 128;

/// Keeps the scalar code out of the function that chooses: so that has nothing to save on a stack, and jumps.
#[cold]
#[inline(never)]
pub(crate) fn apart<R>(scalar: impl FnOnce() -> R) -> R {
    scalar()
}

/// Says that few calls come here. A condition behind it is not made one with that in front of it: so other kernels are spared
/// its instructions.
#[cold]
#[inline]
fn rarely() {}

/// An instruction set that kernels are written for. The numbers are those of [`CHOICE`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Isa {
    Scalar = 1,
    #[cfg(vectors = "x86")]
    Sse42,
    #[cfg(vectors = "x86")]
    Avx2,
    #[cfg(avx512)]
    Avx512,
    #[cfg(vectors = "neon")]
    Neon,
    #[cfg(vectors = "simd128")]
    Simd128,
}

/// All kernels of this target, best first.
const ALL: &[Isa] = &[
    #[cfg(avx512)]
    Isa::Avx512,
    #[cfg(vectors = "x86")]
    Isa::Avx2,
    #[cfg(vectors = "x86")]
    Isa::Sse42,
    #[cfg(vectors = "neon")]
    Isa::Neon,
    #[cfg(vectors = "simd128")]
    Isa::Simd128,
    Isa::Scalar,
];

/// A kernel: one set of implementations of every operation, for one instruction set.
///
/// A value is the proof that this processor can run it. The free functions use [`Kernel::active`]; every verb is also a
/// method here, for tests, for measurements, and for callers with many short texts who want to choose once. Every
/// kernel gives the same results on every input.
///
/// With the `std` feature the environment variable `UTFLANE_KERNEL` names the active kernel.
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

/// The active kernel as its [`Isa`]; 0 before it has been chosen. Relaxed order is enough: the choice is the same
/// whoever makes it, and nothing else is published with it.
static CHOICE: AtomicU8 = AtomicU8::new(0);

impl Kernel {
    /// The scalar reference, which runs everywhere.
    pub const SCALAR: Self = Self(Isa::Scalar);

    /// The kernel that the free functions use: the best available one, unless `UTFLANE_KERNEL` names another.
    ///
    /// Chosen once. Where the features that a program is compiled for leave no better one to find, this is a constant.
    ///
    /// ```
    /// assert!(utflane::Kernel::available().any(|kernel| kernel == utflane::Kernel::active()));
    /// ```
    #[must_use]
    #[inline]
    pub fn active() -> Self {
        if let Some(isa) = const { Isa::FIXED } {
            return Self(isa);
        }
        let choice = CHOICE.load(Ordering::Relaxed);
        match Isa::from_code(choice) {
            Some(isa) => Self(isa),
            None => Self::choose(),
        }
    }

    /// The kernels that this processor can run, best first; the last is [`SCALAR`](Self::SCALAR).
    pub fn available() -> impl Iterator<Item = Self> {
        ALL.iter().copied().filter(|isa| isa.is_available()).map(Self)
    }

    /// The names of all kernels that were built for this target, available or not, best first.
    ///
    /// ```
    /// assert_eq!(utflane::Kernel::names().last(), Some("scalar"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        ALL.iter().map(|isa| isa.name())
    }

    /// The kernel of that name, if this processor can run it. Upper and lower case are the same.
    ///
    /// ```
    /// use utflane::Kernel;
    ///
    /// assert_eq!(Kernel::by_name("scalar"), Some(Kernel::SCALAR));
    /// assert_eq!(Kernel::by_name("abacus"), None);
    /// ```
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::available().find(|kernel| kernel.name().eq_ignore_ascii_case(name))
    }

    /// The name: `scalar`, `sse42`, `avx2`, `avx512`, `neon` or `simd128`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether `UTFLANE_KERNEL` names a kernel that is unknown, can't run here, or can't be chosen because the target's
    /// features are fixed. Such a name changes nothing; programs that measure should refuse to go on.
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

    /// Detects, and remembers the result.
    #[cold]
    fn choose() -> Self {
        let best = Self::available().next().unwrap_or(Self::SCALAR);
        let choice = wanted().flatten().unwrap_or(best);
        CHOICE.store(choice.0 as u8, Ordering::Relaxed);
        choice
    }
}

/// The kernel that `UTFLANE_KERNEL` names: `Some(None)` if that can't run here.
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

/// Whose vectors an instruction set takes where it has no code of its own: those of AVX2 serve AVX-512 too.
pub(crate) enum Vectors {
    None,
    #[cfg(vectors = "x86")]
    Sse42,
    #[cfg(vectors = "x86")]
    Avx2,
    #[cfg(vectors = "neon")]
    Neon,
    #[cfg(vectors = "simd128")]
    Simd128,
}

impl Isa {
    /// Whose vectors it takes. By comparisons in order, of which AVX2 needs one: four cases of a match would be a table.
    #[inline(always)]
    pub(crate) fn vectors(self) -> Vectors {
        #[cfg(vectors = "x86")]
        {
            if self as u8 >= Self::Avx2 as u8 {
                return Vectors::Avx2;
            }
            if self as u8 == Self::Sse42 as u8 {
                rarely();
                return Vectors::Sse42;
            }
        }
        #[cfg(vectors = "neon")]
        if self as u8 == Self::Neon as u8 {
            return Vectors::Neon;
        }
        #[cfg(vectors = "simd128")]
        if self as u8 == Self::Simd128 as u8 {
            return Vectors::Simd128;
        }
        Vectors::None
    }

    /// The best kernel, where the target's features say that every processor has it. A better one than that is looked
    /// for with `std` or `cpuid`.
    const FIXED: Option<Self> = {
        cfg_if::cfg_if! {
            if #[cfg(all(avx512, target_feature = "avx512f",
                target_feature = "avx512bw", target_feature = "avx512cd", target_feature = "avx512dq",
                target_feature = "avx512vl", target_feature = "avx512vbmi", target_feature = "avx512vbmi2",
                target_feature = "bmi1", target_feature = "bmi2", target_feature = "lzcnt", target_feature = "popcnt"))] {
                Some(Self::Avx512)
            } else if #[cfg(all(vectors = "x86", target_feature = "avx2",
                target_feature = "bmi1", target_feature = "bmi2", target_feature = "lzcnt",
                target_feature = "popcnt", not(all(avx512, any(feature = "std", feature = "cpuid")))))] {
                Some(Self::Avx2)
            } else if #[cfg(vectors = "simd128")] {
                Some(Self::Simd128)
            } else {
                None
            }
        }
    };

    /// The one of that number. A match, of which nothing is left but a test for 0: this is inlined into every caller.
    #[inline]
    const fn from_code(code: u8) -> Option<Self> {
        const SCALAR: u8 = Isa::Scalar as u8;
        cfg_if::cfg_if! {
            if #[cfg(vectors = "x86")] {
                const SSE42: u8 = Isa::Sse42 as u8;
                const AVX2: u8 = Isa::Avx2 as u8;
                #[cfg(avx512)]
                const AVX512: u8 = Isa::Avx512 as u8;
                match code {
                    SCALAR => Some(Self::Scalar),
                    SSE42 => Some(Self::Sse42),
                    AVX2 => Some(Self::Avx2),
                    #[cfg(avx512)]
                    AVX512 => Some(Self::Avx512),
                    _ => None,
                }
            } else if #[cfg(vectors = "neon")] {
                const NEON: u8 = Isa::Neon as u8;
                match code {
                    SCALAR => Some(Self::Scalar),
                    NEON => Some(Self::Neon),
                    _ => None,
                }
            } else if #[cfg(vectors = "simd128")] {
                const SIMD128: u8 = Isa::Simd128 as u8;
                match code {
                    SCALAR => Some(Self::Scalar),
                    SIMD128 => Some(Self::Simd128),
                    _ => None,
                }
            } else {
                match code {
                    SCALAR => Some(Self::Scalar),
                    _ => None,
                }
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            #[cfg(vectors = "x86")]
            Self::Sse42 => "sse42",
            #[cfg(vectors = "x86")]
            Self::Avx2 => "avx2",
            #[cfg(avx512)]
            Self::Avx512 => "avx512",
            #[cfg(vectors = "neon")]
            Self::Neon => "neon",
            #[cfg(vectors = "simd128")]
            Self::Simd128 => "simd128",
        }
    }

    fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            #[cfg(vectors = "x86")]
            Self::Sse42 => crate::arch::sse42::Sse42::detect(),
            #[cfg(vectors = "x86")]
            Self::Avx2 => crate::arch::avx2::Avx2::detect(),
            #[cfg(avx512)]
            Self::Avx512 => crate::arch::avx512::Avx512::detect(),
            #[cfg(vectors = "neon")]
            Self::Neon => crate::arch::neon::Neon::detect(),
            #[cfg(vectors = "simd128")]
            Self::Simd128 => true,
        }
    }
}

/// The verbs. Each is an inline shim: it sees the units as bytes, picks the function for its encodings while it is
/// compiled, and puts positions back into units.
impl Kernel {
    /// [`validate`](crate::validate) on this kernel.
    ///
    /// # Errors
    ///
    /// The first place that is not well-formed.
    #[inline]
    pub fn validate<E: Encoding>(self, src: &[E::Unit]) -> Result<(), Error> {
        let validation = const { pairs::validation(E::SCHEME) };
        validation.run(self, view::bytes(src)).map_err(|error| error.in_units(size_of::<E::Unit>()))
    }

    /// [`transcode_into`](crate::transcode_into) on this kernel.
    #[inline]
    pub fn transcode_into<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        dst: &mut [B::Unit],
    ) -> Progress {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.transcode_into_uninit::<A, B>(src, dst)
    }

    /// [`transcode_into_uninit`](crate::transcode_into_uninit) on this kernel.
    #[inline]
    pub fn transcode_into_uninit<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        dst: &mut [MaybeUninit<B::Unit>],
    ) -> Progress {
        let conversion = const { pairs::transcode(A::SCHEME, B::SCHEME) };
        let units = const { Units::of::<A::Unit, B::Unit>() };
        conversion.run(self, view::bytes(src), view::bytes_uninit_mut(dst), units)
    }

    /// [`transcode`](crate::transcode) on this kernel.
    ///
    /// # Errors
    ///
    /// The first place that is ill-formed, or that `B` doesn't have.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn transcode<A: Encoding, B: Encoding>(self, src: &[A::Unit]) -> Result<B::Owned, Error> {
        owned::transcode::<A, B>(Some(self), src)
    }

    /// [`transcode_append`](crate::transcode_append) on this kernel.
    ///
    /// # Errors
    ///
    /// The first place that is ill-formed, or that `B` doesn't have.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn transcode_append<A: Encoding, B: Encoding>(
        self,
        src: &[A::Unit],
        out: &mut B::Owned,
    ) -> Result<(), Error> {
        owned::transcode_append::<A, B>(Some(self), src, out)
    }

    /// [`len`](crate::len) on this kernel.
    #[must_use]
    #[inline]
    pub fn len<A: Encoding, B: Encoding>(self, src: &[A::Unit]) -> usize {
        let len = const { pairs::len(A::SCHEME, B::SCHEME) };
        len(self, view::bytes(src))
            .saturating_mul(const { B::SCHEME.unit_size() / size_of::<B::Unit>() })
    }

    /// [`count`](crate::count) on this kernel.
    #[must_use]
    #[inline]
    pub fn count<E: Encoding>(self, src: &[E::Unit]) -> usize {
        let count = const { pairs::count(E::SCHEME) };
        count(self, view::bytes(src))
    }

    /// [`from_str`](crate::from_str) on this kernel.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn from_str<B: Unicode>(self, src: &str) -> B::Owned {
        owned::from_str::<B>(Some(self), src)
    }

    /// [`try_from_str`](crate::try_from_str) on this kernel.
    ///
    /// # Errors
    ///
    /// The first character that `B` doesn't have.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn try_from_str<B: Encoding>(self, src: &str) -> Result<B::Owned, Error> {
        owned::try_from_str::<B>(Some(self), src)
    }

    /// [`from_str_into`](crate::from_str_into) on this kernel.
    #[inline]
    pub fn from_str_into<B: Encoding>(self, src: &str, dst: &mut [B::Unit]) -> Progress {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.from_str_into_uninit::<B>(src, dst)
    }

    /// [`from_str_into_uninit`](crate::from_str_into_uninit) on this kernel.
    #[inline]
    pub fn from_str_into_uninit<B: Encoding>(
        self,
        src: &str,
        dst: &mut [MaybeUninit<B::Unit>],
    ) -> Progress {
        let conversion = const { pairs::transcode_str(B::SCHEME) };
        conversion.run(
            self,
            src.as_bytes(),
            view::bytes_uninit_mut(dst),
            const { Units::of::<u8, B::Unit>() },
        )
    }

    /// [`from_str_append`](crate::from_str_append) on this kernel.
    ///
    /// # Errors
    ///
    /// The first character that `B` doesn't have.
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn from_str_append<B: Encoding>(self, src: &str, out: &mut B::Owned) -> Result<(), Error> {
        owned::from_str_append::<B>(Some(self), src, out)
    }

    /// [`from_str_len`](crate::from_str_len) on this kernel.
    #[must_use]
    #[inline]
    pub fn from_str_len<B: Encoding>(self, src: &str) -> usize {
        self.len::<crate::Utf8, B>(src.as_bytes())
    }

    /// `utf8::summary` on this kernel.
    #[must_use]
    #[inline]
    pub fn utf8_summary(self, src: &[u8]) -> Summary {
        utf8::summary_on(self, src)
    }

    /// `utf8::fits_latin1` on this kernel.
    #[must_use]
    #[inline]
    pub fn utf8_fits_latin1(self, src: &[u8]) -> bool {
        utf8::fits_latin1_on(self, src)
    }

    /// Whether a text of so many bytes is taken by functions of AVX-512, if there are any for what is done: shorter ones are
    /// those of AVX2.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn is_wide_for(self, len: usize) -> bool {
        self.masked().is_some() && len >= <crate::arch::avx512::U8x64 as crate::arch::Vector>::LEAST
    }

    /// The token of AVX-512, if this is the kernel for it: what takes texts of any length has no need of others, since its
    /// loads and stores leave out by masks what is not there.
    #[cfg(avx512)]
    #[inline(always)]
    pub(crate) fn masked(self) -> Option<crate::arch::avx512::Avx512> {
        if self.0 as u8 > Isa::Avx2 as u8 {
            rarely();
            // SAFETY: a `Kernel` of this kind is made only where the features have been detected.
            return Some(unsafe { crate::arch::avx512::Avx512::assume() });
        }
        None
    }

    /// The kernel whose functions take texts of less than 16 bytes: on x86 all vector kernels have vectors of 16 bytes for
    /// these, and one function is enough.
    #[inline]
    pub(crate) fn of_16_bytes(self) -> Self {
        // Where AVX2 or more has been detected, its features include those of SSE4.2.
        #[cfg(vectors = "x86")]
        {
            if self == Self::SCALAR {
                rarely();
                return self;
            }
            Self(Isa::Sse42)
        }
        #[cfg(not(vectors = "x86"))]
        self
    }

    /// The kernel whose functions take texts of so many bytes: for less than 32, [`of_16_bytes`](Self::of_16_bytes). Functions
    /// that are chosen so need no vectors of 16 bytes beside those of 32.
    #[inline]
    pub(crate) fn for_bytes(self, len: usize) -> Self {
        if len < 32 {
            // Not really: so that what is chosen here is known at once, and not compared again.
            rarely();
            return self.of_16_bytes();
        }
        self
    }

    /// [`utf16::make_well_formed`] on this kernel.
    #[inline]
    pub fn utf16_make_well_formed(self, text: &mut [u16]) -> usize {
        utf16::make_well_formed_on(self, view::bytes_mut(text))
    }

    /// [`utf16::well_formed_into`] on this kernel.
    #[inline]
    pub fn utf16_well_formed_into(self, src: &[u16], dst: &mut [u16]) -> Progress {
        // SAFETY: the kernels write only values.
        let dst = unsafe { view::uninit_mut(dst) };
        self.utf16_well_formed_into_uninit(src, dst)
    }

    /// [`utf16::well_formed_into_uninit`] on this kernel.
    #[inline]
    pub fn utf16_well_formed_into_uninit(
        self,
        src: &[u16],
        dst: &mut [MaybeUninit<u16>],
    ) -> Progress {
        utf16::well_formed_into_on(self, src, dst)
    }

    /// [`utf16::to_well_formed`] on this kernel.
    #[cfg(feature = "alloc")]
    #[must_use]
    #[inline]
    pub fn utf16_to_well_formed(self, src: &[u16]) -> Cow<'_, [u16]> {
        match self.validate::<Utf16>(src) {
            Ok(()) => Cow::Borrowed(src),
            Err(_) => Cow::Owned(utf16::well_formed_on(self, src)),
        }
    }

    /// [`utf16::fits_latin1`] on this kernel.
    #[must_use]
    #[inline]
    pub fn utf16_fits_latin1(self, src: &[u16]) -> bool {
        utf16::fits_latin1_on(self, view::bytes(src))
    }
}
