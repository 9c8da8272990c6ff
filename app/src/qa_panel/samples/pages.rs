//! Pages and tabs: the question whether to open one, the list of tabs, what is read of a page, what is done to a
//! tab.

use serde_json::json;
use wisp_engine::protocol::{CallStatus, ToolErrorKind};

use super::story::{CardOf, Stage, ill, well};
use crate::state::qa::Script;

/// The page of these samples. Nobody loads it.
const PAGE: &str = "https://lantern.example/guide/battery?from=search#change";

pub(super) fn open(stage: &Stage) -> Script {
    let mut story = stage.story("open-page", stage.say("Open a page", "打开网页"));
    story.ask(stage.say(
        "Show me the guide to the battery.",
        "给我看电池的使用说明。",
    ));
    story.card(CardOf {
        tool: "open_webpage",
        arguments: json!({"url": PAGE}),
        sentence: "Open a page of lantern.example.",
        target: PAGE,
        details: Vec::new(),
        result: json!({"status": "open_request_accepted"}),
        done: stage.say(
            "It opens beside this conversation.",
            "网页会在对话旁边打开。",
        ),
        denied: stage.say("Then I leave it.", "那就不打开了。"),
    });
    story.script()
}

pub(super) fn read(stage: &Stage) -> Script {
    let mut story = stage.story("read-page", stage.say("Read a page", "读取网页"));
    story.ask(stage.say(
        "How is the battery changed, by the guide?",
        "说明里怎么更换电池？",
    ));
    story.open_call(
        stage.say("I'll see which tabs there are.", "先看看有哪些标签页。"),
        "list_preview_tabs",
        json!({}),
        json!({"holdsSeconds": 300, "tabs": [
            {"tabId": "t-1", "kind": "web", "title": "Changing the battery", "active": false, "url": "https://lantern.example/guide/battery"},
            {"tabId": "t-2", "kind": "file", "title": "readme.md", "active": true, "path": "readme.md"},
            {"tabId": "t-3", "kind": "directory", "title": "lantern", "active": false, "path": "."},
            {"tabId": "t-4", "kind": "new", "title": "New tab", "active": false},
        ]}),
    );
    story.open_call(
        "",
        "read_webpage",
        json!({"tabId": "t-1"}),
        json!({
            "label": "untrusted_webpage",
            "tabId": "t-1",
            "url": "https://lantern.example/guide/battery",
            "title": "Changing the battery",
            "text": "Changing the battery\n\n1. Turn the lantern over.\n2. Press both clips and lift the lid.\n3. Put the new battery in, plus sign up.\n",
            "links": [
                {"text": "Spare parts", "url": "https://lantern.example/parts"},
                {"text": "Contact", "url": "https://lantern.example/contact"},
            ],
            "truncated": false,
        }),
    );
    story.answer(stage.say(
        "Turn it over, press both clips, lift the lid, and put the new battery in with its plus sign up.",
        "把灯翻过来，按住两侧卡扣，掀开盖子，新电池正极朝上放入。",
    ));
    story.script()
}

pub(super) fn act(stage: &Stage) -> Script {
    let mut story = stage.story("tab-action", stage.say("Look after tabs", "管理标签页"));
    story.ask(stage.say(
        "Load the guide again and close the old file.",
        "重新加载说明，并关掉旧文件。",
    ));
    story.step();
    story.replied(stage.say("I'll do both.", "我来处理。"));
    let calls = story.calls(vec![
        (
            "preview_tab_action",
            json!({"tabId": "t-1", "action": "reload"}),
        ),
        (
            "preview_tab_action",
            json!({"tabId": "t-2", "action": "close"}),
        ),
    ]);
    let reports = [
        well(json!({"status": "navigation_requested"})),
        ill(
            CallStatus::Failed,
            ToolErrorKind::Conflict,
            "The tab is being edited, loaded or saved by the user. Leave it, or ask them.",
        ),
    ];
    for (call, report) in calls.iter().zip(reports) {
        story.starts(call, "preview_tab_action");
        story.gives(call, "preview_tab_action", report);
    }
    story.answer(stage.say(
        "The guide was asked to load again. You are writing in the old file, so I left it open.",
        "已请求重新加载说明。旧文件您正在编辑，所以没有关闭。",
    ));
    story.script()
}
