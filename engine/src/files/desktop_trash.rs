//! The desktop's trash on Linux (Freedesktop trash specification 1.0), by a rename alone.
//!
//! Something goes into the trash by one rename or it stays. A trash on another disk could only be
//! reached by a copy and a deletion, which can end half done, so it is never used: where neither the
//! trash of the home nor one of the thing's own disk takes the rename, nothing is moved. That is why
//! this is not left to the `trash` crate, which copies and deletes when a disk's own trash says no.
//! The thing is named by the handle of its folder, so a folder that is swapped meanwhile doesn't
//! matter. It knows nothing of permission and of what the thing must be.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use cap_fs_ext::DirExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, MetadataExt, OpenOptions, OpenOptionsExt};
use jiff::ZonedDateTime;

use super::discard::Refusal;
use super::limits::NAME_BYTES;
use super::os::{self, Disk};
use super::{Place, Stamp, words};

/// Names that are tried in a trash: the first ones are readable, the last one is taken by nobody.
const NAMES_TRIED: u32 = 9;
/// What the name of a note ends in.
const NOTE_END: &str = ".trashinfo";
/// Rights of what is made here: nobody else's business.
const FOLDER_RIGHTS: u32 = 0o700;
const NOTE_RIGHTS: u32 = 0o600;
/// The bit of a shared trash that keeps people from each other's things.
const STICKY: u32 = 0o1000;

/// Where something could go.
#[derive(Debug, PartialEq, Eq)]
enum Can {
    /// The trash of the user's home.
    Home(PathBuf),
    /// The user's part of the trash that the disk's owner made for all, `.Trash/UID` at its top.
    Shared(PathBuf),
    /// The user's own trash on the disk, `.Trash-UID` at its top.
    Own(PathBuf),
}

/// Puts it into the trash. `folder` is the real path of the folder it is in.
pub(super) fn put(place: &Place, folder: &Path) -> Result<(), Refusal> {
    put_with(place, folder, data_home().as_deref())
}

/// The same with the home's data folder given.
pub(super) fn put_with(
    place: &Place,
    folder: &Path,
    data_home: Option<&Path>,
) -> Result<(), Refusal> {
    let disk = os::disk_of(&place.dir).map_err(|error| failed(&error))?;
    for can in cans(disk, folder, data_home) {
        let Ok(trash) = Trash::open(&can) else {
            continue;
        };
        match trash.take(place, &folder.join(&place.name)) {
            Ok(()) => return Ok(()),
            // The disk says what looks alone can't: a part of it that takes no renames from others.
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
            Err(error) => return Err(failed(&error)),
        }
    }
    Err(Refusal::unavailable())
}

/// Why the rename failed, in the words that files have for it.
fn failed(error: &io::Error) -> Refusal {
    Refusal::failed(words::cause(error))
}

/// `$XDG_DATA_HOME`, or what stands for it.
fn data_home() -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")))
}

/// Where something in this folder could go by a rename, the best one first. Only looks.
fn cans(disk: Disk, folder: &Path, data_home: Option<&Path>) -> Vec<Can> {
    let mut cans = Vec::new();
    if let Some(home) = data_home.map(|data| data.join("Trash"))
        && nearest_disk(&home) == Some(disk)
    {
        cans.push(Can::Home(home));
    }
    if let Some(top) = top_of(disk, folder) {
        if Dir::open_ambient_dir(&top, ambient_authority()).is_ok_and(|top| shared(&top).is_ok()) {
            cans.push(Can::Shared(top.clone()));
        }
        cans.push(Can::Own(top));
    }
    cans
}

/// The disk that a path is on, or will be once it exists.
fn nearest_disk(path: &Path) -> Option<Disk> {
    // A link that leads nowhere is no folder, and nothing is made in its place.
    path.ancestors()
        .find(|known| known.symlink_metadata().is_ok())
        .and_then(|known| os::disk_of_path(known).ok())
}

/// The folder that a disk begins with. None for a part of a disk with bounds of its own (a btrfs
/// subvolume): trashes are looked for where disks are mounted.
fn top_of(disk: Disk, folder: &Path) -> Option<PathBuf> {
    let mut top = folder;
    for above in folder.ancestors().skip(1) {
        match os::disk_of_path(above).ok()? {
            it if it == disk => top = above,
            it if it.is_same_mount(disk) => return None,
            _ => break,
        }
    }
    Some(top.to_owned())
}

