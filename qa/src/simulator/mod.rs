//! The simulator: a model server on loopback that answers from scenarios.

mod book;
mod cursor;
mod feed;
mod holds;
mod log;
mod message;
mod plan;
mod reply;
mod server;
mod settings;
#[cfg(test)]
mod tests;

pub use log::{Delivery, Log, RequestLog, Rule, Violation};
pub use reply::MODEL_NAME;
pub use server::{MAX_BODY_BYTES, Simulator};
