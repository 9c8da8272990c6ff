//! The command line as scripts and people use it: streams, exit statuses, bad input.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;
use wisp_qa::{Simulator, builtin};
use wisp_tests::{wisp, with_input};

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn call(
    home: &Path,
    dir: &Path,
    tool: &str,
    arguments: &str,
    more: &[&str],
) -> (Option<i32>, Value, String) {
    let output = wisp(home)
        .args(["call", tool, arguments, "--dir"])
        .arg(dir)
        .args(more)
        .output()
        .unwrap();
    let result = serde_json::from_str(&out(&output)).unwrap_or(Value::Null);
    (output.status.code(), result, err(&output))
}

/// For simulations without `--dir`, whose folders are to go with the test.
fn wisp_with_tmp(home: &Path, tmp: &TempDir) -> std::process::Command {
    let mut command = wisp(home);
    command.env("TMPDIR", tmp.path());
    command
}

#[test]
fn exec_prints_the_answer_alone_and_asks_line_by_line_in_a_pipe() {
    let (home, tmp) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let run = |answer: &str| {
        with_input(
            wisp_with_tmp(home.path(), &tmp).args([
                "exec",
                "--simulate",
                "Make it so [demo:replace]",
            ]),
            answer,
        )
    };
    let approved = run("what?\na\n");
    assert_eq!(approved.status.code(), Some(0), "{}", err(&approved));
    assert_eq!(out(&approved), "The replacement gave: readme.md.\n");
    assert!(err(&approved).contains("simulation"));
    for part in [
        "approve: files_replace",
        "- one battery",
        "+ two batteries",
        "sha256",
    ] {
        assert!(err(&approved).contains(part), "{part}: {}", err(&approved));
    }
    let denied = run("r not this one\n");
    assert_eq!(denied.status.code(), Some(0));
    assert_eq!(out(&denied), "The replacement gave: denied.\n");
    let nobody = run("");
    assert!(
        err(&nobody).contains("nobody can approve"),
        "{}",
        err(&nobody)
    );
    assert_eq!(out(&nobody), "The replacement gave: denied.\n");
}

#[test]
fn exec_json_is_one_event_a_line_and_statuses_tell_the_end() {
    let (home, tmp) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for (prompt, status, outcome) in [
        ("[demo:multi]", 0, "done"),
        ("[demo:loop]", 3, "budget_spent"),
        ("[demo:guard]", 3, "guard_stopped"),
        ("[fault:cut-late]", 1, "failed"),
    ] {
        let output = wisp_with_tmp(home.path(), &tmp)
            .args(["exec", "--simulate", "--json", "--approve", "never", prompt])
            .output()
            .unwrap();
        assert_eq!(
            output.status.code(),
            Some(status),
            "{prompt}: {}",
            err(&output)
        );
        let events: Vec<Value> = out(&output)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let last = events.last().unwrap();
        assert_eq!(last["event"], "run_finished");
        assert_eq!(last["outcome"]["outcome"], outcome);
        assert_eq!(events[0]["event"], "session_created");
    }
}

#[test]
fn usage_errors_are_two_and_say_what_is_meant() {
    let home = TempDir::new().unwrap();
    for (args, says) in [
        (&["exec"][..], "PROMPT"),
        (&["exec", "--approve", "maybe", "x"], "maybe"),
        (
            &["exec", "--simulate", "--set", "max_steps=many", "x"],
            "whole number",
        ),
        (
            &["exec", "--simulate", "--set", "colour=red", "x"],
            "max_steps",
        ),
        (
            &["exec", "--simulate", "--set", "max_steps=501", "x"],
            "500",
        ),
        (&["exec", "--simulate", " "], "empty"),
        (&["nonsense"], "nonsense"),
        (&["sessions", "delete"], "ID"),
    ] {
        let output = wisp(home.path()).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", err(&output));
        assert!(err(&output).contains(says), "{args:?}: {}", err(&output));
    }
    for args in [
        &["--help"][..],
        &["exec", "--help"],
        &["call", "--help"],
        &["simulate", "--help"],
        &["sessions", "--help"],
        &["sessions", "list", "--help"],
        &["sessions", "show", "--help"],
        &["sessions", "search", "--help"],
        &["sessions", "export", "--help"],
        &["sessions", "delete", "--help"],
        &["tools", "--help"],
    ] {
        let output = wisp(home.path()).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(out(&output).contains("Example"), "{args:?} has no example");
    }
}

