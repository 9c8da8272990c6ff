//! The transcript's scrolling: only rows in view are laid out, and the reader's place stays where it is.
//!
//! The place is kept as a row and a distance in it, not as a distance from the top: whatever grows or folds
//! above, the row under the reader's eyes doesn't move. At the end it follows what comes.

use eframe::egui::{Rect, ScrollArea, Ui, UiBuilder, Vec2, pos2};

use super::rows::{Row, Rows};

/// How near to the end counts as the end, in points.
const AT_END: f32 = 4.0;
/// Rows are laid out this far beyond what is seen, in points.
const OVERSCAN: f32 = 120.0;

/// Where the reader is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Anchor {
    /// At the end, wherever that is.
    End,
    /// This row's point so far below its top is at the upper edge.
    At(Row, f32),
}

/// The reader's place in a transcript.
#[derive(Debug)]
pub struct List {
    /// The rows.
    pub rows: Rows,
    anchor: Anchor,
    /// A row to bring to the upper edge, set by a command.
    goal: Option<Goal>,
    /// The rows there were when the reader opened or closed something, until that is drawn.
    stays: Option<usize>,
    /// The offset that was last drawn, in points; `None` before the first time.
    offset: Option<f32>,
    /// Rows there were when the reader left the end.
    left_at: usize,
    /// The rows seen in the last frame.
    seen: std::ops::Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Goal {
    End,
    Row(Row),
}

impl Default for List {
    fn default() -> Self {
        Self {
            rows: Rows::default(),
            anchor: Anchor::End,
            goal: None,
            stays: None,
            offset: None,
            left_at: 0,
            seen: 0..0,
        }
    }
}

impl List {
    /// Goes to the end and follows it.
    pub fn to_end(&mut self) {
        self.goal = Some(Goal::End);
    }

    /// Brings a row to the upper edge.
    pub fn to_row(&mut self, row: Row) {
        self.goal = Some(Goal::Row(row));
    }

    /// Keeps what is in sight where it is, as when the reader opens something that makes the end go down.
    pub fn stay(&mut self) {
        let rows = self.rows.slots().len();
        self.stays = Some(rows);
        if let Some(offset) = self.offset.filter(|_| self.at_end()) {
            let (place, within) = self.rows.at(offset);
            if let Some(slot) = self.rows.slots().get(place) {
                self.left_at = rows;
                self.anchor = Anchor::At(slot.row, within);
            }
        }
    }

    /// Whether the reader is at the end.
    pub fn at_end(&self) -> bool {
        self.anchor == Anchor::End
    }

    /// Rows that have come since the reader left the end.
    pub fn new_below(&self) -> usize {
        if self.at_end() {
            0
        } else {
            self.rows.slots().len().saturating_sub(self.left_at)
        }
    }

    /// The run at the upper edge.
    pub fn run_in_view(&self) -> Option<usize> {
        let slot = self.rows.slots().get(self.seen.start)?;
        Some(slot.row.run())
    }

    /// Draws the rows in view in a column of this width, centred. `draw` draws one row and gives by how much what is
    /// in sight of it has moved down, in points. `salt` tells this transcript's place from that of others.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        salt: impl std::hash::Hash + std::fmt::Debug,
        width: f32,
        mut draw: impl FnMut(&mut Ui, Row) -> f32,
    ) {
        let height = ui.available_height();
        let total = self.rows.total();
        self.reach_goal();
        let wanted = self.wanted_offset(total, height);
        let mut area = ScrollArea::vertical()
            .id_salt(("transcript", salt))
            .auto_shrink(false);
        if self
            .offset
            .is_none_or(|offset| (wanted - offset).abs() > 0.1)
        {
            area = area.vertical_scroll_offset(wanted);
        }
        let mut changed = false;
        let output = area.show_viewport(ui, |ui, viewport| {
            changed = self.draw_in_view(ui, width, viewport, &mut draw);
            // The content is as high as the rows are, whichever were drawn.
            ui.set_height(self.rows.total().max(viewport.height()));
        });
        let offset = output.state.clamped_offset().y;
        let total = self.rows.total();
        let moved = (offset - wanted).abs() > 0.5;
        self.offset = Some(offset);
        if let Some(before) = self.stays.take() {
            // What was opened is nothing new.
            let now = self.rows.slots().len();
            self.left_at = (self.left_at + now).saturating_sub(before);
            // It had room, or something was closed: the end is still in sight.
            if offset >= total - output.inner_rect.height() - AT_END {
                self.anchor = Anchor::End;
            }
        }
        if moved {
            self.drop_anchor(offset, total, output.inner_rect.height());
        } else if changed {
            // What was guessed is measured now: the same pass once more, so that nothing is seen to jump.
            let settled = self.wanted_offset(total, output.inner_rect.height());
            if (settled - offset).abs() > 0.5 {
                ui.ctx().request_discard("rows were measured");
            }
        }
    }

