//! The engine through its queues, and the command line through its streams, against the scripted model
//! over real HTTP.

mod approvals;
mod cancelling;
mod command_line;
mod failures;
mod files;
mod killing;
mod scenarios;
mod sessions;
