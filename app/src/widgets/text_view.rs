//! A text of any size, to read: ten megabytes, a line of a million characters.

use eframe::egui::{Id, Rect, Role, Sense, Ui, UiBuilder, Vec2, WidgetInfo};

use super::button::icon_button;
use super::paint;
use super::rows::{Row, Rows, columns, digits};
use crate::i18n::{self, Words};
use crate::text::lines::Lines;
use crate::theme::fonts;
use crate::theme::icons::Icon;
use crate::theme::style::{CODE, CODE_LINE, CONTROL, CONTROL_CORNER, META, STEP, TEXT, TEXT_LINE};
use crate::theme::tokens::Palette;

/// The room at the sides, in points.
const SIDE: f32 = 3.0 * STEP;
/// The columns that the note at a cut line's end may take.
const NOTE: usize = 40;
/// The room that a scroll bar takes at the right, in points.
const BAR: f32 = 3.0 * STEP;

/// A view of a text.
#[must_use = "a view is drawn by its `ui`"]
pub struct TextView<'a> {
    id: Id,
    lines: &'a Lines,
    max_height: f32,
    first_number: Option<usize>,
    mono: bool,
}

impl<'a> TextView<'a> {
    /// A view that takes at most this much height, in points, and scrolls in itself. `id` tells it from others.
    pub fn new(id: Id, lines: &'a Lines, max_height: f32) -> Self {
        Self {
            id,
            lines,
            max_height,
            first_number: None,
            mono: true,
        }
    }

    /// With line numbers that begin at this one.
    pub fn numbers_from(mut self, first: usize) -> Self {
        self.first_number = Some(first);
        self
    }

    /// In the typeface of text instead of code's.
    pub fn proportional(mut self) -> Self {
        self.mono = false;
        self
    }

    /// Draws it. The ground under it is the caller's.
    pub fn ui(self, ui: &mut Ui, palette: &Palette, words: &Words) {
        if self.lines.count() == 0 {
            faint(ui, palette, words.body.empty_text);
            return;
        }
        let digits = self
            .first_number
            .map(|first| digits(first + self.lines.count() - 1).max(2));
        let gutter = SIDE + digits.map_or(0.0, |digits| columns(ui, digits + 2));
        let text_columns = self.lines.columns() + NOTE;
        let rows = Rows {
            salt: self.id,
            name: words.body.text,
            count: self.lines.count(),
            height: if self.mono { CODE_LINE } else { TEXT_LINE },
            width: Some(gutter + columns(ui, text_columns)),
            max_height: self.max_height,
        };
        let area = rows.show(ui, palette, |ui, index, place| {
            self.line_ui(ui, palette, words, (index, digits, gutter), place);
        });
        copy_ui(ui, palette, words, area, || self.lines.text().to_owned());
    }

    fn line_ui(
        &self,
        ui: &mut Ui,
        palette: &Palette,
        words: &Words,
        (index, digits, gutter): (usize, Option<usize>, f32),
        place: Row,
    ) {
        let Some(shown) = self.lines.shown(index) else {
            return;
        };
        let middle = place.middle();
        let (font, size) = if self.mono {
            (fonts::mono(), CODE)
        } else {
            (fonts::text(TEXT), TEXT)
        };
        if let (Some(digits), Some(first)) = (digits, self.first_number) {
            let number = format!("{:>digits$}", first + index);
            let galley = paint::code(ui, &number, palette.text_faint);
            let left = place.seen.left() + SIDE;
            paint::text(ui.painter(), left, middle, size, galley);
        }
        let beside = ui.clip_rect().with_min_x(place.seen.left() + gutter);
        let painter = ui
            .painter()
            .with_clip_rect(ui.clip_rect().intersect(beside));
        let left = place.rect.left() + gutter;
        let galley = paint::layout(ui, &shown.text, font, palette.text);
        let end = left + galley.size().x;
        paint::text(&painter, left, middle, size, galley);
        let mut said = shown.text;
        if shown.left > 0 {
            let note = i18n::fill(words.body.long_line, &[("n", &shown.left.to_string())]);
            let galley = paint::layout(ui, &note, fonts::text(META), palette.text_faint);
            paint::text(&painter, end + STEP, middle, size, galley);
            said = format!("{said} {note}");
        }
        let response = ui.interact(place.seen, self.id.with(index), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    }
}

/// A copy button in the upper right corner of an area already drawn: seen while the pointer is in the area or
/// the button has the focus, so that it hides nothing from a reader.
pub(super) fn copy_ui(
    ui: &mut Ui,
    palette: &Palette,
    words: &Words,
    area: Rect,
    text: impl FnOnce() -> String,
) {
    let at = [area.right() - CONTROL - BAR, area.top() + STEP / 2.0].into();
    let corner = Rect::from_min_size(at, Vec2::splat(CONTROL));
    let mut child = ui.new_child(UiBuilder::new().max_rect(corner));
    let id = child.next_auto_id();
    let focused = ui.memory(|memory| memory.has_focus(id));
    if focused || ui.rect_contains_pointer(area) {
        let ground = palette.control;
        child.painter().rect_filled(corner, CONTROL_CORNER, ground);
    } else {
        child.set_opacity(0.0);
    }
    if icon_button(&mut child, palette, Icon::Copy, words.common.copy).clicked() {
        ui.ctx().copy_text(text());
    }
}

/// A sentence in the third rank, for where there is nothing to show.
pub(super) fn faint(ui: &mut Ui, palette: &Palette, sentence: &str) {
    let galley = paint::layout(ui, sentence, fonts::text(META), palette.text_faint);
    let size = Vec2::new(galley.size().x + 2.0 * SIDE, TEXT_LINE + STEP);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    paint::text(
        ui.painter(),
        rect.left() + SIDE,
        rect.center().y,
        META,
        galley,
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, sentence));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::widgets::testing::{Stage, named};

    fn draw(lines: &Lines) -> impl FnMut(&mut Ui, &Palette) {
        let words = Language::English.words();
        move |ui, palette| {
            TextView::new(Id::unique("text"), lines, 200.0)
                .numbers_from(40)
                .ui(ui, palette, words);
        }
    }

    #[test]
    fn of_ten_megabytes_only_what_is_seen_is_laid_out() {
        let mut stage = Stage::new();
        let lines = Lines::of("0123456789abcde\n".repeat(655_360));
        stage.frame(&[], draw(&lines));
        assert!(stage.texts().len() < 40, "{}", stage.texts().len());
        assert!(stage.texts().iter().any(|text| text.trim() == "40"));
    }

    #[test]
    fn a_line_of_a_million_characters_is_cut_and_says_so() {
        let mut stage = Stage::new();
        let lines = Lines::of("x".repeat(1_000_000));
        stage.frame(&[], draw(&lines));
        let note = "…the line goes on for 998000 characters";
        assert!(
            stage.texts().contains(&note.into()),
            "{:?}",
            stage.texts().len()
        );
    }

    #[test]
    fn all_of_the_text_is_copied() {
        let mut stage = Stage::new();
        let text = "a\nb".repeat(5_000);
        let lines = Lines::of(text.as_str());
        stage.click("Copy", draw(&lines));
        assert_eq!(stage.copied, Some(text));
    }

    #[test]
    fn an_empty_text_says_that_it_is() {
        let tree = Stage::new().frame(&[], draw(&Lines::of("")));
        named(&tree, "The text is empty.");
    }
}
