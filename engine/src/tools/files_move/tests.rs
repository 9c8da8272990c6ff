use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::*;
use crate::files::limits::{TREE_ENTRIES, TREE_LEVELS};
use crate::files::testing::{Mount, Yard, detail, kind, message, skip_for_lack_of};
use crate::protocol::ToolErrorKind::{
    BadArguments, Conflict, Exists, NotFound, Refused, TooLarge, Unsupported,
};
use crate::toolkit::ToolError;

async fn go(yard: &Yard, from: &str, to: &str) -> ToolResult<Value> {
    yard.call(&FilesMove, json!({"from": from, "to": to})).await
}

#[tokio::test]
async fn files_and_folders_move_and_nothing_is_overwritten() {
    let yard = Yard::new();
    yard.write("a", "text");
    yard.write("d/x", "x");
    yard.write("d/e/y", "y");
    std::fs::create_dir(yard.inside("d/empty")).unwrap();
    std::fs::set_permissions(yard.inside("d/e"), std::fs::Permissions::from_mode(0o750)).unwrap();
    yard.write("f/taken", "mine");
    assert_eq!(
        go(&yard, "a", "f/b").await.unwrap(),
        json!({"from": "a", "to": "f/b", "entries": 1})
    );
    assert_eq!(yard.read("f/b"), b"text");
    assert_eq!(go(&yard, "d", "f/d/").await.unwrap()["entries"], 5);
    assert_eq!(yard.names(""), ["f"]);
    assert_eq!(yard.names("f/d"), ["e", "empty", "x"]);
    assert_eq!(yard.read("f/d/e/y"), b"y");
    let mode = std::fs::metadata(yard.inside("f/d/e"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o7777, 0o750);
    assert_eq!(kind(go(&yard, "f/b", "f/taken").await), Exists);
    assert_eq!(kind(go(&yard, "f/d", "f/taken").await), Exists);
    assert_eq!(yard.read("f/taken"), b"mine");
    assert_eq!(kind(go(&yard, "f", "f/d/f").await), BadArguments);
    assert_eq!(kind(go(&yard, "f", "f").await), BadArguments);
    assert_eq!(kind(go(&yard, "none", "b").await), NotFound);
    assert_eq!(kind(go(&yard, "f/b", "none/b").await), NotFound);
    assert_eq!(kind(go(&yard, ".", "b").await), BadArguments);
    assert_eq!(kind(go(&yard, "f/b", "f/c/").await), BadArguments);
}

#[tokio::test]
async fn hidden_linked_and_private_things_stay() {
    let yard = Yard::new();
    for (number, name) in [".env", ".git/config", "sub/.hidden"]
        .into_iter()
        .enumerate()
    {
        yard.write(&format!("t{number}/{name}"), "");
    }
    yard.write("t3/a", "");
    std::os::unix::fs::symlink("a", yard.inside("t3/link")).unwrap();
    yard.write("t4/a", "");
    std::fs::hard_link(yard.inside("t4/a"), yard.outside("b")).unwrap();
    std::fs::create_dir(yard.inside("t5")).unwrap();
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        yard.inside("t5/pipe"),
        rustix::fs::Mode::from_bits_truncate(0o600),
    )
    .unwrap();
    yard.write(".dot", "");
    for number in 0..6 {
        assert_eq!(
            kind(go(&yard, &format!("t{number}"), "new").await),
            Refused,
            "{number}"
        );
    }
    assert_eq!(kind(go(&yard, ".dot", "new").await), Refused);
    assert_eq!(kind(go(&yard, "t4/a", "new").await), Refused);
    assert!(!yard.inside("new").exists());
}

#[tokio::test]
async fn limits_have_two_sides() {
    let yard = Yard::fast();
    for number in 0..TREE_ENTRIES {
        yard.write(&format!("d/{number}"), "");
    }
    assert_eq!(
        go(&yard, "d", "e").await.unwrap()["entries"],
        TREE_ENTRIES + 1
    );
    yard.write("e/more", "");
    assert_eq!(kind(go(&yard, "e", "f").await), TooLarge);
    let deep = |levels: usize| format!("deep/{}", "d/".repeat(levels - 1));
    yard.write(&format!("{}file", deep(TREE_LEVELS)), "");
    assert!(go(&yard, "deep", "was").await.is_ok());
    yard.write(&format!("{}file", deep(TREE_LEVELS + 1)), "");
    assert_eq!(kind(go(&yard, "deep", "will").await), TooLarge);
}

#[tokio::test]
async fn the_card_names_both_ends() {
    let yard = Yard::new();
    yard.write("d/x", "");
    let ready = yard
        .prepare(&FilesMove, json!({"from": "d", "to": "e"}))
        .await
        .unwrap();
    let card = ready.card.unwrap();
    assert!(detail(&card, DetailLabel::From).unwrap().ends_with("/in/d"));
    assert_eq!(detail(&card, DetailLabel::To), Some(card.target.as_str()));
    assert_eq!(detail(&card, DetailLabel::Entries), Some("2"));
}

