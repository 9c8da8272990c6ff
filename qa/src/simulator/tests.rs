//! The simulator over real TCP, with a client that knows nothing of it but HTTP.

#![expect(
    clippy::disallowed_methods,
    reason = "tests read the clock for their deadlines"
)]

mod client;
mod faults;
mod rules;
mod scripts;
mod speed;
mod streams;