    fn reach_goal(&mut self) {
        match self.goal.take() {
            None => {}
            Some(Goal::End) => self.anchor = Anchor::End,
            Some(Goal::Row(row)) => {
                self.left_at = self.rows.slots().len();
                self.anchor = Anchor::At(row, 0.0);
            }
        }
    }

    fn wanted_offset(&self, total: f32, height: f32) -> f32 {
        let end = (total - height).max(0.0);
        match self.anchor {
            Anchor::End => end,
            Anchor::At(row, within) => {
                let place = self.rows.place_of(row).or_else(|| {
                    // The row is folded away: its run's first one takes its place.
                    let run = row.run();
                    self.rows
                        .slots()
                        .iter()
                        .position(|slot| slot.row.run() == run)
                });
                place.map_or(end, |place| (self.rows.top_of(place) + within).min(end))
            }
        }
    }

    fn drop_anchor(&mut self, offset: f32, total: f32, height: f32) {
        if offset >= total - height - AT_END {
            self.anchor = Anchor::End;
            return;
        }
        if self.at_end() {
            self.left_at = self.rows.slots().len();
        }
        let (place, within) = self.rows.at(offset);
        if let Some(slot) = self.rows.slots().get(place) {
            self.anchor = Anchor::At(slot.row, within);
        }
    }

    /// Draws what is in view and measures it. Tells whether a height changed.
    fn draw_in_view(
        &mut self,
        ui: &mut Ui,
        width: f32,
        viewport: Rect,
        draw: &mut impl FnMut(&mut Ui, Row) -> f32,
    ) -> bool {
        let origin = ui.max_rect().min;
        let left = origin.x + ((ui.max_rect().width() - width) / 2.0).max(0.0);
        let (mut place, within) = self.rows.at((viewport.min.y - OVERSCAN).max(0.0));
        let mut top = (viewport.min.y - OVERSCAN).max(0.0) - within;
        let mut changed = false;
        let mut seen = usize::MAX;
        while let Some(slot) = self.rows.slots().get(place).copied() {
            if top > viewport.max.y + OVERSCAN {
                break;
            }
            let rect = Rect::from_min_size(
                pos2(left, origin.y + top),
                Vec2::new(width, slot.height.max(1.0)),
            );
            let mut child = ui.new_child(
                UiBuilder::new()
                    .id_salt(slot.row)
                    .max_rect(rect.with_max_y(f32::INFINITY))
                    .layout(eframe::egui::Layout::top_down(eframe::egui::Align::Min)),
            );
            let moved = draw(&mut child, slot.row);
            if let Anchor::At(row, within) = &mut self.anchor
                && *row == slot.row
            {
                *within += moved;
            }
            let height = child.min_rect().height();
            if (height - slot.height).abs() > 0.5 {
                changed = true;
            }
            self.rows.measure(place, height);
            if top + height > viewport.min.y && seen == usize::MAX {
                seen = place;
            }
            top += height;
            place += 1;
        }
        self.seen = seen.min(place)..place;
        changed
    }
}
