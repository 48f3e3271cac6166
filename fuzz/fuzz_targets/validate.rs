//! Validates and counts any bytes in any encoding, at once, in all forms; units of UTF-32 seen as
//! characters. The first byte chooses the encoding, and if the input is repeated many times.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::choice;
use utflane_fuzz::common::{api, checks, strings};

/// Bytes of a long text: several blocks of a validation.
const LONG: usize = 2000;

fuzz_target!(|data: &[u8]| {
    let [number, src @ ..] = data else { return };
    let codec = choice(api::codecs(), *number);
    let src = &src[..src.len() / codec.unit * codec.unit];
    checks::check_validate(codec, src);
    if codec.name == "Utf32" {
        strings::check_utf32(&api::units::<u32>(src));
    }
    // Its first half before it: errors after more than is checked together.
    if *number >= 0xC0 {
        let front = &src[..src.len() / 2 / codec.unit * codec.unit];
        checks::check_validate(
            codec,
            &[front.repeat(LONG / front.len().max(1)), src.to_vec()].concat(),
        );
    }
});
