//! A tab with a web page: what the page's host has told of it, and what the person types at it.

use crate::pages::{PageFailure, PageId};

/// A page and its surroundings.
#[expect(
    clippy::struct_excessive_bools,
    reason = "what a page tells comes piece by piece"
)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WebTab {
    /// The host's page; `None` while there is none, because none was asked for yet or it is gone.
    pub page: Option<PageId>,
    /// The host's number for what the page shows. Grows with every navigation.
    pub navigation: u64,
    /// The address that was asked for or is shown.
    pub url: String,
    /// The page's title, empty when it has none yet.
    pub title: String,
    /// Whether something loads.
    pub loading: bool,
    /// How far the load is, from 0 to 1.
    pub progress: Option<f32>,
    /// Whether there is a way back.
    pub back: bool,
    /// Whether there is a way forward.
    pub forward: bool,
    /// Why there is no page.
    pub failure: Option<PageFailure>,
    /// How large it is, 1.0 as it comes.
    pub zoom: f32,
    /// The search in the page, while it is open.
    pub find: Option<PageFind>,
    /// What stands in the address field.
    pub address: String,
    /// Whether the person has changed the address field, so that a navigation leaves it alone.
    pub address_edited: bool,
    /// Whether the address field is to get the keyboard.
    pub focus_address: bool,
}

/// A search in a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFind {
    /// The words.
    pub words: String,
    /// How often they were found; `None` until the page has told.
    pub matches: Option<u32>,
}

impl WebTab {
    /// One that has yet to get its page.
    pub fn new(url: impl Into<String>) -> Self {
        let url = url.into();
        Self {
            address: url.clone(),
            url,
            zoom: 1.0,
            ..Self::default()
        }
    }

    /// What stands on the tab: the title, and before there is one the address.
    pub fn name(&self) -> &str {
        if self.title.trim().is_empty() {
            without_scheme(&self.url)
        } else {
            self.title.trim()
        }
    }
}

fn without_scheme(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.trim_end_matches('/')
}

/// Whether two addresses mean the same page: the site's name in any case, and an empty path is `/`.
pub fn same_page(one: &str, other: &str) -> bool {
    canonical(one) == canonical(other)
}

fn canonical(url: &str) -> String {
    let url = url.trim();
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (site, path) = rest.split_at(end);
    let path = if path.is_empty() { "/" } else { path };
    format!(
        "{}://{}{path}",
        scheme.to_ascii_lowercase(),
        site.to_ascii_lowercase()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_page_is_known_by_its_address() {
        assert!(same_page("http://A.test", "http://a.test/"));
        assert!(same_page(" https://a.test/x ", "HTTPS://a.test/x"));
        for (one, other) in [
            ("http://a.test/x", "http://a.test/X"),
            ("http://a.test/", "https://a.test/"),
            ("http://a.test/?a", "http://a.test/?b"),
            ("http://a.test:1/", "http://a.test/"),
        ] {
            assert!(!same_page(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_page_without_a_title_is_called_by_its_address() {
        let mut tab = WebTab::new("http://a.test/");
        assert_eq!(tab.name(), "a.test");
        tab.title = "  ".to_owned();
        assert_eq!(tab.name(), "a.test");
        tab.title = "Words".to_owned();
        assert_eq!(tab.name(), "Words");
    }
}
