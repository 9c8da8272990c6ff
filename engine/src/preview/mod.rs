//! The engine's side of the window's right-hand previews: what they show of a session's files and changes of it
//! by the person's own hand, tickets that tools hand to the window, the lists of tabs that the window gave for
//! them, and addresses as tools may know them.
//!
//! Of tickets and lists nothing is stored, so nothing opens, reads or closes by itself after a restart.

pub(crate) mod address;
mod files;
pub(crate) mod lists;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tickets;

pub(crate) use files::{read, save};
pub(crate) use tickets::Previews;
