//! Real texts, read from the folder that `UTFLANE_CORPUS` names.

use std::path::Path;

/// Returns the names and the contents of the files `*.utf8.txt` in the folder that `UTFLANE_CORPUS`
/// names, sorted by name. If the variable is not set, prints a message and returns `None`.
pub fn files() -> Option<Vec<(String, Vec<u8>)>> {
    let Some(folder) = std::env::var_os("UTFLANE_CORPUS") else {
        super::say("real texts are not tested: UTFLANE_CORPUS is not set");
        return None;
    };
    let mut files = Vec::new();
    let folder = Path::new(&folder);
    for entry in folder.read_dir().expect("UTFLANE_CORPUS names a readable folder") {
        let path = entry.expect("the folder in UTFLANE_CORPUS is readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".utf8.txt") {
            files.push((name, std::fs::read(&path).expect("the text is readable")));
        }
    }
    files.sort();
    assert!(!files.is_empty(), "the folder in UTFLANE_CORPUS has no files *.utf8.txt");
    Some(files)
}
