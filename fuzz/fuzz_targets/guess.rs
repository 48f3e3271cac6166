//! Asks of any bytes which scheme they are in, and of any text whether it is damaged: what is promised of every answer.

#![no_main]

use libfuzzer_sys::fuzz_target;
use utflane::{Scheme, bom, detect, mojibake};

fuzz_target!(|data: &[u8]| {
    let scheme = detect::detect(data).scheme();
    let _ = detect::detect_prefix(data);
    if std::str::from_utf8(data).is_ok() && bom::detect(data).is_none() {
        // Valid UTF-8 is called something else only if it is that as well.
        let fine = match scheme {
            Scheme::Utf8 | Scheme::Ascii => true,
            Scheme::Latin1 => false,
            wide => wide.validate(data).is_ok(),
        };
        assert!(fine, "{scheme} of {data:02X?}");
    }
    let text = String::from_utf8_lossy(data);
    for misread in [mojibake::Misread::Latin1, mojibake::Misread::Windows1252] {
        let damaged = mojibake::apply(&text, misread);
        let back = mojibake::revert(&damaged, misread);
        assert_eq!(back.as_deref(), Some(&*text), "what is applied can be reverted");
    }
    let all = mojibake::undo_all(&text);
    assert_eq!(mojibake::undo(&all.text), all.text, "nothing is left to undo in {text:?}");
    assert!(all.rounds > 0 || all.text == text, "what is undone is counted");
    let _ = mojibake::undo_runs(&text);
});
