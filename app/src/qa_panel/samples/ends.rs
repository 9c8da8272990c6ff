//! Ends of runs: cards, failures, notices.

use serde_json::json;
use wisp_engine::protocol::{
    CallStatus, EventMsg, Failure, FailureKind, NoticeKind, RunOutcome, ToolErrorKind,
};

use super::story::{Stage, Story, ill, well};
use crate::state::qa::Script;

/// A run with two steps of reading.
fn reads(stage: &Stage, key: &str, title: &str) -> Story {
    let mut story = stage.story(key, title);
    story.ask(stage.say("Read on, page by page.", "一页一页往下读。"));
    for page in 1..=2_u32 {
        story.one_call(
            "",
            "files_read",
            json!({"path": "book.md", "startLine": page, "endLine": page}),
            json!({"path": "book.md", "text": format!("Page {page}\n"), "startLine": page, "endLine": page, "totalLines": 900, "bytes": 7, "sha256": "00"}),
        );
    }
    story
}

pub(super) fn notices(stage: &Stage) -> Script {
    let mut story = stage.story("notices", stage.say("Things to know", "提示"));
    story.ask(stage.say("Go on from yesterday.", "从昨天的地方继续。"));
    for (kind, message) in [
        (
            NoticeKind::MemoryLost,
            "The model's own record of this session is gone; it remembers nothing of it.",
        ),
        (
            NoticeKind::ReasoningRefused,
            "The provider refused the reasoning that was sent back; asked once more without it.",
        ),
        (
            NoticeKind::UnknownOutcome,
            "A call of an earlier run may or may not have happened: look before you repeat it.",
        ),
        (
            NoticeKind::EmptyReply,
            "The model's reply was empty and is asked for once more.",
        ),
    ] {
        story.notice(kind, message);
    }
    story.step();
    let text = stage.say("It goes on as follows, until", "内容接着是这样，直到");
    story.text(text);
    story.replied(text);
    story.notice(
        NoticeKind::OutputLimit,
        "The answer was cut at the model's output limit.",
    );
    story.ends(RunOutcome::Done, false);
    story.script()
}

pub(super) fn budget(stage: &Stage) -> Script {
    let mut story = reads(stage, "budget", stage.say("All steps used", "步数用完"));
    story.ends(RunOutcome::BudgetSpent { max_steps: 25 }, false);
    story.script()
}

pub(super) fn guard(stage: &Stage) -> Script {
    let mut story = reads(stage, "guard", stage.say("Again and again", "反复调用"));
    story.ends(
        RunOutcome::GuardStopped {
            tool: "files_read".to_owned(),
            times: 4,
        },
        false,
    );
    story.script()
}

fn failed(kind: FailureKind, message: &str) -> RunOutcome {
    RunOutcome::Failed {
        failure: Failure::new(kind, message),
    }
}

pub(super) fn failed_settings(stage: &Stage) -> Script {
    let mut story = stage.story("failed-settings", stage.say("No key", "没有密钥"));
    story.ask(stage.say("Hello?", "你好？"));
    story.step();
    story.ends(
        failed(
            FailureKind::Authentication,
            "The model server at api.example.com did not accept the key (401).",
        ),
        false,
    );
    story.script()
}

pub(super) fn failed_kept(stage: &Stage) -> Script {
    let mut story = reads(stage, "failed-kept", stage.say("Cut off", "中断"));
    story.step();
    story.text(stage.say(
        "The first two pages tell of a lamp that",
        "前两页讲的是一盏灯，它",
    ));
    story.ends(
        failed(
            FailureKind::BrokenStream,
            "The answer ended before its end.",
        ),
        false,
    );
    story.script()
}

pub(super) fn failed_changed(stage: &Stage) -> Script {
    let title = stage.say("Failed after a change", "改动之后失败");
    let mut story = stage.story("failed-changed", title);
    story.ask(stage.say("Tidy the notes up.", "整理一下笔记。"));
    story.one_call(
        "",
        "files_mkdir",
        json!({"path": "notes/old"}),
        json!({"path": "notes/old"}),
    );
    story.step();
    story.ends(
        failed(
            FailureKind::Overload,
            "The model server answered 503 four times.",
        ),
        true,
    );
    story.script()
}

