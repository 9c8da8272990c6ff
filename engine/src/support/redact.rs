//! Keeps the model's keys out of everything that is shown, stored or logged.

use std::sync::{Arc, PoisonError, RwLock};

/// What stands where a key stood.
const BLANK: &str = "[key]";
/// A shorter secret would blank ordinary words.
const MIN_SECRET_CHARS: usize = 6;

/// Replaces known secrets in texts. Cheap to clone; what one clone learns, all know.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    secrets: Arc<RwLock<Arc<[String]>>>,
}

impl Redactor {
    /// For these secrets; shorter than six characters are passed over.
    pub(crate) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let redactor = Self::default();
        for secret in secrets {
            redactor.learn(Some(&secret));
        }
        redactor
    }

    /// Knows one more secret from now on, and forgets none.
    pub(crate) fn learn(&self, secret: Option<&str>) {
        let Some(secret) = secret
            .map(str::trim)
            .filter(|secret| secret.chars().count() >= MIN_SECRET_CHARS)
        else {
            return;
        };
        let mut known = self.secrets.write().unwrap_or_else(PoisonError::into_inner);
        if !known.iter().any(|one| one == secret) {
            *known = known
                .iter()
                .cloned()
                .chain(std::iter::once(secret.to_owned()))
                .collect();
        }
    }

    /// Whether a text holds one.
    pub(crate) fn finds_in(&self, text: &str) -> bool {
        self.known()
            .iter()
            .any(|secret| text.contains(secret.as_str()))
    }

    /// The text without the secrets.
    pub(crate) fn clean(&self, text: impl Into<String>) -> String {
        let mut text = text.into();
        for secret in self.known().iter() {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), BLANK);
            }
        }
        text
    }

    fn known(&self) -> Arc<[String]> {
        Arc::clone(&self.secrets.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redactor({} secrets)", self.known().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_every_place_and_never_prints_the_secret() {
        let redactor = Redactor::new(["sk-abcdef".to_owned(), "a".to_owned()]);
        assert_eq!(redactor.clean("a sk-abcdef b sk-abcdef"), "a [key] b [key]");
        assert!(!format!("{redactor:?}").contains("sk-"));
        let clone = redactor.clone();
        redactor.learn(Some("sk-second "));
        redactor.learn(Some("short"));
        redactor.learn(None);
        assert_eq!(
            clone.clean("sk-second sk-abcdef short"),
            "[key] [key] short"
        );
    }
}
