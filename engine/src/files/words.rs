//! What is said when the system says no, or when something is not what a tool needs.

use std::fmt::Display;
use std::io;

use crate::protocol::ToolErrorKind;
use crate::toolkit::ToolError;

use super::{Kind, Stamp};

/// What a failed step leaves behind, said when nothing was changed.
pub(crate) const UNCHANGED: &str = "nothing was changed";

/// The system's error in words. `doing` starts the sentence, `kept` says what is as it was.
pub(crate) fn explain(error: &io::Error, doing: &str, kept: &str, path: impl Display) -> ToolError {
    use io::ErrorKind as E;
    let kind = match error.kind() {
        E::NotFound => ToolErrorKind::NotFound,
        E::AlreadyExists => ToolErrorKind::Exists,
        E::FileTooLarge => ToolErrorKind::TooLarge,
        E::CrossesDevices | E::Unsupported => ToolErrorKind::Unsupported,
        E::InvalidFilename => ToolErrorKind::BadArguments,
        _ => ToolErrorKind::Failed,
    };
    let cause = cause(error);
    ToolError::new(
        kind,
        format!("{doing} failed because {cause}; {kept}: {path}"),
    )
}

/// Why the system said no, after "because".
pub(crate) fn cause(error: &io::Error) -> String {
    use io::ErrorKind as E;
    match error.kind() {
        E::NotFound => "it is no longer there".to_owned(),
        E::AlreadyExists => "there is something already".to_owned(),
        E::PermissionDenied => "the system denies access".to_owned(),
        E::StorageFull => "the disk is full".to_owned(),
        E::QuotaExceeded => "the disk quota is used up".to_owned(),
        E::FileTooLarge => "the file would be too large for the system".to_owned(),
        E::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        E::CrossesDevices => "it lies on another device".to_owned(),
        E::InvalidFilename => "the file system takes no such name".to_owned(),
        _ => error.to_string(),
    }
}

/// [`explain`] for a step that only reads.
pub(crate) fn unreadable(error: &io::Error, path: impl Display) -> ToolError {
    explain(error, "Looking at it", UNCHANGED, path)
}

/// Nothing has this name.
pub(crate) fn not_there(path: impl Display) -> ToolError {
    ToolError::not_found(format!(
        "There is nothing at this path. Look with files_list: {path}"
    ))
}

/// Something is there already.
pub(crate) fn taken(path: impl Display) -> ToolError {
    ToolError::new(
        ToolErrorKind::Exists,
        format!("There is something at this path already, and it is never overwritten: {path}"),
    )
}

/// It is not what was looked at before.
pub(crate) fn changed(path: impl Display) -> ToolError {
    ToolError::conflict(format!(
        "This changed after the call was checked, so {UNCHANGED}. Look at it again, then make a new call: {path}"
    ))
}

/// There is more in a file than may be changed.
pub(crate) fn file_too_large(bytes: u64, most: usize, path: impl Display) -> ToolError {
    ToolError::too_large(format!(
        "The file has {bytes} bytes; {most} is the most that is changed or overwritten: {path}"
    ))
}

/// A symbolic link stands where a file or folder should.
pub(crate) fn link(path: impl Display) -> ToolError {
    ToolError::refused(format!("Symbolic links are not followed: {path}"))
}

/// A file has several names.
pub(crate) fn hard_link(path: impl Display) -> ToolError {
    ToolError::refused(format!(
        "This file has another name elsewhere (a hard link), so it is not touched: {path}"
    ))
}

/// A FIFO, socket or device.
pub(crate) fn special(path: impl Display) -> ToolError {
    ToolError::refused(format!(
        "This is a FIFO, a socket or a device; only files and folders can be used: {path}"
    ))
}

/// Nobody may write the file.
pub(crate) fn read_only(path: impl Display) -> ToolError {
    ToolError::refused(format!("The file is read-only and stays as it is: {path}"))
}

/// Refuses whatever is not a plain file with one name.
pub(crate) fn plain_file(stamp: &Stamp, path: impl Display) -> Result<(), ToolError> {
    match stamp.kind {
        Kind::File if stamp.is_hard_linked() => Err(hard_link(path)),
        Kind::File => Ok(()),
        Kind::Directory => Err(ToolError::bad_arguments(format!(
            "This is a folder, not a file. files_list shows what is in it: {path}"
        ))),
        Kind::Link => Err(link(path)),
        Kind::Other => Err(special(path)),
    }
}

/// Refuses whatever is not a folder.
pub(crate) fn folder(stamp: &Stamp, path: impl Display) -> Result<(), ToolError> {
    match stamp.kind {
        Kind::Directory => Ok(()),
        Kind::File => Err(ToolError::bad_arguments(format!(
            "This is a file, not a folder: {path}"
        ))),
        Kind::Link => Err(link(path)),
        Kind::Other => Err(special(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_and_missing_rights_say_what_was_kept() {
        use rustix::io::Errno;
        for (errno, word) in [
            (Errno::NOSPC, "disk is full"),
            (Errno::DQUOT, "quota"),
            (Errno::FBIG, "too large"),
            (Errno::ROFS, "read-only"),
            (Errno::ACCESS, "denies access"),
            (Errno::XDEV, "another device"),
        ] {
            let error = explain(&errno.into(), "Writing", "the file is unchanged", "a.txt");
            let ToolError::Model(failure) = error else {
                panic!()
            };
            assert!(failure.message.contains(word), "{}", failure.message);
            assert!(failure.message.ends_with("the file is unchanged: a.txt"));
        }
    }
}
