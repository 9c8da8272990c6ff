use serde_json::{Value, json};

use super::*;
use crate::files::limits::READ_BYTES;
use crate::files::survey::Survey;
use crate::files::testing::{Yard, kind, message};
use crate::protocol::ToolErrorKind::{BadArguments, Binary, NotFound, TooLarge};
use crate::toolkit::ToolError;

async fn read(yard: &Yard, arguments: Value) -> ToolResult<Value> {
    yard.call(&FilesRead, arguments).await
}

#[tokio::test]
async fn text_comes_as_it_is() {
    let yard = Yard::new();
    yard.write("a", "one\r\ntwo\nthree");
    let whole = read(&yard, json!({"path": "a", "startLine": null}))
        .await
        .unwrap();
    let digest = Survey::of(b"one\r\ntwo\nthree").sha256;
    assert_eq!(
        whole,
        json!({
            "path": "a", "text": "one\r\ntwo\nthree", "startLine": 1, "endLine": 3,
            "totalLines": 3, "bytes": 14, "sha256": digest
        })
    );
    let part = read(&yard, json!({"path": "a", "startLine": 2, "endLine": 2}))
        .await
        .unwrap();
    assert_eq!(part["text"], "two\n");
    assert_eq!(part["sha256"], whole["sha256"]);
    assert_eq!(part["totalLines"], 3);
    let cut = read(&yard, json!({"path": "a", "startLine": 3, "endLine": 99}))
        .await
        .unwrap();
    assert_eq!(
        (&cut["text"], &cut["endLine"]),
        (&json!("three"), &json!(3))
    );
    let head = read(&yard, json!({"path": "a", "endLine": 1}))
        .await
        .unwrap();
    assert_eq!(head["text"], "one\r\n");
}

#[tokio::test]
async fn line_numbers_that_make_no_sense_are_errors() {
    let yard = Yard::new();
    yard.write("a", "one\ntwo\n");
    yard.write("empty", "");
    for (start, end) in [(0, 1), (-1, 1), (2, 1), (1, 0)] {
        let got = read(
            &yard,
            json!({"path": "a", "startLine": start, "endLine": end}),
        )
        .await;
        assert_eq!(kind(got), BadArguments, "{start}..{end}");
    }
    let past = read(&yard, json!({"path": "a", "startLine": 3})).await;
    assert!(message(past).contains("2 lines (totalLines)"));
    assert!(
        read(&yard, json!({"path": "a", "startLine": 2}))
            .await
            .is_ok()
    );
    let empty = read(&yard, json!({"path": "empty", "startLine": 1}))
        .await
        .unwrap();
    assert_eq!(
        (&empty["text"], &empty["totalLines"]),
        (&json!(""), &json!(0))
    );
    assert_eq!(
        kind(read(&yard, json!({"path": "empty", "startLine": 2})).await),
        BadArguments
    );
}

#[tokio::test]
async fn what_is_no_text_says_its_type_and_size() {
    let yard = Yard::new();
    yard.write("picture", b"\x89PNG\r\n\x1a\n\0\0\0");
    yard.write("gbk", b"\xc4\xe3\xba\xc3");
    yard.write(
        "big",
        [b"%PDF-1.7\n".to_vec(), vec![0xff; 300_000]].concat(),
    );
    for (name, words) in [
        ("picture", "a PNG picture, 11 bytes"),
        ("gbk", "not UTF-8"),
        ("big", "a PDF document, 300009 bytes"),
    ] {
        let got = read(&yard, json!({"path": name})).await;
        let Err(ToolError::Model(failure)) = got else {
            panic!("{name}")
        };
        assert_eq!(failure.kind, Binary, "{name}");
        assert!(failure.message.contains(words), "{}", failure.message);
    }
    yard.write("sub/x", "");
    assert_eq!(
        kind(read(&yard, json!({"path": "sub"})).await),
        BadArguments
    );
    assert_eq!(
        kind(read(&yard, json!({"path": "sub/x/"})).await),
        BadArguments
    );
    assert_eq!(kind(read(&yard, json!({"path": "none"})).await), NotFound);
    assert_eq!(kind(read(&yard, json!({"path": "."})).await), BadArguments);
}

