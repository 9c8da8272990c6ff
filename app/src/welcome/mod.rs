//! The first look: try the simulation, or connect a model.

use eframe::egui::{CornerRadius, Frame, Label, Margin, RichText, Stroke, Ui};

use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::settings;
use crate::state::{EngineState, Page};
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, META, STEP, TEXT, TEXT_LINE};
use crate::widgets::button::{Button, Kind};
use crate::window::page;
use crate::window::scene::Scene;

/// What is only on screen.
#[derive(Debug, Default)]
pub struct WelcomeView {
    /// Whether the first choice has had the focus given to it.
    focused: bool,
}

/// Draws it.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut WelcomeView) {
    let words = &scene.words.welcome;
    let simulated = scene.state.engine == EngineState::Simulated;
    let (title, what) = if simulated {
        (words.running_title, words.running_text)
    } else {
        (words.title, words.what)
    };
    page::show(ui, scene, title, |ui, scene| {
        let text = RichText::new(what)
            .color(scene.palette.text_dim)
            .line_height(Some(TEXT_LINE));
        ui.add(Label::new(text).wrap());
        ui.add_space(4.0 * STEP);
        let (name, text) = if simulated {
            (words.go_on, words.go_on_text)
        } else {
            (words.simulate, words.simulate_text)
        };
        let button = choice(ui, scene, Icon::FlaskConical, name, text, Kind::Primary);
        if !std::mem::replace(&mut view.focused, true) {
            button.request_focus();
        }
        if button.clicked() {
            scene.send(if simulated {
                UiCommand::Show(Page::Chat)
            } else {
                UiCommand::StartEngine { simulate: true }
            });
        }
        ui.add_space(2.0 * STEP);
        model(ui, scene, simulated);
        ui.add_space(6.0 * STEP);
        let label = |ui: &mut Ui, scene: &Scene<'_>, text: &str| {
            ui.label(
                RichText::new(text)
                    .size(META)
                    .color(scene.palette.text_faint),
            );
        };
        label(ui, scene, scene.words.settings.language);
        settings::language(ui, scene);
        ui.add_space(STEP);
        label(ui, scene, scene.words.settings.theme);
        settings::theme(ui, scene);
    });
}

/// The way to a real model: the settings, or straight on when they are made.
fn model(ui: &mut Ui, scene: &mut Scene<'_>, simulated: bool) {
    let words = &scene.words.welcome;
    let info = &scene.state.settings;
    let usable = info.is_usable();
    let text = match &info.host {
        Some(host) if usable => fill(words.model_ready, &[("model", &info.model), ("host", host)]),
        _ => words.model_text.to_owned(),
    };
    let name = if simulated { words.leave } else { words.model };
    if choice(ui, scene, Icon::KeyRound, name, &text, Kind::Plain).clicked() {
        if usable || simulated {
            scene.send(UiCommand::StartEngine { simulate: false });
        }
        if !usable {
            scene.send(UiCommand::Show(Page::Settings));
        }
    }
}

/// A choice: its mark, its name as a button, what it means.
fn choice(
    ui: &mut Ui,
    scene: &Scene<'_>,
    mark: Icon,
    name: &str,
    text: &str,
    kind: Kind,
) -> eframe::egui::Response {
    let palette = scene.palette;
    Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(1.0, palette.line))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .inner_margin(Margin::same(16))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal(|ui| {
                ui.label(icon(mark, 18.0, palette.text_dim));
                ui.label(
                    RichText::new(name)
                        .font(fonts::semibold(TEXT))
                        .color(palette.text),
                );
            });
            let text = RichText::new(text)
                .color(palette.text_dim)
                .line_height(Some(TEXT_LINE));
            ui.add(Label::new(text).wrap());
            ui.add_space(STEP);
            Button::new(name).kind(kind).show(ui, palette)
        })
        .inner
}
