//! Every command and its keys, and the keys of the cards and the message field.

use eframe::egui::{Grid, Key, KeyboardShortcut, Label, Modifiers, RichText, Ui};

use super::form::section;
use crate::commands::{Command, Group, shortcut_text};
use crate::i18n::fill;
use crate::state::preferences::SendWith;
use crate::theme::style::{META, ROW, STEP};
use crate::widgets::{key_hint, search_field};
use crate::window::page;
use crate::window::scene::Scene;

/// The width of what a key does, in points.
const NAMES: f32 = 380.0;
/// The room that is left for the keys, in points.
const KEYS: f32 = 180.0;

/// What is only on screen.
#[derive(Debug, Default)]
pub struct ShortcutsView {
    filter: String,
    has_begun: bool,
}

impl ShortcutsView {
    /// The page is left: the next look begins anew.
    pub fn leave(&mut self) {
        *self = Self::default();
    }
}

/// What a key does, and the key; no key where there is none.
type Entry = (&'static str, String);

/// Draws the page.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut ShortcutsView) {
    let title = scene.words.commands.shortcuts;
    page::show(ui, scene, title, |ui, scene| {
        let words = &scene.words.settings;
        let names = (words.filter, words.clear);
        let field = search_field::ui(ui, scene.palette, names, &mut view.filter);
        if !std::mem::replace(&mut view.has_begun, true) {
            field.request_focus();
        }
        let mut any = false;
        for (title, entries) in groups(scene) {
            let entries: Vec<Entry> = (entries.into_iter())
                .filter(|(name, keys)| fits(&view.filter, name, keys))
                .collect();
            if entries.is_empty() {
                continue;
            }
            any = true;
            section(ui, scene, title, |ui, scene| {
                table(ui, scene, title, &entries);
            });
        }
        if !any {
            ui.add_space(2.0 * STEP);
            ui.label(RichText::new(scene.words.chat.find_none).color(scene.palette.text_dim));
        }
    });
}

/// Whether all the words are in the name or the keys, in any order and case.
fn fits(filter: &str, name: &str, keys: &str) -> bool {
    let text = format!("{name} {keys}").to_lowercase();
    (filter.to_lowercase().split_whitespace()).all(|word| text.contains(word))
}

fn table(ui: &mut Ui, scene: &Scene<'_>, title: &str, entries: &[Entry]) {
    let palette = scene.palette;
    let names = NAMES.min(ui.available_width() - KEYS).max(120.0);
    Grid::new(("keys", title))
        .num_columns(2)
        .spacing([3.0 * STEP, 1.5 * STEP])
        .show(ui, |ui| {
            for (name, keys) in entries {
                ui.scope(|ui| {
                    ui.set_width(names);
                    let text = RichText::new(*name).size(ROW + 0.5).color(palette.text);
                    ui.add(Label::new(text).wrap());
                });
                if keys.is_empty() {
                    let text = RichText::new(scene.words.settings.no_keys)
                        .size(META)
                        .color(palette.text_faint);
                    ui.label(text);
                } else {
                    let cap = ui.scope(|ui| key_hint::ui(ui, palette, keys)).response;
                    // A screen reader is told the keys too, which are drawn and no label.
                    cap.widget_info(|| {
                        eframe::egui::WidgetInfo::labeled(eframe::egui::Role::Label, true, keys)
                    });
                }
                ui.end_row();
            }
        });
}

/// All groups with their entries.
fn groups(scene: &Scene<'_>) -> Vec<(&'static str, Vec<Entry>)> {
    let words = &scene.words.settings;
    let mut groups: Vec<(&'static str, Vec<Entry>)> = [
        (Group::Session, words.group_session),
        (Group::Chat, words.group_chat),
        (Group::Preview, scene.words.preview.group),
        (Group::Window, words.group_window),
        (Group::Program, words.group_program),
    ]
    .into_iter()
    .map(|(group, title)| {
        let commands = Command::ALL
            .iter()
            .filter(|command| command.group() == group);
        let entries = commands.map(|command| (command.title(scene.words), scene.keys(*command)));
        (title, entries.collect())
    })
    .collect();
    groups.insert(2, (words.group_card, of_card(scene)));
    groups.insert(3, (words.group_message, of_message(scene)));
    groups
}

fn keys(scene: &Scene<'_>, modifiers: Modifiers, key: Key) -> String {
    shortcut_text(&KeyboardShortcut::new(modifiers, key), scene.os)
}

fn of_card(scene: &Scene<'_>) -> Vec<Entry> {
    let (card, words) = (&scene.words.card, &scene.words.settings);
    let key = |modifiers, key| keys(scene, modifiers, key);
    vec![
        (card.approve, key(Modifiers::NONE, Key::A)),
        (card.deny, key(Modifiers::NONE, Key::R)),
        (card.send_denial, key(Modifiers::SHIFT, Key::R)),
        (card.details, key(Modifiers::NONE, Key::D)),
        (words.card_others, "↑ ↓".to_owned()),
        (words.card_leave, key(Modifiers::NONE, Key::Escape)),
    ]
}

fn of_message(scene: &Scene<'_>) -> Vec<Entry> {
    let (chat, words) = (&scene.words.chat, &scene.words.settings);
    let key = |modifiers, key| keys(scene, modifiers, key);
    let enter = key(Modifiers::NONE, Key::Enter);
    let (send, line) = match scene.state.preferences.send_with {
        SendWith::Enter => (enter, key(Modifiers::SHIFT, Key::Enter)),
        SendWith::ModEnter => (key(Modifiers::COMMAND, Key::Enter), enter),
    };
    let escape = key(Modifiers::NONE, Key::Escape);
    vec![
        (chat.send, send),
        (words.new_line, line),
        (words.history, "↑".to_owned()),
        (words.stop_twice, fill(words.twice, &[("keys", &escape)])),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_looks_at_names_and_keys() {
        assert!(fits("", "New session", "Ctrl N"));
        assert!(fits("session ctrl", "New session", "Ctrl N"));
        assert!(!fits("delete", "New session", "Ctrl N"));
    }
}
