//! A piece of running text: laid out as one, selectable, with links that can be focused.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::{
    Align2, Color32, CursorIcon, FontId, Galley, Id, Pos2, Rect, Role, Sense, Stroke, Ui, Vec2,
    WidgetInfo,
    text::{LayoutJob, TextFormat},
    text_selection::LabelSelectionState,
};

use super::look::{MarkdownActions, MarkdownLook};
use crate::i18n::fill;
use crate::text::markdown::{Inline, Span, Style};
use crate::text::visible;
use crate::theme::{fonts, style};

/// The white space at both sides of code within text, in points.
const CODE_PADDING: f32 = 4.0;

/// How a piece of text is set where nothing else is said.
#[derive(Clone, Copy, Debug)]
pub(super) struct Set {
    /// In points.
    pub(super) size: f32,
    /// In points.
    pub(super) line: f32,
    pub(super) strong: bool,
    pub(super) color: Color32,
}

/// Text ready to be laid out.
pub(super) struct TextPiece {
    job: LayoutJob,
    links: Vec<Link>,
    /// The characters that are code.
    grounds: Vec<Range<usize>>,
}

struct Link {
    chars: Range<usize>,
    name: String,
    target: Arc<str>,
}

impl TextPiece {
    /// Text that wraps at this width.
    pub(super) fn new(inlines: &[Inline], set: Set, width: f32, look: &MarkdownLook<'_>) -> Self {
        let mut piece = Self {
            job: LayoutJob::default(),
            links: Vec::new(),
            grounds: Vec::new(),
        };
        piece.job.wrap.max_width = width;
        let mut at = 0;
        let mut padding = 0.0;
        for inline in inlines {
            match inline {
                Inline::Text(span) => {
                    let text = visible::answer(&span.text);
                    let count = text.chars().count();
                    let code = span.style.has(Style::CODE);
                    let leading = if code { CODE_PADDING } else { padding };
                    let leading = if at == 0 && !code { 0.0 } else { leading };
                    piece.job.append(&text, leading, format(span, set, look));
                    if code {
                        piece.grounds.push(at..at + count);
                    }
                    if let Some(target) = &span.link {
                        piece.link(at..at + count, text, target);
                    }
                    at += count;
                    padding = if code { CODE_PADDING } else { 0.0 };
                }
                Inline::Break => {
                    piece.job.append("\n", 0.0, plain(set));
                    at += 1;
                    padding = 0.0;
                }
                Inline::Image { target, alt } => {
                    let text = outside(target, alt, look);
                    at += text.chars().count();
                    let set = Set {
                        color: look.palette.text_faint,
                        ..set
                    };
                    piece.job.append(&text, padding, plain(set));
                    padding = 0.0;
                }
            }
        }
        piece
    }

    /// The same text wrapped at another width, in points.
    pub(super) fn wrap_at(&mut self, width: f32) {
        self.job.wrap.max_width = width;
    }

    /// Its size as it wraps now.
    pub(super) fn size(&self, ui: &Ui) -> Vec2 {
        self.galley(ui).size()
    }

    fn galley(&self, ui: &Ui) -> Arc<Galley> {
        ui.fonts_mut(|fonts| fonts.layout_job(self.job.clone()))
    }

    /// Neighbours with one target, as bold within a link makes them, are one link.
    fn link(&mut self, chars: Range<usize>, name: String, target: &Arc<str>) {
        match self.links.last_mut() {
            Some(last) if last.chars.end == chars.start && last.target == *target => {
                last.chars.end = chars.end;
                last.name.push_str(&name);
            }
            _ => self.links.push(Link {
                chars,
                name,
                target: target.clone(),
            }),
        }
    }

    /// Draws it at this place.
    pub(super) fn paint(
        &self,
        ui: &Ui,
        id: Id,
        at: Pos2,
        look: &MarkdownLook<'_>,
        actions: &mut MarkdownActions,
    ) {
        let galley = self.galley(ui);
        for chars in &self.grounds {
            for rect in rects(&galley, chars) {
                let rect = rect
                    .translate(at.to_vec2())
                    .expand2([CODE_PADDING - 1.0, -1.0].into());
                ui.painter()
                    .rect_filled(rect, style::STEP, look.palette.code);
            }
        }
        let marks: Vec<_> = (self.links.iter())
            .map(|link| (link, rects(&galley, &link.chars)))
            .collect();
        selectable(ui, id, at, galley, look.palette.text);
        for (number, (link, rects)) in marks.into_iter().enumerate() {
            link.show(ui, id.with(number), at, &rects, look, actions);
        }
    }
}

