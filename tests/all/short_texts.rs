//! Tests of short UTF-16 and UTF-32 texts, which have fewer units than a vector. Each unit under
//! test is near a limit that a comparison or a mask may have, beside units of other kinds. These
//! tests find a mask that takes a unit for half of a surrogate pair, or an unpaired surrogate for a
//! character. The sets are small and run in full, as in [`one_unit`](crate::one_unit).

use crate::common::calibration::small_set_interval;
use crate::common::checks::{check_count, check_into, check_len, check_validate};
use crate::common::pairs::pair_named;
use crate::common::{sampled_if_slow, sampling_interval};

/// Checks texts of a few lengths that consist of one unit from `units` and copies of one other
/// unit. `from` and `targets` are the names of the source and the target encodings; `to_bytes`
/// returns the bytes of a unit in the source encoding.
fn check<T: Copy, const N: usize>(
    (from, to_bytes): (&str, fn(T) -> [u8; N]),
    units: &[T],
    others: &[T],
    targets: &[&str],
) {
    let codec = pair_named(from, from).from;
    for (number, &unit) in units.iter().enumerate().step_by(small_set_interval(sampling_interval()))
    {
        for len in [1, 2, 3, 4, 7, 8] {
            // In texts of four or more units, test the first and last positions and one between
            // them.
            let is_tested =
                |at: &usize| len < 4 || [0, 1 + number % (len - 2), len - 1].contains(at);
            for at in (0..len).filter(is_tested) {
                // The remaining units are copies of another unit, or of the same unit.
                let others = others.iter().take(if len == 1 { 0 } else { others.len() });
                for &other in sampled_if_slow("other units", others.chain([&unit])) {
                    let text = (0..len).map(|i| if i == at { unit } else { other });
                    let src: Vec<u8> = text.flat_map(to_bytes).collect();
                    check_validate(codec, &src);
                    check_count(codec, &src);
                    for to in targets {
                        check_into(pair_named(from, to), &src);
                        check_len(pair_named(from, to), &src);
                    }
                }
            }
        }
    }
}

#[test]
fn short_utf16_texts() {
    let pages = (0..=0xFF).flat_map(|page| [page << 8, page << 8 | 0x80, page << 8 | 0xFF]);
    let units: Vec<u16> = pages.chain([0x7F, 0x7FE, 0x801]).collect();
    let others = [0x61, 0xD83D, 0xDE00];
    check(("Utf16", u16::to_ne_bytes), &units, &others, &["Utf8", "Utf32", "Latin1"]);
    check(("Utf16Le", u16::to_le_bytes), &units, &others, &["Utf8"]);
    check(("Utf16Be", u16::to_be_bytes), &units, &others, &["Utf8"]);
}

#[test]
fn short_utf32_texts() {
    let planes = (0..=0x12).chain([0x20, 0x40, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF]);
    let boundaries =
        [0, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF];
    let units: Vec<u32> =
        planes.flat_map(|plane| boundaries.map(|low| plane << 16 | low)).collect();
    let others = [0x61, 0xE000, 0xDC00];
    check(("Utf32", u32::to_ne_bytes), &units, &others, &["Utf8", "Utf16", "Latin1"]);
    check(("Utf32Be", u32::to_be_bytes), &units, &others, &["Utf8"]);
}
