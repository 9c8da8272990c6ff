//! A folder's listing: names with icons, sizes at the right.

use eframe::egui::{Id, Role, Sense, Ui, WidgetInfo};

use super::hits_view::row_ground;
use super::paint;
use super::rows::{Row, Rows};
use super::text_view::faint;
use crate::i18n::Words;
use crate::text::listing::{Entry, EntryKind, size};
use crate::theme::fonts;
use crate::theme::icons::{self, Icon};
use crate::theme::style::{META, ROW, STEP};
use crate::theme::tokens::Palette;

/// The height of a row, in points.
const HEIGHT: f32 = 24.0;
/// The room at the sides, in points.
const SIDE: f32 = 3.0 * STEP;

/// Shows a listing, at most this high, in points; it scrolls in itself. `id` tells it from others. Gives the
/// number of the entry that was clicked, or pressed by Enter or Space with the focus on it.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    words: &Words,
    id: Id,
    entries: &[Entry],
    max_height: f32,
) -> Option<usize> {
    if entries.is_empty() {
        faint(ui, palette, words.body.empty_folder);
        return None;
    }
    let rows = Rows {
        salt: id,
        name: words.body.files,
        count: entries.len(),
        height: HEIGHT,
        width: None,
        max_height,
    };
    let mut chosen = None;
    rows.show(ui, palette, |ui, index, place| {
        if let Some(entry) = entries.get(index)
            && entry_ui(ui, palette, words, id.with(index), place, entry)
        {
            chosen = Some(index);
        }
    });
    chosen
}

/// Draws an entry and says whether it was chosen.
fn entry_ui(
    ui: &mut Ui,
    palette: &Palette,
    words: &Words,
    id: Id,
    place: Row,
    entry: &Entry,
) -> bool {
    let response = ui.interact(place.seen, id, Sense::click());
    row_ground(ui, palette, &response, place);
    let (before, name) = entry.shown();
    let size = entry.bytes.map(size).unwrap_or_default();
    response.widget_info(|| {
        let kind = match entry.kind {
            EntryKind::Folder => words.body.folder,
            EntryKind::File => "",
        };
        let said = format!("{before}{name} {kind}{size}");
        WidgetInfo::labeled(Role::Button, true, said.trim_end())
    });
    let middle = place.middle();
    let mut left = place.rect.left() + SIDE;
    let (icon, color) = match entry.kind {
        EntryKind::Folder => (Icon::Folder, palette.accent),
        EntryKind::File => (Icon::FileText, palette.text_dim),
    };
    let at = [left + icons::SIZE / 2.0, middle].into();
    paint::icon(ui, at, icon, icons::SIZE - 2.0, color);
    left += icons::SIZE + 2.0 * STEP;
    let size = paint::layout(ui, &size, fonts::text(META), palette.text_faint);
    let right = place.seen.right() - SIDE - size.size().x;
    paint::text(ui.painter(), right, middle, ROW, size);
    let room = right - left - 2.0 * STEP;
    let before = paint::layout_within(
        ui,
        &before,
        fonts::text(ROW),
        palette.text_faint,
        room / 2.0,
    );
    let width = before.size().x;
    paint::text(ui.painter(), left, middle, ROW, before);
    let name = paint::layout_within(ui, &name, fonts::text(ROW), palette.text, room - width);
    paint::text(ui.painter(), left + width, middle, ROW, name);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Language;
    use crate::widgets::testing::{Stage, named, names};

    fn entry(path: &str, kind: EntryKind, bytes: Option<u64>) -> Entry {
        Entry {
            path: path.into(),
            kind,
            bytes,
        }
    }

    #[test]
    fn an_entry_tells_its_kind_and_size_and_is_chosen() {
        let words = Language::English.words();
        let entries = [
            entry("src", EntryKind::Folder, None),
            entry("src/date.rs", EntryKind::File, Some(1_234)),
        ];
        let mut stage = Stage::new();
        let mut chosen = None;
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            let now = super::ui(ui, palette, words, Id::unique("tree"), &entries, 200.0);
            chosen = now.or(chosen);
        };
        let tree = stage.frame(&[], &mut draw);
        assert!(names(&tree).contains(&"src folder"), "{:?}", names(&tree));
        stage.click("src/date.rs 1.2 KB", &mut draw);
        assert_eq!(chosen, Some(1));
    }

    #[test]
    fn an_empty_folder_says_that_it_is() {
        let words = Language::English.words();
        let tree = Stage::new().frame(&[], |ui, palette| {
            super::ui(ui, palette, words, Id::unique("tree"), &[], 200.0);
        });
        named(&tree, "The folder is empty.");
    }
}
