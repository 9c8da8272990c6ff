//! What eframe runs: takes in what has come, draws, and carries out what was asked for.

use eframe::egui::{self, CentralPanel, Context, Frame, Ui};
use wisp_engine::protocol::{Answer, Event, Op, SessionSummary};

use super::dialogs;
use super::frames::Frames;
use super::pages::Pages;
use super::run_command::theme_preference;
use super::scene::{self, Scene};
use super::size::SizeKeeper;
use super::views::Views;
use crate::bridge::{Job, Link, Place};
use crate::commands::{self, UiCommand};
use crate::i18n::{Language, Words};
use crate::pages::PageHost;
use crate::state::preferences::Preferences;
use crate::state::tabs::Content;
use crate::state::{AppState, EngineState, Page};
use crate::theme::fonts;
use crate::theme::style::{Look, Palettes};
use crate::theme::tokens::Contrast;
use crate::{about, chat, preview, qa_panel, settings, sidebar, welcome};

/// The narrowest window that has room for the list of sessions beside the conversation, in points. A large zoom makes
/// it narrower than the least size.
const SIDEBAR_LEAST: f32 = 480.0;

/// How the window begins.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// On the scripted model.
    pub simulate: bool,
    /// With the QA panel open.
    pub qa: bool,
    /// The folder of a new session.
    pub folder: Option<std::path::PathBuf>,
    /// Filling the screen.
    pub maximized: bool,
}

/// The window.
pub struct WindowApp {
    frames: Frames,
    pub(super) state: AppState,
    pub(super) link: Link,
    pub(super) views: Views,
    /// The window's time in this frame, in seconds.
    pub(super) now: f64,
    /// Whether a session was asked for that will be shown when it is there.
    pub(super) waits_for_new: bool,
    /// Whether the message was sent while the engine was still starting.
    pub(super) sends_when_ready: bool,
    /// Which sessions and which model the engine was last asked to start on.
    pub(super) place: Place,
    /// What is opened in a tab as soon as the session is there that it was asked for without.
    pub(super) tab_when_ready: Option<Content>,
    /// Whether the person has said that the window may close whatever is not saved.
    pub(super) may_close: bool,
    /// What carrying out a wish asks for besides.
    pub(super) wishes: Vec<UiCommand>,
    pub(super) pages: Pages,
    system_language: Language,
    palettes: Palettes,
    applied: Option<Preferences>,
    title: String,
    pub(super) size: SizeKeeper,
}

impl WindowApp {
    /// With an engine on its way.
    pub fn new(context: &Context, link: Link, start: Start) -> anyhow::Result<Self> {
        let mut app = Self::empty(context, link)?;
        app.state.new_folder = start.folder;
        app.size = SizeKeeper::new(start.maximized);
        app.views.chat.focus_message();
        if start.qa {
            app.state.page = Page::Qa;
        }
        if start.simulate || start.qa {
            app.place = Place::Simulated;
        }
        app.job(Job::Start(app.place));
        Ok(app)
    }

    /// Without an engine: it shows what it is given by [`Self::show_session`] and [`Self::follow`]. For benches.
    pub fn without_engine(context: &Context, link: Link) -> anyhow::Result<Self> {
        let mut app = Self::empty(context, link)?;
        app.state.engine = EngineState::Ready;
        app.state.sessions.loaded = true;
        Ok(app)
    }

    /// Puts a session with these events, oldest first, on screen, as when the engine has read it.
    pub fn show_session(&mut self, summary: SessionSummary, events: &[Event]) {
        self.state.current = Some(summary.id.clone());
        self.take_session(summary, events);
    }

    /// Takes an event in, as when it comes from the engine.
    pub fn follow(&mut self, event: &Event) {
        self.take_event(event);
    }

