//! The engine of Wisp: sessions, runs, permissions, tools, models and the store, on a thread of its own.
//!
//! It never names a window library. A client starts it with [`start`], submits plain data and receives
//! plain data over two bounded queues; a waker callback tells it that something has come.
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests make files and watch the clock by themselves"
    )
)]

mod config;
mod files;
mod handle;
mod models;
mod permission;
mod preview;
pub mod protocol;
mod router;
mod secrets;
mod session;
mod start;
mod support;
mod toolkit;
mod tools;

pub use config::{
    Change, Contrast, DEFAULT_STEPS, Extent, Language, MAX_PREVIEW_WIDTH, MAX_SIDE,
    MAX_SIDEBAR_WIDTH, MAX_STEPS, MAX_ZOOM, MIN_HEIGHT, MIN_PREVIEW_WIDTH, MIN_SIDEBAR_WIDTH,
    MIN_WIDTH, MIN_ZOOM, Motion, PagesIn, PreviewState, SETTINGS_FILE, SendWith, SettingValue,
    Settings, SettingsFile, Theme, WindowSettings, home,
};
pub use handle::{EngineHandle, Waker};
pub use models::{ModelFacts, Price};
pub use secrets::{KEYRING_VARIABLE, KEYS_FILE, KeyPlace, KeyStore};
pub use session::shared::{MAX_MESSAGE_BYTES, MAX_RUN_STEPS};
pub use session::store::{StoreLocation, title_of};
pub use start::{EngineConfig, History, start};
