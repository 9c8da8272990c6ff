//! What a panel gets: the state to read, the words and colours to draw with, and a list to put wishes on.

use eframe::egui::Context;
use eframe::egui::os::OperatingSystem;

use crate::commands::{Command, UiCommand, shortcut_text};
use crate::i18n::{Language, Words};
use crate::state::AppState;
use crate::theme::tokens::Palette;

/// A frame's surroundings.
pub struct Scene<'a> {
    /// What is shown.
    pub state: &'a AppState,
    /// The words of the person's language.
    pub words: &'static Words,
    /// That language.
    pub language: Language,
    /// The colours of the theme.
    pub palette: &'a Palette,
    /// What is carried out after the frame.
    pub commands: &'a mut Vec<UiCommand>,
    /// The window's time, in seconds.
    pub now: f64,
    /// The time of day, in milliseconds since 1970 (UTC).
    pub today: u64,
    /// Whether there are tabs that are not on screen.
    pub preview_away: bool,
    /// Whose keys are named.
    pub os: OperatingSystem,
}

impl Scene<'_> {
    /// Puts a wish on the list.
    pub fn send(&mut self, command: UiCommand) {
        self.commands.push(command);
    }

    /// Puts a command on the list.
    pub fn run(&mut self, command: Command) {
        self.commands.push(UiCommand::Run(command));
    }

    /// A command's keys as a person reads them; empty when it has none.
    pub fn keys(&self, command: Command) -> String {
        (command.shortcut()).map_or_else(String::new, |keys| shortcut_text(&keys, self.os))
    }
}

/// The time of day, in milliseconds since 1970 (UTC).
pub fn today() -> u64 {
    u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default()
}

/// Draws again after so many seconds, for what changes by itself.
pub fn again_in(context: &Context, seconds: f64) {
    if let Ok(delay) = std::time::Duration::try_from_secs_f64(seconds.max(0.0)) {
        context.request_repaint_after(delay);
    }
}
