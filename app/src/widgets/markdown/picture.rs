//! Pictures: those of the session's own files; for others, their address as text.

use std::sync::Arc;

use eframe::egui::{Rect, Vec2};

use super::prepare::{Column, Piece};
use super::text::{Set, TextPiece, outside};
use crate::text::markdown::{Inline, Span};

/// No picture is drawn higher, in points.
const HIGHEST: f32 = 480.0;

/// Places a picture.
pub(super) fn place(column: &mut Column<'_>, target: &Arc<str>, alt: &str) {
    let texture = (column.look.pictures)(target);
    column.pictures.push((target.clone(), texture.is_some()));
    let corner = [column.left, column.y].into();
    let Some(texture) = texture else {
        let text = Inline::Text(Span {
            text: outside(target, alt, column.look),
            ..Span::default()
        });
        let set = Set {
            color: column.look.palette.text_faint,
            ..column.set()
        };
        let text = TextPiece::new(&[text], set, column.width(), column.look);
        let at = Rect::from_min_size(corner, text.size(column.ui));
        column.y += at.height();
        column.pieces.push(Piece::Text { at, text });
        return;
    };
    let size = texture.size_vec2();
    let scale = (column.width() / size.x.max(1.0))
        .min(HIGHEST / size.y.max(1.0))
        .min(1.0);
    let size: Vec2 = (size * scale).round().max(Vec2::splat(1.0));
    column.y += size.y;
    column.pieces.push(Piece::Picture {
        at: Rect::from_min_size(corner, size),
        target: target.clone(),
        alt: alt.to_owned(),
    });
}
