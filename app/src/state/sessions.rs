//! The list of sessions and those that are open, with what the person has typed in each.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use wisp_engine::protocol::{Event, EventMsg, Failure, SearchHit, SessionId, SessionSummary};

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

    /// Those the person sees, the last used first. A sample is no session of theirs.
    pub fn shown(&self) -> impl Iterator<Item = &SessionSummary> {
        (self.list.iter())
            .filter(|session| !self.hidden.contains(&session.id) && !is_sample(&session.id))
    }

    /// Those the person sees, by folder: the folder used last comes first.
    pub fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for session in self.shown() {
            let folder = session.folder.as_ref();
            match groups.iter_mut().find(|group| group.folder == folder) {
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
            open.transcript.apply(event);
        }
        let Some(place) = (self.list.iter()).position(|known| known.id == event.session) else {
            return;
        };
        let mut summary = self.list.remove(place);
        summary.updated_at = summary.updated_at.max(event.at);
        match &event.msg {
            EventMsg::SessionRenamed { title } => summary.title.clone_from(title),
            EventMsg::RunStarted { text, .. } => {
                summary.running = true;
                summary.runs += 1;
                if summary.title.is_empty() {
                    summary.title = first_line(text);
                }
            }
            EventMsg::RunFinished { .. } => summary.running = false,
            _ => {}
        }
        // Only a request or its end moves a session up: a list that reorders while text streams can't be clicked.
        match &event.msg {
            EventMsg::RunStarted { .. } | EventMsg::RunFinished { .. } => self.put(summary),
            _ => self.list.insert(place, summary),
        }
    }
}

/// The longest title made of a message, in characters.
const TITLE_CHARACTERS: usize = 60;

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let line = line.unwrap_or_default();
    let mut title: String = line.chars().take(TITLE_CHARACTERS).collect();
    if title.len() < line.len() {
        title.push('…');
    }
    title
}
