//! AVX-512 on processors that execute vectors of 64 bytes as two halves.
//!
//! It has the instructions and the token of AVX-512. Only the choice of functions differs: some
//! of AVX2 are faster there, because a wide vector saves instructions and no work, and its tests go
//! through mask registers.

#[cfg(target_arch = "x86")]
use core::arch::x86::__cpuid;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__cpuid;

/// The family of Zen 4, and of Zen 3, which has no AVX-512.
const ZEN_4: u32 = 25;

/// Returns true if this is such a processor, if it has AVX-512.
///
/// Of AMD's processors these are the first family with AVX-512. CPUID has a bit for vectors of full
/// width (leaf 8000_001A), but KVM hides it from the guests of later processors too.
#[allow(unused_unsafe, reason = "asking the processor is safe only for newer compilers")]
pub(crate) fn is_halved() -> bool {
    // SAFETY: every processor of this target has the instruction.
    let vendor = unsafe { __cpuid(0) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    if name.as_flattened() != b"AuthenticAMD" {
        return false;
    }
    // SAFETY: every processor of this target has the instruction; AMD's have the leaf.
    let version = unsafe { __cpuid(1) }.eax;
    family(version) == ZEN_4
}

/// Returns the family in EAX of leaf 1: the base family, and where that is 15, the extended one
/// more.
fn family(version: u32) -> u32 {
    match version >> 8 & 0xF {
        0xF => 0xF + (version >> 20 & 0xFF),
        base => base,
    }
}

#[cfg(test)]
mod tests {
    use super::{ZEN_4, family};

    #[test]
    fn families_of_processors() {
        // Zen 4 (Genoa), Zen 5 (Turin), Sapphire Rapids.
        assert_eq!(family(0x00A1_0F11), ZEN_4);
        assert_eq!(family(0x00B0_0F21), 26);
        assert_eq!(family(0x0008_06F8), 6);
    }
}
