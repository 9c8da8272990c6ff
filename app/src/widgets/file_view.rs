//! A whole file to read, of any size: numbered rows, colours of the language, words that were found, and a choice
//! of text by pointer and keys.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::{
    Color32, CursorIcon, Event, Galley, Id, Key, Modifiers, PointerButton, Pos2, Rect, Response,
    Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    text::{LayoutJob, TextFormat},
};

use super::code_block;
use super::paint;
use super::rows::{Reveal, Row, Rows, columns, digits};
use crate::i18n::Words;
use crate::text::highlight::{Piece, Spans};
use crate::text::pages::{Drawn, Pages};
use crate::theme::fonts;
use crate::theme::style::{CODE_LINE, STEP};
use crate::theme::tokens::Palette;

/// The room at the sides, in points.
const SIDE: f32 = 3.0 * STEP;
/// The room that a scroll bar takes, in points.
const BAR: f32 = 3.0 * STEP;
/// The corner of a found word's ground, in points.
const CORNER: u8 = 2;
/// How fast a text goes on while the pointer drags past its edge: parts of the way past it in a frame.
const PULL: f32 = 0.2;

/// What is chosen of a text: from where the choice began to where it is now, in bytes of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Where it began.
    pub from: usize,
    /// Where it is.
    pub to: usize,
}

impl Choice {
    /// The part of the text, first to last.
    pub fn range(self) -> Range<usize> {
        self.from.min(self.to)..self.from.max(self.to)
    }
}

/// A file to show.
#[derive(Clone, Copy)]
pub struct FileView<'a> {
    /// Tells it from others.
    pub id: Id,
    /// The text.
    pub pages: &'a Pages,
    /// The colours of its lines, when they are known.
    pub spans: Option<&'a Spans>,
    /// The places where words were found, in order.
    pub found: &'a [Range<usize>],
    /// Which of them is the one that is looked at.
    pub current: Option<usize>,
    /// A place in the text to bring into sight.
    pub reveal: Option<usize>,
    /// A line to mark, counted from 0.
    pub marked: Option<usize>,
}

/// What it is drawn with.
struct Look<'a> {
    file: FileView<'a>,
    palette: &'a Palette,
    digits: usize,
    gutter: f32,
    choice: Range<usize>,
}

impl FileView<'_> {
    /// Draws it as large as there is room. Gives what scrolls and chooses, so that it can be given the keyboard.
    pub fn show(
        self,
        ui: &mut Ui,
        palette: &Palette,
        words: &Words,
        choice: &mut Choice,
    ) -> Response {
        let digits = digits(self.pages.lines()).max(3);
        let gutter = SIDE + columns(ui, digits + 2);
        let look = Look {
            file: self,
            palette,
            digits,
            gutter,
            choice: choice.range(),
        };
        let rows = Rows {
            salt: self.id,
            name: words.body.text,
            count: self.pages.count(),
            height: CODE_LINE,
            width: Some(gutter + columns(ui, self.pages.columns() + 2)),
            max_height: ui.available_height(),
        };
        let reveal = self.reveal.map(|place| {
            let row = self.pages.row_at(place);
            let galley = look.galley(ui, row, &self.pages.drawn(row));
            let left = gutter + x_of(&galley, &self.pages.drawn(row), self.pages, row, place);
            // A place that is in sight at the very left is best seen from the start of its row.
            let left = if left < ui.available_width() - 2.0 * gutter {
                0.0
            } else {
                left
            };
            Reveal { row, left }
        });
        let mut shown: Vec<(usize, Rect)> = Vec::new();
        let whole = ui.available_rect_before_wrap();
        let (area, keys) = rows.show_from(ui, palette, reveal, |ui, row, place| {
            shown.push((row, place.rect));
            look.row_ui(ui, row, place);
        });
        let beside = Rect::from_min_max(
            area.min,
            Pos2::new(area.right() - BAR, area.bottom().max(whole.bottom()) - BAR),
        );
        // It takes the keyboard by itself where there is nothing to scroll.
        let takes_keys = ui.ctx().read_response(keys).is_none();
        let sense = if takes_keys {
            Sense::click_and_drag()
        } else {
            Sense::CLICK | Sense::DRAG
        };
        let pointer = ui.interact(beside, self.id.with("choose"), sense);
        pointer.widget_info(|| WidgetInfo::labeled(Role::Document, true, words.body.text));
        let owner = if takes_keys { pointer.id } else { keys };
        if pointer.clicked() || pointer.drag_started() {
            ui.memory_mut(|memory| memory.request_focus(owner));
        }
        look.choose(ui, &pointer, &shown, choice);
        if ui.memory(|memory| memory.has_focus(owner)) {
            self.keys(ui, choice);
        }
        if pointer.hovered() {
            ui.set_cursor_icon(CursorIcon::Text);
        }
        if takes_keys {
            pointer
        } else {
            ui.ctx().read_response(keys).unwrap_or(pointer)
        }
    }

    fn keys(self, ui: &Ui, choice: &mut Choice) {
        let text = self.pages.text();
        let copies = ui.input(|input| input.events.contains(&Event::Copy));
        if copies && let Some(chosen) = text.get(choice.range()).filter(|text| !text.is_empty()) {
            ui.ctx().copy_text(chosen.to_owned());
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::A)) {
            *choice = Choice {
                from: 0,
                to: text.len(),
            };
        }
    }
}

