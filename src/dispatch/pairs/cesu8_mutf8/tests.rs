//! The blocks read all of a well-formed text: the reference, which continues where they stop, has
//! only ill-formed texts and full outputs. Nothing else shows it, because the results are the same.

use alloc::string::String;
use alloc::vec;
use core::mem::MaybeUninit;

use super::{Transcode, check_blocks_of_cesu8, check_blocks_of_mutf8};
use super::{from_cesu8, from_mutf8, into_cesu8, into_mutf8};
use crate::dispatch::kernel::Kernel;

/// Asserts that each function of vector kernels reads all of `text` in UTF-8 and in a relative.
fn check(text: &str, relative: &[u8], into: Transcode, from: Transcode, validation: Transcode) {
    let text = text.as_bytes();
    let mut room = vec![MaybeUninit::uninit(); 2 * text.len()];
    for kernel in Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR) {
        let reach = into(text, &mut room, kernel);
        assert_eq!((reach.read, reach.written), (text.len(), relative.len()), "{kernel}: {text:?}");
        let reach = from(relative, &mut room[..text.len()], kernel);
        assert_eq!((reach.read, reach.written), (relative.len(), text.len()), "{kernel}: {text:?}");
        let reach = validation(relative, &mut [], kernel);
        assert_eq!(reach.read, relative.len(), "{kernel}: {text:?}");
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
                    let relative = cesu8::to_cesu8(&text);
                    check(&text, &relative, into_cesu8, from_cesu8, check_blocks_of_cesu8);
                    let relative = cesu8::to_java_cesu8(&text);
                    check(&text, &relative, into_mutf8, from_mutf8, check_blocks_of_mutf8);
                }
            }
        }
    }
}
