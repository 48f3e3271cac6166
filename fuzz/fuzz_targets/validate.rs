//! Validates and counts any bytes in any encoding, with every function that takes a complete text.
//! Also borrows units of UTF-32 as characters. The first byte chooses the encoding, and whether the
//! input follows a long text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::{api, checks, strings};

/// The number of bytes of a long text: enough for several of the blocks that validation checks at a
/// time.
const LONG_TEXT_BYTES: usize = 2000;

fuzz_target!(|data: &[u8]| {
    let [choice_byte, src @ ..] = data else { return };
    let codec = choice(api::codecs(), *choice_byte);
    let src = &src[..src.len() / codec.element_bytes * codec.element_bytes];
    checks::check_validate(codec, src);
    if codec.name == "Utf32" {
        strings::check_utf32(&api::units::<u32>(src));
    }
    // The first half of the input is repeated before the input, so that errors come after more than
    // one batch of blocks.
    if *choice_byte >= 0xC0 {
        let first_half = &src[..src.len() / 2 / codec.element_bytes * codec.element_bytes];
        let repeated = first_half.repeat(LONG_TEXT_BYTES / first_half.len().max(1));
        checks::check_validate(codec, &[repeated, src.to_vec()].concat());
    }
});
