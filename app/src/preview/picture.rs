//! A picture: as large as there is room, as it is, or as large as the reader wants it.

use std::sync::Arc;

use eframe::egui::{
    Align, Frame, Image, Key, Layout, Modifiers, Rect, RichText, Role, ScrollArea, Sense, Ui, Vec2,
    WidgetInfo,
};
use wisp_engine::protocol::{Preview, TabId};

use super::view::PreviewView;
use super::{file_bar, message, tab_file};
use crate::i18n::fill;
use crate::theme::icons::Icon;
use crate::theme::style::META;
use crate::widgets::button::{Button, Kind, icon_button, toggle_button};
use crate::window::scene::Scene;

/// The least and the largest a picture is shown, in parts of its size.
const SCALES: std::ops::RangeInclusive<f32> = 0.05..=16.0;
/// One step larger or smaller.
const LARGER: f32 = 1.25;
/// The room around a picture that fits, in points.
const AROUND: f32 = 16.0;

/// How large a picture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PictureState {
    /// In parts of its size; `None` fits it into the room there is.
    scale: Option<f32>,
}

/// Draws it. `focus`: gives it the keyboard.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut PreviewView,
    id: &TabId,
    what: &Arc<Preview>,
    focus: bool,
) {
    let decoded = view.pictures.get(id);
    let Some(decoded) = decoded.filter(|decoded| tab_file::is_of(&decoded.what, what)) else {
        message::loading(ui, scene);
        return;
    };
    let words = &scene.words.preview;
    let Some((texture, [width, height])) = &decoded.picture else {
        message::show(ui, scene, Icon::FileX, "", words.picture_broken, None);
        return;
    };
    #[expect(clippy::cast_precision_loss, reason = "a picture's side")]
    let true_size = Vec2::new(*width as f32, *height as f32) / ui.pixels_per_point();
    let state = view.picture_states.entry(id.clone()).or_default();
    let below = ui
        .available_rect_before_wrap()
        .shrink2(Vec2::new(0.0, 16.0));
    let room = (below.size() - Vec2::splat(2.0 * AROUND)).max(Vec2::splat(1.0));
    let fit = (room / true_size).min_elem().min(1.0);
    let mut scale = state.scale.unwrap_or(fit);
    let texts = [("w", width.to_string()), ("h", height.to_string())];
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(key, text)| (*key, text.as_str()))
        .collect();
    let size = fill(words.picture_size, &texts);
    file_bar::line(ui, |ui| {
        let palette = scene.palette;
        let percent = format!("{size} · {:.0} %", scale * 100.0);
        ui.label(RichText::new(percent).size(META).color(palette.text_dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut to = |wanted: Option<f32>| {
                state.scale = wanted.map(|scale| scale.clamp(*SCALES.start(), *SCALES.end()));
            };
            if icon_button(ui, palette, Icon::ZoomIn, words.larger).clicked() {
                to(Some(scale * LARGER));
            }
            if icon_button(ui, palette, Icon::ZoomOut, words.smaller).clicked() {
                to(Some(scale / LARGER));
            }
            let actual = Button::new(words.actual).kind(Kind::Quiet);
            if actual.show(ui, palette).clicked() {
                to(Some(1.0));
            }
            let fits = state.scale.is_none();
            if toggle_button(ui, palette, Icon::Maximize, words.fit, fits).clicked() {
                state.scale = None;
            }
        });
    });
    scale = state.scale.unwrap_or(fit);
    Frame::new().fill(scene.palette.code).show(ui, |ui| {
        let area = ui.available_rect_before_wrap();
        let keys = ui.interact(area, ui.unique_id().with("picture"), Sense::click());
        keys.widget_info(|| WidgetInfo::labeled(Role::Image, true, &size));
        if focus || keys.clicked() {
            keys.request_focus();
        }
        if keys.has_focus() {
            let step = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            let clamp = |scale: f32| scale.clamp(*SCALES.start(), *SCALES.end());
            if step(Key::Plus) || step(Key::Equals) {
                state.scale = Some(clamp(scale * LARGER));
            }
            if step(Key::Minus) {
                state.scale = Some(clamp(scale / LARGER));
            }
            if step(Key::Num0) {
                state.scale = None;
            }
        }
        ScrollArea::both()
            .id_salt(("picture", id))
            .auto_shrink(false)
            .show(ui, |ui| {
                let size = true_size * scale;
                let whole = size.max(ui.available_size());
                let (rect, _) = ui.allocate_exact_size(whole, Sense::hover());
                let at = Rect::from_center_size(rect.center(), size);
                let at = at.translate(at.min.round() - at.min);
                Image::new((texture.id(), size)).paint_at(ui, at);
            });
    });
}
