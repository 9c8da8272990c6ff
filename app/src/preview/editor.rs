//! A text that is being changed: the field, its line numbers, and the question when somebody else was quicker.

use std::ops::Range;

use eframe::egui::{
    Color32, CornerRadius, EventFilter, Frame, Id, Label, Margin, Pos2, Rect, RichText, ScrollArea,
    Stroke, StrokeKind, TextEdit, Ui, UiBuilder,
    text::{CCursor, CCursorRange, LayoutJob, TextFormat},
    text_edit::TextEditOutput,
};
use wisp_engine::protocol::TabId;

use super::file_bar;
use super::file_state::{FileState, Find, language_of};
use crate::commands::{TabCommand, UiCommand};
use crate::state::tabs::{FileTab, Save};
use crate::text::highlight::{Highlighter, Spans};
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, CODE_LINE, ROW, STEP};
use crate::theme::tokens::Palette;
use crate::widgets::button::{Button, Kind};
use crate::widgets::code_block;
use crate::window::scene::Scene;

/// The largest text that can be changed, in bytes: the field lays out a paragraph again with every key, and looks
/// through all of it.
pub const EDIT_BYTES: usize = 500_000;
/// The largest text that has colours while it is changed, in bytes: they are looked for anew with every key.
const COLOURED: usize = 100_000;

/// Draws it. `focus`: gives it the keyboard.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    highlighter: &Highlighter,
    id: &TabId,
    file: &mut FileTab,
    state: &mut FileState,
    focus: bool,
) {
    let (name, language) = (file.name().to_owned(), language_of(&file.path).to_owned());
    let Some(edit) = &mut file.edit else { return };
    state.lines = edit.text.matches('\n').count() + 1;
    let to_text = file_bar::bars(ui, scene, state);
    if let Save::Conflict(on_disk) = &edit.save {
        conflict(ui, scene, id, on_disk.is_some());
    }
    // The text as it was read has the number 0.
    if state.look(&edit.text, edit.changes + 1) {
        ui.request_repaint();
    }
    if edit.text.len() <= COLOURED {
        // Until the new ones are known the old ones are right nearly everywhere.
        let spans = highlighter.request(&language, &edit.text);
        state.edit_spans = spans.or(state.edit_spans.take());
    } else {
        state.edit_spans = None;
    }
    let field = Id::unique(("editor", id));
    let goal = state
        .goal
        .take()
        .map(|line| start_of(&edit.text, line))
        .or(state.reveal.take());
    if TextEdit::load_state(ui.ctx(), field).is_none() {
        put_cursor(ui, field, &edit.text, state.choice.to);
    }
    if let Some(goal) = goal {
        put_cursor(ui, field, &edit.text, goal);
    }
    let palette = scene.palette;
    let digits = state.lines.checked_ilog10().map_or(1, |log| log + 1).max(3);
    let column = ui.fonts_mut(|fonts| fonts.glyph_width(&fonts::mono(), '0'));
    #[expect(clippy::cast_precision_loss, reason = "a handful of digits")]
    let gutter = 3.0 * STEP + (digits + 2) as f32 * column;
    let spans = state.edit_spans.as_deref();
    let mut layouter = |ui: &Ui, text: &dyn eframe::egui::TextBuffer, _wrap: f32| {
        let job = job(text.as_str(), spans, palette);
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let area = ui.available_rect_before_wrap();
    ui.painter().rect_filled(area, 0, palette.code);
    let beside = area.with_min_x(area.left() + gutter);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(beside));
    let room = beside.size();
    let found = state.find.as_ref().and_then(Find::found);
    let output = ScrollArea::both()
        .id_salt(("editor", id))
        .auto_shrink(false)
        .show(&mut inner, |ui| {
            let output = TextEdit::multiline(&mut edit.text)
                .id(field)
                .frame(Frame::NONE)
                .margin(Margin::ZERO)
                .min_size(room)
                .desired_width(f32::INFINITY)
                .layouter(&mut layouter)
                .event_filter(EventFilter {
                    tab: true,
                    horizontal_arrows: true,
                    vertical_arrows: true,
                    ..EventFilter::default()
                })
                .show(ui);
            let response = &output.response.response;
            ui.ctx()
                .accesskit_node_builder(response.id, |node| node.set_label(name));
            if response.changed() {
                edit.look();
            } else if let Some(found) = found {
                mark(ui, palette, &output, &edit.text, found);
            }
            if let Some(goal) = goal {
                let at = place(&output, &edit.text, goal);
                ui.scroll_to_rect(at.expand(3.0 * CODE_LINE), None);
            }
            if focus || to_text {
                response.request_focus();
            }
            output
        })
        .inner;
    let left = area.with_max_x(beside.left());
    numbers(ui, palette, &output, left, digits as usize);
    ui.advance_cursor_after_rect(area);
}

