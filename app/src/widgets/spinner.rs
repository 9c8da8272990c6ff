//! Three dots that say that something goes on.

use std::time::Duration;

use eframe::egui::{Response, Role, Sense, Ui, Vec2, WidgetInfo};

use crate::theme::icons;
use crate::theme::tokens::Palette;

/// The time between two pictures: ten a second, which costs next to nothing.
const PICTURE: Duration = Duration::from_millis(100);
/// How many pictures a round takes.
const ROUND: f64 = 9.0;
/// A dot's radius, in points.
const DOT: f32 = 1.75;
/// The room between the dots' middles, in points.
const APART: f32 = 5.5;

/// Draws the dots in the place of an icon. They stand still where motion is off. `name` says what goes on.
pub fn ui(ui: &mut Ui, palette: &Palette, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(icons::SIZE), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::ProgressIndicator, true, name));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let moves = ui.style().animation_time > 0.0;
    let picture = if moves {
        ui.ctx().request_repaint_after(PICTURE);
        (ui.input(|input| input.time) / PICTURE.as_secs_f64()).rem_euclid(ROUND)
    } else {
        0.0
    };
    for (dot, place) in [(0.0, -1.0), (1.0, 0.0), (2.0, 1.0)] {
        let color = if moves {
            let share = bright((picture / 3.0 - dot).rem_euclid(3.0));
            palette.text_faint.gamma_multiply(share)
        } else {
            palette.text_faint
        };
        let at = rect.center() + Vec2::new(place * APART, 0.0);
        ui.painter().circle_filled(at, DOT, color);
    }
    response
}

/// How bright a dot is this long after its turn began, in turns.
fn bright(since: f64) -> f32 {
    const LEAST: f64 = 0.35;
    #[expect(clippy::cast_possible_truncation, reason = "a share of one")]
    let share = (1.0 - since.min(2.0) / 2.0)
        .max(0.0)
        .mul_add(1.0 - LEAST, LEAST) as f32;
    share
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::testing::{Stage, named};

    #[test]
    fn it_asks_for_ten_pictures_a_second_at_most_and_for_none_without_motion() {
        let mut stage = Stage::new();
        for still in [false, true] {
            let mut draw = |ui: &mut Ui, palette: &Palette| {
                if still {
                    ui.style_mut().animation_time = 0.0;
                }
                super::ui(ui, palette, "Running");
            };
            for _ in 0..3 {
                let tree = stage.frame(&[], &mut draw);
                named(&tree, "Running");
            }
            let wanted = if still { Duration::MAX } else { PICTURE };
            assert_eq!(stage.repaint_after, wanted, "still: {still}");
        }
    }
}
