//! Double encoding is undone bit for bit, for any number of times; and texts that are not damaged
//! are not changed.

use std::borrow::Cow;

use crate::common::mojibake::{
    BOTH, INDEX, check_mojibake, check_runs, check_utf16le, damaged, taken_for,
};
use crate::common::text::{SCRIPTS, chat, page, uniform};
use crate::common::{corpus, share, shared};
use proptest::prelude::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use utflane::mojibake::{Misread, apply, detect, revert, undo, undo_all, undo_runs};

/// Generated texts, and real ones where there are any.
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

/// Asserts that nothing is changed.
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
    for c in shared("characters", '\0'..=char::MAX) {
        let text = format!("a{c}b");
        for misread in BOTH {
            let twice = apply(&text, misread);
            assert_eq!(twice, damaged(&text, misread), "{c:?}");
            assert_eq!(revert(&twice, misread).as_deref(), Some(&*text), "{c:?}");
            let undone = undo(&twice);
            assert!(
                undone == text || undone == twice && is_coincidental(c, misread),
                "{c:?} {misread:?} {undone}"
            );
        }
    }
}

/// Returns true if the damaged form of a character may, in lower-case text, be an intended letter
/// with signs.
fn is_coincidental(c: char, misread: Misread) -> bool {
    let twice = damaged(c.encode_utf8(&mut [0; 4]), misread);
    let mut chars = twice.chars();
    let letter = chars.next().expect("a letter");
    let is_joined = "–—·’´\u{A0}\u{AD}".contains(twice.chars().next_back().expect("a sign"));
    // The letters of two small words with š, ž or œ, all of them or before a sign that joins.
    let signs = chars.as_str().trim_start_matches(['š', 'ž', 'œ']);
    let is_spelt = signs.is_empty() || signs.len() < chars.as_str().len() && is_joined;
    // Controls, and one letter of Cyrillic to N’Ko between Latin ones, if it has no control sign.
    if ('\u{80}'..'\u{A0}').contains(&c)
        || ('\u{400}'..'\u{800}').contains(&c) && !signs.contains(char::is_control)
    {
        return true;
    }
    // Capitals are not the end of a lower-case word; ß, × and à to ô are. Characters that join
    // words may stand before `b`.
    !letter.is_uppercase()
        && (is_spelt && !"×â".contains(letter)
            || chars.all(|sign| !sign.is_alphabetic() || "ªº".contains(sign)) && is_joined)
}

#[test]
fn texts_are_undone_bit_for_bit() {
    for (name, text) in texts() {
        for first in BOTH {
            let mut twice = text.clone();
            for round in 1..=3 {
                // Sometimes the other misreading.
                let misread = if round == 2 { Misread::Windows1252 } else { first };
                let next = apply(&twice, misread);
                let before = std::mem::replace(&mut twice, next);
                assert_eq!(twice, damaged(&before, misread));
                if text.is_ascii() {
                    check_untouched(&name, &twice);
                    continue;
                }
                assert!(detect(&twice).is_some(), "{name}, {misread:?}, round {round}");
                assert_eq!(undo(&twice), before, "{name}, {misread:?}, round {round}");
                // In runs, each character that stands by itself must be unlikely to be a
                // coincidence.
                let left = undo_runs(&twice).chars().count() - before.chars().count();
                assert!(left * 400 < before.len(), "{name}, {misread:?}, round {round}: {left}");
                let undone = undo_all(&twice);
                assert_eq!((&*undone.text, undone.rounds), (&*text, round), "{name}, {misread:?}");
            }
        }
    }
}

#[test]
fn segments_are_undone_bit_for_bit() {
    let (mut alone, mut left) = ([0; 4], [0; 4]);
    for (name, text) in texts() {
        let chars: Vec<char> = text.chars().collect();
        for len in [5, 40] {
            // All of them, whatever the share is: the limits below are of rare events, and a sample
            // of few segments would miss them by chance.
            for segment in chars.chunks(len) {
                let segment: String = segment.iter().collect();
                for misread in BOTH {
                    let twice = apply(&segment, misread);
                    let undone = undo(&twice);
                    let beyond_ascii = segment.chars().filter(|c| !c.is_ascii()).count();
                    if segment.is_ascii() {
                        check_untouched(&name, &segment);
                    } else if beyond_ascii < 4 {
                        // In rare cases, all of it can be a coincidence.
                        alone[beyond_ascii] += 1;
                        left[beyond_ascii] += usize::from(undone != segment);
                        assert!(undone == segment || undone == twice, "{name}: {twice}");
                    } else {
                        assert_eq!(undone, segment, "{name}: {twice}");
                    }
                }
            }
        }
    }
    // By characters beyond ASCII: of a hundred, of two hundred and of a thousand, one. With three,
    // it is `Ø· ÙŠØ³`: letters of Arabic, or words in capitals.
    for (count, in_so_many) in [(1, 100), (2, 200), (3, 1_000)] {
        let most = 2 + alone[count] / in_so_many;
        assert!(left[count] <= most, "{count}: {} of {}", left[count], alone[count]);
    }
}

