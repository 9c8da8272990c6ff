//! A text that is being changed: the field, its line numbers, and the question when somebody else was quicker.

use eframe::egui::{
    CornerRadius, EventFilter, Frame, Id, Label, Margin, Pos2, Rect, RichText, ScrollArea,
    TextEdit, Ui, UiBuilder,
    text::{CCursor, CCursorRange, LayoutJob, TextFormat},
    text_edit::{TextEditOutput, TextEditState},
};
use wisp_engine::protocol::TabId;

use crate::commands::{TabCommand, UiCommand};
use crate::state::tabs::{FileTab, Save};
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, CODE_LINE, ROW, STEP};
use crate::widgets::button::{Button, Kind};
use crate::window::scene::Scene;

/// The largest text that can be changed, in bytes: the field lays out a paragraph again with every key, and looks
/// through all of it.
pub const EDIT_BYTES: usize = 500_000;

/// Draws it. `reader`: where in the text the reader was, in bytes, for when it begins. `focus`: gives it the
/// keyboard.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    id: &TabId,
    file: &mut FileTab,
    reader: usize,
    focus: bool,
) {
    let name = file.name().to_owned();
    let Some(edit) = &mut file.edit else { return };
    if let Save::Conflict(on_disk) = &edit.save {
        conflict(ui, scene, id, on_disk.is_some());
    }
    let palette = scene.palette;
    let lines = edit.text.matches('\n').count() + 1;
    let digits = lines.checked_ilog10().map_or(1, |log| log + 1).max(3);
    let column = ui.fonts_mut(|fonts| fonts.glyph_width(&fonts::mono(), '0'));
    #[expect(clippy::cast_precision_loss, reason = "a handful of digits")]
    let gutter = 3.0 * STEP + (digits + 2) as f32 * column;
    let field = Id::unique(("editor", id));
    if TextEdit::load_state(ui.ctx(), field).is_none() {
        let before = edit.text.get(..reader).unwrap_or_default();
        let mut state = TextEditState::default();
        let cursor = CCursor::new(before.chars().count());
        state.cursor.set_char_range(Some(CCursorRange::one(cursor)));
        state.store(ui.ctx(), field);
    }
    let mut layouter = |ui: &Ui, text: &dyn eframe::egui::TextBuffer, _wrap: f32| {
        let format = TextFormat {
            font_id: fonts::mono(),
            line_height: Some(CODE_LINE),
            color: palette.text,
            ..TextFormat::default()
        };
        let mut job = LayoutJob::single_section(text.as_str().to_owned(), format);
        job.wrap.max_width = f32::INFINITY;
        ui.fonts_mut(|fonts| fonts.layout_job(job))
    };
    let area = ui.available_rect_before_wrap();
    ui.painter().rect_filled(area, 0, palette.code);
    let beside = area.with_min_x(area.left() + gutter);
    let mut inner = ui.new_child(UiBuilder::new().max_rect(beside));
    let room = beside.size();
    let output = ScrollArea::both()
        .id_salt(("editor", id))
        .auto_shrink(false)
        .show(&mut inner, |ui| {
            let output = TextEdit::multiline(&mut edit.text)
                .id(field)
                .frame(Frame::NONE)
                .margin(Margin::ZERO)
                .min_size(room)
                .desired_width(f32::INFINITY)
                .layouter(&mut layouter)
                .event_filter(EventFilter {
                    tab: true,
                    horizontal_arrows: true,
                    vertical_arrows: true,
                    ..EventFilter::default()
                })
                .show(ui);
            let response = &output.response.response;
            ui.ctx()
                .accesskit_node_builder(response.id, |node| node.set_label(name));
            if response.changed() {
                edit.look();
            }
            if focus {
                response.request_focus();
            }
            output
        })
        .inner;
    numbers(
        ui,
        scene,
        &output,
        area.with_max_x(beside.left()),
        digits as usize,
    );
    ui.advance_cursor_after_rect(area);
}

/// The numbers of the lines in sight, at the left.
fn numbers(ui: &Ui, scene: &Scene<'_>, output: &TextEditOutput, area: Rect, digits: usize) {
    let painter = ui.painter().with_clip_rect(ui.clip_rect().intersect(area));
    let color = scene.palette.text_faint;
    let mut line = 1;
    for row in &output.galley.rows {
        let top = output.galley_pos.y + row.pos.y;
        if top > area.bottom() {
            break;
        }
        if top + CODE_LINE >= area.top() {
            let number = format!("{line:>digits$}");
            let galley = painter.layout_no_wrap(number, fonts::mono(), color);
            let down = (CODE_LINE - galley.size().y) / 2.0;
            let at = Pos2::new(area.left() + 3.0 * STEP, top + down);
            painter.galley(at, galley, color);
        }
        line += usize::from(row.ends_with_newline);
    }
}

/// The file has changed on the disk: whose text is to stay.
fn conflict(ui: &mut Ui, scene: &mut Scene<'_>, id: &TabId, is_there: bool) {
    let (palette, words) = (scene.palette, &scene.words.preview);
    let tab = |command: fn(TabId) -> TabCommand| UiCommand::Tab(command(id.clone()));
    Frame::new()
        .inner_margin(Margin::symmetric(12, 4))
        .show(ui, |ui| {
            Frame::new()
                .fill(palette.card)
                .stroke(eframe::egui::Stroke::new(1.0, palette.attention))
                .corner_radius(CornerRadius::same(CARD_CORNER))
                .inner_margin(Margin::symmetric(12, 8))
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    ui.horizontal(|ui| {
                        ui.spacing_mut().item_spacing.x = 2.0 * STEP;
                        ui.label(icon(Icon::TriangleAlert, 16.0, palette.attention));
                        let text = if is_there {
                            words.conflict
                        } else {
                            words.conflict_gone
                        };
                        let text = RichText::new(text).size(ROW).color(palette.text);
                        ui.add(Label::new(text).wrap());
                    });
                    ui.add_space(2.0 * STEP);
                    ui.horizontal_wrapped(|ui| {
                        ui.spacing_mut().item_spacing = [2.0 * STEP, STEP].into();
                        let cancel = Button::new(scene.words.common.cancel).kind(Kind::Primary);
                        if cancel.show(ui, palette).clicked() {
                            scene.send(tab(TabCommand::PutOff));
                        }
                        let over = Button::new(words.write_over)
                            .kind(Kind::Danger)
                            .enabled(is_there);
                        if over.show(ui, palette).clicked() {
                            scene.send(tab(TabCommand::WriteOver));
                        }
                        let theirs = Button::new(words.take_theirs).kind(Kind::Danger);
                        if theirs.show(ui, palette).clicked() {
                            scene.send(tab(TabCommand::TakeTheirs));
                        }
                    });
                });
        });
}
