//! Where requests go, read from the base URL of the settings.
//!
//! It changes what contract C22 names (a trailing `/`, a trailing `/chat/completions`) and nothing
//! else, so that a wrong address fails in the server's words and not in a guess of ours.

use std::net::IpAddr;

use reqwest::Url;

use crate::protocol::{Failure, FailureKind};

/// What every chat-completions server answers at.
const PATH: &str = "/chat/completions";

/// One address, checked.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    /// The whole address.
    pub(super) url: Url,
    /// The host's name alone, in lower case.
    pub(super) host: String,
    /// The host as a person is told of it: with the port where it isn't the usual one.
    pub(crate) label: String,
    /// Whether it is this machine.
    pub(crate) loopback: bool,
}

impl Endpoint {
    /// Reads a base URL.
    pub(crate) fn parse(base_url: &str) -> Result<Self, Failure> {
        let given = base_url.trim();
        if given.is_empty() {
            return Err(wrong("No base URL is set for the model."));
        }
        let mut url = Url::parse(given)
            .map_err(|error| wrong(format!("The base URL of the model is no URL ({error}).")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(
                "The base URL of the model begins neither with http:// nor with https://.",
            ));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(
                wrong("The base URL of the model holds a user name or password.")
                    .with_advice("Take it out and put the key into the settings or WISP_API_KEY."),
            );
        }
        let path = url.path().trim_end_matches('/');
        let path = match path.strip_suffix(PATH) {
            Some(_) => path.to_owned(),
            None => format!("{path}{PATH}"),
        };
        url.set_path(&path);
        url.set_fragment(None);
        let shown = url.host_str().unwrap_or_default();
        if shown.is_empty() {
            return Err(wrong("The base URL of the model names no host."));
        }
        let host = shown
            .trim_start_matches('[')
            .trim_end_matches([']', '.'])
            .to_ascii_lowercase();
        let label = url
            .port()
            .map_or_else(|| shown.to_owned(), |port| format!("{shown}:{port}"));
        Ok(Self {
            loopback: is_loopback(&host),
            host,
            label,
            url,
        })
    }

    /// Whether the connection is encrypted.
    pub(super) fn is_secure(&self) -> bool {
        self.url.scheme() == "https"
    }
}

/// Whether a host as a person is told of it, with its port or without, is this machine.
pub(crate) fn is_loopback_host(label: &str) -> bool {
    Endpoint::parse(&format!("http://{label}")).is_ok_and(|endpoint| endpoint.loopback)
}

fn is_loopback(host: &str) -> bool {
    match host.parse() {
        Ok(IpAddr::V4(address)) => address.is_loopback(),
        Ok(IpAddr::V6(address)) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|v4| v4.is_loopback())
        }
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

fn wrong(message: impl Into<String>) -> Failure {
    Failure::new(FailureKind::Settings, message).with_advice(
        "Set the base URL, as in https://api.deepseek.com, in the settings or in WISP_BASE_URL.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_contract_names_is_normalised() {
        for (given, expected) in [
            (
                "https://api.deepseek.com",
                "https://api.deepseek.com/chat/completions",
            ),
            ("https://h/v1/", "https://h/v1/chat/completions"),
            ("https://h/v1//", "https://h/v1/chat/completions"),
            (
                "https://h/v1/chat/completions",
                "https://h/v1/chat/completions",
            ),
            (
                "https://h/v1/chat/completions/",
                "https://h/v1/chat/completions",
            ),
            ("http://h:80/a?b=c#d", "http://h/a/chat/completions?b=c"),
            (" http://h/v1 ", "http://h/v1/chat/completions"),
        ] {
            assert_eq!(
                Endpoint::parse(given).unwrap().url.as_str(),
                expected,
                "{given}"
            );
        }
    }

    #[test]
    fn this_machine_is_known_by_every_name() {
        for (given, loopback) in [
            ("http://localhost:1", true),
            ("http://LOCALHOST.", true),
            ("http://a.localhost", true),
            ("http://127.8.9.1", true),
            ("http://[::1]:8080", true),
            ("http://[::ffff:127.0.0.1]", true),
            ("http://192.168.1.1", false),
            ("http://localhost.example", false),
            ("http://127.0.0.1.example", false),
        ] {
            assert_eq!(
                Endpoint::parse(given).unwrap().loopback,
                loopback,
                "{given}"
            );
        }
        assert_eq!(
            Endpoint::parse("http://[::1]:8080").unwrap().label,
            "[::1]:8080"
        );
        assert_eq!(Endpoint::parse("https://h:443/v1").unwrap().label, "h");
        for (label, loopback) in [
            ("[::1]:8080", true),
            ("localhost:1", true),
            ("127.0.0.1", true),
            ("api.deepseek.com", false),
            ("api.deepseek.com:8443", false),
            ("", false),
        ] {
            assert_eq!(is_loopback_host(label), loopback, "{label}");
        }
    }

    #[test]
    fn what_is_no_address_is_said_before_any_request() {
        for given in [
            "",
            "  ",
            "api.deepseek.com",
            "ftp://h",
            "http://",
            "http://k:p@h/v1",
            "http://k@h",
        ] {
            let failure = Endpoint::parse(given).unwrap_err();
            assert_eq!(failure.kind, FailureKind::Settings, "{given}");
        }
    }
}
