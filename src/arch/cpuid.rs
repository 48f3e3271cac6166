//! The features of the processor, by its own account: for programs without std, in which nobody
//! else asks it.
//!
//! Two things make a feature: the processor has the instructions, and the system has told it to
//! keep the registers that these use. The processor can't know the second of an environment that
//! uses no vectors itself and saves none.

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid, __cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// A feature: the bit that says that the instructions are there, and the registers that must be
/// kept for them.
#[derive(Clone, Copy)]
pub(crate) struct Feature {
    answer: Answer,
    bit: u32,
    /// Bits of XCR0.
    kept: u64,
}

/// A register that CPUID answers in.
#[derive(Clone, Copy)]
enum Answer {
    /// ECX of leaf 1.
    Basic,
    /// EBX of leaf 7.
    ExtendedB,
    /// ECX of leaf 7.
    ExtendedC,
    /// ECX of leaf 8000_0001.
    Amd,
}

/// The system lets programs see which registers it keeps: XGETBV may be executed.
const OSXSAVE: u32 = 1 << 27;
/// The registers of 128 and of 256 bits.
const OF_256: u64 = 0b110;
/// Those, the masks, and both parts of the registers of 512 bits.
const OF_512: u64 = 0b1110_0110;

impl Feature {
    pub(crate) const SSSE3: Self = Self::new(Answer::Basic, 9, 0);
    pub(crate) const SSE42: Self = Self::new(Answer::Basic, 20, 0);
    pub(crate) const POPCNT: Self = Self::new(Answer::Basic, 23, 0);
    pub(crate) const AVX: Self = Self::new(Answer::Basic, 28, OF_256);
    pub(crate) const AVX2: Self = Self::new(Answer::ExtendedB, 5, OF_256);
    // Some processors that have no AVX claim these wrongly, so they are asked for with it only.
    pub(crate) const BMI1: Self = Self::new(Answer::ExtendedB, 3, OF_256);
    pub(crate) const BMI2: Self = Self::new(Answer::ExtendedB, 8, OF_256);
    pub(crate) const LZCNT: Self = Self::new(Answer::Amd, 5, 0);
}

/// The parts of AVX-512. The compiler takes FMA and F16C as parts of its foundation.
#[allow(dead_code, reason = "the tests compare all of them, kernels ask for what they use")]
impl Feature {
    pub(crate) const FMA: Self = Self::new(Answer::Basic, 12, OF_256);
    pub(crate) const F16C: Self = Self::new(Answer::Basic, 29, OF_256);
    pub(crate) const AVX512F: Self = Self::new(Answer::ExtendedB, 16, OF_512);
    pub(crate) const AVX512DQ: Self = Self::new(Answer::ExtendedB, 17, OF_512);
    pub(crate) const AVX512CD: Self = Self::new(Answer::ExtendedB, 28, OF_512);
    pub(crate) const AVX512BW: Self = Self::new(Answer::ExtendedB, 30, OF_512);
    pub(crate) const AVX512VL: Self = Self::new(Answer::ExtendedB, 31, OF_512);
    pub(crate) const AVX512VBMI: Self = Self::new(Answer::ExtendedC, 1, OF_512);
    pub(crate) const AVX512VBMI2: Self = Self::new(Answer::ExtendedC, 6, OF_512);
}

impl Feature {
    const fn new(answer: Answer, bit: u32, kept: u64) -> Self {
        Self { answer, bit, kept }
    }
}

/// Returns true if this processor has all of `features`.
///
/// It is asked anew each time, which is slow, so for a choice that is made once.
pub(crate) fn has(features: &[Feature]) -> bool {
    let (basic, b, c, amd) = answers();
    let kept = if basic & OSXSAVE != 0 {
        // SAFETY: OSXSAVE says that this instruction may be executed, and XCR0 is always there.
        unsafe { _xgetbv(0) }
    } else {
        0
    };
    features.iter().all(|feature| {
        let answer = match feature.answer {
            Answer::Basic => basic,
            Answer::ExtendedB => b,
            Answer::ExtendedC => c,
            Answer::Amd => amd,
        };
        answer >> feature.bit & 1 != 0 && kept & feature.kept == feature.kept
    })
}

/// Returns the answers in the order of [`Answer`]; 0 for leaves that this processor has not.
#[allow(unused_unsafe, reason = "asking the processor is safe only for newer compilers")]
fn answers() -> (u32, u32, u32, u32) {
    // SAFETY: every processor of this target has the instruction.
    let ask = |leaf| unsafe { __cpuid(leaf) };
    let last = ask(0).eax;
    let last_of_amd = ask(0x8000_0000).eax;
    let basic = if last >= 1 { ask(1).ecx } else { 0 };
    let (b, c) = if last >= 7 {
        // SAFETY: every processor of this target has the instruction; this leaf is one of those
        // that it has.
        let extended = unsafe { __cpuid_count(7, 0) };
        (extended.ebx, extended.ecx)
    } else {
        (0, 0)
    };
    // A processor without such a leaf answers with another leaf.
    let amd =
        if (0x8000_0001..0x8001_0000).contains(&last_of_amd) { ask(0x8000_0001).ecx } else { 0 };
    (basic, b, c, amd)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    extern crate std;

    use super::{Feature, has};

    #[test]
    fn the_standard_library_sees_the_same() {
        macro_rules! same {
            ($($feature:ident $name:tt;)*) => {$(
                let expected = std::arch::is_x86_feature_detected!($name);
                assert_eq!(has(&[Feature::$feature]), expected, $name);
            )*};
        }
        same! {
            SSSE3 "ssse3";
            SSE42 "sse4.2";
            POPCNT "popcnt";
            AVX "avx";
            AVX2 "avx2";
            BMI1 "bmi1";
            BMI2 "bmi2";
            LZCNT "lzcnt";
            FMA "fma";
            F16C "f16c";
            AVX512F "avx512f";
            AVX512DQ "avx512dq";
            AVX512CD "avx512cd";
            AVX512BW "avx512bw";
            AVX512VL "avx512vl";
            AVX512VBMI "avx512vbmi";
            AVX512VBMI2 "avx512vbmi2";
        }
    }

    #[test]
    fn none_is_always_there() {
        assert!(has(&[]));
    }
}
