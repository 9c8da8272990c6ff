//! What an approval card is put together from: its head, its content, the line that answers.

use eframe::egui::{
    Align, Frame, Id, Key, Label, Layout, Margin, RichText, Role, ScrollArea, TextEdit, Ui,
    WidgetInfo, vec2,
};
use wisp_engine::protocol::{ApprovalRequest, Detail, DetailLabel};

use super::approval_card::{Act, CardView};
use super::words::{label_of_detail, title_of_card, waited};
use crate::i18n::fill;
use crate::state::approvals::Pending;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon, of_tool};
use crate::theme::style::{META, ROW, TEXT};
use crate::widgets::button::{Button, Kind, icon_button};
use crate::widgets::diff_view;
use crate::window::scene::Scene;

/// Of the window's height a card's content takes at most this share; more of it is scrolled.
const SHARE: f32 = 0.4;
/// The same when details are open.
const SHARE_OPEN: f32 = 0.62;

pub(super) fn head(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &CardView,
    pending: &Pending,
    act: &mut Option<Act>,
) {
    let (palette, words) = (scene.palette, &scene.words.card);
    let request = &pending.request;
    Frame::new()
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), 24.0),
                Layout::right_to_left(Align::Center),
                |ui| {
                    ui.spacing_mut().item_spacing.x = 8.0;
                    let all = scene.state.approvals.all().len();
                    if all > 1 {
                        if icon_button(
                            ui,
                            palette,
                            Icon::ChevronDown,
                            scene.words.settings.card_others,
                        )
                        .clicked()
                        {
                            *act = Some(Act::Next);
                        }
                        let n = scene.state.approvals.position(&request.id).unwrap_or(1);
                        let text = fill(
                            words.position,
                            &[("n", &n.to_string()), ("m", &all.to_string())],
                        );
                        ui.label(RichText::new(text).size(META).color(palette.text_dim));
                    }
                    let time = waited(scene.words, pending.at, scene.today);
                    let text = fill(words.waits, &[("time", &time)]);
                    ui.label(RichText::new(text).size(META).color(palette.text_faint));
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.label(icon(of_tool(&request.tool), 16.0, palette.attention));
                        let title = title_of_card(scene.words, &request.tool);
                        ui.label(
                            RichText::new(title)
                                .font(fonts::semibold(TEXT))
                                .color(palette.text),
                        );
                        target_ui(ui, scene, view, pending);
                    });
                },
            );
        });
}

/// The room for the counts of changed lines, in points.
const COUNTS: f32 = 90.0;

/// What it is about, as it is called within the session's folder; the whole path stands below.
fn target_ui(ui: &mut Ui, scene: &Scene<'_>, view: &CardView, pending: &Pending) {
    let palette = scene.palette;
    let target = visible::line(&pending.request.target);
    let folder = (scene.state.sessions.summary(&pending.session))
        .and_then(|summary| summary.folder.as_deref());
    let within = folder.and_then(|folder| {
        let path = std::path::Path::new(&pending.request.target);
        let rest = path.strip_prefix(folder).ok()?;
        Some(visible::line(&rest.to_string_lossy()))
    });
    let shown = within
        .filter(|rest| !rest.is_empty())
        .unwrap_or_else(|| target.clone());
    let counted = super::body::counted(&view.content);
    let room = ui.available_width() - if counted.is_some() { COUNTS } else { 0.0 };
    ui.scope(|ui| {
        ui.set_max_width(room.max(40.0));
        let text = RichText::new(shown)
            .font(fonts::mono())
            .color(palette.text_dim);
        ui.add(Label::new(text).truncate()).on_hover_text(&target);
    });
    if let Some((added, removed)) = counted {
        diff_view::badge(ui, palette, scene.words, added, removed);
    }
}

