//! The system's fonts, for letters that ours have not. A system without any font is no reason to end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use eframe::egui::epaint::text::{FallbackRequest, FontInsert, FontProvider};
use egui_system_font_provider::SystemFontProvider;

/// Finds a font of the system. Looking for them begins, on a thread of its own, when this is made.
///
/// Where the system knows no font at all, the library that lists them breaks down. It is not asked again then,
/// and letters without a font are boxes.
pub struct SystemFonts {
    provider: SystemFontProvider,
    broken: AtomicBool,
}

impl Default for SystemFonts {
    fn default() -> Self {
        Self {
            provider: SystemFontProvider::new(),
            broken: AtomicBool::new(false),
        }
    }
}

impl FontProvider for SystemFonts {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        if self.broken.load(Ordering::Relaxed) {
            return None;
        }
        let found = catch_unwind(AssertUnwindSafe(|| self.provider.font_for(request)));
        found.unwrap_or_else(|_| {
            self.broken.store(true, Ordering::Relaxed);
            tracing::warn!(
                "the system's fonts can't be listed, so other scripts are drawn as boxes"
            );
            None
        })
    }
}
