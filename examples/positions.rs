//! Positions for an editor or a language server: `cargo run --example positions`.
//!
//! Files are bytes. The Language Server Protocol, JavaScript and Java count UTF-16 units, Python
//! counts code points. Lines and columns are counted from zero.

use utflane::{Index, Metric, Position, utf8};

fn main() {
    let text = "let 😀 = 1;\nlet π = 3;".as_bytes();

    // One query: a scan at the speed of memory.
    let smile_end = utf8::offset_of(text, 6, Metric::Utf16);
    assert_eq!(smile_end, Some(8)); // 😀 has two UTF-16 units, and four bytes
    assert_eq!(utf8::index_of(text, 8, Metric::CodePoints), Some(5));

    // Many questions: an index with checkpoints, less than 1 % of the text.
    let index = Index::new(text);
    assert_eq!(index.lines(), 2);

    // A diagnostic at byte 20, after the π, as an editor wants it.
    let position = index.position_of(20, Metric::Utf16).expect("the text has that byte");
    println!("line {}, column {}", position.line, position.column);
    assert_eq!(position, Position { line: 1, column: 5 });

    // And a click, as the file has it.
    assert_eq!(index.offset_at(position, Metric::Utf16), Some(20));

    // Everything that a parser found, in one pass: sorted offsets become UTF-16 units.
    let mut tokens = [0, 4, 9, 11, 14, 18];
    let converted = utf8::convert_positions(text, Metric::Bytes, Metric::Utf16, &mut tokens);
    assert_eq!((converted, tokens), (Ok(()), [0, 4, 7, 9, 12, 16]));

    // Cut a text to at most 6 bytes, without cutting a character.
    let end = utf8::floor_boundary(text, 6);
    assert_eq!(utf8::from_utf8(&text[..end]), Ok("let "));
}
