//! The settings, section by section.

use eframe::egui::Ui;

use super::field::Field;
use super::model::ModelView;
use super::runs::RunsView;
use super::shortcuts::ShortcutsView;
use super::{appearance, broken, data, keyboard, model, runs};
use crate::commands::UiCommand;
use crate::window::page;
use crate::window::scene::Scene;

/// What is only on screen.
#[derive(Debug, Default)]
pub struct SettingsView {
    model: ModelView,
    runs: RunsView,
    /// The page of keys.
    pub shortcuts: ShortcutsView,
}

impl SettingsView {
    /// What was typed and not yet kept when the page was left. What makes no sense is forgotten, and so is a key
    /// that nobody asked to keep.
    pub fn leave(&mut self) -> Vec<UiCommand> {
        let fields = self.model.fields().into_iter().chain(self.runs.fields());
        let changes = fields.filter_map(Field::leave).collect::<Vec<_>>();
        self.model.forget_key();
        if changes.is_empty() {
            Vec::new()
        } else {
            vec![UiCommand::ChangeSettings(changes)]
        }
    }
}

/// Draws the page.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut SettingsView) {
    let title = scene.words.commands.settings;
    page::show(ui, scene, title, |ui, scene| {
        if broken::is_shown(scene) {
            broken::show(ui, scene);
        } else {
            model::show(ui, scene, &mut view.model);
            runs::show(ui, scene, &mut view.runs);
        }
        appearance::show(ui, scene);
        keyboard::show(ui, scene);
        data::show(ui, scene);
    });
}
