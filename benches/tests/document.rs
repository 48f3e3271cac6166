//! Checks that `docs/BENCHMARKS.md`, its charts and the README's table are generated from the
//! results in the repository.

use std::fs;
use std::path::Path;

use utflane_bench::{document, results};

#[test]
fn benchmarks_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = document::files(&root, &results::folder()).expect("the results can be read");
    for (path, text) in files {
        let found = fs::read_to_string(root.join(&path)).unwrap_or_default();
        assert!(found == text, "{}: run `cargo run -p utflane-bench --bin report`", path.display());
    }
}
