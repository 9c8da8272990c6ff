//! Buttons: one with words, one that is an icon.

use eframe::egui::{Color32, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::key_hint::Cap;
use super::paint;
use crate::theme::fonts;
use crate::theme::icons::{self, Icon};
use crate::theme::style::{CONTROL, CONTROL_CORNER, STEP, TEXT};
use crate::theme::tokens::Palette;

/// The room at a button's ends, in points.
const ENDS: f32 = 10.0;
/// The room between icon, words and key, in points.
const GAP: f32 = 2.0 * STEP;
/// How far a key's ground on a button stands off the button's.
const CAP: f32 = 0.14;
/// How much is left of a colour where nothing can be pressed.
const DISABLED: f32 = 0.5;

/// How much a button asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The one thing that is asked for, on the accent.
    Primary,
    /// One of several things, on the ground of a control.
    Plain,
    /// Without ground until the pointer is on it.
    Quiet,
    /// Something that takes away.
    Danger,
}

/// A button with words. Its accessible name is the words.
#[must_use = "a button is drawn by its `show`"]
pub struct Button<'a> {
    label: &'a str,
    kind: Kind,
    icon: Option<Icon>,
    keys: Option<&'a str>,
    enabled: bool,
}

impl<'a> Button<'a> {
    /// One of several things, on the ground of a control.
    pub fn new(label: &'a str) -> Self {
        Self {
            label,
            kind: Kind::Plain,
            icon: None,
            keys: None,
            enabled: true,
        }
    }

    /// How much it asks for.
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = kind;
        self
    }

    /// With an icon before the words.
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icon = Some(icon);
        self
    }

    /// With the key that does the same, at the right.
    pub fn keys(mut self, keys: &'a str) -> Self {
        self.keys = Some(keys).filter(|keys| !keys.is_empty());
        self
    }

    /// Whether it can be pressed.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Draws it. The response says when it was clicked, or pressed by Enter or Space with the focus on it.
    pub fn show(self, ui: &mut Ui, palette: &Palette) -> Response {
        let enabled = self.enabled && ui.is_enabled();
        let (ground, full) = self.colours(palette);
        let color = dimmed(full, enabled);
        let cap = self.keys.map(|key| {
            let on = if self.kind == Kind::Quiet {
                palette.control
            } else {
                ground.lerp_to_gamma(full, CAP)
            };
            Cap::new(ui, key, color, dimmed(on, enabled))
        });
        let words = paint::layout(ui, self.label, fonts::text(TEXT), color);
        let icon_width = self.icon.map_or(0.0, |_| icons::SIZE + GAP - 2.0);
        let cap_width = cap.as_ref().map_or(0.0, |cap| GAP + cap.width());
        let width = 2.0 * ENDS + icon_width + words.size().x + cap_width;
        let sense = if enabled {
            Sense::click()
        } else {
            Sense::hover()
        };
        let (rect, response) = ui.allocate_exact_size(Vec2::new(width.ceil(), CONTROL), sense);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, self.label));
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let ground = match self.kind {
            Kind::Quiet => paint::quiet_ground(&response, palette),
            Kind::Primary => dimmed(primary_ground(ground, &response, palette), enabled),
            _ => paint::ground(ground, &response, palette),
        };
        ui.painter().rect_filled(rect, CONTROL_CORNER, ground);
        let middle = rect.center().y;
        let mut left = rect.left() + ENDS;
        if let Some(icon) = self.icon {
            let at = [left + icons::SIZE / 2.0, middle].into();
            paint::icon(ui, at, icon, icons::SIZE, color);
            left += icon_width;
        }
        let words_width = words.size().x;
        paint::text(ui.painter(), left, middle, TEXT, words);
        if let Some(cap) = cap {
            cap.paint(ui, left + words_width + GAP, middle);
        }
        paint::ring_outside(ui, &response, palette);
        response
    }

    fn colours(&self, palette: &Palette) -> (Color32, Color32) {
        match self.kind {
            Kind::Primary => (palette.accent, palette.on_accent),
            Kind::Plain => (palette.control, palette.text),
            Kind::Quiet => (Color32::TRANSPARENT, palette.text_dim),
            Kind::Danger => (palette.control, palette.bad),
        }
    }
}

/// The accent goes away from the words on it, so that they stay as clear as they were.
fn primary_ground(accent: Color32, response: &Response, palette: &Palette) -> Color32 {
    if response.is_pointer_button_down_on() || response.hovered() {
        let away = if palette.on_accent.intensity() < 0.5 {
            Color32::WHITE
        } else {
            Color32::BLACK
        };
        accent.lerp_to_gamma(away, 0.12)
    } else {
        accent
    }
}

fn dimmed(color: Color32, enabled: bool) -> Color32 {
    if enabled {
        color
    } else {
        color.gamma_multiply(DISABLED)
    }
}

/// A square button that is an icon, without ground until the pointer is on it. `name` is its accessible name
/// and its tooltip.
pub fn icon_button(
    ui: &mut Ui,
    palette: &Palette,
    icon: Icon,
    name: &str,
) -> Response {
    toggle_button(ui, palette, icon, name, false)
}

/// The same, for something that is switched; `active` marks it as switched on.
pub fn toggle_button(
    ui: &mut Ui,
    palette: &Palette,
    icon: Icon,
    name: &str,
    active: bool,
) -> Response {
    let enabled = ui.is_enabled();
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(CONTROL), Sense::click());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Button, enabled, name);
        info.selected = active.then_some(true);
        info
    });
    if ui.is_rect_visible(rect) {
        let ground = if active {
            palette.control
        } else {
            paint::quiet_ground(&response, palette)
        };
        let color = if active || response.hovered() || response.has_focus() {
            palette.text
        } else {
            palette.text_dim
        };
        ui.painter().rect_filled(rect, CONTROL_CORNER, ground);
        let color = dimmed(color, enabled);
        paint::icon(ui, rect.center(), icon, icons::SIZE, color);
        paint::ring_outside(ui, &response, palette);
    }
    response.on_hover_text(name)
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;

    use super::*;
    use crate::widgets::testing::{Stage, named};

    #[test]
    fn tab_and_enter_or_space_press_what_can_be_pressed() {
        let mut stage = Stage::new();
        let mut pressed = Vec::new();
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            for (name, enabled) in [("Off", false), ("Approve", true), ("Deny", true)] {
                let button = Button::new(name).keys("A").icon(Icon::Pencil);
                if button.enabled(enabled).show(ui, palette).clicked() {
                    pressed.push(name);
                }
            }
        };
        let tree = stage.frame(&[], &mut draw);
        assert_eq!(named(&tree, "Approve").role(), Role::Button);
        assert!(named(&tree, "Off").is_disabled());
        stage.frame(&[Key::Tab], &mut draw);
        stage.frame(&[Key::Enter], &mut draw);
        stage.frame(&[Key::Tab], &mut draw);
        stage.frame(&[Key::Space], &mut draw);
        assert_eq!(pressed, ["Approve", "Deny"]);
    }

    #[test]
    fn the_focus_is_seen() {
        let mut stage = Stage::new();
        let accent = stage.palette.accent;
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            icon_button(ui, palette, Icon::X, "Close");
        };
        stage.frame(&[], &mut draw);
        assert!(!stage.strokes().contains(&accent));
        let tree = stage.frame(&[Key::Tab], &mut draw);
        assert!(named(&tree, "Close").supports_action(eframe::egui::accesskit::Action::Click));
        stage.frame(&[], &mut draw);
        assert!(stage.strokes().contains(&accent));
    }
}
