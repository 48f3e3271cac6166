//! Reads any bytes in any encoding: in a given encoding, or in the encoding of a byte order mark.
//! Writes them as if they were UTF-8. The inner readers and writers are slow, are interrupted or
//! fail. The first four bytes choose the encoding and the behaviour of the inner readers and
//! writers.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane::Scheme;
use utflane::io::Reader;
use utflane_fuzz::choice;
use utflane_fuzz::common::io::{self, Manners, WAYS};
use utflane_fuzz::common::marks::marked;

fuzz_target!(|data: &[u8]| {
    let [scheme_choice, how, max_transfer, seed, src @ ..] = data else { return };
    let scheme = *choice(Scheme::ALL, *scheme_choice);
    let max_transfer = isize::from(*max_transfer) + 1;
    let manners = match how % 3 {
        0 => Manners { most: max_transfer, ..Manners::GOOD },
        1 => Manners { most: max_transfer, interrupts: 3, ..Manners::GOOD },
        _ => Manners::bad(max_transfer, (*seed).into()),
    };
    let ways = &[*choice(&WAYS, how / 3)];
    let (capacity, cuts) =
        (usize::from(*seed).max(64), &[max_transfer.unsigned_abs(), usize::from(how % 5)]);
    io::check_reader(scheme, src, capacity, manners, ways);
    io::check_repairs(scheme, src, capacity, manners, ways);
    let marked_scheme = marked(src).unwrap_or(scheme);
    let mark_len = marked(src).map_or(0, |marked| marked.byte_order_mark().len());
    let make: io::Make<'_> = &|inner| Reader::marked(inner, scheme);
    io::check_marked(marked_scheme, src, mark_len, capacity, manners, ways, make);
    io::check_whole(scheme, src, manners);
    io::check_writer(scheme, src, capacity, manners, cuts);
    io::check_written_repairs(scheme, src, Manners { fails: 0, ..manners }, cuts);
});
