//! Addresses of pages: which ones a tool may ask for, and how much of one it is told.

use url::Url;

use crate::toolkit::{ToolError, ToolResult};

/// The longest address, in bytes. Servers and browsers take at least this much (RFC 9110, 4.1: 8,000).
pub(crate) const MAX_ADDRESS_BYTES: usize = 8_000;

/// A whole `http` or `https` address, as a tool gave it. The error says what to do differently.
pub(crate) fn page(text: &str) -> ToolResult<Url> {
    if text.len() > MAX_ADDRESS_BYTES {
        return Err(ToolError::too_large(format!(
            "The address has {} bytes; {MAX_ADDRESS_BYTES} at most.",
            text.len()
        )));
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(ToolError::bad_arguments(
            "The address holds blanks or control characters. Give it whole and encoded.",
        ));
    }
    let url = Url::parse(text).map_err(|error| {
        ToolError::bad_arguments(format!(
            "This is not a whole address ({error}). It begins with http:// or https://."
        ))
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(ToolError::refused(format!(
            "Pages are opened over http and https only, not {}.",
            url.scheme()
        )));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(ToolError::refused(
            "The address holds a name or password before its host. Leave that out.",
        ));
    }
    Ok(url)
}

/// An address without query, fragment, name and password; `None` for what is no page's.
pub(crate) fn bare(text: &str) -> Option<String> {
    let mut url = Url::parse(text).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    url.set_query(None);
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    let text = url.to_string();
    (text.len() <= MAX_ADDRESS_BYTES).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::testing::kind;
    use crate::protocol::ToolErrorKind::{BadArguments, Refused, TooLarge};

    #[test]
    fn only_whole_web_addresses_are_pages() {
        for good in [
            "http://localhost:5173/a?b=c#d",
            "https://example.com",
            "https://例子.测试/路",
            "http://[::1]:8080/",
        ] {
            assert!(page(good).is_ok(), "{good}");
        }
        for (bad, class) in [
            ("", BadArguments),
            ("example.com", BadArguments),
            ("//example.com/", BadArguments),
            ("http://", BadArguments),
            ("http://a b/", BadArguments),
            (" https://example.com", BadArguments),
            ("https://example.com/\u{0}", BadArguments),
            ("https://example.com/a\nb", BadArguments),
            ("file:///etc/passwd", Refused),
            ("javascript:alert(1)", Refused),
            ("data:text/html,x", Refused),
            ("about:blank", Refused),
            ("ftp://example.com/", Refused),
            ("https://user@example.com/", Refused),
            ("https://:secret@example.com/", Refused),
        ] {
            assert_eq!(kind(page(bad)), class, "{bad:?}");
        }
    }

    #[test]
    fn the_longest_address_is_taken_and_a_longer_one_is_not() {
        let start = "https://example.com/";
        let of = |bytes: usize| format!("{start}{}", "a".repeat(bytes - start.len()));
        assert!(page(&of(MAX_ADDRESS_BYTES)).is_ok());
        assert_eq!(kind(page(&of(MAX_ADDRESS_BYTES + 1))), TooLarge);
    }

    #[test]
    fn a_bare_address_keeps_no_secret() {
        assert_eq!(
            bare("https://me:pw@example.com:8443/a/b?token=1#x").as_deref(),
            Some("https://example.com:8443/a/b")
        );
        assert_eq!(bare("javascript:1"), None);
        assert_eq!(bare("no address"), None);
    }
}
