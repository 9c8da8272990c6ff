//! The window: opening it, and what it shows.
//!
//! Knows nothing of how a session works; what happens in one comes from the engine as plain data.

mod app;
mod frames;
mod open;
mod welcome;

pub use app::WindowApp;
pub use open::open;
