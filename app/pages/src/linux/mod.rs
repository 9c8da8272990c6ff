//! Pages by WebKitGTK, as children of an X11 window.

mod downloads;
mod extract;
mod failures;
mod focus;
mod keys;
mod rules;
mod signals;
mod snapshot;
mod view;
mod views;

pub(crate) use views::Views;
