//! JSON as the rows of a tree that folds. Rows exist only for what is open, and no level has more than a
//! hundred: longer lists fall into pages.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::lines::{self, cut};
use super::visible;

/// The most rows of one level.
const PAGE: usize = 100;
/// The most characters of a text that stand on its row.
const SHORT: usize = 120;
/// The most characters of a row inside an opened text.
const PIECE: usize = 200;
/// The most rows of an opened text.
const PIECES: usize = 2_000;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// A text, or its start when the row can be opened.
    Text,
    /// A number.
    Number,
    /// True, false or null.
    Word,
    /// A list with this many entries.
    Array(usize),
    /// An object with this many keys.
    Object(usize),
    /// A page of a long list or object; its name says which entries.
    Page,
    /// A part of the opened text above.
    Piece,
    /// This many further parts of the opened text above, which are not shown.
    More(usize),
}

/// What stands before a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonName {
    /// Nothing.
    None,
    /// A key of an object.
    Key(String),
    /// A place in a list, or a page's first and last.
    Place(String),
}

/// A row of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonRow {
    /// Which row it is: stays the same while others open and close.
    pub id: String,
    /// How deep it stands, from 0.
    pub depth: usize,
    /// What stands before the value.
    pub name: JsonName,
    /// What kind of value it is.
    pub kind: JsonKind,
    /// The value as shown; empty for lists, objects and pages.
    pub shown: String,
    /// Whether it is open; none when there is nothing to open.
    pub open: Option<bool>,
}

/// A JSON value and which parts of it are open.
#[derive(Clone, Debug)]
pub struct JsonTree {
    value: Arc<Value>,
    open: BTreeSet<String>,
    rows: Vec<JsonRow>,
}

impl JsonTree {
    /// A tree whose first level is open.
    pub fn of(value: impl Into<Arc<Value>>) -> Self {
        let mut tree = Self {
            value: value.into(),
            open: BTreeSet::from([String::new()]),
            rows: Vec::new(),
        };
        tree.build();
        tree
    }

    /// The rows, from top to bottom.
    pub fn rows(&self) -> &[JsonRow] {
        &self.rows
    }

    /// Opens or closes a row. Does nothing for a row that has nothing to open.
    pub fn toggle(&mut self, index: usize) {
        let Some(row) = self.rows.get(index).filter(|row| row.open.is_some()) else {
            return;
        };
        let id = row.id.clone();
        if !self.open.remove(&id) {
            self.open.insert(id);
        }
        self.build();
    }

    /// The whole value, written with line breaks.
    pub fn pretty(&self) -> String {
        format!("{:#}", self.value)
    }

    fn build(&mut self) {
        let mut rows = Rows {
            open: &self.open,
            rows: Vec::new(),
        };
        rows.value("", 0, JsonName::None, &self.value);
        self.rows = rows.rows;
    }
}

struct Rows<'a> {
    open: &'a BTreeSet<String>,
    rows: Vec<JsonRow>,
}

impl Rows<'_> {
    fn value(&mut self, id: &str, depth: usize, name: JsonName, value: &Value) {
        let (kind, shown) = match value {
            Value::String(text) => return self.text(id, depth, name, text),
            Value::Null | Value::Bool(_) => (JsonKind::Word, value.to_string()),
            Value::Number(number) => (JsonKind::Number, number.to_string()),
            Value::Array(entries) => (JsonKind::Array(entries.len()), String::new()),
            Value::Object(entries) => (JsonKind::Object(entries.len()), String::new()),
        };
        let length = match kind {
            JsonKind::Array(length) | JsonKind::Object(length) => length,
            _ => 0,
        };
        let open = (length > 0).then(|| self.open.contains(id));
        self.rows.push(JsonRow {
            id: id.to_owned(),
            depth,
            name,
            kind,
            shown,
            open,
        });
        if open == Some(true) {
            self.entries(id, depth + 1, value, 0, length);
        }
    }

    /// The entries `start..end` of a list or object: themselves, or pages of them.
    fn entries(&mut self, id: &str, depth: usize, value: &Value, start: usize, end: usize) {
        let count = end - start;
        if count <= PAGE {
            return self.page(id, depth, value, start, count);
        }
        let mut size = PAGE;
        while count.div_ceil(size) > PAGE {
            size = size.saturating_mul(PAGE);
        }
        let mut at = start;
        while at < end {
            let next = at.saturating_add(size).min(end);
            let page = format!("{id}[{at}-{next}]");
            let open = self.open.contains(&page);
            self.rows.push(JsonRow {
                id: page,
                depth,
                name: JsonName::Place(format!("{at} … {}", next - 1)),
                kind: JsonKind::Page,
                shown: String::new(),
                open: Some(open),
            });
            if open {
                self.entries(id, depth + 1, value, at, next);
            }
            at = next;
        }
    }

    fn page(&mut self, id: &str, depth: usize, value: &Value, start: usize, count: usize) {
        match value {
            Value::Array(entries) => {
                for (index, entry) in entries.iter().enumerate().skip(start).take(count) {
                    let name = JsonName::Place(index.to_string());
                    self.value(&format!("{id}/{index}"), depth, name, entry);
                }
            }
            Value::Object(entries) => {
                for (index, (key, entry)) in entries.iter().enumerate().skip(start).take(count) {
                    let key = visible::line(&lines::first_line(key, SHORT));
                    self.value(&format!("{id}/{index}"), depth, JsonName::Key(key), entry);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, id: &str, depth: usize, name: JsonName, text: &str) {
        let start = lines::first_line(text, SHORT);
        let is_whole = start.len() == text.len();
        let open = (!is_whole).then(|| self.open.contains(id));
        self.rows.push(JsonRow {
            id: id.to_owned(),
            depth,
            name,
            kind: JsonKind::Text,
            shown: visible::line(&start),
            open,
        });
        if open != Some(true) {
            return;
        }
        let mut all = pieces(text).enumerate();
        for (index, piece) in all.by_ref().take(PIECES) {
            let shown = visible::text(piece);
            self.piece(format!("{id}:{index}"), depth + 1, JsonKind::Piece, shown);
        }
        let more = all.count();
        if more > 0 {
            let kind = JsonKind::More(more);
            self.piece(format!("{id}:more"), depth + 1, kind, String::new());
        }
    }

    fn piece(&mut self, id: String, depth: usize, kind: JsonKind, shown: String) {
        self.rows.push(JsonRow {
            id,
            depth,
            name: JsonName::None,
            kind,
            shown,
            open: None,
        });
    }
}

/// A text in pieces: its lines, long ones in parts.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = Some(line);
        std::iter::from_fn(move || {
            let whole = rest.take()?;
            let at = whole.char_indices().nth(PIECE).map(|(at, _)| at);
            let (piece, after) = at.map_or((whole, ""), |at| whole.split_at(at));
            rest = (!after.is_empty()).then_some(after);
            Some(piece)
        })
    })
}

