use std::os::unix::fs::{MetadataExt, PermissionsExt};

use serde_json::{Value, json};

use super::*;
use crate::files::testing::{Mount, Yard, detail, kind, message};
use crate::protocol::ToolErrorKind::{BadArguments, Binary, Conflict, NotFound, Refused, TooLarge};

async fn write(yard: &Yard, path: &str, content: &str) -> ToolResult<Value> {
    yard.call(&FilesWrite, json!({"path": path, "content": content}))
        .await
}

#[tokio::test]
async fn a_new_file_holds_the_text_as_given() {
    let yard = Yard::new();
    let done = write(&yard, "a.txt", "\u{feff}one\r\ntwo\n").await.unwrap();
    assert_eq!(yard.read("a.txt"), "\u{feff}one\r\ntwo\n".as_bytes());
    assert_eq!(
        done,
        json!({"path": "a.txt", "bytes": 12, "sha256": Survey::of(&yard.read("a.txt")).sha256})
    );
    assert_eq!(yard.names(""), ["a.txt"]);
    assert_ne!(
        std::fs::metadata(yard.inside("a.txt")).unwrap().mode() & 0o400,
        0
    );
    assert!(write(&yard, "empty", "").await.is_ok());
    assert_eq!(kind(write(&yard, "no/a", "x").await), NotFound);
    assert_eq!(kind(write(&yard, "a/", "x").await), BadArguments);
    assert_eq!(kind(write(&yard, ".", "x").await), BadArguments);
    assert_eq!(kind(write(&yard, "b", "a\0b").await), BadArguments);
    assert_eq!(yard.names(""), ["a.txt", "empty"]);
}

#[tokio::test]
async fn what_the_old_file_was_outlives_it() {
    let yard = Yard::new();
    yard.write("a", "\u{feff}one\r\n");
    std::fs::set_permissions(yard.inside("a"), std::fs::Permissions::from_mode(0o751)).unwrap();
    let done = write(&yard, "a", "x\ny\n").await.unwrap();
    assert_eq!(yard.read("a"), "\u{feff}x\r\ny\r\n".as_bytes());
    assert_eq!(
        std::fs::metadata(yard.inside("a")).unwrap().mode() & 0o7777,
        0o751
    );
    assert_eq!(done["bytes"], 9);
    assert!(done["notes"][0].as_str().unwrap().contains("CRLF"));
    assert!(done["notes"][1].as_str().unwrap().contains("kept"));
    let again = write(&yard, "a", "x\ny\n").await.unwrap();
    assert_eq!(again["unchanged"], true);
    yard.write("b", "one\n");
    write(&yard, "b", "\u{feff}x").await.unwrap();
    assert_eq!(yard.read("b"), b"x");
}

#[tokio::test]
async fn the_same_text_leaves_the_file_alone() {
    let yard = Yard::new();
    yard.write("a", "one\n");
    let before = std::fs::metadata(yard.inside("a")).unwrap();
    assert_eq!(write(&yard, "a", "one\n").await.unwrap()["unchanged"], true);
    let after = std::fs::metadata(yard.inside("a")).unwrap();
    assert_eq!(
        (before.ino(), before.ctime_nsec()),
        (after.ino(), after.ctime_nsec())
    );
}

#[tokio::test]
async fn some_files_are_not_overwritten() {
    let yard = Yard::new();
    yard.write("binary", b"\x7fELF\0");
    assert_eq!(kind(write(&yard, "binary", "x").await), Binary);
    yard.write("utf16", b"\xff\xfea\0");
    assert!(message(write(&yard, "utf16", "x").await).contains("UTF-16"));
    yard.write("fixed", "x");
    std::fs::set_permissions(yard.inside("fixed"), std::fs::Permissions::from_mode(0o400)).unwrap();
    assert_eq!(kind(write(&yard, "fixed", "y").await), Refused);
    yard.write("sub/x", "");
    assert_eq!(kind(write(&yard, "sub", "y").await), BadArguments);
    assert_eq!(yard.read("binary"), b"\x7fELF\0");
}

