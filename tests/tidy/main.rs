//! The rules of the house, as ordinary tests: one file a rule.
//!
//! A rule is a function from text to the list of what breaks it. Each is run on this repository, and
//! on a bad sample that it must find.
#![expect(
    clippy::disallowed_methods,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "these tests read the repository, ask git and cargo about it, and fail by panicking"
)]

mod directions;
mod docs;
mod hygiene;
mod layout;
mod licences;
mod release;
mod rust_text;
mod sizes;
mod tool_list;
mod tree;
mod window_thread;
