//! What was typed into a field for addresses: a page, or a path inside the folder.

/// Where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// A web page, by its whole address.
    Page(String),
    /// A folder inside the folder.
    Folder(String),
    /// A file inside the folder, or a folder; the disk knows.
    File(String),
    /// Nothing that can be shown.
    Nothing,
}

/// Names that mean this computer.
const LOCAL: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Finds out what was meant. An address has a scheme, or a port, or is this computer; all else is a path.
pub fn goal_of(typed: &str) -> Goal {
    let typed = typed.trim();
    if typed.is_empty() || typed.chars().any(char::is_control) {
        return Goal::Nothing;
    }
    if let Some((scheme, rest)) = typed.split_once("://") {
        let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        return if web && !rest.is_empty() && !typed.contains(' ') {
            Goal::Page(typed.to_owned())
        } else {
            Goal::Nothing
        };
    }
    if is_site(typed) {
        let local = LOCAL.contains(&host_of(typed));
        let scheme = if local { "http" } else { "https" };
        return Goal::Page(format!("{scheme}://{typed}"));
    }
    let path = typed.strip_prefix("./").unwrap_or(typed);
    let leaves = path.split('/').any(|part| part == "..");
    if path.starts_with('/') || path.starts_with('~') || leaves {
        return Goal::Nothing;
    }
    if path.is_empty() || path == "." {
        return Goal::Folder(".".to_owned());
    }
    match path.strip_suffix('/') {
        Some(folder) => Goal::Folder(folder.to_owned()),
        None => Goal::File(path.to_owned()),
    }
}

fn host_of(address: &str) -> &str {
    let site = address.split(['/', '?', '#']).next().unwrap_or_default();
    match site.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => site,
    }
}

/// Whether something without a scheme is an address all the same. A file's name may have dots too, so that only
/// this computer, a port, or `www.` count.
fn is_site(typed: &str) -> bool {
    if typed.contains(' ') {
        return false;
    }
    let site = typed.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host_of(typed);
    let port = host.len() < site.len() && !host.is_empty() && site.len() > host.len() + 1;
    LOCAL.contains(&host) || port || site.starts_with("www.")
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

    fn page(typed: &str) -> Option<String> {
        match goal_of(typed) {
            Goal::Page(url) => Some(url),
            _ => None,
        }
    }

    #[test]
    fn pages_are_told_from_paths() {
        assert_eq!(
            page(" https://a.test/x ").as_deref(),
            Some("https://a.test/x")
        );
        assert_eq!(page("HTTP://a.test").as_deref(), Some("HTTP://a.test"));
        assert_eq!(
            page("localhost:5173").as_deref(),
            Some("http://localhost:5173")
        );
        assert_eq!(page("127.0.0.1/x").as_deref(), Some("http://127.0.0.1/x"));
        assert_eq!(page("www.a.test").as_deref(), Some("https://www.a.test"));
        assert_eq!(
            page("a.test:8080/x").as_deref(),
            Some("https://a.test:8080/x")
        );
        assert_eq!(goal_of("src/main.rs"), Goal::File("src/main.rs".into()));
        assert_eq!(goal_of("./a.md"), Goal::File("a.md".into()));
        assert_eq!(goal_of("notes/"), Goal::Folder("notes".into()));
        assert_eq!(goal_of("."), Goal::Folder(".".into()));
    }

    #[test]
    fn what_leads_nowhere_is_said() {
        for typed in [
            "",
            " ",
            "file:///etc/passwd",
            "javascript://x",
            "ftp://a.test",
            "https://",
            "http://a b",
            "/etc/passwd",
            "~/x",
            "../x",
            "a/../../x",
            "a\nb",
        ] {
            assert_eq!(goal_of(typed), Goal::Nothing, "{typed:?}");
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
