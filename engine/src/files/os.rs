//! The system calls that the handle library has no name for.
//!
//! Whatever calls Unix by hand is here, and in `desktop_trash` for Linux. What else takes Unix for
//! granted takes it from the handle library: `stamp` (device, inode, rights, owner), `open` (opening
//! without waiting) and `atomic` (the rights of a new file).

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::{Dir, File};
use rustix::fs::{Access, AtFlags, Gid, Mode, OFlags, RenameFlags, Uid};
use rustix::io::Errno;

use super::Stamp;

/// Whether the system or the file system has no such call. `EINVAL` is what a file system says that
/// doesn't know a flag.
fn is_missing(errno: Errno) -> bool {
    // The last two are one number on some systems.
    matches!(errno, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) || errno == Errno::OPNOTSUPP
}

/// Whether opening failed because a link, or something else that is no folder, stood there.
pub(crate) fn met_a_link(error: &io::Error) -> bool {
    [Errno::LOOP, Errno::NOTDIR]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// Gives a file another name, never over something. Where the system can't do that in one step: a
/// second name, which is never made over something either, then the first one goes.
pub(crate) fn rename_new(
    from: &Dir,
    old: &str,
    to: &Dir,
    new: &str,
    stamp: &Stamp,
) -> io::Result<()> {
    match rustix::fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        Err(errno) if is_missing(errno) => link_then_unlink(from, old, to, new, stamp),
        other => other.map_err(io::Error::from),
    }
}

fn link_then_unlink(from: &Dir, old: &str, to: &Dir, new: &str, stamp: &Stamp) -> io::Result<()> {
    rustix::fs::linkat(from, old, to, new, AtFlags::empty())?;
    let is_ours = |dir: &Dir, name: &str| {
        Stamp::look(dir, name).is_ok_and(|seen| seen.is_some_and(|seen| seen.id == stamp.id))
    };
    let gone = if is_ours(from, old) && is_ours(to, new) {
        rustix::fs::unlinkat(from, old, AtFlags::empty()).map_err(io::Error::from)
    } else {
        Err(io::Error::other(
            "another program changed the name meanwhile",
        ))
    };
    if gone.is_err() && is_ours(to, new) && is_ours(from, old) {
        // Both names are there and the old one can't go: take the new one back.
        rustix::fs::unlinkat(to, new, AtFlags::empty())?;
    }
    gone
}

/// Gives a file or folder another name in another folder, never over something and never by a copy.
/// Where the system can't look and rename in one step, the caller must have reserved the name.
#[cfg(target_os = "linux")]
pub(crate) fn rename_into(from: &Dir, old: &str, to: &Dir, new: &str) -> io::Result<()> {
    match rustix::fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        Err(errno) if is_missing(errno) => {
            if Stamp::look(to, new)?.is_some() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            rustix::fs::renameat(from, old, to, new).map_err(io::Error::from)
        }
        other => other.map_err(io::Error::from),
    }
}

/// What a rename stays within: the device, and the mount it is reached by.
#[cfg(target_os = "linux")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Disk {
    device: (u32, u32),
    /// Zero where the system doesn't tell.
    mount: u64,
}

#[cfg(target_os = "linux")]
impl Disk {
    /// Whether both are reached by one known mount.
    pub(crate) fn is_same_mount(self, other: Self) -> bool {
        self.mount != 0 && self.mount == other.mount
    }
}

/// The disk of an open folder.
#[cfg(target_os = "linux")]
pub(crate) fn disk_of(dir: &Dir) -> io::Result<Disk> {
    disk(dir, Path::new(""), AtFlags::EMPTY_PATH)
}

/// The disk that a path leads to.
#[cfg(target_os = "linux")]
pub(crate) fn disk_of_path(path: &Path) -> io::Result<Disk> {
    disk(rustix::fs::CWD, path, AtFlags::empty())
}

