//! Bodies of calls: hits, a long list, JSON, text.

use serde_json::{Value, json};

use super::story::Stage;
use crate::state::qa::Script;

pub(super) fn search(stage: &Stage) -> Script {
    let mut story = stage.story(
        "search",
        stage.say("Where is the battery?", "电池在哪里提到？"),
    );
    story.ask(stage.say("Where do we mention the battery?", "我们在哪里提到了电池？"));
    let hits: Vec<Value> = [
        ("readme.md", 3, "A small lamp that runs on one battery."),
        ("notes/ideas.md", 12, "- a battery that can be changed without a tool"),
        ("src/power.rs", 48, "    pub fn battery(&self) -> Battery {"),
        ("src/power.rs", 51, "        self.battery.clone()"),
        ("docs/说明.md", 7, "电池（battery）可以更换。"),
    ]
    .into_iter()
    .map(|(path, line, snippet)| {
        json!({"path": path, "kind": "file", "line": line, "snippet": snippet})
    })
    .collect();
    let skipped = json!({"hidden": 3, "links": 1, "private": 0, "binary": 2, "tooLarge": 0, "ignored": 40, "unreadable": 0});
    story.open_call(
        stage.say("I'll search for it.", "我来搜索。"),
        "files_search",
        json!({"path": ".", "query": "battery", "mode": "content"}),
        json!({"hits": hits, "truncated": false, "skipped": skipped}),
    );
    let named = json!([
        {"path": "parts/battery", "kind": "folder"},
        {"path": "parts/battery/cell.step", "kind": "file"},
    ]);
    story.open_call(
        "",
        "files_search",
        json!({"path": ".", "query": "battery", "mode": "name"}),
        json!({"hits": named, "truncated": false, "skipped": skipped}),
    );
    story.answer(stage.say(
        "In four files: the readme, the ideas, `src/power.rs` (twice) and the Chinese manual. There is a folder of that name too.",
        "共四个文件：说明、想法、`src/power.rs`（两处）和中文手册；还有一个同名文件夹。",
    ));
    story.script()
}

pub(super) fn list(stage: &Stage) -> Script {
    let mut story = stage.story("list", stage.say("A long list", "长列表"));
    story.ask(stage.say("What is in this folder?", "这个文件夹里有什么？"));
    let entries: Vec<Value> = (0..500)
        .map(|n| {
            if n < 20 {
                json!({"name": format!("chapter-{n:02}"), "kind": "folder", "modified": "2026-03-01T10:00:00Z"})
            } else {
                json!({"name": format!("photo-{n:04}.jpeg"), "kind": "file", "bytes": 18_231 + n * 977, "modified": "2026-03-02T10:00:00Z"})
            }
        })
        .collect();
    story.open_call(
        "",
        "files_list",
        json!({"path": "photos"}),
        json!({"path": "photos", "entries": entries, "truncated": true}),
    );
    story.answer(stage.say(
        "Twenty folders and more than 480 pictures.",
        "二十个文件夹和超过 480 张图片。",
    ));
    story.script()
}

pub(super) fn json(stage: &Stage) -> Script {
    let mut story = stage.story("json", stage.say("What can you do?", "你能做什么？"));
    story.ask(stage.say("Which tools do you have?", "你有哪些工具？"));
    story.open_call(
        "",
        "tool_introspect",
        json!({}),
        json!([{
            "name": "local_time_now",
            "description": "The time of day here.",
            "inputSchema": {"type": "object", "properties": {"zone": {"type": ["string", "null"]}}, "additionalProperties": false},
            "requiresApproval": false,
            "numbers": [0, -1.5, 1e21, true, null],
            "nested": {"a": {"b": {"c": {"d": "deep"}}}},
        }]),
    );
    story.answer(stage.say("One, in this sample.", "在这个样例里只有一个。"));
    story.script()
}

pub(super) fn text(stage: &Stage) -> Script {
    let mut story = stage.story("text", stage.say("Read a file", "读取文件"));
    story.ask(stage.say("Read the source.", "读一下源码。"));
    let lamp = |n| format!("    let lamp_{n} = Lamp::new({n}, \"lantern\"); // {n} of 120");
    let lamps: Vec<String> = (1..=120).map(lamp).collect();
    let text = format!("fn lamps() {{\n{}\n}}\n", lamps.join("\n"));
    story.open_call(
        "",
        "files_read",
        json!({"path": "src/lamps.rs", "startLine": 1, "endLine": 122}),
        json!({"path": "src/lamps.rs", "text": text, "startLine": 1, "endLine": 122, "totalLines": 122, "bytes": text.len(), "sha256": "00"}),
    );
    story.answer(stage.say("It makes 120 lamps.", "它创建了 120 盏灯。"));
    story.script()
}
