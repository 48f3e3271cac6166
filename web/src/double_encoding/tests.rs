use utflane::mojibake;

use super::*;

/// Texts with double encoding as a whole, in runs, by coincidence, and without it.
fn texts() -> Vec<String> {
    let words = ["förste", "“Hi” 😀", "привет, мир", "日本語、中国語", "100 €", "É à ü ß"];
    let mut texts: Vec<String> =
        ["", "plain", "CAFÉ™", "Spaß…", "PÃ…", "É", "CAFÉ™ SPAÃ", "smörgåsbord"]
            .map(Into::into)
            .into();
    for word in words {
        let line = format!("{word}\n{word} {word}");
        for misread in [Misread::Latin1, Misread::Windows1252] {
            let once = mojibake::apply(&line, misread);
            texts.push(format!("{line} {once} {line}"));
            texts.push(format!("{word}{once}"));
            texts.push(mojibake::apply(&once, Misread::Windows1252));
            texts.push(once);
        }
        texts.push(line);
    }
    texts
}

/// The parts of a text of about `size` bytes, cut between characters.
fn parts(text: &str, size: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = size.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts
}

#[test]
fn damage_is_found_as_in_the_whole_text() {
    let mut found = 0;
    for text in texts() {
        let expected = detect(&text);
        found += usize::from(expected.is_some());
        for size in [1, 2, 3, 5, 8, 13, 21, 34] {
            let mut search = Search::new();
            parts(&text, size).into_iter().for_each(|part| search.push(part));
            assert_eq!(search.finish(), expected, "{text:?} in parts of {size}");
        }
    }
    assert!(found > 10);
}

#[test]
fn damage_is_undone_as_in_the_whole_text() {
    let mut changed = 0;
    for text in texts() {
        let whole = detect(&text);
        let expected = [undo_runs(&text), mojibake::undo(&text)];
        changed += usize::from(expected[0] != text);
        for size in [1, 2, 3, 5, 8, 13, 21, 34] {
            for (whole, expected) in [(None, &expected[0]), (whole, &expected[1])] {
                if whole.is_none() && *expected == text {
                    continue;
                }
                let mut undo = Undo { segments: Segments::default(), whole };
                let mut out = String::new();
                parts(&text, size).into_iter().for_each(|part| undo.push(part, &mut out));
                undo.finish(&mut out);
                assert_eq!(out, **expected, "{text:?} in parts of {size}");
            }
        }
    }
    assert!(changed > 10);
}

#[test]
fn the_report_has_a_sample() {
    let text = format!("{} fÃ¶rste rad\r\nandra", "a".repeat(100));
    let mut search = Search::new();
    search.push(&text);
    let before = format!("{} fÃ¶rste rad", "a".repeat(18));
    let after = before.replace("Ã¶", "ö");
    assert_eq!(
        search.report(),
        format!(r#"{{"whole":"L","before":"{before}","after":"{after}","all":"{after}"}}"#)
    );
    assert_eq!(Search::new().report(), r#"{"whole":""}"#);
}

#[test]
fn memory_has_a_limit() {
    let mut search = Search::new();
    let part = "é".repeat(1 << 18);
    for _ in 0..20 {
        search.push(&part);
        assert!(search.segments.len() <= LONGEST + part.len());
    }
    assert!(search.gave_up);
    assert_eq!(search.finish(), None);
}

#[test]
fn rounds_have_letters() {
    assert_eq!(Undo::from_letters("LWR").unwrap().len(), 3);
    assert!(Undo::from_letters("LX").is_none());
}
