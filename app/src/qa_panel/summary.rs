//! How all live scenarios went.

use eframe::egui::{RichText, Ui};

use super::list::mark_of;
use super::parts;
use crate::commands::{QaCommand, UiCommand};
use crate::i18n::fill;
use crate::state::qa::Shown;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::TEXT;
use crate::widgets::button::{Button, Kind};
use crate::window::scene::Scene;

/// Draws it.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>) {
    let (palette, words) = (scene.palette, &scene.words.qa);
    let qa = &scene.state.qa;
    let played = qa.batch.as_ref().map_or(&[][..], |batch| &batch.played);
    let (passed, failed) = qa.tally(played.iter());
    parts::title(ui, scene, words.summary);
    let text = fill(
        words.summary_text,
        &[("n", &passed.to_string()), ("m", &failed.len().to_string())],
    );
    let colour = if failed.is_empty() {
        palette.good
    } else {
        palette.bad
    };
    ui.label(RichText::new(text).size(TEXT).color(colour));
    let failed: Vec<String> = failed.into_iter().map(str::to_owned).collect();
    let marks: Vec<_> = failed
        .iter()
        .filter_map(|name| Some((name, mark_of(scene, qa.results.get(name)?))))
        .collect();
    for (name, (mark, colour, _)) in marks {
        ui.horizontal(|ui| {
            ui.label(icon(mark, 16.0, colour));
            if Button::new(name)
                .kind(Kind::Quiet)
                .show(ui, palette)
                .clicked()
            {
                let shown = Shown::Detail(name.clone());
                scene.send(UiCommand::Qa(QaCommand::Show(shown)));
            }
        });
    }
    ui.add_space(8.0);
    let export = Button::new(words.export)
        .icon(Icon::FileDown)
        .kind(Kind::Primary);
    if export.show(ui, palette).clicked() {
        scene.send(UiCommand::Qa(QaCommand::Export));
    }
}
