use std::path::Path;
use std::process::Command;

use serde_json::json;

use super::*;
use crate::files::Place;
use crate::files::discard::Refusal;
use crate::files::testing::{Yard, detail, kind, message};
use crate::protocol::ToolErrorKind::{BadArguments, Conflict, NotFound, Refused, Unsupported};
use crate::toolkit::ToolError;

/// Says yes and does nothing, says no, or takes it away.
async fn with(
    yard: &Yard,
    put: impl FnOnce(&Place, &Path) -> Result<(), Refusal>,
) -> ToolResult<()> {
    let ready = yard
        .prepare(&FilesTrash, json!({"path": "d"}))
        .await
        .unwrap();
    let context = &yard.context;
    let permit = Permit::for_test(Access::ChangeInside);
    let lease = context.writer.lease(permit, &context.cancel).await.unwrap();
    let workspace = context.workspace().unwrap();
    ready.plan.job.run(&lease, &workspace, &context.cancel, put)
}

#[tokio::test]
async fn what_the_trash_says_is_checked() {
    let yard = Yard::new();
    yard.write("d/x", "x");
    let no = |_: &Place, _: &Path| Err(Refusal::unavailable());
    assert!(message(with(&yard, |_, _| Ok(())).await).contains("still in its place"));
    assert_eq!(kind(with(&yard, no).await), Unsupported);
    let said = message(with(&yard, no).await);
    assert!(said.contains("no trash for the disk"), "{said}");
    assert!(said.contains("nothing was moved"), "{said}");
    assert!(said.contains("never deleted"), "{said}");
    assert_eq!(yard.read("d/x"), b"x");
    let away = |place: &Place, folder: &Path| {
        std::fs::rename(folder.join(&place.name), yard.outside("gone")).unwrap();
        Err(Refusal::failed("it broke".to_owned()))
    };
    assert!(message(with(&yard, away).await).contains("look into the trash"));
    assert_eq!(std::fs::read(yard.outside("gone/x")).unwrap(), b"x");
}

#[tokio::test]
async fn what_may_not_go_stays() {
    let yard = Yard::new();
    yard.write("repo/.git/config", "");
    yard.write("linked/a", "");
    std::os::unix::fs::symlink("a", yard.inside("linked/b")).unwrap();
    for (path, expected) in [
        ("repo", Refused),
        ("repo/.git", Refused),
        ("linked", Refused),
        ("linked/b", Refused),
        ("none", NotFound),
        (".", BadArguments),
    ] {
        assert_eq!(
            kind(yard.prepare(&FilesTrash, json!({"path": path})).await),
            expected,
            "{path}"
        );
    }
    yard.write("d/.gitignore", "123");
    let ready = yard
        .prepare(&FilesTrash, json!({"path": "d"}))
        .await
        .unwrap();
    let card = ready.card.clone().unwrap();
    assert_eq!(detail(&card, DetailLabel::Entries), Some("2"));
    assert_eq!(detail(&card, DetailLabel::Bytes), Some("3"));
    yard.write("d/more", "");
    assert_eq!(kind(yard.run(&FilesTrash, ready).await), Conflict);
    assert!(yard.inside("d/more").exists());
}

/// The system's real trash, in a process of its own with a home of its own.
#[test]
fn the_real_trash_takes_it_and_gives_it_back() {
    let home = tempfile::tempdir().unwrap();
    let done = Command::new(std::env::current_exe().unwrap())
        .args([
            "--ignored",
            "--exact",
            "tools::files_trash::tests::in_a_home_of_its_own",
        ])
        .env("XDG_DATA_HOME", home.path())
        .env("TMPDIR", home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    assert!(
        !home.path().join("Trash/files/d").exists(),
        "it was given back"
    );
}

#[tokio::test]
#[ignore = "started by the test above, with a trash of its own"]
async fn in_a_home_of_its_own() {
    let yard = Yard::new();
    yard.write("d/x", "x");
    let done = yard.call(&FilesTrash, json!({"path": "d"})).await;
    match done {
        Ok(done) => assert_eq!(done, json!({"path": "d", "entries": 2, "bytes": 1})),
        Err(ToolError::Model(failure)) => panic!("{}", failure.message),
        Err(ToolError::Cancelled) => panic!(),
    }
    assert!(yard.names("").is_empty());
    let trash = std::path::PathBuf::from(std::env::var_os("XDG_DATA_HOME").unwrap()).join("Trash");
    assert_eq!(std::fs::read(trash.join("files/d/x")).unwrap(), b"x");
    let info = std::fs::read_to_string(trash.join("info/d.trashinfo")).unwrap();
    assert!(
        info.contains("\nPath=/") && info.contains("/in/d\n"),
        "{info}"
    );
    // Another reader of the system's trash finds it there and gives it back.
    let ours: Vec<_> = trash::os_limited::list()
        .unwrap()
        .into_iter()
        .filter(|item| {
            item.original_path()
                == yard
                    .inside("d")
                    .canonicalize()
                    .unwrap_or_else(|_| yard.inside("d"))
        })
        .collect();
    assert_eq!(ours.len(), 1, "{ours:?}");
    trash::os_limited::restore_all(ours).unwrap();
    assert_eq!(std::fs::read(yard.inside("d/x")).unwrap(), b"x");
}
