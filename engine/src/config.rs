//! Settings: the file in the data folder, and the environment above it.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of the settings file"
)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use directories::ProjectDirs;
use serde::Deserialize;

use crate::models::{DEFAULT_IDLE, ModelSettings, RetryPolicy};
use crate::protocol::{Failure, FailureKind};

/// The settings file's name in the data folder.
pub const SETTINGS_FILE: &str = "settings.toml";
/// Steps of a run in Chat mode, unless set otherwise.
pub const DEFAULT_STEPS: u32 = 8;
/// The largest step budget that the settings may hold for Chat mode.
pub const MAX_STEPS: u32 = 50;
/// A settings file over this is no settings file, in bytes.
const MAX_FILE_BYTES: u64 = 1_000_000;

/// DeepSeek's own server and model, where nothing else is set.
const DEFAULT_BASE_URL: &str = "https://api.deepseek.com";
const DEFAULT_MODEL: &str = "deepseek-chat";

/// What the engine runs with.
#[derive(Clone, PartialEq, Eq)]
pub struct Settings {
    /// Where the model server is, up to before `/chat/completions`.
    pub base_url: String,
    /// The key for it. A loopback server needs none.
    pub api_key: Option<String>,
    /// The model's name there.
    pub model: String,
    /// Which provider's rules hold; guessed from the host when absent.
    pub provider: Option<String>,
    /// Steps of a run, 1 to [`MAX_STEPS`].
    pub max_steps: u32,
    /// Seconds without output after which a stream is given up; at least 1.
    pub idle_seconds: u64,
    /// How often one model request is sent at the most; at least 1.
    pub max_tries: u32,
    /// Seconds that all waits between the tries of one request may take together.
    pub max_wait_seconds: u64,
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings")
            .field("base_url", &self.base_url)
            .field("api_key", &self.api_key.as_ref().map(|_| "[key]"))
            .field("model", &self.model)
            .field("provider", &self.provider)
            .field("max_steps", &self.max_steps)
            .field("idle_seconds", &self.idle_seconds)
            .field("max_tries", &self.max_tries)
            .field("max_wait_seconds", &self.max_wait_seconds)
            .finish()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            base_url: DEFAULT_BASE_URL.to_owned(),
            api_key: None,
            model: DEFAULT_MODEL.to_owned(),
            provider: None,
            max_steps: DEFAULT_STEPS,
            idle_seconds: DEFAULT_IDLE.as_secs(),
            max_tries: RetryPolicy::default().max_tries,
            max_wait_seconds: RetryPolicy::default().max_wait.as_secs(),
        }
    }
}

/// The file as it is written. Unknown keys are kept apart, to be told.
#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    base_url: Option<String>,
    api_key: Option<String>,
    model: Option<String>,
    provider: Option<String>,
    max_steps: Option<u32>,
    idle_seconds: Option<u64>,
    max_tries: Option<u32>,
    max_wait_seconds: Option<u64>,
    #[serde(flatten)]
    unknown: std::collections::BTreeMap<String, toml::Value>,
}

impl Settings {
    /// Reads the settings file of a data folder, if there is one, and the environment above it. Gives
    /// the settings and warnings for the person. The file is never changed.
    pub fn load(home: &Path) -> Result<(Self, Vec<String>), Failure> {
        Self::load_with(home, |name| match std::env::var(name) {
            Ok(value) => Ok(Some(value).filter(|value| !value.trim().is_empty())),
            Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => Err(wrong(format!("{name} is not UTF-8."))),
        })
    }

    fn load_with(
        home: &Path,
        env: impl Fn(&str) -> Result<Option<String>, Failure>,
    ) -> Result<(Self, Vec<String>), Failure> {
        let path = home.join(SETTINGS_FILE);
        let mut warnings = Vec::new();
        let file = match read(&path)? {
            None => File::default(),
            Some(text) => {
                let file: File = toml::from_str(&text).map_err(|error| {
                    // Without the line itself, which may hold the key.
                    let line = error.span().map_or(0, |span| line_at(&text, span.start));
                    wrong(format!(
                        "The settings file can't be understood: line {line}: {}. It was left as it is: {}.",
                        error.message(),
                        path.display()
                    ))
                })?;
                if file.api_key.is_some() {
                    warnings.extend(open_to_others(&path));
                }
                for key in file.unknown.keys() {
                    warnings.push(format!(
                        "The setting `{key}` is unknown and was passed over: {}",
                        path.display()
                    ));
                }
                file
            }
        };
        let idle = match env("WISP_IDLE_SECONDS")? {
            None => file.idle_seconds,
            Some(text) => Some(text.trim().parse().map_err(|_| {
                wrong(format!(
                    "WISP_IDLE_SECONDS is no whole number of seconds: {text}."
                ))
            })?),
        };
        let defaults = Self::default();
        let settings = Self {
            base_url: env("WISP_BASE_URL")?
                .or(file.base_url)
                .unwrap_or(defaults.base_url),
            api_key: env("WISP_API_KEY")?.or(file.api_key),
            model: env("WISP_MODEL")?.or(file.model).unwrap_or(defaults.model),
            provider: env("WISP_PROVIDER")?.or(file.provider),
            max_steps: file.max_steps.unwrap_or(defaults.max_steps),
            idle_seconds: idle.unwrap_or(defaults.idle_seconds),
            max_tries: file.max_tries.unwrap_or(defaults.max_tries),
            max_wait_seconds: file.max_wait_seconds.unwrap_or(defaults.max_wait_seconds),
        };
        if !(1..=MAX_STEPS).contains(&settings.max_steps) {
            return Err(wrong(format!(
                "The setting max_steps is {}; it takes 1 to {MAX_STEPS}: {}.",
                settings.max_steps,
                path.display()
            )));
        }
        if settings.idle_seconds == 0 {
            return Err(wrong(
                "The idle limit is 0 seconds; it takes at least 1.".to_owned(),
            ));
        }
        if settings.max_tries == 0 {
            return Err(wrong(
                "The setting max_tries is 0; it takes at least 1.".to_owned(),
            ));
        }
        Ok((settings, warnings))
    }

