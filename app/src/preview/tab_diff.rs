//! What a call has changed in a file, in full.

use eframe::egui::{Align, Frame, Id, Label, Layout, RichText, Ui};
use wisp_engine::protocol::TabId;

use super::view::PreviewView;
use super::{file_bar, message};
use crate::commands::{TabCommand, UiCommand};
use crate::i18n::fill;
use crate::state::opens::replaced;
use crate::state::tabs::DiffTab;
use crate::state::transcript::Call;
use crate::text::diff::DiffCell;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::STEP;
use crate::widgets::button::icon_button;
use crate::widgets::diff_view;
use crate::window::scene::Scene;

/// Draws it.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut PreviewView,
    id: &TabId,
    tab: &DiffTab,
) {
    let context = ui.ctx().clone();
    let diff = view.diffs.entry(id.clone()).or_insert_with(|| {
        let (old, new) = replaced(&find(scene, tab)?.arguments)?;
        let wake = move || context.request_repaint();
        // Pieces of lines: that they end without a line end says nothing.
        Some(DiffCell::new(
            format!("{old}\n"),
            format!("{new}\n"),
            1,
            wake,
        ))
    });
    let (palette, words) = (scene.palette, scene.words);
    let shown = diff.as_ref().and_then(DiffCell::get);
    file_bar::line(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = STEP;
            let path = visible::line(&tab.path);
            let open = fill(words.preview.open_file, &[("path", &path)]);
            if icon_button(ui, palette, Icon::FileText, &open).clicked() {
                scene.send(UiCommand::Tab(TabCommand::OpenFile {
                    path: tab.path.clone(),
                    line: None,
                }));
            }
            if let Some(diff) = shown {
                diff_view::badge(ui, palette, words, diff.added, diff.removed);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(path)
                    .font(fonts::mono())
                    .color(palette.text_dim);
                ui.add(Label::new(text).truncate());
            });
        });
    });
    match (&*diff, shown) {
        (None, _) => {
            let text = words.preview.change_gone;
            message::show(ui, scene, Icon::FileX, "", text, None);
        }
        (Some(_), None) => message::loading(ui, scene),
        (Some(_), Some(diff)) => {
            Frame::new().fill(palette.code).show(ui, |ui| {
                let height = ui.available_height();
                diff_view::ui(ui, palette, words, Id::unique(("diff", id)), diff, height);
                ui.allocate_space(ui.available_size());
            });
        }
    }
}

fn find<'a>(scene: &Scene<'a>, tab: &DiffTab) -> Option<&'a Call> {
    let runs = &scene.state.open_session()?.transcript.runs;
    let run = runs.iter().find(|run| run.id == tab.run)?;
    let step = run.steps.iter().find(|step| step.number == tab.step)?;
    step.calls.iter().find(|call| call.id == tab.call)
}
