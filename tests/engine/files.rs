//! The folder's walls, through the whole engine: hostile paths as a model would write them.

use std::path::Path;

use serde_json::json;
use tempfile::TempDir;
use wisp_engine::protocol::{CallReport, CallStatus, EventMsg, Op, ToolErrorKind};
use wisp_tests::{Desk, Say};

/// Runs one tool through the queues, saying yes to whatever is asked.
fn call(desk: &mut Desk, tool: &str, arguments: &serde_json::Value) -> CallReport {
    let session = desk.session();
    desk.submit(Op::CallTool {
        session: session.clone(),
        tool: tool.to_owned(),
        arguments: arguments.to_string(),
    });
    desk.to_the_end(&session, |_| Say::Approve)
        .into_iter()
        .find_map(|event| match event.msg {
            EventMsg::CallFinished { report, .. } => Some(report),
            _ => None,
        })
        .unwrap()
}

/// Everything outside that a call could reach, as text to compare.
fn fingerprint(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut seen = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            seen.extend(fingerprint(&path));
        } else {
            seen.push((
                path.display().to_string(),
                std::fs::read(&path).unwrap_or_default(),
            ));
        }
    }
    seen.sort();
    seen
}

#[cfg(unix)]
#[test]
fn no_path_leads_out_whoever_approves() {
    use std::os::unix::fs::symlink;
    let outside = TempDir::new().unwrap();
    let secret = outside.path().join("secret.txt");
    std::fs::write(&secret, "the secret").unwrap();
    std::fs::create_dir(outside.path().join("folder")).unwrap();
    let mut desk = Desk::default();
    let inside = desk.folder.path().to_owned();
    std::fs::write(inside.join("own.txt"), "own").unwrap();
    symlink(&secret, inside.join("file-link")).unwrap();
    symlink(outside.path(), inside.join("folder-link")).unwrap();
    symlink(outside.path().join("absent"), inside.join("dangling")).unwrap();
    symlink("folder-link", inside.join("chain")).unwrap();
    std::fs::hard_link(&secret, inside.join("hard")).unwrap();
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    let before = fingerprint(outside.path());
    let targets = [
        format!("../{name}/secret.txt"),
        format!("x/../../{name}/secret.txt"),
        secret.display().to_string(),
        inside.join("own.txt").display().to_string(),
        "file-link".to_owned(),
        "folder-link/secret.txt".to_owned(),
        "folder-link/new.txt".to_owned(),
        "chain/secret.txt".to_owned(),
        "dangling".to_owned(),
        "hard".to_owned(),
        "..".to_owned(),
        ".git/config".to_owned(),
        ".SSH/id".to_owned(),
        "a\u{0}b".to_owned(),
        "a\\..\\b".to_owned(),
    ];
    for path in &targets {
        for (tool, arguments) in [
            ("files_read", json!({"path": path})),
            ("files_list", json!({"path": path})),
            (
                "files_search",
                json!({"path": path, "query": "secret", "mode": "content"}),
            ),
            (
                "files_write",
                json!({"path": path, "content": "overwritten"}),
            ),
            (
                "files_replace",
                json!({"path": path, "oldText": "secret", "newText": "gone"}),
            ),
            ("files_mkdir", json!({"path": path})),
            ("files_move", json!({"from": "own.txt", "to": path})),
            ("files_move", json!({"from": path, "to": "taken.txt"})),
            ("files_trash", json!({"path": path})),
        ] {
            let report = call(&mut desk, tool, &arguments);
            let text = serde_json::to_string(&report.result).unwrap();
            assert!(!text.contains("the secret"), "{tool} {path}");
            assert_eq!(
                report.status,
                CallStatus::Failed,
                "{tool} {path}: {report:?}"
            );
        }
    }
    assert_eq!(fingerprint(outside.path()), before);
    assert_eq!(
        std::fs::read_to_string(inside.join("own.txt")).unwrap(),
        "own"
    );
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let mut desk = Desk::default();
    let fifo = desk.folder.path().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .unwrap()
            .success()
    );
    for (tool, arguments) in [
        ("files_read", json!({"path": "pipe"})),
        ("files_write", json!({"path": "pipe", "content": "x"})),
        (
            "files_replace",
            json!({"path": "pipe", "oldText": "a", "newText": "b"}),
        ),
    ] {
        let report = call(&mut desk, tool, &arguments);
        assert_eq!(
            report.error.map(|error| error.kind),
            Some(ToolErrorKind::Refused),
            "{tool}"
        );
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_no_utf8_and_a_file_of_ten_gigabytes_harm_nothing() {
    use std::os::unix::ffi::OsStrExt;
    let mut desk = Desk::default();
    std::fs::write(
        desk.folder
            .path()
            .join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt")),
        "x",
    )
    .unwrap();
    std::fs::File::create(desk.folder.path().join("huge.txt"))
        .unwrap()
        .set_len(10 << 30)
        .unwrap();
    let listed = call(&mut desk, "files_list", &json!({}));
    assert_eq!(listed.status, CallStatus::Done, "{listed:?}");
    let searched = call(
        &mut desk,
        "files_search",
        &json!({"path": ".", "query": "x", "mode": "content"}),
    );
    assert_eq!(searched.status, CallStatus::Done, "{searched:?}");
    let read = call(&mut desk, "files_read", &json!({"path": "huge.txt"}));
    assert_eq!(
        read.error.map(|error| error.kind),
        Some(ToolErrorKind::Binary)
    );
}

#[cfg(unix)]
#[test]
fn a_folder_without_the_right_to_write_keeps_its_files() {
    use std::os::unix::fs::PermissionsExt;
    let mut desk = Desk::default();
    let file = desk.folder.path().join("fixed.txt");
    std::fs::write(&file, "one").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    let report = call(
        &mut desk,
        "files_replace",
        &json!({"path": "fixed.txt", "oldText": "one", "newText": "two"}),
    );
    assert_eq!(report.status, CallStatus::Failed, "{report:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "one");
}

#[test]
fn the_data_folder_inside_the_folder_is_entered_by_no_tool() {
    let folder = TempDir::new().unwrap();
    let home = folder.path().join("data");
    let output = wisp_tests::wisp(&home)
        .args(["call", "files_list", "{\"path\":\"data\"}", "--dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("refused"));
}
