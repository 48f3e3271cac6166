//! AVX-512 on processors that execute vectors of 64 bytes as two halves.
//!
//! This kernel has the instructions and the token of AVX-512. Only the choice of functions differs:
//! some AVX2 functions are faster on these processors. There, a 64-byte vector saves instructions
//! but no work, and its comparisons go through mask registers.

#[cfg(target_arch = "x86")]
use core::arch::x86::__cpuid;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::__cpuid;

/// The processor family of Zen 4. Zen 3 is of this family too, but has no AVX-512.
const ZEN_4: u32 = 25;

/// Returns true if this processor executes 64-byte vectors as two halves. The caller must also
/// check that the processor has AVX-512.
///
/// The function compares the family: Zen 4 is AMD's first family with AVX-512. CPUID leaf
/// 0x8000_001A has a bit for vectors of full width, but KVM hides this bit from guests, also on
/// later processors that have it.
#[allow(unused_unsafe, reason = "`__cpuid` is a safe function only in newer compilers")]
pub(crate) fn is_halved() -> bool {
    // SAFETY: every processor of this target has the instruction.
    let vendor = unsafe { __cpuid(0) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    if name.as_flattened() != b"AuthenticAMD" {
        return false;
    }
    // SAFETY: every processor of this target has the instruction, and every AMD processor has leaf
    // 1.
    let version = unsafe { __cpuid(1) }.eax;
    family(version) == ZEN_4
}

/// Returns the family that `version`, EAX of CPUID leaf 1, encodes: the base family, plus the
/// extended family if the base family is 15.
fn family(version: u32) -> u32 {
    match version >> 8 & 0xF {
        0xF => 0xF + (version >> 20 & 0xFF),
        base_family => base_family,
    }
}

#[cfg(test)]
mod tests {
    use super::{ZEN_4, family};

    #[test]
    fn family_of_known_processors() {
        // Zen 4 (Genoa), Zen 5 (Turin), Sapphire Rapids.
        assert_eq!(family(0x00A1_0F11), ZEN_4);
        assert_eq!(family(0x00B0_0F21), 26);
        assert_eq!(family(0x0008_06F8), 6);
    }
}
