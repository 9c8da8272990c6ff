//! Many rows of one height in an area that scrolls: only what is seen is laid out.

use eframe::egui::style::ScrollAnimation;
use eframe::egui::{
    Align, EventFilter, Id, Key, Modifiers, Pos2, Rect, Role, ScrollArea, Sense, Ui, Vec2,
    WidgetInfo,
};

use super::paint;
use crate::theme::tokens::Palette;

/// How far a rest of a page stays in view when paging, in points.
const OVERLAP: f32 = 20.0;
/// Further than any content goes, in points.
const FAR: f32 = 1e9;

/// The area.
pub(super) struct Rows<'a> {
    /// Tells areas in one place apart.
    pub(super) salt: Id,
    /// The accessible name.
    pub(super) name: &'a str,
    /// How many rows there are.
    pub(super) count: usize,
    /// How high a row is, in points.
    pub(super) height: f32,
    /// How wide the content is, in points; none when it keeps to the area's width.
    pub(super) width: Option<f32>,
    /// The most height the area takes, in points.
    pub(super) max_height: f32,
}

impl Rows<'_> {
    /// Draws the rows that are seen, and one before and after them for the Tab key. `row` is given the row's
    /// number, its whole rectangle, and the part that is seen. Gives
    /// the area's rectangle.
    pub(super) fn show(
        self,
        ui: &mut Ui,
        palette: &Palette,
        row: impl FnMut(&mut Ui, usize, Row),
    ) -> Rect {
        self.show_from(ui, palette, None, row).0
    }

    /// The same, with a row that is brought into the middle of the area. Gives besides what takes the keys that
    /// scroll; nothing while there is nothing to scroll.
    pub(super) fn show_from(
        self,
        ui: &mut Ui,
        palette: &Palette,
        reveal: Option<Reveal>,
        mut row: impl FnMut(&mut Ui, usize, Row),
    ) -> (Rect, Id) {
        let keys = ui.scope_id().with((self.salt, "keys"));
        let room = ui.available_width();
        // Fading towards the window's ground would hide changed lines' own.
        let fade = std::mem::take(&mut ui.spacing_mut().scroll.fade.strength);
        let output = ScrollArea::new([self.width.is_some(), true])
            .id_salt(self.salt)
            .max_height(self.max_height)
            .auto_shrink([false, true])
            .animated(false)
            .show_viewport(ui, |ui, viewport| {
                ui.spacing_mut().item_spacing = Vec2::ZERO;
                let wide = self.width.unwrap_or(0.0).max(room);
                let origin = ui.max_rect().min;
                ui.allocate_rect(
                    Rect::from_min_size(origin, Vec2::new(wide, self.whole_height())),
                    Sense::hover(),
                );
                // From the seen corner, in double precision: a row far down stands where it should.
                let seen = origin + viewport.min.to_vec2();
                if let Some(reveal) = &reveal {
                    self.reveal(ui, origin, viewport, reveal);
                }
                for index in self.seen(viewport) {
                    #[expect(clippy::cast_precision_loss, reason = "no text has so many rows")]
                    let offset = index as f64 * f64::from(self.height) - f64::from(viewport.min.y);
                    #[expect(clippy::cast_possible_truncation, reason = "near what is seen")]
                    let top = seen.y + offset as f32;
                    let rect =
                        Rect::from_min_size(Pos2::new(origin.x, top), Vec2::new(wide, self.height));
                    let seen = Rect::from_min_size(
                        Pos2::new(seen.x, top),
                        Vec2::new(viewport.width().min(wide), self.height),
                    );
                    row(ui, index, Row { rect, seen });
                }
                let size = Vec2::new(wide, self.whole_height());
                self.scroll_by_key(ui, keys, viewport, size);
            });
        ui.spacing_mut().scroll.fade.strength = fade;
        let area = output.inner_rect;
        let overflows = output.content_size.y > area.height() + 0.5
            || output.content_size.x > area.width() + 0.5;
        if overflows {
            let response = ui.interact(area, keys, Sense::focusable_noninteractive());
            response.widget_info(|| WidgetInfo::labeled(Role::ScrollView, true, self.name));
            if response.has_focus() {
                ui.memory_mut(|memory| {
                    let filter = EventFilter {
                        vertical_arrows: true,
                        horizontal_arrows: true,
                        ..EventFilter::default()
                    };
                    memory.set_focus_lock_filter(keys, filter);
                });
                paint::ring_inside(ui.painter(), area, palette);
            }
        }
        (area, keys)
    }

    /// Scrolls so that a row is in the middle; one that is in sight stays where it is.
    fn reveal(&self, ui: &Ui, origin: Pos2, viewport: Rect, reveal: &Reveal) {
        #[expect(clippy::cast_precision_loss, reason = "no text has so many rows")]
        let top = reveal.row as f32 * self.height;
        let down = top < viewport.top() || top + self.height > viewport.bottom();
        let aside = !(viewport.left()..viewport.right() - self.height).contains(&reveal.left);
        let left = if aside { reveal.left } else { viewport.left() };
        let width = if aside { self.height } else { viewport.width() };
        let top = if down { top } else { viewport.top() };
        let height = if down { self.height } else { viewport.height() };
        if down || aside {
            let rect = Rect::from_min_size(origin + Vec2::new(left, top), Vec2::new(width, height));
            ui.scroll_to_rect_animation(rect, Some(Align::Center), ScrollAnimation::none());
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "no text has so many rows")]
    fn whole_height(&self) -> f32 {
        self.count as f32 * self.height
    }

    fn seen(&self, viewport: Rect) -> std::ops::Range<usize> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a row's number, and never below zero"
        )]
        let row = |y: f32| (y / self.height).floor().max(0.0) as usize;
        let first = row(viewport.min.y).saturating_sub(1);
        let end = (row(viewport.max.y) + 2).min(self.count);
        first.min(end)..end
    }

    fn scroll_by_key(&self, ui: &mut Ui, id: Id, viewport: Rect, content: Vec2) {
        if !ui.memory(|memory| memory.has_focus(id)) {
            return;
        }
        let page = (viewport.height() - OVERLAP).max(self.height);
        let steps = [
            (Key::ArrowDown, Vec2::new(0.0, -self.height)),
            (Key::ArrowUp, Vec2::new(0.0, self.height)),
            (Key::ArrowRight, Vec2::new(-self.height, 0.0)),
            (Key::ArrowLeft, Vec2::new(self.height, 0.0)),
            (Key::PageDown, Vec2::new(0.0, -page)),
            (Key::PageUp, Vec2::new(0.0, page)),
            (Key::End, Vec2::new(0.0, -FAR)),
            (Key::Home, Vec2::new(0.0, FAR)),
        ];
        let mut delta = Vec2::ZERO;
        ui.input_mut(|input| {
            for (key, step) in steps {
                if input.consume_key(Modifiers::NONE, key) {
                    delta += step;
                }
            }
        });
        // Never past an end, where the area would have to spring back.
        let most = (content - viewport.size()).max(Vec2::ZERO);
        let from = viewport.min.to_vec2();
        let target = (from - delta).clamp(Vec2::ZERO, most);
        if delta != Vec2::ZERO && target != from {
            ui.scroll_with_delta_animation(from - target, ScrollAnimation::none());
        }
    }
}

/// What is to be brought into sight.
#[derive(Clone, Copy)]
pub(super) struct Reveal {
    /// The row.
    pub(super) row: usize,
    /// Where in it, in points from its left.
    pub(super) left: f32,
}

/// Where a row stands.
#[derive(Clone, Copy)]
pub(super) struct Row {
    /// All of it, as wide as the content.
    pub(super) rect: Rect,
    /// The part that is seen: it stays when the content moves to the side.
    pub(super) seen: Rect,
}

impl Row {
    /// The height of its middle.
    pub(super) fn middle(self) -> f32 {
        self.rect.center().y
    }
}

/// How many digits a number has.
pub(super) fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// How wide this many columns are, in points.
#[expect(clippy::cast_precision_loss, reason = "no line has so many columns")]
pub(super) fn columns(ui: &Ui, count: usize) -> f32 {
    count as f32 * paint::column(ui)
}
