//! Tables: columns as wide as they need to be, cells that wrap, and a scroll when even that is too wide.

use eframe::egui::{Rect, Vec2};

use super::prepare::{Column, Piece};
use super::text::{Set, TextPiece};
use crate::text::markdown::{Align, Inline, Table};
use crate::theme::style;
use crate::widgets::number::float;

/// The white space at both sides of a cell, in points.
const SIDE: f32 = 8.0;
/// The white space above and below a cell's text, in points.
const ABOVE: f32 = 6.0;
/// A column isn't made narrower than this for its cells to wrap, in points.
const NARROWEST: f32 = 96.0;
/// About the height of a row, in points.
pub(super) const ROW: f32 = style::TEXT_LINE + 2.0 * ABOVE + 1.0;

/// Places a table.
pub(super) fn place(column: &mut Column<'_>, table: &Table) {
    let set = column.set();
    let head = Set {
        strong: true,
        ..set
    };
    let rows: Vec<Vec<TextPiece>> = std::iter::once((&table.head, head))
        .chain(table.rows.iter().map(|row| (row, set)))
        .map(|(row, set)| cells(column, row, set))
        .collect();
    let mut widths = vec![0.0_f32; table.aligns.len()];
    for row in &rows {
        for (cell, width) in row.iter().zip(&mut widths) {
            *width = width.max(cell.size(column.ui).x.ceil());
        }
    }
    let sides = 2.0 * SIDE * float(widths.len());
    fit(&mut widths, column.width() - sides);
    let width = widths.iter().sum::<f32>() + sides;
    let wide = width > column.width();
    let (left, top) = if wide {
        (0.0, 0.0)
    } else {
        (column.left, column.y)
    };
    let mut pieces = Vec::new();
    let mut y = top;
    let count = rows.len();
    for (number, row) in rows.into_iter().enumerate() {
        let mut x = left;
        let mut height = style::TEXT_LINE;
        for ((mut text, width), align) in row.into_iter().zip(&widths).zip(&table.aligns) {
            text.wrap_at(*width);
            let size = text.size(column.ui);
            height = height.max(size.y);
            let spare = (width - size.x).max(0.0);
            let shift = match align {
                Align::Left => 0.0,
                Align::Center => (spare / 2.0).round(),
                Align::Right => spare,
            };
            let at = Rect::from_min_size([x + SIDE + shift, y + ABOVE].into(), size);
            pieces.push(Piece::Text { at, text });
            x += width + 2.0 * SIDE;
        }
        y += height + 2.0 * ABOVE;
        if number + 1 < count {
            pieces.push(Piece::Bar {
                at: Rect::from_min_size([left, y].into(), Vec2::new(width, 1.0)),
            });
            y += 1.0;
        }
    }
    if wide {
        let at = Rect::from_min_size([column.left, column.y].into(), Vec2::new(column.width(), y));
        column.y += y;
        column.pieces.push(Piece::Wide { at, width, pieces });
    } else {
        column.y = y;
        column.pieces.append(&mut pieces);
    }
}

fn cells(column: &Column<'_>, row: &[Vec<Inline>], set: Set) -> Vec<TextPiece> {
    (row.iter())
        .map(|cell| TextPiece::new(cell, set, f32::INFINITY, column.look))
        .collect()
}

/// Makes the widest columns narrower until all fit, but none narrower than its text may well be.
fn fit(widths: &mut [f32], room: f32) {
    if widths.iter().sum::<f32>() <= room {
        return;
    }
    let mut sorted = widths.to_vec();
    sorted.sort_by(f32::total_cmp);
    let mut left = room;
    let mut most = NARROWEST;
    for (number, width) in sorted.iter().enumerate() {
        let share = left / float(sorted.len() - number);
        if *width > share {
            most = share.floor();
            break;
        }
        left -= width;
    }
    for width in widths {
        *width = width.min(most.max(NARROWEST));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widest_columns_give_way() {
        let mut widths = [50.0, 900.0, 300.0];
        fit(&mut widths, 650.0);
        assert_eq!(format!("{widths:?}"), "[50.0, 300.0, 300.0]");
        let mut widths = [500.0; 10];
        fit(&mut widths, 650.0);
        assert!(widths.iter().all(|width| (width - NARROWEST).abs() < 0.1));
    }
}
