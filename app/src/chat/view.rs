//! The conversation as a whole: what stands where, and what of it is only on screen.

use std::collections::HashMap;

use eframe::egui::{
    Align, Frame, Layout, Margin, Panel, Rect, RichText, TextureHandle, Ui, UiBuilder, pos2,
};
use wisp_engine::protocol::{RunId, SessionId};

use super::approval_card::CardView;
use super::composer::Composer;
use super::find::FindView;
use super::list::List;
use super::message::Replies;
use super::rows::Row;
use super::{approval_card, composer, empty, find, message, navigator, top_bar};
use crate::commands::Command;
use crate::i18n::count;
use crate::state::draft::Draft;
use crate::state::sessions::OpenSession;
use crate::state::{AppState, EngineState};
use crate::theme::icons::Icon;
use crate::theme::style::{COLUMN, STEP};
use crate::widgets::button::Button;
use crate::window::scene::Scene;

/// The least room at the column's sides, in points.
pub(super) const SIDE: f32 = 24.0;
/// The narrowest column, in points.
const LEAST_COLUMN: f32 = 120.0;
/// More height than what stands below the transcript ever needs, in points.
const BOTTOM_MOST: f32 = 4_000.0;
/// Transcripts whose place and heights are kept.
const KEPT_LISTS: usize = 8;

/// What is only on screen.
#[derive(Debug, Default)]
pub struct ChatView {
    lists: HashMap<SessionId, List>,
    order: Vec<SessionId>,
    current: Option<SessionId>,
    pub(super) composer: Composer,
    pub(super) card: CardView,
    pub(super) find: FindView,
    pub(super) replies: Replies,
    /// The height of the cards and the field, in points.
    bottom: f32,
}

impl ChatView {
    /// Gives the focus to the message field.
    pub fn focus_message(&mut self) {
        self.composer.wants_focus = true;
        self.card.wants_focus = false;
    }

    /// Gives the focus to the card that asks.
    pub fn focus_card(&mut self) {
        self.card.wants_focus = true;
        self.composer.wants_focus = false;
    }

    /// Takes a picture that was read.
    pub fn put_picture(
        &mut self,
        session: SessionId,
        address: String,
        texture: Option<TextureHandle>,
    ) {
        self.replies.pictures.insert((session, address), texture);
    }

    /// Whether a card is on screen.
    pub fn card_is_shown(&self) -> bool {
        self.card.is_shown()
    }

    /// Whether the card has the focus.
    pub fn card_has_focus(&self) -> bool {
        self.card.has_focus
    }

    /// Whether the message field has the focus.
    pub fn has_focus(&self) -> bool {
        self.composer.has_focus
    }

    /// Opens the search in this session.
    pub fn open_find(&mut self) {
        self.find.open();
    }

    /// Goes to the end and follows it.
    pub fn to_end(&mut self) {
        if let Some(list) = self.list_mut() {
            list.to_end();
        }
    }

    /// Keeps what is in sight where it is while something opens or closes.
    pub fn stay(&mut self) {
        if let Some(list) = self.list_mut() {
            list.stay();
        }
    }

    /// Brings a run to the upper edge.
    pub fn scroll_to_run(&mut self, state: &AppState, run: &RunId) {
        let place = (state.open_session()).and_then(|open| {
            open.transcript
                .runs
                .iter()
                .position(|known| known.id == *run)
        });
        if let (Some(place), Some(list)) = (place, self.list_mut()) {
            list.to_row(Row::User(place));
        }
    }

    /// Goes to the run after or before the one in view.
    pub fn neighbour_run(&mut self, state: &AppState, forward: bool) {
        let runs = state
            .open_session()
            .map_or(0, |open| open.transcript.runs.len());
        let Some(list) = self.list_mut() else {
            return;
        };
        let now = list.run_in_view().unwrap_or_default();
        let next = if forward {
            now + 1
        } else {
            now.saturating_sub(1)
        };
        if next >= runs {
            list.to_end();
        } else {
            list.to_row(Row::User(next));
        }
    }

    fn list_mut(&mut self) -> Option<&mut List> {
        self.lists.get_mut(self.current.as_ref()?)
    }

    /// The list of a session, made where there is none; those used long ago go.
    fn take_list(&mut self, session: &SessionId) -> List {
        self.order.retain(|known| known != session);
        self.order.push(session.clone());
        if self.order.len() > KEPT_LISTS {
            let old = self.order.remove(0);
            self.lists.remove(&old);
        }
        if self.current.as_ref() != Some(session) {
            self.current = Some(session.clone());
            self.find.close();
        }
        self.lists.remove(session).unwrap_or_default()
    }
}