    /// What the model's client is made from.
    pub(crate) fn model_settings(&self) -> ModelSettings {
        let usual = ModelSettings::new(
            self.base_url.clone(),
            self.api_key.clone(),
            self.model.clone(),
        );
        ModelSettings {
            provider: self.provider.clone(),
            idle: Duration::from_secs(self.idle_seconds),
            retry: RetryPolicy {
                max_tries: self.max_tries,
                max_wait: Duration::from_secs(self.max_wait_seconds),
                ..usual.retry
            },
            ..usual
        }
    }
}

/// The program's data folder: `WISP_HOME`, else the system's place for it.
pub fn home() -> Result<PathBuf, Failure> {
    if let Some(home) = std::env::var_os("WISP_HOME").filter(|home| !home.is_empty()) {
        return std::path::absolute(&home)
            .map_err(|error| wrong(format!("WISP_HOME makes no path ({error}).")));
    }
    ProjectDirs::from("", "", "wisp")
        .map(|dirs| dirs.data_dir().to_owned())
        .ok_or_else(|| wrong("This system names no home folder; set WISP_HOME.".to_owned()))
}

/// The line that a byte stands in, counted from 1.
fn line_at(text: &str, byte: usize) -> usize {
    1 + text
        .bytes()
        .take(byte)
        .filter(|byte| *byte == b'\n')
        .count()
}

fn read(path: &Path) -> Result<Option<String>, Failure> {
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

#[cfg(unix)]
fn open_to_others(path: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let mode = path.metadata().ok()?.permissions().mode();
    (mode & 0o077 != 0).then(|| {
        format!("Other users can read the key in the settings file; make it yours alone with chmod 600: {}", path.display())
    })
}

#[cfg(not(unix))]
fn open_to_others(_path: &Path) -> Option<String> {
    None
}

fn wrong(message: String) -> Failure {
    Failure::new(FailureKind::Settings, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(file: Option<&str>, env: &[(&str, &str)]) -> Result<(Settings, Vec<String>), Failure> {
        let home = tempfile::tempdir().unwrap();
        if let Some(text) = file {
            std::fs::write(home.path().join(SETTINGS_FILE), text).unwrap();
        }
        Settings::load_with(home.path(), |name| {
            let value = env.iter().find(|(key, _)| *key == name);
            Ok(value.map(|(_, value)| (*value).to_owned()))
        })
    }

    #[test]
    fn the_environment_is_above_the_file_and_the_file_above_the_defaults() {
        let (settings, _) = load(None, &[]).unwrap();
        assert_eq!(settings, Settings::default());
        let text = "base_url = 'http://a'\nmodel = 'm'\nmax_steps = 50\n";
        let (settings, warnings) = load(
            Some(text),
            &[("WISP_MODEL", "n"), ("WISP_IDLE_SECONDS", "7")],
        )
        .unwrap();
        assert_eq!(
            (settings.base_url.as_str(), settings.model.as_str()),
            ("http://a", "n")
        );
        assert_eq!((settings.max_steps, settings.idle_seconds), (50, 7));
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn nonsense_is_said_and_limits_hold_on_both_sides() {
        for text in [
            "max_steps = 0",
            "max_steps = 51",
            "max_steps = 'x'",
            "{{{",
            "idle_seconds = 0",
            "max_tries = 0",
        ] {
            assert_eq!(
                load(Some(text), &[]).unwrap_err().kind,
                FailureKind::Settings,
                "{text}"
            );
        }
        for text in [
            "api_key = 'sk-secret\nmodel = 1",
            "model = 'm'\napi_key = sk-secret",
            "api_key = ['sk-secret']",
        ] {
            let failure = load(Some(text), &[]).unwrap_err();
            assert!(!failure.message.contains("sk-secret"), "{failure}");
            assert!(failure.message.contains("line "), "{failure}");
        }
        assert_eq!(load(Some("max_steps = 1"), &[]).unwrap().0.max_steps, 1);
        assert!(load(None, &[("WISP_IDLE_SECONDS", "soon")]).is_err());
        let (_, warnings) = load(Some("colour = 'red'"), &[]).unwrap();
        assert!(warnings[0].contains("colour"));
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_can_read_is_warned_of_and_never_printed() {
        let (settings, warnings) = load(Some("api_key = 'sk-very-secret'"), &[]).unwrap();
        assert!(warnings[0].contains("chmod 600"), "{warnings:?}");
        assert!(!format!("{settings:?}").contains("secret"));
    }
}
