//! The engine of Wisp: sessions, runs, permissions, tools, models and the store, on a thread of its own.
//!
//! It never names a window library. A client holds an engine handle, submits plain data and receives
//! plain data; a waker callback tells it that something has come.
// The modules below are filled in one after another.
#![allow(
    dead_code,
    unused_imports,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason
)]

mod files;
mod models;
mod permission;
pub mod protocol;
mod support;
mod toolkit;
mod tools;
