//! Checks how the command detects the encoding of a file (`-f auto`, `detect`), in reads of any
//! size. The first two bytes choose the size of a read, and whether the input is repeated until it
//! is longer than a chunk.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::check_command;

/// The minimum number of bytes of a long file, which is longer than a chunk.
const LONG_FILE_BYTES: usize = 70_000;

fuzz_target!(|data: &[u8]| {
    let [max_read, repeat, src @ ..] = data else { return };
    let max_read = isize::from(*max_read) + 1;
    check_command(src, max_read);
    if *repeat >= 0xE0 && !src.is_empty() {
        let start = usize::from(*repeat - 0xE0).min(src.len());
        let long = [&src[..start], &src.repeat(LONG_FILE_BYTES / src.len() + 1)].concat();
        check_command(&long, 300 * max_read);
    }
});
