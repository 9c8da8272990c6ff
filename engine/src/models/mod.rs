//! Talks to model servers in the chat-completions format.
//!
//! Owns the wire: how a conversation becomes the bytes of a request, how a stream of bytes becomes
//! text, calls and usage, which errors are tried again and in which words a person reads them. What
//! differs between providers is data in [`catalog`]. It must not know sessions, runs, tools or the
//! store: it is given a conversation and tool descriptions and gives back events, so that the step
//! loop alone decides what a reply means.

mod assembler;
mod attempt;
mod calls;
mod catalog;
mod chunk;
mod client;
mod conversation;
mod driver;
mod endpoint;
mod event;
mod frames;
mod item;
mod request;
mod retry;
mod server_error;
mod settings;
mod stream;
mod usage;
mod watch;
mod wording;

#[cfg(test)]
mod tests;

pub use catalog::{ModelFacts, Price};
pub(crate) use catalog::{check_provider, facts};
pub(crate) use client::{EncodedTools, ModelClient};
pub(crate) use conversation::Conversation;
pub(crate) use endpoint::{Endpoint, is_loopback_host};
pub(crate) use event::{Finish, ModelEvent};
pub(crate) use item::{AssistantTurn, HistoryItem};
pub(crate) use settings::{DEFAULT_IDLE, ModelSettings, RetryPolicy};
#[cfg(test)]
pub(crate) use {event::Reply, item::ModelCall, item::Reasoning, stream::ModelStream};