    fn empty(context: &Context, link: Link) -> anyhow::Result<Self> {
        fonts::install(context);
        Ok(Self {
            frames: Frames::from_environment(),
            state: AppState::default(),
            link,
            views: Views::default(),
            now: 0.0,
            waits_for_new: false,
            sends_when_ready: false,
            place: Place::Real,
            tab_when_ready: None,
            may_close: false,
            wishes: Vec::new(),
            pages: Pages::default(),
            system_language: Language::of_system(),
            palettes: Palettes::read(Contrast::Normal)?,
            applied: None,
            title: String::new(),
            size: SizeKeeper::default(),
        })
    }

    /// Gives it somebody who shows web pages. Without, each page says that none can be shown.
    pub fn show_pages(&mut self, host: Box<dyn PageHost>) {
        self.pages = Pages::with_host(host);
    }

    /// The state, to look at.
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// The language on screen.
    pub fn language(&self) -> Language {
        (self.state.preferences.language).map_or(self.system_language, Language::of_tag)
    }

    pub(super) fn words(&self) -> &'static Words {
        self.language().words()
    }

    /// One frame, whole: what has come, what is drawn, what was asked for.
    pub fn frame(&mut self, ui: &mut Ui) {
        let context = ui.ctx().clone();
        self.frames.tick(&context);
        self.now = context.input(|input| input.time);
        if self.take_incoming() {
            context.request_repaint();
        }
        self.follow_size(&context);
        self.apply_preferences(&context);
        self.expire_toasts();
        self.tick_qa(&context);
        let mut wishes = self.take_page_events(&context);
        self.views.preview.web.picture = self.pages.picture().cloned();
        self.views.preview.web.place = None;
        self.views.preview.page_focused = self.pages.has_focus();
        if !self.views.has_dialog() {
            let pressed = commands::pressed(&context);
            wishes.extend(pressed.into_iter().map(UiCommand::Run));
        }
        wishes.extend(self.leave_pages());
        self.take_dropped(&context);
        self.draw(ui, &mut wishes);
        for wish in wishes {
            self.run_command(&context, wish);
        }
        for wish in std::mem::take(&mut self.wishes) {
            self.run_command(&context, wish);
        }
        self.guard_close(&context);
        self.follow_session();
        self.read_tabs();
        let place = self.views.preview.web.place.clone();
        self.settle_pages(&context, place.as_ref());
        self.name_window(&context);
        if let Some(seconds) = self.state.toasts.next_change(self.now) {
            scene::again_in(&context, seconds);
        }
    }

    fn apply_preferences(&mut self, context: &Context) {
        if self.applied.as_ref() == Some(&self.state.preferences) {
            return;
        }
        let wanted = self.state.preferences.clone();
        let contrast = if wanted.high_contrast {
            Contrast::High
        } else {
            Contrast::Normal
        };
        let look = Look {
            contrast,
            still: wanted.still,
        };
        match Palettes::read(contrast) {
            Ok(palettes) => self.palettes = palettes,
            Err(error) => tracing::error!(%error, "the colours can't be read"),
        }
        self.palettes.apply(context, look);
        context.set_theme(theme_preference(wanted.theme));
        context.set_zoom_factor(wanted.zoom);
        self.applied = Some(wanted);
    }

    fn draw(&mut self, ui: &mut Ui, wishes: &mut Vec<UiCommand>) {
        let language = self.language();
        let palette = *self.palettes.of(ui.ctx().theme());
        // What the person types is theirs while the frame is drawn, and put back after it.
        let mut draft = std::mem::take(self.state.draft_mut());
        let shown = self.preview_is_shown();
        let session = self.state.current.clone();
        let of_session = session.as_ref().filter(|_| shown);
        let mut tabs =
            (of_session.and_then(|id| self.state.previews.of_mut(id))).map(std::mem::take);
        let away = (session.as_ref())
            .and_then(|id| self.state.previews.of(id))
            .is_some_and(|tabs| !tabs.is_empty());
        let away = (away && !shown) || (tabs.is_some() && !self.views.preview.is_in_front());
        let mut scene = Scene {
            preview_away: away,
            state: &self.state,
            words: language.words(),
            language,
            palette: &palette,
            commands: wishes,
            now: self.now,
            today: scene::today(),
            os: ui.ctx().os(),
        };
        let views = &mut self.views;
        views.narrow = ui.available_width() < SIDEBAR_LEAST;
        if views.shown.sidebar && !views.narrow {
            sidebar::show(ui, &mut scene, &mut views.sidebar);
        }
        let covered = preview::show(ui, &mut scene, &mut views.preview, tabs.as_mut());
        CentralPanel::no_frame()
            .frame(Frame::new().fill(palette.window))
            .show(ui, |ui| match scene.state.page {
                Page::Chat if covered => {
                    preview::show_whole(ui, &mut scene, &mut views.preview, tabs.as_mut());
                }
                Page::Chat => chat::show(ui, &mut scene, &mut views.chat, &mut draft),
                Page::Welcome => welcome::show(ui, &mut scene, &mut views.welcome),
                Page::Settings => settings::show(ui, &mut scene, &mut views.settings),
                Page::Shortcuts => {
                    settings::show_shortcuts(ui, &mut scene, &mut views.settings.shortcuts);
                }
                Page::About => about::show(ui, &mut scene),
                Page::Qa => qa_panel::show(ui, &mut scene, &mut views.chat, &mut draft),
            });
        dialogs::show(ui.ctx(), &mut scene, views);
        dialogs::toasts(ui.ctx(), &mut scene);
        dialogs::drop_hint(ui.ctx(), &scene);
        *self.state.draft_mut() = draft;
        if let (Some(session), Some(tabs)) = (of_session, tabs) {
            *self.state.previews.of_or_new(session) = tabs;
        }
    }

    /// Pages that are no longer shown forget what was only on screen. Gives what is still to be kept.
    fn leave_pages(&mut self) -> Vec<UiCommand> {
        let (page, views) = (self.state.page, &mut self.views);
        if page != Page::Welcome {
            views.welcome.leave();
        }
        if page != Page::Shortcuts {
            views.settings.shortcuts.leave();
        }
        if page == Page::Settings {
            Vec::new()
        } else {
            views.settings.leave()
        }
    }

    /// Asks with the system's dialog for the folder that the next session works in.
    pub(super) fn pick_folder(&mut self) {
        let title = self.words().chat.choose_folder.to_owned();
        self.job(Job::PickFolder(title));
    }

    /// A folder dropped on the window is what the next session works in.
    fn take_dropped(&mut self, context: &Context) {
        let dropped = context.input_mut(|input| std::mem::take(&mut input.raw.dropped_files));
        if let Some(path) = dropped
            .into_iter()
            .map(|file| file.path().to_path_buf())
            .next()
        {
            self.job(Job::LookAtDropped(path));
        }
    }

    fn name_window(&mut self, context: &Context) {
        let session = self.state.current.as_ref();
        let summary = session.and_then(|id| self.state.sessions.summary(id));
        let mut title = match summary {
            Some(summary) if !summary.title.is_empty() => format!("{} — Wisp", summary.title),
            _ => "Wisp".to_owned(),
        };
        if self.is_simulated() {
            title = format!("{title} ({})", self.words().common.simulation);
        }
        if title != self.title {
            context.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Does what the person had asked for and could still have undone.
    fn finish(&mut self) {
        let deleted: Vec<_> = self.state.sessions.hidden().cloned().collect();
        let ops = deleted
            .into_iter()
            .map(|session| Op::DeleteSession { session });
        for (op, answer) in self.link.finish(ops.collect()) {
            if let Answer::Refused { failure } = answer {
                tracing::warn!(?op, %failure, "was not done at the end");
            }
        }
    }
}

impl eframe::App for WindowApp {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.frame(ui);
    }

    fn on_exit(&mut self, _gl: Option<&eframe::glow::Context>) {
        self.keep_last_size();
        self.finish();
        // They are inside the window, and end before it does.
        self.pages = Pages::default();
    }
}
