use super::*;
use crate::encoding::source_from_label;
use crate::errors::MAX_LOCATED_ERRORS;

/// Analyses a text in chunks of `size` bytes, and returns the result as JSON.
fn analyse(label: &str, text: &[u8], size: usize, rounds: &str) -> String {
    let rounds = UndoRound::from_letters(rounds).unwrap();
    let mut analysis = Analysis::new(source_from_label(label, b"").unwrap(), 0, rounds);
    text.chunks(size).for_each(|chunk| analysis.push(chunk));
    analysis.finish()
}

#[test]
fn counts_are_equal_to_the_counts_of_the_repaired_text() {
    let text = b"gr\xC3\xB6\xC3\x9Fer \xF0\x9F\x98\x80\n\xFF\n\xE2\x82 a";
    let repaired = String::from_utf8_lossy(text);
    let expected = format!(
        r#"{{"codePoints":{},"utf16Units":{},"lines":3,"errorCount":2,"#,
        repaired.chars().count(),
        repaired.encode_utf16().count()
    );
    for size in 1..20 {
        let report = analyse("utf-8", text, size, "");
        assert!(report.starts_with(&expected), "{report}");
    }
}

#[test]
fn the_last_line_may_lack_a_line_feed() {
    for (text, lines) in [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2)] {
        let report = analyse("utf-8", text.as_bytes(), 1, "");
        assert!(report.contains(&format!(r#""lines":{lines},"#)), "{text:?}: {report}");
    }
}

#[test]
fn each_error_up_to_the_limit_is_located() {
    let mut text = Vec::new();
    for i in 0..3000_u32 {
        text.push((i.wrapping_mul(2_654_435_761) >> 17) as u8);
    }
    for label in ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "ascii", "cesu-8"] {
        for end in [0, 1, 2, 3, 50, 120, 121, 3000] {
            let report = analyse(label, &text[..end], 64, "");
            let count = report.split("\"errorCount\":").nth(1).unwrap();
            let count: usize = count.split(',').next().unwrap().parse().unwrap();
            assert_eq!(
                report.matches("\"offset\"").count(),
                count.min(MAX_LOCATED_ERRORS),
                "{label} {end}"
            );
        }
    }
}

#[test]
fn each_analysis_finds_one_round_of_double_encoding() {
    use utflane_charset::mojibake::{Misread, apply};
    let once = apply("“förste”", Misread::Windows1252);
    let twice = apply(&once, Misread::Windows1252);
    for (text, rounds, whole) in [(&twice, "", "W"), (&twice, "W", "W"), (&twice, "WW", "")] {
        let report = analyse("utf-8", text.as_bytes(), 3, rounds);
        assert!(report.contains(&format!(r#""whole":"{whole}""#)), "{rounds}: {report}");
    }
}

#[test]
fn the_preview_does_not_split_a_character() {
    let text = "€".repeat(1000);
    let report = analyse("utf-8", text.as_bytes(), 100, "");
    let shown = report.matches('€').count();
    assert!(shown > PREVIEW_BYTES / 4 && shown < PREVIEW_BYTES, "{shown}");
    assert!(!report.contains(char::REPLACEMENT_CHARACTER));
}
