//! Addresses that stand bare in running text.

use std::ops::Range;

/// No address is longer, in bytes.
const LONGEST: usize = 2048;

/// Where an `http` or `https` address stands in the text, from this byte on.
pub(super) fn find(text: &str, from: usize) -> Option<Range<usize>> {
    let mut at = from;
    loop {
        let found = at + text.get(at..)?.find("http")?;
        let before = text.get(..found)?.chars().next_back();
        let rest = text.get(found..)?;
        let scheme = ["https://", "http://"]
            .into_iter()
            .find(|scheme| rest.starts_with(scheme));
        at = found + "http".len();
        let Some(scheme) = scheme else { continue };
        if before.is_some_and(|c| c.is_ascii_alphanumeric()) {
            continue;
        }
        let length = length(rest);
        if length > scheme.len() {
            return Some(found..found + length);
        }
    }
}

/// How many bytes of the text belong to the address at its start.
fn length(text: &str) -> usize {
    let end = text
        .find(|c: char| !c.is_ascii_graphic() || "<>\"`{}|\\^".contains(c))
        .unwrap_or(text.len())
        .min(LONGEST);
    let mut address = text.get(..end).unwrap_or_default();
    loop {
        let closes =
            address.ends_with(')') && address.matches(')').count() > address.matches('(').count();
        if !closes && !address.ends_with(['.', ',', ':', ';', '!', '?', '\'', '*', '_', '~', ']']) {
            return address.len();
        }
        address = address.get(..address.len() - 1).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_ends_where_the_sentence_goes_on() {
        let found = |text: &'static str| text.get(find(text, 0)?);
        assert_eq!(found("see https://a.b/c?d=e."), Some("https://a.b/c?d=e"));
        assert_eq!(found("(http://a.b/(c))"), Some("http://a.b/(c)"));
        assert_eq!(found("xhttps://a.b"), None);
        assert_eq!(found("看https://a.b。好"), Some("https://a.b"));
        assert_eq!(found("http:// https"), None);
    }
}
