use std::os::unix::fs::{MetadataExt, PermissionsExt};

use serde_json::{Value, json};

use super::*;
use crate::files::testing::{Yard, detail, kind, message};
use crate::protocol::ToolErrorKind::{
    Ambiguous, BadArguments, Binary, Conflict, NotFound, Refused, TooLarge,
};

async fn replace(yard: &Yard, old: &str, new: &str) -> ToolResult<Value> {
    yard.call(
        &FilesReplace,
        json!({"path": "a", "oldText": old, "newText": new}),
    )
    .await
}

#[tokio::test]
async fn one_piece_changes_and_the_rest_stays() {
    let yard = Yard::new();
    yard.write("a", "\u{feff}one\r\ntwo\r\nthree\n");
    let set = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(yard.inside("a"), set).unwrap();
    let before = Survey::of(&yard.read("a")).sha256;
    let done = yard
        .call(
            &FilesReplace,
            json!({"path": "a", "oldText": "one\ntwo", "newText": "1\n2\n2b", "sha256": before.to_uppercase()}),
        )
        .await
        .unwrap();
    assert_eq!(yard.read("a"), "\u{feff}1\r\n2\r\n2b\r\nthree\n".as_bytes());
    assert_eq!(done["path"], "a");
    assert_eq!(done["sha256Before"], before);
    assert_eq!(done["sha256"], Survey::of(&yard.read("a")).sha256);
    assert_eq!(done["bytes"], yard.read("a").len());
    assert_eq!(
        std::fs::metadata(yard.inside("a")).unwrap().mode() & 0o7777,
        0o640
    );
    assert_eq!(yard.names(""), ["a"], "no temporary file stays");
}

#[tokio::test]
async fn the_mark_at_the_start_is_never_matched_away() {
    let yard = Yard::new();
    yard.write("a", "\u{feff}one");
    replace(&yard, "\u{feff}one", "two").await.unwrap();
    assert_eq!(yard.read("a"), "\u{feff}two".as_bytes());
}

#[tokio::test]
async fn the_card_shows_both_pieces_and_the_digest() {
    let yard = Yard::new();
    yard.write("a", "one two");
    let ready = yard
        .prepare(
            &FilesReplace,
            json!({"path": "./a", "oldText": "one", "newText": "1"}),
        )
        .await
        .unwrap();
    let card = ready.card.unwrap();
    assert_eq!(
        card.details[0],
        Detail::Change {
            old: "one".into(),
            new: "1".into(),
            lines: Some(ChangedLines {
                first: 1,
                old: "one two".into(),
                new: "1 two".into(),
            }),
        }
    );
    assert_eq!(
        detail(&card, DetailLabel::Digest),
        Some(Survey::of(b"one two").sha256.as_str())
    );
    assert!(card.target.starts_with('/') && card.target.ends_with("/in/a"));
}

#[tokio::test]
async fn what_makes_no_sense_is_told() {
    let yard = Yard::new();
    yard.write("a", "one\n\ttwo\naaa\n");
    assert_eq!(kind(replace(&yard, "", "x").await), BadArguments);
    assert_eq!(kind(replace(&yard, "one", "one").await), BadArguments);
    assert_eq!(kind(replace(&yard, "one\r\n", "one\n").await), BadArguments);
    assert_eq!(kind(replace(&yard, "one", "a\0").await), BadArguments);
    assert_eq!(kind(replace(&yard, "aa", "x").await), Ambiguous);
    assert!(message(replace(&yard, "aa", "x").await).contains("2 times (L3 ×2)"));
    assert_eq!(kind(replace(&yard, "three", "x").await), NotFound);
    assert!(message(replace(&yard, "  two", "x").await).contains("line 2 begins with 1 tab(s)"));
    let digest =
        |sha256: &str| json!({"path": "a", "oldText": "one", "newText": "1", "sha256": sha256});
    assert_eq!(
        kind(yard.call(&FilesReplace, digest("12")).await),
        BadArguments
    );
    assert_eq!(
        kind(yard.call(&FilesReplace, digest(&"0".repeat(64))).await),
        Conflict
    );
    let none = json!({"path": "none", "oldText": "a", "newText": "b"});
    assert_eq!(kind(yard.call(&FilesReplace, none).await), NotFound);
    assert_eq!(yard.read("a"), b"one\n\ttwo\naaa\n");
    yard.write("a", b"one\0");
    assert_eq!(kind(replace(&yard, "one", "1").await), Binary);
}

