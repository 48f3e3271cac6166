//! Generated texts. The random numbers have fixed seeds, so every run measures and tests the same
//! texts.
//!
//! The texts have no meaning. They imitate the properties on which the speed of a transcoder
//! depends: the lengths of runs of one script, how often spaces, digits and markup interrupt them,
//! and how often a page changes its script.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A script: its letters, and how words and sentences are formed.
#[derive(Clone, Copy)]
pub struct Script {
    pub name: &'static str,
    /// Ranges of letters: the first letter, the last letter, and the share in percent.
    letters: &'static [(u32, u32, u32)],
    /// The minimum and the maximum number of letters in a word.
    word: (usize, usize),
    /// The separator between words.
    between: &'static str,
    /// The text at the end of a sentence.
    stop: &'static str,
}

/// The scripts, one for each kind of text that kernels treat differently.
pub const SCRIPTS: &[Script] = &[
    Script {
        name: "english",
        letters: &[(0x61, 0x7A, 100)],
        word: (1, 9),
        between: " ",
        stop: ". ",
    },
    Script {
        name: "french",
        letters: &[(0x61, 0x7A, 94), (0xE0, 0xFB, 6)],
        word: (1, 9),
        between: " ",
        stop: ". ",
    },
    Script {
        name: "vietnamese",
        letters: &[(0x61, 0x7A, 72), (0x1EA0, 0x1EF9, 18), (0xE0, 0xFD, 5), (0x110, 0x111, 5)],
        word: (2, 5),
        between: " ",
        stop: ". ",
    },
    Script {
        name: "russian",
        letters: &[(0x430, 0x44F, 100)],
        word: (1, 10),
        between: " ",
        stop: ". ",
    },
    Script {
        name: "greek",
        letters: &[(0x3B1, 0x3CE, 100)],
        word: (2, 10),
        between: " ",
        stop: ". ",
    },
    Script {
        name: "arabic",
        letters: &[(0x627, 0x64A, 100)],
        word: (2, 7),
        between: " ",
        stop: "، ",
    },
    Script {
        name: "hindi",
        letters: &[(0x904, 0x94D, 100)],
        word: (2, 7),
        between: " ",
        stop: "। ",
    },
    Script {
        name: "thai",
        letters: &[(0xE01, 0xE3A, 79), (0xE3F, 0xE4E, 21)],
        word: (8, 60),
        between: " ",
        stop: " ",
    },
    Script {
        name: "korean",
        letters: &[(0xAC00, 0xD7A3, 100)],
        word: (2, 5),
        between: " ",
        stop: ". ",
    },
    Script {
        name: "chinese",
        letters: &[(0x4E00, 0x9FA5, 100)],
        word: (4, 15),
        between: "，",
        stop: "。",
    },
    Script {
        name: "japanese",
        letters: &[(0x3041, 0x3096, 55), (0x30A1, 0x30F6, 15), (0x4E00, 0x9FA5, 30)],
        word: (5, 20),
        between: "、",
        stop: "。",
    },
    Script {
        name: "emoji",
        letters: &[(0x1F600, 0x1F64F, 100)],
        word: (4, 40),
        between: " ",
        stop: "\n",
    },
];

/// Appends a word to `out`.
fn push_word(script: &Script, rng: &mut StdRng, out: &mut String) {
    for _ in 0..rng.random_range(script.word.0..=script.word.1) {
        let mut percentile = rng.random_range(0..100);
        for &(first, last, percent) in script.letters {
            if percentile < percent {
                out.extend(char::from_u32(rng.random_range(first..=last)));
                break;
            }
            percentile -= percent;
        }
    }
}

/// Appends sentences of one script to `out`, about `bytes` bytes.
fn push_sentences(script: &Script, rng: &mut StdRng, bytes: usize, out: &mut String) {
    let end = out.len() + bytes;
    while out.len() < end {
        for i in 0..rng.random_range(4..20) {
            if i > 0 {
                out.push_str(if rng.random_range(0..12) == 0 { ", " } else { script.between });
            }
            match rng.random_range(0..40) {
                0 => out.push_str(&rng.random_range(0..3000).to_string()),
                _ => push_word(script, rng, out),
            }
        }
        out.push_str(script.stop);
    }
}

/// Returns a text of one script, about `bytes` bytes long.
pub fn uniform(script: &Script, seed: u64, bytes: usize) -> String {
    let mut out = String::new();
    push_sentences(script, &mut StdRng::seed_from_u64(seed), bytes, &mut out);
    out
}

