//! The window without a display: driven by accessible names, drawn by Vulkan's software driver.
//!
//! What a test asserts is what a person sees and does. Pictures of each page are saved beside the build for
//! whoever wants to look at them; few are compared with the ones that are kept.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test looks at its own files, watches the clock for its waits, and fails by panicking"
)]

mod approving;
mod harness;
mod host;
mod many_calls;
mod pages;
mod pictures;
mod preview;
mod sessions;
mod story;
mod web_tabs;
mod window;
mod writing;
