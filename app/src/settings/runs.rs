//! How long a run may go on.

use eframe::egui::Ui;
use wisp_engine::MAX_STEPS;

use super::field::{Field, Rule};
use super::form::{hint, row, section};
use super::model::fixed_note;
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::window::scene::Scene;

/// The longest silence that can be set here, in seconds.
const MOST_IDLE: u64 = 3_600;
/// The most tries that can be set here.
const MOST_TRIES: u64 = 20;
/// The width of a number's field, in points.
const NUMBER: f32 = 88.0;

/// What is only on screen.
#[derive(Debug)]
pub(super) struct RunsView {
    steps: Field,
    idle: Field,
    tries: Field,
}

impl Default for RunsView {
    fn default() -> Self {
        Self {
            steps: Field::new("max_steps", Rule::Whole(1, MAX_STEPS.into())),
            idle: Field::new("idle_seconds", Rule::Whole(1, MOST_IDLE)),
            tries: Field::new("max_tries", Rule::Whole(1, MOST_TRIES)),
        }
    }
}

impl RunsView {
    pub(super) fn fields(&mut self) -> [&mut Field; 3] {
        [&mut self.steps, &mut self.idle, &mut self.tries]
    }
}

/// Draws the section.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut RunsView) {
    let words = &scene.words.settings;
    let info = &scene.state.settings;
    section(ui, scene, words.runs_section, |ui, scene| {
        let rows = [
            (
                &mut view.steps,
                (words.steps, words.steps_hint),
                (u64::from(info.max_steps), u64::from(MAX_STEPS)),
                None,
            ),
            (
                &mut view.idle,
                (words.idle, words.idle_hint),
                (info.idle_seconds, MOST_IDLE),
                Some("WISP_IDLE_SECONDS"),
            ),
            (
                &mut view.tries,
                (words.tries, words.tries_hint),
                (u64::from(info.max_tries), MOST_TRIES),
                None,
            ),
        ];
        for (field, (name, below), (value, most), variable) in rows {
            row(ui, scene, name, |ui, scene| {
                let fixed = variable.filter(|name| scene.state.settings.is_fixed(name));
                let change = ui
                    .add_enabled_ui(fixed.is_none(), |ui| {
                        field.show(ui, scene, name, NUMBER, &value.to_string())
                    })
                    .inner;
                if let Some(change) = change {
                    scene.send(UiCommand::ChangeSettings(vec![change]));
                }
                if let Some(variable) = fixed {
                    fixed_note(ui, scene, variable);
                } else {
                    let text = fill(below, &[("most", &most.to_string())]);
                    hint(ui, scene.palette, &text);
                }
            });
        }
    });
}
