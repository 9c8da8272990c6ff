//! Cards: each change of files there is, two at once, and one whose path means harm.

use serde_json::json;
use wisp_engine::protocol::{Detail, DetailLabel};

use super::story::{CardOf, Stage, Story};
use crate::state::qa::Script;

/// A digest that is nobody's.
const DIGEST: &str = "5a3f0000000000000000000000000000000000000000000000000000000000c7";

fn fact(label: DetailLabel, value: &str) -> Detail {
    Detail::Fact {
        label,
        value: value.to_owned(),
    }
}

/// Asks, and shows the card.
fn told(mut story: Story, text: &str, card: CardOf<'_>) -> Script {
    story.ask(text);
    story.card(card);
    story.script()
}

fn denied<'a>(stage: &Stage) -> &'a str {
    stage.say(
        "You said no, so nothing was changed. What should I do instead?",
        "你拒绝了，所以没有做任何改动。接下来要怎么做？",
    )
}

pub(super) fn replace(stage: &Stage) -> Script {
    let old = "# Lantern\n\nA small lamp that runs on one battery.\n\n- It shines for ten hours.\n- It weighs 80 g.\n";
    let new = "# Lantern\n\nA small lamp that runs on two batteries.\n\n- It shines for twenty hours.\n- It weighs 80 g.\n- It floats.\n";
    let story = stage.story("replace", stage.say("Two batteries", "改用两节电池"));
    told(
        story,
        stage.say("Make it run on two batteries.", "让它改用两节电池。"),
        CardOf {
            tool: "files_replace",
            arguments: json!({"path": "readme.md", "oldText": old, "newText": new, "sha256": DIGEST}),
            sentence: "Replace one passage in readme.md.",
            target: "/sample/lantern/readme.md",
            details: vec![
                Detail::Change {
                    old: old.to_owned(),
                    new: new.to_owned(),
                    lines: None,
                },
                fact(DetailLabel::Digest, DIGEST),
            ],
            result: json!({"path": "readme.md", "sha256Before": DIGEST, "sha256": DIGEST, "bytes": 131}),
            done: stage.say(
                "The readme now says **two batteries**.",
                "说明文件现在写的是**两节电池**。",
            ),
            denied: denied(stage),
        },
    )
}

pub(super) fn write(stage: &Stage) -> Script {
    let content = "use std::fmt;\n\n/// How bright a lantern is, in lumens.\n#[derive(Clone, Copy)]\npub struct Lumens(pub u32);\n\nimpl fmt::Display for Lumens {\n    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {\n        write!(f, \"{} lm\", self.0)\n    }\n}\n";
    let story = stage.story("write", stage.say("A type for brightness", "亮度类型"));
    told(
        story,
        stage.say(
            "Write a type for brightness into src/lumens.rs.",
            "在 src/lumens.rs 里写一个表示亮度的类型。",
        ),
        CardOf {
            tool: "files_write",
            arguments: json!({"path": "src/lumens.rs", "content": content}),
            sentence: "Overwrite the whole of src/lumens.rs.",
            target: "/sample/lantern/src/lumens.rs",
            details: vec![
                fact(
                    DetailLabel::Warning,
                    "This overwrites a file of 96 bytes and 4 lines.",
                ),
                fact(DetailLabel::Digest, DIGEST),
                fact(DetailLabel::Bytes, &content.len().to_string()),
                Detail::Text {
                    label: DetailLabel::Content,
                    text: content.to_owned(),
                },
            ],
            result: json!({"path": "src/lumens.rs", "bytes": content.len(), "sha256": DIGEST}),
            done: stage.say(
                "`src/lumens.rs` holds the type now.",
                "类型已经写入 `src/lumens.rs`。",
            ),
            denied: denied(stage),
        },
    )
}

