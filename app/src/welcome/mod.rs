//! The first look: the simulation or a model. In the simulation it says so, and how to leave it.

mod connect;
mod view;

pub use view::{WelcomeView, show};
