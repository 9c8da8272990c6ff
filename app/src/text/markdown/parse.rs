//! Turns one segment into blocks.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::Range;

use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag, TagEnd};

use super::block::{Block, BlockKind, Inline, Span};
use super::build::Builder;
use super::segment::Segment;

/// The most definitions that are remembered.
const MOST_DEFINITIONS: usize = 1000;

/// Where the labels lead that were defined so far (`[label]: address`).
#[derive(Debug, Default)]
pub(super) struct Definitions(HashMap<String, String>);

impl Definitions {
    /// Adds these; the first of a label holds.
    pub(super) fn extend(&mut self, new: Vec<(String, String)>) {
        for (label, target) in new {
            if self.0.len() < MOST_DEFINITIONS {
                self.0.entry(label.to_lowercase()).or_insert(target);
            }
        }
    }
}

/// What a segment is made of.
pub(super) struct Parsed {
    /// Its blocks in order.
    pub(super) blocks: Vec<Block>,
    /// The labels it defines and where they lead.
    pub(super) definitions: Vec<(String, String)>,
}

/// Parses a segment. `whole` says that nothing will be added to it.
pub(super) fn parse(text: &str, segment: &Segment, known: &Definitions, whole: bool) -> Parsed {
    let rows = text.get(segment.range.clone()).unwrap_or_default();
    let lead = text.get(segment.lead.clone()).unwrap_or_default();
    let joined = (!lead.is_empty()).then(|| format!("{lead}{rows}"));
    let source = joined.as_deref().unwrap_or(rows);
    let known = |link: BrokenLink<'_>| {
        let target = known.0.get(&link.reference.to_lowercase())?;
        Some((CowStr::from(target.clone()), CowStr::from("")))
    };
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS | Options::ENABLE_STRIKETHROUGH;
    let parser = Parser::new_with_broken_link_callback(source, options, Some(known));
    let mut found = definitions(&parser, source);
    let mut blocks = blocks(parser, source, whole);
    let new = (found.iter())
        .map(|definition| (definition.label.clone(), definition.target.clone()))
        .collect();
    blocks.extend(found.drain(..).map(Definition::into_block));
    blocks.sort_by_key(|(at, _)| at.start);
    let blocks = (blocks.into_iter().enumerate())
        .map(|(number, (at, mut kind))| {
            if let (Some(first), BlockKind::List(list)) = (segment.number, &mut kind)
                && segment.continues
                && number == 0
            {
                list.start = Some(first);
            }
            Block {
                id: id(
                    segment.range.start,
                    number,
                    source.get(at).unwrap_or_default(),
                ) ^ u64::from(open(&kind)),
                continues: segment.continues && number == 0,
                kind,
            }
        })
        .collect();
    Parsed {
        blocks,
        definitions: new,
    }
}

/// The id of a block by where its segment starts, its number in it, and its content.
pub(super) fn id(start: usize, number: usize, source: &str) -> u64 {
    let mut hash = DefaultHasher::new();
    hash.write_usize(start);
    hash.write_usize(number);
    hash.write(source.as_bytes());
    hash.finish()
}

fn open(kind: &BlockKind) -> bool {
    match kind {
        BlockKind::Code(code) => !code.closed,
        BlockKind::Quote(blocks) => blocks.last().is_some_and(open),
        BlockKind::List(list) => (list.items.last())
            .and_then(|item| item.blocks.last())
            .is_some_and(open),
        _ => false,
    }
}

/// A label and where it leads, which a reader sees as it was written.
struct Definition {
    label: String,
    target: String,
    at: Range<usize>,
    source: String,
}

impl Definition {
    fn into_block(self) -> (Range<usize>, BlockKind) {
        let target = self.target.as_str();
        let link = (target.starts_with("http://") || target.starts_with("https://"))
            .then(|| self.source.split_once(target))
            .flatten();
        let span = |text: &str, link: Option<&str>| {
            Inline::Text(Span {
                text: text.to_owned(),
                link: link.map(Into::into),
                ..Span::default()
            })
        };
        let text = match link {
            Some((before, after)) => vec![
                span(before, None),
                span(target, Some(target)),
                span(after, None),
            ],
            None => vec![span(&self.source, None)],
        };
        (self.at, BlockKind::Paragraph(text))
    }
}

fn definitions<'a, F: pulldown_cmark::BrokenLinkCallback<'a>>(
    parser: &Parser<'a, F>,
    source: &str,
) -> Vec<Definition> {
    (parser.reference_definitions().iter())
        .map(|(label, definition)| Definition {
            label: label.to_owned(),
            target: definition.dest.to_string(),
            at: definition.span.clone(),
            source: (source.get(definition.span.clone()))
                .unwrap_or_default()
                .trim()
                .to_owned(),
        })
        .collect()
}

/// The blocks of the outermost level, with where each stands.
fn blocks<'a, F: pulldown_cmark::BrokenLinkCallback<'a>>(
    parser: Parser<'a, F>,
    source: &str,
    whole: bool,
) -> Vec<(Range<usize>, BlockKind)> {
    let mut builder = Builder::default();
    let mut blocks: Vec<(Range<usize>, BlockKind)> = Vec::new();
    let mut depth = 0_usize;
    let mut outer = 0..0;
    for (event, at) in parser.into_offset_iter() {
        if depth == 0 {
            outer = at.clone();
        }
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(TagEnd::CodeBlock) => {
                depth = depth.saturating_sub(1);
                builder.close_code(whole || closed(source, &at));
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Event::Start(Tag::Item | Tag::TableCell) = &event {
            builder.flush();
        }
        builder.event(event);
        if depth == 0 {
            builder.flush();
            blocks.extend(builder.take().into_iter().map(|kind| (outer.clone(), kind)));
        }
    }
    blocks
}

/// Whether the end of a code block has been seen: something follows it, or its last line is a fence.
fn closed(source: &str, at: &Range<usize>) -> bool {
    if !source.get(at.end..).unwrap_or_default().trim().is_empty() {
        return true;
    }
    let code = source.get(at.clone()).unwrap_or_default().trim_end();
    let (first, rest) = code.split_once('\n').unwrap_or((code, ""));
    let mark = first.trim_start().chars().next().unwrap_or(' ');
    let last = rest.rsplit('\n').next().unwrap_or_default();
    let fence = last.trim_start_matches([' ', '\t', '>']);
    matches!(mark, '`' | '~') && fence.len() >= 3 && fence.chars().all(|c| c == mark)
}
