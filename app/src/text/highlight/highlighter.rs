//! The handle that is asked while drawing, and the thread behind it.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::cache::Cache;
use super::grammar::{Grammars, LONGEST};
use super::spans::Spans;

/// Called, from another thread, when something that was asked for is ready.
pub type Waker = Box<dyn Fn() + Send + Sync>;

/// The most codes that wait to be read. Who is turned away asks again on the next frame.
const WAITING: usize = 64;
/// The memory for what was read, in bytes.
const CACHE: usize = 8 * 1024 * 1024;

/// Gives the parts of code without ever waiting. Cheap to copy; all copies share thread and memory.
#[derive(Clone)]
pub struct Highlighter {
    shared: Arc<Shared>,
    queue: Arc<Mutex<Option<SyncSender<Job>>>>,
}

struct Shared {
    state: Mutex<State>,
    waker: Waker,
}

struct State {
    cache: Cache,
    pending: BTreeSet<u64>,
}

struct Job {
    key: u64,
    language: String,
    text: String,
}

impl Highlighter {
    /// A highlighter that calls `waker` when something is ready. Its thread starts with the first request.
    pub fn new(waker: Waker) -> Self {
        let state = State {
            cache: Cache::new(CACHE),
            pending: BTreeSet::new(),
        };
        Self {
            shared: Arc::new(Shared {
                state: Mutex::new(state),
                waker,
            }),
            queue: Arc::default(),
        }
    }

    /// The parts of a code, or nothing when they aren't there yet: draw it plain, the waker will be called.
    ///
    /// Code over 200 KB, and code without a language, stays plain.
    pub fn request(&self, language: &str, text: &str) -> Option<Arc<Spans>> {
        if language.is_empty() || text.is_empty() || text.len() > LONGEST {
            return None;
        }
        let mut hash = DefaultHasher::new();
        hash.write(language.as_bytes());
        hash.write_u8(0xff);
        hash.write(text.as_bytes());
        let key = hash.finish();
        let mut state = lock(&self.shared.state);
        if let Some(spans) = state.cache.get(key) {
            return Some(spans);
        }
        if state.pending.len() < WAITING && !state.pending.contains(&key) {
            let job = Job {
                key,
                language: language.to_owned(),
                text: text.to_owned(),
            };
            if self.send(job) {
                state.pending.insert(key);
            }
        }
        None
    }

    fn send(&self, job: Job) -> bool {
        let mut queue = lock(&self.queue);
        if queue.is_none() {
            let (sender, receiver) = sync_channel(WAITING);
            let shared = Arc::clone(&self.shared);
            let started = thread::Builder::new()
                .name("highlight".to_owned())
                .spawn(move || work(&receiver, &shared));
            if let Err(error) = started {
                tracing::warn!("code stays plain, its thread didn't start: {error}");
                return false;
            }
            *queue = Some(sender);
        }
        queue
            .as_ref()
            .is_some_and(|queue| queue.try_send(job).is_ok())
    }
}

/// Ends when the last handle is gone.
fn work(jobs: &Receiver<Job>, shared: &Shared) {
    let grammars = Grammars::read();
    for job in jobs {
        let spans = grammars.spans(&job.language, &job.text);
        let mut state = lock(&shared.state);
        state.pending.remove(&job.key);
        state.cache.put(job.key, spans);
        drop(state);
        (shared.waker)();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::spans::Token;
    use super::*;

    #[test]
    fn it_answers_later_and_calls_then() {
        let (sender, woken) = sync_channel(9);
        let highlighter = Highlighter::new(Box::new(move || sender.try_send(()).unwrap()));
        assert!(highlighter.request("rust", "let a = 1;").is_none());
        assert!(highlighter.clone().request("rust", "let a = 1;").is_none());
        woken.recv().unwrap();
        let spans = highlighter.request("rust", "let a = 1;").unwrap();
        assert_eq!(spans.line(0)[0].token, Token::Keyword);
        // Asked twice while waiting, it was read once.
        assert!(woken.try_recv().is_err());
    }

    #[test]
    fn what_is_too_long_or_has_no_language_starts_nothing() {
        let highlighter = Highlighter::new(Box::new(|| panic!("woken for nothing")));
        assert!(
            highlighter
                .request("rust", &"a".repeat(LONGEST + 1))
                .is_none()
        );
        assert!(highlighter.request("", "a").is_none());
        assert!(lock(&highlighter.queue).is_none());
    }
}
