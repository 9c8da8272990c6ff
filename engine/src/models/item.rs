//! What a conversation with a model consists of.
//!
//! These are the private continuation data: they go to the private store as JSON and back to the
//! model, never into events. Fields are only ever added, with a default, so that old stores read.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One message of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "snake_case")]
pub(crate) enum HistoryItem {
    /// What the model is told before anything else.
    System {
        /// The words.
        text: String,
    },
    /// What the user said.
    User {
        /// The words.
        text: String,
    },
    /// What the model answered.
    Assistant(AssistantTurn),
    /// What a call gave back.
    ToolResult {
        /// The call's id.
        call: String,
        /// The result as the model reads it.
        content: String,
    },
}

/// One reply of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AssistantTurn {
    /// Its text; empty when it only made calls.
    pub(crate) text: String,
    /// The calls it made, in their order.
    pub(crate) calls: Vec<ModelCall>,
    /// Its reasoning, which goes back to the model and is shown to nobody.
    pub(crate) reasoning: Vec<Reasoning>,
}

/// One call as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModelCall {
    /// Its id, unique within the turn.
    pub(crate) id: String,
    /// The tool it names, which need not exist.
    pub(crate) name: String,
    /// JSON text as the model wrote it, which need not parse; `{}` where it wrote none.
    pub(crate) arguments: String,
}

/// One piece of reasoning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reasoning {
    /// The name it came with, and goes back under.
    pub(crate) field: String,
    /// Text, or a list of provider items exactly as they came.
    pub(crate) value: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_items_read_back_and_old_ones_without_a_field_too() {
        let turn = HistoryItem::Assistant(AssistantTurn {
            text: "t".into(),
            calls: vec![ModelCall {
                id: "a".into(),
                name: "n".into(),
                arguments: "{}".into(),
            }],
            reasoning: vec![Reasoning {
                field: "reasoning_content".into(),
                value: "r".into(),
            }],
        });
        let text = serde_json::to_string(&turn).unwrap();
        assert_eq!(serde_json::from_str::<HistoryItem>(&text).unwrap(), turn);
        let old = r#"{"item":"assistant","text":"t"}"#;
        let HistoryItem::Assistant(turn) = serde_json::from_str(old).unwrap() else {
            panic!("not a turn")
        };
        assert_eq!((turn.text.as_str(), turn.calls.len()), ("t", 0));
    }
}
