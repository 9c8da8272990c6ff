//! The system's dialog for a folder.

use std::sync::mpsc::SyncSender;

use wisp_engine::protocol::{Failure, FailureKind};

use super::jobs::Done;
use super::worker::Wake;

/// Asks for a folder. The dialog waits for the person, so it has a thread of its own, which says what was chosen.
pub(super) fn pick_folder(title: String, wake: Wake, done: SyncSender<Done>) -> Vec<Done> {
    let started = std::thread::Builder::new()
        .name("wisp-dialog".to_owned())
        .spawn(move || {
            let outcome = if can_ask() {
                Done::FolderPicked(rfd::FileDialog::new().set_title(title).pick_folder())
            } else {
                Done::NoDialog
            };
            if done.send(outcome).is_ok() {
                wake.wake();
            }
        });
    match started {
        Ok(_) => Vec::new(),
        Err(error) => vec![Done::Failed(Failure::new(
            FailureKind::Internal,
            format!("The dialog could not be opened ({error})."),
        ))],
    }
}

/// Whether a dialog can be shown. Where none can, the library that shows them gives the same as when the person
/// chooses nothing.
#[cfg(not(target_os = "linux"))]
fn can_ask() -> bool {
    true
}

/// The same: it is the desktop's portal that shows them, or the program zenity.
#[cfg(target_os = "linux")]
fn can_ask() -> bool {
    has_portal() || has_zenity()
}

/// Whether the desktop's portal has dialogs for files. It starts when it is asked; the one that is there without a
/// desktop to draw them doesn't have them.
#[cfg(target_os = "linux")]
fn has_portal() -> bool {
    let version = || {
        let bus = zbus::blocking::connection::Builder::session()?
            .method_timeout(PORTAL_DEADLINE)
            .build()?;
        let portal = zbus::blocking::Proxy::new(
            &bus,
            "org.freedesktop.portal.Desktop",
            "/org/freedesktop/portal/desktop",
            "org.freedesktop.portal.FileChooser",
        )?;
        portal.get_property::<u32>("version")
    };
    version()
        .inspect_err(|error| tracing::debug!(%error, "there is no portal with dialogs for files"))
        .is_ok()
}

/// How long the portal may take to start.
#[cfg(target_os = "linux")]
const PORTAL_DEADLINE: std::time::Duration = std::time::Duration::from_secs(10);

#[cfg(target_os = "linux")]
fn has_zenity() -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join("zenity").is_file())
    })
}
