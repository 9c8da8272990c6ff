//! Keeps the model's keys out of everything that is shown, stored or logged.

use std::sync::Arc;

/// What stands where a key stood.
const BLANK: &str = "[key]";
/// A shorter secret would blank ordinary words.
const MIN_SECRET_CHARS: usize = 6;

/// Replaces known secrets in texts. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    secrets: Arc<[String]>,
}

impl Redactor {
    /// For these secrets; shorter than six characters are passed over.
    pub(crate) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        Self {
            secrets: secrets
                .into_iter()
                .filter(|secret| secret.chars().count() >= MIN_SECRET_CHARS)
                .collect(),
        }
    }

    /// Whether a text holds one.
    pub(crate) fn finds_in(&self, text: &str) -> bool {
        self.secrets
            .iter()
            .any(|secret| text.contains(secret.as_str()))
    }

    /// The text without the secrets.
    pub(crate) fn clean(&self, text: impl Into<String>) -> String {
        let mut text = text.into();
        for secret in self.secrets.iter() {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), BLANK);
            }
        }
        text
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redactor({} secrets)", self.secrets.len())
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
    }
}
