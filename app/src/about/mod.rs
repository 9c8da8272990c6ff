//! What this program is, and whose work it stands on.

mod licences;
mod view;

pub use view::show;
