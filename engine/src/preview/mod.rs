//! The engine's side of the window's right-hand previews: tickets that tools hand to the window, the lists of
//! tabs that the window gave for them, and addresses as tools may know them.
//!
//! All of it is in memory. Nothing is stored, so nothing opens, reads or closes by itself after a restart.

pub(crate) mod address;
pub(crate) mod lists;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tickets;

pub(crate) use tickets::Previews;
