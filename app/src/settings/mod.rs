//! The page of settings and the page of keys.

mod appearance;
mod field;
mod model;
mod shortcuts;

pub(crate) use appearance::{language, theme};
pub use shortcuts::show as show_shortcuts;

use eframe::egui::{Align, Label, Layout, RichText, Ui};

use crate::commands::{Command, UiCommand};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{META, ROW, STEP, TEXT};
use crate::widgets::button::{Button, Kind, icon_button};
use crate::window::page;
use crate::window::scene::Scene;

/// What is being typed.
#[derive(Debug, Default)]
pub struct SettingsView {
    /// Of which reading of the settings the texts are.
    revision: u64,
    texts: field::Texts,
    key: String,
    show_key: bool,
}

/// Draws the page of settings.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut SettingsView) {
    let info = &scene.state.settings;
    if view.revision != info.revision {
        view.revision = info.revision;
        view.texts = field::Texts::of(info);
        view.key.clear();
    }
    let title = scene.words.commands.settings;
    page::show(ui, scene, title, |ui, scene| {
        broken(ui, scene);
        model::show(ui, scene, view);
        appearance::show(ui, scene);
        data(ui, scene);
    });
}

/// A section's title.
fn section(ui: &mut Ui, scene: &Scene<'_>, title: &str) {
    ui.add_space(6.0 * STEP);
    let title = RichText::new(title).font(fonts::semibold(TEXT + 1.0));
    ui.label(title.color(scene.palette.text));
    ui.add_space(STEP);
}

/// The width of a setting's name, in points; narrower pages have it above.
const NAME: f32 = 170.0;

/// A setting: its name at the left, what changes it at the right, a hint below.
fn setting(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    name: &str,
    hint: &str,
    control: impl FnOnce(&mut Ui, &mut Scene<'_>),
) {
    let palette = scene.palette;
    let label = RichText::new(name).color(palette.text_dim);
    let wide = ui.available_width() > 480.0;
    ui.add_space(STEP);
    if !wide {
        ui.label(label.clone());
    }
    ui.horizontal_top(|ui| {
        if wide {
            ui.allocate_ui_with_layout(
                [NAME, 28.0].into(),
                Layout::left_to_right(Align::Center),
                |ui| {
                    ui.set_min_width(NAME);
                    ui.add(Label::new(label).wrap());
                },
            );
        }
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = STEP;
            control(ui, scene);
            if !hint.is_empty() {
                self::hint(ui, scene, hint);
            }
        });
    });
    ui.add_space(STEP);
}

fn hint(ui: &mut Ui, scene: &Scene<'_>, text: &str) {
    let text = RichText::new(text)
        .size(META)
        .color(scene.palette.text_faint);
    ui.add(Label::new(text).wrap());
}

/// A settings file that makes no sense.
fn broken(ui: &mut Ui, scene: &mut Scene<'_>) {
    let Some(failure) = scene.state.settings.broken.clone() else {
        return;
    };
    let (palette, words) = (scene.palette, &scene.words.settings);
    ui.add_space(2.0 * STEP);
    ui.horizontal(|ui| {
        ui.label(icon(Icon::CircleAlert, 16.0, palette.bad));
        ui.label(
            RichText::new(words.broken_title)
                .font(fonts::semibold(TEXT))
                .color(palette.text),
        );
    });
    for text in [
        visible::text(&failure.message),
        words.broken_text.to_owned(),
    ] {
        ui.add(Label::new(RichText::new(text).size(ROW).color(palette.text_dim)).wrap());
    }
    ui.horizontal_wrapped(|ui| {
        let again = Button::new(scene.words.common.retry).kind(Kind::Primary);
        if again.show(ui, palette).clicked() {
            scene.send(UiCommand::StartEngine { simulate: false });
        }
        if Button::new(words.move_aside).show(ui, palette).clicked() {
            scene.send(UiCommand::MoveSettingsAside);
        }
    });
}

/// Where things are kept.
fn data(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    section(ui, scene, words.data_section);
    let info = &scene.state.settings;
    for (name, path) in [
        (words.data_folder, info.home.clone()),
        (words.settings_file, info.file.clone()),
    ] {
        setting(ui, scene, name, "", |ui, scene| path_ui(ui, scene, &path));
    }
    ui.add_space(2.0 * STEP);
    ui.horizontal(|ui| {
        for command in [Command::Shortcuts, Command::About, Command::Qa] {
            if Button::new(command.title(scene.words))
                .show(ui, scene.palette)
                .clicked()
            {
                scene.run(command);
            }
        }
    });
}

/// A path that can be copied.
pub(crate) fn path_ui(ui: &mut Ui, scene: &mut Scene<'_>, path: &std::path::Path) {
    let text = path.to_string_lossy().into_owned();
    ui.horizontal(|ui| {
        if icon_button(
            ui,
            scene.palette,
            Icon::Copy,
            scene.words.settings.copy_path,
        )
        .clicked()
        {
            scene.send(UiCommand::CopyPath(text.clone()));
        }
        let shown = RichText::new(visible::line(&text)).font(fonts::mono());
        ui.add(
            Label::new(shown.color(scene.palette.text))
                .wrap()
                .selectable(true),
        );
    });
}
