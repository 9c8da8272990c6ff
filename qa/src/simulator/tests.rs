//! The simulator over real TCP, with a client that knows nothing of it but HTTP.

mod client;
mod faults;
mod rules;
mod scripts;
mod streams;
