//! The words a session opens with for the model. They never change during it, so that the provider's
//! prefix cache keeps hitting: no time, no list of files, nothing that differs from request to request.

use std::path::Path;

use crate::protocol::Mode;

/// The system prompt of a session.
pub(crate) fn system(mode: Mode, folder: Option<&Path>) -> String {
    let mut prompt = match mode {
        Mode::Chat => include_str!("../../../assets/prompts/chat.md"),
    }
    .trim_end()
    .to_owned();
    prompt.push_str("\n\n");
    match folder {
        Some(folder) => {
            prompt.push_str("The session's folder is named ");
            let name = folder.file_name().unwrap_or(folder.as_os_str());
            prompt.push_str(&name.to_string_lossy());
            prompt.push_str(". All paths are relative to it.");
        }
        None => prompt.push_str("This session has no folder, so there are no file tools."),
    }
    prompt
}
