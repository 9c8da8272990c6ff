//! The one place that reads the clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 (UTC); zero for a clock that is set before that.
#[expect(clippy::disallowed_methods, reason = "this is the clock's home")]
pub(crate) fn now_millis() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, millis)
}

/// A running stopwatch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts one.
    #[expect(clippy::disallowed_methods, reason = "this is the clock's home")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// How long it has run.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// How long it has run, in whole milliseconds.
    pub(crate) fn millis(self) -> u64 {
        millis(self.elapsed())
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
