//! A window with nothing in it: what the window's library costs by itself, to measure ours against.

use std::io::Write as _;

use eframe::egui::{CentralPanel, Ui, ViewportBuilder};

/// As large as ours.
const SIZE: [f32; 2] = [1280.0, 800.0];

#[derive(Default)]
struct Bare {
    drawn: u64,
}

impl eframe::App for Bare {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        // As ours says it: the second frame knows that the first one has reached the screen.
        if self.drawn == 0 {
            ui.ctx().request_repaint();
        } else {
            drop(writeln!(std::io::stderr(), "frame {}", self.drawn));
        }
        self.drawn += 1;
        CentralPanel::default().show(ui, |_| {});
    }
}

fn main() -> eframe::Result {
    let options = eframe::NativeOptions {
        viewport: ViewportBuilder::default().with_inner_size(SIZE),
        system_font_fallback: false,
        ..eframe::NativeOptions::default()
    };
    eframe::run_native("Bare", options, Box::new(|_| Ok(Box::<Bare>::default())))
}
