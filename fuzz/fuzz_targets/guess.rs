//! Detects the mark and the scheme of any bytes, and the damage of any text: the guarantees for
//! every answer. The first byte chooses where a beginning ends.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::common::{detect, mojibake};

fuzz_target!(|data: &[u8]| {
    let [cut, src @ ..] = data else { return };
    detect::check_marks(src);
    detect::check_detection(src, usize::from(*cut));
    let text = String::from_utf8_lossy(src);
    mojibake::check_mojibake(&text);
    detect::check_label(&text);
});
