//! Which key sends, and the way to the page of all keys.

use eframe::egui::{Key, KeyboardShortcut, Modifiers, Ui};

use super::form::{hint, row, section};
use crate::commands::{Command, UiCommand, shortcut_text};
use crate::state::preferences::{Preferences, SendWith};
use crate::theme::icons::Icon;
use crate::widgets::button::Button;
use crate::widgets::choice;
use crate::window::scene::Scene;

/// Draws the section.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.settings;
    section(ui, scene, words.keyboard_section, |ui, scene| {
        row(ui, scene, words.send_with, send_with);
        row(ui, scene, scene.words.commands.shortcuts, |ui, scene| {
            let keys = scene.keys(Command::Shortcuts);
            let all = Button::new(words.all_keys).icon(Icon::Keyboard).keys(&keys);
            if all.show(ui, scene.palette).clicked() {
                scene.run(Command::Shortcuts);
            }
        });
    });
}

fn send_with(ui: &mut Ui, scene: &mut Scene<'_>) {
    const CHOICES: [SendWith; 2] = [SendWith::Enter, SendWith::ModEnter];
    let words = &scene.words.settings;
    let enter = KeyboardShortcut::new(Modifiers::NONE, Key::Enter);
    let with = KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);
    let names = [enter, with].map(|keys| shortcut_text(&keys, scene.os));
    let names = [names[0].as_str(), names[1].as_str()];
    let now = scene.state.preferences.send_with;
    let place = CHOICES.iter().position(|choice| *choice == now);
    let chosen = choice::ui(ui, scene.palette, words.send_with, &names, place);
    if let Some(send_with) = chosen.and_then(|place| CHOICES.get(place)) {
        scene.send(UiCommand::Prefer(Preferences {
            send_with: *send_with,
            ..scene.state.preferences.clone()
        }));
    }
    let below = match now {
        SendWith::Enter => words.send_enter_hint,
        SendWith::ModEnter => words.send_mod_hint,
    };
    hint(ui, scene.palette, below);
}
