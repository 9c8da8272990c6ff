//! An approval card as text: whole, with nothing cut and nothing obeyed.

use std::fmt::Write;

use wisp_engine::protocol::{ApprovalRequest, Detail};

use super::visible;

/// The card.
pub(super) fn render(request: &ApprovalRequest) -> String {
    let mut card = String::new();
    // Writing to a String can't fail.
    let mut add = |line: std::fmt::Arguments<'_>| drop(card.write_fmt(line));
    add(format_args!(
        "\n┌ approve: {}\n",
        visible::line(&request.tool)
    ));
    add(format_args!("│ {}\n", visible::line(&request.sentence)));
    add(format_args!(
        "│ where: {}\n",
        visible::line(&request.target)
    ));
    for detail in &request.details {
        match detail {
            Detail::Fact { label, value } => {
                add(format_args!(
                    "│ {}: {}\n",
                    label.english(),
                    visible::line(value)
                ));
            }
            Detail::Text { label, text } => {
                add(format_args!("│ {}:\n", label.english()));
                block(&mut add, ' ', text);
            }
            Detail::Change { old, new } => {
                block(&mut add, '-', old);
                block(&mut add, '+', new);
            }
        }
    }
    card.push_str("└ a approve · r deny · R deny with a reason\n");
    card
}

fn block(add: &mut impl FnMut(std::fmt::Arguments<'_>), sign: char, text: &str) {
    if text.is_empty() {
        add(format_args!("│ {sign} (nothing)\n"));
    }
    for line in text.split_inclusive('\n') {
        let (line, ended) = line
            .strip_suffix('\n')
            .map_or((line, false), |line| (line, true));
        let (line, end) = match line.strip_suffix('\r') {
            Some(line) if ended => (line, " ␍"),
            _ => (line, ""),
        };
        add(format_args!("│ {sign} {}{end}\n", visible::text(line)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wisp_engine::protocol::{ApprovalId, CallId, DetailLabel};

    #[test]
    fn nothing_is_cut_and_nothing_steers() {
        let request = ApprovalRequest {
            id: ApprovalId::new("a"),
            call: CallId::new("c"),
            tool: "files_replace".to_owned(),
            sentence: "Replaces one place.".to_owned(),
            target: "/x/\u{202e}a\u{1b}[2J".to_owned(),
            details: vec![
                Detail::Change {
                    old: "one\r\ntwo".to_owned(),
                    new: String::new(),
                },
                Detail::Fact {
                    label: DetailLabel::Digest,
                    value: "00ff".to_owned(),
                },
                Detail::Text {
                    label: DetailLabel::Content,
                    text: "long ".repeat(10_000),
                },
            ],
        };
        let card = render(&request);
        for part in [
            "files_replace",
            "\\u{202e}a\\u{1b}[2J",
            "│ - one ␍\n│ - two\n│ + (nothing)\n",
            "sha256: 00ff",
        ] {
            assert!(card.contains(part), "{part} in {card}");
        }
        assert_eq!(card.matches("long").count(), 10_000);
    }
}