/// Returns the text of a typical web page, about `bytes` bytes long. It has paragraphs of a few
/// hundred bytes, most of them in the script `main`, between ASCII markup; quotations in other
/// scripts; and sometimes an emoji.
pub fn page(main: &Script, seed: u64, bytes: usize) -> String {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut out = String::new();
    while out.len() < bytes {
        let script = match rng.random_range(0..8) {
            0 => &SCRIPTS[rng.random_range(0..SCRIPTS.len())],
            _ => main,
        };
        let id = rng.random_range(0..100_000);
        out.push_str(&format!("<p class=\"text-{}\" id=\"s{id}\">", rng.random_range(0..9)));
        let length = rng.random_range(60..500);
        push_sentences(script, &mut rng, length, &mut out);
        if rng.random_range(0..3) == 0 {
            out.push_str(&format!("<a href=\"/wiki/item?id={id}&amp;lang=en\">"));
            push_word(script, &mut rng, &mut out);
            out.push_str("</a>");
        }
        if rng.random_range(0..6) == 0 {
            out.extend(char::from_u32(rng.random_range(0x1F600..=0x1F64F)));
        }
        out.push_str("</p>\n");
    }
    out
}

/// The length of a block, in bytes.
const BLOCK_BYTES: usize = 64;

/// The mixed texts: the name of a script, the average length of its segments, and the average
/// length of the ASCII segments between them, both in blocks. The share of blocks that are not
/// ASCII is 0.1 to 0.9. ASCII blocks and other blocks alternate every two to five blocks, as in web
/// pages, manuals and JSON.
const MIXED: &[(&str, f64, f64)] = &[
    ("french", 1.0, 9.0),
    ("russian", 1.3, 3.0),
    ("chinese", 1.7, 2.2),
    ("hindi", 3.0, 1.6),
    ("japanese", 6.5, 1.1),
];

/// Returns a text in which segments of a script and ASCII markup alternate, about `bytes` bytes
/// long. `script_blocks` and `markup_blocks` are the average lengths of the segments, in blocks.
pub fn mixed(
    script: &Script,
    script_blocks: f64,
    markup_blocks: f64,
    seed: u64,
    bytes: usize,
) -> String {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut out = String::new();
    // A segment overlaps one block more than its length suggests, because it may begin inside a
    // block.
    let mut segment_len = |blocks: f64, more_bytes: usize| {
        (blocks * BLOCK_BYTES as f64 * rng.random_range(0.5..1.5)) as usize + more_bytes
    };
    let mut words = StdRng::seed_from_u64(seed + 1);
    while out.len() < bytes {
        let (start, end) = (out.len(), out.len() + segment_len(script_blocks - 1.0, 1));
        while out.len() < end || out[start..].is_ascii() {
            push_word(script, &mut words, &mut out);
            out.push(' ');
        }
        let end = out.len() + segment_len(markup_blocks, BLOCK_BYTES / 2);
        while out.len() < end {
            let id = words.random_range(0..100_000);
            out.push_str(&format!("</p><p class=\"text\" id=\"s{id}\">"));
        }
    }
    out
}

/// Returns short chat messages in English and French with emoji, about `bytes` bytes together.
pub fn chat(seed: u64, bytes: usize) -> String {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut out = String::new();
    while out.len() < bytes {
        let script = &SCRIPTS[usize::from(rng.random_range(0..4) == 0)];
        let length = rng.random_range(5..60);
        push_sentences(script, &mut rng, length, &mut out);
        for _ in 0..rng.random_range(0..3) {
            out.extend(char::from_u32(rng.random_range(0x1F600..=0x1F64F)));
        }
        out.push('\n');
    }
    out
}

/// Returns all generated texts with their names: a text and a page for each script (no page for
/// emoji), mixed texts, and chat messages. Each text is about `bytes` bytes long.
pub fn collection(bytes: usize) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (i, script) in SCRIPTS.iter().enumerate() {
        all.push((script.name.to_owned(), uniform(script, i as u64, bytes)));
    }
    for (i, script) in SCRIPTS.iter().enumerate() {
        if script.name != "emoji" {
            all.push((format!("{} page", script.name), page(script, 100 + i as u64, bytes)));
        }
    }
    for (i, &(name, script_blocks, markup_blocks)) in MIXED.iter().enumerate() {
        let script = SCRIPTS.iter().find(|script| script.name == name).expect("a listed script");
        let text = mixed(script, script_blocks, markup_blocks, 300 + i as u64, bytes);
        all.push((format!("{name} mixed"), text));
    }
    all.push(("chat".to_owned(), chat(200, bytes)));
    all
}