/// The trash for all at the top of a disk, if it can be trusted: no link, and sticky.
fn shared(top: &Dir) -> io::Result<Dir> {
    let shared = top.open_dir_nofollow(".Trash")?;
    if Stamp::of(&shared.dir_metadata()?).rights() & STICKY == 0 {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    Ok(shared)
}

/// An open trash.
struct Trash {
    files: Dir,
    notes: Dir,
    /// Paths in notes are told from here; `None` tells them from the root.
    top: Option<PathBuf>,
}

impl Trash {
    /// Opens it; makes what is missing of it.
    fn open(can: &Can) -> io::Result<Self> {
        let uid = rustix::process::getuid().as_raw();
        let open_top = |top: &Path| Dir::open_ambient_dir(top, ambient_authority());
        let (root, top) = match can {
            Can::Home(home) => {
                use std::os::unix::fs::DirBuilderExt as _;
                std::fs::DirBuilder::new()
                    .recursive(true)
                    .mode(FOLDER_RIGHTS)
                    .create(home)?;
                (open_top(home)?, None)
            }
            Can::Shared(top) => {
                let root = made(&shared(&open_top(top)?)?, &uid.to_string())?;
                (root, Some(top.clone()))
            }
            Can::Own(top) => {
                let root = made(&open_top(top)?, &format!(".Trash-{uid}"))?;
                (root, Some(top.clone()))
            }
        };
        // Somebody else could have made it, to get what is thrown away.
        if root.dir_metadata()?.uid() != uid {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        Ok(Self {
            files: made(&root, "files")?,
            notes: made(&root, "info")?,
            top,
        })
    }

    /// Writes the note, which reserves the name, then renames.
    fn take(&self, place: &Place, path: &Path) -> io::Result<()> {
        let told = self
            .top
            .as_deref()
            .and_then(|top| path.strip_prefix(top).ok())
            .unwrap_or(path);
        let text = format!(
            "[Trash Info]\nPath={}\nDeletionDate={}\n",
            encoded(told.as_os_str()),
            ZonedDateTime::now().strftime("%Y-%m-%dT%H:%M:%S")
        );
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for number in 1..=NAMES_TRIED {
            let name = name_in_trash(&place.name, number);
            let note = format!("{name}{NOTE_END}");
            let done = self.write_note(&note, &text).and_then(|()| {
                os::rename_into(&place.dir, &place.name, &self.files, &name).inspect_err(|_| {
                    // A note without its thing is passed over by all who read the trash.
                    drop(self.notes.remove_file(&note));
                })
            });
            match done {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
                done => return done,
            }
        }
        Err(last)
    }

    fn write_note(&self, name: &str, text: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(NOTE_RIGHTS);
        let mut note = self.notes.open_with(name, &options)?;
        note.write_all(text.as_bytes())
            .and_then(|()| note.sync_all())
            .inspect_err(|_| drop(self.notes.remove_file(name)))
    }
}

/// A folder in another one, made if it is missing. No link is followed.
fn made(dir: &Dir, name: &str) -> io::Result<Dir> {
    let mut builder = DirBuilder::new();
    builder.mode(FOLDER_RIGHTS);
    match dir.create_dir_with(name, &builder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => dir.open_dir_nofollow(name),
    }
}

/// The name to try there, short enough for its note.
fn name_in_trash(name: &str, number: u32) -> String {
    let end = match number {
        1 => String::new(),
        NAMES_TRIED => format!(".{}", uuid::Uuid::now_v7().simple()),
        number => format!(".{number}"),
    };
    let room = NAME_BYTES - NOTE_END.len() - end.len();
    let start = name.get(..name.floor_char_boundary(room)).unwrap_or(name);
    format!("{start}{end}")
}

/// A path as a note has it: what is not plain in an address as `%` and two digits.
fn encoded(path: &OsStr) -> String {
    let mut text = String::new();
    for &byte in path.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            text.push(char::from(byte));
        } else if write!(text, "%{byte:02X}").is_err() {
            // Writing into a string can't fail.
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests;
