//! The settings file as it is written, and the rules that hold for it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::protocol::{Failure, FailureKind};

/// The settings file's name in the data folder.
pub const SETTINGS_FILE: &str = "settings.toml";
/// The largest step budget that the settings may hold for Chat mode.
pub const MAX_STEPS: u32 = 50;
/// A settings file over this is no settings file, in bytes.
pub(super) const MAX_FILE_BYTES: u64 = 1_000_000;
/// A model with a smaller window could not even be told of its tools, in tokens.
const MIN_CONTEXT_TOKENS: u64 = 1_000;

/// The file's keys. Unknown ones are kept apart, to be told.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct File {
    pub(super) base_url: Option<String>,
    pub(super) api_key: Option<String>,
    pub(super) model: Option<String>,
    pub(super) provider: Option<String>,
    pub(super) max_steps: Option<u32>,
    pub(super) idle_seconds: Option<u64>,
    pub(super) max_tries: Option<u32>,
    pub(super) max_wait_seconds: Option<u64>,
    pub(super) context_tokens: Option<u64>,
    /// The window's own, which never keeps the program from starting.
    pub(super) window: Option<toml::Value>,
    #[serde(flatten)]
    pub(super) unknown: BTreeMap<String, toml::Value>,
}

impl File {
    /// Understands a file's text. `path` is for the message.
    pub(super) fn parse(text: &str, path: &Path) -> Result<Self, Failure> {
        toml::from_str(text).map_err(|error| {
            // Without the line itself, which may hold the key.
            let line = error.span().map_or(0, |span| line_at(text, span.start));
            wrong(format!(
                "The settings file can't be understood: line {line}: {}. It was left as it is: {}.",
                error.message(),
                path.display()
            ))
        })
    }

    /// The limits of what the file holds.
    pub(super) fn check(&self, path: &Path) -> Result<(), Failure> {
        if let Some(steps) = self.max_steps
            && !(1..=MAX_STEPS).contains(&steps)
        {
            return Err(wrong(format!(
                "The setting max_steps is {steps}; it takes 1 to {MAX_STEPS}: {}.",
                path.display()
            )));
        }
        if self.idle_seconds == Some(0) {
            return Err(wrong(
                "The setting idle_seconds is 0; it takes at least 1.".to_owned(),
            ));
        }
        if self.max_tries == Some(0) {
            return Err(wrong(
                "The setting max_tries is 0; it takes at least 1.".to_owned(),
            ));
        }
        if self
            .context_tokens
            .is_some_and(|tokens| tokens < MIN_CONTEXT_TOKENS)
        {
            return Err(wrong(format!(
                "The setting context_tokens is too small; it takes at least {MIN_CONTEXT_TOKENS}."
            )));
        }
        Ok(())
    }
}

/// The text of a settings file; `None` where there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| {
        wrong(format!(
            "The settings file can't be read ({error}): {}.",
            path.display()
        ))
    };
    match path.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
        Ok(file) if !file.is_file() => return Err(unreadable(&"it is no file")),
        Ok(file) if file.len() > MAX_FILE_BYTES => return Err(unreadable(&"it is too large")),
        Ok(_) => {}
    }
    std::fs::read_to_string(path)
        .map(Some)
        .map_err(|error| unreadable(&error))
}

/// The line that a byte stands in, counted from 1.
pub(super) fn line_at(text: &str, byte: usize) -> usize {
    1 + text
        .bytes()
        .take(byte)
        .filter(|byte| *byte == b'\n')
        .count()
}

/// A failure of the settings.
pub(super) fn wrong(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Settings, message)
}
