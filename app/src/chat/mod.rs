//! The middle of the window: the transcript, the cards that ask, the message field.
//!
//! Reads the state through a [`Scene`] and puts wishes on its list; changes nothing itself but what is only
//! on screen.

mod approval_card;
mod body;
mod card_parts;
mod composer;
mod context_ring;
mod empty;
mod end_card;
mod find;
pub mod list;
mod message;
mod navigator;
mod opener;
pub mod rows;
mod step;
mod top_bar;
mod view;
pub mod words;

pub(crate) use end_card::show_card;
pub use view::{ChatView, show};