impl Look<'_> {
    fn galley(&self, ui: &Ui, row: usize, drawn: &Drawn) -> Arc<Galley> {
        let pages = self.file.pages;
        let mut job = LayoutJob::default();
        job.wrap.max_width = f32::INFINITY;
        let (line, begins) = pages.line_of(row);
        let pieces = self.file.spans.map_or(&[][..], |spans| spans.line(line));
        let before = if begins {
            0
        } else {
            pages.range(row).start - pages.range(pages.row_of_line(line)).start
        };
        let mut at = 0;
        for Piece { range, token } in pieces {
            let place = |place: usize| drawn.place(place.saturating_sub(before));
            let (start, end) = (place(range.start).max(at), place(range.end));
            if range.end <= before || start >= end {
                continue;
            }
            push(&mut job, drawn.text.get(at..start), self.palette.text);
            let colour = code_block::color(*token, self.palette);
            push(&mut job, drawn.text.get(start..end), colour);
            at = end;
        }
        push(&mut job, drawn.text.get(at..), self.palette.text);
        ui.painter().layout_job(job)
    }

    fn row_ui(&self, ui: &mut Ui, row: usize, place: Row) {
        let pages = self.file.pages;
        let (line, begins) = pages.line_of(row);
        if self.file.marked == Some(line) {
            let ground = self.palette.accent_soft;
            ui.painter().rect_filled(place.seen, 0, ground);
        }
        if begins {
            let digits = self.digits;
            let number = format!("{:>digits$}", line + 1);
            let galley = paint::code(ui, &number, self.palette.text_faint);
            let left = place.seen.left() + SIDE;
            paint::code_row(ui.painter(), left, place.middle(), galley);
        }
        let drawn = pages.drawn(row);
        let galley = self.galley(ui, row, &drawn);
        let beside = ui
            .clip_rect()
            .with_min_x(place.seen.left() + self.gutter - 2.0);
        let painter = ui
            .painter()
            .with_clip_rect(ui.clip_rect().intersect(beside));
        let left = place.rect.left() + self.gutter;
        let range = pages.range(row);
        let x = |at: usize| left + x_of(&galley, &drawn, pages, row, at);
        let span = |part: &Range<usize>| {
            Rect::from_x_y_ranges(x(part.start)..=x(part.end), place.rect.y_range())
        };
        let first = (self.file.found).partition_point(|found| found.end <= range.start);
        for (number, found) in self.file.found.iter().enumerate().skip(first) {
            if found.start >= range.end {
                break;
            }
            let ground = self.palette.accent.gamma_multiply(0.25);
            painter.rect_filled(span(found), CORNER, ground);
            if self.file.current == Some(number) {
                let ring = Stroke::new(1.5, self.palette.accent);
                painter.rect_stroke(span(found), CORNER, ring, StrokeKind::Inside);
            }
        }
        let chosen = &self.choice;
        if chosen.start < chosen.end && chosen.start <= range.end && chosen.end > range.start {
            let mut rect = span(&(chosen.start.max(range.start)..chosen.end.min(range.end)));
            if chosen.end > range.end {
                // The line end is chosen too.
                rect.max.x += paint::column(ui) / 2.0;
            }
            let ground = ui.visuals().selection.bg_fill;
            painter.rect_filled(rect, 0, ground);
        }
        paint::code_row(&painter, left, place.middle(), galley);
        let response = ui.interact(place.seen, self.file.id.with(row), Sense::hover());
        response.widget_info(|| {
            let said = format!("{} {}", line + 1, drawn.text);
            WidgetInfo::labeled(Role::Label, true, said)
        });
    }

    /// Changes what is chosen by what the pointer did.
    fn choose(&self, ui: &Ui, pointer: &Response, shown: &[(usize, Rect)], choice: &mut Choice) {
        let Some(at) = pointer.interact_pointer_pos() else {
            return;
        };
        let Some(place) = self.place_at(ui, at, shown) else {
            return;
        };
        let pages = self.file.pages;
        let row = pages.row_at(place);
        if pointer.triple_clicked() {
            let (line, _) = pages.line_of(row);
            let from = pages.range(pages.row_of_line(line)).start;
            let to = pages
                .range(pages.row_of_line(line + 1))
                .start
                .max(pages.range(row).end);
            *choice = Choice { from, to };
        } else if pointer.double_clicked() {
            let text = pages.text().get(pages.range(row)).unwrap_or_default();
            let word = word_at(text, place - pages.range(row).start);
            let start = pages.range(row).start;
            *choice = Choice {
                from: start + word.start,
                to: start + word.end,
            };
        } else if pointer.drag_started_by(PointerButton::Primary) {
            let from = ui
                .input(|input| input.pointer.press_origin())
                .and_then(|origin| self.place_at(ui, origin, shown))
                .unwrap_or(place);
            let from = if ui.input(|input| input.modifiers.shift) {
                choice.from
            } else {
                from
            };
            *choice = Choice { from, to: place };
        } else if pointer.dragged_by(PointerButton::Primary) {
            choice.to = place;
            pull(ui, at, pointer.rect);
        } else if pointer.clicked_by(PointerButton::Primary) {
            let from = if ui.input(|input| input.modifiers.shift) {
                choice.from
            } else {
                place
            };
            *choice = Choice { from, to: place };
        }
    }

    fn place_at(&self, ui: &Ui, at: Pos2, shown: &[(usize, Rect)]) -> Option<usize> {
        let (row, rect) = shown
            .iter()
            .find(|(_, rect)| at.y < rect.bottom())
            .or(shown.last())?;
        let drawn = self.file.pages.drawn(*row);
        let galley = self.galley(ui, *row, &drawn);
        let x = at.x - rect.left() - self.gutter;
        let glyphs = galley.rows.first().map_or(&[][..], |row| &row.glyphs[..]);
        let before = glyphs
            .iter()
            .take_while(|glyph| glyph.pos.x + glyph.advance_width / 2.0 <= x);
        let chars = before.count();
        let byte = (drawn.text.char_indices().nth(chars)).map_or(drawn.text.len(), |(at, _)| at);
        let range = self.file.pages.range(*row);
        Some((range.start + drawn.origin(byte)).min(range.end))
    }
}

