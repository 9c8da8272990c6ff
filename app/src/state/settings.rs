//! The settings as the file and the environment have them: what the settings page shows and changes.

use std::path::PathBuf;

use wisp_engine::protocol::Failure;

/// The settings. In the simulation they are those of the real model still, which the simulation passes over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettingsInfo {
    /// Counts how often they were read, so that a page knows when its change has been looked at.
    pub revision: u64,
    /// Where the model server is.
    pub base_url: String,
    /// The model's name there.
    pub model: String,
    /// Which provider's rules hold; guessed from the host when absent.
    pub provider: Option<String>,
    /// Steps of a run.
    pub max_steps: u32,
    /// Seconds of silence after which a stream is given up.
    pub idle_seconds: u64,
    /// How often one request is sent at the most.
    pub max_tries: u32,
    /// Where the key for the server is kept.
    pub key: KeyInfo,
    /// Whether the server wants a key: one on this computer does not.
    pub needs_key: bool,
    /// The host that a key belongs to; `None` where the base URL makes no sense.
    pub host: Option<String>,
    /// The variables of the environment that are above the file.
    pub fixed: Vec<&'static str>,
    /// The data folder.
    pub home: PathBuf,
    /// The settings file, which need not be there.
    pub file: PathBuf,
    /// Why the file makes no sense.
    pub broken: Option<Failure>,
}

/// Where a key is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeyInfo {
    /// There is none.
    #[default]
    None,
    /// In the environment.
    Environment,
    /// In the settings file, by hand.
    SettingsFile,
    /// In the system's secret store.
    SecretStore,
    /// In this file, for its owner's eyes only.
    File(PathBuf),
}

impl SettingsInfo {
    /// Whether a model can be asked with them.
    pub fn is_usable(&self) -> bool {
        self.broken.is_none()
            && self.host.is_some()
            && (!self.needs_key || self.key != KeyInfo::None)
    }

    /// Whether this variable of the environment is above the file.
    pub fn is_fixed(&self, variable: &str) -> bool {
        self.fixed.contains(&variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_usable_with_a_key_or_on_this_computer() {
        let mut info = SettingsInfo {
            host: Some("api.example".to_owned()),
            needs_key: true,
            ..SettingsInfo::default()
        };
        assert!(!info.is_usable());
        info.key = KeyInfo::SecretStore;
        assert!(info.is_usable());
        (info.key, info.needs_key) = (KeyInfo::None, false);
        assert!(info.is_usable());
        info.host = None;
        assert!(!info.is_usable());
    }
}
