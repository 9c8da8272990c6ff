//! Errors in words for a person.
//!
//! Every text that comes from outside passes [`Wording::clean`]: without control characters, without the
//! key, of a sane length. It decides no class and no retry where the server gave one.

use std::error::Error;
use std::io::ErrorKind;
use std::time::Duration;

use crate::protocol::{Failure, FailureKind};
use crate::support::redact::Redactor;

use super::calls::MAX_CALLS;
use super::frames::{FrameError, MAX_FRAME_BYTES};
use super::server_error::ServerError;

/// The most characters that are quoted of what a server says.
pub(super) const MAX_QUOTE_CHARS: usize = 400;
/// What is done first with a base URL that leads elsewhere.
const CHECK_URL: &str =
    "The base URL is probably wrong: check it in the settings or in WISP_BASE_URL.";

/// Whom the words are about.
#[derive(Clone, Debug)]
pub(super) struct Wording {
    /// The host, with its port.
    pub(super) host: String,
    /// The model's name.
    pub(super) model: String,
    /// Whether a key is set.
    pub(super) has_key: bool,
    /// Whether no proxy can stand between: true for this machine.
    pub(super) direct: bool,
    /// Knows the keys of the settings.
    pub(super) redactor: Redactor,
    /// Knows the key that is sent, whatever the other one knows.
    pub(super) own_key: Redactor,
}

/// A failure, and whether the same request may be sent again.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    /// In words.
    pub(super) failure: Failure,
    /// Whether it may pass by itself.
    pub(super) transient: bool,
    /// Whether it is about reasoning that was sent back.
    pub(super) about_reasoning: bool,
    /// The wait the server asks for.
    pub(super) asked_wait: Option<Duration>,
}

impl Trouble {
    /// One that stays.
    pub(super) fn lasting(failure: Failure) -> Self {
        Self {
            failure,
            transient: false,
            about_reasoning: false,
            asked_wait: None,
        }
    }

    /// One that may pass.
    pub(super) fn passing(failure: Failure) -> Self {
        Self {
            transient: true,
            ..Self::lasting(failure)
        }
    }
}

impl Wording {
    /// A text from outside, fit to be shown.
    pub(super) fn clean(&self, text: &str) -> String {
        let visible: String = text
            .chars()
            .map(|c| if is_hidden(c) { ' ' } else { c })
            .collect();
        let words: Vec<_> = visible.split_whitespace().collect();
        // The key first, then the cut: half a key is a key too.
        let text = self.redactor.clean(self.own_key.clean(words.join(" ")));
        let mut chars = text.chars();
        let mut quote: String = chars.by_ref().take(MAX_QUOTE_CHARS).collect();
        if chars.next().is_some() {
            quote.push('…');
        }
        quote
    }

    /// What the server itself reports.
    pub(super) fn server(&self, error: &ServerError) -> Trouble {
        let host = &self.host;
        let head = match error.kind {
            FailureKind::Authentication if self.has_key => {
                format!("{host} did not accept the API key")
            }
            FailureKind::Authentication => format!("{host} wants an API key and none is set"),
            FailureKind::Quota => format!("The account at {host} has no balance or quota left"),
            FailureKind::RateLimit => format!("{host} takes no more requests for the moment"),
            FailureKind::Overload => format!("{host} is overloaded or has a fault"),
            FailureKind::ContextLength => format!(
                "The conversation no longer fits the window of the model {}",
                self.model
            ),
            FailureKind::ContentFilter => {
                format!("{host} withheld the answer by its rules on content")
            }
            FailureKind::ModelNotFound => {
                format!("{host} knows no such address or no model {}", self.model)
            }
            _ => format!("{host} refused the request"),
        };
        let status = error
            .status
            .map_or_else(String::new, |status| format!(" (status {status})"));
        let said = self.clean(&error.message);
        let message = if said.is_empty() {
            format!("{head}{status}.")
        } else {
            format!("{head}{status}. It says: {said}")
        };
        Trouble {
            failure: Failure::new(error.kind, message),
            transient: error.transient,
            about_reasoning: error.is_about_reasoning(),
            asked_wait: None,
        }
    }