pub(super) fn make_folder(stage: &Stage) -> Script {
    let story = stage.story("mkdir", stage.say("A folder for drafts", "草稿文件夹"));
    told(
        story,
        stage.say("Make a folder for drafts.", "新建一个放草稿的文件夹。"),
        CardOf {
            tool: "files_mkdir",
            arguments: json!({"path": "notes/drafts"}),
            sentence: "Make the folder notes/drafts.",
            target: "/sample/lantern/notes/drafts",
            details: Vec::new(),
            result: json!({"path": "notes/drafts"}),
            done: stage.say("The folder is there.", "文件夹已建好。"),
            denied: denied(stage),
        },
    )
}

pub(super) fn move_file(stage: &Stage) -> Script {
    let story = stage.story("move", stage.say("Into the archive", "移入归档"));
    told(
        story,
        stage.say(
            "Move the old ideas into the archive.",
            "把旧想法移到归档里。",
        ),
        CardOf {
            tool: "files_move",
            arguments: json!({"from": "notes/ideas", "to": "archive/ideas-2019"}),
            sentence: "Move notes/ideas to archive/ideas-2019.",
            target: "/sample/lantern/archive/ideas-2019",
            details: vec![
                fact(DetailLabel::From, "/sample/lantern/notes/ideas"),
                fact(DetailLabel::To, "/sample/lantern/archive/ideas-2019"),
                fact(DetailLabel::Entries, "14"),
            ],
            result: json!({"from": "notes/ideas", "to": "archive/ideas-2019", "entries": 14}),
            done: stage.say("All 14 entries were moved.", "14 个条目都已移动。"),
            denied: denied(stage),
        },
    )
}

pub(super) fn trash(stage: &Stage) -> Script {
    let story = stage.story("trash", stage.say("Away with the build", "清理构建产物"));
    told(
        story,
        stage.say("Throw the build folder away.", "把构建文件夹扔掉。"),
        CardOf {
            tool: "files_trash",
            arguments: json!({"path": "build"}),
            sentence: "Put build into the system's trash.",
            target: "/sample/lantern/build",
            details: vec![
                fact(DetailLabel::Entries, "213"),
                fact(DetailLabel::Bytes, "48211034"),
            ],
            result: json!({"path": "build", "entries": 213, "bytes": 48_211_034}),
            done: stage.say(
                "It is in the trash, and can be put back from there.",
                "已移到回收站，可以从那里恢复。",
            ),
            denied: denied(stage),
        },
    )
}

pub(super) fn two_cards(stage: &Stage) -> Script {
    let mut first = replace(stage);
    let mut second = trash(stage);
    first.sessions.append(&mut second.sessions);
    first
}

/// Control characters, a change of direction, a line break and what only looks like a Latin letter.
pub(super) const HOSTILE: &str =
    "/sample/lantern/\u{202e}fdp.exe\u{202c}\n\u{7}notes/\u{200b}\u{430}ccounts\u{1b}[31m.txt";

pub(super) fn hostile(stage: &Stage) -> Script {
    let text = "The first line.\n\u{202e}sdrawkcab\u{202c}\u{0}\u{1b}[2J\ttab\nThe last line.\n";
    let story = stage.story("hostile", "in\u{202e}voice\u{7}\nsecond line");
    told(
        story,
        "Look at \u{202e}this\u{202c} file\u{7}.",
        CardOf {
            tool: "files_write",
            arguments: json!({"path": HOSTILE, "content": text}),
            sentence: &format!("Write {HOSTILE}."),
            target: HOSTILE,
            details: vec![
                fact(DetailLabel::Warning, "It looks like\u{202e} another file"),
                fact(DetailLabel::Bytes, &text.len().to_string()),
                Detail::Text {
                    label: DetailLabel::Content,
                    text: text.to_owned(),
                },
            ],
            result: json!({"path": HOSTILE, "bytes": text.len(), "sha256": DIGEST}),
            done: stage.say("It was written.", "已写入。"),
            denied: denied(stage),
        },
    )
}
