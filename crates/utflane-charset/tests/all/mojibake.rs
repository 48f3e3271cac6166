//! Double encoding is undone exactly, however often a text was encoded, and texts that are not
//! damaged are not changed.

use std::borrow::Cow;

use crate::checks::mojibake::{
    BOTH, INDEX, check_mojibake, check_runs, check_utf16le, damaged, taken_for,
};
use crate::common::text::{SCRIPTS, chat, page, uniform};
use crate::common::{corpus, sampled, sampling_interval};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane_charset::mojibake::{Misread, apply, detect, revert, undo, undo_all, undo_runs};

/// Returns generated texts, and real texts if there are any, each with its name.
fn texts() -> Vec<(String, String)> {
    let mut texts = vec![("chat".to_owned(), chat(1, 20_000))];
    for (seed, script) in (0..).zip(SCRIPTS) {
        texts.push((script.name.to_owned(), uniform(script, seed, 20_000)));
        texts.push((format!("{} page", script.name), page(script, seed, 20_000)));
    }
    for (name, bytes) in corpus::files().unwrap_or_default() {
        texts.push((name, String::from_utf8(bytes).expect("UTF-8")));
    }
    texts
}

/// Asserts that no function finds damage in `text`, or changes it.
fn check_untouched(name: &str, text: &str) {
    assert_eq!(detect(text), None, "{name}: {text:.200}");
    assert!(matches!(undo(text), Cow::Borrowed(same) if same == text), "{name}: {text:.200}");
    let undone = undo_all(text);
    assert_eq!((undone.text, undone.rounds), (Cow::Borrowed(text), 0), "{name}");
    assert!(
        matches!(undo_runs(text), Cow::Borrowed(_)),
        "{name}: {text:.200}: {}",
        undo_runs(text)
    );
}

#[test]
fn every_character_is_damaged_and_reverted() {
    for c in sampled("characters", '\0'..=char::MAX) {
        let text = format!("a{c}b");
        for misread in BOTH {
            let encoded_again = apply(&text, misread);
            assert_eq!(encoded_again, damaged(&text, misread), "{c:?}");
            assert_eq!(revert(&encoded_again, misread).as_deref(), Some(&*text), "{c:?}");
            let undone = undo(&encoded_again);
            assert!(
                undone == text || undone == encoded_again && is_coincidental(c, misread),
                "{c:?} {misread:?} {undone}"
            );
        }
    }
}

/// Returns true if the damaged form of a character may be what an author intended in lower-case
/// text: a letter with punctuation marks or symbols.
fn is_coincidental(c: char, misread: Misread) -> bool {
    let encoded_again = damaged(c.encode_utf8(&mut [0; 4]), misread);
    let mut chars = encoded_again.chars();
    let letter = chars.next().expect("a letter");
    let is_joined =
        "–—·’´\u{A0}\u{AD}".contains(encoded_again.chars().next_back().expect("a sign"));
    // After the first letter, the form is only š, ž and œ, or begins with them and ends with a sign
    // that joins words.
    let signs = chars.as_str().trim_start_matches(['š', 'ž', 'œ']);
    let is_word = signs.is_empty() || signs.len() < chars.as_str().len() && is_joined;
    // `c` is a control character, or a letter of the blocks from Cyrillic to N’Ko whose form has no
    // control character.
    if ('\u{80}'..'\u{A0}').contains(&c)
        || ('\u{400}'..'\u{800}').contains(&c) && !signs.contains(char::is_control)
    {
        return true;
    }
    // A capital does not end a lower-case word, but ß, × and à to ô do. A sign that joins words may
    // be before the `b`.
    !letter.is_uppercase()
        && (is_word && !"×â".contains(letter)
            || chars.all(|sign| !sign.is_alphabetic() || "ªº".contains(sign)) && is_joined)
}

#[test]
fn texts_are_undone_exactly() {
    for (name, text) in texts() {
        for first_misread in BOTH {
            let mut encoded_again = text.clone();
            for round in 1..=3 {
                // The second round is always windows-1252.
                let misread = if round == 2 { Misread::Windows1252 } else { first_misread };
                let next = apply(&encoded_again, misread);
                let previous = std::mem::replace(&mut encoded_again, next);
                assert_eq!(encoded_again, damaged(&previous, misread));
                if text.is_ascii() {
                    check_untouched(&name, &encoded_again);
                    continue;
                }
                assert!(detect(&encoded_again).is_some(), "{name}, {misread:?}, round {round}");
                assert_eq!(undo(&encoded_again), previous, "{name}, {misread:?}, round {round}");
                // `undo_runs` leaves single characters that may be a coincidence. There are only a
                // few of them.
                let extra_chars =
                    undo_runs(&encoded_again).chars().count() - previous.chars().count();
                assert!(
                    extra_chars * 400 < previous.len(),
                    "{name}, {misread:?}, round {round}: {extra_chars}"
                );
                let undone = undo_all(&encoded_again);
                assert_eq!((&*undone.text, undone.rounds), (&*text, round), "{name}, {misread:?}");
            }
        }
    }
}