#[test]
fn sessions_are_listed_shown_searched_exported_and_deleted() {
    let (home, tmp) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let sessions = |args: &[&str]| {
        wisp(home.path())
            .args(["sessions", "--simulate"])
            .args(args)
            .output()
            .unwrap()
    };
    assert!(err(&sessions(&["list"])).contains("no sessions yet"));
    let refused = wisp(home.path())
        .args(["exec", "--simulate", " "])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        err(&sessions(&["list"])).contains("no sessions yet"),
        "a refused request leaves nothing"
    );
    let made = wisp_with_tmp(home.path(), &tmp)
        .args([
            "exec",
            "--simulate",
            "--approve",
            "all",
            "Replace the lantern [demo:replace]",
        ])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", err(&made));
    let listed = out(&sessions(&["list"]));
    assert!(listed.contains("Replace the lantern"), "{listed}");
    let id = listed.split_whitespace().next().unwrap().to_owned();
    let shown = out(&sessions(&["show", &id]));
    assert!(shown.contains("`files_replace` done"), "{shown}");
    let found = out(&sessions(&["search", "lantern"]));
    assert!(found.contains(&id), "{found}");
    let lines = out(&sessions(&["export", &id, "--format", "json"]));
    assert!(
        lines
            .lines()
            .all(|line| serde_json::from_str::<Value>(line).is_ok())
    );
    assert_eq!(
        sessions(&["delete", &id]).status.code(),
        Some(2),
        "nobody said yes"
    );
    assert_eq!(sessions(&["delete", &id, "--yes"]).status.code(), Some(0));
    assert_eq!(sessions(&["show", &id]).status.code(), Some(1));
    assert!(err(&sessions(&["list"])).contains("no sessions yet"));
}

#[test]
fn tools_are_told_as_the_model_is_told_them() {
    let home = TempDir::new().unwrap();
    let output = wisp(home.path()).arg("tools").output().unwrap();
    let tools: Value = serde_json::from_str(&out(&output)).unwrap();
    let names: Vec<_> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "files_list",
            "files_mkdir",
            "files_move",
            "files_read",
            "files_replace",
            "files_search",
            "files_trash",
            "files_write",
            "list_preview_tabs",
            "local_time_now",
            "open_webpage",
            "preview_tab_action",
            "read_webpage",
            "tool_introspect"
        ]
    );
    for tool in tools.as_array().unwrap() {
        let keys: Vec<_> = tool.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 4, "{keys:?}");
        assert_eq!(tool["inputSchema"]["type"], "object");
        let changes = [
            "files_mkdir",
            "files_move",
            "files_replace",
            "files_trash",
            "files_write",
            "open_webpage",
        ]
        .contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool["requiresApproval"], changes, "{}", tool["name"]);
    }
    let seen = call(
        home.path(),
        home.path().parent().unwrap(),
        "tool_introspect",
        "{}",
        &[],
    );
    assert_eq!(seen.1, tools, "introspection and the model's list are one");
    let strict = call(
        home.path(),
        home.path().parent().unwrap(),
        "tool_introspect",
        "{\"x\":1}",
        &[],
    );
    assert_eq!(strict.1["error"]["kind"], "bad_arguments");
}

