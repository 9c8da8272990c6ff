//! A new tab: a field that takes an address or a path, the session's folder, and what was open lately.

use eframe::egui::{
    Align, Key, Label, Layout, RichText, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo,
};
use wisp_engine::protocol::TabId;

use super::file_bar::field;
use super::strip::icon_of;
use crate::commands::{TabCommand, UiCommand};
use crate::state::tabs::{Content, NewTab};
use crate::text::visible;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL, CONTROL_CORNER, META, ROW, STEP};
use crate::widgets::button::{Button, Kind};
use crate::window::scene::Scene;

/// The widest that it gets, in points.
const WIDTH: f32 = 480.0;

/// Draws it.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    id: &TabId,
    tab: &mut NewTab,
    recent: &[Content],
) {
    let width = WIDTH.min(ui.available_width() - 8.0 * STEP);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.with_layout(Layout::top_down(Align::Center), |ui| {
            ui.add_space(10.0 * STEP);
            ui.allocate_ui_with_layout(
                Vec2::new(width, ui.available_height()),
                Layout::top_down(Align::Min),
                |ui| {
                    ui.set_width(width);
                    ui.spacing_mut().item_spacing.y = 2.0 * STEP;
                    address(ui, scene, id, tab);
                    folder(ui, scene);
                    self::recent(ui, scene, id, recent);
                },
            );
        });
    });
}

fn address(ui: &mut Ui, scene: &mut Scene<'_>, id: &TabId, tab: &mut NewTab) {
    let (palette, words) = (scene.palette, &scene.words.preview);
    let mut goes = false;
    let size = Vec2::new(ui.available_width(), CONTROL + STEP);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0 * STEP;
        let can = !tab.address.trim().is_empty();
        let go = Button::new(words.go).kind(Kind::Primary).enabled(can);
        goes |= go.show(ui, palette).clicked();
        let names = (words.address_hint, words.address_hint);
        let room = ui.available_width();
        let field = field(ui, palette, names, &mut tab.address, room);
        if std::mem::take(&mut tab.focus) {
            field.request_focus();
        }
        if field.changed() {
            tab.wrong = false;
        }
        goes |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    });
    if tab.wrong {
        let text = RichText::new(words.address_wrong)
            .size(ROW)
            .color(palette.attention);
        ui.add(Label::new(text).wrap());
    }
    if goes && !tab.address.trim().is_empty() {
        scene.send(UiCommand::Tab(TabCommand::Go {
            tab: id.clone(),
            text: tab.address.clone(),
        }));
    }
}

fn folder(ui: &mut Ui, scene: &mut Scene<'_>) {
    let summary = (scene.state.current.as_ref()).and_then(|id| scene.state.sessions.summary(id));
    if summary.is_none_or(|summary| summary.folder.is_none()) {
        return;
    }
    let browse = Button::new(scene.words.preview.browse).icon(Icon::FolderTree);
    if browse.show(ui, scene.palette).clicked() {
        scene.send(UiCommand::Tab(TabCommand::OpenFolder(".".to_owned())));
    }
}

fn recent(ui: &mut Ui, scene: &mut Scene<'_>, id: &TabId, recent: &[Content]) {
    if recent.is_empty() {
        return;
    }
    let palette = scene.palette;
    ui.add_space(2.0 * STEP);
    let title = RichText::new(scene.words.preview.recent)
        .size(META)
        .color(palette.text_faint);
    ui.label(title);
    ui.spacing_mut().item_spacing.y = 0.0;
    for (number, content) in recent.iter().enumerate() {
        let (what, text) = match content {
            Content::File(file) => (icon_of(&file.path), file.path.clone()),
            Content::Folder(folder) if folder.path == "." => (Icon::Folder, folder.name.clone()),
            Content::Folder(folder) => (Icon::Folder, format!("{}/", folder.path)),
            Content::Diff(diff) => (Icon::FileDiff, diff.path.clone()),
            Content::Web(web) => (Icon::Globe, web.url.clone()),
            Content::New(_) => continue,
        };
        let text = visible::line(&text);
        let size = Vec2::new(ui.available_width(), CONTROL);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
        if response.hovered() || response.has_focus() {
            let ground = palette.field;
            ui.painter().rect_filled(rect, CONTROL_CORNER, ground);
        }
        if response.has_focus() {
            let ring = eframe::egui::Stroke::new(1.5, palette.accent);
            let kind = eframe::egui::StrokeKind::Inside;
            ui.painter().rect_stroke(rect, CONTROL_CORNER, ring, kind);
        }
        let mut inner = ui.new_child(
            eframe::egui::UiBuilder::new()
                .max_rect(rect.shrink2(Vec2::new(2.0 * STEP, 0.0)))
                .layout(Layout::left_to_right(Align::Center)),
        );
        inner.spacing_mut().item_spacing.x = 2.0 * STEP;
        inner.style_mut().interaction.selectable_labels = false;
        inner.label(icon(what, 15.0, palette.text_dim));
        let text = RichText::new(text).size(ROW).color(palette.text);
        inner.add(Label::new(text).truncate());
        if response.clicked() {
            let tab = id.clone();
            scene.send(UiCommand::Tab(TabCommand::Recent { tab, number }));
        }
    }
}