#[test]
fn segments_are_undone_exactly() {
    let (mut segment_counts, mut unchanged_counts) = ([0; 4], [0; 4]);
    for (name, text) in texts() {
        let chars: Vec<char> = text.chars().collect();
        for len in [5, 40] {
            // All segments are tested, whatever the sampling interval is: the limits below are for
            // rare events, and a few segments could exceed the limits by chance.
            for segment in chars.chunks(len) {
                let segment: String = segment.iter().collect();
                for misread in BOTH {
                    let encoded_again = apply(&segment, misread);
                    let undone = undo(&encoded_again);
                    let beyond_ascii = segment.chars().filter(|c| !c.is_ascii()).count();
                    if segment.is_ascii() {
                        check_untouched(&name, &segment);
                    } else if beyond_ascii < 4 {
                        // In rare cases, the whole segment can be a coincidence.
                        segment_counts[beyond_ascii] += 1;
                        unchanged_counts[beyond_ascii] += usize::from(undone != segment);
                        assert!(
                            undone == segment || undone == encoded_again,
                            "{name}: {encoded_again}"
                        );
                    } else {
                        assert_eq!(undone, segment, "{name}: {encoded_again}");
                    }
                }
            }
        }
    }
    // About one segment in 100 is unchanged if it has one character beyond ASCII, one in 200 with
    // two, and one in 1,000 with three, such as `Ø· ÙŠØ³`: letters of Arabic, or words in capitals.
    for (count, one_in) in [(1, 100), (2, 200), (3, 1_000)] {
        let max_unchanged = 2 + segment_counts[count] / one_in;
        assert!(
            unchanged_counts[count] <= max_unchanged,
            "{count}: {} of {}",
            unchanged_counts[count],
            segment_counts[count]
        );
    }
}

#[test]
fn undamaged_texts_are_untouched() {
    for (name, text) in texts() {
        check_untouched(&name, &text);
        for line in text.split_inclusive(['.', '\n', ' ']).step_by(sampling_interval()) {
            check_untouched(&name, line);
        }
    }
}

/// Texts that people write, with letters and symbols whose bytes in windows-1252 would be UTF-8.
#[test]
fn intended_texts_are_untouched() {
    let intended = [
        "",
        "a",
        "förste",
        "é",
        "Ã",
        "Â",
        "Ångström",
        "ÅÄÖ",
        "£5 – 20 €",
        "‘quoted’",
        "“quoted”",
        "naïve… really",
        "déjà vu »",
        "« déjà\u{A0}vu\u{A0}»",
        "du café\u{A0}».",
        "voilà…",
        "né…»",
        "CAFÉ",
        "CAFÉ™",
        "CAFÉ’S",
        "NESCAFÉ®",
        "FERMÉ…",
        "É…",
        "È\u{A0}vero",
        "Ó…",
        "À…",
        "L’ÉTÉ…",
        "JOSÉ’s",
        "ATÉ AMANHÃ…",
        "AMANHÃ…",
        "MANHÃ”",
        "IRMÃ®",
        "IRMÃ²",
        "CAFÉ\u{A0}: OUVERT",
        "É\u{AD}COLE",
        "Spaß…",
        "Spaß“",
        "Spaß™",
        "groß–klein",
        "groß\u{AD}artig",
        "Spaß\u{A0}!",
        "Gruß’",
        "2×…",
        "3×²",
        "ALLÔ…",
        "PERÙ”",
        "MENÜ“",
        "„MENÜ“",
        "GEÖ®",
        "Ö…",
        "Å…",
        "PÅ…",
        "né’”",
        "résumé…”",
        "20 °C",
        "½ ¼ ¾",
        "¿Qué?",
        "¡Olé!",
        "SÃO PAULO",
        "SÃO",
        "ALEMÃ",
        "ÃO",
        "ÂNGULO",
        "þing",
        "Æ",
        "ÆØÅ…",
        "Füße",
        "Привет",
        "Ελλάδα",
        "עברית",
        "中文",
        "日本語",
        "한국어",
        "ไทย",
        "😀",
        "é\u{301}",
        "\u{FEFF}Hi",
        "1º",
        "2ª",
        // A punctuation mark at the wrong end of a word, and accents as quotation marks.
        "QUEM É¿",
        "SÓ¡",
        "´´lá´´",
        "É´´",
        // Prices after a multiplication sign, and letters that a text is about.
        "5×£35",
        "2 ×€3, 3 ×¥100",
        "a lot of Ã’s",
        "Ã´s, Å’s and (Ö’s)",
        // If these were undone, a lower-case letter would be in a word in capitals.
        "MÄ£ÄM",
        "SÖÄ£ GÄLÄW",
        "SELKÄ\u{A0}EDELLÄ",
        "AMANHÃ\u{A0}de manhã",
    ];
    for text in intended {
        check_untouched("intended", text);
    }
}