#[test]
fn call_gives_json_a_status_and_words() {
    let home = TempDir::new().unwrap();
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("a.txt"), "one\n").unwrap();
    let at = |tool: &str, arguments: &str, more: &[&str]| {
        call(home.path(), dir.path(), tool, arguments, more)
    };
    let (status, result, _) = at("files_read", r#"{"path":"a.txt"}"#, &[]);
    assert_eq!((status, result["text"].as_str()), (Some(0), Some("one\n")));
    for (tool, arguments, kind) in [
        ("files_read", r#"{"path":"b.txt"}"#, "not_found"),
        ("files_read", r#"{"path":"../a.txt"}"#, "refused"),
        ("files_read", r#"{"path":7}"#, "bad_arguments"),
        ("files_read", "{", "bad_arguments"),
        ("files_read", "[]", "bad_arguments"),
        ("files_write", r#"{"path":"b.txt","content":"x"}"#, "denied"),
        ("no_such_tool", "{}", "unknown_tool"),
    ] {
        let (status, result, words) = at(tool, arguments, &[]);
        assert_eq!(
            (status, result["error"]["kind"].as_str()),
            (Some(1), Some(kind)),
            "{tool} {arguments}"
        );
        assert!(!words.is_empty());
    }
    assert!(!dir.path().join("b.txt").exists());
    let (status, ..) = at(
        "files_write",
        r#"{"path":"b.txt","content":"x"}"#,
        &["--approve", "all"],
    );
    assert_eq!(status, Some(0));
    assert_eq!(
        std::fs::read_to_string(dir.path().join("b.txt")).unwrap(),
        "x"
    );
    let (_, _, words) = at("files_read", r#"{"path":"a.txt","colour":1}"#, &[]);
    assert!(words.contains("colour"), "{words}");
    let piped = with_input(
        wisp(home.path())
            .args(["call", "files_read", "-", "--dir"])
            .arg(dir.path()),
        r#"{"path":"a.txt"}"#,
    );
    assert_eq!(piped.status.code(), Some(0), "{}", err(&piped));
    let nowhere = wisp(home.path())
        .args(["call", "files_list", "{}", "--dir", "/nowhere/at/all"])
        .output()
        .unwrap();
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(out(&nowhere).starts_with("{\"error\""), "{}", out(&nowhere));
    let bare = wisp(home.path())
        .args(["call", "files_read", r#"{"path":"a.txt"}"#])
        .output()
        .unwrap();
    assert_eq!(
        bare.status.code(),
        Some(1),
        "without a folder there are no file tools"
    );
    assert!(out(&bare).contains("unknown_tool"));
}

#[test]
fn the_data_folder_can_be_in_use_new_or_broken() {
    let home = TempDir::new().unwrap();
    let simulator = Simulator::start(builtin(), 0).unwrap();
    let exec = |home: &Path| {
        wisp(home)
            .env("WISP_BASE_URL", simulator.base_url())
            .args(["exec", "--approve", "never", "hello"])
            .output()
            .unwrap()
    };
    assert!(exec(home.path()).status.success());
    // In use.
    let engine = wisp_engine::start(wisp_engine::EngineConfig {
        store: wisp_engine::StoreLocation::Folder(home.path().to_owned()),
        home: Some(home.path().to_owned()),
        settings: wisp_engine::Settings::default(),
        window: false,
        waker: std::sync::Arc::new(|| {}),
    })
    .unwrap();
    let second = exec(home.path());
    assert_eq!(second.status.code(), Some(1));
    assert!(
        err(&second).contains("Another copy of Wisp"),
        "{}",
        err(&second)
    );
    assert!(
        err(&second).contains(&std::process::id().to_string()),
        "{}",
        err(&second)
    );
    let read = wisp(home.path())
        .args(["sessions", "list"])
        .output()
        .unwrap();
    assert!(
        out(&read).contains("hello"),
        "reading goes on beside it: {}",
        err(&read)
    );
    let tool = call(home.path(), Path::new("/"), "local_time_now", "{}", &[]);
    assert_eq!(tool.0, Some(0), "a tool runs beside it: {tool:?}");
    drop(engine);
    // Written by a newer version: SQLite keeps the number at byte 60.
    let file = home.path().join("wisp.db");
    let whole = std::fs::read(&file).unwrap();
    for log in ["wisp.db-wal", "wisp.db-shm"] {
        drop(std::fs::remove_file(home.path().join(log)));
    }
    let mut newer = whole.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&file, &newer).unwrap();
    let newer_said = exec(home.path());
    assert_eq!(newer_said.status.code(), Some(1));
    assert!(
        err(&newer_said).contains("newer version"),
        "{}",
        err(&newer_said)
    );
    assert_eq!(std::fs::read(&file).unwrap(), newer, "it was left as it is");
    // Cut in half, with no log that could mend it.
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let cut = exec(home.path());
    assert_eq!(cut.status.code(), Some(1));
    assert!(
        err(&cut).contains("Nothing was changed") && err(&cut).contains("wisp.db"),
        "{}",
        err(&cut)
    );
    assert_eq!(
        std::fs::read(&file).unwrap().len(),
        whole.len() / 2,
        "it was left as it is"
    );
    std::fs::write(&file, b"no database at all, but some text that is longer than a header of one hundred bytes would be, so that it is looked at").unwrap();
    assert!(err(&exec(home.path())).contains("damaged"));
    // The settings file.
    let fresh = TempDir::new().unwrap();
    std::fs::write(fresh.path().join("settings.toml"), "model = [").unwrap();
    let settings = exec(fresh.path());
    assert_eq!(settings.status.code(), Some(2));
    assert!(
        err(&settings).contains("settings.toml"),
        "{}",
        err(&settings)
    );
}

#[test]
fn a_folder_that_cannot_be_is_said() {
    let home = TempDir::new().unwrap();
    let output = wisp(home.path())
        .args(["exec", "--simulate", "--dir", "/nowhere/at/all", "hello"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("/nowhere/at/all"), "{}", err(&output));
    let file = home.path().join("home-is-a-file");
    std::fs::write(&file, "").unwrap();
    let list = wisp(&file).args(["sessions", "list"]).output().unwrap();
    assert_eq!(
        list.status.code(),
        Some(1),
        "a history must not look as if it had vanished"
    );
    assert!(err(&list).contains("no folder"), "{}", err(&list));
    let output = wisp(&file)
        .args(["exec", "--simulate", "hello"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("data folder"), "{}", err(&output));
}

#[test]
fn the_key_of_the_environment_is_in_no_output() {
    let home = TempDir::new().unwrap();
    let simulator = Simulator::start(builtin(), 0).unwrap();
    for prompt in ["[fault:key]", "hello"] {
        let output = wisp(home.path())
            .env("WISP_BASE_URL", simulator.base_url())
            .env("WISP_API_KEY", "sk-super-secret-4711")
            .env("WISP_LOG", "trace")
            .args(["exec", "--json", prompt])
            .output()
            .unwrap();
        assert!(!out(&output).contains("super-secret"));
        assert!(
            !err(&output).contains("super-secret"),
            "the log names the key"
        );
    }
}

#[test]
fn simulate_serves_until_it_is_stopped() {
    let home = TempDir::new().unwrap();
    let mut served = wisp_tests::Program::start(wisp(home.path()).arg("simulate"));
    let url = served.wait_for("http://127.0.0.1:");
    let output = wisp(home.path())
        .env("WISP_BASE_URL", url.trim())
        .args(["exec", "hello"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", err(&output));
    served.signal("TERM");
    assert_eq!(served.end().code(), Some(0));
}

/// On a terminal of its own, by util-linux's `script`; each key counts for the card that is seen.
#[cfg(target_os = "linux")]
#[test]
fn a_second_key_never_answers_a_card_that_was_not_seen() {
    let (home, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let text = r#"
name = "two"
title = "Two changes at once"
tag = "[two]"
prompt = "Make two [two]"
workspace = ""

[[turns]]
calls = [{ name = "files_mkdir", arguments = { path = "first" } }, { name = "files_mkdir", arguments = { path = "second" } }]

[[turns]]
text = "The scripted model is done."

[expect]
outcome = "done"
answer = ["."]
requests = 2
"#;
    let simulator = Simulator::start(vec![wisp_qa::Scenario::parse(text).unwrap()], 0).unwrap();
    let plain = wisp(home.path());
    let line = format!(
        "{} exec --dir {} 'Make two [two]'",
        plain.get_program().to_str().unwrap(),
        folder.path().display()
    );
    let mut terminal = std::process::Command::new("script");
    terminal
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .env("WISP_HOME", home.path())
        .env("WISP_BASE_URL", simulator.base_url())
        .stdin(std::process::Stdio::piped());
    let mut program = wisp_tests::Program::start(&mut terminal);
    program.wait_for("approve: files_mkdir");
    program.wait_for("deny with a reason");
    program.type_in("aa");
    program.wait_for("approve: files_mkdir");
    program.wait_for("deny with a reason");
    program.type_in("r");
    program.wait_for("second denied");
    program.wait_for("The scripted model is done.");
    assert_eq!(program.end().code(), Some(0));
    assert!(folder.path().join("first").is_dir());
    assert!(!folder.path().join("second").exists());
}
