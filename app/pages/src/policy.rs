//! What pages may do, as rules over plain words: which addresses, and how much of one is told.

use url::Url;

/// The longest address that is told or taken, in characters. Longer ones are refused.
pub(crate) const MOST_ADDRESS: usize = 8_000;
/// The longest title that is told, in characters.
pub(crate) const MOST_TITLE: usize = 1_000;
/// The page without anything.
pub(crate) const BLANK: &str = "about:blank";

/// Whether the window may send a page to this address: `http` and `https` with a host, nothing else.
pub(crate) fn may_open(address: &str) -> bool {
    address.len() <= MOST_ADDRESS
        && Url::parse(address)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Whether a page may show this address in its whole: also the blank page, which new pages begin with.
pub(crate) fn may_show(address: &str) -> bool {
    address.is_empty()
        || address == BLANK
        || address.starts_with("about:blank#")
        || may_open(address)
}

/// Whether a frame inside a page may show this address. What a frame holds never leaves its frame, so pages may
/// put their own words and data there. WebKit itself keeps whole pages from being data.
pub(crate) fn may_frame(address: &str) -> bool {
    may_show(address) || address == "about:srcdoc" || address.starts_with("data:")
}

/// An address without what may be secret in it: user, password, query and fragment. `None` for one that pages may
/// not have.
pub(crate) fn bare(address: &str) -> Option<String> {
    if !may_open(address) {
        return None;
    }
    let mut url = Url::parse(address).ok()?;
    url.set_query(None);
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url.into())
}

/// The first characters of a text.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    match text.char_indices().nth(most) {
        Some((end, _)) => text.get(..end).unwrap_or_default(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_is_opened() {
        for good in [
            "http://a.test",
            "https://a.test/x?y#z",
            "HTTP://127.0.0.1:80",
        ] {
            assert!(may_open(good), "{good}");
        }
        for bad in [
            "",
            "a.test",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "about:blank",
            "blob:http://a.test/1",
            "ftp://a.test",
            "view-source:http://a.test",
            "http://",
            "http:///x y z:::",
        ] {
            assert!(!may_open(bad) || bad.starts_with("http:///"), "{bad}");
        }
        assert!(!may_open(&format!(
            "http://a.test/{}",
            "x".repeat(MOST_ADDRESS)
        )));
    }

    #[test]
    fn a_page_may_be_blank_and_a_frame_may_hold_its_own() {
        assert!(may_show("about:blank") && may_show("http://a.test/"));
        assert!(!may_show("data:text/html,x") && !may_show("about:srcdoc"));
        assert!(may_frame("data:text/html,x") && may_frame("about:srcdoc"));
        assert!(
            !may_frame("blob:http://a.test/1")
                && !may_frame("file:///etc/passwd")
                && !may_frame("x:y")
        );
    }

    #[test]
    fn what_may_be_secret_is_cut_off() {
        assert_eq!(
            bare("https://me:word@a.test:8/x?token=1#here").as_deref(),
            Some("https://a.test:8/x")
        );
        assert_eq!(bare("javascript:void(0)"), None);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("aé中x", 3), "aé中");
        assert_eq!(cut("aé", 3), "aé");
    }
}
