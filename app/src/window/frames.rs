//! Says on standard error when a frame has been drawn, for who measures the window from outside.

use std::io::Write as _;

use eframe::egui::Context;

/// The variable that asks for it.
const VARIABLE: &str = "WISP_TRACE_FRAMES";

/// Counts the frames, if anybody wants to know.
pub(super) struct Frames {
    drawn: Option<u64>,
}

impl Frames {
    /// As the environment has it.
    pub(super) fn from_environment() -> Self {
        Self {
            drawn: std::env::var_os(VARIABLE).map(|_| 0),
        }
    }

    /// To be called once in each frame. Only the next frame knows that one has reached the screen, so the
    /// first asks for a second; after that a window that rests stays at rest.
    pub(super) fn tick(&mut self, context: &Context) {
        let Some(drawn) = &mut self.drawn else { return };
        if *drawn == 0 {
            context.request_repaint();
        } else {
            // Whoever measures may have gone.
            drop(writeln!(std::io::stderr(), "frame {drawn}"));
        }
        *drawn += 1;
    }
}
