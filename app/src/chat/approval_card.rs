//! The card that asks: what will happen, where, the whole of it, and the keys that answer.
//!
//! Typing can never approve: the card takes the focus only when nothing is being typed, and a key or a click in the
//! first moments after it appeared does nothing.

use eframe::egui::{
    Align, CornerRadius, Event, EventFilter, Frame, Id, Key, Label, Layout, Margin, Modifiers,
    Rect, RichText, Role, ScrollArea, Sense, Shadow, Stroke, TextEdit, Ui, WidgetInfo, vec2,
};
use wisp_engine::protocol::{ApprovalId, ApprovalRequest, Decision, Detail};

use super::composer;
use super::words::{label_of_detail, title_of_card, waited};
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::state::approvals::{KEY_GUARD, Pending};
use crate::state::draft::Draft;
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon, of_tool};
use crate::theme::style::{CARD_CORNER, META, ROW, TEXT};
use crate::widgets::button::{Button, Kind, icon_button};
use crate::window::scene::{Scene, again_in};

/// Of the window's height a card's content takes at most this share; more of it is scrolled.
const SHARE: f32 = 0.4;
/// The same when details are open.
const SHARE_OPEN: f32 = 0.62;

/// What is only on screen of it.
#[derive(Default)]
pub(super) struct CardView {
    /// The question on screen, and when it appeared.
    shown: Option<(ApprovalId, f64)>,
    /// Someone asked for the focus.
    pub(super) wants_focus: bool,
    /// Whether the card or a part of it has the focus.
    pub(super) has_focus: bool,
    details: bool,
    /// The reason being written.
    reason: Option<String>,
    pub(super) content: super::body::CardContent,
}

impl std::fmt::Debug for CardView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CardView")
            .field("shown", &self.shown)
            .finish_non_exhaustive()
    }
}

impl CardView {
    pub(super) fn is_shown(&self) -> bool {
        self.shown.is_some()
    }
}

/// What a key on the card does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Approve,
    Deny,
    Explain,
    Details,
    Next,
    Previous,
    Leave,
}

/// Draws the first question of the session on screen.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut CardView, draft: &Draft) {
    let pending = (scene.state.current.as_ref()).and_then(|id| scene.state.approvals.of(id));
    let Some(pending) = pending.cloned() else {
        if view.shown.take().is_some() && view.has_focus {
            ui.memory_mut(|memory| memory.request_focus(composer::id()));
        }
        view.has_focus = false;
        view.reason = None;
        return;
    };
    appear(ui, scene, view, &pending, draft);
    let id = card_id(&pending.request.id);
    let guarded = view
        .shown
        .as_ref()
        .is_some_and(|(_, since)| scene.now - since < KEY_GUARD);
    if guarded {
        again_in(ui.ctx(), KEY_GUARD);
    }
    let mut act = None;
    if view.has_focus && view.reason.is_none() {
        act = key(ui, guarded || pending.answered);
    }
    let focused = view.has_focus;
    let clicked = draw(ui, scene, view, &pending, id, focused);
    let act = act.or(clicked.filter(|_| !guarded));
    if let Some(act) = act {
        carry_out(ui, scene, view, &pending, act);
    }
    again_in(
        ui.ctx(),
        if scene.today.saturating_sub(pending.at) < 60_000 {
            1.0
        } else {
            60.0
        },
    );
}

fn card_id(approval: &ApprovalId) -> Id {
    Id::unique(("approval", approval))
}

/// A card that has just appeared takes the focus when nothing is being typed.
fn appear(ui: &Ui, scene: &Scene<'_>, view: &mut CardView, pending: &Pending, draft: &Draft) {
    let id = &pending.request.id;
    let new = view.shown.as_ref().is_none_or(|(shown, _)| shown != id);
    let had_focus = view.has_focus;
    if new {
        view.shown = Some((id.clone(), scene.now));
        view.details = false;
        view.reason = None;
        view.content = super::body::CardContent::default();
    }
    let focus = ui.memory(eframe::egui::Memory::focused);
    let nothing_typed = draft.is_empty() && focus.is_none_or(|focused| focused == composer::id());
    let wanted = std::mem::take(&mut view.wants_focus);
    if wanted || (new && (nothing_typed || had_focus)) {
        ui.memory_mut(|memory| memory.request_focus(card_id(id)));
    }
}

/// The key that was pressed on the card. While it is guarded keys are taken and do nothing.
fn key(ui: &mut Ui, guarded: bool) -> Option<Act> {
    let mut act = None;
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Key {
                key,
                pressed: true,
                repeat,
                modifiers,
                ..
            } = event
            else {
                return !matches!(event, Event::Text(_));
            };
            let bare = *modifiers == Modifiers::NONE;
            let this = match key {
                Key::A if bare => Act::Approve,
                Key::R if bare => Act::Deny,
                Key::R if modifiers.matches_exact(Modifiers::SHIFT) => Act::Explain,
                Key::D if bare => Act::Details,
                Key::ArrowDown if bare => Act::Next,
                Key::ArrowUp if bare => Act::Previous,
                Key::Escape if bare => Act::Leave,
                _ => return true,
            };
            let harmless = matches!(this, Act::Leave | Act::Details | Act::Next | Act::Previous);
            if !repeat && (!guarded || harmless) {
                act.get_or_insert(this);
            }
            false
        });
    });
    act
}