pub(super) fn content(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut CardView,
    request: &ApprovalRequest,
) {
    let palette = scene.palette;
    let share = if view.details { SHARE_OPEN } else { SHARE };
    let height = ui.ctx().content_rect().height() * share;
    let facts = request.details.iter().filter_map(|detail| match detail {
        Detail::Fact { label, value } => Some((*label, value)),
        _ => None,
    });
    let rows: Vec<_> = facts
        .filter(|(label, _)| view.details || !matches!(label, DetailLabel::Digest))
        .collect();
    super::body::card_content(ui, scene, &mut view.content, request, height);
    Frame::new()
        .inner_margin(Margin::symmetric(12, 6))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ScrollArea::vertical()
                .id_salt("facts")
                .max_height(160.0)
                .show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 4.0;
                    let line = |ui: &mut Ui, label: &str, value: &str| {
                        ui.horizontal_wrapped(|ui| {
                            ui.label(RichText::new(label).size(ROW).color(palette.text_dim));
                            let value = visible::line(value);
                            let value =
                                RichText::new(value).font(fonts::mono()).color(palette.text);
                            ui.add(Label::new(value).wrap().selectable(true));
                        });
                    };
                    line(ui, scene.words.card.where_it_is, &request.target);
                    for (label, value) in rows {
                        line(ui, label_of_detail(scene.words, label), value);
                    }
                    if view.details {
                        let text = RichText::new(visible::text(&request.sentence))
                            .size(ROW)
                            .color(palette.text_dim);
                        ui.add(Label::new(text).wrap());
                    }
                });
        });
}

/// The width from which what an approval holds for has room beside the buttons, in points; else it stands above them.
const SCOPE_BESIDE: f32 = 480.0;

pub(super) fn foot(
    ui: &mut Ui,
    scene: &Scene<'_>,
    view: &mut CardView,
    pending: &Pending,
    act: &mut Option<Act>,
    within: &mut bool,
) {
    let (palette, words) = (scene.palette, &scene.words.card);
    Frame::new()
        .inner_margin(Margin::symmetric(12, 10))
        .show(ui, |ui| {
            if view.reason.is_some() {
                explain(ui, scene, view, act, within);
                return;
            }
            let beside = ui.available_width() >= SCOPE_BESIDE;
            if !beside && !pending.answered {
                scope(ui, scene, pending);
            }
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), 36.0),
                Layout::right_to_left(Align::Center).with_main_wrap(!beside),
                |ui| {
                    if pending.answered {
                        ui.label(
                            RichText::new(words.answered)
                                .size(ROW)
                                .color(palette.text_dim),
                        );
                        return;
                    }
                    let less = if view.details {
                        words.less
                    } else {
                        words.details
                    };
                    for (label, keys, kind, what) in [
                        (words.approve, "A", Kind::Primary, Act::Approve),
                        (words.deny, "R", Kind::Plain, Act::Deny),
                        (less, "D", Kind::Plain, Act::Details),
                    ] {
                        let button = Button::new(label).keys(keys).kind(kind).show(ui, palette);
                        *within |= ui.memory(|memory| memory.has_focus(button.id));
                        if button.clicked() {
                            *act = Some(what);
                        }
                    }
                    if beside {
                        let left = Layout::left_to_right(Align::Center);
                        ui.with_layout(left, |ui| scope(ui, scene, pending));
                    }
                },
            );
        });
}

/// What an approval holds for.
fn scope(ui: &mut Ui, scene: &Scene<'_>, pending: &Pending) {
    let words = &scene.words.card;
    let text = match pending.request.tool.as_str() {
        "files_write" | "files_replace" => words.once,
        _ => words.once_place,
    };
    let text = RichText::new(text).size(META).color(scene.palette.text_dim);
    ui.add(Label::new(text).wrap());
}

/// The reason for a no, which the model reads.
fn explain(
    ui: &mut Ui,
    scene: &Scene<'_>,
    view: &mut CardView,
    act: &mut Option<Act>,
    within: &mut bool,
) {
    let (palette, words) = (scene.palette, &scene.words.card);
    let Some(reason) = &mut view.reason else {
        return;
    };
    let mut leave = false;
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), 36.0),
        Layout::right_to_left(Align::Center),
        |ui| {
            if Button::new(words.send_denial).show(ui, palette).clicked() {
                *act = Some(Act::Deny);
            }
            leave = Button::new(scene.words.common.cancel)
                .kind(Kind::Quiet)
                .show(ui, palette)
                .clicked();
            let id = Id::unique("reason");
            let field = TextEdit::singleline(reason)
                .id(id)
                .hint_text(words.why)
                .desired_width(f32::INFINITY);
            let field = ui.add(field);
            field.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, words.why));
            *within = true;
            if !field.has_focus() && !field.lost_focus() {
                field.request_focus();
            }
            if field.lost_focus() {
                leave |= ui.input(|input| input.key_pressed(Key::Escape));
                if ui.input(|input| input.key_pressed(Key::Enter)) {
                    *act = Some(Act::Deny);
                }
            }
        },
    );
    if leave {
        view.reason = None;
        view.wants_focus = true;
    }
}
