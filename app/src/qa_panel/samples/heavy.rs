//! What is large: the window must stay quick with it.

use serde_json::{Value, json};
use wisp_engine::protocol::RunOutcome;

use super::story::{Stage, well};
use crate::state::qa::Script;

/// Steps of the run with many calls.
const STEPS: usize = 500;
/// Calls of each.
const CALLS: usize = 10;
/// The large message, in bytes.
pub(super) const LARGE: usize = 10_000_000;
/// The long line, in characters.
pub(super) const LINE: usize = 1_000_000;

pub(super) fn many_calls(stage: &Stage) -> Script {
    let mut story = stage.story("calls-5000", stage.say("5,000 calls", "5,000 次调用"));
    story.ask(stage.say("Read every line, one by one.", "逐行读取全部内容。"));
    for step in 0..STEPS {
        story.step();
        story.replied("");
        let arguments = |call: usize| {
            let line = step * CALLS + call + 1;
            json!({"path": "numbers.txt", "startLine": line, "endLine": line})
        };
        let calls: Vec<(&str, Value)> = (0..CALLS)
            .map(|call| ("files_read", arguments(call)))
            .collect();
        for (n, call) in story.calls(calls).iter().enumerate() {
            story.starts(call, "files_read");
            let line = step * CALLS + n + 1;
            let result = json!({"path": "numbers.txt", "text": format!("line {line}\n"), "startLine": line, "endLine": line, "totalLines": 5_000, "bytes": 48_893, "sha256": "00"});
            story.gives(call, "files_read", well(result));
        }
    }
    story.answer(stage.say("All 5,000 lines are read.", "5,000 行已全部读完。"));
    story.script()
}

pub(super) fn large_message(stage: &Stage) -> Script {
    let mut story = stage.story("message-10mb", stage.say("10 MB at once", "一次 10 MB"));
    let line = "The lantern stands on the table and shines. 灯放在桌上，亮着。\n";
    let mut text = line.repeat(LARGE / line.len() + 1);
    text.truncate(text.floor_char_boundary(LARGE));
    story.ask(text.clone());
    story.step();
    story.text(text.clone());
    story.replied(text);
    story.ends(RunOutcome::Done, false);
    story.script()
}

pub(super) fn long_line(stage: &Stage) -> Script {
    let mut story = stage.story("long-line", stage.say("One long line", "超长的一行"));
    let line: String = "lantern灯".chars().cycle().take(LINE).collect();
    story.ask(line.clone());
    story.open_call(
        "",
        "files_read",
        json!({"path": "bundle.min.js"}),
        json!({"path": "bundle.min.js", "text": line, "startLine": 1, "endLine": 1, "totalLines": 1, "bytes": line.len(), "sha256": "00"}),
    );
    story.answer(format!("{line}\n\n```\n{line}\n```\n"));
    story.script()
}