/// The text in the colours of its language.
fn job(text: &str, spans: Option<&Spans>, palette: &Palette) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let Some(spans) = spans else {
        push(&mut job, text, palette.text);
        return job;
    };
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let mut at = 0;
        for piece in spans.line(number) {
            // The colours may be those of the text as it was a moment ago.
            let plain = line.get(at..piece.range.start);
            let (Some(plain), Some(coloured)) = (plain, line.get(piece.range.clone())) else {
                break;
            };
            push(&mut job, plain, palette.text);
            push(&mut job, coloured, code_block::color(piece.token, palette));
            at = piece.range.end;
        }
        push(&mut job, line.get(at..).unwrap_or_default(), palette.text);
    }
    // A field without a section has no font to stand in.
    if job.sections.is_empty() {
        job.append("", 0.0, format(palette.text));
    }
    job
}

fn push(job: &mut LayoutJob, text: &str, color: Color32) {
    if !text.is_empty() {
        job.append(text, 0.0, format(color));
    }
}

fn format(color: Color32) -> TextFormat {
    TextFormat {
        font_id: fonts::mono(),
        line_height: Some(CODE_LINE),
        color,
        ..TextFormat::default()
    }
}

/// Where a line begins, counted from 1; past the end the last one.
fn start_of(text: &str, line: usize) -> usize {
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let last = text.rfind('\n').map_or(0, |at| at + 1);
    starts.nth(line.max(1) - 1).unwrap_or(last)
}

fn cursor_at(text: &str, place: usize) -> CCursor {
    CCursor::new(text.get(..place).unwrap_or_default().chars().count())
}

fn put_cursor(ui: &Ui, field: Id, text: &str, place: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), field).unwrap_or_default();
    let range = CCursorRange::one(cursor_at(text, place));
    state.cursor.set_char_range(Some(range));
    state.store(ui.ctx(), field);
}

/// Where a place of the text is on screen.
fn place(output: &TextEditOutput, text: &str, place: usize) -> Rect {
    let at = output.galley.pos_from_cursor(cursor_at(text, place));
    at.translate(output.galley_pos.to_vec2())
}

/// A ring around what was found.
fn mark(ui: &Ui, palette: &Palette, output: &TextEditOutput, text: &str, found: &Range<usize>) {
    let (start, end) = (
        place(output, text, found.start),
        place(output, text, found.end),
    );
    let rect = Rect::from_min_max(start.min, end.max);
    let ring = Stroke::new(1.5, palette.accent);
    ui.painter().rect_stroke(rect, 2, ring, StrokeKind::Outside);
}

/// The numbers of the lines in sight, at the left.
fn numbers(ui: &Ui, palette: &Palette, output: &TextEditOutput, area: Rect, digits: usize) {
    let painter = ui.painter().with_clip_rect(ui.clip_rect().intersect(area));
    let color = palette.text_faint;
    let mut line = 1;
    for row in &output.galley.rows {
        let top = output.galley_pos.y + row.pos.y;
        if top > area.bottom() {
            break;
        }
        if top + CODE_LINE >= area.top() {
            let number = format!("{line:>digits$}");
            let galley = painter.layout_no_wrap(number, fonts::mono(), color);
            let down = (CODE_LINE - galley.size().y) / 2.0;
            let at = Pos2::new(area.left() + 3.0 * STEP, top + down);
            painter.galley(at, galley, color);
        }
        line += usize::from(row.ends_with_newline);
    }
}

/// The file has changed on the disk: whose text is to stay.
fn conflict(ui: &mut Ui, scene: &mut Scene<'_>, id: &TabId, is_there: bool) {
    let (palette, words) = (scene.palette, &scene.words.preview);
    let tab = |command: fn(TabId) -> TabCommand| UiCommand::Tab(command(id.clone()));
    let card = Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(1.0, palette.attention))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .outer_margin(Margin::symmetric(12, 4))
        .inner_margin(Margin::symmetric(12, 8));
    card.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0 * STEP;
            ui.label(icon(Icon::TriangleAlert, 16.0, palette.attention));
            let text = if is_there {
                words.conflict
            } else {
                words.conflict_gone
            };
            let text = RichText::new(text).size(ROW).color(palette.text);
            ui.add(Label::new(text).wrap());
        });
        ui.add_space(2.0 * STEP);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = [2.0 * STEP, STEP].into();
            let cancel = Button::new(scene.words.common.cancel).kind(Kind::Primary);
            if cancel.show(ui, palette).clicked() {
                scene.send(tab(TabCommand::PutOff));
            }
            let over = Button::new(words.write_over)
                .kind(Kind::Danger)
                .enabled(is_there);
            if over.show(ui, palette).clicked() {
                scene.send(tab(TabCommand::WriteOver));
            }
            let theirs = Button::new(words.take_theirs).kind(Kind::Danger);
            if theirs.show(ui, palette).clicked() {
                scene.send(tab(TabCommand::TakeTheirs));
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_after_a_line_end() {
        let text = "a\nbc\n";
        let starts: Vec<_> = [0, 1, 2, 3, 9].map(|line| start_of(text, line)).into();
        assert_eq!(starts, [0, 0, 2, 5, 5]);
    }
}
