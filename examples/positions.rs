//! Converts positions for an editor or a language server: `cargo run --example positions`.
//!
//! Offsets in files are in bytes. The Language Server Protocol, JavaScript and Java count UTF-16
//! units, Python counts code points. Lines and columns are counted from zero.

use utflane::{Index, Metric, Position, utf8};

fn main() {
    let text = "let 😀 = 1;\nlet π = 3;".as_bytes();

    // For one query, these functions scan the text, at the speed of memory.
    let emoji_end = utf8::offset_of(text, 6, Metric::Utf16);
    assert_eq!(emoji_end, Some(8)); // 😀 has two UTF-16 units, and four bytes
    assert_eq!(utf8::index_of(text, 8, Metric::CodePoints), Some(5));

    // For many queries, an index stores checkpoints. Its size is less than 1 % of the text.
    let index = Index::new(text);
    assert_eq!(index.lines(), 2);

    // Converts the offset of a diagnostic at byte 20, after the π, to a position for an editor.
    let position = index.position_of(20, Metric::Utf16).expect("the text has more than 20 bytes");
    println!("line {}, column {}", position.line, position.column);
    assert_eq!(position, Position { line: 1, column: 5 });

    // Converts the position of a mouse click to an offset in the file.
    assert_eq!(index.offset_at(position, Metric::Utf16), Some(20));

    // Converts all offsets that a parser found to UTF-16 indexes, in one pass. The offsets are
    // sorted.
    let mut token_starts = [0, 4, 9, 11, 14, 18];
    let converted = utf8::convert_positions(text, Metric::Bytes, Metric::Utf16, &mut token_starts);
    assert_eq!((converted, token_starts), (Ok(()), [0, 4, 7, 9, 12, 16]));

    // Shortens the text to at most 6 bytes, without splitting a character.
    let end = utf8::floor_boundary(text, 6);
    assert_eq!(utf8::from_utf8(&text[..end]), Ok("let "));
}