impl Link {
    fn show(
        &self,
        ui: &Ui,
        id: Id,
        at: Pos2,
        rects: &[Rect],
        look: &MarkdownLook<'_>,
        actions: &mut MarkdownActions,
    ) {
        let mut response: Option<eframe::egui::Response> = None;
        for (row, rect) in rects.iter().enumerate() {
            let rect = rect.translate(at.to_vec2());
            // One stop for the Tab key, however many rows it has.
            let sense = if row == 0 {
                Sense::click()
            } else {
                Sense::CLICK
            };
            let part = ui.interact(rect, id.with(row), sense);
            if row == 0 {
                part.widget_info(|| WidgetInfo::labeled(Role::Link, ui.is_enabled(), &self.name));
            }
            response = Some(match response {
                Some(whole) => whole | part,
                None => part,
            });
        }
        let Some(response) = response else { return };
        if response.hovered() || response.has_focus() {
            for rect in rects {
                let rect = rect.translate(at.to_vec2());
                let y = rect.bottom() - 2.0;
                ui.painter()
                    .hline(rect.x_range(), y, Stroke::new(1.0, look.palette.accent));
                if response.has_focus() {
                    ui.painter().rect_stroke(
                        rect.expand2([2.0, 0.0].into()),
                        style::STEP,
                        Stroke::new(1.0, look.palette.accent),
                        eframe::egui::StrokeKind::Outside,
                    );
                }
            }
        }
        if response.clicked() {
            actions.open_link = Some(self.target.to_string());
        }
        response
            .on_hover_cursor(CursorIcon::PointingHand)
            .on_hover_text(visible::line(&self.target));
    }
}

/// Draws text that can be selected, and read by a screen reader.
pub(crate) fn selectable(ui: &Ui, id: Id, at: Pos2, galley: Arc<Galley>, color: Color32) {
    let rect = Rect::from_min_size(at, galley.size());
    let sense = Sense::click_and_drag() - Sense::FOCUSABLE;
    let response = ui.interact(rect, id, sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, ui.is_enabled(), galley.text()));
    LabelSelectionState::label_text_selection(ui, &response, at, galley, color, Stroke::NONE);
}

/// Draws text that belongs to the frame and not to what is read: numbers, names of languages.
pub(crate) fn mark(ui: &Ui, at: Pos2, anchor: Align2, text: &str, font: FontId, color: Color32) {
    ui.painter().text(at, anchor, text, font, color);
}

/// What stands for a picture that isn't shown.
pub(super) fn outside(target: &str, alt: &str, look: &MarkdownLook<'_>) -> String {
    let address = visible::line(target);
    let text = fill(
        look.words.markdown.picture_outside,
        &[("address", &address)],
    );
    if alt.trim().is_empty() {
        text
    } else {
        format!("{} ({text})", visible::answer(alt))
    }
}

fn plain(set: Set) -> TextFormat {
    TextFormat {
        font_id: if set.strong {
            fonts::semibold(set.size)
        } else {
            fonts::text(set.size)
        },
        line_height: Some(set.line),
        color: set.color,
        ..TextFormat::default()
    }
}

fn format(span: &Span, set: Set, look: &MarkdownLook<'_>) -> TextFormat {
    let strong = set.strong || span.style.has(Style::STRONG);
    let slanted = span.style.has(Style::EMPHASIS);
    let mut format = plain(Set { strong, ..set });
    if span.style.has(Style::CODE) {
        // A heading's code is as large as the heading.
        format.font_id.family = fonts::mono().family;
        format.font_id.size = set.size - 1.0;
    } else if slanted && !strong {
        format.font_id = fonts::italic(set.size);
    }
    format.italics = slanted && (strong || span.style.has(Style::CODE));
    if span.link.is_some() {
        format.color = look.palette.accent;
    }
    if span.style.has(Style::STRIKE) {
        format.strikethrough = Stroke::new(1.0, format.color);
    }
    format
}

/// Where these characters stand, a rectangle a row.
fn rects(galley: &Galley, chars: &Range<usize>) -> Vec<Rect> {
    let mut found = Vec::new();
    let mut at = 0;
    for row in &galley.rows {
        let count = row.glyphs.len();
        let first = chars.start.saturating_sub(at).min(count);
        let last = chars.end.saturating_sub(at).min(count);
        let glyphs = row.glyphs.get(first..last).unwrap_or_default();
        if let (Some(left), Some(right)) = (glyphs.first(), glyphs.last()) {
            let y = row.pos.y;
            found.push(Rect::from_min_max(
                Pos2::new(row.pos.x + left.pos.x, y),
                Pos2::new(
                    row.pos.x + right.pos.x + right.advance_width,
                    y + row.size.y,
                ),
            ));
        }
        at += count + usize::from(row.ends_with_newline);
        if at >= chars.end {
            break;
        }
    }
    found
}
