//! What a host tells of its pages, folded into the tabs that show them.

use wisp_engine::protocol::TabId;

use super::tabs::{Content, Previews, WebTab};
use crate::pages::{FailureKind, PageEvent, PageFailure, PageId};

/// The longest address and title that are kept, in characters. Hosts keep to less; a page can't make them more.
const KEPT_CHARS: usize = 8_000;

impl Previews {
    /// Takes in what happened to a page. What is no news of a tab is passed over.
    pub fn take_page_event(&mut self, event: &PageEvent) {
        match event {
            PageEvent::Moved {
                page,
                version,
                url,
                loading,
            } => self.change(*page, true, |web| web.moved(*version, url, *loading)),
            PageEvent::Progress { page, share } => self.change(*page, false, |web| {
                if web.loading {
                    web.progress = Some(share.clamp(0.0, 1.0));
                }
            }),
            PageEvent::Title { page, title } => {
                self.change(*page, false, |web| web.title = kept(title));
            }
            PageEvent::Finished { page, version } => self.change(*page, false, |web| {
                if web.navigation == *version {
                    web.stopped();
                }
            }),
            PageEvent::Failed { page, url, failure } => {
                self.change(*page, true, |web| web.failed(url, failure));
            }
            PageEvent::History {
                page,
                back,
                forward,
            } => self.change(*page, false, |web| {
                (web.back, web.forward) = (*back, *forward);
            }),
            PageEvent::Found { page, matches } => self.change(*page, false, |web| {
                if let Some(find) = &mut web.find {
                    find.matches = Some(*matches);
                }
            }),
            PageEvent::Died { reason } => self.host_died(reason),
            PageEvent::Read { .. }
            | PageEvent::Unsaved { .. }
            | PageEvent::Picture { .. }
            | PageEvent::Focus { .. }
            | PageEvent::Pressed { .. }
            | PageEvent::WantsTab { .. }
            | PageEvent::DownloadAsked { .. }
            | PageEvent::Downloaded { .. } => {}
        }
    }

    /// Changes the tab of a page. `other`: it shows something else afterwards.
    fn change(&mut self, page: PageId, other: bool, change: impl FnOnce(&mut WebTab)) {
        let tabs = self.tabs_of_page(page);
        if let Some((_, version, web)) = tabs.and_then(|tabs| tabs.of_page_mut(page)) {
            change(web);
            if other {
                *version += 1;
            }
        }
    }

    /// All pages are gone; each tab says so and can be loaded again.
    fn host_died(&mut self, reason: &str) {
        let owners: Vec<PageId> = self.pages().collect();
        for page in owners {
            self.change(page, true, |web| {
                web.page = None;
                web.stopped();
                (web.back, web.forward) = (false, false);
                web.find = None;
                web.failure = Some(PageFailure {
                    kind: FailureKind::Crashed,
                    detail: kept(reason),
                });
            });
        }
    }

    /// Gives a tab its page. Tells whether there is such a web tab.
    pub fn give_page(&mut self, tab: &TabId, page: PageId) -> bool {
        let Some(Content::Web(web)) = self.find_mut(tab).map(|tab| &mut tab.content) else {
            return false;
        };
        web.page = Some(page);
        web.failure = None;
        web.loading = true;
        web.progress = None;
        true
    }
}

impl WebTab {
    fn moved(&mut self, version: u64, url: &str, loading: bool) {
        let url = kept(url);
        if loading && without_fragment(&self.url) != without_fragment(&url) {
            self.title.clear();
        }
        self.url = url;
        self.navigation = version;
        self.loading = loading;
        self.progress = None;
        self.failure = None;
    }

    fn stopped(&mut self) {
        self.loading = false;
        self.progress = None;
    }

    fn failed(&mut self, url: &str, failure: &PageFailure) {
        self.stopped();
        match failure.kind {
            // The person stopped it: what has come stays.
            FailureKind::Stopped => {}
            // The page stays where it was; what it wanted is said beside it.
            FailureKind::Address if self.navigation > 0 => self.failure = Some(failure.clone()),
            _ => {
                self.url = kept(url);
                self.failure = Some(failure.clone());
            }
        }
    }
}

fn kept(text: &str) -> String {
    text.chars().take(KEPT_CHARS).collect()
}

fn without_fragment(url: &str) -> &str {
    url.split_once('#').map_or(url, |(page, _)| page)
}