#[tokio::test]
async fn limits_have_two_sides() {
    let yard = Yard::new();
    let piece = "é".repeat(REPLACE_PIECE_CHARS);
    yard.write("a", "x");
    assert!(replace(&yard, "x", &piece).await.is_ok());
    assert_eq!(
        kind(replace(&yard, &piece, &format!("{piece}e")).await),
        TooLarge
    );
    assert_eq!(
        kind(replace(&yard, &format!("{piece}e"), "x").await),
        TooLarge
    );
    assert!(replace(&yard, &piece, "x").await.is_ok());

    yard.write("a", format!("b{}", "x".repeat(REPLACE_FILE_BYTES - 1)));
    assert_eq!(
        kind(replace(&yard, "b", "bb").await),
        TooLarge,
        "the result"
    );
    assert!(replace(&yard, "b", "c").await.is_ok());
    yard.write("a", format!("b{}", "x".repeat(REPLACE_FILE_BYTES)));
    assert_eq!(kind(replace(&yard, "b", "").await), TooLarge, "the file");
    assert_eq!(yard.read("a").len(), REPLACE_FILE_BYTES + 1);
}

#[tokio::test]
async fn read_only_files_stay() {
    let yard = Yard::new();
    yard.write("a", "one");
    std::fs::set_permissions(yard.inside("a"), std::fs::Permissions::from_mode(0o444)).unwrap();
    assert_eq!(kind(replace(&yard, "one", "1").await), Refused);
    assert_eq!(yard.read("a"), b"one");
}

#[tokio::test]
async fn a_change_between_card_and_run_is_a_conflict() {
    let change = json!({"path": "a", "oldText": "one", "newText": "1"});
    // Other text; the same text in another file; gone; a link; another folder; other rights.
    for case in 0..6 {
        let yard = Yard::new();
        yard.write("d/a", "one");
        let mut arguments = change.clone();
        arguments["path"] = json!("d/a");
        let ready = yard.prepare(&FilesReplace, arguments).await.unwrap();
        let path = yard.inside("d/a");
        let expected: &[u8] = match case {
            0 => {
                yard.write("d/a", "one!");
                b"one!"
            }
            1 => {
                yard.write("d/b", "one");
                std::fs::rename(yard.inside("d/b"), &path).unwrap();
                b"one"
            }
            2 => {
                std::fs::remove_file(&path).unwrap();
                b""
            }
            3 => {
                std::fs::write(yard.outside("a"), "one").unwrap();
                std::fs::remove_file(&path).unwrap();
                std::os::unix::fs::symlink(yard.outside("a"), &path).unwrap();
                b"one"
            }
            4 => {
                std::fs::rename(yard.inside("d"), yard.inside("e")).unwrap();
                std::fs::create_dir(yard.inside("d")).unwrap();
                std::fs::rename(yard.inside("e/a"), &path).unwrap();
                b"one"
            }
            _ => {
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
                b"one"
            }
        };
        let got = kind(yard.run(&FilesReplace, ready).await);
        assert_eq!(
            got,
            if case == 3 { Refused } else { Conflict },
            "case {case}"
        );
        assert_eq!(
            std::fs::read(&path).unwrap_or_default(),
            expected,
            "case {case}"
        );
        assert!(yard.names("d").len() <= 1, "no temporary file stays");
    }
}

#[tokio::test]
async fn what_may_not_be_written_says_so() {
    let yard = Yard::new();
    yard.write("a", "one");
    let ready = yard
        .prepare(
            &FilesReplace,
            json!({"path": "a", "oldText": "one", "newText": "1"}),
        )
        .await
        .unwrap();
    let reader = Permit::for_test(Access::ReadInside);
    assert_eq!(
        kind(FilesReplace.run(ready.plan, reader, &yard.context).await),
        Refused
    );
    assert_eq!(yard.read("a"), b"one");
}

#[tokio::test]
async fn a_huge_file_is_told_before_it_is_read() {
    let yard = Yard::new();
    yard.write_huge("a");
    let said = message(yard.soon(replace(&yard, "a", "b")).await);
    assert!(said.contains("10000000000 bytes"), "{said}");
}

#[test]
fn a_card_shows_the_lines_that_change_and_three_around_them() {
    let lines: Vec<String> = (1..=20).map(|n| format!("line {n}\n")).collect();
    let old = lines.concat();
    let new = old.replace("line 10\n", "ten\nand more\n");
    let lines = changed_lines(&old, &new);
    assert_eq!(lines.first, 7);
    assert!(lines.old.starts_with("line 7\n") && lines.old.ends_with("line 13\n"));
    assert_eq!(lines.new, lines.old.replace("line 10\n", "ten\nand more\n"));
    for (old, new) in [
        ("a\n", "a\na\n"),
        ("a\na\n", "a\n"),
        ("x", "y"),
        ("", "b"),
        ("b", ""),
        ("a\nb", "a\nb\n"),
    ] {
        let lines = changed_lines(old, new);
        assert_eq!(
            (lines.first, lines.old.as_str(), lines.new.as_str()),
            (1, old, new)
        );
    }
}
