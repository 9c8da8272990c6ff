//! The requests of a session as ticks at the right edge: hover lists them, a click scrolls.

use eframe::egui::{
    CornerRadius, CursorIcon, Id, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2,
};

use crate::commands::UiCommand;
use crate::state::sessions::OpenSession;
use crate::text::visible;
use crate::theme::style::ROW;
use crate::window::scene::Scene;

/// The distance between two ticks, in points.
const PITCH: f32 = 9.0;
/// Ticks at most; of more runs every second, third… has one.
const MOST: usize = 40;
/// Characters of a request in the list.
const SHOWN: usize = 60;

pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    open: &OpenSession,
    in_view: Option<usize>,
    area: Rect,
) {
    let runs = &open.transcript.runs;
    if runs.len() < 2 {
        return;
    }
    let every = runs.len().div_ceil(MOST);
    let ticks: Vec<usize> = (0..runs.len()).step_by(every).collect();
    #[expect(clippy::cast_precision_loss, reason = "at most a few dozen")]
    let height = ticks.len() as f32 * PITCH;
    let mut y = area.center().y - height / 2.0;
    let right = area.right() - 6.0;
    for at in ticks {
        let Some(run) = runs.get(at) else {
            continue;
        };
        let rect = Rect::from_min_max(pos2(right - 18.0, y), pos2(right, y + PITCH));
        let response = ui.interact(rect, Id::unique(("tick", &run.id)), Sense::click());
        let first = run.text.lines().next().unwrap_or_default();
        let mut name: String = visible::line(&first.chars().take(SHOWN).collect::<String>());
        if name.is_empty() {
            scene.words.chat.single_call.clone_into(&mut name);
        }
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let current = in_view.is_some_and(|shown| (at..at + every).contains(&shown));
        let lit = current || response.hovered() || response.has_focus();
        let colour = if lit {
            scene.palette.text
        } else {
            scene.palette.text_faint
        };
        let length = if lit { 14.0 } else { 10.0 };
        let tick = Rect::from_min_size(
            pos2(right - length, y + PITCH / 2.0 - 1.0),
            vec2(length, 2.0),
        );
        ui.painter()
            .rect_filled(tick, CornerRadius::same(1), colour);
        if response.clicked() {
            scene.send(UiCommand::ScrollToRun(run.id.clone()));
        }
        response
            .on_hover_cursor(CursorIcon::PointingHand)
            .on_hover_ui(|ui| {
                ui.set_max_width(360.0);
                for (place, run) in runs.iter().enumerate().skip(at.saturating_sub(3)).take(7) {
                    let first = run.text.lines().next().unwrap_or_default();
                    let text = visible::line(&first.chars().take(SHOWN).collect::<String>());
                    let colour = if place == at {
                        scene.palette.text
                    } else {
                        scene.palette.text_dim
                    };
                    ui.label(RichText::new(text).size(ROW).color(colour));
                }
            });
        y += PITCH;
    }
}
