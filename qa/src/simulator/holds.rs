//! The points at which a scenario's stream waits for a test.
//!
//! A point is open for good once it was released: a test that releases early never hangs.

use std::{
    collections::HashMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::watch;

#[derive(Debug, Default)]
pub(super) struct Holds {
    points: Mutex<HashMap<String, Point>>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Point {
    reached: bool,
    open: watch::Sender<bool>,
}

impl Holds {
    /// Says that a stream is at the point, and waits until it is released.
    pub(super) async fn pass(&self, point: &str) {
        let mut open = {
            let mut points = self.lock();
            let point = points.entry(point.to_owned()).or_default();
            point.reached = true;
            point.open.subscribe()
        };
        self.changed.notify_all();
        // The sender lives as long as `self`, so this can't end with an error.
        let _released = open.wait_for(|open| *open).await;
    }

    /// Waits until a stream has reached the point; false when the time is over before.
    pub(super) fn wait_for(&self, point: &str, deadline: Duration) -> bool {
        let (points, _) = self
            .changed
            .wait_timeout_while(self.lock(), deadline, |points| {
                !points.get(point).is_some_and(|point| point.reached)
            })
            .unwrap_or_else(PoisonError::into_inner);
        points.get(point).is_some_and(|point| point.reached)
    }

    /// Lets all streams pass the point, now and later.
    pub(super) fn release(&self, point: &str) {
        let mut points = self.lock();
        points
            .entry(point.to_owned())
            .or_default()
            .open
            .send_replace(true);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Point>> {
        self.points.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
