//! Compiles `code_pages.txt` to Rust: the tables of each code page, and its public static. It runs
//! in `build.rs`.
//!
//! 1. Parse the pages. Rows that a page does not give are the rows of the page that it is like.
//! 2. Add the variants: `NAME-strict`, where the bytes of the line `strict` are unassigned, and for
//!    EBCDIC `NAME-lf`, where NEL and LF change places.
//! 3. Write the halves (128 bytes to characters) and the windows (128 characters to bytes). Equal
//!    ones are written once, for all pages.

use std::collections::BTreeMap;
use std::fmt::Write;

/// An unassigned byte: a noncharacter, so no page has it.
const UNASSIGNED: u16 = 0xFFFF;

/// A page as it is parsed.
#[derive(Clone, Default)]
struct Page {
    name: String,
    group: String,
    is_web: bool,
    labels: Vec<String>,
    strict: Vec<u8>,
    characters: Vec<u16>,
}

/// Arrays of 128 bytes that are written once each, with the names of their statics.
#[derive(Default)]
struct Arrays {
    names: BTreeMap<Vec<u8>, String>,
    text: String,
}

impl Arrays {
    /// Returns the name of the static with these bytes.
    fn name(&mut self, bytes: &[u8]) -> String {
        let next = format!("BYTES_{}", self.names.len());
        let name = self.names.entry(bytes.to_vec()).or_insert_with(|| {
            writeln!(self.text, "static {next}: Bytes = Bytes({bytes:?});").unwrap();
            next
        });
        name.clone()
    }
}

/// Returns the tables, for `tables::code_pages`, and the public statics, for `code_page`.
pub(crate) fn compile(text: &str) -> [String; 2] {
    let pages = with_variants(&parse(text));
    let mut arrays = Arrays::default();
    let (mut tables, mut statics) = (String::new(), String::new());
    for page in &pages {
        write_table(page, &pages, &mut arrays, &mut tables);
        let name = constant(&page.name);
        writeln!(
            statics,
            "/// {}: {}.\npub static {name}: CodePage = CodePage::new(&tables::{name});",
            page.name,
            describe(page)
        )
        .unwrap();
    }
    let names: Vec<_> = pages.iter().map(|page| constant(&page.name)).collect();
    writeln!(
        statics,
        "/// All code pages.\npub(super) static ALL: [&CodePage; {}] = [&{}];",
        names.len(),
        names.join(", &")
    )
    .unwrap();
    [arrays.text + &tables, statics]
}

/// Parses `code_pages.txt`.
fn parse(text: &str) -> Vec<Page> {
    let number = |digits: &str| u16::from_str_radix(digits, 16).expect("a hexadecimal number");
    let mut pages: Vec<Page> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<_> = line.split(' ').collect();
        if let ["page", name, "in", group, ref web @ ..] = words[..] {
            let (name, group) = (name.to_owned(), group.to_owned());
            pages.push(Page { name, group, is_web: web == ["web"], ..Page::default() });
            continue;
        }
        let (page, before) = pages.split_last_mut().expect("a page before its lines");
        match words[..] {
            ["labels", ref labels @ ..] => page.labels.extend(labels.iter().map(|&l| l.to_owned())),
            ["like", "bytes"] => page.characters = (0..256).collect(),
            ["like", name] => {
                let like = before.iter().find(|page| page.name == name).expect("an earlier page");
                page.characters.clone_from(&like.characters);
            }
            ["strict", ref bytes @ ..] => {
                page.strict = bytes.iter().map(|&byte| number(byte) as u8).collect();
            }
            [start, ref cells @ ..] => {
                let characters = cells.iter().map(|&cell| match cell {
                    "----" => UNASSIGNED,
                    digits => number(digits),
                });
                assert_eq!(cells.len(), 16, "{line}");
                let start = usize::from(number(start));
                page.characters.splice(start..start + 16, characters);
            }
            [] => {}
        }
    }
    pages
}

/// Returns the pages, each with its variants after it.
fn with_variants(pages: &[Page]) -> Vec<Page> {
    let mut all = Vec::new();
    for page in pages {
        all.push(page.clone());
        let variant = |suffix: &str| Page {
            name: format!("{}-{suffix}", page.name),
            labels: page.labels.iter().map(|label| format!("{label}{suffix}")).collect(),
            is_web: false,
            strict: Vec::new(),
            ..page.clone()
        };
        if !page.strict.is_empty() {
            let mut strict = variant("strict");
            for &byte in &page.strict {
                strict.characters[usize::from(byte)] = UNASSIGNED;
            }
            all.push(strict);
        }
        if page.group == "EBCDIC" {
            let mut exchanged = variant("lf");
            for character in &mut exchanged.characters {
                *character = match *character {
                    0x0A => 0x85,
                    0x85 => 0x0A,
                    other => other,
                };
            }
            all.push(exchanged);
        }
    }
    all
}

