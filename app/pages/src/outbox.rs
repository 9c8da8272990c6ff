//! What waits to be told to the window. Pages can change faster than anybody looks: of what only says how a page
//! is now, the last word is kept, and what each page may say besides has a bound.

use std::collections::{HashMap, VecDeque};

use wisp::pages::{PageEvent, PageId};

/// Events of one page that may wait besides those that say how it is now.
const MOST_OF_A_PAGE: usize = 8;
/// All events that may wait besides those.
const MOST: usize = 1_000;

/// Events in the order in which they are to be told.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: VecDeque<PageEvent>,
    /// How many wait of each page that says more than how it is.
    counts: HashMap<PageId, usize>,
}

/// The kinds of words that say how a page is now. A later one makes an earlier one void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Place,
    Progress,
    Title,
    End,
    History,
    Found,
    Focus,
}

impl Outbox {
    /// Puts an event in. One that is too many of its page is dropped; answers to the window's questions never are.
    pub(crate) fn put(&mut self, event: PageEvent) {
        if let Some((page, kind)) = state_of(&event) {
            self.waiting.retain(|earlier| match state_of(earlier) {
                Some((of, earlier)) if of == page => !voids(kind, earlier),
                _ => true,
            });
        } else if let Some(page) = said_by(&event) {
            let count = self.counts.entry(page).or_default();
            if *count >= MOST_OF_A_PAGE || self.waiting.len() >= MOST {
                return;
            }
            *count += 1;
        }
        self.waiting.push_back(event);
    }

    /// What is to be told next.
    pub(crate) fn take(&mut self) -> Option<PageEvent> {
        let event = self.waiting.pop_front()?;
        if state_of(&event).is_none()
            && let Some(page) = said_by(&event)
            && let Some(count) = self.counts.get_mut(&page)
        {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&page);
            }
        }
        Some(event)
    }

    /// Puts back what could not be told.
    pub(crate) fn put_back(&mut self, event: PageEvent) {
        if state_of(&event).is_none()
            && let Some(page) = said_by(&event)
        {
            *self.counts.entry(page).or_default() += 1;
        }
        self.waiting.push_front(event);
    }

    /// Forgets what a page that is gone would have said.
    pub(crate) fn forget(&mut self, page: PageId) {
        self.waiting.retain(|event| {
            state_of(event).is_none_or(|(of, _)| of != page) && said_by(event) != Some(page)
        });
        self.counts.remove(&page);
    }
}

/// The page and kind of an event that says how a page is.
fn state_of(event: &PageEvent) -> Option<(PageId, Kind)> {
    match event {
        PageEvent::Moved { page, .. } => Some((*page, Kind::Place)),
        PageEvent::Progress { page, .. } => Some((*page, Kind::Progress)),
        PageEvent::Title { page, .. } => Some((*page, Kind::Title)),
        PageEvent::Finished { page, .. } | PageEvent::Failed { page, .. } => {
            Some((*page, Kind::End))
        }
        PageEvent::History { page, .. } => Some((*page, Kind::History)),
        PageEvent::Found { page, .. } => Some((*page, Kind::Found)),
        PageEvent::Focus { page, .. } => Some((*page, Kind::Focus)),
        _ => None,
    }
}

/// The page of an event that a page can bring about as often as it likes, and that says more than how it is.
fn said_by(event: &PageEvent) -> Option<PageId> {
    match event {
        PageEvent::Pressed { page, .. }
        | PageEvent::WantsTab { page, .. }
        | PageEvent::DownloadAsked { page, .. } => Some(*page),
        _ => None,
    }
}

/// Whether a later word makes an earlier one of the same page void.
fn voids(later: Kind, earlier: Kind) -> bool {
    match later {
        // A page that has moved has neither the old end nor the old title nor the old share.
        Kind::Place => matches!(
            earlier,
            Kind::Place | Kind::Progress | Kind::Title | Kind::End
        ),
        Kind::End => matches!(earlier, Kind::Progress | Kind::End),
        other => other == earlier,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: PageId = PageId(1);

    fn moved(version: u64) -> PageEvent {
        PageEvent::Moved {
            page: PAGE,
            version,
            url: "http://a.test/".to_owned(),
            loading: true,
        }
    }

    fn title(words: &str) -> PageEvent {
        PageEvent::Title {
            page: PAGE,
            title: words.to_owned(),
        }
    }

    fn wants_tab() -> PageEvent {
        PageEvent::WantsTab {
            page: PAGE,
            url: "http://a.test/".to_owned(),
        }
    }

    fn all(outbox: &mut Outbox) -> Vec<PageEvent> {
        std::iter::from_fn(|| outbox.take()).collect()
    }

    #[test]
    fn of_a_flood_the_last_word_is_told() {
        let mut outbox = Outbox::default();
        for version in 0..10_000 {
            outbox.put(moved(version));
            outbox.put(title("old"));
            outbox.put(PageEvent::Finished {
                page: PAGE,
                version,
            });
        }
        outbox.put(title("new"));
        let end = PageEvent::Finished {
            page: PAGE,
            version: 9_999,
        };
        assert_eq!(all(&mut outbox), [moved(9_999), end, title("new")]);
    }

    #[test]
    fn what_is_said_besides_has_a_bound() {
        let mut outbox = Outbox::default();
        for _ in 0..100 {
            outbox.put(wants_tab());
        }
        assert_eq!(all(&mut outbox).len(), MOST_OF_A_PAGE);
        outbox.put(wants_tab());
        let event = outbox.take().unwrap();
        outbox.put_back(event);
        assert_eq!(all(&mut outbox), [wants_tab()]);
        assert!(outbox.counts.is_empty());
    }

    #[test]
    fn an_answer_is_never_dropped() {
        let mut outbox = Outbox::default();
        for request in 0..2_000 {
            let unsaved = false;
            outbox.put(PageEvent::Unsaved { request, unsaved });
        }
        assert_eq!(all(&mut outbox).len(), 2_000);
    }

    #[test]
    fn a_page_that_is_gone_says_nothing() {
        let mut outbox = Outbox::default();
        outbox.put(moved(1));
        outbox.put(wants_tab());
        let answer = PageEvent::Unsaved {
            request: 1,
            unsaved: true,
        };
        outbox.put(answer.clone());
        outbox.forget(PAGE);
        assert_eq!(all(&mut outbox), [answer]);
    }
}
