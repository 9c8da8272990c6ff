//! The real program in a real window, on a virtual display with a window manager.
//!
//! It is left out, saying so, only where there is no Xvfb and no CI.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test starts programs and watches the clock by itself, and fails by panicking"
)]

mod driving;
mod opening;
#[cfg(target_os = "linux")]
mod pages;
mod sizes;
#[cfg(target_os = "linux")]
mod surroundings;
mod tabs;
mod working;