fn carry_out(ui: &Ui, scene: &mut Scene<'_>, view: &mut CardView, pending: &Pending, act: Act) {
    let decide = |scene: &mut Scene<'_>, decision| {
        scene.send(UiCommand::Decide {
            session: pending.session.clone(),
            approval: pending.request.id.clone(),
            decision,
        });
    };
    match act {
        Act::Approve => decide(scene, Decision::Approve),
        Act::Deny => {
            let reason = view.reason.take().map(|reason| reason.trim().to_owned());
            let reason = reason.filter(|reason| !reason.is_empty());
            decide(scene, Decision::Deny { reason });
            ui.memory_mut(|memory| memory.request_focus(card_id(&pending.request.id)));
        }
        Act::Explain => view.reason = Some(String::new()),
        Act::Details => view.details = !view.details,
        Act::Next | Act::Previous => {
            let next = scene
                .state
                .approvals
                .neighbour(&pending.request.id, act == Act::Next);
            if let Some(next) = next.map(|next| next.request.id.clone()) {
                scene.send(UiCommand::ShowApproval(next));
            }
        }
        Act::Leave => ui.memory_mut(|memory| memory.request_focus(composer::id())),
    }
}

/// Draws the card. Gives what was clicked.
fn draw(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut CardView,
    pending: &Pending,
    id: Id,
    focused: bool,
) -> Option<Act> {
    let palette = scene.palette;
    let stroke = if focused {
        palette.accent
    } else {
        palette.line
    };
    let shadow = Shadow {
        offset: [0, 4],
        blur: 16,
        spread: 0,
        color: palette.shadow,
    };
    // The card itself takes the focus; it is there before its parts, so that Tab goes through them in order.
    let place = ui.available_rect_before_wrap();
    let rect = Rect::from_min_size(place.min, vec2(place.width(), 44.0));
    let card = ui.interact(rect, id, Sense::focusable_noninteractive());
    card.widget_info(|| WidgetInfo::labeled(Role::Group, true, name(scene, &pending.request)));
    ui.ctx()
        .accesskit_node_builder(id, |node| node.set_role(Role::Group));
    ui.memory_mut(|memory| {
        if memory.has_focus(id) {
            let filter = EventFilter {
                tab: false,
                horizontal_arrows: true,
                vertical_arrows: true,
                escape: true,
            };
            memory.set_focus_lock_filter(id, filter);
        }
    });
    let mut act = None;
    let mut within = card.has_focus();
    Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(if focused { 1.5 } else { 1.0 }, stroke))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .shadow(shadow)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            head(ui, scene, pending, &mut act);
            content(ui, scene, view, &pending.request);
            foot(ui, scene, view, pending, &mut act, &mut within);
        });
    ui.add_space(8.0);
    view.has_focus = within;
    act
}

/// The card's name for those who hear it.
fn name(scene: &Scene<'_>, request: &ApprovalRequest) -> String {
    format!(
        "{}: {} {}",
        scene.words.card.label,
        title_of_card(scene.words, &request.tool),
        visible::line(&request.target)
    )
}

fn head(ui: &mut Ui, scene: &mut Scene<'_>, pending: &Pending, act: &mut Option<Act>) {
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
                        if icon_button(ui, palette, Icon::ChevronDown, scene.words.chat.to_end)
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
                        let target = visible::line(&request.target);
                        let text = RichText::new(&target)
                            .font(fonts::mono())
                            .color(palette.text_dim);
                        ui.add(Label::new(text).truncate()).on_hover_text(&target);
                    });
                },
            );
        });
}

fn content(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut CardView, request: &ApprovalRequest) {
    let palette = scene.palette;
    let share = if view.details { SHARE_OPEN } else { SHARE };
    let height = ui.ctx().content_rect().height() * share;
    let facts = request.details.iter().filter_map(|detail| match detail {
        Detail::Fact { label, value } => Some((*label, value)),
        _ => None,
    });
    let rows: Vec<_> = facts
        .filter(|(label, _)| {
            view.details || !matches!(label, wisp_engine::protocol::DetailLabel::Digest)
        })
        .collect();
    super::body::card_content(ui, scene, &mut view.content, request, height);
    if rows.is_empty() && !view.details {
        return;
    }
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
                    for (label, value) in rows {
                        line(ui, label_of_detail(scene.words, label), value);
                    }
                    if view.details {
                        line(ui, scene.words.card.where_it_is, &request.target);
                        let text = RichText::new(visible::text(&request.sentence))
                            .size(ROW)
                            .color(palette.text_dim);
                        ui.add(Label::new(text).wrap());
                    }
                });
        });
}

fn foot(
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
            ui.allocate_ui_with_layout(
                vec2(ui.available_width(), 36.0),
                Layout::right_to_left(Align::Center),
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
                        *within |= button.has_focus();
                        if button.clicked() {
                            *act = Some(what);
                        }
                    }
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        let text = match pending.request.tool.as_str() {
                            "files_write" | "files_replace" => words.once,
                            _ => words.once_place,
                        };
                        let text = RichText::new(text).size(META).color(palette.text_dim);
                        ui.add(Label::new(text).wrap());
                    });
                },
            );
        });
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
