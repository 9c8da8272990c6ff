//! The palette: every command by name, with its keys.

use eframe::egui::{
    Align, CornerRadius, Frame, Id, Key, Label, Layout, Margin, Modifiers, RichText, Role,
    ScrollArea, Sense, TextEdit, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::scene::Scene;
use crate::commands::{Command, UiCommand};
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL_CORNER, META, TEXT};

/// How high the list is at most, in points.
const LIST: f32 = 400.0;

/// What is typed and chosen.
#[derive(Debug, Default)]
pub struct PaletteView {
    words: String,
    at: usize,
}

/// The commands whose names hold all the words, in any order and case.
fn matching(scene: &Scene<'_>, words: &str) -> Vec<Command> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let fits = |command: &&Command| {
        let title = command.title(scene.words).to_lowercase();
        words.iter().all(|word| title.contains(word))
    };
    Command::ALL.iter().filter(fits).copied().collect()
}

/// Draws it. Tells whether it is done.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut PaletteView) -> bool {
    let palette = scene.palette;
    ui.set_width(520.0);
    let mut step = 0_isize;
    let mut enter = false;
    ui.input_mut(|input| {
        if input.consume_key(Modifiers::NONE, Key::ArrowDown) {
            step = 1;
        }
        if input.consume_key(Modifiers::NONE, Key::ArrowUp) {
            step = -1;
        }
        enter = input.consume_key(Modifiers::NONE, Key::Enter);
    });
    let name = scene.words.commands.palette;
    ui.horizontal(|ui| {
        ui.add_space(6.0);
        ui.label(icon(Icon::Search, 16.0, palette.text_dim));
        let field = TextEdit::singleline(&mut view.words)
            .hint_text(name)
            .frame(Frame::NONE)
            .margin(Margin::symmetric(4, 6))
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, name));
        field.request_focus();
        if field.changed() {
            view.at = 0;
        }
    });
    let found = matching(scene, &view.words);
    let last = found.len().saturating_sub(1);
    view.at = view.at.saturating_add_signed(step).min(last);
    let mut chosen = None;
    if enter {
        chosen = found.get(view.at).copied();
    }
    ui.add_space(4.0);
    // Without a least height it would stay as low as when few commands were found: a modal keeps its last size.
    let area = ScrollArea::vertical()
        .max_height(LIST)
        .min_scrolled_height(LIST);
    area.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if found.is_empty() {
            let text = RichText::new(scene.words.chat.find_none).color(palette.text_dim);
            ui.add(Label::new(text));
        }
        for (place, command) in found.iter().enumerate() {
            let title = command.title(scene.words);
            let (rect, response) =
                ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::click());
            let current = place == view.at;
            response.widget_info(|| WidgetInfo::selected(Role::Button, true, current, title));
            if current || response.hovered() {
                let ground = if current {
                    palette.accent_soft
                } else {
                    palette.control
                };
                let corner = CornerRadius::same(CONTROL_CORNER);
                ui.painter().rect_filled(rect, corner, ground);
            }
            if current && step != 0 {
                response.scroll_to_me(None);
            }
            let mut line = ui.new_child(
                UiBuilder::new()
                    .id_salt(Id::unique(command))
                    .max_rect(rect.shrink2(vec2(10.0, 0.0)))
                    .layout(Layout::right_to_left(Align::Center)),
            );
            let keys = scene.keys(*command);
            line.label(RichText::new(keys).size(META).color(palette.text_faint));
            line.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.label(RichText::new(title).size(TEXT).color(palette.text));
            });
            if response.clicked() {
                chosen = Some(*command);
            }
        }
    });
    if let Some(command) = chosen {
        scene.send(UiCommand::Run(command));
        return true;
    }
    false
}
