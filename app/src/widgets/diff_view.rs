//! What changes, line by line: removed and added lines on their grounds, changed words on stronger ones.

use std::sync::Arc;

use eframe::egui::{Color32, Galley, Id, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::paint;
use super::rows::{Row, Rows, columns, digits};
use super::text_view::faint;
use crate::i18n::{self, Words};
use crate::text::diff::{Diff, DiffLine, DiffRow, LineEnd, LineKind};
use crate::theme::fonts;
use crate::theme::style::{CODE, CODE_LINE, META, STEP};
use crate::theme::tokens::Palette;

/// The room at the sides, in points.
const SIDE: f32 = 3.0 * STEP;
/// The columns that the notes at a line's end may take.
const NOTE: usize = 48;
/// The sign of a carriage return at a line's end.
const RETURN: &str = "CR";
/// The corner of a changed word's ground, in points.
const WORD_CORNER: u8 = 3;

/// Shows a diff, at most this high, in points; it scrolls in itself. `id` tells it from others. The ground
/// under it is the caller's.
pub fn ui(ui: &mut Ui, palette: &Palette, words: &Words, id: Id, diff: &Diff, max_height: f32) {
    if diff.is_empty() {
        faint(ui, palette, words.body.no_change);
        return;
    }
    let digits = digits(diff.greatest).max(2);
    let gutter = SIDE + columns(ui, digits + 4);
    let view = View {
        palette,
        words,
        digits,
        gutter,
    };
    let text_columns = diff.columns + if diff.notes { NOTE } else { 0 };
    let rows = Rows {
        salt: id,
        name: words.body.diff,
        count: diff.rows.len(),
        height: CODE_LINE,
        width: Some(gutter + columns(ui, text_columns) + SIDE),
        max_height,
    };
    rows.show(ui, palette, |ui, index, place| match diff.rows.get(index) {
        Some(DiffRow::Line(line)) => view.line_ui(ui, id.with(index), place, line),
        Some(DiffRow::Folded(lines)) => view.fold_ui(ui, id.with(index), place, *lines),
        None => {}
    });
}

/// The counts of a diff, `+3 −1`, in the colours of what was added and removed.
pub fn badge(
    ui: &mut Ui,
    palette: &Palette,
    words: &Words,
    added: usize,
    removed: usize,
) -> Response {
    let plus = paint::code(ui, &format!("+{added}"), palette.good);
    let minus = paint::code(ui, &format!("−{removed}"), palette.bad);
    let gap = 2.0 * STEP;
    let width = plus.size().x + gap + minus.size().x;
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, CODE_LINE), Sense::hover());
    let middle = rect.center().y;
    let at = rect.left() + plus.size().x + gap;
    paint::code_row(ui.painter(), rect.left(), middle, plus);
    paint::code_row(ui.painter(), at, middle, minus);
    let (add, remove) = (words.body.added, words.body.removed);
    let said = format!("{added} {add}, {removed} {remove}");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    response
}

struct View<'a> {
    palette: &'a Palette,
    words: &'a Words,
    digits: usize,
    gutter: f32,
}

impl View<'_> {
    fn line_ui(&self, ui: &mut Ui, id: Id, place: Row, line: &DiffLine) {
        let (ground, sign, said) = match line.kind {
            LineKind::Same => (Color32::TRANSPARENT, "", ""),
            LineKind::Removed => (self.palette.removed, "−", self.words.body.removed),
            LineKind::Added => (self.palette.added, "+", self.words.body.added),
        };
        ui.painter().rect_filled(place.seen, 0, ground);
        let number = line.new_no.or(line.old_no).unwrap_or_default();
        self.gutter_ui(ui, place, number, sign);
        let beside = ui.clip_rect().with_min_x(place.seen.left() + self.gutter);
        let painter = ui
            .painter()
            .with_clip_rect(ui.clip_rect().intersect(beside));
        let left = place.rect.left() + self.gutter;
        let galley = paint::code(ui, &line.text, self.palette.text);
        let end = left + galley.size().x;
        for word in &line.words {
            let Some(span) = span(&galley, &line.text, word, left, place) else {
                continue;
            };
            let ground = match line.kind {
                LineKind::Removed => self.palette.removed_word,
                _ => self.palette.added_word,
            };
            painter.rect_filled(span, WORD_CORNER, ground);
        }
        paint::code_row(&painter, left, place.middle(), galley);
        let notes = self.notes(line);
        if !notes.is_empty() {
            let galley = paint::layout(ui, &notes, fonts::text(META), self.palette.text_faint);
            paint::text(&painter, end + 2.0 * STEP, place.middle(), CODE, galley);
        }
        let response = ui.interact(place.seen, id, Sense::hover());
        response.widget_info(|| {
            let mut text = [said, &number.to_string(), &line.text].join(" ");
            if !notes.is_empty() {
                text = format!("{text} {notes}");
            }
            WidgetInfo::labeled(Role::Label, true, text.trim_start())
        });
    }

    fn gutter_ui(&self, ui: &Ui, place: Row, number: usize, sign: &str) {
        let digits = self.digits;
        let number = format!("{number:>digits$}");
        let left = place.seen.left() + SIDE;
        let galley = paint::code(ui, &number, self.palette.text_faint);
        let after = left + galley.size().x + paint::column(ui);
        paint::code_row(ui.painter(), left, place.middle(), galley);
        let galley = paint::code(ui, sign, self.palette.text_faint);
        paint::code_row(ui.painter(), after, place.middle(), galley);
    }

    fn fold_ui(&self, ui: &mut Ui, id: Id, place: Row, lines: usize) {
        let body = &self.words.body;
        let said = i18n::count(body.one_unchanged_line, body.unchanged_lines, lines);
        let galley = paint::layout(ui, &said, fonts::text(META), self.palette.text_faint);
        let left = place.seen.left() + self.gutter;
        let painter = ui.painter();
        paint::text(painter, left, place.middle(), META, galley);
        let dots = paint::code(ui, "⋯", self.palette.text_faint);
        paint::code_row(painter, place.seen.left() + SIDE, place.middle(), dots);
        let response = ui.interact(place.seen, id, Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
    }

    fn notes(&self, line: &DiffLine) -> String {
        let body = &self.words.body;
        let long =
            (line.left > 0).then(|| i18n::fill(body.long_line, &[("n", &line.left.to_string())]));
        let end = (line.end == LineEnd::Nothing).then(|| body.no_newline.to_owned());
        // The control picture of a carriage return is too small to be read at this size.
        let back = (line.end == LineEnd::Return).then(|| RETURN.to_owned());
        let notes: Vec<_> = long.into_iter().chain(end).chain(back).collect();
        notes.join(" · ")
    }
}

