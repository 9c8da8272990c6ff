//! Draws what is in sight of a document.

use eframe::egui::{Rect, Sense, Ui, Vec2};

use super::layout::{DocumentLayout, Ready};
use super::look::{MarkdownActions, MarkdownLook};
use super::paint::Painter;
use super::prepare::codes;
use crate::text::markdown::Document;

/// Draws a document over the width there is, and takes the space of all of it. Only blocks in sight are laid
/// out; the others take the height that is known or estimated of them.
pub fn show(
    ui: &mut Ui,
    document: &Document,
    layout: &mut DocumentLayout,
    look: &MarkdownLook<'_>,
) -> MarkdownActions {
    let mut actions = MarkdownActions::default();
    let blocks = document.blocks();
    let width = ui.available_width().floor();
    layout.update(ui, blocks, width, look);
    let corner = ui.available_rect_before_wrap().min;
    let sight = ui.clip_rect();
    let top = sight.top() - corner.y;
    let first = layout.first_below(top);
    let mut last = first;
    while let (Some(row), Some(block)) = (layout.row(last), blocks.get(last)) {
        if corner.y + row.top > sight.bottom() {
            break;
        }
        let grown = layout.measure(ui, last, block, look);
        if row.top < top {
            actions.shifted += grown;
        }
        last += 1;
    }
    let size = Vec2::new(width, layout.height());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    for number in first..last {
        let (Some(row), Some(block)) = (layout.row(number), blocks.get(number)) else {
            break;
        };
        let at = Rect::from_min_size(
            rect.min + Vec2::new(0.0, row.top),
            Vec2::new(width, row.height),
        );
        if at.top() > sight.bottom() {
            break;
        }
        let Some(Ready {
            prepared, spans, ..
        }) = layout.ready(number, block.id)
        else {
            continue;
        };
        let mut painter = Painter {
            look,
            codes: &codes(&block.kind),
            spans,
            actions: &mut actions,
        };
        let id = ui.scope_id().with(("block", number));
        painter.pieces(ui, id, at.min, &prepared.pieces);
    }
    actions
}
