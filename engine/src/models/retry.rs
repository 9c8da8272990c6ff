//! When a request is sent again, and after what wait.
//!
//! It counts tries and waits and reads the server's wish; whether a failure may be tried again at all
//! is said by the failure.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, RETRY_AFTER};

use super::settings::RetryPolicy;

/// By how much a wait differs from its plan, up or down: a quarter, so that clients which failed
/// together don't come back together.
const JITTER: f64 = 0.25;
/// The longest wait that a server may ask for and is taken at its word, a day.
const MAX_ASKED: Duration = Duration::from_hours(24);

/// Tries and waits of one request.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    policy: RetryPolicy,
    tries: u32,
    waited: Duration,
}

/// Whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// After this wait.
    Wait(Duration),
    /// No more: all tries or all waiting time is spent.
    Spent,
    /// No more: the server asked for a longer wait than is left.
    TooLong(Duration),
}

impl Budget {
    /// With the first try under way.
    pub(super) fn new(policy: RetryPolicy) -> Self {
        Self {
            policy,
            tries: 1,
            waited: Duration::ZERO,
        }
    }

    /// Tries so far.
    pub(super) fn tries(&self) -> u32 {
        self.tries
    }

    /// Decides, and counts the try and the wait it grants. `asked` is the wait the server wants, `chance`
    /// lies between 0 and 1.
    pub(super) fn next(&mut self, asked: Option<Duration>, chance: f64) -> Verdict {
        let left = self.policy.max_wait.saturating_sub(self.waited);
        if let Some(asked) = asked.filter(|asked| *asked > left) {
            return Verdict::TooLong(asked);
        }
        if self.tries >= self.policy.max_tries {
            return Verdict::Spent;
        }
        let planned = self
            .policy
            .base
            .saturating_mul(2_u32.saturating_pow(self.tries.saturating_sub(1)));
        let factor = 1.0 - JITTER + 2.0 * JITTER * chance.clamp(0.0, 1.0);
        let wait = match asked.filter(|asked| !asked.is_zero()) {
            Some(asked) => asked,
            None => Duration::try_from_secs_f64(planned.as_secs_f64() * factor)
                .unwrap_or(self.policy.max_wait),
        };
        if wait > left {
            return Verdict::Spent;
        }
        self.tries = self.tries.saturating_add(1);
        self.waited = self.waited.saturating_add(wait);
        Verdict::Wait(wait)
    }
}

/// A number between 0 and 1 that nobody needs to foresee.
pub(super) fn chance() -> f64 {
    let bits = RandomState::new().build_hasher().finish();
    let bits = u32::try_from(bits >> 32).unwrap_or_default();
    f64::from(bits) / f64::from(u32::MAX)
}

/// The wait a server asks for: seconds, or an HTTP date. `now_millis` is the clock.
pub(super) fn asked_wait(headers: &HeaderMap, now_millis: u64) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(millis) = text(HeaderName::from_static("retry-after-ms"))
        && let Ok(millis) = millis.parse::<f64>()
    {
        return seconds(millis / 1000.0);
    }
    let value = text(RETRY_AFTER)?;
    if let Ok(number) = value.parse::<f64>() {
        return seconds(number);
    }
    let then = jiff::fmt::rfc2822::DateTimeParser::new()
        .parse_timestamp(value)
        .ok()?;
    let then = u64::try_from(then.as_millisecond()).unwrap_or_default();
    Some(Duration::from_millis(then.saturating_sub(now_millis)).min(MAX_ASKED))
}

fn seconds(number: f64) -> Option<Duration> {
    if number.is_nan() || number < 0.0 {
        return None;
    }
    Some(Duration::try_from_secs_f64(number).map_or(MAX_ASKED, |wait| wait.min(MAX_ASKED)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> RetryPolicy {
        RetryPolicy::default()
    }

    fn secs(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn waits_double_until_the_tries_are_spent() {
        let mut budget = Budget::new(policy());
        for wait in [1, 2, 4, 8] {
            assert_eq!(budget.next(None, 0.5), Verdict::Wait(secs(wait)));
        }
        assert_eq!(budget.tries(), 5);
        assert_eq!(budget.next(None, 0.5), Verdict::Spent);
    }

    #[test]
    fn jitter_stays_within_a_quarter() {
        let at = |chance| Budget::new(policy()).next(None, chance);
        assert_eq!(at(0.0), Verdict::Wait(Duration::from_millis(750)));
        assert_eq!(at(1.0), Verdict::Wait(Duration::from_millis(1250)));
        assert!((0.0..=1.0).contains(&chance()));
    }

    #[test]
    fn the_servers_wish_is_honoured_up_to_what_is_left() {
        let mut budget = Budget::new(policy());
        assert_eq!(budget.next(Some(secs(60)), 0.0), Verdict::Wait(secs(60)));
        assert_eq!(budget.next(Some(secs(1)), 0.0), Verdict::TooLong(secs(1)));
        assert_eq!(budget.next(None, 0.5), Verdict::Spent);
        assert_eq!(
            Budget::new(policy()).next(Some(secs(61)), 0.0),
            Verdict::TooLong(secs(61))
        );
        // "At once" is no wish to be hammered.
        assert_eq!(
            Budget::new(policy()).next(Some(secs(0)), 0.5),
            Verdict::Wait(secs(1))
        );
    }

    #[test]
    fn one_try_is_never_followed_by_another() {
        let mut budget = Budget::new(RetryPolicy {
            max_tries: 1,
            ..policy()
        });
        assert_eq!(budget.next(None, 0.5), Verdict::Spent);
    }

    #[test]
    fn retry_after_is_read_as_seconds_and_as_a_date() {
        let read = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            // 1994-11-06 08:49:00 UTC.
            asked_wait(&headers, 784_111_740_000)
        };
        assert_eq!(read("retry-after", "7"), Some(secs(7)));
        assert_eq!(
            read("retry-after", " 0.5 "),
            Some(Duration::from_millis(500))
        );
        assert_eq!(
            read("retry-after-ms", "250"),
            Some(Duration::from_millis(250))
        );
        assert_eq!(
            read("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(secs(37))
        );
        assert_eq!(
            read("retry-after", "Sun, 06 Nov 1994 08:48:00 GMT"),
            Some(secs(0))
        );
        assert_eq!(read("retry-after", "1e30"), Some(MAX_ASKED));
        for nothing in ["-1", "soon", "", "nan"] {
            assert_eq!(read("retry-after", nothing), None, "{nothing}");
        }
    }
}
