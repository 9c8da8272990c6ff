//! The window's ways to what is slow: the engine through its queues, and a worker thread for settings, keys,
//! dialogs and the opening of links. Nothing here waits.

mod dialogs;
mod jobs;
mod link;
mod pictures;
mod preferences;
mod qa;
mod settings;
mod storage;
mod worker;

pub use jobs::{Done, Job, Loaded, Place, Started};
pub use link::{Asked, FileAsked, Incoming, Link};
pub use pictures::MAX_PIXELS;
pub use preferences::first_preferences;
pub use qa::{QaDone, QaJob};
pub use worker::{Wake, Worker};
