//! The message field: grows with what is typed, keeps what is typed, sends by key, and never while an input
//! method is composing.

use eframe::egui::{
    Align, CornerRadius, Event, EventFilter, Frame, Id, ImeEvent, Key, KeyboardShortcut, Label,
    Layout, Margin, Modifiers, RichText, ScrollArea, Stroke, TextEdit, Ui, vec2,
};

use crate::commands::{Command, UiCommand};
use crate::i18n::fill;
use crate::state::EngineState;
use crate::state::draft::{Draft, MAX_TYPED_BYTES};
use crate::state::preferences::SendWith;
use crate::text::listing::size;
use crate::text::visible;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, META, ROW, STEP, TEXT_LINE};
use crate::widgets::button::{Button, Kind, icon_button};
use crate::widgets::modal;
use crate::window::scene::Scene;

/// The most lines the field grows to; more are scrolled.
const MOST_LINES: f32 = 10.0;
/// How long a first Esc counts, in seconds.
const ESC_TWICE: f64 = 1.5;

/// What is only on screen of it.
#[derive(Debug)]
pub(super) struct Composer {
    pub(super) wants_focus: bool,
    pub(super) has_focus: bool,
    /// Whether an input method holds unfinished text.
    composing: bool,
    /// When Esc was pressed once.
    esc_at: Option<f64>,
}

impl Default for Composer {
    fn default() -> Self {
        Self {
            // One can type right away.
            wants_focus: true,
            has_focus: false,
            composing: false,
            esc_at: None,
        }
    }
}

/// The field's id.
pub(super) fn id() -> Id {
    Id::unique("message")
}

impl Composer {
    /// Follows the input method. Tells whether Enter belongs to it in this frame: while it composes, and in the
    /// frame in which it commits.
    fn follow_ime(&mut self, ui: &Ui) -> bool {
        let before = self.composing;
        let mut touched = false;
        ui.input(|input| {
            for event in &input.events {
                match event {
                    Event::Ime(ImeEvent::Preedit { text, .. }) => {
                        self.composing = !text.is_empty();
                        touched |= self.composing;
                    }
                    Event::Ime(ImeEvent::Commit(text)) => {
                        self.composing = false;
                        touched |= !text.is_empty();
                    }
                    _ => {}
                }
            }
        });
        before || touched || self.composing
    }
}

/// Draws the messages that wait and the field.
pub(super) fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut Composer, draft: &mut Draft) {
    queue(ui, scene);
    let palette = scene.palette;
    let stroke = if view.has_focus {
        palette.accent
    } else {
        palette.line
    };
    Frame::new()
        .fill(palette.field)
        .stroke(Stroke::new(1.0, stroke))
        .corner_radius(CornerRadius::same(CARD_CORNER))
        .inner_margin(Margin::symmetric(12, 10))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            attachments(ui, scene, draft);
            field(ui, scene, view, draft);
            ui.add_space(STEP);
            foot(ui, scene, view, draft);
        });
}

fn field(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut Composer, draft: &mut Draft) {
    let of_ime = view.follow_ime(ui);
    if view.has_focus && !modal::lies_over(ui) {
        take_long_pastes(ui, draft);
        if of_ime {
            // The key that chose the words is the input method's; the field must not take it for its own.
            ui.input_mut(|input| take_press(input, Modifiers::NONE, Key::Enter));
        } else {
            keys(ui, scene, view, draft);
        }
    }
    let words = &scene.words.chat;
    let running = scene.state.is_running();
    let hint = if running {
        words.queue_hint
    } else {
        words.message_hint
    };
    let field = ScrollArea::vertical()
        .id_salt("message-scroll")
        .max_height(MOST_LINES * TEXT_LINE)
        .show(ui, |ui| {
            let field = TextEdit::multiline(&mut draft.text)
                .id(id())
                .frame(Frame::NONE)
                .margin(Margin::ZERO)
                .desired_rows(1)
                .desired_width(f32::INFINITY)
                .hint_text(RichText::new(hint).color(scene.palette.text_faint))
                .return_key(new_line(scene))
                .event_filter(EventFilter {
                    horizontal_arrows: true,
                    vertical_arrows: true,
                    // Esc stops the run when it comes twice, so the first one must not take the keyboard away.
                    escape: true,
                    ..EventFilter::default()
                });
            ui.add(field)
        })
        .inner;
    // The field's own description is whole but for its name.
    ui.ctx()
        .accesskit_node_builder(field.id, |node| node.set_label(words.message));
    if field.changed() {
        draft.edited();
        view.esc_at = None;
    }
    if std::mem::take(&mut view.wants_focus) {
        field.request_focus();
    }
    // The window's own focus is not asked for: keys come only when it has it, and whoever drives it without a
    // keyboard gives them all the same.
    view.has_focus = ui.memory(|memory| memory.has_focus(id()));
}

