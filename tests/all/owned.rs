//! The capacity of owned results.

use crate::common::api::Api;
use crate::common::carriers::last_common_char;
use crate::common::oracle::encode_all;
use crate::common::pairs::pairs;
use crate::common::sampled;
use utflane::{Encoding, Utf8, Utf16, Utf16Be, Utf32, Utf32Be, max_len, transcode_append};

/// In results with more bytes than this, at most a quarter of the capacity is spare.
const SMALL_BYTES: usize = 4096;

/// Returns two candidates for the character at index `i` of a text: the first is used in the first
/// half of the text, the second in the second half. If `wide` is not ASCII, the halves may have
/// different ratios of output to input.
type Halves = fn(wide: char, i: usize) -> [char; 2];

/// Texts whose ratio of output to input is constant, rises or falls in the middle, or changes at
/// offsets that a sample may miss.
const TEXTS: [Halves; 4] = [
    |wide, _| [wide; 2],
    |wide, _| ['a', wide],
    |wide, _| [wide, 'a'],
    |wide, i| {
        [if i.is_multiple_of(7) { wide } else { 'b' }, if i / 900 % 2 == 0 { wide } else { 'c' }]
    },
];

/// Returns the text of `chars` characters.
fn text(halves: Halves, wide: char, chars: usize) -> impl Iterator<Item = char> {
    (0..chars).map(move |i| halves(wide, i)[usize::from(i >= chars / 2)])
}

/// At most a quarter of a long result's capacity is spare, and the capacity is never more than the
/// longest possible result of the input needs.
#[test]
fn at_most_a_quarter_of_the_capacity_is_spare() {
    // Over these lengths, for any size of a unit, the input and the output pass 2 KiB, the segment
    // from which the library estimates the capacity, and `SMALL_BYTES`.
    let limits = [512, 683, 1024, 1365, 2048, 2731, 4096, 8192];
    let around = limits.into_iter().flat_map(|limit| limit - 2..=limit + 2);
    let lengths: Vec<_> = around.chain([700, 3000, 5000, 30_000, 100_000]).collect();
    for pair in pairs() {
        let last_char = last_common_char(pair);
        for wide in [last_char, 'é', 'я', '€'].into_iter().filter(|&c| c <= last_char) {
            for (i, &halves) in TEXTS.iter().enumerate() {
                for chars in sampled("lengths", lengths.iter().copied()) {
                    let src = encode_all(pair.from.scheme, text(halves, wide, chars));
                    let api = Api::all()[chars % Api::all().len()];
                    let check = |name: &str, (size, capacity): (usize, usize)| {
                        assert!(
                            size <= SMALL_BYTES || capacity - size <= capacity / 4,
                            "{name}, {pair}, {api:?}, text {i} of {chars} times {wide}: \
                             {size} bytes in {capacity}"
                        );
                    };
                    let (size, capacity) = pair.transcode_capacity(api, &src).expect("well-formed");
                    check("transcode", (size, capacity));
                    let longest = pair.max_len(src.len() / pair.from.element_bytes).expect("short");
                    assert!(
                        (size..=longest * pair.to.element_bytes).contains(&capacity),
                        "{pair}, {api:?}: {size} bytes in {capacity}"
                    );
                    if pair.from.name == "Utf8" {
                        let src = std::str::from_utf8(&src).expect("UTF-8");
                        check(
                            "from_str_append",
                            (pair.to.from_str_capacity)(api, src).expect("fits"),
                        );
                    }
                }
            }
        }
    }
}

/// An empty output to which a result is appended gets at most the capacity for the longest possible
/// result, or for 16 units if that is more.
#[test]
fn an_empty_output_gets_at_most_the_capacity_for_the_longest_result() {
    for chars in [0, 1, 7, 100, 1000, 5000, 20_000] {
        for wide in ['a', 'é', '€', '😀'] {
            let text: String = text(TEXTS[0], wide, chars).collect();
            let units: Vec<u16> = text.encode_utf16().collect();
            let code_points: Vec<u32> = text.chars().map(u32::from).collect();
            check_appended_capacity::<Utf8, Utf16, _>(text.as_bytes());
            check_appended_capacity::<Utf8, Utf32, _>(text.as_bytes());
            check_appended_capacity::<Utf16, Utf16Be, _>(&units);
            check_appended_capacity::<Utf16, Utf32, _>(&units);
            check_appended_capacity::<Utf32, Utf16, _>(&code_points);
            check_appended_capacity::<Utf32, Utf32Be, _>(&code_points);
        }
    }
}

/// Appends the conversion of `src` to an empty output, and checks the capacity.
fn check_appended_capacity<A: Encoding, B: Encoding<Unit = U, Owned = Vec<U>>, U>(src: &[A::Unit]) {
    let longest = max_len::<A, B>(src.len()).expect("short");
    for &api in Api::all() {
        let mut out = Vec::new();
        let result = match api {
            Api::Free => transcode_append::<A, B>(src, &mut out),
            Api::On(kernel) => kernel.transcode_append::<A, B>(src, &mut out),
        };
        result.expect("well-formed");
        assert!(
            out.capacity() <= longest.max(16),
            "{api:?}: capacity for {}, not {longest}",
            out.capacity()
        );
    }
}
