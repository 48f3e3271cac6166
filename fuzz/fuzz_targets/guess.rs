//! Asks of any bytes which mark they begin with and which scheme they are in, and of any text whether it is damaged: what is
//! promised of every answer. The first byte says where a beginning ends.

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