/// A value in one line, for a place with little room: at most this many characters.
pub fn one_line(value: &Value, most: usize) -> String {
    let text = value.to_string();
    let (start, left) = cut(&text, most);
    let mark = if left > 0 { "…" } else { "" };
    format!("{}{mark}", visible::line(start))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn drawn(tree: &JsonTree) -> Vec<String> {
        (tree.rows().iter())
            .map(|row| {
                let name = match &row.name {
                    JsonName::None => String::new(),
                    JsonName::Key(name) | JsonName::Place(name) => format!("{name}: "),
                };
                let fold = match row.open {
                    None => "",
                    Some(true) => "v ",
                    Some(false) => "> ",
                };
                let shown = match row.kind {
                    JsonKind::Array(n) => format!("[{n}]"),
                    JsonKind::Object(n) => format!("{{{n}}}"),
                    JsonKind::More(n) => format!("+{n}"),
                    _ => row.shown.clone(),
                };
                format!("{}{fold}{name}{shown}", "  ".repeat(row.depth))
            })
            .collect()
    }

    fn toggle(tree: &mut JsonTree, end: &str) {
        let at = (drawn(tree).iter())
            .position(|row| row.ends_with(end))
            .unwrap();
        tree.toggle(at);
    }

    #[test]
    fn a_tree_shows_its_first_level_and_opens_further() {
        let mut tree = JsonTree::of(json!({"list": [1, true, null], "name": "x", "none": []}));
        assert_eq!(
            drawn(&tree),
            ["v {3}", "  > list: [3]", "  name: x", "  none: [0]"]
        );
        toggle(&mut tree, "list: [3]");
        assert_eq!(
            drawn(&tree)[2..5],
            ["    0: 1", "    1: true", "    2: null"]
        );
        tree.toggle(0);
        assert_eq!(drawn(&tree), ["> {3}"]);
        tree.toggle(0);
        assert_eq!(drawn(&tree).len(), 7, "what was open inside stays open");
    }

    #[test]
    fn a_huge_list_never_has_more_than_a_hundred_rows_a_level() {
        let numbers: Vec<usize> = (0..100_000).collect();
        let mut tree = JsonTree::of(json!(numbers));
        assert!(tree.rows().len() <= 101, "{}", tree.rows().len());
        toggle(&mut tree, "90000 … 99999: ");
        toggle(&mut tree, "99900 … 99999: ");
        assert_eq!(drawn(&tree).last().unwrap(), "      99999: 99999");
        assert!(tree.rows().len() <= 301);
    }

    #[test]
    fn a_long_text_opens_into_all_of_its_lines() {
        let long = "word ".repeat(100);
        let mut tree = JsonTree::of(json!({"text": format!("first\n{long}\nlast")}));
        assert_eq!(drawn(&tree)[1], "  > text: first…");
        tree.toggle(1);
        let rows = drawn(&tree);
        assert_eq!(rows[2], "    first");
        assert_eq!(rows.last().unwrap(), "    last");
        let all: String = rows[3..rows.len() - 1]
            .iter()
            .filter_map(|row| row.get(4..))
            .collect();
        assert_eq!(all, long);
    }

    #[test]
    fn a_text_of_very_many_lines_says_how_many_it_leaves_out() {
        let tree = JsonTree::of(json!("x\n".repeat(5_000)));
        assert_eq!(drawn(&tree).last().unwrap(), "  +3000");
    }

    #[test]
    fn what_steers_is_shown() {
        let tree = JsonTree::of(json!({"a\u{202E}b": "c\u{1b}d"}));
        assert_eq!(drawn(&tree)[1], "  a\\u{202e}b: c\\u{1b}d");
    }

    #[test]
    fn the_copy_is_the_value() {
        let value = json!({"a": [1, "x\ny"]});
        let copy = JsonTree::of(value.clone()).pretty();
        assert!(copy.lines().count() > 3);
        assert_eq!(serde_json::from_str::<Value>(&copy).unwrap(), value);
        assert_eq!(one_line(&value, 8), "{\"a\":[1,…");
    }
}
