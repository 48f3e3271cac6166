//! Reads any bytes in any scheme, after a mark or in the detected scheme, and writes them as if
//! they were UTF-8, with inner readers and writers that are slow, are interrupted and fail. The
//! first four bytes choose.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane::Scheme;
use utflane::io::Reader;
use utflane_fuzz::choice;
use utflane_fuzz::common::detect::marked;
use utflane_fuzz::common::io::{self, Manners, WAYS};

fuzz_target!(|data: &[u8]| {
    let [number, how, most, seed, src @ ..] = data else { return };
    let scheme = *choice(Scheme::ALL, *number);
    let most = isize::from(*most) + 1;
    let manners = match how % 3 {
        0 => Manners { most, ..Manners::GOOD },
        1 => Manners { most, interrupts: 3, ..Manners::GOOD },
        _ => Manners::bad(most, (*seed).into()),
    };
    let ways = &[*choice(&WAYS, how / 3)];
    let (capacity, cuts) =
        (usize::from(*seed).max(64), &[most.unsigned_abs(), usize::from(how % 5)]);
    io::check_reader(scheme, src, capacity, manners, ways);
    io::check_repairs(scheme, src, capacity, manners, ways);
    let found = marked(src).unwrap_or(scheme);
    let mark = marked(src).map_or(0, |found| found.byte_order_mark().len());
    let make: io::Make<'_> = &|inner| Reader::marked(inner, scheme);
    io::check_marked(found, src, mark, capacity, manners, ways, make);
    io::check_detected(src, capacity, manners, ways);
    io::check_whole((*number < 0xC0).then_some(scheme), src, manners);
    io::check_writer(scheme, src, capacity, manners, cuts);
    io::check_written_repairs(scheme, src, Manners { fails: 0, ..manners }, cuts);
});
