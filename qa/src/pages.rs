//! The pages that the scripted model's server shows, so that a scenario can open one without a network.

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path on the server.
    pub path: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its source.
    pub html: &'static str,
}

/// All of them.
pub const PAGES: &[Page] = &[
    Page {
        path: "/pages/lantern",
        title: "The lantern",
        html: include_str!("../pages/lantern.html"),
    },
    Page {
        path: "/pages/notes",
        title: "Notes on the lantern",
        html: include_str!("../pages/notes.html"),
    },
];

/// The page at this path.
pub fn page(path: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_the_title_it_is_listed_with() {
        for listed in PAGES {
            let title = format!("<title>{}</title>", listed.title);
            assert!(listed.html.contains(&title), "{}", listed.path);
            assert_eq!(page(listed.path), Some(listed));
        }
        assert_eq!(page("/pages/other"), None);
    }
}
