//! An approval card as text: whole, with nothing cut and nothing obeyed.

use wisp_engine::protocol::{ApprovalRequest, Detail};

use super::progress::{GREEN, RED, RESET};
use crate::text::visible;

/// The card. `colour`: what goes is red and what comes is green, besides their signs.
pub(super) fn render(request: &ApprovalRequest, colour: bool) -> String {
    let tint = |code: &str, lines: Vec<String>| -> Vec<String> {
        if colour {
            lines
                .into_iter()
                .map(|line| format!("{code}{line}{RESET}"))
                .collect()
        } else {
            lines
        }
    };
    let mut lines = vec![
        String::new(),
        format!("┌ approve: {}", visible::line(&request.tool)),
        format!("│ {}", visible::line(&request.sentence)),
        format!("│ where: {}", visible::line(&request.target)),
    ];
    for detail in &request.details {
        match detail {
            Detail::Fact { label, value } => {
                lines.push(format!("│ {}: {}", label.english(), visible::line(value)));
            }
            Detail::Text { label, text } => {
                lines.push(format!("│ {}:", label.english()));
                lines.extend(block(' ', text));
                if !text.is_empty() && !text.ends_with('\n') {
                    lines.push("│   (the last line has no line end)".to_owned());
                }
            }
            Detail::Change { old, new, .. } => {
                lines.extend(tint(RED, block('-', old)));
                lines.extend(tint(GREEN, block('+', new)));
            }
        }
    }
    lines.push("└ a approve · r deny · R deny with a reason\n".to_owned());
    lines.join("\n")
}

/// A text line by line, each behind its sign. A carriage return before a line's end is shown.
fn block(sign: char, text: &str) -> Vec<String> {
    if text.is_empty() {
        return vec![format!("│ {sign} (nothing)")];
    }
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix("\r\n") {
            Some(line) => format!("│ {sign} {} ␍", visible::text(line)),
            None => format!(
                "│ {sign} {}",
                visible::text(line.strip_suffix('\n').unwrap_or(line))
            ),
        })
        .collect()
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
                    lines: None,
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
        let card = render(&request, false);
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
