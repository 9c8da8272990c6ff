//! Addresses as a person types and reads them.

use std::net::IpAddr;

/// What a person means by what they typed: a whole `http` or `https` address. A name without a scheme gets
/// `https`, this computer and bare numbers `http`. `None` for what is no address.
pub fn typed(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return None;
    }
    if let Some((scheme, rest)) = text.split_once("://") {
        let known = ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str());
        let (_, host, _) = parts(text);
        return (known && !rest.is_empty() && !host.is_empty()).then(|| text.to_owned());
    }
    let (_, host, _) = parts(text);
    let name = host.rsplit_once(':').map_or(host, |(name, port)| {
        let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        if is_port { name } else { host }
    });
    let name = name.trim_start_matches('[').trim_end_matches(']');
    if name == "localhost" || name.ends_with(".localhost") || name.parse::<IpAddr>().is_ok() {
        return Some(format!("http://{text}"));
    }
    let labels = name.split('.').collect::<Vec<_>>();
    let is_name = labels.len() > 1
        && (labels.iter()).all(|label| {
            !label.is_empty()
                && label
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '-' || c == '_')
        });
    is_name.then(|| format!("https://{text}"))
}

/// The address before its site, the site with its port, and what follows. A name before an `@` is no part of
/// the site, whatever it looks like.
pub fn parts(url: &str) -> (&str, &str, &str) {
    let start = url.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = url.split_at(start);
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (site, after) = rest.split_at(end);
    let user = site.rfind('@').map_or(0, |at| at + 1);
    let before = url.get(..scheme.len() + user).unwrap_or_default();
    (before, site.get(user..).unwrap_or_default(), after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_becomes_a_whole_address() {
        for (text, url) in [
            ("example.com", "https://example.com"),
            (" example.com/a b", ""),
            ("example.com/a?b#c", "https://example.com/a?b#c"),
            ("localhost:5173", "http://localhost:5173"),
            ("app.localhost/x", "http://app.localhost/x"),
            ("127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("例子.测试", "https://例子.测试"),
            ("HTTP://a.test/", "HTTP://a.test/"),
            ("https://a.test", "https://a.test"),
            ("file:///etc/passwd", ""),
            ("javascript:alert(1)", ""),
            ("about:blank", ""),
            ("http://", ""),
            ("https://@/", ""),
            ("notes", ""),
            ("src/main.rs", ""),
            ("a..b", ""),
            ("", ""),
        ] {
            assert_eq!(typed(text).as_deref().unwrap_or_default(), url, "{text:?}");
        }
    }

    #[test]
    fn the_site_is_told_from_what_only_looks_like_one() {
        for (url, split) in [
            ("https://a.test:1/b?c", ("https://", "a.test:1", "/b?c")),
            (
                "https://good.test@evil.test/",
                ("https://good.test@", "evil.test", "/"),
            ),
            (
                "https://evil.test?good.test",
                ("https://", "evil.test", "?good.test"),
            ),
            (
                "https://evil.test#@good.test",
                ("https://", "evil.test", "#@good.test"),
            ),
            (
                "https://evil.test\\@good.test",
                ("https://", "evil.test", "\\@good.test"),
            ),
            ("a.test/b", ("", "a.test", "/b")),
            ("", ("", "", "")),
        ] {
            assert_eq!(parts(url), split, "{url}");
        }
    }
}
