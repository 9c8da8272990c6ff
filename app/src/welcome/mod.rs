//! welcome page.
use crate::window::scene::Scene;
use eframe::egui::Ui;
/// What is only on screen.
#[derive(Debug, Default)]
pub struct WelcomeView;
/// Draws it.
pub fn show(ui: &mut Ui, _scene: &mut Scene<'_>, _view: &mut WelcomeView) {
    ui.label("welcome");
}
