//! settings page.
use crate::window::scene::Scene;
use eframe::egui::Ui;
/// What is only on screen.
#[derive(Debug, Default)]
pub struct SettingsView;
/// Draws it.
pub fn show(ui: &mut Ui, _scene: &mut Scene<'_>, _view: &mut SettingsView) {
    ui.label("settings");
}
/// Keys.
pub fn show_shortcuts(ui: &mut Ui, _scene: &mut Scene<'_>) {
    ui.label("keys");
}
