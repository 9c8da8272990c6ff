//! The settings that runs start with, which can change while the engine works.

use std::sync::{Arc, PoisonError, RwLock};

use crate::config::Settings;
use crate::models::ModelClient;
use crate::protocol::Failure;
use crate::support::redact::Redactor;

/// The present settings and the model's client that was made from them.
pub(crate) struct Configuration {
    present: RwLock<Present>,
    redactor: Redactor,
}

struct Present {
    settings: Arc<Settings>,
    client: Option<ModelClient>,
}

impl Configuration {
    /// With the first settings. The redactor learns their key.
    pub(crate) fn new(settings: Settings, redactor: Redactor) -> Self {
        redactor.learn(settings.api_key.as_deref());
        Self {
            present: RwLock::new(Present {
                settings: Arc::new(settings),
                client: None,
            }),
            redactor,
        }
    }

    /// From now on these hold for what begins. The lock is never held over anything slow, so this doesn't
    /// wait.
    pub(crate) fn change(&self, settings: Settings) {
        self.redactor.learn(settings.api_key.as_deref());
        let present = Present {
            settings: Arc::new(settings),
            client: None,
        };
        let old = std::mem::replace(
            &mut *self.present.write().unwrap_or_else(PoisonError::into_inner),
            present,
        );
        // Its connections are closed when nobody waits for the lock.
        drop(old);
    }

    /// The settings, and the client for their model. Making the first one reads the system's certificates,
    /// which takes its time and is done outside of the lock.
    pub(super) fn present(&self) -> (Arc<Settings>, Result<ModelClient, Failure>) {
        let (settings, client) = {
            let present = self.present.read().unwrap_or_else(PoisonError::into_inner);
            (Arc::clone(&present.settings), present.client.clone())
        };
        if let Some(client) = client {
            return (settings, Ok(client));
        }
        let made = ModelClient::new(settings.model_settings(), self.redactor.clone());
        if let Ok(made) = &made {
            let mut present = self.present.write().unwrap_or_else(PoisonError::into_inner);
            if Arc::ptr_eq(&present.settings, &settings) {
                present.client = Some(made.clone());
            }
        }
        (settings, made)
    }
}

impl std::fmt::Debug for Configuration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Configuration")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_made_once_for_each_settings_and_every_key_is_known() {
        let redactor = Redactor::default();
        let settings = |key: &str, steps| Settings {
            base_url: "http://127.0.0.1:1".to_owned(),
            api_key: Some(key.to_owned()),
            max_steps: steps,
            ..Settings::default()
        };
        let configuration = Configuration::new(settings("sk-first-key", 3), redactor.clone());
        let (first, client) = configuration.present();
        let (again, same) = configuration.present();
        assert!(Arc::ptr_eq(&first, &again));
        assert!(client.unwrap().is(&same.unwrap()));
        configuration.change(settings("sk-second-key", 4));
        assert_eq!(configuration.present().0.max_steps, 4);
        assert_eq!(redactor.clean("sk-first-key sk-second-key"), "[key] [key]");
        configuration.change(Settings {
            base_url: "nonsense".to_owned(),
            ..Settings::default()
        });
        assert!(configuration.present().1.is_err());
        configuration.change(settings("sk-first-key", 5));
        assert!(configuration.present().1.is_ok());
    }
}
