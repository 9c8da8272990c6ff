//! Questions before something typed is lost. To keep it is what Enter does, and Esc too.

use eframe::egui::{Label, RichText, Ui};

use super::dialogs::{answers, heading};
use super::scene::Scene;
use crate::commands::{TabCommand, UiCommand};
use crate::i18n::{count, fill};
use crate::text::visible;
use crate::theme::style::{ROW, STEP};
use crate::widgets::button::{Button, Kind};

/// Asks whether to let go of what was typed into a file. Tells whether it is answered.
pub(super) fn ask(ui: &mut Ui, scene: &mut Scene<'_>, then: &TabCommand, name: &str) -> bool {
    let words = &scene.words.preview;
    let title = match then {
        TabCommand::EndEditAnyway(_) => words.leave_dirty,
        _ => words.close_dirty,
    };
    let text = fill(words.close_dirty_text, &[("name", &visible::line(name))]);
    let (done, discards) = question(ui, scene, title, &text);
    if discards {
        scene.send(UiCommand::Tab(then.clone()));
    }
    done
}

/// Asks whether to leave with files that were not saved. Tells whether it is answered.
pub(super) fn ask_to_quit(ui: &mut Ui, scene: &mut Scene<'_>, files: usize) -> bool {
    let words = &scene.words.preview;
    let text = count(words.quit_dirty_one, words.quit_dirty_many, files);
    let (done, discards) = question(ui, scene, words.quit_dirty, &text);
    if discards {
        scene.send(UiCommand::QuitAnyway);
    }
    done
}

/// Whether it is answered, and whether by letting go.
fn question(ui: &mut Ui, scene: &mut Scene<'_>, title: &str, text: &str) -> (bool, bool) {
    let (palette, words) = (scene.palette, &scene.words.preview);
    ui.set_width(420.0);
    heading(ui, scene, title);
    let text = RichText::new(text).size(ROW).color(palette.text_dim);
    ui.add(Label::new(text).wrap());
    ui.add_space(2.0 * STEP);
    let mut answer = (false, false);
    answers(ui, |ui| {
        let keep = Button::new(words.keep_editing)
            .kind(Kind::Primary)
            .show(ui, palette);
        let discard = Button::new(words.discard)
            .kind(Kind::Danger)
            .show(ui, palette);
        // Who presses Enter without looking keeps everything.
        if !keep.has_focus() && !discard.has_focus() {
            keep.request_focus();
        }
        answer = (keep.clicked() || discard.clicked(), discard.clicked());
    });
    answer
}
