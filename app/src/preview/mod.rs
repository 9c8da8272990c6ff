//! The right-hand side of the window: the tabs of the session on screen and what they show.
//!
//! Reads the state through a [`Scene`](crate::window::scene::Scene) and puts wishes on its list. The tabs themselves
//! it is lent for the frame, and changes in them only what the person types.

mod editor;
mod file_bar;
mod file_state;
mod message;
mod panel;
mod picture;
mod strip;
mod tab_diff;
mod tab_file;
mod tab_folder;
mod tab_new;
mod tab_web;
mod view;

pub use editor::EDIT_BYTES;
pub use panel::{show, show_whole};
pub use view::PreviewView;
