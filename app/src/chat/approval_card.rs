//! The card that asks: what will happen, where, the whole of it, and the keys that answer.
//!
//! Typing can never approve: the card takes the focus only when nothing is being typed, and a key or a click in the
//! first moments after it appeared does nothing.

use eframe::egui::{
    CornerRadius, Event, EventFilter, Frame, Id, Key, Modifiers, Rect, Role, Sense, Shadow, Stroke,
    Ui, WidgetInfo, vec2,
};
use wisp_engine::protocol::{ApprovalId, ApprovalRequest, Decision};

use super::card_parts::{content, foot, head};
use super::composer;
use super::words::title_of_card;
use crate::commands::UiCommand;
use crate::state::approvals::{KEY_GUARD, Pending};
use crate::state::draft::Draft;
use crate::text::visible;
use crate::theme::style::CARD_CORNER;
use crate::widgets::modal;
use crate::window::scene::{Scene, again_in};

/// What is only on screen of it.
#[derive(Default)]
pub(super) struct CardView {
    /// The question on screen, and when it appeared.
    shown: Option<(ApprovalId, f64)>,
    /// Someone asked for the focus.
    pub(super) wants_focus: bool,
    /// Whether the card or a part of it has the focus.
    pub(super) has_focus: bool,
    pub(super) details: bool,
    /// The reason being written.
    pub(super) reason: Option<String>,
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
pub(super) enum Act {
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
    if view.has_focus && view.reason.is_none() && !modal::lies_over(ui) {
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
    let mut within = ui.memory(|memory| memory.has_focus(id));
    Frame::new()
        .fill(palette.card)
        .stroke(Stroke::new(if focused { 1.5 } else { 1.0 }, stroke))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .shadow(shadow)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            head(ui, scene, view, pending, &mut act);
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