    /// The server points elsewhere, where the key must not go.
    pub(super) fn redirect(&self, status: u16) -> Trouble {
        Trouble::lasting(
            Failure::new(
                FailureKind::ModelNotFound,
                format!(
                    "{} answered with a redirect (status {status}), which is not followed.",
                    self.host
                ),
            )
            .with_advice(CHECK_URL),
        )
    }

    /// An answer that is a web page.
    pub(super) fn page(&self) -> Trouble {
        Trouble::lasting(
            Failure::new(
                FailureKind::BrokenStream,
                format!("{} sent a web page instead of an answer.", self.host),
            )
            .with_advice(CHECK_URL),
        )
    }

    /// An answer in JSON that is none of a model.
    pub(super) fn foreign(&self) -> Trouble {
        Trouble::lasting(
            Failure::new(
                FailureKind::BrokenStream,
                format!("{} sent JSON that is no answer of a model.", self.host),
            )
            .with_advice(CHECK_URL),
        )
    }

    /// The stream broke. `any` tells whether something had come.
    pub(super) fn broken(&self, how: &Break, any: bool) -> Trouble {
        let host = &self.host;
        let message = match how {
            Break::Ended => format!("The answer from {host} ended before it was whole."),
            Break::NoJson => format!("The answer from {host} held a piece that is no JSON."),
            Break::TooLong => format!("The answer from {host} was longer than any answer may be."),
            Break::TooManyCalls => {
                format!(
                    "The answer from {host} asked for more than {MAX_CALLS} tool calls at once."
                )
            }
            Break::Frame(FrameError::NotText) => {
                format!("The answer from {host} held bytes that are no text.")
            }
            Break::Frame(FrameError::TooLarge) => format!(
                "The answer from {host} held a piece without an end, over {} MiB.",
                MAX_FRAME_BYTES >> 20
            ),
            Break::Frame(FrameError::Cut(error)) => format!(
                "The connection to {host} broke off within the answer ({}).",
                self.clean(error)
            ),
        };
        let failure = Failure::new(FailureKind::BrokenStream, message);
        Trouble::passing(if any {
            failure
        } else {
            failure.with_advice("Nothing had come yet. Send the request again.")
        })
    }

    /// Nothing that counts came for too long.
    pub(super) fn silent(&self, idle: Duration) -> Trouble {
        Trouble::lasting(Failure::new(
            FailureKind::Idle,
            format!("{} sent nothing for {}.", self.host, span(idle)),
        ))
    }

    /// No answer at all.
    pub(super) fn unreachable(&self, error: reqwest::Error, connect_limit: Duration) -> Trouble {
        let host = &self.host;
        let error = error.without_url();
        let what = Chain::of(&error);
        let detail = self.clean(&what.last);
        let (message, passes) = if what.says("certificate") {
            (
                format!("{host} has no certificate that this system trusts ({detail})."),
                false,
            )
        } else if what.says("dns error") || what.says("lookup address") {
            (
                format!("There is no host {host}, or its name can't be looked up now."),
                true,
            )
        } else if what.io == Some(ErrorKind::ConnectionRefused) {
            let by = if self.direct {
                ""
            } else {
                ", by it or by a proxy on the way"
            };
            (
                format!("Nothing answers at {host}: the connection was refused{by}."),
                true,
            )
        } else if error.is_timeout() {
            (
                format!(
                    "{host} could not be reached within {}.",
                    span(connect_limit)
                ),
                true,
            )
        } else if what.is_tls {
            (
                format!("{host} and this program found no secure connection ({detail})."),
                true,
            )
        } else if error.is_connect() {
            (format!("{host} could not be reached ({detail})."), true)
        } else {
            (
                format!("The connection to {host} broke off before an answer came ({detail})."),
                !error.is_builder(),
            )
        };
        let failure = Failure::new(FailureKind::Network, message);
        if passes {
            Trouble::passing(failure)
        } else {
            Trouble::lasting(failure)
        }
    }

    /// Two empty replies.
    pub(super) fn empty(&self) -> Failure {
        Failure::new(
            FailureKind::EmptyReply,
            format!("{} answered with nothing, twice.", self.model),
        )
    }

    /// The output limit was spent before the first word.
    pub(super) fn cut_empty(&self) -> Failure {
        Failure::new(
            FailureKind::OutputLimit,
            format!(
                "{} reached its output limit before it said anything.",
                self.model
            ),
        )
    }

