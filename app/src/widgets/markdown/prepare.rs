//! Turns a block into pieces with their places, once for each width.

use std::sync::Arc;

use eframe::egui::{Pos2, Rect, Ui, Vec2};

use super::look::MarkdownLook;
use super::text::{Set, TextPiece};
use super::{list, picture, table};
use crate::text::markdown::{Block, BlockKind, Code, CodeText, Inline};
use crate::theme::style;
use crate::widgets::code_block;
use crate::widgets::number::float;

/// The white space between blocks, in points.
pub(super) const GAP: f32 = 8.0;
/// The white space above a heading, in points.
const HEADING_GAP: f32 = 16.0;

/// A block with all its pieces in place.
pub(super) struct Prepared {
    /// In points.
    pub(super) height: f32,
    pub(super) pieces: Vec<Piece>,
    /// The pictures, and whether they were there.
    pub(super) pictures: Vec<(Arc<str>, bool)>,
}

/// Something to draw. Its place is relative to the block's corner.
pub(super) enum Piece {
    Text {
        at: Rect,
        text: TextPiece,
    },
    /// The code with this number among the block's codes.
    Code {
        at: Rect,
        number: usize,
    },
    /// The mark of a quote or the line across: a bar.
    Bar {
        at: Rect,
    },
    Dot {
        at: Pos2,
    },
    /// The number of an item, which ends at this place.
    Number {
        at: Pos2,
        text: String,
    },
    Task {
        at: Rect,
        done: bool,
    },
    Picture {
        at: Rect,
        target: Arc<str>,
        alt: String,
    },
    /// What is wider than the column, and scrolls.
    Wide {
        at: Rect,
        width: f32,
        pieces: Vec<Piece>,
    },
}

impl Piece {
    /// Where it is.
    pub(super) fn at(&self) -> Rect {
        match self {
            Self::Text { at, .. }
            | Self::Code { at, .. }
            | Self::Bar { at }
            | Self::Task { at, .. }
            | Self::Picture { at, .. }
            | Self::Wide { at, .. } => *at,
            Self::Dot { at } | Self::Number { at, .. } => {
                Rect::from_center_size(*at, Vec2::splat(2.0 * style::TEXT_LINE))
            }
        }
    }
}

/// Puts pieces below each other.
pub(super) struct Column<'a> {
    pub(super) ui: &'a Ui,
    pub(super) look: &'a MarkdownLook<'a>,
    pub(super) pieces: Vec<Piece>,
    pub(super) pictures: Vec<(Arc<str>, bool)>,
    pub(super) codes: usize,
    /// Where the next piece goes, and how far right it may reach.
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) y: f32,
    /// Whether what stands here is of the second rank.
    pub(super) dim: bool,
}

/// Lays a block out at this width, in points.
pub(super) fn prepare(ui: &Ui, block: &Block, width: f32, look: &MarkdownLook<'_>) -> Prepared {
    let mut column = Column {
        ui,
        look,
        pieces: Vec::new(),
        pictures: Vec::new(),
        codes: 0,
        left: 0.0,
        right: width,
        y: 0.0,
        dim: false,
    };
    column.block(&block.kind);
    Prepared {
        height: column.y.ceil(),
        pieces: column.pieces,
        pictures: column.pictures,
    }
}

impl Column<'_> {
    pub(super) fn width(&self) -> f32 {
        (self.right - self.left).max(style::TEXT_LINE)
    }

    /// Blocks below each other, with white space between them unless they stand tight.
    pub(super) fn blocks(&mut self, blocks: &[BlockKind], tight: bool) {
        let mut before: Option<&BlockKind> = None;
        for block in blocks {
            if let Some(before) = before {
                let gap = gap(before, block);
                self.y += if tight { style::STEP.min(gap) } else { gap };
            }
            self.block(block);
            before = Some(block);
        }
    }

    fn block(&mut self, block: &BlockKind) {
        match block {
            BlockKind::Paragraph(text) => self.text(text, self.set()),
            BlockKind::Heading { level, text } => self.text(text, heading(*level, self.set())),
            BlockKind::Code(code) => self.code(&code.text),
            BlockKind::Html(code) => self.code(code),
            BlockKind::List(list) => list::place(self, list),
            BlockKind::Quote(blocks) => self.quote(blocks),
            BlockKind::Table(table) => table::place(self, table),
            BlockKind::Rule => {
                let y = self.y + GAP / 2.0;
                self.pieces.push(Piece::Bar {
                    at: Rect::from_min_max([self.left, y].into(), [self.right, y + 1.0].into()),
                });
                self.y += GAP + 1.0;
            }
            BlockKind::Image { target, alt } => picture::place(self, target, alt),
        }
    }

    /// How text is set here.
    pub(super) fn set(&self) -> Set {
        let palette = self.look.palette;
        Set {
            size: style::TEXT,
            line: style::TEXT_LINE,
            strong: false,
            color: if self.dim {
                palette.text_dim
            } else {
                palette.text
            },
        }
    }

    fn text(&mut self, inlines: &[Inline], set: Set) {
        let text = TextPiece::new(inlines, set, self.width(), self.look);
        let size = text.size(self.ui);
        let at = Rect::from_min_size([self.left, self.y].into(), size);
        self.y += size.y;
        self.pieces.push(Piece::Text { at, text });
    }

    fn code(&mut self, code: &CodeText) {
        let size = Vec2::new(self.width(), code_block::height(code.lines()));
        let at = Rect::from_min_size([self.left, self.y].into(), size);
        self.y += size.y;
        let number = self.codes;
        self.codes += 1;
        self.pieces.push(Piece::Code { at, number });
    }

    fn quote(&mut self, blocks: &[BlockKind]) {
        let (left, top, dim) = (self.left, self.y, self.dim);
        self.left += 3.0 * style::STEP + 2.0;
        self.dim = true;
        self.blocks(blocks, false);
        self.left = left;
        self.dim = dim;
        self.pieces.push(Piece::Bar {
            at: Rect::from_min_max([left, top].into(), [left + 2.0, self.y].into()),
        });
    }
}

