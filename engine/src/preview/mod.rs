//! What the window's right-hand side shows of a session, and changes of it by the person's own hand.

mod files;

pub(crate) use files::{read, save};
