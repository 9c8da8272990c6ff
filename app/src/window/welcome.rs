//! What the window shows before it can hold a conversation: what Wisp is, what to try, what comes.

use std::path::Path;

use eframe::egui::{
    Align, CornerRadius, Frame, Grid, Layout, Margin, RichText, ScrollArea, TextWrapMode, Ui,
    UiBuilder, Vec2,
};

use crate::theme::style::{CARD_CORNER, META, STEP, TEXT_LINE};
use crate::theme::tokens::Palette;

/// The widest column of text, in points.
const COLUMN: f32 = 600.0;
/// The least room at the column's sides, in points.
const SIDE: f32 = 24.0;

const COMING: [(&str, &str); 3] = [
    (
        "Chat",
        "Your request, its steps, the answer as it is written",
    ),
    (
        "Approvals by key",
        "A approves, R denies; the whole change is in view first",
    ),
    (
        "Previews",
        "Files, folders and pages beside the conversation",
    ),
];

/// The page, with the command as it can be typed on this machine.
pub(super) struct Welcome {
    command: String,
}

impl Welcome {
    /// For a program of this path; without one, by its bare name.
    pub(super) fn new(program: Option<&Path>) -> Self {
        let program = program.map_or("wisp".into(), |path| path.to_string_lossy());
        let quote = if program.contains(' ') { "\"" } else { "" };
        Self {
            command: format!("{quote}{program}{quote} exec --simulate \"Hello\""),
        }
    }

    /// Draws it in the middle of what room there is.
    pub(super) fn ui(&self, ui: &mut Ui, palette: &Palette) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            let room = ui.available_size();
            let width = COLUMN.min(room.x - 2.0 * SIDE);
            let top = (room.y * 0.18).max(SIDE);
            let column = ui
                .max_rect()
                .with_min_y(ui.max_rect().top() + top)
                .shrink2(Vec2::new((room.x - width) / 2.0, 0.0));
            ui.scope_builder(
                UiBuilder::new()
                    .max_rect(column)
                    .layout(Layout::top_down(Align::Min)),
                |ui| self.column_ui(ui, palette),
            );
        });
    }

    fn column_ui(&self, ui: &mut Ui, palette: &Palette) {
        ui.label(RichText::new("Wisp").heading().color(palette.text));
        ui.label(text(
            "Give it a folder and a request. It reads, searches and changes files there, step by step, and \
             asks before each change.",
            palette,
        ));
        ui.add_space(6.0 * STEP);
        ui.label(meta("TODAY, ON THE COMMAND LINE", palette));
        self.command_ui(ui, palette);
        ui.label(dim(
            "This tries it without a key: a scripted model answers, and it says so. With WISP_API_KEY set, \
             leave out --simulate.",
            palette,
        ));
        ui.add_space(6.0 * STEP);
        ui.label(meta("NEXT, IN THIS WINDOW", palette));
        Grid::new("coming")
            .spacing([4.0 * STEP, 2.0 * STEP])
            .show(ui, |ui| {
                for (name, what) in COMING {
                    ui.label(text(name, palette));
                    ui.label(dim(what, palette));
                    ui.end_row();
                }
            });
    }

    fn command_ui(&self, ui: &mut Ui, palette: &Palette) {
        Frame::new()
            .fill(palette.code)
            .corner_radius(CornerRadius::same(CARD_CORNER))
            .inner_margin(Margin::symmetric(16, 12))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.style_mut().wrap_mode = Some(TextWrapMode::Wrap);
                ui.label(RichText::new(&self.command).monospace().color(palette.text));
            });
    }
}

fn text(words: &str, palette: &Palette) -> RichText {
    RichText::new(words)
        .color(palette.text)
        .line_height(Some(TEXT_LINE))
}

fn dim(words: &str, palette: &Palette) -> RichText {
    RichText::new(words)
        .color(palette.text_dim)
        .line_height(Some(TEXT_LINE))
}

fn meta(words: &str, palette: &Palette) -> RichText {
    RichText::new(words).size(META).color(palette.text_faint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_can_be_typed_as_it_stands() {
        let of = |path: &str| Welcome::new(Some(Path::new(path))).command;
        assert_eq!(of("/opt/wisp"), "/opt/wisp exec --simulate \"Hello\"");
        assert_eq!(
            of("/my apps/wisp"),
            "\"/my apps/wisp\" exec --simulate \"Hello\""
        );
        assert_eq!(Welcome::new(None).command, "wisp exec --simulate \"Hello\"");
    }
}
