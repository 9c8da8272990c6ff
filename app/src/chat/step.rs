//! A step's line, its calls' lines, and what goes on right now.

use eframe::egui::{
    Align, Color32, Label, Layout, Rect, Response, RichText, Role, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, WidgetInfo, pos2, vec2,
};
use wisp_engine::protocol::CallStatus;

use super::opener;
use super::words::{span, standing, waited};
use crate::commands::UiCommand;
use crate::i18n::{count, fill};
use crate::state::folds::FoldKey;
use crate::state::transcript::{Call, CallState, Phase, Run, Step, StepState};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon, of_tool};
use crate::theme::style::{CONTROL_CORNER, META, ROW, STEP};
use crate::window::scene::{Scene, again_in};

/// The height of a step's and a call's line, in points.
const LINE: f32 = 28.0;
/// How far calls stand in from the step, in points.
const INDENT: f32 = 24.0;
/// Tools named in a step's line; more are counted.
const NAMED: usize = 4;

/// A line that can be pressed, over the whole width. Gives its response and the place to draw in.
fn pressable(ui: &mut Ui, scene: &Scene<'_>, name: &str, open: bool) -> (Response, Ui) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, open, name));
    if response.hovered() || response.has_focus() {
        let ground = rect.expand2(vec2(6.0, 0.0));
        ui.painter()
            .rect_filled(ground, CONTROL_CORNER, scene.palette.field);
    }
    if response.has_focus() {
        let ring = Stroke::new(1.5, scene.palette.accent);
        let ground = rect.expand2(vec2(6.0, 0.0));
        ui.painter()
            .rect_stroke(ground, CONTROL_CORNER, ring, StrokeKind::Inside);
    }
    let inner = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .layout(Layout::left_to_right(Align::Center)),
    );
    (response, inner)
}

/// A step's line: its number, its tools, its time, its outcome.
pub(super) fn line(ui: &mut Ui, scene: &mut Scene<'_>, run: &Run, step: &Step) {
    let palette = scene.palette;
    let words = &scene.words.chat;
    let state = step.state(!run.is_running());
    let open = scene.state.folds.step_is_open(&run.id, step.number, state);
    let title = match (step.number, run.text.is_empty()) {
        (0, true) => words.single_call.to_owned(),
        (0, false) => words.earlier_process.to_owned(),
        (number, _) => fill(words.step, &[("n", &number.to_string())]),
    };
    let what = summary(scene, step, state);
    let (response, mut line) = pressable(ui, scene, &format!("{title}, {what}"), open);
    let ui = &mut line;
    ui.spacing_mut().item_spacing.x = 8.0;
    let chevron = if open {
        Icon::ChevronDown
    } else {
        Icon::ChevronRight
    };
    ui.label(icon(chevron, 14.0, palette.text_faint));
    let colour = if open { palette.text } else { palette.text_dim };
    let mut title = RichText::new(title).color(colour);
    if open {
        title = title.font(fonts::semibold(ROW + 1.0));
    }
    ui.label(title);
    let (mark, colour) = match state {
        StepState::Well => (Some(Icon::Check), palette.good),
        StepState::Trouble => (Some(Icon::TriangleAlert), palette.attention),
        StepState::Stopped => (Some(Icon::Square), palette.text_faint),
        StepState::Running | StepState::Asking => (None, palette.text_dim),
    };
    let text = RichText::new(what).size(ROW).color(palette.text_dim);
    ui.add(Label::new(text).truncate());
    if let Some(mark) = mark {
        ui.label(icon(mark, 14.0, colour));
    }
    if response.clicked() {
        let key = FoldKey::Step(run.id.clone(), step.number);
        scene.send(UiCommand::Fold(key, !open));
    }
}

/// What a step did or does, in a few words.
fn summary(scene: &Scene<'_>, step: &Step, state: StepState) -> String {
    let words = &scene.words.chat;
    if let (Phase::Calling(tool), true) = (&step.phase, step.calls.is_empty()) {
        return fill(words.calling, &[("tool", &visible::line(tool))]);
    }
    let mut names: Vec<&str> = Vec::new();
    for call in &step.calls {
        if !names.contains(&call.tool.as_str()) {
            names.push(&call.tool);
        }
        if names.len() > NAMED {
            break;
        }
    }
    let tools = if names.len() > NAMED || step.calls.len() > 2 * NAMED {
        count(words.tools_one, words.tools_many, step.calls.len())
    } else {
        visible::line(&names.join(", "))
    };
    match state {
        StepState::Asking => format!("{tools} · {}", words.waits_for_you),
        StepState::Running => format!("{tools} · {}", words.running),
        _ => format!("{tools} · {}", span(scene.words, step.total_millis())),
    }
}

