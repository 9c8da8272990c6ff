//! What WebKit's errors mean to a person.

use gtk::{gio, glib};
use soup::SessionError;
use webkit2gtk::{NetworkError, PolicyError};
use wisp::pages::{FailureKind, PageFailure};

use crate::policy::cut;
use crate::read::plain;

/// The longest text of an error that is told, in characters.
const MOST_DETAIL: usize = 500;

/// How a load ended that did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// By an error.
    Failed(PageFailure),
    /// Because another load took its place, or somebody stopped it.
    Cancelled,
    /// Because it became a download, or was not allowed.
    Interrupted,
}

/// By the error's domain and code, never by its words, which are in the person's language.
pub(super) fn ended(error: &glib::Error) -> Ended {
    if error.matches(NetworkError::Cancelled) || error.matches(gio::IOErrorEnum::Cancelled) {
        return Ended::Cancelled;
    }
    if error.matches(PolicyError::FrameLoadInterruptedByPolicyChange) {
        return Ended::Interrupted;
    }
    Ended::Failed(failure(kind(error), error.message()))
}

/// With the engine's words on one line.
pub(super) fn failure(kind: FailureKind, detail: &str) -> PageFailure {
    PageFailure {
        kind,
        detail: cut(&plain(detail), MOST_DETAIL).to_owned(),
    }
}

fn kind(error: &glib::Error) -> FailureKind {
    if error.kind::<gio::ResolverError>().is_some() {
        return FailureKind::Name;
    }
    if error.kind::<gio::TlsError>().is_some() {
        return FailureKind::Certificate;
    }
    if error.matches(SessionError::TooManyRedirects) || error.matches(SessionError::RedirectBadUri)
    {
        return FailureKind::Redirects;
    }
    match error.kind::<gio::IOErrorEnum>() {
        Some(gio::IOErrorEnum::TimedOut) => return FailureKind::Timeout,
        Some(gio::IOErrorEnum::HostNotFound) => return FailureKind::Name,
        Some(
            gio::IOErrorEnum::ConnectionRefused
            | gio::IOErrorEnum::HostUnreachable
            | gio::IOErrorEnum::NetworkUnreachable
            | gio::IOErrorEnum::BrokenPipe,
        ) => return FailureKind::Refused,
        _ => {}
    }
    if error.matches(PolicyError::CannotUseRestrictedPort)
        || error.matches(NetworkError::UnknownProtocol)
        || error.matches(NetworkError::FileDoesNotExist)
        || error.matches(PolicyError::CannotShowUri)
    {
        return FailureKind::Address;
    }
    FailureKind::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(error: impl glib::error::ErrorDomain) -> FailureKind {
        match ended(&glib::Error::new(error, "a\nb")) {
            Ended::Failed(failure) => {
                assert_eq!(failure.detail, "a b");
                failure.kind
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn errors_are_told_apart() {
        assert_eq!(kind_of(gio::ResolverError::NotFound), FailureKind::Name);
        let refused = gio::IOErrorEnum::ConnectionRefused;
        assert_eq!(kind_of(refused), FailureKind::Refused);
        assert_eq!(kind_of(gio::IOErrorEnum::TimedOut), FailureKind::Timeout);
        let certificate = gio::TlsError::BadCertificate;
        assert_eq!(kind_of(certificate), FailureKind::Certificate);
        assert_eq!(kind_of(gio::IOErrorEnum::Failed), FailureKind::Other);
        let cancelled = glib::Error::new(gio::IOErrorEnum::Cancelled, "");
        assert_eq!(ended(&cancelled), Ended::Cancelled);
    }
}
