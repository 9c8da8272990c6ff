//! How the person wants the window: what the settings page changes at once.

use std::path::PathBuf;

/// The least and the largest zoom.
pub const ZOOM: std::ops::RangeInclusive<f32> = 0.5..=3.0;
/// The sidebar's usual width, in points.
pub const SIDEBAR: f32 = 248.0;
/// The widths it can be dragged to, in points.
pub const SIDEBARS: std::ops::RangeInclusive<f32> = 180.0..=420.0;
/// The usual width of the tabs at the right, in points.
pub const PREVIEW: f32 = 440.0;
/// The widths they can be dragged to, in points.
pub const PREVIEWS: std::ops::RangeInclusive<f32> = 360.0..=1_600.0;
/// The window's usual width and height, in points.
pub const SIZE: [f32; 2] = [1280.0, 800.0];
/// The least width and height at which everything can be read, in points.
pub const LEAST_SIZE: [f32; 2] = [640.0, 480.0];
/// The largest width and height that are kept, in points.
pub const LARGEST_SIZE: [f32; 2] = [8192.0, 8192.0];
/// One step of zooming.
pub const ZOOM_STEP: f32 = 0.1;

/// The person's wishes.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of its own, and all sixteen ways to set them make sense"
)]
pub struct Preferences {
    /// Dark, light, or the system's.
    pub theme: ThemeChoice,
    /// Whether text stands out more than usual.
    pub high_contrast: bool,
    /// The tag of the language; `None` is the system's.
    pub language: Option<&'static str>,
    /// The window's zoom.
    pub zoom: f32,
    /// What sends a message.
    pub send_with: SendWith,
    /// Whether things move.
    pub still: bool,
    /// The folder of the last new session.
    pub last_folder: Option<PathBuf>,
    /// The window's size while it does not fill the screen, in points at a zoom of 1.
    pub size: [f32; 2],
    /// Whether it fills the screen.
    pub maximized: bool,
    /// The sidebar's width, in points.
    pub sidebar_width: f32,
    /// The width of the tabs at the right, in points.
    pub preview_width: f32,
    /// Whether the tabs at the right are hidden.
    pub preview_hidden: bool,
}

/// Which theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeChoice {
    /// The system's.
    #[default]
    System,
    /// Dark.
    Dark,
    /// Light.
    Light,
}

/// Which key sends; the other one makes a new line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SendWith {
    /// Enter; Shift Enter makes a line.
    #[default]
    Enter,
    /// Ctrl or Command with Enter; Enter makes a line.
    ModEnter,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: ThemeChoice::System,
            high_contrast: false,
            language: None,
            zoom: 1.0,
            send_with: SendWith::Enter,
            still: false,
            last_folder: None,
            size: SIZE,
            maximized: false,
            sidebar_width: SIDEBAR,
            preview_width: PREVIEW,
            preview_hidden: false,
        }
    }
}

impl Preferences {
    /// The zoom, larger or smaller by one step, within its limits.
    #[must_use]
    pub fn zoomed(&self, larger: bool) -> f32 {
        let step = if larger { ZOOM_STEP } else { -ZOOM_STEP };
        let zoom = ((self.zoom + step) * 10.0).round() / 10.0;
        zoom.clamp(*ZOOM.start(), *ZOOM.end())
    }
}

/// A size of the window within its limits. One that is no number is the usual one.
#[must_use]
pub fn sensible_size(size: [f32; 2]) -> [f32; 2] {
    std::array::from_fn(|side| {
        let [wanted, usual, least, most] =
            [size, SIZE, LEAST_SIZE, LARGEST_SIZE].map(|size| size.get(side).copied());
        match (wanted, least, most) {
            (Some(wanted), Some(least), Some(most)) if wanted.is_finite() => {
                wanted.clamp(least, most)
            }
            _ => usual.unwrap_or_default(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_stays_within_its_limits() {
        for (wanted, sensible) in [
            ([640.0, 480.0], [640.0, 480.0]),
            ([639.0, 479.0], [640.0, 480.0]),
            ([8192.0, 8192.0], [8192.0, 8192.0]),
            ([8193.0, 1e30], [8192.0, 8192.0]),
            ([f32::NAN, 700.0], [1280.0, 700.0]),
            ([0.0, f32::INFINITY], [640.0, 800.0]),
        ] {
            let found = sensible_size(wanted);
            let near = |side: usize| (found[side] - sensible[side]).abs() < f32::EPSILON;
            assert!(near(0) && near(1), "{wanted:?} gave {found:?}");
        }
    }

    #[test]
    fn zoom_stays_within_its_limits() {
        let at = |zoom| Preferences {
            zoom,
            ..Preferences::default()
        };
        assert!((at(1.0).zoomed(true) - 1.1).abs() < 1e-6);
        assert!((at(3.0).zoomed(true) - 3.0).abs() < 1e-6);
        assert!((at(0.5).zoomed(false) - 0.5).abs() < 1e-6);
        assert!((at(0.6).zoomed(false) - 0.5).abs() < 1e-6);
    }
}