/// The key that begins a new line: the one of Enter and Shift Enter that doesn't send.
fn new_line(scene: &Scene<'_>) -> KeyboardShortcut {
    let modifiers = match scene.state.preferences.send_with {
        SendWith::Enter => Modifiers::SHIFT,
        SendWith::ModEnter => Modifiers::NONE,
    };
    KeyboardShortcut::new(modifiers, Key::Enter)
}

/// A paste that is too long to be typed becomes an attachment.
fn take_long_pastes(ui: &mut Ui, draft: &mut Draft) {
    ui.input_mut(|input| {
        input.events.retain(|event| match event {
            Event::Paste(text) if text.len() + draft.text.len() > MAX_TYPED_BYTES => {
                draft.attach(text.clone());
                false
            }
            _ => true,
        });
    });
}

/// The field's own keys: sending, a new line, earlier messages, Esc twice.
fn keys(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut Composer, draft: &mut Draft) {
    let by_enter = scene.state.preferences.send_with == SendWith::Enter;
    let (plain, with_mod) = ui.input_mut(|input| {
        (
            by_enter && take_press(input, Modifiers::NONE, Key::Enter),
            take_press(input, Modifiers::COMMAND, Key::Enter),
        )
    });
    if plain || with_mod {
        scene.send(UiCommand::Send);
    }
    if draft.text.is_empty() || is_recalled(scene, draft) {
        recall(ui, scene, draft);
    }
    let running = scene.state.is_running();
    if running && ui.input_mut(|input| take_press(input, Modifiers::NONE, Key::Escape)) {
        match view.esc_at {
            Some(first) if scene.now - first <= ESC_TWICE => {
                view.esc_at = None;
                scene.run(Command::StopRun);
            }
            _ => view.esc_at = Some(scene.now),
        }
    }
}

/// Takes a key press out of the input; a key that repeats because it is held counts as none.
fn take_press(input: &mut eframe::egui::InputState, modifiers: Modifiers, key: Key) -> bool {
    let mut pressed = false;
    input.events.retain(|event| match event {
        Event::Key {
            key: this,
            pressed: true,
            repeat,
            modifiers: with,
            ..
        } if *this == key && with.matches_exact(modifiers) => {
            pressed |= !repeat;
            false
        }
        _ => true,
    });
    pressed
}

fn sent<'a>(scene: &'a Scene<'_>) -> Vec<&'a str> {
    let Some(open) = scene.state.open_session() else {
        return Vec::new();
    };
    let runs = open.transcript.runs.iter().rev();
    runs.map(|run| run.text.as_str())
        .filter(|text| !text.is_empty())
        .collect()
}

fn is_recalled(scene: &Scene<'_>, draft: &Draft) -> bool {
    draft.is_recalled() && sent(scene).contains(&draft.text.as_str())
}

fn recall(ui: &mut Ui, scene: &Scene<'_>, draft: &mut Draft) {
    let (up, down) = ui.input(|input| {
        (
            input.key_pressed(Key::ArrowUp),
            input.key_pressed(Key::ArrowDown),
        )
    });
    let bare = ui.input(|input| input.modifiers.is_none());
    if bare && (up || (down && draft.is_recalled())) && draft.recall(&sent(scene), up) {
        ui.input_mut(|input| {
            take_press(input, Modifiers::NONE, Key::ArrowUp);
            take_press(input, Modifiers::NONE, Key::ArrowDown);
        });
    }
}

