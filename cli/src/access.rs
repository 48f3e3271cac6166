//! Owner, group, mode, access control list and extended attributes of a file that replaces another.
//!
//! Only a privileged process may give a file away, and not every file system has lists. Where
//! something can't be kept, the mode grants nobody more than the old file did.

use std::fs::File;
use std::io;

/// Gives `file` the access rights and the attributes of the file that it `replaces`.
#[cfg(unix)]
pub(crate) fn copy(replaced: &File, file: &File) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let old = replaced.metadata()?;
    let list = attributes::list(replaced)?;
    attributes::copy_user_and_label(replaced, file);
    let (owner, group) = (old.uid(), old.gid());
    if fchown(file, Some(owner), Some(group)).is_err() {
        // The owner of a file may give it to another of the user's groups. The result is read from
        // the file.
        let _ = fchown(file, None, Some(group));
    }
    let now = file.metadata()?;
    let same_group = now.gid() == group;
    let old_rights = Rights::of(old.mode(), list.as_deref());
    // A list that the directory gave to the new file would let others in when the mode widens its
    // mask.
    attributes::remove_list(file)?;
    // A change of the owner clears the set-user-ID bit, so the mode comes after it.
    let mode = old_rights.kept_mode(now.uid() == owner, same_group);
    file.set_permissions(Permissions::from_mode(mode))?;
    if let Some(list) = list
        && same_group
    {
        // Without the list, the mode stays, which is narrower.
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
    /// The bits that every user and group named in the list has.
    named: u32,
}

#[cfg(unix)]
impl Rights {
    /// The rights of a file of this mode with this access control list, if it has one.
    fn of(mode: u32, list: Option<&[u8]>) -> Self {
        let (owner, group, other) = (mode & 0o7700, mode >> 3 & 0o7, mode & 0o7);
        let Some(list) = list else { return Self { owner, group, other, named: 0o7 } };
        // The bits of the group in the mode are the mask, which limits all entries but the owner's
        // and the others'.
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

    /// The mode, without a list, of a file whose owner or group may be another one.
    fn kept_mode(&self, same_owner: bool, same_group: bool) -> u32 {
        // Who was named in the list is in the group or among the others now.
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

    /// The entries of a list: a version, and then eight bytes each.
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

    const LIST: &str = "system.posix_acl_access";

    /// The kernel's limit for the value of an attribute, and for all names of a file.
    const MAX_BYTES: usize = 64 * 1024;

    /// Labels of security modules, which decide who has access. Not `security.capability`, which a
    /// write clears, nor signatures of the contents.
    const LABELS: [&str; 2] = ["security.selinux", "security.SMACK64"];

    /// The access control list of a file, if it has one.
    pub(super) fn list(file: &File) -> io::Result<Option<Vec<u8>>> {
        let mut list = Vec::with_capacity(MAX_BYTES);
        match fgetxattr(file, LIST, spare_capacity(&mut list)) {
            Ok(_) => Ok(Some(list)),
            Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Sets the access control list. If this fails, the file has no list.
    pub(super) fn set_list(file: &File, list: &[u8]) {
        let _ = fsetxattr(file, LIST, list, XattrFlags::empty());
    }

    /// Removes the access control list, if the file has one.
    pub(super) fn remove_list(file: &File) -> io::Result<()> {
        match list(file)? {
            Some(_) => Ok(fremovexattr(file, LIST)?),
            None => Ok(()),
        }
    }

    /// Copies the attributes that users set, and the labels of security modules, as far as that is
    /// permitted.
    pub(super) fn copy_user_and_label(from: &File, to: &File) {
        let mut names = Vec::with_capacity(MAX_BYTES);
        if flistxattr(from, spare_capacity(&mut names)).is_err() {
            return;
        }
        for name in names.split(|&byte| byte == 0) {
            let is_label = LABELS.iter().any(|label| label.as_bytes() == name);
            if !is_label && !name.starts_with(b"user.") {
                continue;
            }
            let mut value = Vec::with_capacity(MAX_BYTES);
            if fgetxattr(from, name, spare_capacity(&mut value)).is_ok() {
                let _ = fsetxattr(to, name, &value, XattrFlags::empty());
            }
        }
    }
}

/// Elsewhere neither lists nor attributes are kept.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
mod attributes {
    use std::fs::File;
    use std::io;

    pub(super) fn list(_: &File) -> io::Result<Option<Vec<u8>>> {
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
    fn nobody_new_gets_more_than_before() {
        for (mode, owner, group, kept) in [
            (0o106755, true, true, 0o6755),
            (0o106755, false, true, 0o755),
            (0o106755, true, false, 0o755),
            (0o106755, false, false, 0o755),
            (0o100660, true, false, 0o600),
            (0o100664, false, false, 0o644),
            (0o100604, true, false, 0o600),
            (0o102770, true, false, 0o700),
        ] {
            let rights = Rights::of(mode, None);
            assert_eq!(rights.kept_mode(owner, group), kept, "{mode:o} {owner} {group}");
        }
    }

    /// The group's own entry counts, not the mask, and who was kept out by name stays out.
    #[test]
    fn nobody_gets_more_than_a_list_gave() {
        for (mode, entries, group, kept) in [
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
            let rights = Rights::of(mode, Some(&list));
            assert_eq!(rights.kept_mode(true, group), kept, "{mode:o} {entries:?}");
        }
    }
}
