//! Search hits, grouped by file; the query is marked where it stands.

use std::ops::Range;

use eframe::egui::{
    Color32, Id, Role, Sense, Ui, WidgetInfo,
    text::{LayoutJob, TextFormat},
};

use super::paint;
use super::rows::{Row, Rows, columns, digits};
use super::text_view::faint;
use crate::i18n::Words;
use crate::text::hits::{HitList, HitRow};
use crate::theme::fonts;
use crate::theme::icons::{self, Icon};
use crate::theme::style::{META, ROW, STEP};
use crate::theme::tokens::Palette;

/// The height of a row, in points.
const HEIGHT: f32 = 24.0;
/// The room at the sides, in points.
const SIDE: f32 = 3.0 * STEP;

/// What was chosen: a file, and the line in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The path, as the tool gave it.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
}

/// Shows hits, at most this high, in points; they scroll in themselves. `id` tells them from others. Says which
/// hit was clicked, or pressed by Enter or Space with the focus on it.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    words: &Words,
    id: Id,
    hits: &HitList,
    max_height: f32,
) -> Option<Chosen> {
    if hits.rows().is_empty() {
        faint(ui, palette, words.body.no_hits);
        return None;
    }
    let digits = digits(hits.greatest_line()).max(2);
    let rows = Rows {
        salt: id,
        name: words.body.hits,
        count: hits.rows().len(),
        height: HEIGHT,
        width: None,
        max_height,
    };
    let mut chosen = None;
    rows.show(ui, palette, |ui, index, place| {
        match hits.rows().get(index) {
            Some(HitRow::File { path, hits }) => {
                file_ui(ui, palette, id.with(index), place, path, *hits);
            }
            Some(HitRow::Line { hit, text, found }) => {
                let Some(hit) = hits.hit(*hit) else { return };
                let number = format!("{:>digits$}", hit.line);
                let said = format!("{}:{} {text}", hit.path, hit.line);
                if line_ui(
                    ui,
                    palette,
                    (id.with(index), &said),
                    place,
                    &number,
                    text,
                    found,
                ) {
                    chosen = Some(Chosen {
                        path: hit.path.clone(),
                        line: hit.line,
                    });
                }
            }
            None => {}
        }
    });
    chosen
}

fn file_ui(ui: &mut Ui, palette: &Palette, id: Id, place: Row, path: &str, hits: usize) {
    let middle = place.middle();
    let left = place.rect.left() + SIDE;
    let at = [left + icons::SIZE / 2.0, middle].into();
    paint::icon(ui, at, Icon::FileText, icons::SIZE - 2.0, palette.text_dim);
    let count = paint::layout(ui, &hits.to_string(), fonts::text(META), palette.text_faint);
    let right = place.seen.right() - SIDE - count.size().x;
    let name = left + icons::SIZE + 2.0 * STEP;
    let room = right - name - 2.0 * STEP;
    let galley = paint::layout_within(ui, path, fonts::text(ROW), palette.text, room);
    paint::text(ui.painter(), name, middle, ROW, galley);
    paint::text(ui.painter(), right, middle, ROW, count);
    let response = ui.interact(place.seen, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{path} {hits}")));
}

/// Draws a hit and says whether it was chosen.
fn line_ui(
    ui: &mut Ui,
    palette: &Palette,
    (id, said): (Id, &str),
    place: Row,
    number: &str,
    text: &str,
    found: &[Range<usize>],
) -> bool {
    let response = ui.interact(place.seen, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, said));
    row_ground(ui, palette, &response, place);
    let middle = place.middle();
    let number = paint::code(ui, number, palette.text_faint);
    let left = place.rect.left() + SIDE + icons::SIZE + 2.0 * STEP;
    let snippet = left + number.size().x + columns(ui, 2);
    paint::code_row(ui.painter(), left, middle, number);
    let room = place.seen.right() - SIDE - snippet;
    let galley = ui.painter().layout_job(marked(text, found, palette, room));
    paint::code_row(ui.painter(), snippet, middle, galley);
    response.clicked()
}

/// The ground of a row under the pointer, and the ring of one with the focus, which is brought into view.
pub(super) fn row_ground(
    ui: &Ui,
    palette: &Palette,
    response: &eframe::egui::Response,
    place: Row,
) {
    let ground = paint::quiet_ground(response, palette);
    ui.painter().rect_filled(place.seen, 4, ground);
    if response.has_focus() {
        paint::ring_inside(ui.painter(), place.seen, palette);
    }
    if response.gained_focus() {
        ui.scroll_to_rect(place.seen, None);
    }
}

fn marked(text: &str, found: &[Range<usize>], palette: &Palette, room: f32) -> LayoutJob {
    let format = |color: Color32, background: Color32| TextFormat {
        background,
        ..TextFormat::simple(fonts::mono(), color)
    };
    let plain = format(palette.text_dim, Color32::TRANSPARENT);
    let mark = format(palette.text, palette.accent_soft);
    let mut job = LayoutJob::default();
    let mut at = 0;
    for range in found {
        job.append(text.get(at..range.start).unwrap_or(""), 0.0, plain.clone());
        job.append(text.get(range.clone()).unwrap_or(""), 0.0, mark.clone());
        at = range.end;
    }
    job.append(text.get(at..).unwrap_or(""), 0.0, plain);
    job.wrap.max_width = room.max(0.0);
    job.wrap.max_rows = 1;
    job.wrap.break_anywhere = true;
    job
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;

    use super::*;
    use crate::i18n::Language;
    use crate::text::hits::Hit;
    use crate::widgets::testing::{Stage, named};

    fn list(count: usize) -> HitList {
        let hit = |line| Hit {
            path: "src/date.rs".into(),
            line,
            snippet: "let a = parse_date(text)?;".into(),
        };
        HitList::of((1..=count).map(hit).collect(), "parse_date")
    }

    fn draw<'a>(
        hits: &'a HitList,
        chosen: &'a mut Option<Chosen>,
    ) -> impl FnMut(&mut Ui, &Palette) + 'a {
        let words = Language::English.words();
        move |ui, palette| {
            let now = super::ui(ui, palette, words, Id::unique("hits"), hits, 200.0);
            *chosen = now.or(chosen.take());
        }
    }

    #[test]
    fn a_hit_is_chosen_by_click_and_by_key() {
        let hits = list(3);
        let mut stage = Stage::new();
        let mut chosen = None;
        let name = "src/date.rs:2 let a = parse_date(text)?;";
        stage.click(name, draw(&hits, &mut chosen));
        assert_eq!(chosen.take().unwrap().line, 2);
        stage.frame(&[Key::Tab], draw(&hits, &mut chosen));
        stage.frame(&[Key::Enter], draw(&hits, &mut chosen));
        let path = "src/date.rs".to_owned();
        assert_eq!(chosen, Some(Chosen { path, line: 1 }));
    }

    #[test]
    fn many_hits_draw_a_screen_full() {
        let mut stage = Stage::new();
        stage.frame(&[], draw(&list(100_000), &mut None));
        assert!(stage.texts().len() < 60, "{}", stage.texts().len());
    }

    #[test]
    fn nothing_found_is_said() {
        let tree = Stage::new().frame(&[], draw(&list(0), &mut None));
        named(&tree, "Nothing was found.");
    }
}
