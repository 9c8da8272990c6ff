//! Buttons.
use crate::theme::icons::{Icon, icon};
use crate::theme::style::CONTROL;
use crate::theme::tokens::Palette;
use eframe::egui::{self, Response, RichText, Ui, Vec2};
/// Kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "temporary")]
pub enum Kind {
    Primary,
    Plain,
    Quiet,
    Danger,
}
/// A button.
#[derive(Debug)]
pub struct Button<'a> {
    label: &'a str,
    kind: Kind,
    icon: Option<Icon>,
    keys: Option<&'a str>,
    enabled: bool,
}
impl<'a> Button<'a> {
    /// New.
    pub fn new(label: &'a str) -> Self {
        Self {
            label,
            kind: Kind::Plain,
            icon: None,
            keys: None,
            enabled: true,
        }
    }
    /// Kind.
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }
    /// Icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }
    /// Keys.
    #[must_use]
    pub fn keys(mut self, keys: &'a str) -> Self {
        self.keys = Some(keys);
        self
    }
    /// Enabled.
    #[must_use]
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }
    /// Draws.
    pub fn show(self, ui: &mut Ui, palette: &Palette) -> Response {
        let (fill, color) = match self.kind {
            Kind::Primary => (palette.accent, palette.on_accent),
            Kind::Plain => (palette.control, palette.text),
            Kind::Quiet => (egui::Color32::TRANSPARENT, palette.text_dim),
            Kind::Danger => (palette.control, palette.bad),
        };
        let mut b = egui::Button::new(RichText::new(self.label).color(color))
            .fill(fill)
            .min_size(Vec2::new(0.0, CONTROL));
        if let Some(keys) = self.keys {
            b = b.shortcut_text(RichText::new(keys).small().color(color));
        }
        if let Some(i) = self.icon {
            b = b.left_text(icon(i, 14.0, color));
        }
        ui.add_enabled(self.enabled, b)
    }
}
/// A square button with an icon.
pub fn icon_button(ui: &mut Ui, palette: &Palette, what: Icon, name: &str) -> Response {
    let r = ui.add(
        egui::Button::new(icon(what, 16.0, palette.text_dim))
            .frame_when_inactive(false)
            .min_size(Vec2::splat(CONTROL)),
    );
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name));
    r.on_hover_text(name)
}
