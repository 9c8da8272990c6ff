//! A header with a chevron that opens what is under it, in place.

use eframe::egui::{Response, Role, Sense, Ui, Vec2, WidgetInfo};

use super::paint;
use crate::theme::fonts;
use crate::theme::icons::{self, Icon};
use crate::theme::style::{CONTROL, META, STEP, TEXT};
use crate::theme::tokens::Palette;

/// Where the title begins, in points from the header's left.
pub const INDENT: f32 = icons::SIZE + 2.0 * STEP;

/// The chevron of something open or closed.
pub(super) fn chevron(open: bool) -> Icon {
    if open {
        Icon::ChevronDown
    } else {
        Icon::ChevronRight
    }
}

/// Tells a screen reader whether something is open.
pub(super) fn tell_open(ui: &Ui, response: &Response, open: bool) {
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_expanded(open));
}

/// Draws a header and turns `open` over when it is clicked, or pressed by Enter or Space with the focus on it.
/// `title` stands in the colour of text when open, and dim when closed; `meta` beside it is faint. `beside` draws
/// what follows them on the same row.
pub fn header(
    ui: &mut Ui,
    palette: &Palette,
    open: &mut bool,
    title: &str,
    meta: &str,
    beside: impl FnOnce(&mut Ui),
) -> Response {
    ui.horizontal(|ui| {
        let color = if *open {
            palette.text
        } else {
            palette.text_dim
        };
        let room = ui.available_width() - INDENT - STEP;
        let title_galley = paint::layout_within(ui, title, fonts::text(TEXT), color, room);
        let title_width = title_galley.size().x;
        let meta_room = room - title_width - 2.0 * STEP;
        let meta_galley =
            paint::layout_within(ui, meta, fonts::text(META), palette.text_faint, meta_room);
        let meta_width = if meta.is_empty() {
            0.0
        } else {
            2.0 * STEP + meta_galley.size().x
        };
        let size = Vec2::new(INDENT + title_width + meta_width + STEP, CONTROL);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        if response.clicked() {
            *open = !*open;
        }
        response.widget_info(|| {
            let name = format!("{title} {meta}");
            WidgetInfo::labeled(Role::DisclosureTriangle, ui.is_enabled(), name.trim_end())
        });
        tell_open(ui, &response, *open);
        let middle = rect.center().y;
        let at = [rect.left() + icons::SIZE / 2.0, middle].into();
        let chevron_color = if response.hovered() {
            palette.text
        } else {
            palette.text_faint
        };
        paint::icon(ui, at, chevron(*open), icons::SIZE, chevron_color);
        let left = rect.left() + INDENT;
        paint::text(ui.painter(), left, middle, TEXT, title_galley);
        let left = left + title_width + 2.0 * STEP;
        paint::text(ui.painter(), left, middle, TEXT, meta_galley);
        paint::ring_outside(ui, &response, palette);
        beside(ui);
        response
    })
    .inner
}

/// A header with what it opens under it.
pub fn ui(
    ui: &mut Ui,
    palette: &Palette,
    open: &mut bool,
    title: &str,
    meta: &str,
    body: impl FnOnce(&mut Ui),
) -> Response {
    let response = header(ui, palette, open, title, meta, |_| {});
    if *open {
        body(ui);
    }
    response
}

#[cfg(test)]
mod tests {
    use eframe::egui::Key;

    use super::*;
    use crate::widgets::testing::{Stage, named, names};

    #[test]
    fn it_opens_and_closes_by_keys_and_says_which() {
        let mut stage = Stage::new();
        let mut open = false;
        let mut draw = |ui: &mut Ui, palette: &Palette| {
            super::ui(ui, palette, &mut open, "Step 1", "list, grep", |ui| {
                ui.label("inside");
            });
        };
        let tree = stage.frame(&[], &mut draw);
        let header = named(&tree, "Step 1 list, grep");
        assert_eq!(header.role(), Role::DisclosureTriangle);
        assert_eq!(header.is_expanded(), Some(false));
        stage.frame(&[Key::Tab], &mut draw);
        let tree = stage.frame(&[Key::Space], &mut draw);
        assert_eq!(named(&tree, "Step 1 list, grep").is_expanded(), Some(true));
        assert!(names(&tree).contains(&"inside"));
        let tree = stage.frame(&[Key::Enter], &mut draw);
        assert!(!names(&tree).contains(&"inside"));
    }
}
