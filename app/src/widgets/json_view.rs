//! JSON as a tree that folds.

use eframe::egui::{Color32, Id, Role, Sense, Ui, WidgetInfo};

use super::rows::{Row, Rows};
use super::text_view::copy_ui;
use super::{fold, paint};
use crate::i18n::{self, Words};
use crate::text::json::{JsonKind, JsonName, JsonRow, JsonTree};
use crate::theme::fonts;
use crate::theme::icons;
use crate::theme::style::{CODE, CODE_LINE, META, STEP};
use crate::theme::tokens::Palette;

/// The room at the left, in points.
const SIDE: f32 = 2.0 * STEP;
/// How far a level stands in, in points.
const LEVEL: f32 = 4.0 * STEP;

/// Shows a tree, at most this high, in points; it scrolls in itself. `id` tells it from others. The ground
/// under it is the caller's.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    words: &Words,
    id: Id,
    tree: &mut JsonTree,
    max_height: f32,
) {
    let widest = tree.rows().iter().map(width_of).max().unwrap_or(0);
    let rows = Rows {
        salt: id,
        name: words.body.json,
        count: tree.rows().len(),
        height: CODE_LINE + 1.0,
        width: Some(super::rows::columns(ui, widest)),
        max_height,
    };
    let mut toggled = None;
    let area = rows.show(ui, palette, |ui, index, place| {
        if let Some(row) = tree.rows().get(index)
            && row_ui(ui, palette, words, id.with(&row.id), row, place)
        {
            toggled = Some(index);
        }
    });
    copy_ui(ui, palette, words, area, || tree.pretty());
    if let Some(index) = toggled {
        tree.toggle(index);
    }
}

/// The columns that a row may take: never too few.
fn width_of(row: &JsonRow) -> usize {
    let name = match &row.name {
        JsonName::None => 0,
        JsonName::Key(name) | JsonName::Place(name) => name.len() + 2,
    };
    3 * row.depth + name + row.shown.len() + 24
}

/// Draws a row and says whether it was opened or closed.
fn row_ui(
    ui: &mut Ui,
    palette: &Palette,
    words: &Words,
    id: Id,
    row: &JsonRow,
    place: Row,
) -> bool {
    let sense = match row.open {
        Some(_) => Sense::click(),
        None => Sense::hover(),
    };
    let response = ui.interact(place.seen, id, sense);
    if row.open.is_some() {
        let ground = paint::quiet_ground(&response, palette);
        ui.painter().rect_filled(place.seen, 4, ground);
        if response.has_focus() {
            paint::ring_inside(ui.painter(), place.seen, palette);
        }
        if response.gained_focus() {
            ui.scroll_to_rect(place.seen, None);
        }
    }
    let (value, note) = (value(row, palette), note(row, words));
    let middle = place.middle();
    #[expect(clippy::cast_precision_loss, reason = "no JSON is so deep")]
    let mut left = place.rect.left() + SIDE + LEVEL * row.depth as f32;
    if let Some(open) = row.open {
        let at = [left + icons::SIZE / 2.0, middle].into();
        paint::icon(
            ui,
            at,
            fold::chevron(open),
            icons::SIZE - 2.0,
            palette.text_faint,
        );
    }
    left += LEVEL + STEP;
    let mut draw = |text: &str, color: Color32| {
        let galley = paint::code(ui, text, color);
        let width = galley.size().x;
        paint::code_row(ui.painter(), left, middle, galley);
        left += width;
    };
    let mut said = String::new();
    match &row.name {
        JsonName::None => {}
        JsonName::Key(name) => {
            draw(name, palette.text);
            draw(": ", palette.text_faint);
            said = format!("{name}: ");
        }
        JsonName::Place(name) => {
            let mark = if row.kind == JsonKind::Page { "" } else { ": " };
            draw(name, palette.text_faint);
            draw(mark, palette.text_faint);
            said = format!("{name}{mark}");
        }
    }
    if let Some((text, color)) = value {
        draw(&text, color);
        said.push_str(&text);
    }
    if !note.is_empty() {
        let galley = paint::layout(ui, &note, fonts::text(META), palette.text_faint);
        paint::text(ui.painter(), left + 2.0 * STEP, middle, CODE, galley);
        said = format!("{said} {note}");
    }
    let role = if row.open.is_some() {
        Role::TreeItem
    } else {
        Role::Label
    };
    response.widget_info(|| WidgetInfo::labeled(role, true, said.trim()));
    if let Some(open) = row.open {
        fold::tell_open(ui, &response, open);
    }
    response.clicked()
}

fn value(row: &JsonRow, palette: &Palette) -> Option<(String, Color32)> {
    Some(match row.kind {
        JsonKind::Text => (format!("\"{}\"", row.shown), palette.code_string),
        JsonKind::Piece => (row.shown.clone(), palette.code_string),
        JsonKind::Number => (row.shown.clone(), palette.code_number),
        JsonKind::Word => (row.shown.clone(), palette.code_keyword),
        JsonKind::Array(0) => ("[]".to_owned(), palette.text_dim),
        JsonKind::Object(0) => ("{}".to_owned(), palette.text_dim),
        JsonKind::Array(_) => ("[…]".to_owned(), palette.text_dim),
        JsonKind::Object(_) => ("{…}".to_owned(), palette.text_dim),
        JsonKind::Page | JsonKind::More(_) => return None,
    })
}

fn note(row: &JsonRow, words: &Words) -> String {
    match (row.kind, row.open) {
        (JsonKind::Array(count) | JsonKind::Object(count), _) if count > 0 => count.to_string(),
        (JsonKind::Text, Some(false)) => words.body.show_text.to_owned(),
        (JsonKind::More(count), _) => {
            i18n::fill(words.body.more_lines, &[("n", &count.to_string())])
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;
    use serde_json::json;

    use super::*;
    use crate::i18n::Language;
    use crate::widgets::testing::{Stage, named, names};

    fn draw(tree: &mut JsonTree) -> impl FnMut(&mut Ui, &Palette) {
        let words = Language::English.words();
        move |ui, palette| super::ui(ui, palette, words, Id::unique("json"), tree, 300.0)
    }

    #[test]
    fn a_list_is_opened_by_keys_alone() {
        let mut stage = Stage::new();
        let mut tree = JsonTree::of(json!({"list": [1, 2], "name": "x"}));
        let told = stage.frame(&[], draw(&mut tree));
        let list = named(&told, "list: […] 2");
        assert_eq!(
            (list.role(), list.is_expanded()),
            (Role::TreeItem, Some(false))
        );
        stage.frame(&[Key::Tab], draw(&mut tree));
        stage.frame(&[Key::Tab], draw(&mut tree));
        stage.frame(&[Key::Enter], draw(&mut tree));
        let told = stage.frame(&[], draw(&mut tree));
        assert_eq!(named(&told, "list: […] 2").is_expanded(), Some(true));
        assert!(names(&told).contains(&"1: 2"), "{:?}", names(&told));
    }

    #[test]
    fn a_hundred_thousand_entries_draw_a_screen_full() {
        let mut stage = Stage::new();
        let numbers: Vec<usize> = (0..100_000).collect();
        let mut tree = JsonTree::of(json!(numbers));
        stage.frame(&[], draw(&mut tree));
        assert!(stage.texts().len() < 60, "{}", stage.texts().len());
    }

    #[test]
    fn the_copy_is_pretty_json() {
        let mut stage = Stage::new();
        let mut tree = JsonTree::of(json!({"a": 1}));
        stage.click("Copy", draw(&mut tree));
        assert_eq!(stage.copied.as_deref(), Some("{\n  \"a\": 1\n}"));
    }
}
