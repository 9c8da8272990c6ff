//! The right-hand side of the window as data: each session's tabs and what they show. No session sees another's.

mod content;
mod file;
mod folder;
mod ids;
mod previews;
mod strip;
#[cfg(test)]
mod tests;
mod web;

pub use content::{Content, DiffTab, NewTab, Tab};
pub use file::{Edit, FileTab, Save, Shown};
pub use folder::{FolderTab, Row};
pub use ids::new_tab_id;
pub use previews::Previews;
pub use strip::{Full, MOST_TABS, Opened, Tabs};
pub use web::{PageFind, WebTab, same_page};