/// The line below the field: hints at the left, the button at the right.
fn foot(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut Composer, draft: &Draft) {
    let (palette, words) = (scene.palette, &scene.words.chat);
    let running = scene.state.is_running();
    ui.allocate_ui_with_layout(
        vec2(ui.available_width(), 28.0),
        Layout::right_to_left(Align::Center),
        |ui| {
            let ready = scene.state.engine.is_ready();
            if running {
                if Button::new(words.stop)
                    .icon(Icon::Square)
                    .show(ui, palette)
                    .clicked()
                {
                    scene.run(Command::StopRun);
                }
                if !draft.is_empty() && Button::new(words.queue).show(ui, palette).clicked() {
                    scene.send(UiCommand::Send);
                }
            } else {
                let can = ready && !draft.is_empty();
                let kind = if can { Kind::Primary } else { Kind::Plain };
                let send = Button::new(words.send)
                    .icon(Icon::ArrowUp)
                    .kind(kind)
                    .enabled(can);
                if send.show(ui, palette).clicked() {
                    scene.send(UiCommand::Send);
                }
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let esc = view.esc_at.is_some_and(|at| scene.now - at <= ESC_TWICE);
                let (hint, colour) = match &scene.state.engine {
                    EngineState::Starting => (words.starting, palette.text_faint),
                    EngineState::Failed(_) => ("", palette.text_faint),
                    _ if esc => (words.stop_again, palette.attention),
                    _ => ("", palette.text_faint),
                };
                ui.add(Label::new(RichText::new(hint).size(META).color(colour)).truncate());
                if esc {
                    crate::window::scene::again_in(ui.ctx(), ESC_TWICE);
                }
            });
        },
    );
}

/// Long texts that were pasted.
fn attachments(ui: &mut Ui, scene: &Scene<'_>, draft: &mut Draft) {
    let (palette, words) = (scene.palette, &scene.words.chat);
    let mut removed = None;
    for (place, pasted) in draft.pasted.iter().enumerate() {
        ui.horizontal(|ui| {
            ui.label(icon(Icon::FileText, 14.0, palette.text_dim));
            let label = fill(
                words.attach_text,
                &[
                    ("lines", &super::words::number(pasted.lines as u64)),
                    ("size", &size(pasted.text.len() as u64)),
                ],
            );
            ui.label(RichText::new(label).size(ROW).color(palette.text_dim));
            if icon_button(ui, palette, Icon::X, words.remove).clicked() {
                removed = Some(place);
            }
        });
    }
    if let Some(place) = removed {
        draft.pasted.remove(place);
    }
}

/// Messages that wait for the run's end.
fn queue(ui: &mut Ui, scene: &mut Scene<'_>) {
    let Some(open) = scene.state.open_session() else {
        return;
    };
    let (palette, words) = (scene.palette, &scene.words.chat);
    let queue: Vec<String> = (open.queue.iter())
        .map(|message| visible::line(super::message::head(message, 400)))
        .collect();
    for (place, message) in queue.iter().enumerate() {
        ui.allocate_ui_with_layout(
            vec2(ui.available_width(), 28.0),
            Layout::right_to_left(Align::Center),
            |ui| {
                if Button::new(words.send_now)
                    .kind(Kind::Quiet)
                    .show(ui, palette)
                    .clicked()
                {
                    scene.send(UiCommand::SendQueuedNow(place));
                }
                if Button::new(words.edit)
                    .kind(Kind::Quiet)
                    .show(ui, palette)
                    .clicked()
                {
                    scene.send(UiCommand::Unqueue(place));
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.label(icon(Icon::Clock, 13.0, palette.text_faint));
                    ui.label(
                        RichText::new(words.queued)
                            .size(META)
                            .color(palette.text_faint),
                    );
                    let text = RichText::new(message).size(ROW).color(palette.text_dim);
                    ui.add(Label::new(text).truncate());
                });
            },
        );
    }
}