#[tokio::test]
async fn limits_have_two_sides() {
    let yard = Yard::new();
    assert!(write(&yard, "a", &"x".repeat(WRITE_BYTES)).await.is_ok());
    assert_eq!(
        kind(write(&yard, "b", &"x".repeat(WRITE_BYTES + 1)).await),
        TooLarge
    );
    yard.write("crlf", "\r\n");
    let text = format!("\n{}", "x".repeat(WRITE_BYTES - 2));
    assert!(write(&yard, "crlf", &text).await.is_ok());
    assert_eq!(yard.read("crlf").len(), WRITE_BYTES);
    assert_eq!(
        kind(write(&yard, "crlf", &format!("{text}x")).await),
        TooLarge
    );
    assert_eq!(yard.names(""), ["a", "crlf"]);
    // What is overwritten may be larger.
    yard.write("large", "y".repeat(OVERWRITE_BYTES));
    assert!(write(&yard, "large", "x").await.is_ok());
    yard.write("large", "y".repeat(OVERWRITE_BYTES + 1));
    assert_eq!(kind(write(&yard, "large", "x").await), TooLarge);
    assert_eq!(yard.read("large").len(), OVERWRITE_BYTES + 1);
}

#[tokio::test]
async fn a_huge_file_is_told_before_it_is_read() {
    let yard = Yard::new();
    yard.write_huge("huge");
    let said = message(yard.soon(write(&yard, "huge", "x")).await);
    assert!(said.contains("10000000000 bytes"), "{said}");
}

#[tokio::test]
async fn the_card_shows_all_that_is_written_and_what_goes() {
    let yard = Yard::new();
    let long = "line\n".repeat(20_000);
    let ready = yard
        .prepare(&FilesWrite, json!({"path": "a", "content": long}))
        .await
        .unwrap();
    let card = ready.card.unwrap();
    assert_eq!(detail(&card, DetailLabel::Content), Some(long.as_str()));
    assert_eq!(detail(&card, DetailLabel::Warning), None);
    yard.write("a", "old\n");
    let ready = yard
        .prepare(&FilesWrite, json!({"path": "a", "content": "new"}))
        .await
        .unwrap();
    let card = ready.card.unwrap();
    assert!(
        detail(&card, DetailLabel::Warning)
            .unwrap()
            .contains("overwrites")
    );
    assert_eq!(
        detail(&card, DetailLabel::Digest),
        Some(Survey::of(b"old\n").sha256.as_str())
    );
}

#[tokio::test]
async fn what_is_there_meanwhile_is_never_overwritten() {
    let yard = Yard::new();
    let new = yard
        .prepare(&FilesWrite, json!({"path": "a", "content": "mine"}))
        .await
        .unwrap();
    yard.write("a", "theirs");
    assert_eq!(kind(yard.run(&FilesWrite, new).await), Conflict);
    let over = yard
        .prepare(&FilesWrite, json!({"path": "a", "content": "mine"}))
        .await
        .unwrap();
    yard.write("a", "THEIRS");
    assert_eq!(kind(yard.run(&FilesWrite, over).await), Conflict);
    let gone = yard
        .prepare(&FilesWrite, json!({"path": "a", "content": "mine"}))
        .await
        .unwrap();
    std::fs::remove_file(yard.inside("a")).unwrap();
    assert_eq!(kind(yard.run(&FilesWrite, gone).await), Conflict);
    assert!(yard.names("").is_empty());
}

#[tokio::test]
async fn a_full_disk_leaves_the_old_file() {
    let yard = Yard::new();
    let small = ["-t", "tmpfs", "-o", "size=64k"];
    let Some(mount) = Mount::with(&small, "none".as_ref(), &yard.inside("full")) else {
        return;
    };
    yard.write("full/a", "old");
    let over = write(&yard, "full/a", &"x".repeat(WRITE_BYTES)).await;
    let new = write(&yard, "full/b", &"x".repeat(WRITE_BYTES)).await;
    let kept = (yard.read("full/a"), yard.names("full"));
    drop(mount);
    assert!(message(over).contains("the disk is full; the file is unchanged"));
    assert!(message(new).contains("the disk is full; no file was made"));
    assert_eq!(kept, (b"old".to_vec(), vec!["a".to_owned()]));
}

#[tokio::test]
async fn missing_rights_are_told() {
    if rustix::process::geteuid().is_root() {
        println!("skipped: nothing is denied to root");
        return;
    }
    let yard = Yard::new();
    let rights = |name: &str, mode| {
        let set = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(yard.inside(name), set).unwrap();
    };
    yard.write("d/a", "old");
    rights("d", 0o555);
    let over = write(&yard, "d/a", "new").await;
    let new = write(&yard, "d/b", "new").await;
    rights("d", 0o755);
    assert!(message(over).contains("the system denies access; the file is unchanged"));
    assert!(message(new).contains("the system denies access; no file was made"));
    assert_eq!(
        (yard.names("d"), yard.read("d/a")),
        (vec!["a".to_owned()], b"old".to_vec())
    );
}
