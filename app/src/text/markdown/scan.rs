//! Walks the lines of a text that grows and cuts it into segments that can be parsed by themselves.
//!
//! What is decided about a line depends on the text up to its end and on nothing after, so however the
//! text comes in, the segments are the same. Where this is unsure it cuts later, which costs time and
//! changes nothing; only what is very long is cut for its length.

use std::ops::Range;

use super::block::Block;
use super::fence::OpenFence;
use super::line::{self, Line, Marker, Opens};
use super::segment::{Part, Segment};

/// A line or a block from this length on, in bytes, is cut at the next good place.
pub(super) const LONG: usize = 8 * 1024;
/// A block of this length, in bytes, is cut at any line.
const LONGEST: usize = 8 * LONG;

#[derive(Debug, Default)]
enum State {
    /// Between blocks.
    #[default]
    Start,
    /// Running text.
    Text,
    /// Code by its indentation.
    Indented,
    Table,
    Quote,
    List(Marker),
    /// HTML up to an empty line.
    Html,
    /// HTML up to this text; the offset to which it was looked for.
    HtmlUntil(&'static str),
    Fence(Box<OpenFence>),
}

/// What stands in the present item of a list.
#[derive(Debug, Default)]
struct InItem {
    /// Whether the line before is no text that could go on outside of the item.
    bare: bool,
    /// Whether a code block is open.
    fenced: bool,
}

/// Where the walk is.
#[derive(Debug, Default)]
pub(super) struct Scan {
    state: State,
    segment: Segment,
    /// The start of the first line not walked over.
    at: usize,
    /// Up to where no line end was found after it.
    searched: usize,
    blank: bool,
    item: InItem,
    /// Whether `at` is amid a line that was cut.
    amid: bool,
    /// Lines of the present segment, and items of its list.
    lines: usize,
    items: u64,
}

impl Scan {
    /// Walks as far as it can be sure. `text` is all there is, of which what was there before is unchanged.
    pub(super) fn advance(&mut self, text: &str, out: &mut Vec<Part>) {
        loop {
            let rest = text.get(self.searched..).unwrap_or_default();
            let Some(found) = rest.find('\n') else {
                self.searched = text.len();
                let partial = text.get(self.at..).unwrap_or_default();
                if let State::Fence(fence) = &mut self.state {
                    fence.partial(self.at, partial);
                } else if partial.len() >= LONG && self.cuts() {
                    self.long_line(text, text.len(), out);
                    self.searched = self.at.max(self.searched);
                    if text.len() - self.at >= LONG {
                        continue;
                    }
                }
                return;
            };
            let end = self.searched + found;
            if end - self.at >= LONG && self.cuts() {
                self.long_line(text, end, out);
                self.searched = end;
                continue;
            }
            self.line(text, end, out);
            self.at = end + 1;
            self.searched = self.at;
            self.amid = false;
        }
    }

    /// No more text comes.
    pub(super) fn finish(&mut self) {
        if let State::Fence(fence) = &mut self.state {
            fence.close();
        }
    }

    /// The block at the end when it is one that grows in place.
    pub(super) fn open_block(&self) -> Option<&Block> {
        match &self.state {
            State::Fence(fence) => Some(fence.block()),
            _ => None,
        }
    }

    /// What is not in any part yet.
    pub(super) fn tail(&self, text: &str) -> Part {
        let mut segment = self.segment.clone();
        segment.range.end = text.len();
        if matches!(self.state, State::Start) {
            segment.range.start = self.at;
        }
        self.part(segment, text)
    }

    fn cuts(&self) -> bool {
        !matches!(self.state, State::Fence(_) | State::HtmlUntil(_))
    }

    /// Cuts a line that is too long before `end`, at a space if one is near.
    fn long_line(&mut self, text: &str, end: usize, out: &mut Vec<Part>) {
        let line = text.get(self.at..end).unwrap_or_default();
        let head = line
            .get(..line.floor_char_boundary(LONG))
            .unwrap_or_default();
        if !self.amid {
            let mut line = line::read(head);
            // What is one line, or needs its end to be known, is text when it is as long as this.
            if !matches!(
                line.opens,
                Opens::Quote | Opens::Item(_) | Opens::Html { .. }
            ) {
                line.opens = Opens::Text;
            }
            self.enter(text, self.at, self.at + head.len(), line, out);
        }
        let space = head.rfind(' ').map_or(0, |space| space + 1);
        let cut = self.at + if space > LONG / 2 { space } else { head.len() };
        self.emit(text, cut, out);
        self.begin(cut, State::Text);
        self.segment.continues = true;
        self.at = cut;
        self.amid = true;
    }

