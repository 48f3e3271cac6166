//! Realistic texts: generated ones, and real ones where `UTFLANE_CORPUS` names a folder of them.

use std::path::Path;

/// The texts in the folder that `UTFLANE_CORPUS` names, with their names, in order: its files
/// `*.utf8.txt`. If it names none, prints that and returns `None`.
pub fn files() -> Option<Vec<(String, Vec<u8>)>> {
    let Some(folder) = std::env::var_os("UTFLANE_CORPUS") else {
        super::say("no real texts: UTFLANE_CORPUS names no folder of *.utf8.txt");
        return None;
    };
    let mut files = Vec::new();
    for entry in Path::new(&folder).read_dir().expect("UTFLANE_CORPUS: a folder") {
        let path = entry.expect("UTFLANE_CORPUS: a folder to be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".utf8.txt") {
            files.push((name, std::fs::read(&path).expect("a file to be read")));
        }
    }
    files.sort();
    assert!(!files.is_empty(), "UTFLANE_CORPUS: no file *.utf8.txt");
    Some(files)
}
