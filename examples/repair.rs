//! Repairs damaged text: `cargo run --example repair`.

use utflane::{
    IllFormed, Latin1, Repair, Unmappable, Utf8, mojibake, transcode_lossy, utf8, utf16,
};

fn main() {
    // Ill-formed sequences become U+FFFD, one for each maximal subpart, as in the standard library.
    let damaged = b"caf\xE9 \xE2\x82 5";
    let text = utf8::from_utf8_lossy(damaged);
    println!("{text}");
    assert_eq!(text, "caf\u{FFFD} \u{FFFD} 5");
    assert_eq!(text, String::from_utf8_lossy(damaged));

    // UTF-8 with some Latin-1 in it: each ill-formed byte is read as Latin-1.
    let repair = Repair::REPLACE.on_ill_formed(IllFormed::Latin1);
    let repaired = transcode_lossy::<Utf8, Utf8>(b"gr\xF6\xC3\x9Fer", repair);
    assert_eq!((repaired.text.as_str(), repaired.repairs), ("größer", 1));

    // The target lacks a character: `?`, or a numeric reference for HTML.
    let price = "5 €".as_bytes();
    assert_eq!(transcode_lossy::<Utf8, Latin1>(price, Repair::REPLACE).text, b"5 ?");
    let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    assert_eq!(transcode_lossy::<Utf8, Latin1>(price, repair).text, b"5 &#8364;");

    // UTF-16 with an unpaired surrogate, repaired in place.
    let mut units = [0x61, 0xD800, 0x62];
    utf16::make_well_formed(&mut units);
    assert_eq!(units, [0x61, 0xFFFD, 0x62]);

    // Double encoding: UTF-8 that was taken for windows-1252, and converted to UTF-8 once more.
    let undone = mojibake::undo("fÃ¶rste");
    println!("{undone}");
    assert_eq!(undone, "förste");
    // Text that is not damaged as a whole stays as it is.
    assert_eq!(mojibake::undo("CAFÉ™"), "CAFÉ™");
}