/// Every class of failure.
pub(super) const KINDS: [FailureKind; 22] = [
    FailureKind::Authentication,
    FailureKind::Quota,
    FailureKind::RateLimit,
    FailureKind::Overload,
    FailureKind::ContextLength,
    FailureKind::ContentFilter,
    FailureKind::BrokenStream,
    FailureKind::Idle,
    FailureKind::Network,
    FailureKind::BadRequest,
    FailureKind::ModelNotFound,
    FailureKind::EmptyReply,
    FailureKind::OutputLimit,
    FailureKind::Settings,
    FailureKind::Folder,
    FailureKind::Store,
    FailureKind::StoreNewer,
    FailureKind::StoreLocked,
    FailureKind::NotFound,
    FailureKind::Busy,
    FailureKind::BadSubmission,
    FailureKind::Internal,
];

pub(super) fn failed_each(stage: &Stage) -> Script {
    let title = stage.say("Each class of failure", "每一类失败");
    let mut story = stage.story("failed-each", title);
    for kind in KINDS {
        story.ask(format!("{kind:?}"));
        story.step();
        story.ends(failed(kind, "This sentence says what happened."), false);
    }
    story.script()
}

/// Calls that ended in every way there is, in one step that stays open.
pub(super) fn failed_calls(stage: &Stage) -> Script {
    let title = stage.say("Calls that went wrong", "出错的调用");
    let mut story = stage.story("failed-calls", title);
    story.ask(stage.say("Try all of it.", "全部试一遍。"));
    story.step();
    story.replied("");
    let read = |path: &str| ("files_read", json!({"path": path}));
    let calls = story.calls(vec![
        read("readme.md"),
        read("gone.md"),
        ("files_trash", json!({"path": "notes"})),
        ("no_such_tool", json!({"x": 1})),
        ("files_mkdir", json!({"path": "new"})),
        read("late.md"),
    ]);
    let reports = [
        (
            "files_read",
            well(
                json!({"path": "readme.md", "text": "# Lantern\n", "startLine": 1, "endLine": 1, "totalLines": 1, "bytes": 10, "sha256": "00"}),
            ),
        ),
        (
            "files_read",
            ill(
                CallStatus::Failed,
                ToolErrorKind::NotFound,
                "There is nothing at gone.md. List the folder to see what is there.",
            ),
        ),
        (
            "files_trash",
            ill(
                CallStatus::Denied,
                ToolErrorKind::Denied,
                "The user said no. Nothing was changed.",
            ),
        ),
        (
            "no_such_tool",
            ill(
                CallStatus::Failed,
                ToolErrorKind::UnknownTool,
                "There is no tool no_such_tool in this run.",
            ),
        ),
    ];
    for ((tool, report), call) in reports.into_iter().zip(&calls) {
        story.starts(call, tool);
        story.gives(call, tool, report);
    }
    // One had begun when the run was stopped, and one never did.
    if let Some(call) = calls.get(4) {
        story.starts(call, "files_mkdir");
    }
    story.ends(RunOutcome::Interrupted, true);
    story.script()
}

pub(super) fn unreadable(stage: &Stage) -> Script {
    let title = stage.say("Can't be read", "无法读取");
    let mut story = stage.story("unreadable", title);
    story.unreadable(Failure::new(
        FailureKind::Store,
        "The data folder holds damaged pages.",
    ));
    story.script()
}

pub(super) fn interrupted(stage: &Stage) -> Script {
    let mut story = reads(stage, "interrupted", stage.say("Interrupted", "已中断"));
    story.step();
    story.text(stage.say("Page three begins with", "第三页开头是"));
    story.ends(RunOutcome::Interrupted, false);
    story.script()
}

pub(super) fn cancelled(stage: &Stage) -> Script {
    let mut story = reads(stage, "cancelled", stage.say("Stopped", "已停止"));
    story.step();
    story.in_step(|run, step| EventMsg::ReasoningActive { run, step });
    story.ends(RunOutcome::Cancelled, false);
    story.script()
}
