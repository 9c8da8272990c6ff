//! A live scenario before and after: what it asks, what it works on, what is expected, what was seen.

use eframe::egui::{RichText, Ui};
use wisp_qa::{ExpectedCall, Scenario, WorkspaceEntry};

use super::parts::{self, Kind};
use super::table;
use crate::commands::{QaCommand, UiCommand};
use crate::i18n::fill;
use crate::state::qa::Shown;
use crate::theme::icons::Icon;
use crate::theme::style::ROW;
use crate::widgets::button::{Button, Kind as ButtonKind};
use crate::window::scene::Scene;

/// Draws it.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, name: &str) {
    let Some(scenario) = scene.state.qa.scenario(name).cloned() else {
        return;
    };
    let words = &scene.words.qa;
    ui.horizontal(|ui| {
        parts::badge(ui, scene, Kind::Live);
        let text = RichText::new(parts::name_of(&scenario)).size(ROW);
        ui.label(text.color(scene.palette.text_faint));
    });
    parts::title(ui, scene, &scenario.title);
    if parts::needs_simulation(ui, scene) {
        actions(ui, scene, name);
    }
    if let Some(result) = scene.state.qa.results.get(name).cloned() {
        table::show(ui, scene, &result);
    }
    parts::heading(ui, scene, words.prompt);
    parts::code(ui, scene, &scenario.prompt);
    parts::heading(ui, scene, words.files);
    files(ui, scene, &scenario);
    parts::heading(ui, scene, words.expected);
    expected(ui, scene, &scenario);
}

fn actions(ui: &mut Ui, scene: &mut Scene<'_>, name: &str) {
    let words = &scene.words.qa;
    let palette = scene.palette;
    let free = !scene.state.qa.is_running();
    ui.horizontal_wrapped(|ui| {
        let run = Button::new(words.run)
            .icon(Icon::Play)
            .kind(ButtonKind::Primary)
            .enabled(free);
        let mut by_itself = None;
        if run.show(ui, palette).clicked() {
            by_itself = Some(false);
        }
        let itself = Button::new(words.run_by_itself).enabled(free);
        if itself.show(ui, palette).clicked() {
            by_itself = Some(true);
        }
        if let Some(by_itself) = by_itself {
            let name = name.to_owned();
            scene.send(UiCommand::Qa(QaCommand::Run { name, by_itself }));
        }
        let last = scene.state.qa.live.as_ref();
        let has_chat = last.is_some_and(|live| live.name == name && live.session.is_some());
        if has_chat && Button::new(words.show_chat).show(ui, palette).clicked() {
            scene.send(UiCommand::Qa(QaCommand::Show(Shown::Chat)));
        }
    });
}

fn files(ui: &mut Ui, scene: &Scene<'_>, scenario: &Scenario) {
    let Some(text) = &scenario.workspace else {
        parts::line(ui, scene, scene.words.common.no_folder);
        return;
    };
    // A built-in scenario's workspace parses; a test holds that.
    let entries = wisp_qa::parse_workspace(text).unwrap_or_default();
    let lines: Vec<String> = entries.iter().map(entry).collect();
    parts::code(ui, scene, &lines.join("\n"));
}

fn entry(entry: &WorkspaceEntry) -> String {
    match &entry.content {
        Some(content) => format!("{}  {} B", entry.path, content.len()),
        None => format!("{}/", entry.path),
    }
}

fn expected(ui: &mut Ui, scene: &Scene<'_>, scenario: &Scenario) {
    let words = &scene.words.qa;
    let wanted = &scenario.expect;
    let mut outcome = wanted.outcome.name().to_owned();
    if let Some(failure) = wanted.failure {
        outcome = format!("{outcome}: {failure:?}");
    }
    parts::line(
        ui,
        scene,
        &fill(words.expect_outcome, &[("outcome", &outcome)]),
    );
    let requests = wanted.requests.to_string();
    parts::line(ui, scene, &fill(words.expect_requests, &[("n", &requests)]));
    if !wanted.calls.is_empty() {
        let calls: Vec<String> = wanted.calls.iter().map(call).collect();
        let calls = calls.join(", ");
        parts::line(ui, scene, &fill(words.expect_calls, &[("calls", &calls)]));
    }
    for part in &wanted.answer {
        parts::line(ui, scene, &fill(words.expect_answer, &[("text", part)]));
    }
    let after = &wanted.approved;
    let written = after.files.keys().chain(&after.folders);
    let changes: Vec<String> = written
        .map(|path| format!("+ {path}"))
        .chain(after.gone.iter().map(|path| format!("− {path}")))
        .collect();
    if !changes.is_empty() {
        let changes = changes.join(", ");
        parts::line(ui, scene, &fill(words.expect_files, &[("files", &changes)]));
    }
}

fn call(call: &ExpectedCall) -> String {
    if call.times > 1 {
        format!("{} ×{}", call.tool, call.times)
    } else {
        call.tool.clone()
    }
}
