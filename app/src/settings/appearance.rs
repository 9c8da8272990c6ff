//! How the window looks. Each change acts at once.

use eframe::egui::{Align, Layout, RichText, Ui};

use super::form::{row, section};
use crate::commands::{Command, UiCommand};
use crate::i18n::Language;
use crate::state::preferences::{Preferences, ThemeChoice};
use crate::theme::icons::Icon;
use crate::theme::style::ROW;
use crate::widgets::button::{Button, icon_button};
use crate::widgets::choice;
use crate::window::scene::Scene;

/// Draws the section.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    section(ui, scene, words.appearance_section, |ui, scene| {
        row(ui, scene, words.theme, theme);
        row(ui, scene, words.contrast, |ui, scene| {
            let now = scene.state.preferences.high_contrast;
            if let Some(high_contrast) = switch(ui, scene, words.contrast, now) {
                scene.send(UiCommand::Prefer(Preferences {
                    high_contrast,
                    ..scene.state.preferences.clone()
                }));
            }
        });
        row(ui, scene, words.language, language);
        row(ui, scene, words.zoom, zoom);
        row(ui, scene, words.motion, |ui, scene| {
            let now = !scene.state.preferences.still;
            if let Some(moves) = switch(ui, scene, words.motion, now) {
                scene.send(UiCommand::Prefer(Preferences {
                    still: !moves,
                    ..scene.state.preferences.clone()
                }));
            }
        });
    });
}

/// The choice of a theme, which acts at once.
pub(crate) fn theme(ui: &mut Ui, scene: &mut Scene<'_>) {
    const CHOICES: [ThemeChoice; 3] = [ThemeChoice::System, ThemeChoice::Dark, ThemeChoice::Light];
    let words = &scene.words.settings;
    let names = [words.system, words.dark, words.light];
    let now = CHOICES
        .iter()
        .position(|choice| *choice == scene.state.preferences.theme);
    let chosen = choice::ui(ui, scene.palette, words.theme, &names, now);
    if let Some(theme) = chosen.and_then(|place| CHOICES.get(place)) {
        scene.send(UiCommand::Prefer(Preferences {
            theme: *theme,
            ..scene.state.preferences.clone()
        }));
    }
}

/// The choice of a language, which acts at once.
pub(crate) fn language(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    let mut names = vec![words.system];
    names.extend(Language::ALL.iter().map(|language| language.own_name()));
    let tag_of = |place: usize| {
        let place = place.checked_sub(1)?;
        Language::ALL.get(place).map(|language| language.tag())
    };
    let now = (0..names.len()).find(|place| tag_of(*place) == scene.state.preferences.language);
    if let Some(place) = choice::ui(ui, scene.palette, words.language, &names, now) {
        scene.send(UiCommand::Prefer(Preferences {
            language: tag_of(place),
            ..scene.state.preferences.clone()
        }));
    }
}

fn zoom(ui: &mut Ui, scene: &mut Scene<'_>) {
    let (palette, commands) = (scene.palette, &scene.words.commands);
    ui.horizontal(|ui| {
        if icon_button(ui, palette, Icon::Minus, commands.zoom_out).clicked() {
            scene.run(Command::ZoomOut);
        }
        let percent = format!("{:.0} %", scene.state.preferences.zoom * 100.0);
        let number = RichText::new(percent).size(ROW).color(palette.text);
        ui.allocate_ui_with_layout(
            [48.0, 28.0].into(),
            Layout::centered_and_justified(eframe::egui::Direction::LeftToRight),
            |ui| ui.label(number),
        );
        if icon_button(ui, palette, Icon::Plus, commands.zoom_in).clicked() {
            scene.run(Command::ZoomIn);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let is_usual = (scene.state.preferences.zoom - 1.0).abs() < 0.005;
            let usual = Button::new(commands.zoom_reset);
            if !is_usual && usual.show(ui, palette).clicked() {
                scene.run(Command::ZoomReset);
            }
        });
    });
}

/// On or off. Gives the new state when it has changed.
fn switch(ui: &mut Ui, scene: &Scene<'_>, name: &str, now: bool) -> Option<bool> {
    let words = &scene.words.settings;
    let place = usize::from(now);
    let chosen = choice::ui(ui, scene.palette, name, &[words.off, words.on], Some(place));
    chosen.map(|place| place == 1)
}
