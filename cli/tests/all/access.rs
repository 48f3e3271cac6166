//! Tests that a replaced file keeps its access control list and attributes, and that nobody gains
//! access to it.
#![cfg(target_os = "linux")]

use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;

use rustix::buffer::spare_capacity;
use rustix::fs::{XattrFlags, getxattr, listxattr, removexattr, setxattr};
use rustix::io::Errno;

use crate::common::{Run, print_notice, run, utflane};

const ACL_ATTRIBUTE: &str = "system.posix_acl_access";
const DEFAULT_ACL_ATTRIBUTE: &str = "system.posix_acl_default";
const NOBODY: u32 = 65534;
const USER: u32 = 1000;

/// The tags of entries in an access control list.
const OWNER: u16 = 0x01;
const NAMED_USER: u16 = 0x02;
const OWNING_GROUP: u16 = 0x04;
const NAMED_GROUP: u16 = 0x08;
const MASK: u16 = 0x10;
const OTHER: u16 = 0x20;
/// The id in entries that name neither a user nor a group.
const NO_ID: u32 = u32::MAX;

/// Returns the value of the attribute that holds an access control list.
fn acl_value(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(rights.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

/// Returns the access control list `user::rw-,user:USER:rw-,group::---,mask::rw-,other::---`.
fn list_with_named_user() -> Vec<u8> {
    acl_value(&[
        (OWNER, 6, NO_ID),
        (NAMED_USER, 6, USER),
        (OWNING_GROUP, 0, NO_ID),
        (MASK, 6, NO_ID),
        (OTHER, 0, NO_ID),
    ])
}

/// Sets an attribute. Returns false if the file system does not support attributes of this kind.
fn set_attribute(path: &Path, name: &str, value: &[u8]) -> bool {
    match setxattr(path, name, value, XattrFlags::empty()) {
        Ok(()) => true,
        Err(Errno::NOTSUP | Errno::PERM) => {
            print_notice(&format!("NOT TESTED: no attribute {name} here"));
            false
        }
        Err(error) => panic!("{error}"),
    }
}

fn read_attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = Vec::with_capacity(1 << 16);
    getxattr(path, name, spare_capacity(&mut value)).ok().map(|_| value)
}

fn read_mode(path: &Path) -> u32 {
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
        list_with_named_user(),
        acl_value(&[
            (OWNER, 7, NO_ID),
            (NAMED_USER, 0, USER),
            (OWNING_GROUP, 4, NO_ID),
            (NAMED_GROUP, 6, 2000),
            (MASK, 4, NO_ID),
            (OTHER, 4, NO_ID),
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
            if !set_attribute(&file, ACL_ATTRIBUTE, &entries) {
                return;
            }
            let before = (read_attribute(&file, ACL_ATTRIBUTE), read_mode(&file));
            run(directory.path(), command).assert(0, "", "");
            assert_eq!(fs::read_to_string(&file).unwrap(), "förste");
            assert_eq!(
                (read_attribute(&file, ACL_ATTRIBUTE), read_mode(&file)),
                before,
                "{command:?}"
            );
            fs::remove_file(&file).unwrap();
        }
    }
}

/// A new file gets the default list of its directory. If the mode of the old file became the mask
/// of this list, the list would give access to the named user.
#[test]
fn a_default_list_gives_nobody_access() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, b"\xE9").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o660)).unwrap();
    let entries = [
        (OWNER, 7, NO_ID),
        (NAMED_USER, 7, USER),
        (OWNING_GROUP, 7, NO_ID),
        (MASK, 7, NO_ID),
        (OTHER, 7, NO_ID),
    ];
    if !set_attribute(directory.path(), DEFAULT_ACL_ATTRIBUTE, &acl_value(&entries)) {
        return;
    }
    convert_in_place(directory.path(), "file").assert(0, "", "");
    assert_eq!(read_attribute(&file, ACL_ATTRIBUTE), None);
    assert_eq!(read_mode(&file), 0o660);
    // The file's list replaces the directory's list.
    fs::write(&file, b"\xE9").unwrap();
    set_attribute(&file, ACL_ATTRIBUTE, &list_with_named_user());
    convert_in_place(directory.path(), "file").assert(0, "", "");
    assert_eq!(read_attribute(&file, ACL_ATTRIBUTE), Some(list_with_named_user()));
    // A file with a new name gets the directory's list, like any new file.
    let arguments = ["convert", "-f", "utf-8", "-t", "utf-16le", "file", "-o", "new"];
    run(directory.path(), arguments).assert(0, "", "");
    fs::write(directory.path().join("usual"), "").unwrap();
    let usual = directory.path().join("usual");
    let new = directory.path().join("new");
    assert_eq!(
        (read_attribute(&new, ACL_ATTRIBUTE), read_mode(&new)),
        (read_attribute(&usual, ACL_ATTRIBUTE), read_mode(&usual))
    );
}