#[tokio::test]
async fn a_change_between_card_and_run_is_a_conflict() {
    for case in 0..5 {
        let yard = Yard::new();
        yard.write("d/x", "x");
        yard.write("t/keep", "");
        let ready = yard
            .prepare(&FilesMove, json!({"from": "d", "to": "t/d"}))
            .await
            .unwrap();
        match case {
            0 => yard.write("d/x", "xx"),
            1 => yard.write("d/y", ""),
            2 => {
                yard.write("z", "x");
                std::fs::rename(yard.inside("z"), yard.inside("d/x")).unwrap();
            }
            3 => yard.write("t/d", "taken"),
            _ => {
                std::fs::rename(yard.inside("t"), yard.inside("old")).unwrap();
                std::fs::create_dir(yard.inside("t")).unwrap();
            }
        }
        assert_eq!(
            kind(yard.run(&FilesMove, ready).await),
            Conflict,
            "case {case}"
        );
        assert!(yard.inside("d/x").exists(), "case {case}");
    }
}

#[tokio::test]
async fn several_devices_are_refused() {
    let yard = Yard::new();
    let Some(mount) = Mount::tmpfs(&yard.inside("d/other")) else {
        return;
    };
    yard.write("d/other/x", "x");
    let tree = go(&yard, "d", "e").await;
    let file = go(&yard, "d/other/x", "x").await;
    drop(mount);
    assert_eq!(kind(tree), Unsupported);
    assert_eq!(kind(file), Unsupported);
}

/// Stops a move of `d` (with `a`, `b`, `c`) at `b` by what `spoil` does there.
async fn stopped(spoil: impl FnOnce(&Yard)) -> (Yard, String) {
    let yard = Yard::new();
    for name in ["a", "b/inner", "c"] {
        yard.write(&format!("d/{name}"), name);
    }
    let ready = yard
        .prepare(&FilesMove, json!({"from": "d", "to": "e"}))
        .await
        .unwrap();
    spoil(&yard);
    let said = message(yard.run(&FilesMove, ready).await);
    (yard, said)
}

#[tokio::test]
async fn a_move_that_stops_half_way_says_what_is_where() {
    // A folder that can't be emptied: nobody but root may remove names from it, and root only
    // without the immutable mark, so the system itself stops the move in the middle.
    let immutable = |yard: &Yard, on: bool| {
        std::process::Command::new("chattr")
            .arg(if on { "+i" } else { "-i" })
            .arg(yard.inside("d/b/inner"))
            .output()
            .is_ok_and(|done| done.status.success())
    };
    let marked = std::cell::Cell::new(false);
    let yard = Yard::new();
    yard.write("d/b/inner", "");
    if !immutable(&yard, true) {
        skip_for_lack_of("marking a file immutable");
        return;
    }
    assert!(immutable(&yard, false));
    let (yard, said) = stopped(|yard| marked.set(immutable(yard, true))).await;
    assert!(marked.get() && immutable(&yard, false));
    assert!(said.contains("stopped half-way"), "{said}");
    assert!(said.contains("Now in e: a\n"), "{said}");
    assert!(
        said.contains("Still in d: the folder itself, b, b/inner, c"),
        "{said}"
    );
    assert_eq!(
        yard.names("e"),
        ["a"],
        "the folder that nothing came into is gone"
    );
    assert_eq!(yard.names("d"), ["b", "c"]);
}

#[tokio::test]
async fn a_cancelled_move_has_moved_nothing() {
    let yard = Yard::new();
    yard.write("d/a", "");
    let ready = yard
        .prepare(&FilesMove, json!({"from": "d", "to": "e"}))
        .await
        .unwrap();
    let lease = yard
        .context
        .writer
        .lease(Permit::for_test(Access::ChangeInside), &yard.context.cancel)
        .await
        .unwrap();
    let workspace = yard.context.workspace().unwrap();
    yard.context.cancel.cancel();
    let done = ready.plan.job.run(&lease, &workspace, &yard.context.cancel);
    assert!(matches!(done, Err(ToolError::Cancelled)));
    assert_eq!(yard.names(""), ["d"]);
}

/// Cancels a long move once it has begun. Whether that falls between two entries is the scheduler's
/// choice, so it is tried until it does.
#[tokio::test]
async fn a_move_that_is_cancelled_half_way_says_what_is_where() {
    for _ in 0..100 {
        let yard = Yard::fast();
        for number in 0..500 {
            yard.write(&format!("d/{number:03}"), "");
        }
        let ready = yard
            .prepare(&FilesMove, json!({"from": "d", "to": "e"}))
            .await
            .unwrap();
        let (begun, cancel) = (yard.inside("e/000"), yard.context.cancel.clone());
        let watcher = std::thread::spawn(move || {
            while !begun.exists() {
                std::thread::yield_now();
            }
            cancel.cancel();
        });
        let done = yard.run(&FilesMove, ready).await;
        watcher.join().unwrap();
        let moved = yard.names("e").len();
        if done.is_err() {
            let said = message(done);
            assert!(said.contains("because it was cancelled"), "{said}");
            assert!(said.contains("Now in e: 000"), "{said}");
            assert!(said.contains("Still in d: the folder itself"), "{said}");
            assert_eq!(moved + yard.names("d").len(), 500, "nothing is lost");
            return;
        }
        assert_eq!(moved, 500);
    }
    panic!("no move was ever cancelled half-way");
}

#[tokio::test]
async fn names_that_are_no_paths_stay() {
    use std::os::unix::ffi::OsStrExt;
    let yard = Yard::new();
    yard.write("d/x", "");
    let name = std::ffi::OsStr::from_bytes(b"\xff");
    std::fs::write(yard.inside("d").join(name), "").unwrap();
    assert_eq!(kind(go(&yard, "d", "e").await), Refused);
}
