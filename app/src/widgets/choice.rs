//! One of a few, side by side: all of them are seen, and one is chosen.

use eframe::egui::{Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo};

use super::paint;
use crate::theme::fonts;
use crate::theme::style::{CONTROL, CONTROL_CORNER, ROW, STEP};
use crate::theme::tokens::Palette;

/// The room at an option's ends, in points.
const ENDS: f32 = 10.0;

/// Draws the options in a row that wraps. `name` says what is chosen here: with it in front each option has its
/// accessible name. Gives the option that was chosen now, when it is another one.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    name: &str,
    options: &[&str],
    selected: Option<usize>,
) -> Option<usize> {
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::splat(STEP);
        for (place, option) in options.iter().enumerate() {
            let on = selected == Some(place);
            if draw(ui, palette, name, option, on) && !on {
                chosen = Some(place);
            }
        }
    });
    chosen
}

/// One option. Tells whether it was clicked.
fn draw(ui: &mut Ui, palette: &Palette, name: &str, option: &str, on: bool) -> bool {
    let enabled = ui.is_enabled();
    let mut color = if on { palette.text } else { palette.text_dim };
    let mut ground = if on {
        palette.accent_soft
    } else {
        palette.control
    };
    if !enabled {
        color = color.gamma_multiply(0.5);
        ground = ground.gamma_multiply(0.5);
    }
    let words = paint::layout(ui, option, fonts::text(ROW), color);
    let width = (words.size().x + 2.0 * ENDS).ceil();
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, CONTROL), Sense::click());
    let full = format!("{name}: {option}");
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, enabled, on, &full));
    let fill = paint::ground(ground, &response, palette);
    ui.painter().rect_filled(rect, CONTROL_CORNER, fill);
    if on && enabled {
        // Not by its ground alone, which some eyes can't tell from the others.
        let line = Stroke::new(1.0, palette.accent);
        ui.painter()
            .rect_stroke(rect, CONTROL_CORNER, line, StrokeKind::Inside);
    }
    paint::text(
        ui.painter(),
        rect.left() + ENDS,
        rect.center().y,
        ROW,
        words,
    );
    paint::ring_outside(ui, &response, palette);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;

    use super::*;
    use crate::widgets::testing::{Stage, named};

    #[test]
    fn an_option_is_chosen_by_click_or_key_and_the_chosen_one_is_told() {
        let mut stage = Stage::new();
        let mut at = Some(0);
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            if let Some(chosen) = super::ui(ui, palette, "Theme", &["System", "Dark"], at) {
                at = Some(chosen);
            }
        };
        let tree = stage.frame(&[], &mut draw);
        assert_eq!(named(&tree, "Theme: System").role(), Role::RadioButton);
        stage.click("Theme: Dark", &mut draw);
        stage.frame(&[Key::Tab], &mut draw);
        stage.frame(&[Key::Tab], &mut draw);
        assert_eq!(at, Some(1));
        let mut chosen = Vec::new();
        let mut stage = Stage::new();
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            chosen.extend(super::ui(
                ui,
                palette,
                "Theme",
                &["System", "Dark"],
                Some(0),
            ));
        };
        stage.frame(&[], &mut draw);
        stage.frame(&[Key::Tab], &mut draw);
        stage.frame(&[Key::Space], &mut draw);
        stage.frame(&[Key::Tab], &mut draw);
        stage.frame(&[Key::Space], &mut draw);
        assert_eq!(chosen, [1]);
    }
}
