//! A settings file that makes no sense: what is wrong, where it is, and what can be done.

use eframe::egui::Ui;
use wisp_engine::protocol::{Failure, FailureKind};

use crate::chat::show_card;
use crate::commands::UiCommand;
use crate::state::EngineState;
use crate::text::visible;
use crate::theme::icons::Icon;
use crate::widgets::button::{Button, Kind};
use crate::window::scene::Scene;

/// What is wrong with the file, if something is.
fn failure<'a>(scene: &'a Scene<'_>) -> Option<&'a Failure> {
    let stopped = match &scene.state.engine {
        EngineState::Failed(failure) if failure.kind == FailureKind::Settings => Some(failure),
        _ => None,
    };
    scene.state.settings.broken.as_ref().or(stopped)
}

/// Whether the file makes no sense.
pub(super) fn is_shown(scene: &Scene<'_>) -> bool {
    failure(scene).is_some()
}

/// Draws the card.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let Some(failure) = failure(scene) else {
        return;
    };
    let words = &scene.words.settings;
    let what = visible::text(&failure.to_string());
    let bad = scene.palette.bad;
    let simulated = scene.state.engine == EngineState::Simulated;
    show_card(
        ui,
        scene,
        Icon::FileWarning,
        bad,
        words.broken_title,
        &[&what, words.broken_text],
        |ui, scene| {
            let aside = Button::new(words.move_aside).kind(Kind::Primary);
            if aside.show(ui, scene.palette).clicked() {
                scene.send(UiCommand::MoveSettingsAside);
            }
            let again = Button::new(scene.words.common.retry).icon(Icon::RefreshCw);
            if again.show(ui, scene.palette).clicked() {
                // No change but a new reading is enough where an engine runs.
                scene.send(if simulated {
                    UiCommand::ChangeSettings(Vec::new())
                } else {
                    UiCommand::StartEngine { simulate: false }
                });
            }
        },
    );
}
