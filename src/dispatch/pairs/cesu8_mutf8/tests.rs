//! The blocks read all of a well-formed text: the reference, which continues where they stop, has
//! only ill-formed texts and full outputs. Nothing else shows it, because the results are the same.

use alloc::string::String;
use alloc::vec;
use core::mem::MaybeUninit;

use super::{check_blocks, from_blocks, into_blocks};
use crate::dispatch::kernel::Kernel;

/// Asserts that each function of vector kernels reads all of `text` in UTF-8, and in Modified UTF-8
/// if `nul`, else CESU-8.
fn check(text: &str, nul: bool) {
    let other = if nul { cesu8::to_java_cesu8(text) } else { cesu8::to_cesu8(text) };
    let text = text.as_bytes();
    let mut out = vec![MaybeUninit::uninit(); 2 * text.len()];
    for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR) {
        let reach = into_blocks(text, &mut out, nul, kernel);
        assert_eq!((reach.read, reach.written), (text.len(), other.len()), "{kernel}: {text:?}");
        let reach = from_blocks(&other, &mut out[..text.len()], nul, kernel);
        assert_eq!((reach.read, reach.written), (other.len(), text.len()), "{kernel}: {text:?}");
        assert_eq!(check_blocks(&other, nul, kernel), other.len(), "{kernel}: {text:?}");
    }
}

#[test]
fn blocks_read_all_of_a_well_formed_text() {
    for plain in ["a", "\u{E9}", "\u{4E2D}"] {
        for different in ["\u{1F600}", "\0", "\u{1F600}\u{4E2D}\0\u{1F600}"] {
            for before in 0..80 {
                for after in [0, 1, 2, 9, 31, 32, 33, 61, 64, 65, 100] {
                    let mut text = String::from(&plain.repeat(before));
                    text += different;
                    text += &plain.repeat(after);
                    check(&text, false);
                    check(&text, true);
                }
            }
        }
    }
}