/// Returns the tables of the rows: `high_of_row`, `shift_of_row` and `exceptions`.
fn rows(page: &Page) -> [[u8; 16]; 3] {
    let mut tables = [[0; 16]; 3];
    for (r, row) in page.characters.chunks(16).enumerate() {
        let is_at = |first: u16, i| row[i] != UNASSIGNED && row[i] == first + i as u16;
        // The first character, if most characters of the row are in sequence.
        let firsts = row.iter().map(|c| c & 0xFFF0);
        let first = firsts.max_by_key(|&first| (0..16).filter(|&i| is_at(first, i)).count());
        let first = first.expect("16 characters");
        let [low, high] = first.to_le_bytes();
        let is_mixed = row.iter().any(|c| c.to_le_bytes()[1] != high);
        (tables[0][r], tables[1][r]) = (high, low.wrapping_sub(16 * r as u8) | u8::from(is_mixed));
        for i in (0..16).filter(|&i| r >= 8 && !is_at(first, i)) {
            tables[2][i] |= 1 << (r - 8);
        }
    }
    tables
}

/// Writes the table of a page.
fn write_table(page: &Page, all: &[Page], arrays: &mut Arrays, text: &mut String) {
    let is_ascii = (0..0x80).eq(page.characters[..0x80].iter().copied());
    let is_latin1_from =
        |first: u16| (first..0x100).eq(page.characters[usize::from(first)..].iter().copied());
    let latin1_max = match () {
        () if is_ascii && is_latin1_from(0x80) => 0xFF,
        () if is_ascii && is_latin1_from(0xA0) => 0xDF,
        () => 0x7F,
    };
    let mut halves = Vec::new();
    for half in page.characters.chunks(128) {
        let low: Vec<_> = half.iter().map(|c| c.to_le_bytes()[0]).collect();
        let high: Vec<_> = half.iter().map(|c| c.to_le_bytes()[1]).collect();
        halves.push(format!("[&{}, &{}]", arrays.name(&low), arrays.name(&high)));
    }
    let [high_of_row, shift_of_row, exceptions] = rows(page);
    // The characters of a window, by their block of 128.
    let mut windows: BTreeMap<u16, [u8; 128]> = BTreeMap::new();
    for (byte, &character) in page.characters.iter().enumerate() {
        if character != UNASSIGNED && !(is_ascii && character < 0x80) {
            let window = windows.entry(character >> 7).or_insert([0; 128]);
            let byte_of = &mut window[usize::from(character & 0x7F)];
            assert!(*byte_of == 0, "{}: two bytes for U+{character:04X}", page.name);
            *byte_of = byte as u8;
        }
    }
    let mut windows: Vec<_> = windows.into_iter().collect();
    // The first window is tried first.
    windows.sort_by_key(|(_, bytes)| bytes.iter().filter(|&&byte| byte == 0).count());
    let windows: Vec<_> = windows
        .iter()
        .map(|(block, bytes)| {
            format!("Window {{ block: {block}, bytes: &{} }}", arrays.name(bytes))
        })
        .collect();
    let variant = |suffix: &str| {
        let name = format!("{}-{suffix}", page.name);
        match all.iter().any(|other| other.name == name) {
            true => format!("Some(&{})", constant(&name)),
            false => "None".to_owned(),
        }
    };
    let is_total = !page.characters.contains(&UNASSIGNED);
    let Page { name, group, is_web, labels, .. } = page;
    writeln!(
        text,
        "pub(crate) static {}: Page = Page {{ name: {name:?}, group: {group:?}, \
        labels: &{labels:?}, is_web: {is_web}, is_ascii: {is_ascii}, \
        latin1_max: {latin1_max}, \
        is_total: {is_total}, halves: [{}], \
        high_of_row: {high_of_row:?}, shift_of_row: {shift_of_row:?}, exceptions: {exceptions:?}, \
        windows: &[{}], strict: {}, line_feeds: {} }};",
        constant(name),
        halves.join(", "),
        windows.join(", "),
        variant("strict"),
        variant("lf")
    )
    .unwrap();
}

/// Returns the name of a page as a Rust constant.
fn constant(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

/// Returns a page's description for the documentation.
fn describe(page: &Page) -> String {
    let base = match page.name.rsplit_once('-') {
        Some((base, "strict")) => {
            return format!("{base} without the control characters of the Encoding Standard");
        }
        Some((base, "lf")) => return format!("{base} with NEL and LF exchanged"),
        _ => &page.group,
    };
    let labels: Vec<_> = page.labels.iter().skip(1).take(4).map(|l| format!("`{l}`")).collect();
    let labels = if labels.is_empty() { String::new() } else { format!("; {}", labels.join(", ")) };
    let web = if page.is_web { ", in the Encoding Standard" } else { "" };
    format!("{base}{web}{labels}")
}
