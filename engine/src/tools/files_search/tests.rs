use serde_json::{Value, json};

use super::*;
use crate::files::limits::{
    SEARCH_CHARS, SEARCH_ENTRIES, SEARCH_FILE_BYTES, SEARCH_HITS, SEARCH_LEVELS, SEARCH_TOTAL_BYTES,
};
use crate::files::testing::{Yard, kind};
use crate::protocol::ToolErrorKind::{BadArguments, NotFound};

async fn find(yard: &Yard, path: &str, query: &str, mode: &str) -> Value {
    yard.call(
        &FilesSearch,
        json!({"path": path, "query": query, "mode": mode}),
    )
    .await
    .unwrap()
}

fn paths(found: &Value) -> Vec<&str> {
    found["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["path"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn contents_are_found_by_line_and_names_by_name() {
    let yard = Yard::new();
    yard.write("b.txt", "\u{feff}Needle one\r\nno\r\nsecond needle\r\n");
    yard.write("a/needle.md", "none");
    yard.write("a.txt", "a.b");
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(
        found["hits"],
        json!([
            {"path": "b.txt", "kind": "file", "line": 1, "snippet": "Needle one"},
            {"path": "b.txt", "kind": "file", "line": 3, "snippet": "second needle"},
        ])
    );
    assert_eq!(found["truncated"], false);
    assert_eq!(
        find(&yard, ".", "Needle", "content").await["hits"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        paths(&find(&yard, ".", "needle", "name").await),
        ["a/needle.md"]
    );
    assert_eq!(
        find(&yard, ".", "a", "name").await["hits"][0],
        json!({"path": "a", "kind": "directory"})
    );
    assert_eq!(
        paths(&find(&yard, ".", "a/n", "name").await),
        ["a/needle.md"]
    );
    assert!(paths(&find(&yard, ".", "a.*b", "content").await).is_empty());
    assert_eq!(
        paths(&find(&yard, "b.txt", "second", "content").await),
        ["b.txt"]
    );
    assert_eq!(
        paths(&find(&yard, "a", "none", "content").await),
        ["a/needle.md"]
    );
    for (query, path, expected) in [("", ".", BadArguments), ("x", "gone", NotFound)] {
        let got = yard
            .call(
                &FilesSearch,
                json!({"path": path, "query": query, "mode": "name"}),
            )
            .await;
        assert_eq!(kind(got), expected);
    }
    let no_mode = yard
        .call(
            &FilesSearch,
            json!({"path": ".", "query": "x", "mode": "regex"}),
        )
        .await;
    assert_eq!(kind(no_mode), BadArguments);
}

#[tokio::test]
async fn what_is_skipped_is_counted() {
    let yard = Yard::new();
    yard.write("hit", "needle");
    yard.write(".env", "needle");
    yard.write(".git/config", "needle");
    yard.write("sub/.SSH/key", "needle");
    yard.write("binary", b"needle\0");
    yard.write("latin", b"needle \xe9");
    yard.write(
        "large",
        " ".repeat(usize::try_from(SEARCH_FILE_BYTES).unwrap() + 1),
    );
    yard.write_huge("huge");
    yard.write("one", "needle");
    std::fs::hard_link(yard.inside("one"), yard.inside("two")).unwrap();
    std::fs::write(yard.outside("secret"), "needle").unwrap();
    std::os::unix::fs::symlink(yard.outside(""), yard.inside("way")).unwrap();
    rustix::fs::mkfifoat(
        rustix::fs::CWD,
        yard.inside("pipe"),
        rustix::fs::Mode::from_bits_truncate(0o600),
    )
    .unwrap();
    for name in [
        "node_modules",
        "dist",
        "build",
        "coverage",
        "vendor",
        "target",
    ] {
        yard.write(&format!("sub/{name}/file"), "needle");
    }
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(paths(&found), ["hit"]);
    assert_eq!(
        found["skipped"],
        json!({"hidden": 1, "links": 3, "private": 2, "binary": 2, "tooLarge": 2, "ignored": 6, "unreadable": 1})
    );
    assert_eq!(
        paths(&find(&yard, "sub/target", "needle", "content").await),
        ["sub/target/file"]
    );
}

#[tokio::test]
async fn file_size_has_two_sides() {
    let yard = Yard::new();
    let size = usize::try_from(SEARCH_FILE_BYTES).unwrap();
    yard.write("fits", format!("needle{}", " ".repeat(size - 6)));
    yard.write("more", format!("needle{}", " ".repeat(size - 5)));
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(paths(&found), ["fits"]);
    assert_eq!(found["truncated"], false);
}

#[tokio::test]
async fn total_size_has_two_sides() {
    let yard = Yard::new();
    let count = SEARCH_TOTAL_BYTES / SEARCH_FILE_BYTES;
    let text = format!(
        "needle{}",
        "\n".repeat(usize::try_from(SEARCH_FILE_BYTES).unwrap() - 6)
    );
    for number in 0..count {
        yard.write(&format!("{number:03}"), &text);
    }
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(paths(&found).len() as u64, count);
    assert_eq!(found["truncated"], false);
    yard.write("more", "needle");
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(paths(&found).len() as u64, count);
    assert_eq!(found["truncated"], true);
}

#[tokio::test]
async fn hits_and_characters_have_two_sides() {
    let yard = Yard::new();
    yard.write("a", "needle\n".repeat(SEARCH_HITS));
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(
        (paths(&found).len(), &found["truncated"]),
        (SEARCH_HITS, &json!(false))
    );
    yard.write("a", "needle\n".repeat(SEARCH_HITS + 1));
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(
        (paths(&found).len(), &found["truncated"]),
        (SEARCH_HITS, &json!(true))
    );
    // A long path makes each hit so long that the characters are used up before the hits.
    let name = "n".repeat(160);
    yard.write("a", "");
    let per_hit = 400;
    yard.write(
        &name,
        format!("needle{}\n", "x".repeat(per_hit - 160 - 6)).repeat(SEARCH_CHARS / per_hit),
    );
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(
        (paths(&found).len(), &found["truncated"]),
        (SEARCH_CHARS / per_hit, &json!(false))
    );
    yard.write("zz", "needle");
    let found = find(&yard, ".", "needle", "content").await;
    assert_eq!(
        (paths(&found).len(), &found["truncated"]),
        (SEARCH_CHARS / per_hit, &json!(true))
    );
}

#[tokio::test]
async fn entries_and_levels_have_two_sides() {
    let yard = Yard::fast();
    for number in 0..SEARCH_ENTRIES {
        yard.write(&format!("f{number:04}"), "");
    }
    let found = find(&yard, ".", "f1999", "name").await;
    assert_eq!(
        (paths(&found), &found["truncated"]),
        (vec!["f1999"], &json!(false))
    );
    yard.write("a", "");
    let found = find(&yard, ".", "f1999", "name").await;
    assert_eq!(
        (paths(&found).len(), &found["truncated"]),
        (0, &json!(true))
    );

    let yard = Yard::new();
    let deep = "d/".repeat(SEARCH_LEVELS - 1);
    yard.write(&format!("{deep}needle"), "");
    let found = find(&yard, ".", "needle", "name").await;
    assert_eq!(
        (paths(&found).len(), &found["truncated"]),
        (1, &json!(false))
    );
    yard.write(&format!("{deep}d/needle"), "");
    let found = find(&yard, ".", "needle", "name").await;
    assert_eq!(
        (paths(&found).len(), &found["truncated"]),
        (1, &json!(true))
    );
}