#[test]
fn undamaged_texts_are_untouched() {
    for (name, text) in texts() {
        check_untouched(&name, &text);
        for line in text.split_inclusive(['.', '\n', ' ']).step_by(share()) {
            check_untouched(&name, line);
        }
    }
}

/// Texts as they are written, with letters and signs whose bytes would be UTF-8.
#[test]
fn what_is_meant_is_untouched() {
    let meant = [
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
        // A mark typed at the wrong end, and accents for quotation marks.
        "QUEM É¿",
        "SÓ¡",
        "´´lá´´",
        "É´´",
        // Prices that are multiplied, and letters that are named.
        "5×£35",
        "2 ×€3, 3 ×¥100",
        "a lot of Ã’s",
        "Ã´s, Å’s and (Ö’s)",
        // Small letters don't stand in words in capitals.
        "MÄ£ÄM",
        "SÖÄ£ GÄLÄW",
        "SELKÄ\u{A0}EDELLÄ",
        "AMANHÃ\u{A0}de manhã",
    ];
    for text in meant {
        check_untouched("meant", text);
    }
}

#[test]
fn damage_is_undone() {
    let known = [
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
    for (twice, text) in known {
        if text.is_empty() {
            // One blank was damaged, the other is itself.
            check_untouched("mixed", &twice.replace('Â', ""));
            continue;
        }
        assert_eq!(undo(twice), text);
        assert_eq!(undo_runs(twice), text);
        // Runs are repaired beside undamaged characters.
        assert_eq!(undo_runs(&format!("ö {twice} 中")), format!("ö {text} 中"));
        check_mixed(twice);
    }
}

/// Surrogates that were encoded one by one are damage in runs, but no damage that `apply` does.
#[test]
fn cesu8_is_undone_in_runs() {
    for (twice, text) in [
        ("í\u{A0}½í¸\u{8D}", "😍"),
        ("hi í\u{A0}½í¸\u{8D}í\u{A0}½í¸\u{8E}!", "hi 😍😎!"),
        ("â\u{98}ºí\u{A0}½í¸\u{98}, ö", "☺😘, ö"),
        ("í\u{A0}½í¸Ž", "😎"),
    ] {
        assert_eq!(undo_runs(twice), text);
        check_runs(twice);
    }
    for twice in
        ["í\u{A0}½", "í\u{A0}½í", "í¸\u{8D}í\u{A0}½", "í\u{A0}½í\u{A0}½", "í\u{A0}½x¸\u{8D}"]
    {
        assert_eq!(undo_runs(twice), twice);
    }
    assert_eq!(undo("í\u{A0}½í¸\u{8D}"), "í\u{A0}½í¸\u{8D}");
}

/// Damage beside an undamaged character is not changed as a whole.
fn check_mixed(twice: &str) {
    for own in ["ö", "中", "“", "é ", "\u{100}"] {
        for mixed in [format!("{own} {twice}"), format!("{twice} {own}")] {
            assert_eq!(detect(&mixed), None, "{mixed}");
            assert_eq!(undo(&mixed), mixed);
        }
    }
}

/// No byte is taken for a character that windows-1252 doesn't have, at any position in its tables.
#[test]
fn strange_characters_are_no_damage() {
    let known: Vec<char> = (0x80..=0x9F)
        .map(|byte| {
            let (text, _, _) =
                encoding_rs::WINDOWS_1252.decode(std::slice::from_ref(&byte)).clone();
            text.chars().next().expect("a character")
        })
        .collect();
    for c in ('\u{100}'..='\u{1FFFF}').filter(|c| !known.contains(c)) {
        for text in [format!("â{c}¬"), format!("â‚{c}"), format!("Ã{c}"), format!("{c}¤")] {
            for misread in BOTH {
                assert_eq!(revert(&text, misread), None, "{text:?}");
            }
        }
        let text = format!("100 â{c}¬, fÃ{c}r");
        assert!(matches!(undo(&text), Cow::Borrowed(_)), "{text:?}");
    }
}

/// A multiplication sign stands after numbers, not after words.
#[test]
fn signs_of_multiplication() {
    assert_eq!(undo_runs("3×™ 3 ×™"), "3×™ 3 ×™");
    // Hebrew letters stand beside others.
    assert_eq!(undo_runs("a×™ a×™×™"), "a×™ a\u{5D9}\u{5D9}");
}

/// Nothing is lost at the boundaries of the segments in which the damage is decoded.
#[test]
fn ends_of_segments() {
    for before in (0..4).chain(500..520).chain(1020..1030) {
        for text in ["ö", "€", "😀", "€😀ö"] {
            for misread in BOTH {
                let text = format!("é{}{text}{}", "x".repeat(before), "y".repeat(before % 7));
                let twice = apply(&text, misread);
                assert_eq!(undo(&twice), text);
                assert_eq!(undo(&format!("{twice}ö")), format!("{twice}ö"));
                assert_eq!(undo(&format!("{twice}Ã")), format!("{twice}Ã"));
                assert_eq!(undo(&format!("{twice}â€")), format!("{twice}â€"));
            }
        }
    }
}

/// UTF-16 is judged in UTF-8 by parts of it, of which the last one is all of it.
#[test]
fn utf16le_is_judged_wherever_it_is_cut() {
    for n in 0..80 {
        for phrase in ["CAFÉ™ ", "É…", "POSPÍŠIL", "x Spaß… ", "MENÜ“ 😀"] {
            for end in ["", "fÃ¶rste", "ö", "Ã", "É", "É™É™", "â‚¬", "â‚", "中", "ðŸ˜€"]
            {
                let text = format!("{}{phrase}{}{end}", &"plain text "[..n % 11], phrase.repeat(n));
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

/// The damaged form of one character, between all kinds of neighbours: a plain model decides
/// whether it is undone.
#[test]
fn characters_between_neighbours() {
    let neighbours = ["", "a", "A", "1", " ", "é", "É", "Ã©", "…"];
    let signs: Vec<u8> = (0x80..=0xBF).collect();
    // Of four-byte characters, only those with signs that may follow words, and two others; the
    // same for the last byte of three.
    let few = b"\x80\x85\x92\x93\x94\x96\x97\x99\x9B\xA0\xA4\xAD\xBB";
    let mut all: Vec<Vec<u8>> = Vec::new();
    for lead in 0xC2..=0xF4_u8 {
        let first = if lead < 0xF0 { &signs[..] } else { few };
        let mut begun: Vec<_> = first.iter().map(|&sign| vec![lead, sign]).collect();
        for _ in 0..usize::from(lead >= 0xE0) + usize::from(lead >= 0xF0) {
            let longer = |front: &Vec<u8>| few.map(|sign| [&front[..], &[sign]].concat());
            begun = begun.iter().flat_map(longer).collect();
        }
        all.extend(begun);
    }
    for bytes in shared("characters", all.iter()) {
        // Also sequences that are no UTF-8.
        for misread in BOTH {
            let twice: String = bytes.iter().map(|&byte| taken_for(byte, misread)).collect();
            for before in neighbours {
                for after in neighbours {
                    check_runs(&format!("{before}{twice}{after}"));
                }
            }
        }
    }
}

/// Short texts made mostly of the characters of damage, and of those that decide whether it was
/// intended.
#[test]
fn short_mixtures() {
    let mut rng = StdRng::seed_from_u64(19);
    let letters: Vec<char> = ('Â'..='ô').collect();
    let signs: Vec<char> =
        (0x80..=0xBF).flat_map(|byte| BOTH.map(|misread| taken_for(byte, misread))).collect();
    let others: Vec<char> = "aZ1 \n'.éÉßяЯ中😀\u{FF}".chars().collect();
    let meant: Vec<char> = "…’”›»–—\u{A0}™®©ªº°¹²³·†‡\u{AD}‘“".chars().collect();
    for _ in shared("mixtures", 0..200_000) {
        let text: String = (0..rng.random_range(1..12))
            .map(|_| {
                let kind = [&letters, &letters, &signs, &meant, &others][rng.random_range(0..5)];
                kind[rng.random_range(0..kind.len())]
            })
            .collect();
        check_runs(&text);
    }
}

/// Characters beyond ASCII of all lengths, and those of damage.
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

/// Returns true if a character beyond ASCII follows another, whose signs are not all letters that
/// could be in a word: then the damage is no coincidence, whatever surrounds it.
fn is_surely_damage(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    chars.windows(2).any(|pair| {
        let mut bytes = [0; 4];
        let signs = &pair[0].encode_utf8(&mut bytes).as_bytes()[1..];
        // In windows-1252: Š, Œ, Ž, š, œ, ž and Ÿ.
        let letters = [0x8A, 0x8C, 0x8E, 0x9A, 0x9C, 0x9E, 0x9F];
        !pair[0].is_ascii() && !pair[1].is_ascii() && !signs.iter().all(|s| letters.contains(s))
    })
}

/// A text with characters beyond ASCII, however many, of which each could be a coincidence.
#[test]
fn control_characters_alone_are_no_damage() {
    for misread in BOTH {
        let text = "\u{80}A\u{80}\0\u{8d}a\u{80}";
        let twice = apply(text, misread);
        assert!(!is_surely_damage(text));
        assert_eq!(undo(&twice), twice, "{misread:?}");
        assert_eq!(revert(&twice, misread).as_deref(), Some(text), "{misread:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases((20_000 / share() as u32).max(64))
    })]

    /// Every damaged text is reverted. It is also undone, unless all of it may be a coincidence.
    #[test]
    fn the_inverse_is_exact(text in any_text(), misread in prop::sample::select(&BOTH[..])) {
        let twice = apply(&text, misread);
        prop_assert_eq!(&twice, &damaged(&text, misread));
        prop_assert_eq!(revert(&twice, misread), Some(text.clone()));
        let undone = undo(&twice);
        if is_surely_damage(&text) {
            prop_assert_eq!(&*undone, &*text);
        } else {
            prop_assert!(undone == text || undone == twice);
        }
    }

    /// Every guarantee for any text.
    #[test]
    fn nothing_else_is_changed(text in any_text()) {
        check_mojibake(&text);
    }
}