#[cfg(target_os = "linux")]
fn disk(dir: impl std::os::fd::AsFd, path: &Path, flags: AtFlags) -> io::Result<Disk> {
    use rustix::fs::StatxFlags;
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::MNT_ID;
    let told = rustix::fs::statx(dir, path, flags, wanted)?;
    let knows_mount = told.stx_mask & StatxFlags::MNT_ID.bits() != 0;
    Ok(Disk {
        device: (told.stx_dev_major, told.stx_dev_minor),
        mount: if knows_mount { told.stx_mnt_id } else { 0 },
    })
}

/// Lets two names in a folder change places; `false` where the system can't.
pub(crate) fn exchange(dir: &Dir, a: &str, b: &str) -> io::Result<bool> {
    match rustix::fs::renameat_with(dir, a, dir, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(errno) if is_missing(errno) => Ok(false),
        Err(errno) => Err(errno.into()),
    }
}

/// Makes the names in a folder last over a power cut. File systems that can't, and folders that may
/// not be read, are passed over: the change itself is done.
pub(crate) fn sync_dir(dir: &Dir) -> io::Result<()> {
    let opened = rustix::fs::openat(
        dir,
        ".",
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    );
    match opened.and_then(rustix::fs::fsync) {
        Ok(()) | Err(Errno::ACCESS | Errno::BADF | Errno::PERM) => Ok(()),
        Err(errno) if is_missing(errno) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// Whether this process may write what has the name.
pub(crate) fn check_writable(dir: &Dir, name: &str) -> io::Result<()> {
    rustix::fs::accessat(dir, name, Access::WRITE_OK, AtFlags::EACCESS).map_err(io::Error::from)
}

/// Gives a new file the rights of the one it replaces, and its owner where that is possible.
pub(crate) fn copy_rights(file: &File, old: &Stamp) -> io::Result<()> {
    let new = Stamp::of(&file.metadata()?);
    if new.owner != old.owner {
        let (uid, gid) = (Uid::from_raw(old.owner.0), Gid::from_raw(old.owner.1));
        if rustix::fs::fchown(file, Some(uid), Some(gid)).is_err() {
            // Only root may give files away; the group may still be one of ours.
            let _group_kept = rustix::fs::fchown(file, None, Some(gid)).is_ok();
        }
    }
    rustix::fs::fchmod(file, mode(old))?;
    Ok(())
}

/// Gives a new folder the rights of the one it stands for.
pub(crate) fn copy_folder_rights(dir: &Dir, old: &Stamp) -> io::Result<()> {
    let handle = rustix::fs::openat(
        dir,
        ".",
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    rustix::fs::fchmod(handle, mode(old))?;
    Ok(())
}

fn mode(stamp: &Stamp) -> Mode {
    Mode::from_bits_truncate(stamp.rights())
}

/// A path to an open folder, for programs that take nothing but paths; `None` where the system has none.
pub(crate) fn path_of(dir: &Dir) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    let path = PathBuf::from(format!("/proc/self/fd/{}", dir.as_raw_fd()));
    path.exists().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cap_std::ambient_authority;

    #[test]
    fn without_an_exclusive_rename_a_second_name_does_it() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(folder.path(), ambient_authority()).unwrap();
        dir.write("a", "a").unwrap();
        dir.write("b", "b").unwrap();
        let stamp = |name: &str| Stamp::look(&dir, name).unwrap().unwrap();
        let error = link_then_unlink(&dir, "a", &dir, "b", &stamp("a")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(dir.read("b").unwrap(), b"b");
        link_then_unlink(&dir, "a", &dir, "c", &stamp("a")).unwrap();
        assert!(!dir.exists("a"));
        assert_eq!(dir.read("c").unwrap(), b"a");
        // Another file under the old name is never removed.
        assert!(link_then_unlink(&dir, "b", &dir, "d", &stamp("c")).is_err());
        assert_eq!(dir.read("b").unwrap(), b"b");
    }
}
