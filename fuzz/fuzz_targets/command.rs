//! Detects any file as the command does (`-f auto`, `detect`), however the file is read. The first
//! two bytes choose how much is read at once, and if the input is repeated until it is more than a
//! chunk.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane_fuzz::check_command;

/// Bytes of a long file: a chunk, and more.
const LONG: usize = 70_000;

fuzz_target!(|data: &[u8]| {
    let [most, how, src @ ..] = data else { return };
    let most = isize::from(*most) + 1;
    check_command(src, most);
    if *how >= 0xE0 && !src.is_empty() {
        let start = usize::from(*how - 0xE0).min(src.len());
        check_command(&[&src[..start], &src.repeat(LONG / src.len() + 1)].concat(), 300 * most);
    }
});
