//! The adapter against a server of its own over real HTTP.

mod answers;
mod cancel;
mod connections;
mod errors;
mod idle;
mod server;