/// Draws the conversation.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut ChatView, draft: &mut Draft) {
    Panel::top("chat-top")
        .frame(Frame::new().inner_margin(Margin::symmetric(16, 8)))
        .resizable(false)
        .show_separator_line(false)
        .show(ui, |ui| top_bar::show(ui, scene));
    let width = (ui.available_width() - 2.0 * SIDE).clamp(LEAST_COLUMN, COLUMN);
    let area = ui.available_rect_before_wrap();
    let split = (area.bottom() - view.bottom).max(area.top());
    let above = Rect::from_min_max(area.min, pos2(area.right(), split));
    let mut above_ui = ui.new_child(UiBuilder::new().id_salt("above").max_rect(above));
    above_ui.shrink_clip_rect(above);
    middle(&mut above_ui, scene, view, width);
    // The cards and the field take what height they need; the room above them follows in the same frame.
    let below = Rect::from_min_max(
        pos2(area.left(), split),
        pos2(area.right(), split + BOTTOM_MOST),
    );
    let mut below_ui = ui.new_child(
        UiBuilder::new()
            .id_salt("below")
            .max_rect(below)
            .layout(Layout::top_down(Align::Min)),
    );
    in_column(&mut below_ui, width, |ui| {
        approval_card::show(ui, scene, &mut view.card, draft);
        composer::show(ui, scene, &mut view.composer, draft);
        ui.add_space(2.0 * STEP);
    });
    let height = below_ui.min_rect().height();
    if (height - view.bottom).abs() > 0.5 {
        view.bottom = height;
        ui.ctx()
            .request_discard("what stands below the conversation has another height");
    }
}

/// The transcript, or what stands in its place.
fn middle(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut ChatView, width: f32) {
    if let Some(alarm) = &scene.state.alarm {
        empty::alarm(ui, scene, &alarm.clone(), width);
    }
    if let EngineState::Failed(failure) = &scene.state.engine {
        empty::not_started(ui, scene, &failure.clone(), width);
        return;
    }
    match scene.state.current.clone() {
        None => empty::show(ui, scene, width),
        Some(session) => match scene.state.sessions.open(&session) {
            Some(open) if open.failure.is_some() => empty::failed(ui, scene, open, width),
            Some(open) if open.ready => transcript(ui, scene, view, &session, open, width),
            _ => {
                ui.centered_and_justified(|ui| {
                    ui.label(RichText::new(scene.words.chat.loading).color(scene.palette.text_dim));
                });
            }
        },
    }
}

/// Lays something out in the middle column.
pub(super) fn in_column(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        let side = ((ui.available_width() - width) / 2.0).max(0.0);
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(side);
        let room = [width, ui.available_height()].into();
        ui.allocate_ui_with_layout(room, Layout::top_down(Align::Min), |ui| {
            ui.spacing_mut().item_spacing = [2.0 * STEP, 2.0 * STEP].into();
            ui.set_width(width);
            add(ui);
        });
    });
}

fn transcript(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut ChatView,
    session: &SessionId,
    open: &OpenSession,
    width: f32,
) {
    let mut list = view.take_list(session);
    list.rows
        .update(&open.transcript, &scene.state.folds, width);
    if open.transcript.runs.is_empty() {
        empty::show(ui, scene, width);
        view.lists.insert(session.clone(), list);
        return;
    }
    if let Some(goal) = find::show(ui, scene, &mut view.find, open, width) {
        list.to_row(goal);
    }
    let area = ui.available_rect_before_wrap();
    let (replies, found) = (&mut view.replies, &view.find);
    ui.spacing_mut().item_spacing.y = 0.0;
    list.show(ui, session, width, |ui, row| {
        message::draw_row(ui, scene, replies, found, session, open, row)
    });
    let now_in_view = list.run_in_view();
    navigator::show(ui, scene, open, now_in_view, area);
    new_below(ui, scene, &mut list, area);
    view.lists.insert(session.clone(), list);
}

/// The way back down, while the reader reads above.
fn new_below(ui: &mut Ui, scene: &mut Scene<'_>, list: &mut List, area: Rect) {
    if list.at_end() {
        return;
    }
    let new = list.new_below();
    let words = &scene.words.chat;
    let label = if new == 0 {
        words.to_end.to_owned()
    } else {
        count(words.new_below_one, words.new_below_many, new)
    };
    let size = eframe::egui::vec2(160.0, 28.0);
    let place = Rect::from_center_size(pos2(area.center().x, area.bottom() - 24.0), size);
    let mut over = ui.new_child(
        UiBuilder::new()
            .max_rect(place)
            .layout(Layout::top_down(Align::Center)),
    );
    if Button::new(&label)
        .icon(Icon::ArrowDown)
        .show(&mut over, scene.palette)
        .clicked()
    {
        scene.run(Command::ToEnd);
    }
}
