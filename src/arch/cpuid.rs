//! The features that the processor reports through CPUID, for programs without std.
//!
//! A feature is usable if the processor has the instructions, and if the operating system saves the
//! registers that these instructions use. Register XCR0 reports the second condition. The processor
//! cannot report it for an environment that neither uses nor saves vector registers.

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid, __cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// A feature: the CPUID bit that reports the instructions, and the registers that the operating
/// system must save for them.
#[derive(Clone, Copy)]
pub(crate) struct Feature {
    register: Register,
    /// The number of the bit in the register.
    bit: u32,
    /// The bits of XCR0 that must be set.
    xcr0_bits: u64,
}

/// A register that CPUID writes its result to.
#[derive(Clone, Copy)]
enum Register {
    /// ECX of leaf 1.
    Leaf1Ecx,
    /// EBX of leaf 7.
    Leaf7Ebx,
    /// ECX of leaf 7.
    Leaf7Ecx,
    /// ECX of leaf 0x8000_0001, which AMD introduced.
    AmdEcx,
}

/// The bit of [`Register::Leaf1Ecx`] that is set if programs may execute XGETBV, which reads XCR0.
const OSXSAVE: u32 = 1 << 27;
/// The bits of XCR0 for the vector registers of 128 and 256 bits.
const XCR0_AVX: u64 = 0b110;
/// The bits of [`XCR0_AVX`], and those for the mask registers and both parts of the 512-bit
/// registers.
const XCR0_AVX512: u64 = 0b1110_0110;

impl Feature {
    pub(crate) const SSSE3: Self = Self::new(Register::Leaf1Ecx, 9, 0);
    pub(crate) const SSE42: Self = Self::new(Register::Leaf1Ecx, 20, 0);
    pub(crate) const POPCNT: Self = Self::new(Register::Leaf1Ecx, 23, 0);
    pub(crate) const AVX: Self = Self::new(Register::Leaf1Ecx, 28, XCR0_AVX);
    pub(crate) const AVX2: Self = Self::new(Register::Leaf7Ebx, 5, XCR0_AVX);
    // Some processors without AVX report BMI1 and BMI2 wrongly, so both also require the AVX state.
    pub(crate) const BMI1: Self = Self::new(Register::Leaf7Ebx, 3, XCR0_AVX);
    pub(crate) const BMI2: Self = Self::new(Register::Leaf7Ebx, 8, XCR0_AVX);
    pub(crate) const LZCNT: Self = Self::new(Register::AmdEcx, 5, 0);
}

/// The parts of AVX-512. For the compiler, AVX512F implies FMA and F16C.
#[allow(dead_code, reason = "the tests compare all features, a kernel requires only some")]
impl Feature {
    pub(crate) const FMA: Self = Self::new(Register::Leaf1Ecx, 12, XCR0_AVX);
    pub(crate) const F16C: Self = Self::new(Register::Leaf1Ecx, 29, XCR0_AVX);
    pub(crate) const AVX512F: Self = Self::new(Register::Leaf7Ebx, 16, XCR0_AVX512);
    pub(crate) const AVX512DQ: Self = Self::new(Register::Leaf7Ebx, 17, XCR0_AVX512);
    pub(crate) const AVX512CD: Self = Self::new(Register::Leaf7Ebx, 28, XCR0_AVX512);
    pub(crate) const AVX512BW: Self = Self::new(Register::Leaf7Ebx, 30, XCR0_AVX512);
    pub(crate) const AVX512VL: Self = Self::new(Register::Leaf7Ebx, 31, XCR0_AVX512);
    pub(crate) const AVX512VBMI: Self = Self::new(Register::Leaf7Ecx, 1, XCR0_AVX512);
    pub(crate) const AVX512VBMI2: Self = Self::new(Register::Leaf7Ecx, 6, XCR0_AVX512);
}

impl Feature {
    const fn new(register: Register, bit: u32, xcr0_bits: u64) -> Self {
        Self { register, bit, xcr0_bits }
    }
}

/// Returns true if this processor has all of `features`.
///
/// Each call executes CPUID, which is slow: the caller should keep the result.
pub(crate) fn has(features: &[Feature]) -> bool {
    let (leaf1_ecx, leaf7_ebx, leaf7_ecx, amd_ecx) = query_registers();
    let xcr0 = if leaf1_ecx & OSXSAVE != 0 {
        // SAFETY: OSXSAVE is set, so programs may execute XGETBV, and XCR0 always exists.
        unsafe { _xgetbv(0) }
    } else {
        0
    };
    features.iter().all(|feature| {
        let value = match feature.register {
            Register::Leaf1Ecx => leaf1_ecx,
            Register::Leaf7Ebx => leaf7_ebx,
            Register::Leaf7Ecx => leaf7_ecx,
            Register::AmdEcx => amd_ecx,
        };
        value >> feature.bit & 1 != 0 && xcr0 & feature.xcr0_bits == feature.xcr0_bits
    })
}

/// Returns the registers in the order of [`Register`]; 0 for each leaf that this processor lacks.
#[allow(unused_unsafe, reason = "`__cpuid` is a safe function only in newer compilers")]
fn query_registers() -> (u32, u32, u32, u32) {
    // SAFETY: every processor of this target has the instruction.
    let query = |leaf| unsafe { __cpuid(leaf) };
    let last_leaf = query(0).eax;
    let last_amd_leaf = query(0x8000_0000).eax;
    let leaf1_ecx = if last_leaf >= 1 { query(1).ecx } else { 0 };
    let (leaf7_ebx, leaf7_ecx) = if last_leaf >= 7 {
        // SAFETY: every processor of this target has the instruction; leaf 7 exists, because the
        // last leaf is 7 or above.
        let leaf7 = unsafe { __cpuid_count(7, 0) };
        (leaf7.ebx, leaf7.ecx)
    } else {
        (0, 0)
    };
    // A processor without leaf 0x8000_0000 answers with the registers of another leaf.
    let amd_ecx = if (0x8000_0001..0x8001_0000).contains(&last_amd_leaf) {
        query(0x8000_0001).ecx
    } else {
        0
    };
    (leaf1_ecx, leaf7_ebx, leaf7_ecx, amd_ecx)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    extern crate std;

    use super::{Feature, has};

    #[test]
    fn features_match_the_standard_library() {
        macro_rules! assert_same {
            ($($feature:ident $name:tt;)*) => {$(
                let expected = std::arch::is_x86_feature_detected!($name);
                assert_eq!(has(&[Feature::$feature]), expected, $name);
            )*};
        }
        assert_same! {
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
    fn an_empty_list_is_always_supported() {
        assert!(has(&[]));
    }
}
