//! about page.
use crate::window::scene::Scene;
use eframe::egui::Ui;
/// Draws it.
pub fn show(ui: &mut Ui, _scene: &mut Scene<'_>) {
    ui.label("about");
}