#[cfg(test)]
mod tests {
    use wisp_engine::protocol::SessionId;

    use super::*;

    const PAGE: PageId = PageId(7);

    fn session() -> SessionId {
        SessionId::new("s")
    }

    /// One session with one page.
    fn previews() -> Previews {
        let mut previews = Previews::default();
        let tabs = previews.of_or_new(&session());
        let tab = tabs.open(Content::web("http://a.test/")).unwrap().tab;
        assert!(previews.give_page(&tab, PAGE));
        previews
    }

    fn web(previews: &Previews) -> (&WebTab, u64) {
        let tab = previews.of(&session()).unwrap().active().unwrap();
        match &tab.content {
            Content::Web(web) => (web, tab.version),
            other => panic!("no page: {other:?}"),
        }
    }

    fn moved(version: u64, url: &str, loading: bool) -> PageEvent {
        PageEvent::Moved {
            page: PAGE,
            version,
            url: url.to_owned(),
            loading,
        }
    }

    #[test]
    fn a_navigation_is_another_version_and_its_end_is_only_its_own() {
        let mut previews = previews();
        let (_, before) = web(&previews);
        previews.take_page_event(&moved(3, "http://a.test/x", true));
        previews.take_page_event(&PageEvent::Progress {
            page: PAGE,
            share: 7.0,
        });
        let (tab, version) = web(&previews);
        assert!(tab.loading && tab.progress == Some(1.0));
        assert!(version > before);
        let finished = |version| PageEvent::Finished {
            page: PAGE,
            version,
        };
        previews.take_page_event(&finished(2));
        assert!(web(&previews).0.loading, "another load's end");
        previews.take_page_event(&finished(3));
        assert_eq!(web(&previews), (web(&previews).0, version));
        assert!(!web(&previews).0.loading);
    }

    #[test]
    fn a_title_goes_with_its_page_and_stays_on_a_jump_within() {
        let mut previews = previews();
        previews.take_page_event(&moved(1, "http://a.test/", true));
        previews.take_page_event(&PageEvent::Title {
            page: PAGE,
            title: "A".to_owned(),
        });
        previews.take_page_event(&moved(2, "http://a.test/#b", true));
        assert_eq!(web(&previews).0.title, "A");
        previews.take_page_event(&moved(3, "http://a.test/c", true));
        assert_eq!(web(&previews).0.title, "");
    }

    #[test]
    fn a_failure_is_kept_until_the_next_load_and_a_stop_is_none() {
        let mut previews = previews();
        let failed = |kind| PageEvent::Failed {
            page: PAGE,
            url: "http://b.test/".to_owned(),
            failure: PageFailure {
                kind,
                detail: String::new(),
            },
        };
        previews.take_page_event(&moved(1, "http://a.test/", true));
        previews.take_page_event(&failed(FailureKind::Stopped));
        assert_eq!(web(&previews).0.failure, None);
        previews.take_page_event(&failed(FailureKind::Address));
        let (tab, _) = web(&previews);
        assert!(tab.failure.is_some() && tab.url == "http://a.test/");
        previews.take_page_event(&failed(FailureKind::Refused));
        let (tab, version) = web(&previews);
        assert!(tab.failure.is_some() && tab.url == "http://b.test/");
        assert!(version > 3);
        previews.take_page_event(&moved(2, "http://b.test/", true));
        assert_eq!(web(&previews).0.failure, None);
    }

    #[test]
    fn when_the_host_dies_every_tab_stays_and_says_so() {
        let mut previews = previews();
        previews.take_page_event(&moved(1, "http://a.test/", true));
        previews.take_page_event(&PageEvent::Died {
            reason: "killed".to_owned(),
        });
        let (tab, _) = web(&previews);
        assert_eq!(tab.page, None);
        assert!(!tab.loading);
        let failure = tab.failure.as_ref().unwrap();
        assert_eq!(
            (failure.kind, failure.detail.as_str()),
            (FailureKind::Crashed, "killed")
        );
        assert_eq!(tab.url, "http://a.test/");
        assert_eq!(previews.pages().count(), 0);
        // What still comes from a page that is gone changes nothing.
        previews.take_page_event(&moved(9, "http://evil.test/", true));
        assert_eq!(web(&previews).0.url, "http://a.test/");
    }
}
