//! Pages by WebKitGTK, as children of an X11 window.

mod downloads;
mod extract;
mod failures;
mod focus;
mod keys;
mod page;
mod rules;
mod signals;
mod snapshot;
mod view;
mod views;

pub(crate) use views::Views;

/// Begins with GTK, once, on the thread that will show pages.
pub(crate) fn begin() -> Result<(), String> {
    gtk::gdk::set_allowed_backends("x11");
    gtk::init().map_err(|error| error.to_string())
}

/// Takes in what GTK has waiting, at most so many events.
pub(crate) fn take_in(most: usize) {
    for _ in 0..most {
        if !gtk::events_pending() {
            return;
        }
        gtk::main_iteration_do(false);
    }
}
