//! Copies owner, group, mode, access control list and extended attributes from an old file to the
//! file that replaces it.
//!
//! Only a privileged process may give a file to another owner, and not every file system has access
//! control lists. If something can't be kept, the mode grants nobody more rights than the old file
//! did.

use std::fs::File;
use std::io;

/// Gives `file` the access rights and the attributes of `replaced`, the old file.
#[cfg(unix)]
pub(crate) fn copy(replaced: &File, file: &File) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let old = replaced.metadata()?;
    let list = attributes::read_list(replaced)?;
    attributes::copy_user_and_label(replaced, file);
    let (owner, group) = (old.uid(), old.gid());
    if fchown(file, Some(owner), Some(group)).is_err() {
        // The owner of a file may give it to another of the user's groups. The result is read from
        // the file.
        let _ = fchown(file, None, Some(group));
    }
    let new = file.metadata()?;
    let same_group = new.gid() == group;
    let old_rights = Rights::from_mode_and_list(old.mode(), list.as_deref());
    // The new file may have inherited a list from its directory. Setting the mode widens the mask
    // of this list, and would grant access to other users.
    attributes::remove_list(file)?;
    // A change of the owner clears the set-user-ID bit, so the mode is set afterwards.
    let mode = old_rights.kept_mode(new.uid() == owner, same_group);
    file.set_permissions(Permissions::from_mode(mode))?;
    if let Some(list) = list
        && same_group
    {
        // If the list can't be set, the file keeps the mode, which grants less than the list.
        attributes::set_list(file, &list);
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn copy(replaced: &File, file: &File) -> io::Result<()> {
    file.set_permissions(replaced.metadata()?.permissions())
}

/// The rights that a file grants.
#[cfg(unix)]
#[derive(Debug, PartialEq, Eq)]
struct Rights {
    /// The special bits and the owner's bits.
    owner: u32,
    /// The owning group's bits. They differ from the mode's group bits if there is an access
    /// control list.
    group: u32,
    other: u32,
    /// The bits that all users and groups named in the list have in common.
    named: u32,
}

#[cfg(unix)]
impl Rights {
    /// Returns the rights that a file grants by its `mode` and by its access control `list`, if it
    /// has a list.
    fn from_mode_and_list(mode: u32, list: Option<&[u8]>) -> Self {
        let (owner, group, other) = (mode & 0o7700, mode >> 3 & 0o7, mode & 0o7);
        let Some(list) = list else { return Self { owner, group, other, named: 0o7 } };
        // The group bits of the mode are the mask of the list. The mask limits all entries except
        // the entries of the owner and of the others.
        let mask = group;
        let mut rights = Self { owner, group: 0, other, named: 0o7 };
        for entry in acl::entries(list) {
            match entry.tag {
                acl::OWNING_GROUP => rights.group = entry.rights & mask,
                acl::NAMED_USER | acl::NAMED_GROUP => rights.named &= entry.rights & mask,
                _ => {}
            }
        }
        rights
    }

    /// Returns the mode for the new file, which has no list yet. Its owner or its group may differ
    /// from the old file's.
    fn kept_mode(&self, same_owner: bool, same_group: bool) -> u32 {
        // Without the list, the users that it named belong to the group or to the others.
        let (group, other) = (self.group & self.named, self.other & self.named);
        match (same_owner, same_group) {
            (true, true) => self.owner | group << 3 | other,
            (false, true) => self.owner & !0o6000 | group << 3 | other,
            (_, false) => {
                // Members of the new group were among the others before, and members of the old
                // group are among them now: neither gets more than both had.
                let both = group & other;
                self.owner & 0o1700 | both << 3 | both
            }
        }
    }
}

/// The format of a POSIX access control list in the attribute `system.posix_acl_access`.
#[cfg(unix)]
mod acl {
    pub(super) const NAMED_USER: u16 = 0x02;
    pub(super) const OWNING_GROUP: u16 = 0x04;
    pub(super) const NAMED_GROUP: u16 = 0x08;

    pub(super) struct Entry {
        pub(super) tag: u16,
        pub(super) rights: u32,
    }

    /// Returns the entries of a list. A list is a version of four bytes, followed by eight bytes
    /// for each entry.
    pub(super) fn entries(list: &[u8]) -> impl Iterator<Item = Entry> + '_ {
        list.get(4..).unwrap_or_default().as_chunks::<8>().0.iter().map(|entry| Entry {
            tag: u16::from_le_bytes([entry[0], entry[1]]),
            rights: u32::from(u16::from_le_bytes([entry[2], entry[3]])) & 0o7,
        })
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod attributes {
    use std::fs::File;
    use std::io;

    use rustix::buffer::spare_capacity;
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::Errno;

    /// The attribute that holds the access control list.
    const LIST_ATTRIBUTE: &str = "system.posix_acl_access";

    /// The kernel's limit for the value of one attribute, and for all attribute names of a file
    /// together, in bytes.
    const MAX_ATTRIBUTE_BYTES: usize = 64 * 1024;

    /// The attributes that hold labels of security modules, which decide who has access. This
    /// omits `security.capability`, which a write clears, and signatures of the contents.
    const LABELS: [&str; 2] = ["security.selinux", "security.SMACK64"];

    /// Returns the access control list of a file, if the file has one.
    pub(super) fn read_list(file: &File) -> io::Result<Option<Vec<u8>>> {
        let mut list = Vec::with_capacity(MAX_ATTRIBUTE_BYTES);
        match fgetxattr(file, LIST_ATTRIBUTE, spare_capacity(&mut list)) {
            Ok(_) => Ok(Some(list)),
            Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Sets the access control list. If this fails, the file has no list.
    pub(super) fn set_list(file: &File, list: &[u8]) {
        let _ = fsetxattr(file, LIST_ATTRIBUTE, list, XattrFlags::empty());
    }

    /// Removes the access control list, if the file has one.
    pub(super) fn remove_list(file: &File) -> io::Result<()> {
        match read_list(file)? {
            Some(_) => Ok(fremovexattr(file, LIST_ATTRIBUTE)?),
            None => Ok(()),
        }
    }

    /// Copies the attributes that users set, and the labels of security modules, if the system
    /// permits it.
    pub(super) fn copy_user_and_label(from: &File, to: &File) {
        let mut names = Vec::with_capacity(MAX_ATTRIBUTE_BYTES);
        if flistxattr(from, spare_capacity(&mut names)).is_err() {
            return;
        }
        for name in names.split(|&byte| byte == 0) {
            let is_label = LABELS.iter().any(|label| label.as_bytes() == name);
            if !is_label && !name.starts_with(b"user.") {
                continue;
            }
            let mut value = Vec::with_capacity(MAX_ATTRIBUTE_BYTES);
            if fgetxattr(from, name, spare_capacity(&mut value)).is_ok() {
                let _ = fsetxattr(to, name, &value, XattrFlags::empty());
            }
        }
    }
}

/// On other systems, neither lists nor attributes are kept.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
mod attributes {
    use std::fs::File;
    use std::io;

    pub(super) fn read_list(_: &File) -> io::Result<Option<Vec<u8>>> {
        Ok(None)
    }

    pub(super) fn set_list(_: &File, _: &[u8]) {}

    pub(super) fn remove_list(_: &File) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn copy_user_and_label(_: &File, _: &File) {}
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_kept_mode_gives_nobody_more_rights() {
        for (mode, same_owner, same_group, kept_mode) in [
            (0o106755, true, true, 0o6755),
            (0o106755, false, true, 0o755),
            (0o106755, true, false, 0o755),
            (0o106755, false, false, 0o755),
            (0o100660, true, false, 0o600),
            (0o100664, false, false, 0o644),
            (0o100604, true, false, 0o600),
            (0o102770, true, false, 0o700),
        ] {
            let rights = Rights::from_mode_and_list(mode, None);
            let found = rights.kept_mode(same_owner, same_group);
            assert_eq!(found, kept_mode, "{mode:o} {same_owner} {same_group}");
        }
    }

    /// The group gets the rights of its own entry, not of the mask. A user whom the list excluded
    /// by name stays excluded.
    #[test]
    fn the_kept_mode_gives_nobody_more_rights_than_the_list() {
        for (mode, entries, same_group, kept_mode) in [
            (0o100660, &[(1, 6), (2, 6), (4, 0), (0x10, 6), (0x20, 0)][..], true, 0o600),
            (0o100664, &[(1, 6), (2, 0), (4, 6), (0x10, 6), (0x20, 4)], true, 0o600),
            (0o100664, &[(1, 6), (2, 4), (4, 6), (0x10, 6), (0x20, 4)], true, 0o644),
            (0o100644, &[(1, 6), (4, 6), (8, 7), (0x10, 4), (0x20, 4)], true, 0o644),
            (0o100666, &[(1, 6), (4, 4), (8, 6), (0x10, 6), (0x20, 6)], false, 0o644),
            (0o100666, &[(1, 6), (4, 4), (8, 0), (0x10, 6), (0x20, 6)], false, 0o600),
        ] {
            let mut list = 2_u32.to_le_bytes().to_vec();
            for &(tag, rights) in entries {
                list.extend(u16::to_le_bytes(tag));
                list.extend(u16::to_le_bytes(rights));
                list.extend([0xFF; 4]);
            }
            let rights = Rights::from_mode_and_list(mode, Some(&list));
            assert_eq!(rights.kept_mode(true, same_group), kept_mode, "{mode:o} {entries:?}");
        }
    }
}