/// A file that can't keep its group loses its list, and its mode has only the rights that everybody
/// had.
#[test]
fn the_mode_is_narrowed_if_the_list_cannot_be_kept() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::set_permissions(directory, Permissions::from_mode(0o777)).unwrap();
    let file = directory.join("file");
    for (entries, want) in [
        (list_with_named_user(), 0o600),
        (
            acl_value(&[
                (OWNER, 6, NO_ID),
                (NAMED_USER, 6, USER),
                (OWNING_GROUP, 4, NO_ID),
                (MASK, 6, NO_ID),
                (OTHER, 4, NO_ID),
            ]),
            0o644,
        ),
        (
            acl_value(&[
                (OWNER, 6, NO_ID),
                (NAMED_USER, 0, USER),
                (OWNING_GROUP, 4, NO_ID),
                (MASK, 6, NO_ID),
                (OTHER, 4, NO_ID),
            ]),
            0o600,
        ),
    ] {
        let _ = fs::remove_file(&file);
        fs::write(&file, b"\xE9").unwrap();
        // The owner is not a member of the group.
        match chown(&file, Some(NOBODY), Some(2000)) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return print_notice("NOT TESTED: only root can give files away");
            }
            result => result.unwrap(),
        }
        if !set_attribute(&file, ACL_ATTRIBUTE, &entries) {
            return;
        }
        let mut command = utflane(["convert", "-q", "-f", "latin1", "-t", "utf-8", "-i", "file"]);
        let Ok(output) = command.current_dir(directory).uid(NOBODY).gid(NOBODY).output() else {
            return print_notice("NOT TESTED: another user can't start the command");
        };
        Run::from(output).assert(0, "", "");
        assert_eq!((read_attribute(&file, ACL_ATTRIBUTE), read_mode(&file)), (None, want));
        assert_eq!(fs::metadata(&file).unwrap().gid(), NOBODY);
    }
}

/// User attributes are kept. Capabilities are dropped, because they belong to the program that was
/// overwritten.
#[test]
fn user_attributes_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, b"\xE9").unwrap();
    if !set_attribute(&file, "user.charset", b"latin1") || !set_attribute(&file, "user.empty", b"")
    {
        return;
    }
    let capability = [1, 0, 0, 2, 0, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    set_attribute(&file, "security.capability", &capability);
    convert_in_place(directory.path(), "file").assert(0, "", "");
    assert_eq!(read_attribute(&file, "user.charset").as_deref(), Some(&b"latin1"[..]));
    assert_eq!(read_attribute(&file, "user.empty").as_deref(), Some(&b""[..]));
    assert_eq!(read_attribute(&file, "security.capability"), None);
    removexattr(&file, "user.charset").unwrap();
    removexattr(&file, "user.empty").unwrap();
    let mut names = Vec::with_capacity(1 << 16);
    listxattr(&file, spare_capacity(&mut names)).unwrap();
    assert!(!names.windows(5).any(|name| name == b"user."), "{names:?}");
}

#[test]
fn a_note_mentions_other_hard_links() {
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
fn a_mounted_file_gets_advice() {
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
