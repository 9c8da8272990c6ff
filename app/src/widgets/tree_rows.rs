//! A tree of folders and files as rows of one height: the arrow keys go through it, Enter opens.

use eframe::egui::{EventFilter, Id, Key, Modifiers, Role, Sense, Ui, WidgetInfo, pos2};

use super::paint;
use super::rows::{Reveal, Row, Rows};
use crate::theme::fonts;
use crate::theme::icons::{self, Icon};
use crate::theme::style::{META, ROW, STEP};
use crate::theme::tokens::Palette;

/// The height of a row, in points.
const HEIGHT: f32 = 24.0;
/// The room at the sides, in points.
const SIDE: f32 = 3.0 * STEP;
/// How far a level stands in, in points.
const INDENT: f32 = 4.0 * STEP;
/// The room for the mark of what can be opened, in points.
const MARK: f32 = 4.0 * STEP;

/// One row.
#[derive(Clone, Debug)]
pub struct TreeRow {
    /// How deep, 0 at the top.
    pub depth: usize,
    /// What stands in it.
    pub name: String,
    /// What stands at its right.
    pub note: String,
    /// What it is.
    pub kind: TreeKind,
}

/// What a row is.
#[derive(Clone, Copy, Debug)]
pub enum TreeKind {
    /// A folder, and whether what is in it is shown.
    Folder(bool),
    /// A file.
    File,
    /// Something that can't be opened.
    Other(Icon),
    /// Words.
    Note,
}

/// What was asked for, by the row's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeAsked {
    /// To mark it.
    Select(usize),
    /// To open a file.
    Open(usize),
    /// To show what is in a folder, or not.
    Unfold(usize, bool),
}

