//! Running the fixed scripts in a page's isolated world, with an end to waiting.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use gtk::gio::Cancellable;
use gtk::glib;
use webkit2gtk::WebViewExt as _;

use crate::read::{MOST_ANSWER, WORLD};

/// Runs a script and gives what it gave, `None` when it failed or didn't answer in time. Gives once.
pub(super) fn run(
    view: &webkit2gtk::WebView,
    script: &str,
    time: Duration,
    give: impl FnOnce(Answer) + 'static,
) {
    let give = Once::new(give, time, Answer::Late);
    view.evaluate_javascript(
        script,
        Some(WORLD),
        None,
        Cancellable::NONE,
        move |result| {
            let words = result.ok().map(|value| value.to_string());
            give.give(match words {
                Some(words) if words.len() <= MOST_ANSWER => Answer::Words(words),
                _ => Answer::Nothing,
            });
        },
    );
}

/// What came of a script.
#[derive(Debug)]
pub(super) enum Answer {
    /// What it gave, as words.
    Words(String),
    /// It failed, or gave too much.
    Nothing,
    /// It did not answer in time.
    Late,
}

/// Somebody who waits for one answer and gets one, whatever happens.
pub(super) struct Once<T> {
    give: Waiting<T>,
}

/// Who waits, until there was an answer.
type Waiting<T> = Rc<Cell<Option<Box<dyn FnOnce(T)>>>>;

impl<T: 'static> Once<T> {
    /// Gives `late` when nothing else came in time.
    pub(super) fn new(give: impl FnOnce(T) + 'static, time: Duration, late: T) -> Self {
        let give: Waiting<T> = Rc::new(Cell::new(Some(Box::new(give))));
        let waits = give.clone();
        glib::timeout_add_local_once(time, move || {
            if let Some(give) = waits.take() {
                give(late);
            }
        });
        Self { give }
    }

    /// Gives it, unless it was too late.
    pub(super) fn give(self, value: T) {
        if let Some(give) = self.give.take() {
            give(value);
        }
    }
}