#[test]
fn damage_is_undone() {
    let cases = [
        ("fÃ¶rste", "förste"),
        ("Ã©", "é"),
        ("Ã©tÃ©", "été"),
        ("Â°", "°"),
        ("20 Â°C", "20 °C"),
        ("Â£5", "£5"),
        ("Ã¼", "ü"),
        ("Ã\u{A0} la carte", "à la carte"),
        ("aquÃ\u{AD}", "aquí"),
        ("FÃ–RSTE", "FÖRSTE"),
        ("KÃ–LN", "KÖLN"),
        ("STRASSE Ãœ", "STRASSE Ü"),
        ("Ã‰TÃ‰", "ÉTÉ"),
        ("CAFÃ‰", "CAFÉ"),
        ("donâ€™t", "don’t"),
        ("â€œHiâ€\u{9D}", "“Hi”"),
        ("â€¦", "…"),
        ("â‚¬", "€"),
        ("â„¢", "™"),
        ("ï»¿Hi", "\u{FEFF}Hi"),
        ("ðŸ˜€", "😀"),
        ("Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "привет"),
        ("ä¸\u{AD}æ–‡", "中文"),
        ("æ—¥æœ¬èªž", "日本語"),
        ("Â«\u{A0}ouiÂ\u{A0}Â»", ""),
        ("Å\u{81}Ã³dÅº", "Łódź"),
        ("Ä°stanbul", "İstanbul"),
        ("GÃ\u{A0}idhlig", "Gàidhlig"),
        ("CÃ\u{A0}nan", "Cànan"),
        ("DÃ\u{AD}az", "Díaz"),
        ("OÃ™ ET QUAND?", "OÙ ET QUAND?"),
        ("OÃ¹ et quand ?", "Où et quand ?"),
        ("IL2RÎ³cKO", "IL2RγcKO"),
        ("NFÎºB", "NFκB"),
        ("UÅ¾", "Už"),
        ("IÅ¡", "Iš"),
    ];
    for (encoded_again, text) in cases {
        if text.is_empty() {
            // One no-break space was damaged, and the other is unchanged.
            check_untouched("mixed", &encoded_again.replace('Â', ""));
            continue;
        }
        assert_eq!(undo(encoded_again), text);
        assert_eq!(undo_runs(encoded_again), text);
        // Runs are also undone next to undamaged characters.
        assert_eq!(undo_runs(&format!("ö {encoded_again} 中")), format!("ö {text} 中"));
        check_mixed(encoded_again);
    }
}

/// Surrogates that were encoded one by one are undone in runs, although `apply` does not make such
/// damage.
#[test]
fn cesu8_is_undone_in_runs() {
    for (encoded_again, text) in [
        ("í\u{A0}½í¸\u{8D}", "😍"),
        ("hi í\u{A0}½í¸\u{8D}í\u{A0}½í¸\u{8E}!", "hi 😍😎!"),
        ("â\u{98}ºí\u{A0}½í¸\u{98}, ö", "☺😘, ö"),
        ("í\u{A0}½í¸Ž", "😎"),
    ] {
        assert_eq!(undo_runs(encoded_again), text);
        check_runs(encoded_again);
    }
    for encoded_again in
        ["í\u{A0}½", "í\u{A0}½í", "í¸\u{8D}í\u{A0}½", "í\u{A0}½í\u{A0}½", "í\u{A0}½x¸\u{8D}"]
    {
        assert_eq!(undo_runs(encoded_again), encoded_again);
    }
    assert_eq!(undo("í\u{A0}½í¸\u{8D}"), "í\u{A0}½í¸\u{8D}");
}

/// Asserts that a text with damage next to an undamaged character is not undone as a whole.
fn check_mixed(encoded_again: &str) {
    for undamaged in ["ö", "中", "“", "é ", "\u{100}"] {
        for mixed in
            [format!("{undamaged} {encoded_again}"), format!("{encoded_again} {undamaged}")]
        {
            assert_eq!(detect(&mixed), None, "{mixed}");
            assert_eq!(undo(&mixed), mixed);
        }
    }
}

/// No character that windows-1252 lacks is treated as a byte, whatever its position in the tables
/// of the library.
#[test]
fn characters_beyond_windows_1252_are_not_damage() {
    let in_windows_1252: Vec<char> = (0x80..=0x9F)
        .map(|byte| {
            let (text, _, _) =
                encoding_rs::WINDOWS_1252.decode(std::slice::from_ref(&byte)).clone();
            text.chars().next().expect("a character")
        })
        .collect();
    for c in ('\u{100}'..='\u{1FFFF}').filter(|c| !in_windows_1252.contains(c)) {
        for text in [format!("â{c}¬"), format!("â‚{c}"), format!("Ã{c}"), format!("{c}¤")] {
            for misread in BOTH {
                assert_eq!(revert(&text, misread), None, "{text:?}");
            }
        }
        let text = format!("100 â{c}¬, fÃ{c}r");
        assert!(matches!(undo(&text), Cow::Borrowed(_)), "{text:?}");
    }
}

/// After a number, `×` is a multiplication sign, and not a part of damage.
#[test]
fn multiplication_signs_are_untouched() {
    assert_eq!(undo_runs("3×™ 3 ×™"), "3×™ 3 ×™");
    // A Hebrew letter is next to another Hebrew letter.
    assert_eq!(undo_runs("a×™ a×™×™"), "a×™ a\u{5D9}\u{5D9}");
}

/// Nothing is lost at the boundaries of the segments in which the damage is decoded.
#[test]
fn ends_of_segments() {
    for front_len in (0..4).chain(500..520).chain(1020..1030) {
        for text in ["ö", "€", "😀", "€😀ö"] {
            for misread in BOTH {
                let text = format!("é{}{text}{}", "x".repeat(front_len), "y".repeat(front_len % 7));
                let encoded_again = apply(&text, misread);
                assert_eq!(undo(&encoded_again), text);
                assert_eq!(undo(&format!("{encoded_again}ö")), format!("{encoded_again}ö"));
                assert_eq!(undo(&format!("{encoded_again}Ã")), format!("{encoded_again}Ã"));
                assert_eq!(undo(&format!("{encoded_again}â€")), format!("{encoded_again}â€"));
            }
        }
    }
}

/// UTF-16LE is undone like UTF-8. To find out whether it is damaged, the library examines longer
/// and longer parts of it as UTF-8.
#[test]
fn utf16le_is_undone_like_utf8() {
    for repeats in 0..80 {
        for phrase in ["CAFÉ™ ", "É…", "POSPÍŠIL", "x Spaß… ", "MENÜ“ 😀"] {
            for end in ["", "fÃ¶rste", "ö", "Ã", "É", "É™É™", "â‚¬", "â‚", "中", "ðŸ˜€"]
            {
                let text = format!(
                    "{}{phrase}{}{end}",
                    &"plain text "[..repeats % 11],
                    phrase.repeat(repeats)
                );
                check_utf16le(&text);
                check_utf16le(&apply(&text, Misread::Windows1252));
            }
        }
    }
    for (name, text) in texts() {
        for misread in BOTH {
            check_utf16le(&apply(&text, misread));
        }
        check_utf16le(&text);
        assert!(text.len() > 1000, "{name}");
    }
}

/// The damaged form of one character, between all kinds of neighbours. A simple model decides
/// whether the damage is undone.
#[test]
fn characters_between_neighbours() {
    let neighbours = ["", "a", "A", "1", " ", "é", "É", "Ã©", "…"];
    let signs: Vec<u8> = (0x80..=0xBF).collect();
    // Four-byte characters have only continuation bytes that stand for signs that may follow words,
    // and two others. The same holds for the last byte of three-byte characters.
    let some_signs = b"\x80\x85\x92\x93\x94\x96\x97\x99\x9B\xA0\xA4\xAD\xBB";
    let mut characters: Vec<Vec<u8>> = Vec::new();
    for lead in 0xC2..=0xF4_u8 {
        let second_bytes = if lead < 0xF0 { &signs[..] } else { some_signs };
        let mut sequences: Vec<_> = second_bytes.iter().map(|&sign| vec![lead, sign]).collect();
        for _ in 0..usize::from(lead >= 0xE0) + usize::from(lead >= 0xF0) {
            let append_signs =
                |front: &Vec<u8>| some_signs.map(|sign| [&front[..], &[sign]].concat());
            sequences = sequences.iter().flat_map(append_signs).collect();
        }
        characters.extend(sequences);
    }
    for bytes in sampled("characters", characters.iter()) {
        // Some of the sequences are not UTF-8.
        for misread in BOTH {
            let encoded_again: String =
                bytes.iter().map(|&byte| taken_for(byte, misread)).collect();
            for before in neighbours {
                for after in neighbours {
                    check_runs(&format!("{before}{encoded_again}{after}"));
                }
            }
        }
    }
}

/// Short texts that consist mostly of characters of damage, and of characters that decide whether
/// these were intended.
#[test]
fn short_mixtures() {
    let mut rng = StdRng::seed_from_u64(19);
    let letters: Vec<char> = ('Â'..='ô').collect();
    let signs: Vec<char> =
        (0x80..=0xBF).flat_map(|byte| BOTH.map(|misread| taken_for(byte, misread))).collect();
    let others: Vec<char> = "aZ1 \n'.éÉßяЯ中😀\u{FF}".chars().collect();
    let intended_signs: Vec<char> = "…’”›»–—\u{A0}™®©ªº°¹²³·†‡\u{AD}‘“".chars().collect();
    for _ in sampled("mixtures", 0..200_000) {
        let text: String = (0..rng.random_range(1..12))
            .map(|_| {
                let kind =
                    [&letters, &letters, &signs, &intended_signs, &others][rng.random_range(0..5)];
                kind[rng.random_range(0..kind.len())]
            })
            .collect();
        check_runs(&text);
    }
}

/// Generates texts of ASCII, of characters beyond ASCII of all lengths, and of characters of
/// damage.
fn any_text() -> impl Strategy<Value = String> {
    let c = prop_oneof![
        2 => prop::char::range('\0', '\x7F'),
        2 => prop::char::range('\u{80}', 'ÿ'),
        1 => prop::sample::select(
            INDEX.map(|point| char::from_u32(point).expect("a character")).to_vec(),
        ),
        1 => prop::char::range('\u{100}', '\u{7FF}'),
        1 => prop::char::range('\u{800}', '\u{FFFF}'),
        1 => prop::char::range('\u{10000}', char::MAX),
    ];
    prop::collection::vec(c, 1..60).prop_map(|chars| chars.into_iter().collect())
}

/// Returns true if a character beyond ASCII follows another one, whose continuation bytes are not
/// all letters that could be in a word. The damage of such a text is not a coincidence, whatever
/// surrounds it.
fn is_surely_damage(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(2).any(|pair| {
        let mut bytes = [0; 4];
        let signs = &pair[0].encode_utf8(&mut bytes).as_bytes()[1..];
        // The bytes of Š, Œ, Ž, š, œ, ž and Ÿ in windows-1252.
        let letters = [0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F];
        !pair[0].is_ascii() && !pair[1].is_ascii() && !signs.iter().all(|s| letters.contains(s))
    })
}

/// The damage of a text is not undone if each of its characters could be a coincidence, however
/// many there are.
#[test]
fn control_characters_alone_are_not_damage() {
    for misread in BOTH {
        let text = "\u{80}A\u{80}\0\u{8d}a\u{80}";
        let encoded_again = apply(text, misread);
        assert!(!is_surely_damage(text));
        assert_eq!(undo(&encoded_again), encoded_again, "{misread:?}");
        assert_eq!(revert(&encoded_again, misread).as_deref(), Some(text), "{misread:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases((20_000 / sampling_interval() as u32).max(64))
    })]

    /// `revert` reverts every damaged text. `undo` undoes the damage too, unless the whole text may
    /// be a coincidence.
    #[test]
    fn the_inverse_is_exact(text in any_text(), misread in prop::sample::select(&BOTH[..])) {
        let encoded_again = apply(&text, misread);
        prop_assert_eq!(&encoded_again, &damaged(&text, misread));
        prop_assert_eq!(revert(&encoded_again, misread), Some(text.clone()));
        let undone = undo(&encoded_again);
        if is_surely_damage(&text) {
            prop_assert_eq!(&*undone, &*text);
        } else {
            prop_assert!(undone == text || undone == encoded_again);
        }
    }

    /// Checks every guarantee for any text.
    #[test]
    fn nothing_else_is_changed(text in any_text()) {
        check_mojibake(&text);
    }
}