    fn line(&mut self, text: &str, end: usize, out: &mut Vec<Part>) {
        let start = self.at;
        let content = text.get(start..end).unwrap_or_default();
        match &mut self.state {
            State::Fence(fence) => {
                if fence.line(start, content)
                    && let State::Fence(fence) = std::mem::take(&mut self.state)
                {
                    out.push(Part::Block(fence.into_block()));
                    self.begin(end + 1, State::Start);
                }
            }
            State::HtmlUntil(close) => {
                if contains(content, close) {
                    self.emit(text, end, out);
                    self.begin(end + 1, State::Start);
                } else if end - self.segment.range.start >= LONGEST {
                    let close = *close;
                    self.emit(text, end, out);
                    self.begin(end + 1, State::HtmlUntil(close));
                    self.segment.continues = true;
                }
            }
            _ if self.amid => {}
            _ => self.enter(text, start, end, line::read(content), out),
        }
    }

    /// Takes a line outside of code and raw HTML.
    fn enter(
        &mut self,
        text: &str,
        start: usize,
        end: usize,
        mut line: Line<'_>,
        out: &mut Vec<Part>,
    ) {
        let blank = std::mem::take(&mut self.blank);
        if let Opens::Dash(marker) = line.opens {
            let item = blank || matches!(self.state, State::Start | State::List(_));
            line.opens = if item {
                Opens::Item(marker)
            } else {
                Opens::Underline
            };
        }
        let line = &line;
        if line.opens == Opens::Blank {
            self.blank = true;
            if matches!(self.state, State::Html | State::Quote | State::Table) {
                self.emit(text, start, out);
                self.begin(end + 1, State::Start);
            }
            return;
        }
        if self.ends_before(start, blank, line) {
            let goes_on = self.goes_on(blank, line);
            let table = goes_on && matches!(self.state, State::Table);
            let number = self.next_number(line);
            let head = if self.segment.lead.is_empty() {
                self.head(text)
            } else {
                self.segment.lead.clone()
            };
            self.emit(text, start, out);
            self.begin(start, if table { State::Table } else { State::Start });
            self.segment.number = number;
            self.segment.continues = goes_on;
            if table {
                self.segment.lead = head;
                self.lines = 2;
            }
        }
        self.lines += 1;
        self.look_for_text(text.get(start..end).unwrap_or_default(), line);
        match (&self.state, &line.opens) {
            (State::Start, _) => self.open(text, start, end, line, out),
            (State::List(marker), Opens::Item(item)) if line.indent < marker.content => {
                self.state = State::List(*item);
                self.items += 1;
            }
            (State::Text, _) if self.lines == 2 && !blank && self.is_table(text, start, end) => {
                self.state = State::Table;
            }
            (State::Text, Opens::Underline | Opens::Rule { underline: true }) if !blank => {
                self.emit(text, end, out);
                self.begin(end + 1, State::Start);
            }
            _ => {}
        }
    }

    /// Remembers whether a line is text, which the next line may go on with from outside of an item.
    fn look_for_text(&mut self, content: &str, line: &Line<'_>) {
        let item = matches!(line.opens, Opens::Item(_));
        let content = content.trim_start_matches(|c: char| {
            c.is_whitespace() || (item && ("-*+.)".contains(c) || c.is_ascii_digit()))
        });
        let fence = content.starts_with("```") || content.starts_with("~~~");
        let ends = match &self.state {
            State::List(marker) => item && line.indent < marker.content,
            _ => item,
        };
        self.item.fenced = (self.item.fenced && !ends) ^ fence;
        self.item.bare =
            fence || self.item.fenced || content.is_empty() || content.starts_with('#');
    }

    /// Whether the present segment ends before this line, which is not empty.
    fn ends_before(&self, start: usize, blank: bool, line: &Line<'_>) -> bool {
        let length = start - self.segment.range.start;
        match &self.state {
            State::Start | State::Fence(_) | State::HtmlUntil(_) => false,
            State::Html => length >= LONGEST,
            State::Indented => length >= LONG || line.indent < 4,
            State::List(marker) => {
                let outside = line.indent < marker.content && line.indent < 4;
                let long = length >= LONG && outside;
                length >= LONGEST
                    || match &line.opens {
                        Opens::Item(item) => outside && (item.kind != marker.kind || long),
                        Opens::Text
                        | Opens::Underline
                        | Opens::Dash(_)
                        | Opens::Blank
                        | Opens::Html { interrupts: false } => {
                            outside && (blank || long || self.item.bare)
                        }
                        _ => outside,
                    }
            }
            State::Text | State::Table | State::Quote => {
                let quote = matches!(self.state, State::Quote);
                let running = matches!(self.state, State::Text);
                length >= LONG
                    || (blank && line.indent < 4)
                    || match &line.opens {
                        Opens::Fence(..) | Opens::Heading | Opens::HtmlUntil(_) => true,
                        Opens::Quote => !quote,
                        Opens::Rule { underline } => quote || !underline,
                        Opens::Html { interrupts } => *interrupts,
                        Opens::Item(marker) => !running || marker.interrupts(),
                        Opens::Text | Opens::Underline | Opens::Dash(_) | Opens::Blank => false,
                    }
            }
        }
    }

