//! Detects the byte order mark and the encoding of any bytes, and double encoding in any text.
//! Checks the guarantees that hold for every answer. The first byte chooses the length of the
//! beginning of a text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::checks::{detect, mojibake};
use utflane_fuzz::common::marks;

fuzz_target!(|data: &[u8]| {
    let [prefix_len, src @ ..] = data else { return };
    marks::check_marks(src);
    detect::check_detection(src, usize::from(*prefix_len));
    let text = String::from_utf8_lossy(src);
    mojibake::check_mojibake(&text);
    marks::check_label(&text);
});
