//! Small parts that several places of the panel share.

use eframe::egui::{CornerRadius, Frame, Label, Margin, RichText, Stroke, Ui};
use wisp_qa::Scenario;

use crate::commands::{QaCommand, UiCommand};
use crate::state::EngineState;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, META, ROW, TEXT, TEXT_LINE, TITLE};
use crate::widgets::button::{Button, Kind as ButtonKind};
use crate::window::scene::Scene;

/// The two kinds of entries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The real engine against the scripted model.
    Live,
    /// Drawn from memory.
    Sample,
}

impl Kind {
    pub(super) fn icon(self) -> Icon {
        match self {
            Self::Live => Icon::Zap,
            Self::Sample => Icon::Layers,
        }
    }
}

/// What kind it is: an icon and a word in the kind's colour.
pub(super) fn badge(ui: &mut Ui, scene: &Scene<'_>, kind: Kind) {
    let words = &scene.words.qa;
    let (colour, word) = match kind {
        Kind::Live => (scene.palette.accent, words.live),
        Kind::Sample => (scene.palette.attention, words.sample),
    };
    Frame::new()
        .stroke(Stroke::new(1.0, colour))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .inner_margin(Margin::symmetric(8, 2))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 5.0;
                ui.label(icon(kind.icon(), 12.0, colour));
                ui.label(RichText::new(word).size(META).color(colour));
            });
        });
}

/// The title of a page.
pub(super) fn title(ui: &mut Ui, scene: &Scene<'_>, text: &str) {
    let text = RichText::new(text)
        .font(fonts::semibold(TITLE))
        .color(scene.palette.text);
    ui.add(Label::new(text).wrap());
}

/// The heading of a part.
pub(super) fn heading(ui: &mut Ui, scene: &Scene<'_>, text: &str) {
    ui.add_space(8.0);
    ui.label(
        RichText::new(text)
            .font(fonts::semibold(TEXT))
            .color(scene.palette.text),
    );
}

/// A quiet line.
pub(super) fn line(ui: &mut Ui, scene: &Scene<'_>, text: &str) {
    let text = RichText::new(visible::text(text))
        .size(ROW)
        .color(scene.palette.text_dim);
    ui.add(Label::new(text).wrap().selectable(true));
}

/// Code or paths on a ground of their own.
pub(super) fn code(ui: &mut Ui, scene: &Scene<'_>, text: &str) {
    Frame::new()
        .fill(scene.palette.code)
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            let text = RichText::new(visible::text(text))
                .font(fonts::mono())
                .color(scene.palette.text);
            ui.add(Label::new(text).wrap().selectable(true));
        });
}

/// Says that live scenarios need the simulation, while it does not run. Tells whether it runs.
pub(super) fn needs_simulation(ui: &mut Ui, scene: &mut Scene<'_>) -> bool {
    let words = &scene.words.qa;
    match &scene.state.engine {
        EngineState::Simulated => return true,
        EngineState::Starting => line(ui, scene, scene.words.chat.starting),
        EngineState::Ready | EngineState::Failed(_) => {
            let palette = scene.palette;
            ui.horizontal_wrapped(|ui| {
                ui.label(icon(Icon::Info, 16.0, palette.attention));
                let text = RichText::new(words.needs_simulation)
                    .color(palette.text)
                    .line_height(Some(TEXT_LINE));
                ui.add(Label::new(text).wrap());
            });
            let start = Button::new(words.start_simulation)
                .icon(Icon::FlaskConical)
                .kind(ButtonKind::Primary);
            if start.show(ui, palette).clicked() {
                scene.send(UiCommand::Qa(QaCommand::StartSimulation));
            }
        }
    }
    false
}

/// A live scenario's title in the panel's words: what it is called, and by which tag it is played.
pub(super) fn name_of(scenario: &Scenario) -> String {
    scenario
        .tag
        .clone()
        .unwrap_or_else(|| scenario.name.clone())
}
