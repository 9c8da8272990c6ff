//! How the window looks and listens. What is chosen holds at once.

use eframe::egui::Ui;

use super::{hint, section, setting};
use crate::commands::{Command, UiCommand};
use crate::i18n::Language;
use crate::state::preferences::{Preferences, SendWith, ThemeChoice};
use crate::theme::icons::Icon;
use crate::widgets::button::{Button, icon_button};
use crate::widgets::choice;
use crate::window::scene::Scene;

/// A choice among a few, each with what the preferences become by it.
fn choose(ui: &mut Ui, scene: &mut Scene<'_>, name: &str, options: &[(&str, Preferences)]) {
    let names: Vec<&str> = options.iter().map(|(name, _)| *name).collect();
    let now = &scene.state.preferences;
    let selected = options.iter().position(|(_, wanted)| wanted == now);
    if let Some(chosen) = choice::ui(ui, scene.palette, name, &names, selected)
        && let Some((_, wanted)) = options.get(chosen)
    {
        scene.send(UiCommand::Prefer(wanted.clone()));
    }
}

/// The theme: also on the first page.
pub(crate) fn theme(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    let now = scene.state.preferences.clone();
    let of = |theme| Preferences {
        theme,
        ..now.clone()
    };
    let options = [
        (words.system, of(ThemeChoice::System)),
        (words.dark, of(ThemeChoice::Dark)),
        (words.light, of(ThemeChoice::Light)),
    ];
    choose(ui, scene, words.theme, &options);
}

/// The language: also on the first page.
pub(crate) fn language(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    let now = scene.state.preferences.clone();
    let of = |language| Preferences {
        language,
        ..now.clone()
    };
    let mut options = vec![(words.system, of(None))];
    for language in Language::ALL {
        options.push((language.own_name(), of(Some(language.tag()))));
    }
    choose(ui, scene, words.language, &options);
}

pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    let now = scene.state.preferences.clone();
    section(ui, scene, words.appearance_section);
    setting(ui, scene, words.theme, "", theme);
    setting(ui, scene, words.contrast, "", |ui, scene| {
        let of = |high_contrast| Preferences {
            high_contrast,
            ..now.clone()
        };
        choose(
            ui,
            scene,
            words.contrast,
            &[(words.off, of(false)), (words.on, of(true))],
        );
    });
    setting(ui, scene, words.language, "", language);
    setting(ui, scene, words.motion, "", |ui, scene| {
        let of = |still| Preferences {
            still,
            ..now.clone()
        };
        choose(
            ui,
            scene,
            words.motion,
            &[(words.on, of(false)), (words.off, of(true))],
        );
    });
    setting(ui, scene, words.zoom, "", |ui, scene| {
        ui.horizontal(|ui| {
            for (what, command) in [
                (Icon::ChevronDown, Command::ZoomOut),
                (Icon::ChevronUp, Command::ZoomIn),
            ] {
                let name = command.title(scene.words);
                if icon_button(ui, scene.palette, what, name).clicked() {
                    scene.run(command);
                }
            }
            let zoom = format!("{:.0} %", now.zoom * 100.0);
            if Button::new(&zoom).show(ui, scene.palette).clicked() {
                scene.run(Command::ZoomReset);
            }
        });
    });
    section(ui, scene, words.keyboard_section);
    setting(ui, scene, words.send_with, "", |ui, scene| {
        let of = |send_with| Preferences {
            send_with,
            ..now.clone()
        };
        let with_mod = if scene.os.is_mac() {
            "⌘ Enter"
        } else {
            "Ctrl Enter"
        };
        let options = [
            ("Enter", of(SendWith::Enter)),
            (with_mod, of(SendWith::ModEnter)),
        ];
        choose(ui, scene, words.send_with, &options);
        let text = match now.send_with {
            SendWith::Enter => words.send_enter_hint,
            SendWith::ModEnter => words.send_mod_hint,
        };
        hint(ui, scene, text);
    });
}