/// Goes on while the pointer is dragged past an edge.
fn pull(ui: &Ui, at: Pos2, area: Rect) {
    let past = |at: f32, least: f32, most: f32| (least - at).max(0.0) - (at - most).max(0.0);
    let delta = Vec2::new(
        past(at.x, area.left(), area.right()),
        past(at.y, area.top(), area.bottom()),
    );
    if delta != Vec2::ZERO {
        let still = eframe::egui::style::ScrollAnimation::none();
        ui.scroll_with_delta_animation(delta * PULL, still);
        ui.request_repaint();
    }
}

/// How far from its start a place of the text is in its row, in points.
fn x_of(galley: &Galley, drawn: &Drawn, pages: &Pages, row: usize, place: usize) -> f32 {
    let range = pages.range(row);
    let byte = drawn.place(place.clamp(range.start, range.end) - range.start);
    let chars = drawn.text.get(..byte).unwrap_or_default().chars().count();
    let Some(row) = galley.rows.first() else {
        return 0.0;
    };
    match row.glyphs.get(chars) {
        Some(glyph) => glyph.pos.x,
        None => (row.glyphs.last()).map_or(0.0, |glyph| glyph.pos.x + glyph.advance_width),
    }
}

fn push(job: &mut LayoutJob, text: Option<&str>, color: Color32) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        job.append(text, 0.0, TextFormat::simple(fonts::mono(), color));
    }
}

