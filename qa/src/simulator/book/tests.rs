use super::*;

fn body(user: &str) -> Bytes {
    let text = format!(
        r#"{{"messages":[{{"role":"user","content":"{user}"}}],"model":"m","stream":true,"stream_options":{{"include_usage":true}}}}"#
    );
    Bytes::from(text)
}

fn take(book: &mut Book, user: &str) -> Accepted {
    let body = body(user);
    let text = std::str::from_utf8(&body).unwrap();
    book.take(&body, text, &[]).unwrap()
}

#[test]
fn so_many_requests_are_known() {
    let mut book = Book::new(1);
    let first = take(&mut book, "first").key;
    for number in 1..MAX_KNOWN {
        take(&mut book, &number.to_string());
    }
    assert_eq!((book.known.len(), book.order.len()), (MAX_KNOWN, MAX_KNOWN));
    assert!(book.known.contains_key(&first));
    take(&mut book, "one more");
    assert_eq!((book.known.len(), book.order.len()), (MAX_KNOWN, MAX_KNOWN));
    assert!(!book.known.contains_key(&first));
}

#[test]
fn the_last_few_are_kept_whole() {
    let mut book = Book::new(1);
    for number in 0..=MAX_RECENT {
        assert_eq!(book.recent.len(), number.min(MAX_RECENT));
        take(&mut book, &number.to_string());
    }
    assert_eq!(book.recent.len(), MAX_RECENT);
    assert_eq!(book.longest_recent(&body("0")), None);
    assert_eq!(book.longest_recent(&body("1")), Some(0));
}

#[test]
fn what_is_kept_whole_is_bounded_in_bytes() {
    let mut book = Book::new(1);
    let third = "x".repeat(MAX_RECENT_BYTES / 3 - body("").len() - 1);
    for number in 0..3 {
        take(&mut book, &format!("{number}{third}"));
        assert_eq!(book.recent.len(), number + 1);
    }
    take(&mut book, &format!("3{third}"));
    assert_eq!(book.recent.len(), 3);
    assert!(book.recent_bytes() <= MAX_RECENT_BYTES);
}

#[test]
fn a_request_that_extends_one_takes_its_place() {
    let mut book = Book::new(1);
    take(&mut book, "a");
    let longer = String::from_utf8(body("a").to_vec())
        .unwrap()
        .replace("}],", r#"},{"role":"user","content":"b"}],"#);
    let longer = Bytes::from(longer);
    let text = std::str::from_utf8(&longer).unwrap();
    let accepted = book.take(&longer, text, &[]).unwrap();
    assert_eq!(accepted.track.messages, 2);
    assert!(accepted.former > 0);
    assert_eq!(book.recent.len(), 1);
    assert_eq!(book.known.len(), 2);
}
