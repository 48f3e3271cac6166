//! Repairs ill-formed text: `cargo run --example repair`.

use utflane::{IllFormed, Latin1, Repair, Unmappable, Utf8, transcode_lossy, utf8, utf16};

fn main() {
    // Ill-formed sequences become U+FFFD, one for each maximal subpart, as in the standard library.
    let ill_formed = b"caf\xE9 \xE2\x82 5";
    let text = utf8::from_utf8_lossy(ill_formed);
    println!("{text}");
    assert_eq!(text, "caf\u{FFFD} \u{FFFD} 5");
    assert_eq!(text, String::from_utf8_lossy(ill_formed));

    // In UTF-8 that contains some Latin-1, each ill-formed byte is decoded as Latin-1.
    let repair = Repair::REPLACE.on_ill_formed(IllFormed::Latin1);
    let repaired = transcode_lossy::<Utf8, Utf8>(b"gr\xF6\xC3\x9Fer", repair);
    assert_eq!((repaired.text.as_str(), repaired.repairs), ("größer", 1));

    // A character that the target lacks becomes `?`, or a numeric reference for HTML.
    let price = "5 €".as_bytes();
    assert_eq!(transcode_lossy::<Utf8, Latin1>(price, Repair::REPLACE).text, b"5 ?");
    let repair = Repair::REPLACE.on_unmappable(Unmappable::NumericReference);
    assert_eq!(transcode_lossy::<Utf8, Latin1>(price, repair).text, b"5 &#8364;");

    // Repairs UTF-16 with an unpaired surrogate in place.
    let mut units = [0x61, 0xD800, 0x62];
    utf16::make_well_formed(&mut units);
    assert_eq!(units, [0x61, 0xFFFD, 0x62]);
}
