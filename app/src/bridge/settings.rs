//! The settings as the worker reads and changes them.

use std::path::Path;

use wisp_engine::protocol::Failure;
use wisp_engine::{Change, KeyPlace, KeyStore, SettingValue, Settings, SettingsFile};

use crate::state::ModelInfo;
use crate::state::settings::{KeyInfo, SettingsInfo};

/// The variables of the environment that are above the file.
const VARIABLES: [&str; 5] = [
    "WISP_BASE_URL",
    "WISP_MODEL",
    "WISP_PROVIDER",
    "WISP_API_KEY",
    "WISP_IDLE_SECONDS",
];
/// The settings that are whole numbers.
const WHOLES: [&str; 5] = [
    "max_steps",
    "idle_seconds",
    "max_tries",
    "max_wait_seconds",
    "context_tokens",
];

/// The settings of a data folder, what the page shows of them, and what should be mended. Those that make no
/// sense are the usual ones, with the reason in [`SettingsInfo::broken`].
pub(super) fn read(home: &Path) -> (Settings, SettingsInfo, Vec<String>) {
    let (settings, warnings, broken) = match Settings::load(home) {
        Ok((settings, warnings)) => (settings, warnings, None),
        Err(failure) => (Settings::default(), Vec::new(), Some(failure)),
    };
    let info = SettingsInfo {
        revision: 0,
        base_url: settings.base_url.clone(),
        model: settings.model.clone(),
        provider: settings.provider.clone(),
        max_steps: settings.max_steps,
        idle_seconds: settings.idle_seconds,
        max_tries: settings.max_tries,
        key: key_info(home, &settings),
        needs_key: settings.needs_key(),
        host: settings.key_host(),
        fixed: VARIABLES.into_iter().filter(|name| is_set(name)).collect(),
        home: home.to_owned(),
        file: SettingsFile::of(home).path(),
        broken,
    };
    (settings, info, warnings)
}

/// Where the key comes from. The secret store is asked only where nothing above it holds the key.
fn key_info(home: &Path, settings: &Settings) -> KeyInfo {
    if settings.api_key.is_none() {
        return KeyInfo::None;
    }
    if is_set("WISP_API_KEY") {
        return KeyInfo::Environment;
    }
    if SettingsFile::of(home).has_key().unwrap_or(false) {
        return KeyInfo::SettingsFile;
    }
    let host = settings.key_host().unwrap_or_default();
    match KeyStore::of(home).read(&host) {
        Ok(Some((_, KeyPlace::File(path)))) => KeyInfo::File(path),
        _ => KeyInfo::SecretStore,
    }
}

fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| !value.trim().is_empty())
}

/// Changes settings in the file: key and new value; `None` takes the setting out.
pub(super) fn change(home: &Path, changes: Vec<(String, Option<String>)>) -> Result<(), Failure> {
    let changes: Vec<Change> = changes
        .into_iter()
        .map(|(key, value)| Change {
            value: value.map(|value| setting(&key, value)),
            key,
        })
        .collect();
    SettingsFile::of(home).change(&changes)
}

/// A value as its key takes it. One that is no number is left for the file to refuse.
fn setting(key: &str, value: String) -> SettingValue {
    match value.trim().parse::<u64>() {
        Ok(whole) if WHOLES.contains(&key) => SettingValue::Whole(whole),
        _ => SettingValue::Text(value),
    }
}

/// Keeps a key for the server of the settings; an empty one is forgotten. A key in the settings file, which
/// would stay above it, is taken out.
pub(super) fn set_key(home: &Path, key: &str) -> Result<(), Failure> {
    let (settings, _) = Settings::load(home)?;
    let keys = KeyStore::of(home);
    let host = settings.key_host().unwrap_or_default();
    if key.trim().is_empty() {
        keys.remove(&host)?;
    } else {
        keys.write(&host, key)?;
    }
    let file = SettingsFile::of(home);
    if file.has_key()? {
        file.change(&[Change::unset("api_key")])?;
    }
    Ok(())
}

/// What the window shows of the model that an engine runs on.
pub(super) fn model_info(settings: &Settings) -> ModelInfo {
    ModelInfo {
        name: settings.model.clone(),
        base_url: settings.base_url.clone(),
        provider: settings.provider.clone(),
        usable: settings.api_key.is_some() || !settings.needs_key(),
        context_tokens: settings.model_facts().context_tokens,
        max_steps: settings.max_steps,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_back_and_nonsense_is_refused_and_changes_nothing() {
        let home = tempfile::tempdir().unwrap();
        let set = |key: &str, value: Option<&str>| {
            change(
                home.path(),
                vec![(key.to_owned(), value.map(str::to_owned))],
            )
        };
        set("max_steps", Some("12")).unwrap();
        set("base_url", Some("http://127.0.0.1:9/v1")).unwrap();
        for (key, value) in [
            ("max_steps", "51"),
            ("max_steps", "many"),
            ("base_url", "x"),
        ] {
            assert!(set(key, Some(value)).is_err(), "{key} = {value}");
        }
        let (settings, info, _) = read(home.path());
        assert_eq!((settings.max_steps, info.max_steps), (12, 12));
        assert_eq!(info.host.as_deref(), Some("127.0.0.1:9"));
        assert!(info.is_usable(), "{info:?}");
        set("max_steps", None).unwrap();
        assert_eq!(read(home.path()).1.max_steps, wisp_engine::DEFAULT_STEPS);
    }

    #[test]
    fn a_new_key_takes_the_place_of_one_in_the_settings_file() {
        let home = tempfile::tempdir().unwrap();
        let file = SettingsFile::of(home.path());
        // The secret store is never asked for a server on this computer.
        file.change(&[
            Change::set("base_url", "http://127.0.0.1:9"),
            Change::set("api_key", "sk-old-key"),
        ])
        .unwrap();
        assert_eq!(read(home.path()).1.key, KeyInfo::SettingsFile);
        set_key(home.path(), "sk-new-key").unwrap();
        let (settings, info, _) = read(home.path());
        assert_eq!(settings.api_key.as_deref(), Some("sk-new-key"));
        assert!(matches!(info.key, KeyInfo::File(_)), "{info:?}");
        assert!(!format!("{info:?}").contains("sk-"));
        set_key(home.path(), "").unwrap();
        assert_eq!(read(home.path()).1.key, KeyInfo::None);
    }

    #[test]
    fn a_file_that_makes_no_sense_is_told_with_its_line() {
        let home = tempfile::tempdir().unwrap();
        let file = SettingsFile::of(home.path());
        file.change(&[Change::set("model", "m")]).unwrap();
        assert_eq!(read(home.path()).1.broken, None);
        #[expect(clippy::disallowed_methods, reason = "a person's slip in an editor")]
        std::fs::write(file.path(), "model = 'm'\n{{{").unwrap();
        let (settings, info, _) = read(home.path());
        assert_eq!(settings, Settings::default());
        let broken = info.broken.unwrap();
        assert!(broken.message.contains("line 2"), "{broken}");
    }
}
