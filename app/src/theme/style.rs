//! Sizes, spacing and egui's own style, made from the palette.

use eframe::egui::{
    Context, CornerRadius, FontFamily, FontId, Shadow, Stroke, Style, TextStyle, Theme, Visuals,
    style::WidgetVisuals,
};

use super::tokens::{Contrast, Palette};

/// Text, in points.
pub const TEXT: f32 = 14.0;
/// The line of text, in points.
pub const TEXT_LINE: f32 = 20.0;
/// Times, counts and hints, in points.
pub const META: f32 = 12.0;
/// A title, in points.
pub const TITLE: f32 = 20.0;
/// The line of a title, in points.
pub const TITLE_LINE: f32 = 28.0;
/// The rows of tools and lists, in points.
pub const ROW: f32 = 13.0;
/// The line of such a row, in points.
pub const ROW_LINE: f32 = 18.0;
/// Code, in points.
pub const CODE: f32 = 13.0;
/// The line of code, in points.
pub const CODE_LINE: f32 = 19.0;
/// The height of a button or a field of one line, in points.
pub const CONTROL: f32 = 28.0;
/// The widest column of text to read, in points.
pub const COLUMN: f32 = 760.0;
/// The step of all spacing, in points.
pub const STEP: f32 = 4.0;
/// The corner of a control, in points.
pub const CONTROL_CORNER: u8 = 6;
/// The corner of a card, in points.
pub const CARD_CORNER: u8 = 10;

/// The longest motion, in seconds.
const MOTION: f32 = 0.12;

/// How the person wants the window to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// How far text stands out.
    pub contrast: Contrast,
    /// Whether things move at all.
    pub still: bool,
}

/// Both palettes, so that a change of the system's theme costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Palettes {
    dark: Palette,
    light: Palette,
}

impl Palettes {
    /// Reads both.
    pub fn read(contrast: Contrast) -> anyhow::Result<Self> {
        Ok(Self {
            dark: Palette::read(Theme::Dark, contrast)?,
            light: Palette::read(Theme::Light, contrast)?,
        })
    }

    /// The colours of this theme.
    pub fn of(&self, theme: Theme) -> &Palette {
        match theme {
            Theme::Dark => &self.dark,
            Theme::Light => &self.light,
        }
    }

    /// Gives egui the look of both themes.
    pub fn apply(&self, context: &Context, look: Look) {
        for theme in [Theme::Dark, Theme::Light] {
            context.set_style_of(theme, style(theme, self.of(theme), look));
        }
    }
}

fn style(theme: Theme, palette: &Palette, look: Look) -> Style {
    let proportional = |size| FontId::new(size, FontFamily::Proportional);
    let mut style = Style {
        visuals: visuals(theme, palette),
        animation_time: if look.still { 0.0 } else { MOTION },
        ..Style::default()
    };
    style.text_styles = [
        (TextStyle::Small, proportional(META)),
        (TextStyle::Body, proportional(TEXT)),
        (TextStyle::Button, proportional(TEXT)),
        (TextStyle::Heading, proportional(TITLE)),
        (
            TextStyle::Monospace,
            FontId::new(CODE, FontFamily::Monospace),
        ),
    ]
    .into();
    style.spacing.item_spacing = [2.0 * STEP, 2.0 * STEP].into();
    style.spacing.button_padding = [3.0 * STEP, STEP].into();
    // What is shorter than it was ends where it ends: it doesn't swing, which would be a jump that nobody made.
    style.spacing.scroll.kinetic.rubber_band = false;
    style.interaction.selectable_labels = false;
    style
}

fn visuals(theme: Theme, palette: &Palette) -> Visuals {
    let mut visuals = theme.default_visuals();
    visuals.panel_fill = palette.window;
    visuals.window_fill = palette.card;
    visuals.window_stroke = Stroke::new(1.0, palette.line);
    visuals.window_corner_radius = CornerRadius::same(CARD_CORNER);
    visuals.menu_corner_radius = CornerRadius::same(CARD_CORNER);
    visuals.window_shadow = Shadow::NONE;
    visuals.extreme_bg_color = palette.field;
    visuals.text_edit_bg_color = Some(palette.field);
    visuals.faint_bg_color = palette.sidebar;
    visuals.code_bg_color = palette.code;
    visuals.hyperlink_color = palette.accent;
    visuals.warn_fg_color = palette.attention;
    visuals.error_fg_color = palette.bad;
    visuals.weak_text_color = Some(palette.text_dim);
    // A cursor that blinks draws the whole window twice a second for as long as nobody does anything.
    visuals.text_cursor.blink = false;
    visuals.selection.bg_fill = palette.accent_soft;
    visuals.selection.stroke = Stroke::new(1.0, palette.accent);
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        *widget = control(palette);
    }
    widgets.noninteractive.bg_fill = palette.window;
    widgets.noninteractive.weak_bg_fill = palette.window;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, palette.line);
    widgets.hovered.bg_stroke = Stroke::new(1.0, palette.line);
    widgets.active.bg_stroke = Stroke::new(1.0, palette.accent);
    visuals
}

fn control(palette: &Palette) -> WidgetVisuals {
    WidgetVisuals {
        bg_fill: palette.control,
        weak_bg_fill: palette.control,
        bg_stroke: Stroke::NONE,
        corner_radius: CornerRadius::same(CONTROL_CORNER),
        fg_stroke: Stroke::new(1.0, palette.text),
        expansion: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_theme_gets_its_own_ground() {
        let palettes = Palettes::read(Contrast::Normal).unwrap();
        let context = Context::default();
        palettes.apply(&context, Look::default());
        for theme in [Theme::Dark, Theme::Light] {
            let ground = context.style_of(theme).visuals.panel_fill;
            assert_eq!(ground, palettes.of(theme).window);
        }
        assert_ne!(palettes.of(Theme::Dark), palettes.of(Theme::Light));
    }
}
