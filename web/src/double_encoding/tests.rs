use utflane_charset::mojibake;

use super::*;

/// Returns texts of four kinds: double-encoded as a whole, double-encoded in runs, similar to
/// double encoding by coincidence, and without double encoding.
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

/// Splits a text between characters into chunks of `size` bytes or slightly more.
fn split_into_chunks(text: &str, size: usize) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let mut end = size.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (chunk, after) = rest.split_at(end);
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

#[test]
fn chunks_and_the_whole_text_have_the_same_double_encoding() {
    let mut found = 0;
    for text in texts() {
        let expected = detect(&text);
        found += usize::from(expected.is_some());
        for size in [1, 2, 3, 5, 8, 13, 21, 34] {
            let mut search = Search::new();
            split_into_chunks(&text, size).into_iter().for_each(|chunk| search.push(chunk));
            assert_eq!(search.finish(), expected, "{text:?} in chunks of {size} bytes");
        }
    }
    assert!(found > 10);
}

#[test]
fn undoing_in_chunks_gives_the_same_text() {
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
                let mut undo = UndoRound { segments: Segments::default(), whole };
                let mut out = String::new();
                split_into_chunks(&text, size)
                    .into_iter()
                    .for_each(|chunk| undo.push(chunk, &mut out));
                undo.finish(&mut out);
                assert_eq!(out, **expected, "{text:?} in chunks of {size} bytes");
            }
        }
    }
    assert!(changed > 10);
}

#[test]
fn the_report_has_a_sample_of_one_line() {
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
fn the_search_gives_up_at_a_long_run_without_ascii() {
    let mut search = Search::new();
    let chunk = "é".repeat(1 << 18);
    for _ in 0..20 {
        search.push(&chunk);
        assert!(search.segments.len() <= MAX_KEPT_BYTES + chunk.len());
    }
    assert!(search.gave_up);
    assert_eq!(search.finish(), None);
}

#[test]
fn letters_name_the_rounds() {
    assert_eq!(UndoRound::from_letters("LWR").unwrap().len(), 3);
    assert!(UndoRound::from_letters("LX").is_none());
}
