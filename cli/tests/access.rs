//! A file that is replaced keeps its access control list and attributes, and nobody gains access.
#![cfg(target_os = "linux")]

mod common;

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::{XattrFlags, getxattr, listxattr, removexattr, setxattr};
use rustix::io::Errno;

use common::{Run, print_notice, run, utflane};

const LIST: &str = "system.posix_acl_access";
const DEFAULT_LIST: &str = "system.posix_acl_default";
const NOBODY: u32 = 65534;
const USER: u32 = 1000;

/// Tags of entries, and the id of entries that name nobody.
const OWNER: u16 = 0x01;
const NAMED_USER: u16 = 0x02;
const OWNING_GROUP: u16 = 0x04;
const NAMED_GROUP: u16 = 0x08;
const MASK: u16 = 0x10;
const OTHER: u16 = 0x20;
const NONE: u32 = u32::MAX;

/// An access control list as an attribute.
fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(rights.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

/// `u:USER:rw, group::---, mask::rw-`.
fn one_named_user() -> Vec<u8> {
    list(&[
        (OWNER, 6, NONE),
        (NAMED_USER, 6, USER),
        (OWNING_GROUP, 0, NONE),
        (MASK, 6, NONE),
        (OTHER, 0, NONE),
    ])
}

/// Sets an attribute; false where the file system has none of this kind.
fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    match setxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(Errno::NOTSUP | Errno::PERM) => {
            print_notice(&format!("NOT TESTED: no attribute {name} here"));
            false
        }
        Err(error) => panic!("{error}"),
    }
}

fn get(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = Vec::with_capacity(1 << 16);
    getxattr(path, name, spare_capacity(&mut value)).ok().map(|_| value)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn convert_in_place(directory: &Path, name: &str) -> Run {
    run(directory, ["convert", "-q", "-f", "latin1", "-t", "utf-8", "-i", name])
}

#[test]
fn the_access_control_list_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    for entries in [
        one_named_user(),
        list(&[
            (OWNER, 7, NONE),
            (NAMED_USER, 0, USER),
            (OWNING_GROUP, 4, NONE),
            (NAMED_GROUP, 6, 2000),
            (MASK, 4, NONE),
            (OTHER, 4, NONE),
        ]),
    ] {
        for command in [
            &["convert", "-q", "-f", "latin1", "-t", "utf-8", "-i", "file"][..],
            &["convert", "-q", "-f", "latin1", "-t", "utf-8", "file", "-o", "file"],
            &["repair", "-q", "-i", "file"],
            &["repair", "-q", "file", "-o", "file"],
        ] {
            let text = if command[0] == "repair" { "fÃ¶rste".as_bytes() } else { b"f\xF6rste" };
            fs::write(&file, text).unwrap();
            if !set(&file, LIST, &entries) {
                return;
            }
            let before = (get(&file, LIST), mode(&file));
            run(directory.path(), command).assert(0, "", "");
            assert_eq!(fs::read_to_string(&file).unwrap(), "förste");
            assert_eq!((get(&file, LIST), mode(&file)), before, "{command:?}");
            fs::remove_file(&file).unwrap();
        }
    }
}

/// A new file would get the default list of the directory, with the old file's mode as its mask.
#[test]
fn a_default_list_lets_nobody_in() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, b"\xE9").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o660)).unwrap();
    let entries = [
        (OWNER, 7, NONE),
        (NAMED_USER, 7, USER),
        (OWNING_GROUP, 7, NONE),
        (MASK, 7, NONE),
        (OTHER, 7, NONE),
    ];
    if !set(directory.path(), DEFAULT_LIST, &list(&entries)) {
        return;
    }
    convert_in_place(directory.path(), "file").assert(0, "", "");
    assert_eq!(get(&file, LIST), None);
    assert_eq!(mode(&file), 0o660);
    // The file's list replaces the directory's list.
    fs::write(&file, b"\xE9").unwrap();
    set(&file, LIST, &one_named_user());
    convert_in_place(directory.path(), "file").assert(0, "", "");
    assert_eq!(get(&file, LIST), Some(one_named_user()));
    // A file with a new name gets the directory's list, like any new file.
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-16le", "file", "-o", "new"];
    run(directory.path(), arguments).assert(0, "", "");
    fs::write(directory.path().join("usual"), "").unwrap();
    let usual = directory.path().join("usual");
    let new = directory.path().join("new");
    assert_eq!((get(&new, LIST), mode(&new)), (get(&usual, LIST), mode(&usual)));
}

