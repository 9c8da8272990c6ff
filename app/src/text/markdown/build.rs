//! Puts a parser's events together to blocks.

use std::sync::Arc;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Tag, TagEnd};

use super::block::{Align, BlockKind, Inline, Item, List, Span, Style, Table};
use super::code::{Code, CodeText};
use super::{fence, links};

/// Lists and quotes within each other deeper than this are shown on this level.
const DEEPEST: usize = 16;

/// A block that holds others.
enum Frame {
    Quote(Vec<BlockKind>),
    List(List),
    Item(Item),
    Table(Table, Vec<Vec<Inline>>),
    /// Too deep: what is in it belongs to the next one out.
    Flat,
}

/// Takes events and makes blocks.
#[derive(Default)]
pub(super) struct Builder {
    done: Vec<BlockKind>,
    stack: Vec<Frame>,
    inlines: Vec<Inline>,
    /// A line end that is a space unless both sides are of a script without spaces.
    soft: bool,
    strong: usize,
    emphasis: usize,
    strike: usize,
    link: Option<Arc<str>>,
    /// The picture whose words are being read, and how deep in it.
    image: Option<(Arc<str>, String, usize)>,
    /// The code block being read, without its text, and its text.
    code: Option<(Code, String)>,
    html: Option<String>,
}

impl Builder {
    /// The finished blocks of the outermost level.
    pub(super) fn take(&mut self) -> Vec<BlockKind> {
        std::mem::take(&mut self.done)
    }

    /// Says whether the code block that ends now has seen its end.
    pub(super) fn close_code(&mut self, closed: bool) {
        if let Some((code, _)) = &mut self.code {
            code.closed = closed;
        }
    }

