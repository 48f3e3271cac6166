//! Reads any bytes in any scheme, and writes them as if they were UTF-8, with inner readers and writers that are slow, are
//! interrupted and fail. The first four bytes choose.

#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::io::{self, Manners, WAYS};
use libfuzzer_sys::fuzz_target;
use utflane::Scheme;

fuzz_target!(|data: &[u8]| {
    let [scheme, how, most, seed, src @ ..] = data else { return };
    let scheme = Scheme::ALL[usize::from(*scheme) % Scheme::ALL.len()];
    let most = isize::from(*most) + 1;
    let manners = match how % 3 {
        0 => Manners { most, ..Manners::GOOD },
        1 => Manners { most, interrupts: 3, ..Manners::GOOD },
        _ => Manners::bad(most, (*seed).into()),
    };
    let ways = &[WAYS[usize::from(how / 3) % WAYS.len()]];
    let (capacity, cuts) = (usize::from(*seed), &[most.unsigned_abs(), usize::from(how % 5)]);
    io::check_reader(scheme, src, capacity.max(64), manners, ways);
    io::check_repairs(scheme, src, capacity.max(64), manners, ways);
    io::check_writer(scheme, src, capacity.max(64), manners, cuts);
    io::check_written_repairs(scheme, src, Manners { fails: 0, ..manners }, cuts);
});
