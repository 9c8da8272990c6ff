//! Draws the pieces of a block.

use std::sync::Arc;

use eframe::egui::{
    Align2, Color32, Id, Image, Pos2, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, Vec2, WidgetInfo,
    text::{LayoutJob, TextFormat},
};

use super::look::{MarkdownActions, MarkdownLook};
use super::prepare::{CodeRef, Piece};
use super::text::mark;
use crate::text::highlight::Spans;
use crate::text::visible;
use crate::theme::icons::Icon;
use crate::theme::{fonts, style};
use crate::widgets::code_block::{self, CodeLook, CodeView};

/// Draws one block's pieces.
pub(super) struct Painter<'a> {
    pub(super) look: &'a MarkdownLook<'a>,
    pub(super) codes: &'a [CodeRef<'a>],
    /// What is known of the codes' colours, by their number.
    pub(super) spans: &'a mut Vec<Option<Arc<Spans>>>,
    pub(super) actions: &'a mut MarkdownActions,
}

impl Painter<'_> {
    /// Draws what is in sight of these pieces, from this corner on.
    pub(super) fn pieces(&mut self, ui: &mut Ui, id: Id, corner: Pos2, pieces: &[Piece]) {
        let sight = ui.clip_rect();
        for (number, piece) in pieces.iter().enumerate() {
            let at = piece.at().translate(corner.to_vec2());
            if at.bottom() >= sight.top() && at.top() <= sight.bottom() {
                self.piece(ui, id.with(number), at, piece);
            }
        }
    }

    fn piece(&mut self, ui: &mut Ui, id: Id, at: Rect, piece: &Piece) {
        let palette = self.look.palette;
        match piece {
            Piece::Text { text, .. } => text.paint(ui, id, at.min, self.look, self.actions),
            Piece::Code { number, .. } => self.code(ui, id, at, *number),
            Piece::Bar { .. } => {
                ui.painter().rect_filled(at, 0.0, palette.line);
            }
            Piece::Dot { .. } => {
                ui.painter()
                    .circle_filled(at.center(), 2.5, palette.text_faint);
            }
            Piece::Number { text, .. } => {
                // Set as the text beside it is, so that both stand on one line.
                let format = TextFormat {
                    font_id: fonts::text(style::TEXT),
                    line_height: Some(style::TEXT_LINE),
                    color: palette.text_faint,
                    ..TextFormat::default()
                };
                let job = LayoutJob::simple_format(text.clone(), format);
                let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
                let corner = at.center() - Vec2::new(galley.size().x, 0.0);
                ui.painter().galley(corner, galley, palette.text_faint);
            }
            Piece::Task { done, .. } => self.task(ui, id, at, *done),
            Piece::Picture { target, alt, .. } => {
                if let Some(texture) = (self.look.pictures)(target) {
                    let image = Image::from_texture(&texture).corner_radius(style::CONTROL_CORNER);
                    image.paint_at(ui, at);
                    let name = visible::line(if alt.is_empty() { target } else { alt });
                    let response = ui.interact(at, id, Sense::hover());
                    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
                }
            }
            Piece::Wide { width, pieces, .. } => {
                let child = UiBuilder::new().scope_id(id).max_rect(at);
                ui.scope_builder(child, |ui| {
                    ScrollArea::horizontal().id_salt(id).show(ui, |ui| {
                        let size = Vec2::new(*width, at.height());
                        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
                        self.pieces(ui, id, rect.min, pieces);
                    });
                });
            }
        }
    }

    fn code(&mut self, ui: &mut Ui, id: Id, at: Rect, number: usize) {
        let Some(code) = self.codes.get(number) else {
            return;
        };
        let view = match code {
            CodeRef::Code(code) => {
                self.spans.resize(self.spans.len().max(number + 1), None);
                if let Some(spans @ None) = self.spans.get_mut(number)
                    && code.closed
                {
                    *spans = self
                        .look
                        .highlighter
                        .request(&code.language, code.text.as_str());
                }
                CodeView {
                    language: &code.language,
                    text: &code.text,
                    spans: self.spans.get(number).and_then(Option::as_deref),
                }
            }
            CodeRef::Html(text) => CodeView {
                language: "html",
                text,
                spans: None,
            },
        };
        let look = CodeLook {
            palette: self.look.palette,
            words: self.look.words,
        };
        self.actions.copied |= code_block::show(ui, id, at, view, look);
    }

    fn task(&self, ui: &Ui, id: Id, at: Rect, done: bool) {
        let palette = self.look.palette;
        let painter = ui.painter();
        if done {
            painter.rect_filled(at, style::STEP, palette.accent);
            let check = char::from(Icon::Check).to_string();
            let font = fonts::icons(12.0);
            mark(
                ui,
                at.center(),
                Align2::CENTER_CENTER,
                &check,
                font,
                palette.on_accent,
            );
        } else {
            let stroke = Stroke::new(1.0, palette.text_faint);
            painter.rect(
                at,
                style::STEP,
                Color32::TRANSPARENT,
                stroke,
                StrokeKind::Inside,
            );
        }
        let words = &self.look.words.markdown;
        let name = if done {
            words.task_done
        } else {
            words.task_open
        };
        let response = ui.interact(at, id, Sense::hover());
        response.widget_info(|| WidgetInfo::selected(Role::CheckBox, false, done, name));
    }
}
