//! The window's size, kept for the next start: when it has stayed the same for a moment, and never the size of
//! a window that fills the screen.

use eframe::egui::{Context, ViewportCommand};

use super::app::WindowApp;
use super::scene;
use crate::state::preferences::{Preferences, sensible_size};

/// How long a size must stay the same before it is kept, in seconds: while an edge is dragged it doesn't.
const STILL: f64 = 0.5;
/// Sizes that differ by less are the same, in points: a zoom makes fractions of them.
const SAME: f32 = 0.75;
/// What the screen needs above a window's height for its title and a panel of the desktop, in points. A window without
/// it fills the screen, so that nothing of it lies below the edge.
const ROOM: f32 = 80.0;

/// What the window is like in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    /// Width and height in points at a zoom of 1.
    size: [f32; 2],
    maximized: bool,
}

impl Seen {
    fn is(&self, other: &Self) -> bool {
        let near = |(one, other): (&f32, &f32)| (one - other).abs() < SAME;
        self.maximized == other.maximized
            // The size of a full screen is the screen's.
            && (self.maximized || self.size.iter().zip(&other.size).all(near))
    }
}

/// What is known of the window's size.
#[derive(Debug, Default)]
pub(super) struct SizeKeeper {
    /// What is kept, or what the window began with: a screen that is too small for the size that is kept must
    /// not make it forgotten.
    settled: Option<Seen>,
    /// What is new, and since when it is so.
    new: Option<(Seen, f64)>,
    /// Whether the window is to fill the screen from the start.
    begins_full: bool,
    /// How far a window is that has just been opened.
    opening: Option<Opening>,
}

/// How far a window is that has just been opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    /// It has not been drawn.
    Hidden,
    /// It is drawn and shown.
    Shown,
}

impl SizeKeeper {
    /// Of a window that is being opened, to fill the screen or not.
    pub(super) fn new(maximized: bool) -> Self {
        Self {
            begins_full: maximized,
            opening: Some(Opening::Hidden),
            ..Self::default()
        }
    }

    /// To be called once in each frame. Some window managers pass over the wish of a window that they don't show
    /// yet, as it is until its first frame is drawn: then it is made known again in the second one.
    fn open(&mut self, context: &Context) {
        match self.opening {
            Some(Opening::Hidden) => {
                let (size, screen) = context.input(|input| {
                    let size = input.viewport_rect().size();
                    (size, input.viewport().monitor_size)
                });
                self.begins_full |=
                    screen.is_some_and(|screen| is_too_small(screen.into(), size.into()));
                self.opening = self.begins_full.then_some(Opening::Shown);
                if self.begins_full {
                    context.request_repaint();
                }
            }
            Some(Opening::Shown) => {
                self.opening = None;
                if context.input(|input| input.viewport().maximized) == Some(false) {
                    context.send_viewport_cmd(ViewportCommand::Maximized(true));
                }
            }
            None => {}
        }
    }

    /// Looks at a frame. Gives what is to be kept now, and the seconds until it is to look again.
    fn look(&mut self, seen: Seen, now: f64) -> (Option<Seen>, Option<f64>) {
        let Some(settled) = self.settled else {
            self.settled = Some(Seen {
                maximized: seen.maximized || self.begins_full,
                ..seen
            });
            return self.look(seen, now);
        };
        if seen.is(&settled) {
            self.new = None;
            return (None, None);
        }
        let since = match self.new {
            Some((new, since)) if new.is(&seen) => since,
            _ => now,
        };
        if now - since < STILL {
            self.new = Some((seen, since));
            return (None, Some(STILL - (now - since)));
        }
        (self.take(seen), None)
    }

    /// What has not been kept yet, as it must be when the window closes.
    fn rest(&mut self) -> Option<Seen> {
        let (seen, _) = self.new?;
        self.take(seen)
    }

    fn take(&mut self, seen: Seen) -> Option<Seen> {
        self.new = None;
        self.settled = Some(seen);
        self.settled
    }
}

/// Whether a window of this size has no room on a screen of that one.
fn is_too_small(screen: [f32; 2], window: [f32; 2]) -> bool {
    let [screen_width, screen_height] = screen;
    let [width, height] = window;
    // A screen without a size is one that is not known.
    screen_width > 0.0 && (width >= screen_width || height + ROOM > screen_height)
}