/// Draws the tree as large as there is room. `name` is its accessible name, `folder` the word for one. `focus`
/// gives it the keyboard.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    id: Id,
    (name, folder): (&str, &str),
    rows: &[TreeRow],
    selected: Option<usize>,
    focus: bool,
) -> Option<TreeAsked> {
    let area = ui.available_rect_before_wrap();
    let keys = ui.interact(area, id, Sense::focusable_noninteractive());
    keys.widget_info(|| WidgetInfo::labeled(Role::Tree, true, name));
    if focus {
        keys.request_focus();
    }
    let mut asked = None;
    if keys.has_focus() {
        let filter = EventFilter {
            vertical_arrows: true,
            horizontal_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        asked = by_key(ui, rows, selected);
    }
    let reveal = match asked {
        Some(TreeAsked::Select(row)) => Some(Reveal { row, left: 0.0 }),
        _ => None,
    };
    let list = Rows {
        salt: id.with("rows"),
        name,
        count: rows.len(),
        height: HEIGHT,
        width: None,
        max_height: ui.available_height(),
    };
    list.show_from(ui, palette, reveal, |ui, index, place| {
        if let Some(row) = rows.get(index) {
            let is_selected = selected == Some(index);
            let clicked = row_ui(ui, palette, id.with(index), folder, row, place, is_selected);
            if clicked {
                ui.memory_mut(|memory| memory.request_focus(id));
                asked = Some(match row.kind {
                    TreeKind::Folder(open) => TreeAsked::Unfold(index, !open),
                    TreeKind::File => TreeAsked::Open(index),
                    TreeKind::Other(_) | TreeKind::Note => TreeAsked::Select(index),
                });
            }
        }
    });
    if keys.has_focus() {
        paint::ring_inside(ui.painter(), area, palette);
    }
    asked
}

fn by_key(ui: &Ui, rows: &[TreeRow], selected: Option<usize>) -> Option<TreeAsked> {
    let last = rows.len().checked_sub(1)?;
    let pressed = |key: Key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let now = selected.unwrap_or(0);
    let row = rows.get(now)?;
    if pressed(Key::ArrowDown) {
        let next = if selected.is_none() { 0 } else { now + 1 };
        return Some(TreeAsked::Select(next.min(last)));
    }
    if pressed(Key::ArrowUp) {
        return Some(TreeAsked::Select(now.saturating_sub(1)));
    }
    if pressed(Key::Home) {
        return Some(TreeAsked::Select(0));
    }
    if pressed(Key::End) {
        return Some(TreeAsked::Select(last));
    }
    if pressed(Key::ArrowRight) {
        return match row.kind {
            TreeKind::Folder(false) => Some(TreeAsked::Unfold(now, true)),
            TreeKind::Folder(true) => Some(TreeAsked::Select((now + 1).min(last))),
            _ => None,
        };
    }
    if pressed(Key::ArrowLeft) {
        if let TreeKind::Folder(true) = row.kind {
            return Some(TreeAsked::Unfold(now, false));
        }
        let above = rows.get(..now)?;
        let parent = above.iter().rposition(|above| above.depth < row.depth)?;
        return Some(TreeAsked::Select(parent));
    }
    if pressed(Key::Enter) || pressed(Key::Space) {
        return match row.kind {
            TreeKind::Folder(open) => Some(TreeAsked::Unfold(now, !open)),
            TreeKind::File => Some(TreeAsked::Open(now)),
            _ => None,
        };
    }
    None
}

/// Draws a row and says whether it was clicked.
fn row_ui(
    ui: &mut Ui,
    palette: &Palette,
    id: Id,
    folder: &str,
    row: &TreeRow,
    place: Row,
    is_selected: bool,
) -> bool {
    // The tree has the keyboard, not its rows.
    let response = ui.interact(place.seen, id, Sense::CLICK);
    response.widget_info(|| {
        let is_folder = matches!(row.kind, TreeKind::Folder(_));
        let what = if is_folder { folder } else { "" };
        let said = format!("{} {what}", row.name);
        WidgetInfo::selected(Role::TreeItem, true, is_selected, said.trim_end())
    });
    let ground = if is_selected {
        palette.control
    } else {
        paint::quiet_ground(&response, palette)
    };
    ui.painter().rect_filled(place.seen, 4, ground);
    let middle = place.middle();
    #[expect(clippy::cast_precision_loss, reason = "no path is so deep")]
    let mut left = place.rect.left() + SIDE + row.depth as f32 * INDENT;
    let (mark, icon, color) = match row.kind {
        TreeKind::Folder(true) => (
            Some(Icon::ChevronDown),
            Some(Icon::FolderOpen),
            palette.accent,
        ),
        TreeKind::Folder(false) => (Some(Icon::ChevronRight), Some(Icon::Folder), palette.accent),
        TreeKind::File => (None, Some(Icon::FileText), palette.text_dim),
        TreeKind::Other(icon) => (None, Some(icon), palette.text_faint),
        TreeKind::Note => (None, None, palette.text_faint),
    };
    if let Some(mark) = mark {
        paint::icon(
            ui,
            pos2(left + MARK / 2.0, middle),
            mark,
            13.0,
            palette.text_faint,
        );
    }
    left += MARK + STEP;
    if let Some(icon) = icon {
        let at = pos2(left + icons::SIZE / 2.0, middle);
        paint::icon(ui, at, icon, icons::SIZE - 2.0, color);
        left += icons::SIZE + 2.0 * STEP;
    }
    let note = paint::layout(ui, &row.note, fonts::text(META), palette.text_faint);
    let right = place.seen.right() - SIDE - note.size().x;
    paint::text(ui.painter(), right, middle, ROW, note);
    let color = match row.kind {
        TreeKind::Folder(_) | TreeKind::File => palette.text,
        TreeKind::Other(_) | TreeKind::Note => palette.text_dim,
    };
    let room = right - left - 2.0 * STEP;
    let name = paint::layout_within(ui, &row.name, fonts::text(ROW), color, room);
    paint::text(ui.painter(), left, middle, ROW, name);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::testing::{Stage, named};

    fn rows() -> Vec<TreeRow> {
        let row = |depth, name: &str, kind| TreeRow {
            depth,
            name: name.to_owned(),
            note: String::new(),
            kind,
        };
        vec![
            row(0, "src", TreeKind::Folder(true)),
            row(1, "main.rs", TreeKind::File),
            row(0, "notes", TreeKind::Folder(false)),
        ]
    }

    #[test]
    fn arrows_go_through_it_and_enter_opens() {
        let mut stage = Stage::new();
        let rows = rows();
        let mut selected = None;
        let mut press = |stage: &mut Stage, keys: &[Key]| {
            let mut asked = None;
            stage.frame(keys, |ui, palette| {
                let words = ("Files", "folder");
                let id = Id::unique("tree");
                asked = super::ui(ui, palette, id, words, &rows, selected, true).or(asked);
            });
            if let Some(TreeAsked::Select(row)) = asked {
                selected = Some(row);
            }
            asked
        };
        press(&mut stage, &[]);
        press(&mut stage, &[]);
        assert_eq!(
            press(&mut stage, &[Key::ArrowDown]),
            Some(TreeAsked::Select(0))
        );
        assert_eq!(
            press(&mut stage, &[Key::ArrowLeft]),
            Some(TreeAsked::Unfold(0, false))
        );
        assert_eq!(
            press(&mut stage, &[Key::ArrowRight]),
            Some(TreeAsked::Select(1))
        );
        assert_eq!(press(&mut stage, &[Key::Enter]), Some(TreeAsked::Open(1)));
        assert_eq!(
            press(&mut stage, &[Key::ArrowLeft]),
            Some(TreeAsked::Select(0))
        );
        press(&mut stage, &[Key::End]);
        assert_eq!(
            press(&mut stage, &[Key::ArrowDown]),
            Some(TreeAsked::Select(2))
        );
        assert_eq!(
            press(&mut stage, &[Key::ArrowRight]),
            Some(TreeAsked::Unfold(2, true))
        );
    }

    #[test]
    fn a_row_tells_what_it_is_and_is_clicked() {
        let mut stage = Stage::new();
        let rows = rows();
        let mut asked = None;
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            let words = ("Files", "folder");
            let id = Id::unique("tree");
            asked = super::ui(ui, palette, id, words, &rows, None, false).or(asked);
        };
        let tree = stage.frame(&[], &mut draw);
        assert_eq!(named(&tree, "src folder").role(), Role::TreeItem);
        stage.click("notes folder", &mut draw);
        assert_eq!(asked, Some(TreeAsked::Unfold(2, true)));
    }
}
