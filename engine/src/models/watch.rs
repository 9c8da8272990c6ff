//! Watches for silence while a request is under way.
//!
//! Only real output counts as life: bytes that keep a connection open don't. It knows the time since the
//! last output and nothing of what is waited for.

use std::time::Duration;

use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, sleep_until};

use super::event::ModelEvent;

/// How often a silent request gives a sign of waiting (contract B12).
pub(super) const TICK: Duration = Duration::from_secs(15);

/// The time since the last output.
pub(super) struct Watch {
    since: Instant,
    told: u32,
    idle: Duration,
    tick: Duration,
}

/// The idle limit passed.
#[derive(Debug)]
pub(super) struct Silence;

impl Watch {
    /// From now on.
    pub(super) fn new(idle: Duration, tick: Duration) -> Self {
        Self {
            since: Instant::now(),
            told: 0,
            idle,
            tick,
        }
    }

    /// Real output came.
    pub(super) fn progress(&mut self) {
        self.since = Instant::now();
        self.told = 0;
    }

    /// Waits for the work, tells now and then that it still waits, and gives up at the idle limit.
    pub(super) async fn guard<T>(
        &mut self,
        events: &Sender<ModelEvent>,
        work: impl Future<Output = T>,
    ) -> Result<T, Silence> {
        let mut work = std::pin::pin!(work);
        loop {
            let limit = later(self.since, self.idle);
            let sign = later(
                self.since,
                self.tick.saturating_mul(self.told.saturating_add(1)),
            );
            tokio::select! {
                biased;
                done = &mut work => return Ok(done),
                () = sleep_until(limit.min(sign)) => {}
            }
            if limit <= sign {
                return Err(Silence);
            }
            self.told = self.told.saturating_add(1);
            let silent = self.tick.saturating_mul(self.told);
            let sign = ModelEvent::StillWaiting {
                seconds: silent.as_secs(),
            };
            if events.send(sign).await.is_err() {
                return Err(Silence);
            }
        }
    }
}

/// Far away where the sum is no time any more.
fn later(start: Instant, wait: Duration) -> Instant {
    const FAR: Duration = Duration::from_hours(365 * 24);
    start.checked_add(wait).unwrap_or(start + FAR)
}
