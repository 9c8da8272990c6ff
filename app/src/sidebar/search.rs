//! The search in all sessions.

use eframe::egui::{
    Align, CornerRadius, Frame, Key, Label, Layout, Margin, Modifiers, RichText, Role, TextEdit,
    Ui, WidgetInfo, vec2,
};

use super::{SidebarView, row};
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::text::visible;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL_CORNER, META, ROW};
use crate::widgets::button::icon_button;
use crate::window::scene::Scene;

pub(super) fn field(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut SidebarView) {
    let palette = scene.palette;
    let hint = scene.words.sidebar.search_hint;
    let mut close = false;
    Frame::new()
        .fill(palette.field)
        .corner_radius(CornerRadius::same(CONTROL_CORNER))
        .inner_margin(Margin::symmetric(8, 0))
        .show(ui, |ui| {
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), super::ROW_HEIGHT),
                Layout::right_to_left(Align::Center),
                |ui| {
                    close = icon_button(ui, palette, Icon::X, scene.words.common.close).clicked();
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.label(icon(Icon::Search, 14.0, palette.text_dim));
                        let Some(words) = &mut view.search else {
                            return;
                        };
                        let field = TextEdit::singleline(words)
                            .hint_text(hint)
                            .frame(Frame::NONE)
                            .desired_width(f32::INFINITY);
                        let field = ui.add(field);
                        field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, hint));
                        if std::mem::take(&mut view.wants_focus) {
                            field.request_focus();
                        }
                        if field.changed() {
                            scene.send(UiCommand::Search(words.clone()));
                        }
                        let escape = |input: &mut eframe::egui::InputState| {
                            input.consume_key(Modifiers::NONE, Key::Escape)
                        };
                        close |= (field.has_focus() || field.lost_focus()) && ui.input_mut(escape);
                    });
                },
            );
        });
    if close {
        view.search = None;
        scene.send(UiCommand::Search(String::new()));
        scene.run(crate::commands::Command::FocusMessage);
    }
}

pub(super) fn hits(ui: &mut Ui, scene: &mut Scene<'_>) {
    let palette = scene.palette;
    let search = &scene.state.sessions.search;
    let note = |ui: &mut Ui, text: &str| {
        ui.add_space(8.0);
        ui.add(Label::new(RichText::new(text).size(ROW).color(palette.text_dim)).wrap());
    };
    let Some(hits) = &search.hits else {
        note(ui, scene.words.common.loading);
        return;
    };
    if hits.is_empty() {
        let text = fill(
            scene.words.sidebar.no_hits,
            &[("words", &visible::line(&search.words))],
        );
        note(ui, &text);
    }
    for (number, hit) in hits.iter().enumerate() {
        let title = visible::line(&hit.title);
        let snippet = visible::line(&hit.snippet);
        let name = format!("{title}: {snippet}");
        let response = ui
            .push_id(number, |ui| {
                row(ui, scene, &name, false, |ui, _| {
                    ui.add(
                        Label::new(RichText::new(&title).size(ROW).color(palette.text)).truncate(),
                    );
                })
            })
            .inner;
        ui.horizontal(|ui| {
            ui.add_space(8.0);
            ui.add(Label::new(RichText::new(&snippet).size(META).color(palette.text_dim)).wrap());
        });
        ui.add_space(4.0);
        if response.clicked() {
            scene.send(UiCommand::OpenSession(hit.session.clone()));
        }
    }
}