/// The word around a place, or the one character there.
fn word_at(text: &str, place: usize) -> Range<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let place = text.floor_char_boundary(place);
    let (before, after) = text.split_at(place);
    let end = after.find(|c| !is_word(c)).unwrap_or(after.len());
    let start = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| is_word(*c))
        .last()
        .map_or(place, |(at, _)| at);
    if start < place + end {
        return start..place + end;
    }
    let next = after.chars().next().map_or(0, char::len_utf8);
    place..place + next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::widgets::testing::{Stage, named};

    fn view(pages: &Pages) -> FileView<'_> {
        FileView {
            id: Id::unique("file"),
            pages,
            spans: None,
            found: &[],
            current: None,
            reveal: None,
            marked: None,
        }
    }

    #[test]
    fn of_twenty_megabytes_only_what_is_seen_is_laid_out() {
        let words = Language::English.words();
        let pages = Pages::of("0123456789abcde\n".repeat(1_310_720));
        let mut stage = Stage::new();
        let mut choice = Choice::default();
        stage.frame(&[], |ui, palette| {
            view(&pages).show(ui, palette, words, &mut choice);
        });
        assert!(stage.texts().len() < 200, "{}", stage.texts().len());
        let file = FileView {
            reveal: Some(16 * 1_000_000),
            ..view(&pages)
        };
        for reveal in [file, view(&pages)] {
            stage.frame(&[], |ui, palette| {
                reveal.show(ui, palette, words, &mut choice);
            });
        }
        let texts = stage.texts();
        assert!(
            texts.iter().any(|text| text.trim() == "1000001"),
            "{texts:?}"
        );
    }

    #[test]
    fn rows_are_told_by_their_numbers_and_all_of_it_is_copied() {
        let words = Language::English.words();
        let pages = Pages::of("one\ntwo\n");
        let mut stage = Stage::new();
        let mut choice = Choice::default();
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            view(&pages).show(ui, palette, words, &mut choice);
        };
        let tree = stage.frame(&[], &mut draw);
        named(&tree, "2 two");
        let mut choice = Choice { from: 7, to: 4 };
        stage.click("Text", |ui, palette| {
            view(&pages).show(ui, palette, words, &mut choice);
        });
        assert_eq!(choice.range().len(), 0, "a click ends a choice");
    }

    #[test]
    fn a_word_is_what_reads_as_one() {
        assert_eq!(word_at("let date_of = 1;", 6), 4..11);
        assert_eq!(word_at("a + b", 2), 2..3);
        assert_eq!(word_at("日期", 3), 0..6);
        assert_eq!(word_at("", 0), 0..0);
    }
}
