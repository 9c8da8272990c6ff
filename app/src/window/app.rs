//! What eframe runs: holds what the window shows, and draws it when something has changed.

use eframe::egui::{CentralPanel, Context, Frame, Ui};

use super::frames::Frames;
use super::welcome::Welcome;
use crate::theme::fonts;
use crate::theme::style::{Look, Palettes};
use crate::theme::tokens::Contrast;

/// The window's state.
pub struct WindowApp {
    frames: Frames,
    palettes: Palettes,
    welcome: Welcome,
}

impl WindowApp {
    /// Reads the colours and gives the context its style.
    pub fn new(context: &Context) -> anyhow::Result<Self> {
        let palettes = Palettes::read(Contrast::Normal)?;
        fonts::install(context);
        palettes.apply(context, Look::default());
        Ok(Self {
            frames: Frames::from_environment(),
            palettes,
            welcome: Welcome::new(std::env::current_exe().ok().as_deref()),
        })
    }

    /// Draws the window's content.
    pub fn draw(&self, ui: &mut Ui) {
        let palette = self.palettes.of(ui.ctx().theme());
        CentralPanel::default()
            .frame(Frame::new().fill(palette.window))
            .show(ui, |ui| self.welcome.ui(ui, palette));
    }
}

impl eframe::App for WindowApp {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.frames.tick(ui.ctx());
        self.draw(ui);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use eframe::egui::{RawInput, Rect, Theme, ViewportId};

    use super::*;

    fn input(theme: Theme) -> RawInput {
        RawInput {
            screen_rect: Some(Rect::from_min_size(
                [0.0, 0.0].into(),
                [1024.0, 700.0].into(),
            )),
            system_theme: Some(theme),
            ..RawInput::default()
        }
    }

    #[test]
    fn a_window_in_which_nothing_happens_asks_for_no_frame() {
        for theme in [Theme::Dark, Theme::Light] {
            let context = Context::default();
            let app = WindowApp::new(&context).unwrap();
            let mut delay = Duration::ZERO;
            // The first frames may lay out anew; then it must rest.
            for _ in 0..4 {
                let mut output = context.run_ui(input(theme), |ui| app.draw(ui));
                // No renderer takes them here, which egui must be told.
                output.textures_delta.clear();
                delay = output.viewport_output[&ViewportId::ROOT].repaint_delay;
                assert!(!output.shapes.is_empty());
            }
            assert_eq!(delay, Duration::MAX, "{theme:?}");
            assert_eq!(context.theme(), theme);
        }
    }
}
