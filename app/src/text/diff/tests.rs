//! What a reader of a diff would see or miss.

use super::*;

/// Each row as one line of text: sign, numbers, text with changed words in brackets, end.
fn drawn(diff: &Diff) -> Vec<String> {
    let number = |no: Option<usize>| no.map_or("-".to_owned(), |no| no.to_string());
    (diff.rows.iter())
        .map(|row| match row {
            DiffRow::Folded(lines) => format!("~ {lines}"),
            DiffRow::Line(line) => {
                let sign = match line.kind {
                    LineKind::Same => ' ',
                    LineKind::Removed => '-',
                    LineKind::Added => '+',
                };
                let mut text = line.text.clone();
                for word in line.words.iter().rev() {
                    text.insert(word.end, ']');
                    text.insert(word.start, '[');
                }
                let end = match line.end {
                    LineEnd::Feed => "",
                    LineEnd::Return => "<CR>",
                    LineEnd::Nothing => "<EOF>",
                };
                let (old, new) = (number(line.old_no), number(line.new_no));
                format!("{sign} {old} {new} {text}{end}")
            }
        })
        .collect()
}

/// A text of this many lines, `line 1` and so on.
fn numbered(lines: usize) -> String {
    let lines: Vec<_> = (1..=lines).map(|n| format!("line {n}\n")).collect();
    lines.concat()
}

#[test]
fn a_changed_line_shows_both_sides_and_the_words_that_changed() {
    let diff = Diff::of(
        "let a = 1;\nlet month = parse(rest);\n",
        "let a = 1;\nlet month = check(rest);\n",
    );
    assert_eq!(
        drawn(&diff),
        [
            "  1 1 let a = 1;",
            "- 2 - let month = [parse](rest);",
            "+ - 2 let month = [check](rest);",
        ]
    );
    assert_eq!((diff.added, diff.removed), (1, 1));
}

#[test]
fn unchanged_stretches_are_folded_and_counted() {
    let old = numbered(30);
    let new = old.replace("line 15\n", "other\n");
    let rows = drawn(&Diff::of(&old, &new));
    assert_eq!(rows.first().unwrap(), "~ 11");
    assert_eq!(rows.last().unwrap(), "~ 12");
    assert_eq!(rows.len(), 2 + 3 + 2 + 3);

    let two = old.replace("line 5\n", "").replace("line 25\n", "");
    let rows = drawn(&Diff::of(&old, &two));
    assert!(rows.contains(&"~ 13".to_owned()), "{rows:?}");
}

#[test]
fn a_new_file_is_all_added_and_a_cleared_one_all_removed() {
    let diff = Diff::of("", "one\ntwo\n");
    assert_eq!(drawn(&diff), ["+ - 1 one", "+ - 2 two"]);
    assert_eq!((diff.added, diff.removed), (2, 0));
    let diff = Diff::of("one\n", "");
    assert_eq!(drawn(&diff), ["- 1 - one"]);
    assert!(Diff::of("", "").rows.is_empty());
}

#[test]
fn the_same_texts_are_one_fold() {
    let diff = Diff::of("a\nb\n", "a\nb\n");
    assert!(diff.is_empty());
    assert_eq!(drawn(&diff), ["~ 2"]);
}

#[test]
fn line_ends_are_part_of_what_changes() {
    assert_eq!(drawn(&Diff::of("a\r\n", "a\n")), ["- 1 - a<CR>", "+ - 1 a"]);
    assert_eq!(drawn(&Diff::of("a", "a\n")), ["- 1 - a<EOF>", "+ - 1 a"]);
    assert_eq!(
        drawn(&Diff::of("", "a\rb")),
        ["+ - 1 a<CR>", "+ - 2 b<EOF>"]
    );
}

#[test]
fn what_steers_is_shown_and_the_words_still_fit() {
    let diff = Diff::of(
        "let kind = \u{202E}old name;\n",
        "let kind = \u{202E}new name;\n",
    );
    assert_eq!(
        drawn(&diff),
        [
            "- 1 - let kind = \\u{202e}[old] name;",
            "+ - 1 let kind = \\u{202e}[new] name;",
        ]
    );
}

#[test]
fn a_line_without_end_is_cut_and_says_how_much_is_left() {
    let diff = Diff::of("", &"字".repeat(1_000_000));
    let DiffRow::Line(line) = &diff.rows[0] else {
        panic!("no line");
    };
    assert_eq!(line.text.chars().count(), LONGEST);
    assert_eq!(line.left, 1_000_000 - LONGEST);
    assert_eq!(diff.columns, 2 * LONGEST);
}

#[test]
fn two_large_texts_with_nothing_in_common_are_compared() {
    let old = numbered(20_000);
    let new = old.replace("line", "row");
    let diff = Diff::of(&old, &new);
    let lines = |kind| {
        let of_kind = |row: &&DiffRow| matches!(row, DiffRow::Line(line) if line.kind == kind);
        diff.rows.iter().filter(of_kind).count()
    };
    assert_eq!(lines(LineKind::Removed), 20_000);
    assert_eq!(lines(LineKind::Added), 20_000);
    assert_eq!((diff.added, diff.removed), (20_000, 20_000));
}

#[test]
fn a_small_diff_is_there_at_once_and_wakes_nobody() {
    let cell = DiffCell::new("a\n", "b\n", || panic!("nobody waits"));
    assert_eq!(cell.get().unwrap().added, 1);
}

#[test]
fn a_large_diff_wakes_who_waits_for_it() {
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    let cell = DiffCell::new("", "line\n".repeat(10_000), move || {
        sender.send(()).unwrap();
    });
    receiver.recv().unwrap();
    assert_eq!(cell.get().unwrap().added, 10_000);
}
