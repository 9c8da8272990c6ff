//! Lists: marks that hang in the margin, and boxes for tasks.

use eframe::egui::{Rect, Vec2};

use super::prepare::{Column, GAP, Piece};
use crate::text::markdown::List;
use crate::theme::{fonts, style};
use crate::widgets::number::float;

/// How far the text of an item stands from the left, in points.
const INDENT: f32 = 20.0;
/// The white space between a mark and the text, in points.
const MARK_GAP: f32 = 6.0;
/// The side of a task's box, in points.
const BOX: f32 = 14.0;

/// Places a list.
pub(super) fn place(column: &mut Column<'_>, list: &List) {
    let widest = list
        .start
        .map(|start| format!("{}.", start.saturating_add(list.items.len() as u64)));
    let indent = widest.map_or(INDENT, |number| {
        let digit = column
            .ui
            .fonts_mut(|fonts| fonts.glyph_width(&fonts::text(style::TEXT), '0'));
        (float(number.len()) * digit + MARK_GAP).ceil().max(INDENT)
    });
    let left = column.left;
    let middle = style::TEXT_LINE / 2.0;
    for (number, item) in list.items.iter().enumerate() {
        if number > 0 {
            column.y += if list.tight { style::STEP } else { GAP };
        }
        let (top, text) = (column.y, left + indent);
        match (item.task, list.start) {
            (Some(done), _) => column.pieces.push(Piece::Task {
                at: Rect::from_min_size(
                    [left + 1.0, top + middle - BOX / 2.0].into(),
                    Vec2::splat(BOX),
                ),
                done,
            }),
            (None, Some(start)) => column.pieces.push(Piece::Number {
                at: [text - MARK_GAP, top].into(),
                text: format!("{}.", start.saturating_add(number as u64)),
            }),
            (None, None) => column.pieces.push(Piece::Dot {
                at: [left + INDENT / 2.0 - 2.0, top + middle].into(),
            }),
        }
        column.left = text;
        column.blocks(&item.blocks, list.tight);
        column.left = left;
        column.y = column.y.max(top + style::TEXT_LINE);
    }
}