#[tokio::test]
async fn a_byte_order_mark_is_told_apart_from_the_text() {
    let yard = Yard::new();
    yard.write("a", "\u{feff}one\n");
    let got = read(&yard, json!({"path": "a"})).await.unwrap();
    assert_eq!(
        (&got["text"], &got["bom"], &got["bytes"]),
        (&json!("one\n"), &json!(true), &json!(7))
    );
}

#[tokio::test]
async fn the_limit_has_two_sides() {
    let yard = Yard::new();
    yard.write("fits", "x".repeat(READ_BYTES));
    yard.write("more", "x".repeat(READ_BYTES + 1));
    let got = read(&yard, json!({"path": "fits"})).await.unwrap();
    assert_eq!(got["text"].as_str().unwrap().len(), READ_BYTES);
    assert_eq!(kind(read(&yard, json!({"path": "more"})).await), TooLarge);
    // A byte order mark is no text.
    for (mark, count, fits) in [
        ("\u{feff}", 0, true),
        ("\u{feff}", 1, false),
        ("", 3, false),
    ] {
        yard.write("mark", format!("{mark}{}", "x".repeat(READ_BYTES + count)));
        for arguments in [
            json!({"path": "mark"}),
            json!({"path": "mark", "endLine": 1}),
        ] {
            match read(&yard, arguments.clone()).await {
                Ok(got) => assert!(fits && got["text"].as_str().unwrap().len() == READ_BYTES),
                done => assert!(!fits && kind(done) == TooLarge, "{arguments}"),
            }
        }
    }
    yard.write("mark", format!("a\n\u{feff}{}", "x".repeat(READ_BYTES)));
    assert_eq!(
        kind(read(&yard, json!({"path": "mark", "startLine": 2})).await),
        TooLarge,
        "within a text it is a part of it"
    );
    // Of a larger file the lines count.
    yard.write(
        "lines",
        format!(
            "{}\n{}\nend\n",
            "x".repeat(READ_BYTES - 1),
            "é".repeat(READ_BYTES)
        ),
    );
    assert_eq!(kind(read(&yard, json!({"path": "lines"})).await), TooLarge);
    let first = read(&yard, json!({"path": "lines", "endLine": 1}))
        .await
        .unwrap();
    assert_eq!(first["text"].as_str().unwrap().len(), READ_BYTES);
    assert_eq!(first["totalLines"], 3);
    let last = read(&yard, json!({"path": "lines", "startLine": 3}))
        .await
        .unwrap();
    assert_eq!(last["text"], "end\n");
    assert_eq!(
        kind(read(&yard, json!({"path": "lines", "startLine": 2})).await),
        TooLarge
    );
}

#[tokio::test]
async fn a_huge_file_is_neither_kept_nor_read_in_vain() {
    for (range, expected) in [
        (json!({}), TooLarge),
        // Where it stops to be text, reading it for its lines ends.
        (json!({"startLine": 1, "endLine": 2}), Binary),
    ] {
        let yard = Yard::new();
        yard.write_huge("huge");
        let mut arguments = range;
        arguments["path"] = json!("huge");
        let ToolError::Model(failure) = yard.soon(read(&yard, arguments)).await.unwrap_err() else {
            panic!()
        };
        assert_eq!(failure.kind, expected);
        assert!(
            failure.message.contains("10000000000 bytes"),
            "{}",
            failure.message
        );
    }
}

#[tokio::test]
async fn cancelling_ends_it() {
    let yard = Yard::new();
    yard.write("a", "x");
    let ready = yard
        .prepare(&FilesRead, json!({"path": "a"}))
        .await
        .unwrap();
    yard.context.cancel.cancel();
    assert!(matches!(
        yard.run(&FilesRead, ready).await,
        Err(ToolError::Cancelled)
    ));
}