/// A call's line: its tool, what it works on, how it stands.
pub(super) fn call(ui: &mut Ui, scene: &mut Scene<'_>, run: &Run, step: &Step, call: &Call) {
    let palette = scene.palette;
    let open = scene.state.folds.call_is_open(run, step, call);
    let subject = &call.subject;
    let stands = match &call.state {
        CallState::Running(since) => {
            again_in(ui.ctx(), 1.0);
            format!(
                "{} {}",
                standing(scene.words, call),
                waited(scene.words, *since, scene.today)
            )
        }
        _ => standing(scene.words, call),
    };
    indented(ui, scene, |ui, scene| {
        let name = format!("{} {subject}, {stands}", call.tool);
        let (response, mut line) = pressable(ui, scene, &name, open);
        let ui = &mut line;
        ui.spacing_mut().item_spacing.x = 8.0;
        let colour = colour_of(scene, call);
        ui.label(icon(of_tool(&call.tool), 15.0, palette.text_dim));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(stands).size(META).color(colour));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let tool = visible::line(&call.tool);
                ui.label(RichText::new(tool).color(palette.text));
                if let Some(opens) = call.opened() {
                    opener::subject(ui, scene, subject, opens);
                } else {
                    let text = RichText::new(subject)
                        .font(fonts::mono())
                        .color(palette.text_dim);
                    ui.add(Label::new(text).truncate());
                }
            });
        });
        if response.clicked() {
            let key = FoldKey::Call(run.id.clone(), step.number, call.id.clone());
            scene.send(UiCommand::Fold(key, !open));
        }
        0.0
    });
}

fn colour_of(scene: &Scene<'_>, call: &Call) -> Color32 {
    let palette = scene.palette;
    match &call.state {
        CallState::Asking(_) => palette.attention,
        CallState::Ended(report) => match report.status {
            CallStatus::Done => palette.text_dim,
            CallStatus::Failed => palette.bad,
            CallStatus::Denied | CallStatus::Cancelled | CallStatus::Unknown => palette.attention,
        },
        _ => palette.text_dim,
    }
}

/// Draws inside a step: set in, with a thin line at the left.
pub(super) fn indented(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    add: impl FnOnce(&mut Ui, &mut Scene<'_>) -> f32,
) -> f32 {
    let top = ui.cursor().top();
    let left = ui.max_rect().left();
    let rect = Rect::from_min_max(
        pos2(left + INDENT, top),
        pos2(ui.max_rect().right(), f32::INFINITY),
    );
    let mut inner = ui.new_child(
        UiBuilder::new()
            .max_rect(rect)
            .layout(Layout::top_down(Align::Min)),
    );
    let given = add(&mut inner, scene);
    let bottom = inner.min_rect().bottom();
    let line = Stroke::new(1.0, scene.palette.line);
    ui.painter().vline(left + 7.0, top..=bottom, line);
    ui.advance_cursor_after_rect(Rect::from_min_max(
        pos2(left, top),
        pos2(ui.max_rect().right(), bottom),
    ));
    given
}

/// What the model is at, below the last step.
pub(super) fn status(ui: &mut Ui, scene: &mut Scene<'_>, run: &Run) {
    let palette = scene.palette;
    let words = &scene.words.chat;
    let phase = run
        .steps
        .last()
        .map_or(Phase::Asked, |step| step.phase.clone());
    let since = run.steps.last().map_or(run.at, |step| step.at);
    let (text, colour) = match &phase {
        Phase::Asked => (words.asked.to_owned(), palette.text_dim),
        Phase::Thinking => (words.thinking.to_owned(), palette.text_dim),
        // The text itself is the sign of life.
        Phase::Writing | Phase::Done => (words.writing.to_owned(), palette.text_faint),
        Phase::Calling(tool) => (
            fill(words.calling, &[("tool", &visible::line(tool))]),
            palette.text_dim,
        ),
        Phase::Waiting(seconds) => (
            fill(words.waiting, &[("n", &seconds.to_string())]),
            palette.attention,
        ),
        Phase::Retrying {
            attempt,
            wait_millis,
            failure,
        } => (
            fill(
                words.retrying,
                &[
                    ("n", &attempt.to_string()),
                    ("s", &wait_millis.div_ceil(1_000).to_string()),
                    (
                        "why",
                        super::words::title_of_failure(scene.words, failure.kind),
                    ),
                ],
            ),
            palette.attention,
        ),
    };
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), LINE),
        Layout::left_to_right(Align::Center),
        |ui| {
            ui.set_min_height(LINE);
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.label(icon(Icon::Ellipsis, 14.0, palette.text_faint));
            ui.label(RichText::new(text).size(ROW).color(colour));
            let millis = scene.today.saturating_sub(since);
            if millis >= 1_000 && !matches!(phase, Phase::Waiting(_)) {
                let time = waited(scene.words, since, scene.today);
                ui.label(RichText::new(time).size(META).color(palette.text_faint));
            }
        },
    );
    ui.add_space(STEP);
    again_in(ui.ctx(), 1.0);
}
