//! What was read of code lately, up to a size.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::spans::Spans;

/// Keeps the parts of code by a key, and forgets what was asked for longest ago.
pub(super) struct Cache {
    entries: BTreeMap<u64, Entry>,
    size: usize,
    most: usize,
    clock: u64,
}

struct Entry {
    spans: Arc<Spans>,
    used: u64,
}

/// What an entry costs beside its spans, in bytes.
const OVERHEAD: usize = 128;

impl Cache {
    /// A cache of at most this many bytes.
    pub(super) fn new(most: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            size: 0,
            most,
            clock: 0,
        }
    }

    /// What is kept for the key.
    pub(super) fn get(&mut self, key: u64) -> Option<Arc<Spans>> {
        self.clock += 1;
        let entry = self.entries.get_mut(&key)?;
        entry.used = self.clock;
        Some(entry.spans.clone())
    }

    /// Keeps this for the key.
    pub(super) fn put(&mut self, key: u64, spans: Spans) {
        self.clock += 1;
        self.size += spans.size() + OVERHEAD;
        let entry = Entry {
            spans: Arc::new(spans),
            used: self.clock,
        };
        if let Some(old) = self.entries.insert(key, entry) {
            self.size -= old.spans.size() + OVERHEAD;
        }
        while self.size > self.most && self.entries.len() > 1 {
            let Some(oldest) = (self.entries.iter())
                .min_by_key(|(_, entry)| entry.used)
                .map(|(key, _)| *key)
            else {
                return;
            };
            if let Some(old) = self.entries.remove(&oldest) {
                self.size -= old.spans.size() + OVERHEAD;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_longest_goes_first() {
        let mut cache = Cache::new(2 * OVERHEAD);
        cache.put(1, Spans::default());
        cache.put(2, Spans::default());
        assert!(cache.get(1).is_some());
        cache.put(3, Spans::default());
        assert!(cache.get(2).is_none());
        assert!(cache.get(1).is_some() && cache.get(3).is_some());
        assert_eq!(cache.size, 2 * OVERHEAD);
    }
}