/// Where a changed word stands on its row.
fn span(
    galley: &Arc<Galley>,
    text: &str,
    word: &std::ops::Range<usize>,
    left: f32,
    place: Row,
) -> Option<Rect> {
    let row = galley.rows.first()?;
    let first = text.get(..word.start)?.chars().count();
    let end = first + text.get(word.clone())?.chars().count();
    let glyph = |index: usize| row.glyphs.get(index);
    let from = glyph(first)?.pos.x;
    let last = glyph(end.checked_sub(1)?)?;
    let range = (left + from)..=(left + last.pos.x + last.advance_width);
    Some(Rect::from_x_y_ranges(range, place.rect.y_range()))
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;

    use super::*;
    use crate::i18n::Language;
    use crate::widgets::testing::{Stage, named, names};

    fn draw(diff: &Diff) -> impl FnMut(&mut Ui, &Palette) {
        let words = Language::English.words();
        move |ui, palette| super::ui(ui, palette, words, Id::unique("diff"), diff, 200.0)
    }

    #[test]
    fn a_reader_who_cannot_see_colours_is_told_what_happens_to_each_line() {
        let mut stage = Stage::new();
        let diff = Diff::of("a\nold\n", "a\nnew");
        let tree = stage.frame(&[], draw(&diff));
        let told = names(&tree);
        for line in ["1 a", "removed 2 old", "added 2 new no newline at the end"] {
            assert!(told.contains(&line), "{line}: {told:?}");
        }
        let signs = stage.texts();
        assert!(signs.contains(&"+".into()) && signs.contains(&"−".into()));
        let palette = stage.palette;
        for ground in [palette.added, palette.removed] {
            assert!(stage.grounds().contains(&ground));
        }
    }

    #[test]
    fn only_what_is_seen_is_laid_out_and_keys_scroll_to_the_end() {
        let mut stage = Stage::new();
        let new: Vec<_> = (1..=50_000).map(|n| format!("line {n}\n")).collect();
        let diff = Diff::of("", &new.concat());
        let tree = stage.frame(&[], draw(&diff));
        assert!(stage.texts().len() < 60, "{}", stage.texts().len());
        assert_eq!(named(&tree, "Changes").role(), Role::ScrollView);
        stage.frame(&[Key::Tab], draw(&diff));
        stage.frame(&[], draw(&diff));
        stage.frame(&[Key::End], draw(&diff));
        stage.frame(&[], draw(&diff));
        let texts = stage.texts();
        assert!(texts.contains(&"line 50000".into()), "{texts:?}");
    }

    #[test]
    fn folds_cuts_and_returns_are_said() {
        let mut stage = Stage::new();
        let same = "same\r\n".repeat(9);
        let diff = Diff::of(&same, &format!("{same}{}\n", "x".repeat(2_500)));
        stage.frame(&[], draw(&diff));
        let texts = stage.texts();
        for said in [
            "6 unchanged lines",
            "…the line goes on for 500 characters",
            "CR",
        ] {
            assert!(texts.contains(&said.into()), "{said}: {texts:?}");
        }
    }

    #[test]
    fn the_same_texts_say_that_nothing_changes() {
        let tree = Stage::new().frame(&[], draw(&Diff::of("a\n", "a\n")));
        named(&tree, "Nothing changes.");
    }

    #[test]
    fn the_counts_are_told_in_words() {
        let mut stage = Stage::new();
        let words = Language::English.words();
        let tree = stage.frame(&[], |ui, palette| {
            badge(ui, palette, words, 3, 1);
        });
        named(&tree, "3 added, 1 removed");
        assert_eq!(stage.texts(), ["+3", "−1"]);
    }
}