fn heading(level: u8, set: Set) -> Set {
    let (size, line) = match level {
        1 => (style::TITLE, style::TITLE_LINE),
        2 => (17.0, 24.0),
        3 => (15.0, 22.0),
        _ => (style::TEXT, style::TEXT_LINE),
    };
    Set {
        size,
        line,
        strong: true,
        ..set
    }
}

/// The white space between two blocks, in points.
pub(super) fn gap(before: &BlockKind, block: &BlockKind) -> f32 {
    let large = |kind: &BlockKind| {
        matches!(
            kind,
            BlockKind::Code(_) | BlockKind::Html(_) | BlockKind::Table(_) | BlockKind::Image { .. }
        )
    };
    match block {
        BlockKind::Heading { .. } => HEADING_GAP,
        _ if large(before) || large(block) => GAP + style::STEP,
        _ => GAP,
    }
}

/// About how high a block will be, in points, without laying it out.
pub(super) fn estimate(kind: &BlockKind, width: f32) -> f32 {
    let text = |inlines: &[Inline]| {
        let bytes: usize = (inlines.iter())
            .map(|inline| match inline {
                Inline::Text(span) => span.text.len(),
                Inline::Break => 40,
                Inline::Image { target, alt } => target.len() + alt.len(),
            })
            .sum();
        (float(bytes) * 6.8 / width.max(1.0)).ceil().max(1.0) * style::TEXT_LINE
    };
    let all = |blocks: &[BlockKind]| -> f32 {
        (blocks.iter())
            .map(|block| estimate(block, width - 24.0) + GAP)
            .sum::<f32>()
            - GAP
    };
    match kind {
        BlockKind::Paragraph(inlines) => text(inlines),
        BlockKind::Heading { text: inlines, .. } => text(inlines) + style::STEP,
        BlockKind::Code(code) => code_block::height(code.text.lines()),
        BlockKind::Html(code) => code_block::height(code.lines()),
        BlockKind::List(list) => {
            (list.items.iter())
                .map(|item| all(&item.blocks) + style::STEP)
                .sum::<f32>()
                - style::STEP
        }
        BlockKind::Quote(blocks) => all(blocks),
        BlockKind::Table(table) => table::ROW * float(table.rows.len() + 1),
        BlockKind::Rule => GAP + 1.0,
        BlockKind::Image { .. } => style::TEXT_LINE,
    }
}

/// The codes of a block in the order they were placed.
pub(super) fn codes(kind: &BlockKind) -> Vec<CodeRef<'_>> {
    let mut found = Vec::new();
    collect(kind, &mut found);
    found
}

/// A code of a block: code, or HTML that is shown as it is.
#[derive(Clone, Copy)]
pub(super) enum CodeRef<'a> {
    Code(&'a Code),
    Html(&'a CodeText),
}

fn collect<'a>(kind: &'a BlockKind, found: &mut Vec<CodeRef<'a>>) {
    match kind {
        BlockKind::Code(code) => found.push(CodeRef::Code(code)),
        BlockKind::Html(code) => found.push(CodeRef::Html(code)),
        BlockKind::Quote(blocks) => blocks.iter().for_each(|block| collect(block, found)),
        BlockKind::List(list) => (list.items.iter())
            .flat_map(|item| &item.blocks)
            .for_each(|block| collect(block, found)),
        _ => {}
    }
}
