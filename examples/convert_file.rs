//! Converts a file with a byte order mark to UTF-8: `cargo run --example convert_file`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use utflane::io::{Reader, Writer};
use utflane::{Repair, Scheme};

fn main() -> io::Result<()> {
    let folder = std::env::temp_dir().join(format!("utflane-example-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let (source_path, target_path) = (folder.join("old.txt"), folder.join("new.txt"));

    // Writes a file in UTF-16 with a byte order mark.
    let mut writer = Writer::new(File::create(&source_path)?, Scheme::Utf16Be).with_mark();
    writeln!(writer, "Ångström\n😀")?;
    writer.into_inner()?;
    assert!(fs::read(&source_path)?.starts_with(b"\xFE\xFF\0\xC5"));

    // Reads the file in the encoding that the byte order mark names. Without a mark, it would be
    // UTF-8.
    let mut reader =
        Reader::marked(File::open(&source_path)?, Scheme::Utf8).with_policy(Repair::REPLACE);
    let mut output = BufWriter::new(File::create(&target_path)?);
    while let Some(text) = reader.next_str()? {
        output.write_all(text.as_bytes())?;
    }
    output.flush()?;
    println!("converted from {:?}, {} repairs", reader.scheme(), reader.repairs());

    assert_eq!((reader.scheme(), reader.repairs()), (Some(Scheme::Utf16Be), 0));
    assert_eq!(fs::read_to_string(&target_path)?, "Ångström\n😀\n");
    fs::remove_dir_all(&folder)
}
