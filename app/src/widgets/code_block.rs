//! A block of code: its language, a button that copies it, and the lines in sight.
//!
//! It is shown at its full height, so that the wheel always moves the page and never gets caught in a block;
//! lines out of sight cost nothing. Lines don't wrap; the block scrolls sideways.

use eframe::egui::{
    Align2, CursorIcon, Id, Pos2, Rect, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, UiBuilder,
    Vec2, WidgetInfo,
    text::{LayoutJob, TextFormat},
};

use crate::i18n::{Words, fill};
use crate::text::highlight::{Piece, Spans, Token};
use crate::text::markdown::CodeText;
use crate::text::visible;
use crate::theme::icons::Icon;
use crate::theme::tokens::Palette;
use crate::theme::{fonts, style};
use crate::widgets::markdown::{mark, selectable};
use crate::widgets::number::{float, times};

/// The white space at the sides and below, in points.
const PADDING: f32 = 3.0 * style::STEP;
/// The height of the line with language and button, in points.
const HEADER: f32 = 36.0;
/// The lines laid out as one, so that what is selected stays selected while scrolling.
const LINES: usize = 16;
/// A line is cut after this many characters.
const LONGEST_LINE: usize = 2000;
/// The longest name of a language that is shown, in characters.
const LONGEST_NAME: usize = 40;
/// How long the button says that it has copied, in seconds.
const COPIED: f64 = 1.5;

/// A code to show.
#[derive(Clone, Copy)]
pub struct CodeView<'a> {
    /// Its language; empty when it has none.
    pub language: &'a str,
    /// The code.
    pub text: &'a CodeText,
    /// The colours of its lines, when they are known.
    pub spans: Option<&'a Spans>,
}

/// What it is shown with.
#[derive(Clone, Copy)]
pub struct CodeLook<'a> {
    /// The colours.
    pub palette: &'a Palette,
    /// The words.
    pub words: &'a Words,
}

/// The height of a block of so many lines, in points.
pub fn height(lines: usize) -> f32 {
    HEADER + float(lines) * style::CODE_LINE + PADDING
}

/// Draws a code into a rectangle of its full height. Gives whether it was copied just now.
pub fn show(ui: &mut Ui, id: Id, at: Rect, code: CodeView<'_>, look: CodeLook<'_>) -> bool {
    let palette = look.palette;
    ui.painter()
        .rect_filled(at, style::CARD_CORNER, palette.code);
    let name = if code.language.is_empty() {
        look.words.markdown.code_text.to_owned()
    } else {
        visible::line(&code.language.chars().take(LONGEST_NAME).collect::<String>())
    };
    let middle = at.min + Vec2::new(PADDING, HEADER / 2.0);
    mark(
        ui,
        middle,
        Align2::LEFT_CENTER,
        &name,
        fonts::text(style::META),
        palette.text_faint,
    );
    let copied = copy_button(ui, id.with("copy"), at, code, look);
    let body = Rect::from_min_max(
        at.min + Vec2::new(PADDING, HEADER),
        at.max - Vec2::new(PADDING, 0.0),
    );
    let child = UiBuilder::new().scope_id(id.with("body")).max_rect(body);
    ui.scope_builder(child, |ui| {
        let area = ScrollArea::horizontal().id_salt("lines").auto_shrink(false);
        area.show(ui, |ui| lines(ui, id, code, look));
    });
    copied
}

