//! The fixed scripts that look at a page, their limits, and what is believed of what they give back.
//!
//! They run in a world of their own, where a page's own functions don't reach. Still all that comes back is made
//! of what the page holds, in a process that runs the page's code: it is measured and checked again here.

use serde::Deserialize;
use wisp::pages::{PageLink, PageText};

use crate::policy::{MOST_ADDRESS, MOST_TITLE, bare, cut};

/// Characters of text that are read of a page.
pub(crate) const MOST_TEXT: usize = 24_000;
/// Links that are read of a page.
pub(crate) const MOST_LINKS: usize = 60;
/// Text nodes that are looked at.
pub(crate) const MOST_NODES: usize = 20_000;
/// Nodes of all kinds that are looked at.
pub(crate) const MOST_STEPS: usize = 100_000;
/// Characters of a link's words.
pub(crate) const MOST_LINK_TEXT: usize = 200;
/// Fields that are looked at for what was typed.
pub(crate) const MOST_FIELDS: usize = 10_000;
/// Bytes of an answer that are taken: everything at its limit, in letters of four bytes each, with room for JSON.
pub(crate) const MOST_ANSWER: usize = 4_000_000;

/// The name of the world in which they run.
pub(crate) const WORLD: &str = "wisp";
/// What is run at the start of each page, in that world.
pub(crate) const NOTE_TYPING: &str = include_str!("../../../assets/scripts/note_typing.js");

const READ_PAGE: &str = include_str!("../../../assets/scripts/read_page.js");
const CHECK_UNSAVED: &str = include_str!("../../../assets/scripts/check_unsaved.js");

/// The script that reads a page.
pub(crate) fn read_page() -> String {
    format!(
        "{{const LIMITS = {{text: {MOST_TEXT}, links: {MOST_LINKS}, nodes: {MOST_NODES}, steps: {MOST_STEPS}, \
         title: {MOST_TITLE}, linkText: {MOST_LINK_TEXT}, address: {MOST_ADDRESS}}};\n{READ_PAGE}}}"
    )
}

/// The script that looks for what was typed. It gives `true` or `false` as words.
pub(crate) fn check_unsaved() -> String {
    format!("{{const LIMITS = {{fields: {MOST_FIELDS}}};\n{CHECK_UNSAVED}}}")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    url: String,
    title: String,
    text: String,
    links: Vec<Link>,
    truncated: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Link {
    text: String,
    url: String,
}

/// What the script read, of this version at this address. `None` when it isn't what the script gives back, or the
/// page says it is elsewhere.
pub(crate) fn checked(answer: &str, version: u64, address: &str) -> Option<PageText> {
    if answer.len() > MOST_ANSWER {
        return None;
    }
    let answer: Answer = serde_json::from_str(answer).ok()?;
    let url = bare(address)?;
    if bare(&answer.url)? != url {
        return None;
    }
    let mut truncated = answer.truncated || answer.links.len() > MOST_LINKS;
    let text = cut(&answer.text, MOST_TEXT);
    truncated |= text.len() < answer.text.len();
    let links = answer.links.iter().take(MOST_LINKS);
    let links = links.filter_map(|link| {
        Some(PageLink {
            text: plain(cut(&link.text, MOST_LINK_TEXT)),
            url: bare(&link.url)?,
        })
    });
    Some(PageText {
        version,
        url,
        title: plain(cut(&answer.title, MOST_TITLE)),
        text: text.chars().filter(|c| is_word(*c)).collect(),
        links: links.collect(),
        truncated,
    })
}

/// One line of words.
pub(crate) fn plain(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|c| is_word(*c)).collect()
}

/// No control characters but those that part lines and cells.
fn is_word(letter: char) -> bool {
    matches!(letter, '\n' | '\t') || !letter.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "http://a.test/x?y";

    fn answer(text: &str, links: usize) -> String {
        let link = serde_json::json!({"text": "a\nb", "url": "http://b.test/?secret#x"});
        serde_json::json!({
            "url": "http://a.test/x?y#z",
            "title": " A\u{7}  title ",
            "text": text,
            "links": vec![link; links],
            "truncated": false,
        })
        .to_string()
    }

    #[test]
    fn an_answer_is_cleaned() {
        let page = checked(&answer("one\ntwo\u{0}", 1), 4, HERE).unwrap();
        assert_eq!(page.version, 4);
        assert_eq!(page.url, "http://a.test/x");
        assert_eq!(page.title, "A title");
        assert_eq!(page.text, "one\ntwo");
        let link = PageLink {
            text: "a b".to_owned(),
            url: "http://b.test/".to_owned(),
        };
        assert_eq!(page.links, [link]);
        assert!(!page.truncated);
    }

    #[test]
    fn limits_hold_whatever_comes() {
        let page = checked(&answer(&"中".repeat(MOST_TEXT + 1), 1_000), 1, HERE).unwrap();
        assert_eq!(page.text.chars().count(), MOST_TEXT);
        assert_eq!(page.links.len(), MOST_LINKS);
        assert!(page.truncated);
        assert!(checked(&"x".repeat(MOST_ANSWER + 1), 1, HERE).is_none());
    }

    #[test]
    fn what_the_script_would_not_give_is_nothing() {
        for bad in ["", "null", "[]", "{}", "undefined", "{\"url\":1}"] {
            assert!(checked(bad, 1, HERE).is_none(), "{bad}");
        }
        let more = answer("x", 0).replacen('{', "{\"more\":1,", 1);
        assert!(checked(&more, 1, HERE).is_none());
        assert!(checked(&answer("x", 0), 1, "http://elsewhere.test/").is_none());
        let script = answer("x", 1).replace("http://b.test/?secret#x", "javascript:alert(1)");
        assert!(checked(&script, 1, HERE).unwrap().links.is_empty());
    }
}
