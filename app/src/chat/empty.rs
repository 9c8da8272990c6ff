//! What stands where nothing has been said yet.

use eframe::egui::{Align, Label, Layout, RichText, Ui};

use wisp_engine::protocol::{Failure, FailureKind};

use super::end_card::show_card;
use super::view::in_column;
use super::words::title_of_failure;
use crate::commands::{Command, UiCommand};
use crate::i18n::fill;
use crate::state::Page;
use crate::state::sessions::OpenSession;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::{STEP, TEXT_LINE, TITLE};
use crate::widgets::button::{Button, Kind};
use crate::window::scene::Scene;

pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, width: f32) {
    let palette = scene.palette;
    let words = &scene.words.chat;
    let folder = match &scene.state.current {
        Some(id) => (scene.state.sessions.summary(id)).and_then(|summary| summary.folder.clone()),
        None => scene.state.new_folder.clone(),
    };
    ui.add_space((ui.available_height() * 0.3).max(16.0));
    in_column(ui, width.min(480.0), |ui| {
        ui.with_layout(Layout::top_down(Align::Center), |ui| {
            let title = RichText::new(words.empty_title)
                .font(fonts::semibold(TITLE))
                .color(palette.text);
            ui.label(title);
            let text = match &folder {
                Some(folder) => fill(
                    words.empty_folder,
                    &[("folder", &visible::folder_name(folder))],
                ),
                None => words.empty_no_folder.to_owned(),
            };
            let text = RichText::new(text)
                .color(palette.text_dim)
                .line_height(Some(TEXT_LINE));
            ui.add(Label::new(text).wrap().halign(Align::Center));
            ui.add_space(2.0 * STEP);
            // The folder of a session that is there stays; of a new one it can be chosen.
            if scene.state.current.is_none() {
                let label = if folder.is_some() {
                    words.change_folder
                } else {
                    words.choose_folder
                };
                let keys = scene.keys(Command::OpenFolder);
                let button = Button::new(label).icon(Icon::FolderOpen).keys(&keys);
                if button.show(ui, palette).clicked() {
                    scene.run(Command::OpenFolder);
                }
            }
        });
    });
}

/// A failure as a card in a column, with what can be done about it.
fn failure_card(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    failure: &Failure,
    before: Option<&str>,
    width: f32,
    actions: impl FnOnce(&mut Ui, &mut Scene<'_>),
) {
    in_column(ui, width, |ui| {
        let title = title_of_failure(scene.words, failure.kind);
        let body = visible::text(&failure.to_string());
        let lines: Vec<&str> = before.into_iter().chain([body.as_str()]).collect();
        let bad = scene.palette.bad;
        show_card(ui, scene, Icon::CircleAlert, bad, title, &lines, actions);
    });
}

/// A session whose events can't be read.
pub(super) fn failed(ui: &mut Ui, scene: &mut Scene<'_>, open: &OpenSession, width: f32) {
    if let Some(failure) = &open.failure {
        let before = scene.words.chat.reading_failed;
        failure_card(ui, scene, failure, Some(before), width, |_, _| {});
    }
}

/// The engine could not start.
pub(super) fn not_started(ui: &mut Ui, scene: &mut Scene<'_>, failure: &Failure, width: f32) {
    ui.add_space((ui.available_height() * 0.2).max(8.0));
    failure_card(ui, scene, failure, None, width.min(560.0), |ui, scene| {
        ui.horizontal(|ui| {
            let again = Button::new(scene.words.common.retry).icon(Icon::RefreshCw);
            if again.kind(Kind::Primary).show(ui, scene.palette).clicked() {
                scene.send(UiCommand::StartAgain);
            }
            let settings = Button::new(scene.words.card.open_settings);
            if failure.kind == FailureKind::Settings && settings.show(ui, scene.palette).clicked() {
                scene.send(UiCommand::Show(Page::Settings));
            }
        });
    });
}

/// The data folder takes nothing more.
pub(super) fn alarm(ui: &mut Ui, scene: &mut Scene<'_>, failure: &Failure, width: f32) {
    failure_card(ui, scene, failure, None, width, |_, _| {});
}
