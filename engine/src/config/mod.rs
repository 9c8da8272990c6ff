//! Settings: the file in the data folder, and the environment above it.
//!
//! [`settings`] is what the engine runs with, [`window`] what the window looks like, [`file`] the file as
//! it is written, and [`edit`] the only way to change it.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the home of the settings file"
)]

mod edit;
mod file;
mod settings;
mod window;

pub use edit::{Change, SettingValue, SettingsFile};
pub use file::{MAX_STEPS, SETTINGS_FILE};
pub use settings::{DEFAULT_STEPS, Settings, home};
pub use window::{
    Contrast, Extent, Language, MAX_PREVIEW_WIDTH, MAX_SIDE, MAX_SIDEBAR_WIDTH, MAX_ZOOM,
    MIN_HEIGHT, MIN_PREVIEW_WIDTH, MIN_SIDEBAR_WIDTH, MIN_WIDTH, MIN_ZOOM, Motion, PagesIn,
    PreviewState, SendWith, Theme, WindowSettings,
};