impl WindowApp {
    /// Keeps the size when it has changed.
    pub(super) fn follow_size(&mut self, context: &Context) {
        self.size.open(context);
        let settings = &self.state.settings;
        // What is kept is not known yet, or can't be written.
        if settings.revision == 0 || settings.broken.is_some() {
            return;
        }
        let zoom = context.zoom_factor();
        let seen = context.input(|input| {
            let viewport = input.viewport();
            let away = viewport.minimized.unwrap_or(false) || viewport.fullscreen.unwrap_or(false);
            (!away).then(|| Seen {
                size: (input.viewport_rect().size() * zoom).into(),
                maximized: viewport.maximized.unwrap_or(false),
            })
        });
        let Some(seen) = seen else { return };
        let (keep, again) = self.size.look(seen, self.now);
        if let Some(seconds) = again {
            scene::again_in(context, seconds);
        }
        self.keep_size(keep);
    }

    /// Keeps the last size of a window that closes.
    pub(super) fn keep_last_size(&mut self) {
        let rest = self.size.rest();
        self.keep_size(rest);
    }

    fn keep_size(&mut self, seen: Option<Seen>) {
        let Some(seen) = seen else { return };
        let before = &self.state.preferences;
        let size = if seen.maximized {
            before.size
        } else {
            sensible_size(seen.size.map(f32::round))
        };
        self.prefer(Preferences {
            size,
            maximized: seen.maximized,
            ..before.clone()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(width: f32, height: f32) -> Seen {
        Seen {
            size: [width, height],
            maximized: false,
        }
    }

    const FULL: Seen = Seen {
        size: [1920.0, 1080.0],
        maximized: true,
    };

    #[test]
    fn a_size_is_kept_once_when_it_has_stayed_so_and_not_while_it_changes() {
        let mut keeper = SizeKeeper::default();
        assert_eq!(keeper.look(seen(1280.0, 800.0), 0.0), (None, None));
        assert_eq!(keeper.look(seen(1281.0, 800.0), 1.0), (None, Some(STILL)));
        // Half a point is what a zoom makes of it, and no other size.
        let (kept, again) = keeper.look(seen(1281.5, 800.0), 1.0 + STILL / 2.0);
        assert_eq!((kept, again), (None, Some(STILL / 2.0)));
        assert_eq!(keeper.look(seen(1300.0, 800.0), 1.4), (None, Some(STILL)));
        let wanted = seen(1300.0, 800.0);
        assert_eq!(keeper.look(wanted, 1.4 + STILL), (Some(wanted), None));
        assert_eq!(keeper.look(wanted, 9.0), (None, None));
        assert_eq!(keeper.rest(), None);
    }

    #[test]
    fn what_comes_back_to_what_it_was_is_not_kept() {
        let mut keeper = SizeKeeper::default();
        keeper.look(seen(800.0, 600.0), 0.0);
        keeper.look(seen(900.0, 600.0), 1.0);
        assert_eq!(keeper.look(seen(800.0, 600.0), 1.1), (None, None));
        assert_eq!(keeper.look(seen(800.0, 600.0), 9.0), (None, None));
        assert_eq!(keeper.rest(), None);
    }

    #[test]
    fn a_screen_is_too_small_without_room_for_a_title() {
        let window = [1280.0, 800.0];
        for (screen, small) in [
            ([1281.0, 880.0], false),
            ([1280.0, 880.0], true),
            ([1281.0, 879.0], true),
            ([800.0, 600.0], true),
            ([0.0, 0.0], false),
        ] {
            assert_eq!(is_too_small(screen, window), small, "{screen:?}");
        }
    }

    #[test]
    fn a_window_that_is_to_fill_the_screen_has_a_moment_to_do_so() {
        for (then, kept) in [(FULL, None), (seen(800.0, 600.0), Some(seen(800.0, 600.0)))] {
            let mut keeper = SizeKeeper::new(true);
            let begins = keeper.look(seen(800.0, 600.0), 0.0);
            assert_eq!(begins, (None, Some(STILL)));
            keeper.look(then, 0.1);
            assert_eq!(keeper.look(then, 0.1 + STILL).0, kept);
        }
    }

    #[test]
    fn a_full_screen_is_kept_as_one_and_its_size_is_nobodys() {
        let mut keeper = SizeKeeper::default();
        keeper.look(seen(800.0, 600.0), 0.0);
        keeper.look(FULL, 1.0);
        assert_eq!(keeper.look(FULL, 1.0 + STILL), (Some(FULL), None));
        let on_another_screen = Seen {
            size: [2560.0, 1440.0],
            ..FULL
        };
        assert_eq!(keeper.look(on_another_screen, 3.0), (None, None));
        // Closing right after a change keeps it too.
        keeper.look(seen(700.0, 500.0), 4.0);
        assert_eq!(keeper.rest(), Some(seen(700.0, 500.0)));
        assert_eq!(keeper.rest(), None);
    }
}
