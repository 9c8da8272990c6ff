//! The page: what Wisp is, and the two ways on.

use eframe::egui::{
    Align, Label, Layout, RichText, Role, Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

use super::connect::{self, ConnectView};
use crate::commands::UiCommand;
use crate::i18n::fill;
use crate::settings::{language, theme};
use crate::state::{EngineState, Page};
use crate::text::visible;
use crate::theme::fonts;
use crate::theme::icons::{Icon, icon};
use crate::theme::style::{CARD_CORNER, ROW, ROW_LINE, STEP, TEXT, TEXT_LINE, TITLE};
use crate::window::page;
use crate::window::scene::Scene;

/// The width of the page's column, in points.
const WIDTH: f32 = 520.0;
/// The room inside a row, in points.
const INSIDE: f32 = 14.0;
/// Where a row's words begin, in points.
const WORDS: f32 = 46.0;

/// What is only on screen.
#[derive(Debug, Default)]
pub struct WelcomeView {
    has_begun: bool,
    connect: Option<ConnectView>,
}

impl WelcomeView {
    /// The page is left: what was typed is forgotten, with the key.
    pub fn leave(&mut self) {
        *self = Self::default();
    }
}

/// Draws the page.
pub fn show(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut WelcomeView) {
    page::scrolled(ui, scene, "welcome", WIDTH, |ui, scene| {
        let words = &scene.words.welcome;
        let simulated = scene.state.engine == EngineState::Simulated;
        let room = if view.connect.is_some() { 0.06 } else { 0.14 };
        ui.add_space((ui.ctx().content_rect().height() * room).max(16.0));
        let (title, text) = if simulated {
            (words.running_title, words.running_text)
        } else {
            (words.title, words.what)
        };
        ui.label(
            RichText::new(title)
                .font(fonts::semibold(TITLE))
                .color(scene.palette.text),
        );
        let text = RichText::new(text)
            .color(scene.palette.text_dim)
            .line_height(Some(TEXT_LINE));
        ui.add(Label::new(text).wrap());
        ui.add_space(3.0 * STEP);
        simulation_row(ui, scene, view, simulated);
        model_row(ui, scene, view, simulated);
        if let Some(form) = &mut view.connect {
            connect::show(ui, scene, form);
        }
        ui.add_space(6.0 * STEP);
        language(ui, scene);
        theme(ui, scene);
    });
}

fn simulation_row(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut WelcomeView, simulated: bool) {
    let words = &scene.words.welcome;
    let entry = Entry {
        icon: Icon::FlaskConical,
        title: if simulated {
            words.go_on
        } else {
            words.simulate
        },
        text: if simulated {
            words.go_on_text
        } else {
            words.simulate_text
        },
        is_first: true,
    };
    let row = entry.show(ui, scene);
    if !std::mem::replace(&mut view.has_begun, true) {
        row.request_focus();
    }
    if row.clicked() {
        scene.send(if simulated {
            UiCommand::Show(Page::Chat)
        } else {
            UiCommand::StartEngine { simulate: true }
        });
    }
}

fn model_row(ui: &mut Ui, scene: &mut Scene<'_>, view: &mut WelcomeView, simulated: bool) {
    let words = &scene.words.welcome;
    let info = &scene.state.settings;
    let usable = info.is_usable();
    let ready = fill(
        words.model_ready,
        &[
            ("model", &visible::line(&info.model)),
            ("host", info.host.as_deref().unwrap_or_default()),
        ],
    );
    let entry = Entry {
        icon: Icon::Server,
        title: if simulated { words.leave } else { words.model },
        text: if usable { &ready } else { words.model_text },
        is_first: false,
    };
    if !entry.show(ui, scene).clicked() {
        return;
    }
    if info.broken.is_some() {
        scene.send(UiCommand::Show(Page::Settings));
    } else if !usable {
        view.connect = match view.connect.take() {
            Some(_) => None,
            None => Some(ConnectView::of(info)),
        };
    } else if scene.state.engine == EngineState::Ready {
        scene.send(UiCommand::Show(Page::Chat));
    } else {
        scene.send(UiCommand::StartEngine { simulate: false });
    }
}

/// A way on, as a large row.
struct Entry<'a> {
    icon: Icon,
    title: &'a str,
    text: &'a str,
    is_first: bool,
}

impl Entry<'_> {
    fn show(&self, ui: &mut Ui, scene: &Scene<'_>) -> eframe::egui::Response {
        let palette = scene.palette;
        let width = ui.available_width();
        let text = ui.painter().layout(
            self.text.to_owned(),
            fonts::text(ROW),
            palette.text_dim,
            width - WORDS - INSIDE,
        );
        let height = 2.0 * INSIDE + ROW_LINE + STEP + text.size().y;
        let (rect, response) = ui.allocate_exact_size(vec2(width, height), Sense::click());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Button, true, self.title);
            info.hint_text = Some(self.text.to_owned());
            info
        });
        let ground = if response.hovered() {
            palette.control
        } else {
            palette.card
        };
        let line = match (response.has_focus(), self.is_first) {
            (true, _) => Stroke::new(2.0, palette.accent),
            (false, true) => Stroke::new(1.0, palette.accent),
            (false, false) => Stroke::new(1.0, palette.line),
        };
        ui.painter()
            .rect(rect, CARD_CORNER, ground, line, StrokeKind::Inside);
        let colour = if self.is_first {
            palette.accent
        } else {
            palette.text_dim
        };
        let mark = eframe::egui::Rect::from_min_size(
            rect.min + vec2(INSIDE, INSIDE),
            vec2(WORDS - INSIDE, ROW_LINE),
        );
        let mut left = ui.new_child(
            UiBuilder::new()
                .max_rect(mark)
                .layout(Layout::left_to_right(Align::Center)),
        );
        left.label(icon(self.icon, 18.0, colour));
        let title =
            ui.painter()
                .layout_no_wrap(self.title.to_owned(), fonts::semibold(TEXT), palette.text);
        let at = pos2(rect.left() + WORDS, rect.top() + INSIDE);
        let below = at + vec2(0.0, ROW_LINE + STEP);
        ui.painter().galley(at, title, palette.text);
        ui.painter().galley(below, text, palette.text_dim);
        response
    }
}