/// Without its group, a file keeps no list, and its mode has only the rights that everybody had.
#[test]
fn where_the_list_cannot_be_kept_the_mode_is_narrowed() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::set_permissions(directory, Permissions::from_mode(0o777)).unwrap();
    let file = directory.join("file");
    for (entries, want) in [
        (one_named_user(), 0o600),
        (
            list(&[
                (OWNER, 6, NONE),
                (NAMED_USER, 6, USER),
                (OWNING_GROUP, 4, NONE),
                (MASK, 6, NONE),
                (OTHER, 4, NONE),
            ]),
            0o644,
        ),
        (
            list(&[
                (OWNER, 6, NONE),
                (NAMED_USER, 0, USER),
                (OWNING_GROUP, 4, NONE),
                (MASK, 6, NONE),
                (OTHER, 4, NONE),
            ]),
            0o600,
        ),
    ] {
        let _ = fs::remove_file(&file);
        fs::write(&file, b"\xE9").unwrap();
        // The owner is no member of the group.
        match chown(&file, Some(NOBODY), Some(2000)) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return print_notice("NOT TESTED: only root can give files away");
            }
            done => done.unwrap(),
        }
        if !set(&file, LIST, &entries) {
            return;
        }
        let mut command = utflane(["convert", "-q", "-f", "latin1", "-t", "utf-8", "-i", "file"]);
        let Ok(output) = command.current_dir(directory).uid(NOBODY).gid(NOBODY).output() else {
            return print_notice("NOT TESTED: another user can't start the command");
        };
        Run::from(output).assert(0, "", "");
        assert_eq!((get(&file, LIST), mode(&file)), (None, want));
        assert_eq!(fs::metadata(&file).unwrap().gid(), NOBODY);
    }
}

/// User attributes are kept. Capabilities belong to the program that was overwritten.
#[test]
fn user_attributes_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, b"\xE9").unwrap();
    if !set(&file, "user.charset", b"latin1") || !set(&file, "user.empty", b"") {
        return;
    }
    let capability = [1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    set(&file, "security.capability", &capability);
    convert_in_place(directory.path(), "file").assert(0, "", "");
    assert_eq!(get(&file, "user.charset").as_deref(), Some(&b"latin1"[..]));
    assert_eq!(get(&file, "user.empty").as_deref(), Some(&b""[..]));
    assert_eq!(get(&file, "security.capability"), None);
    removexattr(&file, "user.charset").unwrap();
    removexattr(&file, "user.empty").unwrap();
    let mut names = Vec::with_capacity(1 << 16);
    listxattr(&file, spare_capacity(&mut names)).unwrap();
    assert!(!names.windows(5).any(|name| name == b"user."), "{names:?}");
}

#[test]
fn other_hard_links_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("file"), b"\xE9").unwrap();
    fs::hard_link(path.join("file"), path.join("link")).unwrap();
    let arguments = ["convert", "-f", "latin1", "-t", "utf-8", "-i", "file"];
    let note = "utflane: file: its other hard links keep the old text\n";
    run(path, arguments).assert(0, "", &format!("{note}utflane: 1 of 1 file converted\n"));
    assert_eq!(fs::read(path.join("link")).unwrap(), b"\xE9");
    assert_eq!(fs::read(path.join("file")).unwrap(), "é".as_bytes());
}

/// A bind mount can't be replaced by a rename.
#[test]
fn a_mounted_file_has_advice() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    fs::write(path.join("file"), b"\xE9").unwrap();
    fs::write(path.join("source"), b"\xE9").unwrap();
    let line = format!(
        "mount --bind source file || exit 99; exec {} convert -q -f latin1 -t utf-8 -i file",
        env!("CARGO_BIN_EXE_utflane")
    );
    let mut command = std::process::Command::new("unshare");
    let output = command.args(["-m", "sh", "-c", &line]).current_dir(path).output();
    let run = match output.map(Run::from) {
        Ok(run) if run.status == Some(2) && !run.err.contains("unshare") => run,
        other => return print_notice(&format!("NOT TESTED: no mounts here: {other:?}")),
    };
    assert!(
        run.err.starts_with("utflane: file: Device or resource busy: it is mounted"),
        "{}",
        run.err
    );
    assert_eq!(fs::read(path.join("source")).unwrap(), b"\xE9");
    assert_eq!(fs::read_dir(path).unwrap().count(), 2);
}
