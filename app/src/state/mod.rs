//! What the window shows, as data: folded from the engine's events and the person's wishes. No egui here, so
//! that it can be tested without a window.

pub mod approvals;
pub mod draft;
pub mod folds;
pub mod opens;
mod page_events;
pub mod preferences;
pub mod qa;
pub mod reduce;
pub mod sessions;
pub mod settings;
pub mod tabs;
#[cfg(test)]
mod tests;
pub mod toasts;
pub mod transcript;

use std::path::PathBuf;

use wisp_engine::protocol::{Event, Failure, SessionId};

use approvals::Approvals;
use folds::Folds;
use preferences::Preferences;
use qa::Qa;
use sessions::Sessions;
use settings::SettingsInfo;
use tabs::{Previews, Tabs};
use toasts::Toasts;

/// All that panels read.
#[derive(Debug, Default)]
pub struct AppState {
    /// The sessions.
    pub sessions: Sessions,
    /// The one on screen.
    pub current: Option<SessionId>,
    /// The folder that a new session will have, while none is on screen.
    pub new_folder: Option<PathBuf>,
    /// The message for a session that isn't made yet.
    pub new_draft: draft::Draft,
    /// The questions that wait.
    pub approvals: Approvals,
    /// The right-hand side of every session.
    pub previews: Previews,
    /// What the middle of the window shows.
    pub page: Page,
    /// Where the engine is at.
    pub engine: EngineState,
    /// The model as the settings have it.
    pub model: ModelInfo,
    /// The settings that are kept.
    pub settings: SettingsInfo,
    /// How the person wants the window.
    pub preferences: Preferences,
    /// What is folded and what is open.
    pub folds: Folds,
    /// Short words at the edge.
    pub toasts: Toasts,
    /// The QA panel.
    pub qa: Qa,
    /// Something about the data folder or the settings file that stays until it is mended.
    pub alarm: Option<Failure>,
}

/// What the middle of the window shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Page {
    /// The session on screen, or a new one.
    #[default]
    Chat,
    /// The first look: simulation or a model.
    Welcome,
    /// The settings.
    Settings,
    /// Every command and its keys.
    Shortcuts,
    /// What this program is.
    About,
    /// The scenarios.
    Qa,
}

/// Where the engine is at.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EngineState {
    /// It starts.
    #[default]
    Starting,
    /// It runs on a real model.
    Ready,
    /// It runs on the scripted model.
    Simulated,
    /// It could not start, or has stopped.
    Failed(Failure),
}

impl EngineState {
    /// Whether something can be asked of it.
    pub fn is_ready(&self) -> bool {
        matches!(self, Self::Ready | Self::Simulated)
    }
}

/// The model as the settings have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInfo {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub base_url: String,
    /// Which provider's rules hold, when set.
    pub provider: Option<String>,
    /// Whether there is a key, or none is needed.
    pub usable: bool,
    /// Tokens that its window holds, where known.
    pub context_tokens: Option<u64>,
    /// Steps of a run.
    pub max_steps: u32,
}

impl AppState {
    /// Forgets all of one engine's sessions; how the person wants the window stays.
    pub fn reset(&mut self) {
        *self = Self {
            preferences: std::mem::take(&mut self.preferences),
            settings: std::mem::take(&mut self.settings),
            new_folder: self.new_folder.take(),
            page: self.page,
            toasts: std::mem::take(&mut self.toasts),
            qa: self.qa.kept(),
            ..Self::default()
        };
    }

    /// Takes an event in.
    pub fn apply(&mut self, event: &Event) {
        self.approvals.apply(event);
        self.sessions.apply(event);
    }

    /// The session on screen, when its events are there.
    pub fn open_session(&self) -> Option<&sessions::OpenSession> {
        self.sessions.open(self.current.as_ref()?)
    }

    /// The tabs of the session on screen, if it has some.
    pub fn tabs(&self) -> Option<&Tabs> {
        let tabs = self.previews.of(self.current.as_ref()?)?;
        (!tabs.is_empty()).then_some(tabs)
    }

    /// Whether a run of the session on screen goes on.
    pub fn is_running(&self) -> bool {
        self.open_session()
            .is_some_and(sessions::OpenSession::is_running)
    }

    /// The message being written for what is on screen.
    pub fn draft(&self) -> &draft::Draft {
        self.open_session()
            .map_or(&self.new_draft, |open| &open.draft)
    }

    /// The same, to change.
    pub fn draft_mut(&mut self) -> &mut draft::Draft {
        match self
            .current
            .as_ref()
            .and_then(|id| self.sessions.open_mut(id))
        {
            Some(open) => &mut open.draft,
            None => &mut self.new_draft,
        }
    }
}
