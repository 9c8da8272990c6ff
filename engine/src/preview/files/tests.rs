use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::files::testing::{Yard, kind};
use crate::protocol::ToolErrorKind::{BadArguments, NotFound, Refused};

fn see(yard: &Yard, path: &str) -> ToolResult<Preview> {
    let workspace = yard.context.workspace().unwrap();
    look(&workspace, path, &yard.context.cancel)
}

fn text(yard: &Yard, path: &str) -> PreviewText {
    match see(yard, path).unwrap() {
        Preview::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

async fn write(yard: &Yard, path: &str, text: &str, sha256: &str) -> ToolResult<Saved> {
    let context = &yard.context;
    let lease = context.writer.lease_for_person(&context.cancel).await?;
    let workspace = context.workspace()?;
    keep(&lease, &workspace, path, text, sha256, &context.cancel)
}

#[test]
fn a_text_comes_with_what_must_stay_of_its_file() {
    let yard = Yard::new();
    yard.write("a/b.txt", "\u{feff}one\r\ntwo\r\n");
    let read = text(&yard, "a/b.txt");
    assert_eq!(read.text, "one\ntwo\n");
    assert!(read.bom && !read.read_only);
    assert_eq!((read.ends, read.bytes), (PreviewLineEnds::CrLf, 13));
    yard.write("mixed", "a\r\nb\n");
    let read = text(&yard, "mixed");
    assert_eq!(
        (read.text.as_str(), read.ends),
        ("a\r\nb\n", PreviewLineEnds::Mixed)
    );
    yard.write("empty", "");
    assert_eq!(text(&yard, "empty").ends, PreviewLineEnds::None);
}

#[test]
fn hostile_paths_are_refused() {
    let yard = Yard::new();
    yard.write(".git/config", "secret");
    yard.write("sub/.ssh/id", "secret");
    std::fs::write(yard.outside("x"), "secret").unwrap();
    symlink(yard.outside("x"), yard.inside("link")).unwrap();
    symlink(yard.outside(""), yard.inside("way")).unwrap();
    std::fs::hard_link(yard.outside("x"), yard.inside("hard")).unwrap();
    let absolute = yard.outside("x").display().to_string();
    for path in [
        "../out/x",
        "a/../../out/x",
        absolute.as_str(),
        ".git/config",
        ".GIT/config",
        "sub/.ssh/id",
        "way/x",
        "hard",
    ] {
        assert_eq!(kind(see(&yard, path)), Refused, "{path}");
    }
    assert_eq!(kind(see(&yard, "")), BadArguments);
    assert!(see(&yard, "a\0b").is_err() && see(&yard, "a\nb").is_err());
    assert_eq!(kind(see(&yard, "none")), NotFound);
    assert_eq!(
        see(&yard, "link").unwrap(),
        Preview::Special(PreviewKind::Link)
    );
}

#[tokio::test]
async fn what_would_wait_or_has_no_end_is_not_opened() {
    let yard = Yard::new();
    let fifo = yard.inside("fifo");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &fifo,
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    assert_eq!(
        see(&yard, "fifo").unwrap(),
        Preview::Special(PreviewKind::Other)
    );
    yard.write_huge("huge");
    let workspace = yard.context.workspace().unwrap();
    let cancel = yard.context.cancel.clone();
    let seen = tokio::task::spawn_blocking(move || look(&workspace, "huge", &cancel));
    let seen = yard.soon(seen).await.unwrap().unwrap();
    assert!(
        matches!(
            seen,
            Preview::TooLarge {
                bytes: 10_000_000_000,
                picture: false,
                ..
            }
        ),
        "{seen:?}"
    );
}

#[test]
fn pictures_and_binary_files_are_told_apart_from_texts() {
    let yard = Yard::new();
    yard.write("p.txt", b"\x89PNG\r\n\x1a\nrest");
    let Preview::Picture(picture) = see(&yard, "p.txt").unwrap() else {
        panic!("a picture");
    };
    assert_eq!((picture.bytes.len(), picture.format.as_str()), (12, "PNG"));
    yard.write("b", b"\x7fELF\0\0");
    let Preview::Binary { bytes: 6, seems } = see(&yard, "b").unwrap() else {
        panic!("binary");
    };
    assert_eq!(seems, "an ELF program");
    yard.write("gbk", b"\xc4\xe3\xba\xc3");
    assert!(matches!(see(&yard, "gbk").unwrap(), Preview::Binary { .. }));
    let large = format!("{}x", "a".repeat(PREVIEW_TEXT_BYTES));
    yard.write("large", &large);
    assert!(matches!(
        see(&yard, "large").unwrap(),
        Preview::TooLarge { .. }
    ));
    yard.write("fits", "a".repeat(PREVIEW_TEXT_BYTES));
    assert_eq!(text(&yard, "fits").text.len(), PREVIEW_TEXT_BYTES);
}

#[test]
fn a_folder_shows_what_tools_may_know() {
    let yard = Yard::new();
    yard.write("b.txt", "12345");
    yard.write("a/inner", "");
    yard.write(".git/config", "");
    yard.write(".hidden", "");
    let Preview::Folder(folder) = see(&yard, ".").unwrap() else {
        panic!("a folder");
    };
    let names: Vec<_> = folder
        .entries
        .iter()
        .map(|entry| entry.name.as_str())
        .collect();
    assert_eq!(names, [".hidden", "a", "b.txt"]);
    assert!(folder.entries[1].is_folder());
    assert_eq!(folder.entries[2].bytes, Some(5));
    assert!(matches!(see(&yard, "a/").unwrap(), Preview::Folder(_)));
}

#[tokio::test]
async fn a_change_keeps_mark_line_ends_and_rights() {
    let yard = Yard::new();
    yard.write("a", "\u{feff}one\r\ntwo\r\n");
    std::fs::set_permissions(yard.inside("a"), std::fs::Permissions::from_mode(0o751)).unwrap();
    let before = text(&yard, "a");
    let saved = write(&yard, "a", "one\nmore\n", &before.sha256)
        .await
        .unwrap();
    assert_eq!(yard.read("a"), "\u{feff}one\r\nmore\r\n".as_bytes());
    let mode = std::fs::metadata(yard.inside("a"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o751);
    let after = text(&yard, "a");
    assert_eq!(
        saved,
        Saved::Kept {
            sha256: after.sha256.clone(),
            bytes: after.bytes,
            ends: PreviewLineEnds::CrLf
        }
    );
    assert_eq!(yard.names(""), ["a"]);
    let same = write(&yard, "a", "one\nmore\n", &after.sha256)
        .await
        .unwrap();
    assert_eq!(same, saved);
}

#[tokio::test]
async fn a_file_that_changed_since_is_left_alone() {
    let yard = Yard::new();
    yard.write("a", "old");
    let before = text(&yard, "a").sha256;
    yard.write("a", "theirs");
    let theirs = text(&yard, "a").sha256;
    let conflict = write(&yard, "a", "mine", &before).await.unwrap();
    assert_eq!(
        conflict,
        Saved::Conflict {
            sha256: Some(theirs.clone())
        }
    );
    assert_eq!(yard.read("a"), b"theirs");
    assert!(matches!(
        write(&yard, "a", "mine", &theirs).await.unwrap(),
        Saved::Kept { .. }
    ));
    assert_eq!(yard.read("a"), b"mine");
    std::fs::remove_file(yard.inside("a")).unwrap();
    let gone = write(&yard, "a", "mine", &theirs).await.unwrap();
    assert_eq!(gone, Saved::Conflict { sha256: None });
    assert!(yard.names("").is_empty());
}

#[tokio::test]
async fn what_must_not_be_written_is_not() {
    let yard = Yard::new();
    std::fs::write(yard.outside("x"), "theirs").unwrap();
    symlink(yard.outside("x"), yard.inside("link")).unwrap();
    yard.write(".git/config", "theirs");
    yard.write("locked", "old");
    std::fs::set_permissions(
        yard.inside("locked"),
        std::fs::Permissions::from_mode(0o444),
    )
    .unwrap();
    let digest = Survey::of(b"theirs").sha256;
    for path in ["link", ".git/config", "../out/x"] {
        assert_eq!(
            kind(write(&yard, path, "mine", &digest).await),
            Refused,
            "{path}"
        );
    }
    let read = text(&yard, "locked");
    assert!(read.read_only);
    assert_eq!(
        kind(write(&yard, "locked", "new", &read.sha256).await),
        Refused
    );
    yard.write("a", "old");
    let digest = text(&yard, "a").sha256;
    assert_eq!(kind(write(&yard, "a", "n\0", &digest).await), BadArguments);
    assert_eq!(std::fs::read(yard.outside("x")).unwrap(), b"theirs");
}
