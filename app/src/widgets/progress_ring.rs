//! A ring that fills: how much of something is used.

use std::f32::consts::{FRAC_PI_2, TAU};

use eframe::egui::{Pos2, Response, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo};

use crate::theme::icons;
use crate::theme::tokens::Palette;

/// The ring's width, in points.
const WIDTH: f32 = 2.5;
/// Above this share it wants a look.
const MUCH: f32 = 0.8;
/// How many lines the whole ring is drawn with.
const LINES: u8 = 48;

/// Draws a ring of 16 points that is filled by `share`, from 0 to 1. `name` says what is measured.
pub fn ui(ui: &mut Ui, palette: &Palette, share: f32, name: &str) -> Response {
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(icons::SIZE), Sense::hover());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ProgressIndicator, true, name);
        info.value = Some(f64::from(share));
        info
    });
    let radius = (icons::SIZE - WIDTH) / 2.0 - 0.5;
    let painter = ui.painter();
    // The empty part must be seen on a card too.
    let empty = palette.line.lerp_to_gamma(palette.text_faint, 0.25);
    painter.circle_stroke(rect.center(), radius, Stroke::new(WIDTH, empty));
    let color = if share > MUCH {
        palette.attention
    } else {
        palette.accent
    };
    if share > 0.0 {
        let at = |part: f32| -> Pos2 {
            rect.center() + radius * Vec2::angled(part * share * TAU - FRAC_PI_2)
        };
        let points = (0..=LINES)
            .map(|line| at(f32::from(line) / f32::from(LINES)))
            .collect();
        painter.add(Shape::line(points, Stroke::new(WIDTH, color)));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::testing::{Stage, named};

    #[test]
    fn it_tells_its_share_and_keeps_it_within_bounds() {
        for (share, told) in [(0.5, 0.5), (7.0, 1.0), (f32::NAN, 0.0)] {
            let tree = Stage::new().frame(&[], |ui, palette| {
                super::ui(ui, palette, share, "Context");
            });
            let ring = named(&tree, "Context");
            assert_eq!(ring.role(), Role::ProgressIndicator);
            assert_eq!(ring.numeric_value(), Some(told));
        }
    }
}
