//! The search in the session on screen.

use eframe::egui::{
    Align, CornerRadius, Frame, Key, Label, Layout, Margin, Modifiers, RichText, TextEdit, Ui, vec2,
};

use super::rows::Row;
use super::view::in_column;
use crate::commands::Command;
use crate::i18n::fill;
use crate::state::sessions::OpenSession;
use crate::state::transcript::Run;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CONTROL_CORNER, META};
use crate::widgets::button::icon_button;
use crate::window::scene::Scene;

/// What is searched for and where it was found.
#[derive(Debug, Default)]
pub(super) struct FindView {
    shown: bool,
    wants_focus: bool,
    words: String,
    /// For which words and which state of the transcript the hits are.
    of: (String, u64),
    /// The hits of each run, for the run's state: only what has changed is searched again.
    by_run: Vec<(u64, Vec<Row>)>,
    hits: Vec<Row>,
    at: usize,
}

impl FindView {
    pub(super) fn open(&mut self) {
        self.shown = true;
        self.wants_focus = true;
    }

    pub(super) fn close(&mut self) {
        self.shown = false;
        self.hits.clear();
        self.by_run.clear();
        self.of = (String::new(), 0);
    }

    /// Marks a row in which the words are.
    pub(super) fn mark(&self, ui: &Ui, scene: &Scene<'_>, row: Row) {
        if !self.shown || !self.hits.contains(&row) {
            return;
        }
        let current = self.hits.get(self.at) == Some(&row);
        let colour = if current {
            scene.palette.attention
        } else {
            scene.palette.line
        };
        let rect = ui.max_rect();
        let mark = eframe::egui::Rect::from_min_size(rect.min - vec2(12.0, 0.0), vec2(3.0, 24.0));
        ui.painter().rect_filled(mark, 1.5, colour);
    }
}

/// Where the words, in small letters, are in a run, without regard to case: the rows, from the top.
fn search(at: usize, run: &Run, words: &str) -> Vec<Row> {
    let has = |text: &str| text.to_lowercase().contains(words);
    let mut hits = Vec::new();
    if has(&run.text) {
        hits.push(Row::User(at));
    }
    for (number, step) in run.steps.iter().enumerate() {
        let said = has(step.reply.text());
        let mut calls = step.calls.iter();
        if said && step.calls.is_empty() {
            hits.push(Row::Reply(at, number));
        } else if said || calls.any(|call| has(&call.tool) || has(&call.arguments)) {
            hits.push(Row::Step(at, number));
        }
    }
    hits
}

/// Draws the search line when it is open. Gives the row to go to.
pub(super) fn show(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut FindView,
    open: &OpenSession,
    width: f32,
) -> Option<Row> {
    if !view.shown {
        return None;
    }
    let mut goal = None;
    in_column(ui, width, |ui| {
        let palette = scene.palette;
        Frame::new()
            .fill(palette.field)
            .corner_radius(CornerRadius::same(CONTROL_CORNER))
            .inner_margin(Margin::symmetric(8, 2))
            .show(ui, |ui| {
                ui.allocate_ui_with_layout(
                    vec2(ui.available_width(), 28.0),
                    Layout::right_to_left(Align::Center),
                    |ui| goal = line(ui, scene, view, open),
                );
            });
    });
    ui.add_space(4.0);
    goal
}

fn line(
    ui: &mut Ui,
    scene: &mut Scene<'_>,
    view: &mut FindView,
    open: &OpenSession,
) -> Option<Row> {
    let (palette, words) = (scene.palette, &scene.words.chat);
    let mut step = 0;
    if icon_button(ui, palette, Icon::X, scene.words.common.close).clicked() {
        view.close();
        return None;
    }
    if icon_button(
        ui,
        palette,
        Icon::ChevronDown,
        scene.words.commands.next_run,
    )
    .clicked()
    {
        step = 1;
    }
    if icon_button(
        ui,
        palette,
        Icon::ChevronUp,
        scene.words.commands.previous_run,
    )
    .clicked()
    {
        step = -1;
    }
    let counted = match (view.words.is_empty(), view.hits.len()) {
        (true, _) => String::new(),
        (false, 0) => words.find_none.to_owned(),
        (false, all) => fill(
            words.find_count,
            &[("n", &(view.at + 1).to_string()), ("m", &all.to_string())],
        ),
    };
    ui.label(RichText::new(counted).size(META).color(palette.text_dim));
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add(Label::new(icon(Icon::Search, 14.0, palette.text_faint)));
        let field = TextEdit::singleline(&mut view.words)
            .hint_text(words.find)
            .frame(Frame::NONE)
            .desired_width(f32::INFINITY);
        let field = ui.add(field);
        field.widget_info(|| {
            eframe::egui::WidgetInfo::labeled(eframe::egui::Role::TextInput, true, words.find)
        });
        if std::mem::take(&mut view.wants_focus) {
            field.request_focus();
        }
        // Esc has taken the focus away before the field is drawn.
        if (field.has_focus() || field.lost_focus())
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
        {
            view.close();
            scene.run(Command::FocusMessage);
        }
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            step = if ui.input(|input| input.modifiers.shift) {
                -1
            } else {
                1
            };
            field.request_focus();
        }
    });
    refresh(view, open);
    if step != 0 && !view.hits.is_empty() {
        let all = view.hits.len();
        view.at = if step > 0 {
            (view.at + 1) % all
        } else {
            (view.at + all - 1) % all
        };
        return view.hits.get(view.at).copied();
    }
    None
}

fn refresh(view: &mut FindView, open: &OpenSession) {
    let of = (view.words.clone(), open.transcript.revision);
    if !view.shown || view.of == of {
        return;
    }
    let new_words = view.of.0 != of.0;
    if new_words {
        view.by_run.clear();
    }
    let words = view.words.to_lowercase();
    let runs = &open.transcript.runs;
    let sought = if words.is_empty() { 0 } else { runs.len() };
    view.by_run.truncate(sought);
    for (at, run) in runs.iter().enumerate().take(sought) {
        match view.by_run.get_mut(at) {
            Some((revision, _)) if *revision == run.revision => {}
            Some(known) => *known = (run.revision, search(at, run, &words)),
            None => view.by_run.push((run.revision, search(at, run, &words))),
        }
    }
    let hits = view.by_run.iter().flat_map(|(_, hits)| hits);
    view.hits = hits.copied().collect();
    if new_words {
        // The newest is what one looks for most often.
        view.at = view.hits.len().saturating_sub(1);
    } else {
        view.at = view.at.min(view.hits.len().saturating_sub(1));
    }
    view.of = of;
}
