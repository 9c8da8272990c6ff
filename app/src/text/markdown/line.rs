//! What one line opens, by CommonMark's rules for the start of a block.

/// A line's indentation and what it opens.
pub(super) struct Line<'a> {
    /// Columns of white space before the first character; a tab goes to the next fourth column.
    pub(super) indent: usize,
    /// What it opens when its indentation allows it.
    pub(super) opens: Opens<'a>,
}

/// What a line opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Opens<'a> {
    /// Nothing: the line is empty.
    Blank,
    /// A code block.
    Fence(Fence, &'a str),
    /// A heading that is one line.
    Heading,
    /// A rule; `underline` when it makes a heading of the paragraph before instead.
    Rule { underline: bool },
    /// Makes a heading of the paragraph before, and is text without one.
    Underline,
    /// A single dash: makes a heading of the paragraph before, and is an item without one.
    Dash(Marker),
    /// A quote.
    Quote,
    /// HTML up to this text, wherever it comes.
    HtmlUntil(&'static str),
    /// HTML up to an empty line.
    Html { interrupts: bool },
    /// An item of a list.
    Item(Marker),
    /// Text.
    Text,
}

/// The fence of a code block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fence {
    /// A backtick or a tilde.
    pub(super) mark: u8,
    /// How many.
    pub(super) length: usize,
    /// The fence's indentation, which is taken from the code's lines too.
    pub(super) indent: usize,
}

/// The mark of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    /// The character of a bullet, or what follows the number.
    pub(super) kind: u8,
    /// The number.
    pub(super) number: Option<u64>,
    /// The column at which the item's content stands.
    pub(super) content: usize,
    /// Whether nothing follows the mark.
    pub(super) empty: bool,
}

impl Marker {
    /// Whether a list can start right after a line of text.
    pub(super) fn interrupts(self) -> bool {
        !self.empty && self.number.is_none_or(|number| number == 1)
    }
}

/// Reads a line, which has no line end.
pub(super) fn read(line: &str) -> Line<'_> {
    let trimmed = line.trim_start_matches([' ', '\t']);
    let white = line.len() - trimmed.len();
    let indent = columns(line.get(..white).unwrap_or_default(), 0);
    let rest = trimmed.trim_end();
    let opens = if rest.is_empty() {
        Opens::Blank
    } else if indent >= 4 {
        Opens::Text
    } else {
        opened(trimmed, rest, indent)
    };
    Line { indent, opens }
}

/// The column after this white space.
fn columns(white: &str, from: usize) -> usize {
    white.bytes().fold(from, |column, byte| match byte {
        b'\t' => column / 4 * 4 + 4,
        _ => column + 1,
    })
}

fn opened<'a>(line: &'a str, rest: &'a str, indent: usize) -> Opens<'a> {
    match rest.as_bytes() {
        [mark @ (b'`' | b'~'), ..] => {
            let length = run(rest, *mark);
            let info = rest.get(length..).unwrap_or_default();
            if length < 3 || (*mark == b'`' && info.contains('`')) {
                return Opens::Text;
            }
            let fence = Fence {
                mark: *mark,
                length,
                indent,
            };
            Opens::Fence(fence, info.trim())
        }
        [b'#', ..] => {
            let level = run(rest, b'#');
            match rest.as_bytes().get(level) {
                None | Some(b' ' | b'\t') if level <= 6 => Opens::Heading,
                _ => Opens::Text,
            }
        }
        [b'>', ..] => Opens::Quote,
        [b'<', ..] => html(rest),
        [b'=', ..] if run(rest, b'=') == rest.len() => Opens::Underline,
        [mark @ (b'*' | b'-' | b'_'), ..] if rule(rest, *mark) => Opens::Rule {
            underline: *mark == b'-' && run(rest, b'-') == rest.len(),
        },
        [b'-'] => Opens::Dash(Marker {
            kind: b'-',
            number: None,
            content: indent + 2,
            empty: true,
        }),
        [b'-', ..] if run(rest, b'-') == rest.len() => Opens::Underline,
        _ => marker(line, indent).map_or(Opens::Text, Opens::Item),
    }
}

/// How often the mark stands at the start.
pub(super) fn run(text: &str, mark: u8) -> usize {
    text.bytes().take_while(|byte| *byte == mark).count()
}