    /// Takes the next event.
    pub(super) fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => self.styled(&text, Style::CODE),
            Event::Html(html) => self.raw(&html),
            Event::InlineHtml(html) => self.inline_html(&html),
            Event::SoftBreak => self.soft = true,
            Event::HardBreak => self.line_break(),
            Event::Rule => self.block(BlockKind::Rule),
            Event::TaskListMarker(done) => {
                if let Some(Frame::Item(item)) = self.stack.last_mut() {
                    item.task = Some(done);
                }
            }
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::BlockQuote(_) => self.open(Frame::Quote(Vec::new())),
            Tag::List(start) => self.open(Frame::List(List {
                start,
                tight: true,
                items: Vec::new(),
            })),
            Tag::Item => self.open(Frame::Item(Item::default())),
            Tag::Paragraph => {
                self.flush();
                if let [.., Frame::List(list), Frame::Item(_)] = self.stack.as_mut_slice() {
                    list.tight = false;
                }
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                let language = match kind {
                    CodeBlockKind::Fenced(info) => fence::language(&info).to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                let code = Code {
                    language,
                    ..Code::default()
                };
                self.code = Some((code, String::new()));
            }
            Tag::HtmlBlock => {
                self.flush();
                self.html = Some(String::new());
            }
            Tag::Table(aligns) => {
                let aligns = aligns.into_iter().map(align).collect();
                let table = Table {
                    aligns,
                    ..Table::default()
                };
                self.open(Frame::Table(table, Vec::new()));
            }
            Tag::Emphasis => self.emphasis += 1,
            Tag::Strong => self.strong += 1,
            Tag::Strikethrough => self.strike += 1,
            Tag::Link { dest_url, .. } => self.link = Some((*dest_url).into()),
            Tag::Image { dest_url, .. } => match &mut self.image {
                Some((_, _, depth)) => *depth += 1,
                None => self.image = Some(((*dest_url).into(), String::new(), 0)),
            },
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.flush(),
            TagEnd::Heading(level) => {
                let text = self.inlines();
                self.block(BlockKind::Heading {
                    level: level as u8,
                    text,
                });
            }
            TagEnd::CodeBlock => {
                if let Some((mut code, text)) = self.code.take() {
                    code.text = CodeText::from(text.strip_suffix('\n').unwrap_or(&text));
                    self.block(BlockKind::Code(code));
                }
            }
            TagEnd::HtmlBlock => {
                if let Some(html) = self.html.take() {
                    self.block(BlockKind::Html(CodeText::from(html.trim_end())));
                }
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item | TagEnd::Table => self.close(),
            TagEnd::TableCell => {
                let cell = self.inlines();
                if let Some(Frame::Table(_, row)) = self.stack.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::TableHead => {
                if let Some(Frame::Table(table, row)) = self.stack.last_mut() {
                    table.head = std::mem::take(row);
                }
            }
            TagEnd::TableRow => {
                if let Some(Frame::Table(table, row)) = self.stack.last_mut() {
                    table.rows.push(std::mem::take(row));
                }
            }
            TagEnd::Emphasis => self.emphasis = self.emphasis.saturating_sub(1),
            TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Strikethrough => self.strike = self.strike.saturating_sub(1),
            TagEnd::Link => self.link = None,
            TagEnd::Image => self.end_image(),
            _ => {}
        }
    }

    fn end_image(&mut self) {
        match &mut self.image {
            Some((_, _, depth)) if *depth > 0 => *depth -= 1,
            _ => {
                if let Some((target, alt, _)) = self.image.take() {
                    self.space();
                    self.inlines.push(Inline::Image { target, alt });
                }
            }
        }
    }

    fn open(&mut self, frame: Frame) {
        self.flush();
        let flat = self.stack.len() >= DEEPEST && !matches!(frame, Frame::Table(..));
        self.stack.push(if flat { Frame::Flat } else { frame });
    }

    fn close(&mut self) {
        self.flush();
        match self.stack.pop() {
            Some(Frame::Quote(blocks)) => self.block(BlockKind::Quote(blocks)),
            Some(Frame::List(list)) => self.block(BlockKind::List(list)),
            Some(Frame::Table(table, _)) => self.block(BlockKind::Table(table)),
            Some(Frame::Item(item)) => match self.stack.last_mut() {
                Some(Frame::List(list)) => list.items.push(item),
                _ => (item.blocks.into_iter()).for_each(|block| self.block(block)),
            },
            Some(Frame::Flat) | None => {}
        }
    }

    fn block(&mut self, block: BlockKind) {
        if !matches!(block, BlockKind::Paragraph(_)) {
            self.flush();
        }
        let holder = (self.stack.iter_mut().rev())
            .find(|frame| !matches!(frame, Frame::Flat | Frame::Table(..)));
        match holder {
            Some(Frame::Quote(blocks)) => blocks.push(block),
            Some(Frame::Item(item)) => item.blocks.push(block),
            Some(Frame::List(list)) => list.items.push(Item {
                task: None,
                blocks: vec![block],
            }),
            _ => self.done.push(block),
        }
    }

    /// Makes a paragraph of running text that stands without one, as in items without space between them.
    pub(super) fn flush(&mut self) {
        if matches!(self.stack.last(), Some(Frame::Table(..))) {
            return;
        }
        let mut inlines = self.inlines();
        if inlines.is_empty() {
            return;
        }
        let block = match (inlines.len(), inlines.pop()) {
            (1, Some(Inline::Image { target, alt })) => BlockKind::Image { target, alt },
            (_, last) => {
                inlines.extend(last);
                BlockKind::Paragraph(inlines)
            }
        };
        self.block(block);
    }

    /// The running text so far.
    fn inlines(&mut self) -> Vec<Inline> {
        self.soft = false;
        let mut inlines = Vec::with_capacity(self.inlines.len());
        for inline in self.inlines.drain(..) {
            match inline {
                Inline::Text(span) if span.link.is_none() && !span.style.has(Style::CODE) => {
                    with_links(span, &mut inlines);
                }
                other => inlines.push(other),
            }
        }
        inlines
    }

    fn text(&mut self, text: &str) {
        if let Some((_, code)) = &mut self.code {
            code.push_str(text);
        } else if let Some(html) = &mut self.html {
            html.push_str(text);
        } else {
            self.styled(text, Style::default());
        }
    }

    fn raw(&mut self, html: &str) {
        match &mut self.html {
            Some(held) => held.push_str(html),
            None => self.styled(html, Style::CODE),
        }
    }

    fn inline_html(&mut self, html: &str) {
        let name = html.trim_start_matches('<').trim_end_matches('>');
        if name.trim_end_matches('/').trim().eq_ignore_ascii_case("br") {
            self.line_break();
        } else {
            self.styled(html, Style::CODE);
        }
    }

    fn line_break(&mut self) {
        self.soft = false;
        match &mut self.image {
            Some((_, alt, _)) => alt.push(' '),
            None => self.inlines.push(Inline::Break),
        }
    }

    fn styled(&mut self, text: &str, style: Style) {
        if let Some((_, alt, _)) = &mut self.image {
            if std::mem::take(&mut self.soft) {
                alt.push(' ');
            }
            alt.push_str(text);
            return;
        }
        if self.soft && !(ends_wide(&self.inlines) && text.starts_with(wide)) {
            self.space();
        }
        self.soft = false;
        self.push(text, style);
    }

    fn space(&mut self) {
        if std::mem::take(&mut self.soft) && !self.inlines.is_empty() {
            self.push(" ", Style::default());
        }
    }

    fn push(&mut self, text: &str, style: Style) {
        let mut style = style;
        for (count, one) in [
            (self.strong, Style::STRONG),
            (self.emphasis, Style::EMPHASIS),
            (self.strike, Style::STRIKE),
        ] {
            if count > 0 {
                style = style.with(one);
            }
        }
        if let Some(Inline::Text(last)) = self.inlines.last_mut()
            && last.style == style
            && last.link == self.link
        {
            last.text.push_str(text);
            return;
        }
        self.inlines.push(Inline::Text(Span {
            text: text.to_owned(),
            style,
            link: self.link.clone(),
        }));
    }
}

fn align(alignment: Alignment) -> Align {
    match alignment {
        Alignment::None | Alignment::Left => Align::Left,
        Alignment::Center => Align::Center,
        Alignment::Right => Align::Right,
    }
}

/// A letter of a script that writes without spaces.
fn wide(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}')
}

fn ends_wide(inlines: &[Inline]) -> bool {
    matches!(inlines.last(), Some(Inline::Text(span)) if span.text.ends_with(wide))
}

/// Cuts the addresses out of a text and makes links of them.
fn with_links(span: Span, out: &mut Vec<Inline>) {
    let mut at = 0;
    while let Some(range) = links::find(&span.text, at) {
        let part = |range| span.text.get(range).unwrap_or_default();
        let address = part(range.clone());
        if range.start > at {
            out.push(Inline::Text(Span {
                text: part(at..range.start).to_owned(),
                link: None,
                style: span.style,
            }));
        }
        out.push(Inline::Text(Span {
            text: address.to_owned(),
            link: Some(address.into()),
            style: span.style,
        }));
        at = range.end;
    }
    if at == 0 {
        out.push(Inline::Text(span));
    } else if let Some(rest) = span.text.get(at..)
        && !rest.is_empty()
    {
        out.push(Inline::Text(Span {
            text: rest.to_owned(),
            ..span.clone()
        }));
    }
}
