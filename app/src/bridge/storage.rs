//! What web pages of sessions have kept, taken away when a session is gone.
#![expect(
    clippy::disallowed_methods,
    reason = "this is where the window's slow work is done, on a thread of its own"
)]

use std::fs;
use std::path::Path;

use wisp_engine::protocol::SessionId;

/// Takes away each session's folder in this one but for these sessions'. What can't be taken away now, because a
/// page that was just closed still writes, goes the next time. Links are not followed.
pub(super) fn sweep(folder: &Path, keep: &[SessionId]) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_kept = |session: &SessionId| name.to_str() == Some(session.as_str());
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder || keep.iter().any(is_kept) {
            continue;
        }
        if let Err(error) = fs::remove_dir_all(entry.path()) {
            tracing::warn!(%error, "what a deleted session's pages kept is still there");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_folders_of_sessions_that_are_gone_go() {
        let home = tempfile::tempdir().unwrap();
        let pages = home.path().join("pages");
        for name in ["kept", "gone"] {
            fs::create_dir_all(pages.join(name).join("cookies")).unwrap();
            fs::write(pages.join(name).join("cookies/a"), "a").unwrap();
        }
        fs::write(pages.join("a-file"), "").unwrap();
        sweep(&pages, &[SessionId::new("kept")]);
        assert!(pages.join("kept/cookies/a").is_file());
        assert!(!pages.join("gone").exists());
        assert!(pages.join("a-file").is_file());
        // Where there are no pages yet there is nothing to do.
        sweep(&home.path().join("none"), &[]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let home = tempfile::tempdir().unwrap();
        let (pages, other) = (home.path().join("pages"), home.path().join("other"));
        fs::create_dir_all(&pages).unwrap();
        fs::create_dir_all(&other).unwrap();
        fs::write(other.join("mine"), "").unwrap();
        std::os::unix::fs::symlink(&other, pages.join("gone")).unwrap();
        sweep(&pages, &[]);
        assert!(other.join("mine").is_file());
    }
}
