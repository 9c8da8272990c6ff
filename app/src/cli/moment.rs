//! Moments as a person of this place reads them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Milliseconds since 1970 (UTC) as day and time of this place; empty for what is no moment.
pub(super) fn time(at: u64) -> String {
    i64::try_from(at)
        .ok()
        .and_then(|at| Timestamp::from_millisecond(at).ok())
        .map(|at| {
            at.to_zoned_datetime(TimeZone::system())
                .strftime("%Y-%m-%d %H:%M")
                .to_string()
        })
        .unwrap_or_default()
}
