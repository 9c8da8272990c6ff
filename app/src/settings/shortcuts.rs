//! Every command with its keys, and the keys of cards and of the message field.

use eframe::egui::{Grid, Id, Label, RichText, TextEdit, Ui, WidgetInfo};

use super::section;
use crate::commands::{Command, Group};
use crate::i18n::fill;
use crate::theme::style::ROW;
use crate::widgets::key_hint;
use crate::window::page;
use crate::window::scene::Scene;

/// Draws the page.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let title = scene.words.commands.shortcuts;
    page::show(ui, scene, title, |ui, scene| {
        let filter = filter(ui, scene);
        let words = &scene.words.settings;
        for (group, name) in [
            (Group::Session, words.group_session),
            (Group::Chat, words.group_chat),
            (Group::Window, words.group_window),
            (Group::Program, words.group_program),
        ] {
            let rows = Command::ALL
                .iter()
                .filter(|command| command.group() == group);
            let rows = rows.map(|command| (command.title(scene.words), scene.keys(*command)));
            table(ui, scene, name, rows.collect(), &filter);
        }
        let card = &scene.words.card;
        let rows = [
            (card.approve, "A"),
            (card.deny, "R"),
            (card.send_denial, "Shift R"),
            (card.details, "D"),
            (words.card_others, "↑ ↓"),
            (words.card_leave, "Esc"),
        ];
        table(ui, scene, words.group_card, owned(&rows), &filter);
        let twice = fill(words.twice, &[("keys", "Esc")]);
        let send = match scene.state.preferences.send_with {
            crate::state::preferences::SendWith::Enter => ("Enter", "Shift Enter"),
            crate::state::preferences::SendWith::ModEnter => ("Ctrl Enter", "Enter"),
        };
        let rows = [
            (scene.words.chat.send, send.0),
            (words.new_line, send.1),
            (words.history, "↑"),
            (words.stop_twice, twice.as_str()),
        ];
        table(ui, scene, words.group_message, owned(&rows), &filter);
    });
}

fn owned<'a>(rows: &[(&'a str, &str)]) -> Vec<(&'a str, String)> {
    rows.iter()
        .map(|(name, keys)| (*name, (*keys).to_owned()))
        .collect()
}

fn filter(ui: &mut Ui, scene: &Scene<'_>) -> String {
    let id = Id::unique("filter-of-keys");
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let name = scene.words.settings.filter;
    let field = TextEdit::singleline(&mut text)
        .hint_text(name)
        .desired_width(260.0);
    let field = ui.add(field);
    field.widget_info(|| WidgetInfo::labeled(eframe::egui::Role::TextInput, true, name));
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    text.trim().to_lowercase()
}

fn table(ui: &mut Ui, scene: &Scene<'_>, title: &str, rows: Vec<(&str, String)>, filter: &str) {
    let fits = |(name, keys): &(&str, String)| {
        name.to_lowercase().contains(filter) || keys.to_lowercase().contains(filter)
    };
    let rows: Vec<_> = rows.into_iter().filter(fits).collect();
    if rows.is_empty() {
        return;
    }
    section(ui, scene, title);
    Grid::new(title)
        .num_columns(2)
        .spacing([24.0, 8.0])
        .min_col_width(260.0)
        .show(ui, |ui| {
            for (name, keys) in rows {
                ui.add(
                    Label::new(RichText::new(name).size(ROW).color(scene.palette.text_dim)).wrap(),
                );
                if keys.is_empty() {
                    let none = RichText::new(scene.words.settings.no_keys).size(ROW);
                    ui.label(none.color(scene.palette.text_faint));
                } else {
                    ui.horizontal(|ui| {
                        key_hint::ui(ui, scene.palette, &keys);
                    });
                }
                ui.end_row();
            }
        });
}
