//! The line above a file: where it is, what is known of it, what can be done; and the fields to find something.

use eframe::egui::{
    Align, Frame, Key, Label, Layout, Margin, Modifiers, Response, RichText, TextEdit, Ui, Vec2,
};
use wisp_engine::protocol::{PreviewLineEnds, PreviewText, TabId};

use super::editor::EDIT_BYTES;
use super::file_state::FileState;
use super::strip::with_keys;
use crate::commands::{Command, TabCommand, UiCommand};
use crate::i18n::{count, fill};
use crate::state::tabs::{FileTab, Save};
use crate::text::listing::size;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::{CONTROL, META, ROW, STEP};
use crate::theme::tokens::Palette;
use crate::widgets::button::{Button, Kind, icon_button, toggle_button};
use crate::widgets::search_field;
use crate::window::scene::Scene;

/// The least width at which what is known of a file is said, in points.
const ROOM_FOR_FACTS: f32 = 400.0;

/// Draws the line.
pub(super) fn header(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    id: &TabId,
    file: &FileTab,
    state: &mut FileState,
) {
    let palette = scene.palette;
    line(ui, |ui| {
        let wide = ui.available_width() >= ROOM_FOR_FACTS;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = STEP / 2.0;
            buttons(ui, scene, id, file, state);
            ui.add_space(STEP);
            if let Some(text) = file.text().filter(|_| wide) {
                let facts = RichText::new(facts(scene, text, state))
                    .size(META)
                    .color(palette.text_faint);
                ui.label(facts);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let path = visible::line(&file.path);
                let text = RichText::new(&path)
                    .font(fonts::mono())
                    .color(palette.text_dim);
                ui.add(Label::new(text).truncate()).on_hover_text(path);
            });
        });
    });
}

/// A line of controls with room around it.
pub(super) fn line<T>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> T) -> T {
    Frame::new()
        .inner_margin(Margin::symmetric(12, 2))
        .show(ui, |ui| {
            let size = Vec2::new(ui.available_width(), CONTROL);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), add)
                .inner
        })
        .inner
}

fn facts(scene: &Scene<'_>, text: &PreviewText, state: &FileState) -> String {
    let words = &scene.words.preview;
    let mut facts = Vec::new();
    if text.read_only {
        facts.push(words.read_only.to_owned());
    }
    if text.bom {
        facts.push("BOM".to_owned());
    }
    match text.ends {
        PreviewLineEnds::CrLf => facts.push("CRLF".to_owned()),
        PreviewLineEnds::Mixed => facts.push(words.mixed_ends.to_owned()),
        PreviewLineEnds::Lf | PreviewLineEnds::None => {}
    }
    if let Some(pages) = &state.pages {
        facts.push(count(words.lines_one, words.lines_many, pages.lines()));
    }
    facts.push(size(text.bytes));
    facts.join(" · ")
}

/// From right to left.
fn buttons(ui: &mut Ui, scene: &mut Scene<'_>, id: &TabId, file: &FileTab, state: &mut FileState) {
    let (palette, words) = (scene.palette, &scene.words.preview);
    let tab = |command: fn(TabId) -> TabCommand| UiCommand::Tab(command(id.clone()));
    if let Some(edit) = &file.edit {
        let name = with_keys(scene, words.edit_done, Command::EditFile);
        if icon_button(ui, palette, Icon::X, &name).clicked() {
            scene.send(tab(TabCommand::EndEdit));
        }
        let going = matches!(edit.save, Save::Going(_));
        let label = if going {
            words.saving
        } else {
            scene.words.common.save
        };
        let keys = scene.keys(Command::SaveFile);
        let save = Button::new(label)
            .kind(if edit.dirty {
                Kind::Primary
            } else {
                Kind::Plain
            })
            .keys(&keys)
            .enabled(edit.dirty && !going && edit.save == Save::Idle);
        if save.show(ui, palette).clicked() {
            scene.send(tab(TabCommand::Save));
        }
        find_button(ui, scene, state);
        return;
    }
    let name = with_keys(scene, words.reload, Command::ReloadTab);
    if icon_button(ui, palette, Icon::RotateCw, &name).clicked() {
        scene.send(tab(TabCommand::Reload));
    }
    if icon_button(ui, palette, Icon::Copy, words.copy_path).clicked() {
        scene.send(UiCommand::CopyPath(file.path.clone()));
    }
    let Some(text) = file.text() else { return };
    let can = !text.read_only && text.text.len() <= EDIT_BYTES;
    let name = match (can, text.read_only) {
        (true, _) => with_keys(scene, words.edit, Command::EditFile),
        (false, true) => words.edit_read_only.to_owned(),
        (false, false) => {
            let most = size(EDIT_BYTES as u64);
            fill(words.edit_too_large, &[("most", &most)])
        }
    };
    ui.add_enabled_ui(can, |ui| {
        let edit = icon_button(ui, palette, Icon::Pencil, &name).on_disabled_hover_text(&name);
        if edit.clicked() {
            scene.send(tab(TabCommand::Edit));
        }
    });
    find_button(ui, scene, state);
}

