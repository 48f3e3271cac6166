use super::*;

/// Begins to replace a file by another text, lets `meanwhile` change it, and commits.
fn replace(meanwhile: impl FnOnce(&Path)) -> (tempfile::TempDir, Vec<(usize, io::Error)>) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, "old text").unwrap();
    let input = Identity::from_metadata(&fs::metadata(&path).unwrap());
    let Target::File(mut replacement) =
        Replacement::begin(path.clone(), input, &ReplaceOptions::default()).unwrap()
    else {
        panic!("a regular file");
    };
    replacement.write_all(b"new").unwrap();
    assert!(replacement.finish().unwrap());
    let mut group = Group::default();
    group.add(replacement.complete(7).unwrap().unwrap());
    meanwhile(&path);
    let failures = group.commit();
    (directory, failures)
}

#[test]
fn a_file_that_nobody_changes_is_replaced() {
    let (directory, failures) = replace(|_| {});
    assert!(failures.is_empty());
    assert_eq!(fs::read(directory.path().join("file")).unwrap(), b"new");
}

/// What another program does to a file.
type Change = fn(&Path);

/// What another program has written is never lost.
#[test]
fn a_file_that_is_changed_in_the_meantime_is_kept() {
    let changes: [(&str, Change); 4] = [
        ("written", |path| fs::write(path, "text of another program").unwrap()),
        ("replaced", |path| {
            let other = path.with_extension("other");
            fs::write(&other, "old text").unwrap();
            fs::rename(other, path).unwrap();
        }),
        ("moved", |path| fs::rename(path, path.with_extension("moved")).unwrap()),
        ("deleted", |path| fs::remove_file(path).unwrap()),
    ];
    for (what, change) in changes {
        let mut before = None;
        let (directory, failures) = replace(|path| {
            change(path);
            before = fs::read(path).ok();
        });
        assert_eq!(failures.len(), 1, "{what}");
        assert_eq!((failures[0].0, failures[0].1.to_string()), (7, CHANGED.into()), "{what}");
        assert_eq!(fs::read(directory.path().join("file")).ok(), before, "{what}");
    }
}
