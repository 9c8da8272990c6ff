//! The heights of a document's blocks, and the pieces of those in sight.

use std::collections::BTreeMap;
use std::sync::Arc;

use eframe::egui::Ui;

use super::look::MarkdownLook;
use super::prepare::{Prepared, estimate, gap, prepare};
use crate::i18n::Words;
use crate::text::highlight::Spans;
use crate::text::markdown::{Block, Blocks};
use crate::theme::tokens::Palette;

/// How many blocks are kept ready before those out of sight are let go.
const READY: usize = 256;

/// What is known of how a document is laid out. Keep one beside each document that is drawn.
///
/// A finished block is laid out once; again only when the width, the resolution, the colours or the language change.
#[derive(Default)]
pub struct DocumentLayout {
    key: Option<Key>,
    palette: Option<Palette>,
    words: Option<&'static str>,
    rows: Vec<Row>,
    /// How many rows are of blocks that stay.
    committed: usize,
    ready: BTreeMap<(usize, u64), Ready>,
    frame: u64,
}

#[derive(Clone, Copy, PartialEq)]
struct Key {
    generation: u64,
    width: f32,
    pixels_per_point: f32,
}

/// The place of a block: where it starts below the document's top, and how high it is, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) top: f32,
    pub(super) height: f32,
    id: u64,
    /// White space above it, which is part of the distance to the block before.
    gap: f32,
    measured: bool,
}

/// A block ready to be drawn.
pub(super) struct Ready {
    pub(super) prepared: Prepared,
    pub(super) spans: Vec<Option<Arc<Spans>>>,
    used: u64,
}

impl DocumentLayout {
    /// The height of the whole, in points, as far as it is known: blocks that were never in sight are estimated.
    pub fn height(&self) -> f32 {
        (self.rows.last()).map_or(0.0, |row| row.top + row.height)
    }

    /// Takes in what has changed since the last frame.
    pub(super) fn update(
        &mut self,
        ui: &Ui,
        blocks: Blocks<'_>,
        width: f32,
        look: &MarkdownLook<'_>,
    ) {
        self.frame += 1;
        let key = Key {
            generation: blocks.generation(),
            width,
            pixels_per_point: ui.pixels_per_point(),
        };
        if self.key != Some(key) {
            self.key = Some(key);
            self.rows.clear();
            self.committed = 0;
            self.ready.clear();
        }
        let words = language(look.words);
        if self.palette.as_ref() != Some(look.palette) || self.words != Some(words) {
            self.palette = Some(*look.palette);
            self.words = Some(words);
            self.ready.clear();
        }
        if self.ready.len() > READY {
            let frame = self.frame;
            self.ready.retain(|_, ready| ready.used + 2 > frame);
        }
        let stay = self.committed.min(blocks.committed());
        let old = self.rows.split_off(stay.min(self.rows.len()));
        let mut before = stay.checked_sub(1).and_then(|number| blocks.get(number));
        for number in stay..blocks.len() {
            let Some(block) = blocks.get(number) else {
                break;
            };
            let known = old.get(number - stay);
            let gap = match before {
                Some(before) if !block.continues => gap(&before.kind, &block.kind),
                _ => 0.0,
            };
            self.rows.push(Row {
                top: 0.0,
                // What streams is about as high as it was a moment ago.
                height: known.map_or_else(|| estimate(&block.kind, width), |row| row.height),
                id: block.id,
                gap,
                measured: known.is_some_and(|row| row.id == block.id && row.measured),
            });
            before = Some(block);
        }
        self.committed = blocks.committed();
        self.stack(stay);
    }

    /// The first block that ends below this, in points from the top.
    pub(super) fn first_below(&self, y: f32) -> usize {
        self.rows.partition_point(|row| row.top + row.height < y)
    }

    /// The place of a block.
    pub(super) fn row(&self, number: usize) -> Option<Row> {
        self.rows.get(number).copied()
    }

    /// Lays a block out unless that has been done. Gives by how much its height was misjudged, in points.
    pub(super) fn measure(
        &mut self,
        ui: &Ui,
        number: usize,
        block: &Block,
        look: &MarkdownLook<'_>,
    ) -> f32 {
        let (Some(key), Some(row)) = (self.key, self.rows.get(number)) else {
            return 0.0;
        };
        let changed = (self.ready.get(&(number, block.id))).is_none_or(|ready| {
            let pictures = &ready.prepared.pictures;
            (pictures.iter()).any(|(target, shown)| (look.pictures)(target).is_some() != *shown)
        });
        if !changed && row.measured {
            return 0.0;
        }
        let prepared = prepare(ui, block, key.width, look);
        let grown = prepared.height - row.height;
        self.ready.insert(
            (number, block.id),
            Ready {
                prepared,
                spans: Vec::new(),
                used: self.frame,
            },
        );
        if let Some(row) = self.rows.get_mut(number) {
            row.height += grown;
            row.measured = true;
        }
        if grown != 0.0 {
            self.stack(number);
        }
        grown
    }

    /// What there is to draw of a block that was measured.
    pub(super) fn ready(&mut self, number: usize, id: u64) -> Option<&mut Ready> {
        let frame = self.frame;
        let ready = self.ready.get_mut(&(number, id))?;
        ready.used = frame;
        Some(ready)
    }

    /// Puts the rows from this one on below each other.
    fn stack(&mut self, from: usize) {
        let before = from.checked_sub(1).and_then(|number| self.rows.get(number));
        let mut y = before.map_or(0.0, |row| row.top + row.height);
        for row in self.rows.iter_mut().skip(from) {
            row.top = y + row.gap;
            y = row.top + row.height;
        }
    }
}

/// A word by which the languages differ.
fn language(words: &Words) -> &'static str {
    words.markdown.picture_outside
}