fn find_button(ui: &mut Ui, scene: &Scene<'_>, state: &mut FileState) {
    let open = state.find.is_some();
    let name = scene.words.preview.find;
    if toggle_button(ui, scene.palette, Icon::Search, name, open).clicked() {
        if open {
            state.find = None;
        } else {
            state.open_find();
        }
    }
}

/// Draws the fields that are open. Tells whether one was left, so that the text takes the keyboard.
pub(super) fn bars(ui: &mut Ui, scene: &mut Scene<'_>, state: &mut FileState) -> bool {
    let mut left = false;
    if state.line.is_some() {
        left |= line_bar(ui, scene, state);
    } else if state.find.is_some() {
        left |= find_bar(ui, scene, state);
    }
    left
}

/// Whether Esc was pressed in the field of a bar. The key is taken away.
fn leaves(ui: &Ui, state: &mut FileState) -> bool {
    // The key takes the focus away before anything is drawn.
    std::mem::take(&mut state.bar_has_focus)
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
}

fn find_bar(ui: &mut Ui, scene: &Scene<'_>, state: &mut FileState) -> bool {
    let (palette, words) = (scene.palette, &scene.words.preview);
    let mut step = None;
    let mut closes = leaves(ui, state);
    let said = said(scene, state);
    let focus = std::mem::take(&mut state.focus_bar);
    let mut has_focus = false;
    if let Some(find) = &mut state.find {
        line(ui, |ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = STEP / 2.0;
                closes |= icon_button(ui, palette, Icon::X, scene.words.common.close).clicked();
                let next = with_keys(scene, words.find_next, Command::FindNext);
                if icon_button(ui, palette, Icon::ChevronDown, &next).clicked() {
                    step = Some(true);
                }
                let previous = with_keys(scene, words.find_previous, Command::FindPrevious);
                if icon_button(ui, palette, Icon::ChevronUp, &previous).clicked() {
                    step = Some(false);
                }
                ui.add_space(STEP);
                ui.label(RichText::new(said).size(META).color(palette.text_dim));
                ui.add_space(STEP);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let names = (words.find_hint, scene.words.settings.clear);
                    let field = search_field::ui(ui, palette, names, &mut find.words);
                    let (enter, back) =
                        ui.input(|input| (input.key_pressed(Key::Enter), input.modifiers.shift));
                    if field.lost_focus() && enter {
                        step = Some(!back);
                        field.request_focus();
                    }
                    if focus {
                        field.request_focus();
                    }
                    has_focus = field.has_focus() || focus;
                });
            });
        });
    }
    state.bar_has_focus = has_focus;
    if let Some(forward) = step {
        state.step(forward);
    }
    if closes {
        state.find = None;
    }
    closes
}

/// Which place is looked at, of how many.
fn said(scene: &Scene<'_>, state: &FileState) -> String {
    let words = &scene.words.preview;
    let Some(find) = &state.find else {
        return String::new();
    };
    let all = find.finder.found().len();
    if find.words.is_empty() {
        return String::new();
    }
    if all == 0 {
        return if find.finder.is_done() {
            words.found_none.to_owned()
        } else {
            words.looking.to_owned()
        };
    }
    let at = find.current.map_or(0, |at| at + 1).to_string();
    let sentence = if find.finder.is_full() {
        words.found_many
    } else {
        words.found
    };
    fill(sentence, &[("n", &at), ("all", &all.to_string())])
}

fn line_bar(ui: &mut Ui, scene: &Scene<'_>, state: &mut FileState) -> bool {
    let (palette, words) = (scene.palette, &scene.words.preview);
    let mut closes = leaves(ui, state);
    let focus = std::mem::take(&mut state.focus_bar);
    let lines = state.lines;
    let hint = fill(words.line_hint, &[("n", &lines.to_string())]);
    let mut goal = None;
    let mut has_focus = false;
    if let Some(typed) = &mut state.line {
        line(ui, |ui| {
            let field = field(ui, palette, (words.go_to_line, &hint), typed, 160.0);
            let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            has_focus = field.has_focus() || focus;
            if focus {
                field.request_focus();
            }
            let can = typed.trim().parse::<usize>().is_ok();
            let go = Button::new(words.go).enabled(can).show(ui, palette);
            if go.clicked() || enter {
                goal = typed.trim().parse::<usize>().ok();
                closes = true;
            }
            closes |= icon_button(ui, palette, Icon::X, scene.words.common.close).clicked();
        });
    }
    state.bar_has_focus = has_focus;
    state.goal = goal.or(state.goal);
    if closes {
        state.line = None;
    }
    closes
}

/// A field of one line, with an accessible name and a hint.
pub(super) fn field(
    ui: &mut Ui,
    palette: &Palette,
    (name, hint): (&str, &str),
    text: &mut String,
    width: f32,
) -> Response {
    let edit = TextEdit::singleline(text)
        .font(fonts::text(ROW))
        .text_color(palette.text)
        .hint_text(RichText::new(hint).size(ROW).color(palette.text_faint))
        .margin(Margin::symmetric(8, 5))
        .desired_width(width);
    let response = ui.add(edit);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    response
}
