//! The panel for those who work on Wisp: live scenarios of the real engine against the scripted model, and
//! samples drawn from memory. The very same conversation and cards draw both.

mod banner;
mod detail;
mod list;
mod parts;
pub mod samples;
mod strip;
mod summary;
mod table;
mod view;

pub use view::show;
