//! What the engine runs with.

use std::path::{Path, PathBuf};
use std::time::Duration;

use directories::ProjectDirs;

use crate::models::{DEFAULT_IDLE, Endpoint, ModelFacts, ModelSettings, RetryPolicy, facts};
use crate::protocol::Failure;
use crate::secrets::KeyStore;

use super::file::{self, File, SETTINGS_FILE, wrong};

/// Steps of a run in Chat mode, unless set otherwise.
pub const DEFAULT_STEPS: u32 = 8;

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
    /// Steps of a run, 1 to [`MAX_STEPS`](super::MAX_STEPS).
    pub max_steps: u32,
    /// Seconds without output after which a stream is given up; at least 1.
    pub idle_seconds: u64,
    /// How often one model request is sent at the most; at least 1.
    pub max_tries: u32,
    /// Seconds that all waits between the tries of one request may take together.
    pub max_wait_seconds: u64,
    /// How many tokens the model's window holds, where the person knows better than
    /// [`Settings::model_facts`]; at least 1000.
    pub context_tokens: Option<u64>,
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
            .field("context_tokens", &self.context_tokens)
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
            context_tokens: None,
        }
    }
}

impl Settings {
    /// Reads the settings file of a data folder, if there is one, the environment above it, and, where
    /// neither holds a key, the [`KeyStore`]. Gives the settings and warnings for the person. The file is
    /// never changed. Blocks: for three seconds at the longest where a secret store does not answer, which
    /// is a warning. The store is not asked where a key is known, nor for a server on this machine.
    pub fn load(home: &Path) -> Result<(Self, Vec<String>), Failure> {
        Self::load_for(home, None)
    }

    /// The same with another base URL than the file and the environment name, for a command line that was
    /// given one: a key that is kept for one host must not go to another.
    pub fn load_for(home: &Path, base_url: Option<&str>) -> Result<(Self, Vec<String>), Failure> {
        let (mut settings, mut warnings) =
            Self::load_with(home, |name| match std::env::var(name) {
                Ok(value) => Ok(Some(value).filter(|value| !value.trim().is_empty())),
                Err(std::env::VarError::NotPresent) => Ok(None),
                Err(std::env::VarError::NotUnicode(_)) => {
                    Err(wrong(format!("{name} is not UTF-8.")))
                }
            })?;
        if let Some(base_url) = base_url {
            base_url.clone_into(&mut settings.base_url);
        }
        settings.find_key(&KeyStore::of(home), &mut warnings);
        Ok((settings, warnings))
    }

    /// Takes the kept key where there is none yet.
    fn find_key(&mut self, keys: &KeyStore, warnings: &mut Vec<String>) {
        if self.api_key.is_some() {
            return;
        }
        let Some(host) = self.key_host() else {
            return;
        };
        match keys.read(&host) {
            Ok(found) => self.api_key = found.map(|(key, _)| key),
            Err(failure) => warnings.push(failure.to_string()),
        }
    }

    /// The host that a key belongs to, with its port where it isn't the usual one: under that name a
    /// [`KeyStore`] keeps it. `None` where the base URL makes no sense.
    pub fn key_host(&self) -> Option<String> {
        Endpoint::parse(&self.base_url)
            .ok()
            .map(|endpoint| endpoint.label)
    }

    /// Whether the model server wants a key: one on this machine needs none. A base URL without sense wants one.
    pub fn needs_key(&self) -> bool {
        !Endpoint::parse(&self.base_url).is_ok_and(|endpoint| endpoint.loopback)
    }

    /// What is known of the model: its window and its price.
    pub fn model_facts(&self) -> ModelFacts {
        let known = facts(&self.base_url, self.provider.as_deref(), &self.model);
        ModelFacts {
            context_tokens: self.context_tokens.or(known.context_tokens),
            ..known
        }
    }