fn rule(rest: &str, mark: u8) -> bool {
    let marks = rest.bytes().filter(|byte| *byte == mark).count();
    marks >= 3 && (rest.bytes()).all(|byte| byte == mark || byte == b' ' || byte == b'\t')
}

fn marker(line: &str, indent: usize) -> Option<Marker> {
    let (width, kind, number) = match line.as_bytes() {
        [bullet @ (b'-' | b'*' | b'+'), ..] => (1, *bullet, None),
        [b'0'..=b'9', ..] => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let kind = *line.as_bytes().get(digits)?;
            if digits > 9 || !matches!(kind, b'.' | b')') {
                return None;
            }
            let number = line.get(..digits)?.parse().ok()?;
            (digits + 1, kind, Some(number))
        }
        _ => return None,
    };
    let after = line.get(width..)?;
    let text = after.trim_start_matches([' ', '\t']);
    let white = after.get(..after.len() - text.len())?;
    let empty = text.trim_end().is_empty();
    if white.is_empty() && !empty {
        return None;
    }
    let mark_end = indent + width;
    let content = columns(white, mark_end);
    // Content that stands far off is indented code one space after the mark.
    let content = if empty || content > mark_end + 4 {
        mark_end + 1
    } else {
        content
    };
    Some(Marker {
        kind,
        number,
        content,
        empty,
    })
}

const RAW: [(&str, &str); 4] = [
    ("script", "</script>"),
    ("pre", "</pre>"),
    ("style", "</style>"),
    ("textarea", "</textarea>"),
];

const BLOCKS: &str = " address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt \
fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem \
nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul ";

fn html(rest: &str) -> Opens<'_> {
    for (start, end) in [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>")] {
        if rest.starts_with(start) {
            return Opens::HtmlUntil(end);
        }
    }
    let Some(inner) = rest.strip_prefix('<') else {
        return Opens::Text;
    };
    if (inner.strip_prefix('!')).is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic())) {
        return Opens::HtmlUntil(">");
    }
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let length = (name.bytes())
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        .count();
    let (name, after) = name.split_at_checked(length).unwrap_or_default();
    let name = name.to_ascii_lowercase();
    let ends = after.is_empty() || after.starts_with([' ', '\t', '>']) || after.starts_with("/>");
    if !ends || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Opens::Text;
    }
    if let Some((_, end)) = RAW.iter().find(|(raw, _)| *raw == name)
        && !inner.starts_with('/')
    {
        return Opens::HtmlUntil(end);
    }
    if BLOCKS.contains(&format!(" {name} ")) {
        return Opens::Html { interrupts: true };
    }
    if rest.ends_with('>') && rest.bytes().filter(|byte| *byte == b'>').count() == 1 {
        return Opens::Html { interrupts: false };
    }
    Opens::Text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opens(line: &str) -> Opens<'_> {
        read(line).opens
    }

    #[test]
    fn lines_open_what_commonmark_says() {
        assert_eq!(opens(" \t"), Opens::Blank);
        assert!(matches!(opens("```rust"), Opens::Fence(f, "rust") if f.length == 3));
        assert_eq!(opens("``` a`b"), Opens::Text);
        assert_eq!(opens("    ```"), Opens::Text);
        assert_eq!(opens("## x"), Opens::Heading);
        assert_eq!(opens("#x"), Opens::Text);
        assert_eq!(opens("---"), Opens::Rule { underline: true });
        assert_eq!(opens("* * *"), Opens::Rule { underline: false });
        assert_eq!(opens("=="), Opens::Underline);
        assert_eq!(opens("<!-- x"), Opens::HtmlUntil("-->"));
        assert_eq!(opens("<DIV a>"), Opens::Html { interrupts: true });
        assert_eq!(opens("<http://a.b>"), Opens::Text);
        assert_eq!(opens("-x"), Opens::Text);
    }

    #[test]
    fn an_items_content_has_its_column() {
        let content = |line| match opens(line) {
            Opens::Item(marker) => marker.content,
            other => panic!("{other:?}"),
        };
        assert_eq!(content("- a"), 2);
        assert_eq!(content(" 10.  a"), 6);
        assert_eq!(content("-      code"), 2);
        assert_eq!(content("-\ta"), 4);
        assert_eq!(content("+"), 2);
    }
}