    /// The provider's filter ended the answer.
    pub(super) fn filtered(&self) -> Failure {
        Failure::new(
            FailureKind::ContentFilter,
            format!(
                "{} broke off the answer by its rules on content.",
                self.host
            ),
        )
    }

    /// The provider ran out of resources.
    pub(super) fn exhausted(&self) -> Failure {
        Failure::new(
            FailureKind::Overload,
            format!("{} ran out of resources within the answer.", self.host),
        )
    }
}

/// How a stream broke.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// No end was said.
    Ended,
    /// A frame that is no JSON.
    NoJson,
    /// Over the limit on a reply.
    TooLong,
    /// More calls than there may be.
    TooManyCalls,
    /// Below the frames.
    Frame(FrameError),
}

/// What an error and its sources tell.
struct Chain {
    all: String,
    last: String,
    io: Option<ErrorKind>,
    is_tls: bool,
}

impl Chain {
    fn of(error: &(dyn Error + 'static)) -> Self {
        let mut chain = Self {
            all: String::new(),
            last: String::new(),
            io: None,
            is_tls: false,
        };
        let mut next = Some(error);
        while let Some(error) = next {
            chain.last = error.to_string();
            chain.all.push_str(&chain.last.to_lowercase());
            chain.all.push('\n');
            let mut io = error.downcast_ref::<std::io::Error>();
            while let Some(error) = io {
                chain.io = Some(error.kind());
                // TLS faults come as "invalid data" around the TLS library's own error.
                chain.is_tls |= error.kind() == ErrorKind::InvalidData && error.get_ref().is_some();
                // An error that only wraps another one passes over it as a source.
                io = error.get_ref().and_then(|inner| inner.downcast_ref());
            }
            next = error.source();
        }
        chain
    }

    fn says(&self, words: &str) -> bool {
        self.all.contains(words)
    }
}

/// Control characters, and those that hide or turn text around.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A time in words.
pub(super) fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64().ceil();
    let (number, unit) = if time < Duration::from_secs(1) {
        return format!("{} ms", time.as_millis());
    } else if seconds < 1.5 {
        return "1 second".to_owned();
    } else if seconds < 120.0 {
        (seconds, "seconds")
    } else if seconds < 7200.0 {
        ((seconds / 60.0).ceil(), "minutes")
    } else {
        ((seconds / 3600.0).ceil(), "hours")
    };
    format!("{number} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wording() -> Wording {
        Wording {
            host: "h".into(),
            model: "m".into(),
            has_key: true,
            direct: true,
            redactor: Redactor::default(),
            own_key: Redactor::new(["sk-secret".to_owned()]),
        }
    }

    #[test]
    fn foreign_text_is_cleaned_blanked_and_then_cut() {
        let wording = wording();
        assert_eq!(
            wording.clean("a\u{1b}[31m\n\tb\u{202e}c sk-secret"),
            "a [31m b c [key]"
        );
        assert_eq!(
            wording.clean(&"x".repeat(MAX_QUOTE_CHARS)).chars().count(),
            MAX_QUOTE_CHARS
        );
        let long = wording.clean(&"x".repeat(MAX_QUOTE_CHARS + 1));
        assert_eq!(long.chars().count(), MAX_QUOTE_CHARS + 1);
        assert!(long.ends_with("x…"));
        // A key across the cut is gone whole.
        let across = format!("{} sk-secret", "x".repeat(MAX_QUOTE_CHARS - 4));
        assert!(!wording.clean(&across).contains("sk-"));
    }

    #[test]
    fn times_are_told_in_the_unit_that_fits() {
        for (millis, text) in [
            (20, "20 ms"),
            (1_000, "1 second"),
            (61_000, "61 seconds"),
            (121_000, "3 minutes"),
            (7_200_000, "2 hours"),
        ] {
            assert_eq!(span(Duration::from_millis(millis)), text);
        }
    }

    #[test]
    fn the_lack_of_a_key_is_told_from_a_wrong_one() {
        let error = ServerError::read("", Some(401));
        let with = wording().server(&error).failure.message;
        assert_eq!(with, "h did not accept the API key (status 401).");
        let without = Wording {
            has_key: false,
            ..wording()
        };
        assert!(
            without
                .server(&error)
                .failure
                .message
                .contains("none is set")
        );
    }
}
