//! Search hits grouped by the file they are in.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lines::{LONGEST, cut};
use super::visible;

/// A place where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The file's path, as the tool gave it.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The line's text, or a part of it.
    pub snippet: String,
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HitRow {
    /// A file, and how many hits are in it.
    File {
        /// Its path.
        path: String,
        /// How many hits.
        hits: usize,
    },
    /// A hit in the file above.
    Line {
        /// Which of the hits it is.
        hit: usize,
        /// The snippet as shown.
        text: String,
        /// The bytes of `text` that are the query.
        found: Vec<Range<usize>>,
    },
}

/// Hits as rows, grouped by file in the order the files were first found.
#[derive(Clone, Debug, Default)]
pub struct HitList {
    hits: Vec<Hit>,
    rows: Vec<HitRow>,
    greatest_line: usize,
}

impl HitList {
    /// Groups hits. The query is marked in the snippets wherever it stands as it is, in upper or lower case.
    pub fn of(hits: Vec<Hit>, query: &str) -> Self {
        let mut files: Vec<(&str, Vec<usize>)> = Vec::new();
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, hit) in hits.iter().enumerate() {
            let file = *known.entry(&hit.path).or_insert(files.len());
            match files.get_mut(file) {
                Some((_, lines)) => lines.push(index),
                None => files.push((&hit.path, vec![index])),
            }
        }
        let mut rows = Vec::with_capacity(hits.len() + files.len());
        for (path, lines) in &files {
            rows.push(HitRow::File {
                path: visible::line(path),
                hits: lines.len(),
            });
            for (index, hit) in lines.iter().filter_map(|i| Some((*i, hits.get(*i)?))) {
                let (start, left) = cut(hit.snippet.trim(), LONGEST);
                let mark = if left > 0 { "…" } else { "" };
                let text = format!("{}{mark}", visible::line(start));
                let found = occurrences(&text, query);
                rows.push(HitRow::Line {
                    hit: index,
                    text,
                    found,
                });
            }
        }
        let greatest_line = hits.iter().map(|hit| hit.line).max().unwrap_or(0);
        Self {
            hits,
            rows,
            greatest_line,
        }
    }

    /// The rows, from top to bottom.
    pub fn rows(&self) -> &[HitRow] {
        &self.rows
    }

    /// A hit by its number in the rows.
    pub fn hit(&self, index: usize) -> Option<&Hit> {
        self.hits.get(index)
    }

    /// The greatest line number.
    pub fn greatest_line(&self) -> usize {
        self.greatest_line
    }
}

/// Where a query stands in a text, without overlap; the letters A to Z match in either case.
fn occurrences(text: &str, query: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut free = 0;
    if query.is_empty() {
        return found;
    }
    for (at, _) in text.char_indices() {
        let end = at + query.len();
        let here = text.get(at..end);
        if at >= free && here.is_some_and(|part| part.eq_ignore_ascii_case(query)) {
            found.push(at..end);
            free = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(path: &str, line: usize, snippet: &str) -> Hit {
        Hit {
            path: path.into(),
            line,
            snippet: snippet.into(),
        }
    }

    #[test]
    fn hits_are_grouped_by_file_and_keep_their_order() {
        let hits = vec![
            hit("b.rs", 7, "  parse"),
            hit("a.rs", 1, "x"),
            hit("b.rs", 9, "y"),
        ];
        let list = HitList::of(hits, "PARSE");
        let drawn: Vec<_> = (list.rows().iter())
            .map(|row| match row {
                HitRow::File { path, hits } => format!("{path} {hits}"),
                HitRow::Line { hit, text, found } => {
                    format!("{}: {text} {found:?}", list.hit(*hit).unwrap().line)
                }
            })
            .collect();
        assert_eq!(
            drawn,
            ["b.rs 2", "7: parse [0..5]", "9: y []", "a.rs 1", "1: x []"]
        );
        assert_eq!(list.greatest_line(), 9);
    }

    #[test]
    fn the_query_is_found_in_any_script_without_overlap() {
        assert_eq!(occurrences("aaa", "aa"), vec![0..2]);
        assert_eq!(occurrences("日期 Date 日期", "日期"), vec![0..6, 12..18]);
        assert!(occurrences("abc", "").is_empty());
    }
}
