//! What goes back to the model: the items of a session, kept privately and only ever added to.

use serde_json::json;

use crate::models::{AssistantTurn, HistoryItem};

/// Words in the model's history for a reply that never came.
const NO_REPLY: &str = "[The run ended before a reply.]";
/// Words after a reply that broke off.
const BROKEN_OFF: &str = "\n\n[The run ended here, before the reply was whole.]";

/// The items that a history lacks when a run ended in its middle, so that the next request is one a
/// model can answer: each call answered once, each request followed by a reply. `partial` is the text
/// that was shown of an unfinished reply, `why` says what became of calls without an answer.
pub(crate) fn closers(items: &[HistoryItem], partial: &str, why: &str) -> Vec<HistoryItem> {
    let mut closers: Vec<HistoryItem> = unanswered(items)
        .into_iter()
        .map(|call| HistoryItem::ToolResult {
            call,
            content: json!({"error": {"kind": "failed", "message": why}}).to_string(),
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
        assert_eq!(shape(&closers(&items, "", "why")), ["b", "c"]);
        let items = [user(), calls(&["a"]), result("a")];
        assert!(closers(&items, "", "why").is_empty());
    }

    #[test]
    fn a_request_without_a_reply_gets_words_and_a_partial_reply_is_kept() {
        assert_eq!(shape(&closers(&[user()], "", "why")), [NO_REPLY]);
        assert_eq!(
            shape(&closers(&[user()], "half", "why")),
            [format!("half{BROKEN_OFF}")]
        );
        let items = [user(), calls(&["a"]), result("a")];
        assert_eq!(
            shape(&closers(&items, "half", "why")),
            [format!("half{BROKEN_OFF}")]
        );
        assert!(closers(&[], "", "why").is_empty());
        let closed = [user(), closers(&[user()], "half", "why").remove(0)];
        assert!(
            closers(&closed, "half", "why").is_empty(),
            "closing twice adds nothing"
        );
    }
}
