//! What lies behind a dialog.

use eframe::egui::{Memory, Ui};

/// Whether a dialog lies over the window, so that keys are meant for it: what is behind it still draws, and must
/// take none.
pub fn lies_over(ui: &Ui) -> bool {
    ui.memory(Memory::top_modal_layer).is_some()
}
