//! The list: every live scenario with its last result, and every sample.

use eframe::egui::{
    Align, CornerRadius, Id, Label, Layout, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind,
    Ui, UiBuilder, WidgetInfo, vec2,
};

use super::parts::{self, Kind};
use super::samples::SAMPLES;
use crate::commands::{QaCommand, UiCommand};
use crate::state::EngineState;
use crate::state::qa::{LiveResult, Shown};
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL_CORNER, META, ROW};
use crate::widgets::button::Button;
use crate::window::scene::Scene;

/// The height of a row, in points.
const ROW_HEIGHT: f32 = 28.0;

/// Draws it.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    ui.spacing_mut().item_spacing.y = 4.0;
    actions(ui, scene);
    ui.add_space(4.0);
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        head(ui, scene, Kind::Live);
        let scenarios: Vec<_> = (scene.state.qa.scenarios.iter())
            .map(|scenario| (scenario.name.clone(), scenario.title.clone()))
            .collect();
        for (name, title) in scenarios {
            live(ui, scene, &name, &title);
        }
        head(ui, scene, Kind::Sample);
        for sample in SAMPLES {
            let selected = scene.state.qa.shown == Shown::Sample(sample.key);
            let title = (sample.title)(&scene.words.qa);
            let hint = scene.words.qa.sample;
            if row(ui, scene, Kind::Sample, (title, hint), selected, None) {
                scene.send(UiCommand::Qa(QaCommand::Show(Shown::Sample(sample.key))));
            }
        }
        ui.add_space(8.0);
    });
}

/// What is done with all of them.
fn actions(ui: &mut Ui, scene: &mut Scene<'_>) {
    let words = &scene.words.qa;
    let qa = &scene.state.qa;
    let running = qa.is_running() || qa.is_batch();
    let can_export = !qa.results.is_empty() && !running;
    ui.horizontal(|ui| {
        if running {
            let stop = Button::new(words.stop).icon(Icon::Square);
            if stop.show(ui, scene.palette).clicked() {
                scene.send(UiCommand::Qa(QaCommand::Stop));
            }
        } else {
            let can = scene.state.engine == EngineState::Simulated;
            let all = Button::new(words.run_all).icon(Icon::Play).enabled(can);
            if all.show(ui, scene.palette).clicked() {
                scene.send(UiCommand::Qa(QaCommand::RunAll));
            }
        }
        let export = Button::new(words.export)
            .icon(Icon::FileDown)
            .enabled(can_export);
        if export.show(ui, scene.palette).clicked() {
            scene.send(UiCommand::Qa(QaCommand::Export));
        }
    });
}

fn head(ui: &mut Ui, scene: &Scene<'_>, kind: Kind) {
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.add_space(6.0);
        parts::badge(ui, scene, kind);
    });
    ui.add_space(4.0);
}

fn live(ui: &mut Ui, scene: &mut Scene<'_>, name: &str, title: &str) {
    let qa = &scene.state.qa;
    let current = qa.live.as_ref().filter(|_| qa.is_running());
    let running = current.is_some_and(|live| live.name == name);
    let mark = if running {
        Some((Icon::Loader, scene.palette.accent, scene.words.qa.running))
    } else {
        qa.results.get(name).map(|result| mark_of(scene, result))
    };
    let of_chat = qa.shown == Shown::Chat && qa.live.as_ref().is_some_and(|l| l.name == name);
    let selected = of_chat || qa.shown == Shown::Detail(name.to_owned());
    if row(ui, scene, Kind::Live, (name, title), selected, mark) {
        let shown = if running {
            Shown::Chat
        } else {
            Shown::Detail(name.to_owned())
        };
        scene.send(UiCommand::Qa(QaCommand::Show(shown)));
    }
}

/// How a result is shown: its icon, its colour, its word.
pub(super) fn mark_of(
    scene: &Scene<'_>,
    result: &LiveResult,
) -> (Icon, eframe::egui::Color32, &'static str) {
    if result.passed() {
        (Icon::Check, scene.palette.good, scene.words.qa.passed)
    } else {
        (Icon::X, scene.palette.bad, scene.words.qa.failed)
    }
}

/// One row: kind, name and what it shows when the pointer is over it, mark. Tells whether it was chosen.
fn row(
    ui: &mut Ui,
    scene: &Scene<'_>,
    kind: Kind,
    (name, hint): (&str, &str),
    selected: bool,
    mark: Option<(Icon, eframe::egui::Color32, &str)>,
) -> bool {
    let palette = scene.palette;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let said = match mark {
        Some((_, _, word)) => format!("{name}, {hint}, {word}"),
        None => format!("{name}, {hint}"),
    };
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, selected, &said));
    let corner = CornerRadius::same(CONTROL_CORNER);
    if selected {
        ui.painter().rect_filled(rect, corner, palette.control);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, corner, palette.field);
    }
    if response.has_focus() {
        let ring = Stroke::new(1.5, palette.accent);
        ui.painter()
            .rect_stroke(rect, corner, ring, StrokeKind::Inside);
    }
    let mut line = ui.new_child(
        UiBuilder::new()
            .id_salt(Id::unique(("qa-row", name)))
            .max_rect(rect.shrink2(vec2(8.0, 0.0)))
            .layout(Layout::right_to_left(Align::Center)),
    );
    if let Some((mark, colour, _)) = mark {
        line.label(icon(mark, 14.0, colour));
    }
    line.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let colour = match kind {
            Kind::Live => palette.accent,
            Kind::Sample => palette.attention,
        };
        ui.label(icon(kind.icon(), META, colour));
        let colour = if selected {
            palette.text
        } else {
            palette.text_dim
        };
        ui.add(Label::new(RichText::new(name).size(ROW).color(colour)).truncate());
    });
    // A sample's name says all; a scenario's title says more than its name.
    let response = match kind {
        Kind::Live => response.on_hover_text(hint),
        Kind::Sample => response,
    };
    response.clicked()
}
