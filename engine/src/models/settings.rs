//! What a person sets about a model.

use std::time::Duration;

/// How long a model may send nothing that counts, by default (contract B12, C25).
pub(crate) const DEFAULT_IDLE: Duration = Duration::from_mins(5);
/// How often one request is sent at the most, by default (contract C18).
pub(crate) const DEFAULT_MAX_TRIES: u32 = 5;
/// How long all waits of one request may take together, by default (contract C18).
pub(crate) const DEFAULT_MAX_WAIT: Duration = Duration::from_mins(1);
/// The first wait, which doubles with each further one, by default (contract B12).
pub(crate) const DEFAULT_BASE_WAIT: Duration = Duration::from_secs(1);

/// Which model, where, with which key.
#[derive(Clone)]
pub(crate) struct ModelSettings {
    /// Where the server is; `/chat/completions` is added unless it is there.
    pub(crate) base_url: String,
    /// The key. Not needed for a server on this machine.
    pub(crate) api_key: Option<String>,
    /// The model's name at the server.
    pub(crate) model: String,
    /// A provider's name of the catalogue, where the host doesn't tell.
    pub(crate) provider: Option<String>,
    /// How long the model may send nothing that counts.
    pub(crate) idle: Duration,
    /// What is tried again, and for how long.
    pub(crate) retry: RetryPolicy,
}

impl ModelSettings {
    /// With the usual limits and the provider guessed by the host.
    pub(crate) fn new(
        base_url: impl Into<String>,
        api_key: Option<String>,
        model: impl Into<String>,
    ) -> Self {
        Self {
            base_url: base_url.into(),
            api_key,
            model: model.into(),
            provider: None,
            idle: DEFAULT_IDLE,
            retry: RetryPolicy::default(),
        }
    }
}

impl std::fmt::Debug for ModelSettings {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ModelSettings")
            .field("base_url", &self.base_url)
            .field("has_key", &self.api_key.is_some())
            .field("model", &self.model)
            .field("provider", &self.provider)
            .field("idle", &self.idle)
            .field("retry", &self.retry)
            .finish()
    }
}

/// How often and how long a model request is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RetryPolicy {
    /// Tries in all, the first one counted.
    pub(crate) max_tries: u32,
    /// All waits together.
    pub(crate) max_wait: Duration,
    /// The first wait; each further one is twice as long.
    pub(crate) base: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            max_tries: DEFAULT_MAX_TRIES,
            max_wait: DEFAULT_MAX_WAIT,
            base: DEFAULT_BASE_WAIT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_not_printed() {
        let settings = ModelSettings::new("http://localhost", Some("sk-secret".into()), "m");
        let printed = format!("{settings:?}");
        assert!(!printed.contains("sk-secret"), "{printed}");
        assert!(printed.contains("has_key: true"));
    }
}