    /// Opens a segment with this line.
    fn open(&mut self, text: &str, start: usize, end: usize, line: &Line<'_>, out: &mut Vec<Part>) {
        self.segment.range.start = start;
        self.lines = 1;
        if line.indent >= 4 {
            self.state = State::Indented;
            return;
        }
        match &line.opens {
            Opens::Fence(fence, info) => {
                let code = OpenFence::new(*fence, info, end + 1);
                self.state = State::Fence(Box::new(code));
            }
            Opens::Heading | Opens::Rule { .. } => {
                self.emit(text, end, out);
                self.begin(end + 1, State::Start);
            }
            Opens::Quote => self.state = State::Quote,
            Opens::Html { .. } => self.state = State::Html,
            Opens::HtmlUntil(close) => {
                let content = text.get(start..end).unwrap_or_default();
                self.state = State::HtmlUntil(close);
                // The opening `<!--` holds no `-->`, but `<!-->` does.
                if contains(content, close) {
                    self.emit(text, end, out);
                    self.begin(end + 1, State::Start);
                }
            }
            Opens::Item(marker) => {
                self.state = State::List(*marker);
                self.items = 1;
                self.segment.number = self.segment.number.or(marker.number);
            }
            Opens::Text | Opens::Underline | Opens::Dash(_) | Opens::Blank => {
                self.state = State::Text;
            }
        }
    }

    /// Whether this line belongs to the present segment, which ends before it only for its length.
    fn goes_on(&self, blank: bool, line: &Line<'_>) -> bool {
        let same = match (&self.state, &line.opens) {
            (State::List(marker), Opens::Item(item)) => item.kind == marker.kind,
            (State::List(_), Opens::Text) => line.indent > 0,
            (State::Quote, opens) => *opens == Opens::Quote,
            (State::Text | State::Table | State::Html | State::Indented, opens) => {
                matches!(opens, Opens::Text | Opens::Underline)
            }
            _ => false,
        };
        same && !blank
    }

    /// The number that an item has which goes on with the present list after a cut.
    fn next_number(&self, line: &Line<'_>) -> Option<u64> {
        match (&self.state, &line.opens) {
            (State::List(marker), Opens::Item(item)) if item.kind == marker.kind => {
                Some(self.segment.number?.saturating_add(self.items))
            }
            _ => None,
        }
    }

    /// The first two lines of the present segment.
    fn head(&self, text: &str) -> Range<usize> {
        let start = self.segment.range.start;
        let lines = text.get(start..self.at).unwrap_or_default();
        let length = lines
            .split_inclusive('\n')
            .take(2)
            .map(str::len)
            .sum::<usize>();
        start..start + length
    }

    fn is_table(&self, text: &str, start: usize, end: usize) -> bool {
        let row = text.get(start..end).unwrap_or_default().trim();
        let head = text
            .get(self.segment.range.start..start)
            .unwrap_or_default();
        row.contains('-')
            && (row.contains('|') || head.contains('|'))
            && columns(row) == columns(head.trim())
            && row.bytes().all(|byte| b"|-: \t".contains(&byte))
    }

    fn begin(&mut self, start: usize, state: State) {
        self.segment = Segment {
            range: start..start,
            ..Segment::default()
        };
        self.state = state;
        self.lines = 0;
        self.items = 0;
        self.item.fenced = false;
    }

    fn emit(&mut self, text: &str, end: usize, out: &mut Vec<Part>) {
        let mut segment = self.segment.clone();
        segment.range.end = end;
        out.push(self.part(segment, text));
    }

    fn part(&self, segment: Segment, text: &str) -> Part {
        if matches!(self.state, State::HtmlUntil(_)) {
            Part::html(&segment, text)
        } else {
            Part::Segment(segment)
        }
    }
}

fn contains(line: &str, close: &str) -> bool {
    line.as_bytes()
        .windows(close.len())
        .any(|window| window.eq_ignore_ascii_case(close.as_bytes()))
}

/// How many columns a row of a table has.
fn columns(row: &str) -> usize {
    let row = row.strip_prefix('|').unwrap_or(row);
    row.strip_suffix('|').unwrap_or(row).split('|').count()
}
