//! Tests that the functions for blocks read all of a well-formed text, so that the scalar reference
//! continues only after ill-formed text or a full output. No other test shows this, because the
//! results are the same.

use alloc::string::String;
use alloc::vec;
use core::mem::MaybeUninit;

use super::{blocks_from_utf8, blocks_to_utf8, check_blocks};
use crate::dispatch::kernel::Kernel;

/// Asserts that each function of the vector kernels reads all of `text`: in UTF-8, and in Modified
/// UTF-8 if `is_mutf8`, else in CESU-8.
fn assert_reads_all(text: &str, is_mutf8: bool) {
    let encoded = if is_mutf8 { cesu8::to_java_cesu8(text) } else { cesu8::to_cesu8(text) };
    let text = text.as_bytes();
    let mut out = vec![MaybeUninit::uninit(); 2 * text.len()];
    for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR) {
        let reach = blocks_from_utf8(text, &mut out, is_mutf8, kernel);
        assert_eq!((reach.read, reach.written), (text.len(), encoded.len()), "{kernel}: {text:?}");
        let reach = blocks_to_utf8(&encoded, &mut out[..text.len()], is_mutf8, kernel);
        assert_eq!((reach.read, reach.written), (encoded.len(), text.len()), "{kernel}: {text:?}");
        assert_eq!(check_blocks(&encoded, is_mutf8, kernel), encoded.len(), "{kernel}: {text:?}");
    }
}

#[test]
fn blocks_read_all_of_a_well_formed_text() {
    for same in ["a", "\u{E9}", "\u{4E2D}"] {
        for differing in ["\u{1F600}", "\0", "\u{1F600}\u{4E2D}\0\u{1F600}"] {
            for before in 0..80 {
                for after in [0, 1, 2, 9, 31, 32, 33, 61, 64, 65, 100] {
                    let mut text = String::from(&same.repeat(before));
                    text += differing;
                    text += &same.repeat(after);
                    assert_reads_all(&text, false);
                    assert_reads_all(&text, true);
                }
            }
        }
    }
}