fn copy_button(ui: &Ui, id: Id, at: Rect, code: CodeView<'_>, look: CodeLook<'_>) -> bool {
    let palette = look.palette;
    let middle = Pos2::new(at.right() - PADDING - 8.0, at.top() + HEADER / 2.0);
    let rect = Rect::from_center_size(middle, Vec2::splat(style::CONTROL));
    let response = ui.interact(rect, id, Sense::click());
    let words = look.words;
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Button, ui.is_enabled(), words.markdown.copy_code)
    });
    let now = ui.input(|input| input.time);
    let clicked = response.clicked();
    if clicked {
        ui.copy_text(code.text.as_str().to_owned());
        ui.data_mut(|data| data.insert_temp(id, now));
    }
    let since = ui
        .data(|data| data.get_temp::<f64>(id))
        .map(|then| now - then);
    let done = since.is_some_and(|since| since < COPIED);
    if done {
        let left = COPIED - since.unwrap_or_default();
        ui.request_repaint_after(std::time::Duration::from_secs_f64(left.max(0.0)));
    }
    if response.hovered() || response.has_focus() {
        ui.painter()
            .rect_filled(rect, style::CONTROL_CORNER, palette.control);
    }
    if response.has_focus() {
        let stroke = Stroke::new(1.0, palette.accent);
        ui.painter()
            .rect_stroke(rect, style::CONTROL_CORNER, stroke, StrokeKind::Inside);
    }
    let (icon, color) = if done {
        (Icon::Check, palette.good)
    } else {
        (Icon::Copy, palette.text_dim)
    };
    let icon = char::from(icon).to_string();
    mark(
        ui,
        rect.center(),
        Align2::CENTER_CENTER,
        &icon,
        fonts::icons(14.0),
        color,
    );
    let hint = if done {
        words.common.copied
    } else {
        words.markdown.copy_code
    };
    response
        .on_hover_cursor(CursorIcon::PointingHand)
        .on_hover_text(hint);
    clicked
}

fn lines(ui: &mut Ui, id: Id, code: CodeView<'_>, look: CodeLook<'_>) {
    let cell = ui.fonts_mut(|fonts| fonts.glyph_width(&fonts::mono(), '0'));
    // A line that is cut says so in some more characters.
    let cells = code.text.widest().min(LONGEST_LINE + 60);
    let size = Vec2::new(
        float(cells) * cell + PADDING,
        float(code.text.lines()) * style::CODE_LINE,
    );
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let sight = ui.clip_rect();
    let chunk = float(LINES) * style::CODE_LINE;
    let number = |y: f32| times(y - rect.top(), chunk);
    for number in number(sight.top())..=number(sight.bottom()) {
        let first = number * LINES;
        if first >= code.text.lines() {
            break;
        }
        let last = (first + LINES).min(code.text.lines());
        let job = job(code, first..last, look);
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job));
        let at = rect.min + Vec2::new(0.0, float(number) * chunk);
        selectable(ui, id.with(number), at, galley, look.palette.text);
    }
}

fn job(code: CodeView<'_>, lines: std::ops::Range<usize>, look: CodeLook<'_>) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.wrap.max_width = f32::INFINITY;
    let palette = look.palette;
    let format = |color| TextFormat {
        font_id: fonts::mono(),
        line_height: Some(style::CODE_LINE),
        color,
        ..TextFormat::default()
    };
    for number in lines.clone() {
        if number > lines.start {
            job.append("\n", 0.0, format(palette.text));
        }
        let whole = code.text.line(number);
        let end = (whole.char_indices().nth(LONGEST_LINE)).map_or(whole.len(), |(end, _)| end);
        let line = whole.get(..end).unwrap_or_default();
        let pieces = code.spans.map_or(&[][..], |spans| spans.line(number));
        for (text, token) in parts(line, pieces) {
            let text = visible::answer(text);
            job.append(&text, 0.0, format(color(token, palette)));
        }
        if end < whole.len() {
            let rest = whole.get(end..).unwrap_or_default().chars().count();
            let text = fill(look.words.body.long_line, &[("n", &rest.to_string())]);
            job.append(&text, 0.0, format(palette.text_faint));
        }
    }
    job
}

/// A line in parts, with what each is.
fn parts<'a>(line: &'a str, pieces: &[Piece]) -> Vec<(&'a str, Token)> {
    let mut parts = Vec::with_capacity(2 * pieces.len() + 1);
    let mut at = 0;
    for piece in pieces {
        let plain = line.get(at..piece.range.start);
        let (Some(plain), Some(text)) = (plain, line.get(piece.range.clone())) else {
            break;
        };
        parts.push((plain, Token::Plain));
        parts.push((text, piece.token));
        at = piece.range.end;
    }
    parts.push((line.get(at..).unwrap_or_default(), Token::Plain));
    parts.retain(|(text, _)| !text.is_empty());
    parts
}

/// The colour of a part of code.
pub fn color(token: Token, palette: &Palette) -> eframe::egui::Color32 {
    match token {
        Token::Plain => palette.text,
        Token::Keyword => palette.code_keyword,
        Token::String => palette.code_string,
        Token::Function | Token::Type => palette.code_function,
        Token::Number => palette.code_number,
        Token::Comment => palette.text_faint,
    }
}
