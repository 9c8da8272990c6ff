//! Rust source with what is not code blanked, so that rules don't stumble over words in comments and
//! strings. Not a parser: it knows comments, strings, characters and braces.

use std::ops::Range;

/// A source twice, both as long as it and with the same lines.
#[derive(Debug)]
pub(crate) struct Masked {
    /// Without comments.
    pub(crate) with_strings: String,
    /// Without comments and without what is inside of strings and characters.
    pub(crate) code: String,
}

/// Blanks comments and strings.
pub(crate) fn mask(source: &str) -> Masked {
    let bytes = source.as_bytes();
    let mut with_strings = bytes.to_vec();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if rest.starts_with(b"//") {
            let end = at + line_length(rest);
            blank(&mut with_strings, at..end);
            blank(&mut code, at..end);
            at = end;
        } else if rest.starts_with(b"/*") {
            let end = at + block_length(rest);
            blank(&mut with_strings, at..end);
            blank(&mut code, at..end);
            at = end;
        } else if let Some(length) = literal_length(bytes, at) {
            blank(&mut code, at + 1..at + length - 1);
            at += length;
        } else {
            at += 1;
        }
    }
    Masked {
        with_strings: String::from_utf8(with_strings).unwrap(),
        code: String::from_utf8(code).unwrap(),
    }
}

fn blank(bytes: &mut [u8], range: Range<usize>) {
    for byte in bytes.get_mut(range).into_iter().flatten() {
        if *byte != b'\n' {
            *byte = b' ';
        }
    }
}

fn line_length(rest: &[u8]) -> usize {
    rest.iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(rest.len())
}

fn block_length(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// How long the string or character is that starts here, if one does.
fn literal_length(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    match rest[0] {
        b'"' => Some(quoted_length(rest, b'"')),
        b'r' if !at
            .checked_sub(1)
            .is_some_and(|before| is_word_end(bytes, before)) =>
        {
            raw_length(rest)
        }
        b'\'' => {
            let escaped = rest.get(1) == Some(&b'\\');
            let width = std::str::from_utf8(&rest[1..rest.len().min(5)])
                .or_else(|error| std::str::from_utf8(&rest[1..=error.valid_up_to()]))
                .ok()?
                .chars()
                .next()?
                .len_utf8();
            if escaped {
                Some(quoted_length(rest, b'\''))
            } else {
                (rest.get(1 + width) == Some(&b'\'')).then_some(width + 2)
            }
        }
        _ => None,
    }
}

/// Whether the byte belongs to a word that a following `r` would be part of: any but a `b` or `c` alone.
fn is_word_end(bytes: &[u8], at: usize) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let prefix = matches!(bytes[at], b'b' | b'c')
        && !at
            .checked_sub(1)
            .is_some_and(|before| is_word(bytes[before]));
    is_word(bytes[at]) && !prefix
}

fn quoted_length(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

fn raw_length(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let close: Vec<u8> = [b'"']
        .into_iter()
        .chain(std::iter::repeat_n(b'#', hashes))
        .collect();
    let body = &rest[hashes + 2..];
    let end = body
        .windows(close.len())
        .position(|window| window == close)?;
    Some(hashes + 2 + end + close.len())
}

/// Where the items are that exist only in tests. `code` is a [`Masked::code`].
pub(crate) fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut from = 0;
    while let Some(found) = code[from..].find("#[cfg(test)]") {
        let start = from + found;
        let end = item_end(code.as_bytes(), start);
        items.push(start..end);
        from = end;
    }
    items
}

/// The end of the item that starts here: its closing brace, or its semicolon.
fn item_end(code: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.iter().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Whether a word stands in a text on its own, not as a part of a longer one.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + word.len()..].starts_with(is_word)
    })
}

#[test]
fn comments_and_strings_are_blanked() {
    let source = "a /* b /* c */ d */ e // f\n\"g\\\"h\" 'i' '\\'' &'j k r#\"l\"m\"# 'é' n";
    let masked = mask(source);
    assert_eq!(masked.code.len(), source.len());
    let words =
        |text: &str| -> String { text.chars().filter(char::is_ascii_alphanumeric).collect() };
    assert_eq!(words(&masked.code), "aejkrn");
    assert!(masked.with_strings.contains("l\"m") && !masked.with_strings.contains('f'));
}

#[test]
fn a_raw_string_is_not_seen_in_a_word() {
    assert!(mask("for\"x\" y").code.contains('y'));
    assert_eq!(mask("br\"x\\\" y").code, "br   \" y");
}

#[test]
fn test_items_end_where_they_end() {
    let code = "fn a() {}\n#[cfg(test)]\nmod tests {\n fn b() { c }\n}\nfn d() {}\n#[cfg(test)]\nmod e;\nf";
    let kept: Vec<&str> = test_items(code)
        .into_iter()
        .map(|item| &code[item])
        .collect();
    assert_eq!(kept.len(), 2);
    assert!(kept[0].starts_with("#[cfg(test)]") && kept[0].ends_with("c }\n}"));
    assert!(kept[1].ends_with("mod e;"));
}

#[test]
fn a_word_stands_alone() {
    assert!(has_word("use egui::Ui", "egui"));
    assert!(!has_word("use my_egui; eguis", "egui"));
}
