//! After a frame: each page is where it was drawn, and nothing of egui's lies under one.

use std::collections::HashSet;

use eframe::egui::{Context, Order, Pos2, Rect};

use super::super::app::WindowApp;
use super::super::scene::again_in;
use super::{Cover, PagePlace, Told, Wait};
use crate::pages::{PageCommand, PageId, PixelRect};
use crate::state::tabs::Content;

/// How long a covered page may take for its picture, in seconds; then its view is hidden without one.
const PICTURE_WITHIN: f64 = 0.25;

impl WindowApp {
    /// Tells the host what has changed. `drawn`: where a page was drawn in this frame.
    pub(in crate::window) fn settle_pages(&mut self, context: &Context, drawn: Option<&PagePlace>) {
        if let Some(seconds) = self.tick_tickets() {
            again_in(context, seconds.max(0.0));
        }
        self.close_gone();
        let shown = drawn.and_then(|drawn| Some((self.page_of(&drawn.tab)?, drawn.rect)));
        let covered = shown.filter(|(_, rect)| is_covered(context, *rect));
        self.settle_cover(context, covered.map(|(page, _)| page));
        let scale = context.pixels_per_point();
        let pages: Vec<(PageId, f32)> = (self.state.previews.web_tabs())
            .filter_map(|web| Some((web.page?, web.zoom)))
            .collect();
        for (page, zoom) in pages {
            let here = shown.filter(|(shown, _)| *shown == page);
            let hidden = self.is_hidden(page);
            let before = self.pages.told.get(&page).copied();
            let place = here
                .map(|(_, rect)| pixels(rect, scale))
                .or(before.map(|told| told.place))
                .unwrap_or_default();
            let told = Told {
                place,
                visible: here.is_some() && !hidden,
                zoom,
            };
            self.tell(page, before, told);
        }
        self.settle_focus(context, shown.map(|(page, _)| page));
    }

    fn tell(&mut self, page: PageId, before: Option<Told>, told: Told) {
        if before == Some(told) {
            return;
        }
        self.pages.told.insert(page, told);
        let place = told.place;
        if before.is_none_or(|before| before.place != place) {
            self.pages.send(PageCommand::Place { page, place });
        }
        if before.is_none_or(|before| (before.zoom - told.zoom).abs() > f32::EPSILON) {
            let factor = told.zoom;
            self.pages.send(PageCommand::Zoom { page, factor });
        }
        if before.is_none_or(|before| before.visible != told.visible) {
            let visible = told.visible;
            self.pages.send(PageCommand::Show { page, visible });
        }
    }

    /// Closes the pages whose tabs are gone.
    fn close_gone(&mut self) {
        if self.pages.told.is_empty() {
            return;
        }
        let alive: HashSet<PageId> = self.state.previews.pages().collect();
        let mut gone: Vec<PageId> = (self.pages.told.keys())
            .filter(|page| !alive.contains(page))
            .copied()
            .collect();
        gone.sort_unstable();
        for page in gone {
            self.pages.told.remove(&page);
            self.pages.send(PageCommand::Close { page });
        }
    }

    /// A page that something lies over first gives its picture, then its view is hidden; and back.
    fn settle_cover(&mut self, context: &Context, covered: Option<PageId>) {
        let Some(page) = covered else {
            self.pages.cover = None;
            return;
        };
        let known = (self.pages.cover.as_ref()).is_some_and(|cover| cover.page == page);
        if !known {
            self.pages.cover = Some(Cover {
                page,
                since: self.now,
                picture: None,
                hidden: false,
            });
            let request = self.pages.next_request(Wait::Picture(page));
            self.pages.send(PageCommand::Picture { page, request });
        }
        if let Some(cover) = &self.pages.cover
            && !cover.hidden
        {
            let left = cover.since + PICTURE_WITHIN - self.now;
            if left <= 0.0 {
                self.hide_covered();
                context.request_repaint();
            } else {
                again_in(context, left);
            }
        }
    }

    /// The covered page's view is hidden from now on.
    pub(super) fn hide_covered(&mut self) {
        if let Some(cover) = &mut self.pages.cover {
            cover.hidden = true;
        }
    }

    fn is_hidden(&self, page: PageId) -> bool {
        let covered =
            (self.pages.cover.as_ref()).is_some_and(|cover| cover.page == page && cover.hidden);
        covered || self.has_failed(page)
    }

    /// Whether a page of ours stands in the place of a page that could not be loaded.
    fn has_failed(&self, page: PageId) -> bool {
        self.state
            .previews
            .owner_of(page)
            .is_some_and(|(session, tab)| {
                let tabs = self.state.previews.of(&session);
                let content = tabs.and_then(|tabs| tabs.get(&tab)).map(|tab| &tab.content);
                matches!(content, Some(Content::Web(web)) if web.failure.is_some())
            })
    }
}

/// Whether something of egui's lies over this part of the window. Tooltips don't count: a page that went away
/// under each of them would flicker.
fn is_covered(context: &Context, rect: Rect) -> bool {
    context.memory(|memory| {
        (memory.areas().visible_layer_ids().into_iter())
            .filter(|layer| matches!(layer.order, Order::Middle | Order::Foreground))
            .filter_map(|layer| memory.area_rect(layer.id))
            .any(|area| {
                let shared = area.intersect(rect);
                shared.width() > 1.0 && shared.height() > 1.0
            })
    })
}

/// A place in physical pixels.
fn pixels(rect: Rect, scale: f32) -> PixelRect {
    let at = |pos: Pos2| (whole(pos.x * scale), whole(pos.y * scale));
    let ((left, top), (right, bottom)) = (at(rect.min), at(rect.max));
    PixelRect {
        x: left,
        y: top,
        width: right.saturating_sub(left).max(1).unsigned_abs(),
        height: bottom.saturating_sub(top).max(1).unsigned_abs(),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float stops at the ends of the number"
)]
fn whole(pixels: f32) -> i32 {
    pixels.round() as i32
}

#[cfg(test)]
mod tests {
    use eframe::egui::pos2;

    use super::*;

    #[test]
    fn a_place_is_counted_in_whole_pixels_and_never_empty() {
        let rect = Rect::from_min_max(pos2(100.2, 50.0), pos2(300.6, 80.0));
        assert_eq!(
            pixels(rect, 1.5),
            PixelRect {
                x: 150,
                y: 75,
                width: 301,
                height: 45
            }
        );
        let none = Rect::from_min_max(pos2(10.0, 10.0), pos2(0.0, 10.0));
        let place = pixels(none, 1.0);
        assert_eq!((place.width, place.height), (1, 1));
    }
}
