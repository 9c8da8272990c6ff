//! Real pages in a page process, inside a bare window on a virtual display.
//!
//! It is left out, saying so, only where there is no Xvfb and no CI.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test starts programs and watches the clock by itself, and fails by panicking"
)]

mod dying;
mod focusing;
mod hostile;
mod keeping;
mod linking;
mod reading;
mod server;
mod showing;
mod stage;
