//! The page of settings and the page of keys.
//!
//! What changes how the window looks acts at once. What the engine runs with is kept when its field is left; a
//! value that makes no sense is said beside the field and kept nowhere.

mod appearance;
mod broken;
mod data;
pub(crate) mod field;
pub(crate) mod form;
mod keyboard;
pub(crate) mod model;
mod runs;
mod shortcuts;
mod view;

pub(crate) use appearance::{language, theme};
pub(crate) use data::path;
pub(crate) use form::note;
pub use shortcuts::{ShortcutsView, show as show_shortcuts};
pub use view::{SettingsView, show};
