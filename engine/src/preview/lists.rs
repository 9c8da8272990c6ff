//! What the window last said about a session's tabs. A tool can name only a tab of that list, and only for a
//! while.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::protocol::{SessionId, TabId, TabInfo, TabKind};
use crate::toolkit::{ToolError, ToolResult};

/// How long a list holds.
pub(crate) const LIST_HOLDS: Duration = Duration::from_mins(5);

/// The last list of each session.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    lists: Mutex<HashMap<SessionId, List>>,
}

#[derive(Debug)]
struct List {
    at: Instant,
    tabs: HashMap<TabId, Listed>,
}

/// A tab as it was listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Its name.
    pub(crate) tab: TabId,
    /// What it showed.
    pub(crate) kind: TabKind,
    /// Its version then.
    pub(crate) version: u64,
}

impl Lists {
    /// Keeps a new list in place of the last one.
    pub(crate) fn keep(&self, session: &SessionId, tabs: &[TabInfo]) {
        let tabs = tabs
            .iter()
            .map(|info| {
                let listed = Listed {
                    tab: info.tab.clone(),
                    kind: info.kind,
                    version: info.version,
                };
                (info.tab.clone(), listed)
            })
            .collect();
        let list = List {
            at: Instant::now(),
            tabs,
        };
        self.lock().insert(session.clone(), list);
    }

    /// Forgets a session's list.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.lock().remove(session);
    }

    /// The tab of that name in the session's list, while that holds.
    pub(crate) fn find(&self, session: &SessionId, tab: &str) -> ToolResult<Listed> {
        self.find_at(session, tab, Instant::now())
    }

    fn find_at(&self, session: &SessionId, tab: &str, now: Instant) -> ToolResult<Listed> {
        let mut lists = self.lock();
        let Some(list) = lists.get(session) else {
            return Err(ToolError::not_found(
                "No list of tabs holds for this session. Call list_preview_tabs first.",
            ));
        };
        if now.saturating_duration_since(list.at) > LIST_HOLDS {
            lists.remove(session);
            return Err(ToolError::conflict(format!(
                "The list of tabs is older than {} minutes. Call list_preview_tabs again.",
                LIST_HOLDS.as_secs() / 60
            )));
        }
        list.tabs.get(&TabId::new(tab)).cloned().ok_or_else(|| {
            ToolError::not_found(
                "The last list has no tab of that tabId. Call list_preview_tabs and use one from it.",
            )
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<SessionId, List>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::testing::kind;
    use crate::protocol::ToolErrorKind::{Conflict, NotFound};

    fn info(tab: &str, version: u64) -> TabInfo {
        TabInfo {
            tab: TabId::new(tab),
            kind: TabKind::Web,
            title: "t".to_owned(),
            active: true,
            url: None,
            path: None,
            failure: None,
            version,
        }
    }

    #[test]
    fn a_list_holds_five_minutes_and_not_longer() {
        let lists = Lists::default();
        let session = SessionId::new("s");
        let before = Instant::now();
        lists.keep(&session, &[info("a", 7)]);
        let after = Instant::now();
        let find = |now| lists.find_at(&session, "a", now);
        assert_eq!(find(before + LIST_HOLDS).unwrap().version, 7);
        let late = after + LIST_HOLDS + Duration::from_millis(1);
        assert_eq!(kind(find(late)), Conflict);
        assert_eq!(
            kind(lists.find(&session, "a")),
            NotFound,
            "it is gone for good"
        );
    }

    #[test]
    fn only_the_last_list_of_the_same_session_counts() {
        let lists = Lists::default();
        let (one, two) = (SessionId::new("1"), SessionId::new("2"));
        lists.keep(&one, &[info("a", 1)]);
        assert_eq!(kind(lists.find(&two, "a")), NotFound);
        lists.keep(&one, &[info("b", 1)]);
        assert_eq!(kind(lists.find(&one, "a")), NotFound);
        lists.forget(&one);
        assert_eq!(kind(lists.find(&one, "b")), NotFound);
    }
}
