//! Where the data lies, and the ways to the program's other pages.

use std::path::Path;

use eframe::egui::{Align, Label, Layout, RichText, Ui};

use super::form::{row, section};
use crate::commands::{Command, UiCommand};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::STEP;
use crate::widgets::button::{Button, icon_button};
use crate::window::scene::Scene;

/// Draws the section.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    section(ui, scene, words.data_section, |ui, scene| {
        let info = &scene.state.settings;
        row(ui, scene, words.data_folder, |ui, scene| {
            path(ui, scene, words.data_folder, &info.home);
        });
        row(ui, scene, words.settings_file, |ui, scene| {
            path(ui, scene, words.settings_file, &info.file);
        });
        ui.add_space(STEP);
        ui.horizontal_wrapped(|ui| {
            for command in [Command::About, Command::Qa] {
                let more = Button::new(command.title(scene.words));
                if more.show(ui, scene.palette).clicked() {
                    scene.run(command);
                }
            }
        });
    });
}

/// A path to read, with a way to copy it. `of` says what lies there.
pub(crate) fn path(ui: &mut Ui, scene: &mut Scene<'_>, of: &str, path: &Path) {
    let palette = scene.palette;
    let path = path.to_string_lossy();
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        let name = format!("{}: {of}", scene.words.settings.copy_path);
        if icon_button(ui, palette, Icon::Copy, &name).clicked() {
            scene.send(UiCommand::CopyPath(path.clone().into_owned()));
        }
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.add_space(6.0);
            let text = RichText::new(visible::line(&path))
                .font(fonts::mono())
                .color(palette.text);
            ui.add(Label::new(text).wrap().selectable(true));
        });
    });
}
