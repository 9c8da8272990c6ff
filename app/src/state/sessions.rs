//! The list of sessions and those that are open, with what the person has typed in each.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use wisp_engine::protocol::{Event, EventMsg, Failure, SearchHit, SessionId, SessionSummary};
use wisp_engine::title_of;

use super::draft::Draft;
use super::qa::is_sample;
use super::transcript::Transcript;

/// Transcripts that stay in memory besides the one on screen and those with a run going on.
const KEPT_OPEN: usize = 6;

/// The list, the open ones, and the search.
#[derive(Debug, Default)]
pub struct Sessions {
    /// The last used first.
    list: Vec<SessionSummary>,
    open: HashMap<SessionId, OpenSession>,
    /// Deleted by the person and still to be brought back; not shown.
    hidden: BTreeSet<SessionId>,
    /// The transcripts used, the last one last.
    used: Vec<SessionId>,
    /// The search in all sessions.
    pub search: Search,
    /// Whether the list has been read.
    pub loaded: bool,
}

/// A search in what was said.
#[derive(Debug, Default)]
pub struct Search {
    /// The words; empty when there is no search.
    pub words: String,
    /// Where they were found; `None` until the answer is there.
    pub hits: Option<Vec<SearchHit>>,
}

/// What is known of a session that has been looked at.
#[derive(Debug, Default)]
pub struct OpenSession {
    /// What was said and done.
    pub transcript: Transcript,
    /// Whether its events have been read.
    pub ready: bool,
    /// Why they could not be.
    pub failure: Option<Failure>,
    /// What the person is typing.
    pub draft: Draft,
    /// Messages that wait for the run's end, the first one first.
    pub queue: Vec<String>,
    /// What has happened since its events were asked for.
    held: Option<Vec<Event>>,
}

/// The sessions of one folder.
#[derive(Debug)]
pub struct Group<'a> {
    /// The folder; `None` is those without one.
    pub folder: Option<&'a PathBuf>,
    /// The last used first.
    pub sessions: Vec<&'a SessionSummary>,
}

impl Sessions {
    /// Takes the whole list.
    pub fn set_list(&mut self, list: Vec<SessionSummary>) {
        self.list = list;
        self.loaded = true;
    }

    /// Takes one session in, or anew.
    pub fn put(&mut self, summary: SessionSummary) {
        self.list.retain(|known| known.id != summary.id);
        let place = self
            .list
            .partition_point(|known| known.updated_at > summary.updated_at);
        self.list.insert(place, summary);
    }

    /// Forgets a session for good.
    pub fn forget(&mut self, id: &SessionId) {
        self.list.retain(|known| known.id != *id);
        self.open.remove(id);
        self.hidden.remove(id);
        self.used.retain(|known| known != id);
    }

    /// Shows a session no more; it is not deleted yet.
    pub fn hide(&mut self, id: &SessionId) {
        self.hidden.insert(id.clone());
    }

    /// Those that are deleted and could still be brought back.
    pub fn hidden(&self) -> impl Iterator<Item = &SessionId> {
        self.hidden.iter()
    }

    /// Brings a hidden session back.
    pub fn unhide(&mut self, id: &SessionId) {
        self.hidden.remove(id);
    }

    /// All there are, those included that are deleted and could still be brought back.
    pub fn ids(&self) -> impl Iterator<Item = &SessionId> {
        self.list.iter().map(|session| &session.id)
    }

    /// Those the person sees, the last used first. A sample is no session of theirs.
    pub fn shown(&self) -> impl Iterator<Item = &SessionSummary> {
        (self.list.iter())
            .filter(|session| !self.hidden.contains(&session.id) && !is_sample(&session.id))
    }

    /// Those the person sees, by folder: the folder used last comes first.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut places: HashMap<Option<&PathBuf>, usize> = HashMap::new();
        for session in self.shown() {
            let folder = session.folder.as_ref();
            let place = *places.entry(folder).or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.sessions.push(session),
                None => groups.push(Group {
                    folder,
                    sessions: vec![session],
                }),
            }
        }
        groups
    }

    /// One row of the list.
    pub fn summary(&self, id: &SessionId) -> Option<&SessionSummary> {
        self.list.iter().find(|session| session.id == *id)
    }

    /// What is known of a session that has been looked at.
    pub fn open(&self, id: &SessionId) -> Option<&OpenSession> {
        self.open.get(id)
    }

    /// The same, to change.
    pub fn open_mut(&mut self, id: &SessionId) -> Option<&mut OpenSession> {
        self.open.get_mut(id)
    }

    /// The same, made where there is none. Forgets those that were looked at long ago.
    pub fn open_or_new(&mut self, id: &SessionId) -> &mut OpenSession {
        self.used.retain(|known| known != id);
        self.used.push(id.clone());
        self.drop_old(id);
        self.open.entry(id.clone()).or_default()
    }

    fn drop_old(&mut self, current: &SessionId) {
        while self.used.len() > KEPT_OPEN {
            let idle = |id: &SessionId| {
                id != current
                    && (self.open.get(id)).is_none_or(|open| {
                        open.transcript.running().is_none()
                            && open.draft.is_empty()
                            && open.queue.is_empty()
                    })
            };
            let Some(place) = self.used.iter().position(idle) else {
                return;
            };
            let id = self.used.remove(place);
            self.open.remove(&id);
        }
    }

    /// Takes an event of any session in.
    pub fn apply(&mut self, event: &Event) {
        if let Some(open) = self.open.get_mut(&event.session) {
            open.apply(event);
        }
        let Some(place) = (self.list.iter()).position(|known| known.id == event.session) else {
            return;
        };
        let Some(summary) = self.list.get_mut(place) else {
            return;
        };
        match &event.msg {
            EventMsg::SessionRenamed { title } => summary.title.clone_from(title),
            EventMsg::RunStarted { text, .. } => {
                summary.running = true;
                summary.runs += 1;
                if summary.title.is_empty() {
                    summary.title = title_of(text);
                }
            }
            EventMsg::RunFinished { .. } => summary.running = false,
            _ => {}
        }
        // Only a request or its end moves a session up: a list that reorders while text streams can't be clicked.
        if let EventMsg::RunStarted { .. } | EventMsg::RunFinished { .. } = event.msg {
            summary.updated_at = summary.updated_at.max(event.at);
            let summary = self.list.remove(place);
            self.put(summary);
        }
    }
}

impl OpenSession {
    /// Its events are being read. What happens meanwhile is held back, so that it comes after them.
    pub fn begin_reading(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Its events were read, oldest first.
    pub fn take_events(&mut self, events: &[Event]) {
        let held = self.held.take().unwrap_or_default();
        for event in events.iter().chain(&held) {
            self.transcript.apply(event);
        }
        self.ready = true;
        self.failure = None;
    }

    /// Its events could not be read.
    pub fn take_failure(&mut self, failure: Failure) {
        self.held = None;
        self.ready = true;
        self.failure = Some(failure);
    }

    fn apply(&mut self, event: &Event) {
        match &mut self.held {
            Some(held) => held.push(event.clone()),
            None if self.ready => {
                self.transcript.apply(event);
            }
            // It has never been read; all of it is when somebody looks.
            None => {}
        }
    }

    /// Whether a run goes on.
    pub fn is_running(&self) -> bool {
        self.transcript.running().is_some()
    }
}
