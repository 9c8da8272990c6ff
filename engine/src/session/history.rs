//! What goes back to the model: the items of a session, kept privately and only ever added to.

use std::collections::HashMap;

use serde_json::json;

use crate::models::{AssistantTurn, HistoryItem};
use crate::protocol::{Event, EventMsg};

/// Words in the model's history for a reply that never came.
const NO_REPLY: &str = "[The run ended before a reply.]";
/// Words after a reply that broke off.
const BROKEN_OFF: &str = "\n\n[The run ended here, before the reply was whole.]";

/// The items that a history lacks when a run ended in its middle, so that the next request is one a
/// model can answer: each call answered once, each request followed by a reply. `partial` is the text
/// that was shown of an unfinished reply, `why` says what became of a call without an answer.
pub(crate) fn closers(
    items: &[HistoryItem],
    partial: &str,
    why: impl Fn(&str) -> String,
) -> Vec<HistoryItem> {
    let mut closers: Vec<HistoryItem> = unanswered(items)
        .into_iter()
        .map(|call| HistoryItem::ToolResult {
            content: json!({"error": {"kind": "failed", "message": why(&call)}}).to_string(),
            call,
        })
        .collect();
    let (asked, answered) = match items.last() {
        Some(HistoryItem::User { .. }) => (true, false),
        // A reply that is there was closed already, or is whole.
        Some(HistoryItem::Assistant(_)) | None => (false, true),
        Some(HistoryItem::ToolResult { .. } | HistoryItem::System { .. }) => (false, false),
    };
    if asked || !(answered || partial.is_empty()) {
        let text = if partial.is_empty() {
            NO_REPLY.to_owned()
        } else {
            format!("{partial}{BROKEN_OFF}")
        };
        closers.push(HistoryItem::Assistant(AssistantTurn {
            text,
            calls: Vec::new(),
            reasoning: Vec::new(),
        }));
    }
    closers
}

/// What a run that never ended left open.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct LeftOpen {
    /// The text that was shown of a reply that isn't whole.
    pub(crate) text: String,
    /// Whether the run had come to ask the model, and not only run a tool.
    pub(crate) asked_the_model: bool,
    /// What is known of calls that were taken up, by their id.
    calls: HashMap<String, String>,
}

impl LeftOpen {
    /// From the run's events, its closing ones included.
    pub(crate) fn of(events: Vec<Event>) -> Self {
        let mut left = Self::default();
        for event in events {
            match event.msg {
                EventMsg::TextDelta { text, .. } => left.text.push_str(&text),
                EventMsg::StepStarted { .. } => {
                    left.asked_the_model = true;
                    left.text.clear();
                }
                EventMsg::StepFinished { .. } => left.text.clear(),
                EventMsg::CallFinished { call, report, .. } => {
                    if let Some(error) = report.error {
                        left.calls.insert(call.as_str().to_owned(), error.message);
                    }
                }
                _ => {}
            }
        }
        left
    }

    /// What to tell the model of a call that has no answer.
    pub(crate) fn why(&self, call: &str) -> String {
        self.calls.get(call).cloned().unwrap_or_else(|| {
            "The program ended before this was taken up. It was not run.".to_owned()
        })
    }
}

/// The calls of the last reply that have no answer yet, in their order.
fn unanswered(items: &[HistoryItem]) -> Vec<String> {
    let mut answered = Vec::new();
    for item in items.iter().rev() {
        match item {
            HistoryItem::ToolResult { call, .. } => answered.push(call),
            HistoryItem::Assistant(turn) => {
                return turn
                    .calls
                    .iter()
                    .filter(|call| !answered.contains(&&call.id))
                    .map(|call| call.id.clone())
                    .collect();
            }
            HistoryItem::System { .. } | HistoryItem::User { .. } => return Vec::new(),
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::ModelCall;

    fn user() -> HistoryItem {
        HistoryItem::User {
            text: "q".to_owned(),
        }
    }

    fn calls(ids: &[&str]) -> HistoryItem {
        HistoryItem::Assistant(AssistantTurn {
            text: String::new(),
            calls: ids
                .iter()
                .map(|id| ModelCall {
                    id: (*id).to_owned(),
                    name: "t".to_owned(),
                    arguments: "{}".to_owned(),
                })
                .collect(),
            reasoning: Vec::new(),
        })
    }

    fn result(id: &str) -> HistoryItem {
        HistoryItem::ToolResult {
            call: id.to_owned(),
            content: "{}".to_owned(),
        }
    }

    fn shape(items: &[HistoryItem]) -> Vec<String> {
        items
            .iter()
            .map(|item| match item {
                HistoryItem::ToolResult { call, .. } => call.clone(),
                HistoryItem::Assistant(turn) => turn.text.clone(),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn each_open_call_is_answered_once_and_in_order() {
        let items = [user(), calls(&["a", "b", "c"]), result("a")];
        assert_eq!(
            shape(&closers(&items, "", |_| "why".to_owned())),
            ["b", "c"]
        );
        let items = [user(), calls(&["a"]), result("a")];
        assert!(closers(&items, "", |_| "why".to_owned()).is_empty());
    }

    #[test]
    fn a_request_without_a_reply_gets_words_and_a_partial_reply_is_kept() {
        assert_eq!(
            shape(&closers(&[user()], "", |_| "why".to_owned())),
            [NO_REPLY]
        );
        assert_eq!(
            shape(&closers(&[user()], "half", |_| "why".to_owned())),
            [format!("half{BROKEN_OFF}")]
        );
        let items = [user(), calls(&["a"]), result("a")];
        assert_eq!(
            shape(&closers(&items, "half", |_| "why".to_owned())),
            [format!("half{BROKEN_OFF}")]
        );
        assert!(closers(&[], "", |_| "why".to_owned()).is_empty());
        let closed = [
            user(),
            closers(&[user()], "half", |_| "why".to_owned()).remove(0),
        ];
        assert!(
            closers(&closed, "half", |_| "why".to_owned()).is_empty(),
            "closing twice adds nothing"
        );
    }
}