    fn load_with(
        home: &Path,
        env: impl Fn(&str) -> Result<Option<String>, Failure>,
    ) -> Result<(Self, Vec<String>), Failure> {
        let path = home.join(SETTINGS_FILE);
        let mut warnings = Vec::new();
        let mut file = match file::read(&path)? {
            None => File::default(),
            Some(text) => File::parse(&text, &path)?,
        };
        if file.api_key.is_some() {
            warnings.extend(open_to_others(&path));
        }
        for key in file.unknown.keys() {
            warnings.push(format!(
                "The setting `{key}` is unknown and was passed over: {}",
                path.display()
            ));
        }
        if let Some(text) = env("WISP_IDLE_SECONDS")? {
            file.idle_seconds = Some(text.trim().parse().map_err(|_| {
                wrong(format!(
                    "WISP_IDLE_SECONDS is no whole number of seconds: {text}."
                ))
            })?);
        }
        file.check(&path)?;
        let defaults = Self::default();
        let settings = Self {
            base_url: env("WISP_BASE_URL")?
                .or(file.base_url)
                .unwrap_or(defaults.base_url),
            api_key: env("WISP_API_KEY")?.or(file.api_key),
            model: env("WISP_MODEL")?.or(file.model).unwrap_or(defaults.model),
            provider: env("WISP_PROVIDER")?.or(file.provider),
            max_steps: file.max_steps.unwrap_or(defaults.max_steps),
            idle_seconds: file.idle_seconds.unwrap_or(defaults.idle_seconds),
            max_tries: file.max_tries.unwrap_or(defaults.max_tries),
            max_wait_seconds: file.max_wait_seconds.unwrap_or(defaults.max_wait_seconds),
            context_tokens: file.context_tokens,
        };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::FailureKind;

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
            "context_tokens = 999",
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

    #[test]
    fn a_kept_key_is_taken_where_there_is_none_and_never_for_another_host() {
        let home = tempfile::tempdir().unwrap();
        let keys = KeyStore::of(home.path()).in_file_only();
        keys.write("api.deepseek.com", "sk-kept-key").unwrap();
        keys.write("127.0.0.1:11434", "sk-local-key").unwrap();
        let found = |base_url: &str, own: Option<&str>| {
            let mut settings = Settings {
                base_url: base_url.to_owned(),
                api_key: own.map(str::to_owned),
                ..Settings::default()
            };
            let mut warnings = Vec::new();
            settings.find_key(&keys, &mut warnings);
            assert!(warnings.is_empty(), "{warnings:?}");
            settings.api_key
        };
        let kept = Some("sk-kept-key".to_owned());
        assert_eq!(found("https://api.deepseek.com/v1", None), kept);
        assert_eq!(found("https://API.deepseek.com", None), kept);
        assert_eq!(found("https://api.deepseek.com.example", None), None);
        assert_eq!(found("https://api.deepseek.com:8443", None), None);
        assert_eq!(found("nonsense", None), None);
        assert_eq!(
            found("https://api.deepseek.com", Some("sk-own")).as_deref(),
            Some("sk-own")
        );
        assert_eq!(
            found("http://127.0.0.1:11434/v1", None).as_deref(),
            Some("sk-local-key")
        );
    }

    #[test]
    fn keys_that_cant_be_read_are_a_warning_and_no_stop() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join(crate::secrets::KEYS_FILE), "sk-secret").unwrap();
        let mut settings = Settings::default();
        let mut warnings = Vec::new();
        settings.find_key(&KeyStore::of(home.path()).in_file_only(), &mut warnings);
        assert!(warnings[0].contains("file of keys"), "{warnings:?}");
        assert!(!warnings[0].contains("sk-"), "{warnings:?}");
    }

    #[test]
    fn the_windows_own_settings_and_a_larger_window_are_no_unknown_ones() {
        let text = "context_tokens = 64000\n[window]\ntheme = 'pink'\nzoom = 'x'\n";
        let (settings, warnings) = load(Some(text), &[]).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(settings.model_facts().context_tokens, Some(64_000));
        let (usual, _) = load(None, &[]).unwrap();
        assert_eq!(usual.model_facts().context_tokens, Some(128_000));
    }
}
