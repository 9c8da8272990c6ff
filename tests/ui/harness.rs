//! The window's content in a test's hands: a data folder, a scripted model, and the window on both.
//!
//! The engine has threads of its own. A test waits for it as a real window does: it draws when something asks for a
//! frame, and otherwise waits, up to a deadline. So a wake-up that is forgotten fails a test here. The window's own
//! clock goes on by [`FRAME`] with each frame and stands still between them.

use std::cell::{Ref, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use eframe::egui::accesskit::Role;
use eframe::egui::{
    self, Context, ImeEvent, Key, Modifiers, Pos2, Rect, Theme, UiBuilder, ViewportId,
};
use egui_kittest::Harness;
use egui_kittest::kittest::NodeT as _;
use egui_system_font_provider::SystemFontProvider;
use tempfile::TempDir;
use wisp::bridge::{Link, Wake, Worker};
use wisp::state::AppState;
use wisp::window::{Start, WindowApp};
use wisp_engine::protocol::{Event, SessionSummary};
use wisp_qa::{MODEL_NAME, Scenario, Simulator};
use wisp_tests::{DEADLINE, character, key_event};

use crate::host::Pages;

/// The window's time between two frames, in seconds.
pub(crate) const FRAME: f32 = 0.02;
/// Frames within which the window must come to rest.
const STEPS: u64 = 60;

/// Listing the system's fonts takes long, so that it is done once.
static FONTS: LazyLock<Arc<SystemFontProvider>> =
    LazyLock::new(|| Arc::new(SystemFontProvider::new()));

/// What the model says to everything that no other scenario is for.
pub(crate) const ANSWER: &str = "A short scripted answer.";

/// Its scenario.
const SHORT: &str = r#"
name = "short"
title = "A short answer"
prompt = "Anything"

[[turns]]
text = "A short scripted answer."

[expect]
outcome = "done"
answer = ["short"]
requests = 1
"#;

/// What a window is opened with.
#[derive(Clone)]
pub(crate) struct Setup {
    /// Width and height in points.
    pub(crate) size: [u16; 2],
    /// Dark or light.
    pub(crate) theme: Theme,
    /// Whether the system's fonts serve where ours have no letter. Pictures that are kept do without.
    pub(crate) system_fonts: bool,
    /// Who shows web pages.
    pub(crate) pages: Option<Pages>,
    /// What is asked for on the command line.
    pub(crate) start: Start,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            size: [1280, 800],
            theme: Theme::Dark,
            system_fonts: true,
            pages: None,
            start: Start::default(),
        }
    }
}

/// A data folder whose settings lead to a scripted model, and a folder to work on. Windows are opened on it one
/// after another.
pub(crate) struct Home {
    /// The scripted model.
    pub(crate) simulator: Simulator,
    /// The data folder.
    pub(crate) data: TempDir,
    folder: TempDir,
}

impl Home {
    /// With the scenarios that come with the program.
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// With these scenarios besides, each as its file's text.
    pub(crate) fn with(more: &[&str]) -> Self {
        let mut scenarios: Vec<Scenario> = (more.iter().chain([&SHORT]))
            .map(|text| Scenario::parse(text).unwrap())
            .collect();
        let tagged = |scenario: &Scenario| scenario.tag.is_some();
        scenarios.extend(wisp_qa::builtin().into_iter().filter(tagged));
        let simulator = Simulator::start(scenarios, 0).unwrap();
        let data = TempDir::new().unwrap();
        let settings = format!(
            "base_url = \"{}\"\nmodel = \"{MODEL_NAME}\"\nprovider = \"deepseek\"\n",
            simulator.base_url()
        );
        std::fs::write(data.path().join("settings.toml"), settings).unwrap();
        Self {
            simulator,
            data,
            folder: TempDir::new().unwrap(),
        }
    }

    /// With one of the program's scenarios, whose files are laid; and what to type for it.
    pub(crate) fn for_scenario(name: &str) -> (Self, String) {
        let home = Self::new();
        let prompt = home.lay(name);
        (home, prompt)
    }

    /// Lays the files of one of the program's scenarios; gives what to type for it.
    pub(crate) fn lay(&self, name: &str) -> String {
        let scenario = wisp_qa::builtin()
            .into_iter()
            .find(|scenario| scenario.name == name)
            .unwrap();
        let files = scenario.workspace.as_deref().unwrap_or_default();
        wisp_qa::lay(files, self.folder.path()).unwrap();
        scenario.prompt
    }

    /// The folder that sessions work on.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// A file in it; empty when it isn't there.
    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder().join(name)).unwrap_or_default()
    }

    /// Opens a window, and waits until it can be used.
    #[track_caller]
    pub(crate) fn open(&self) -> View {
        self.open_with(Setup::default())
    }

    /// The same, with another folder for new sessions.
    #[track_caller]
    pub(crate) fn open_on(&self, folder: &Path) -> View {
        let mut setup = Setup::default();
        setup.start.folder = Some(folder.to_owned());
        self.open_with(setup)
    }

    /// The same, seen and started otherwise.
    #[track_caller]
    pub(crate) fn open_with(&self, mut setup: Setup) -> View {
        (setup.start.folder).get_or_insert_with(|| self.folder().to_owned());
        let mut view = View::open(self.data.path(), setup);
        view.until("the engine", |view| view.state().sessions.loaded);
        view
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let violations = self.simulator.log().violations;
            assert!(violations.is_empty(), "{violations:#?}");
        }
    }
}

/// One widget, as those who can't see the window meet it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// What it is.
    pub(crate) role: Role,
    /// What it is called, a text its words.
    pub(crate) name: String,
    /// What it holds.
    pub(crate) value: String,
    /// Whether keys go to it.
    pub(crate) focused: bool,
    /// Whether it can be used.
    pub(crate) enabled: bool,
    /// Where it is.
    pub(crate) at: Rect,
}

/// Something that is dropped on the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

/// The window's content with what draws it.
pub(crate) struct View {
    harness: Harness<'static>,
    app: Rc<RefCell<Option<WindowApp>>>,
    /// Gets a word when another thread asks for a frame.
    woken: Receiver<()>,
}

impl View {
    /// Opened on a data folder; nothing is waited for.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a setup is written where the view is opened"
    )]
    pub(crate) fn open(data: &Path, setup: Setup) -> Self {
        let (start, pages) = (setup.start.clone(), setup.pages.clone());
        Self::build(&setup, data, |context, link| {
            let mut window = WindowApp::new(context, link, start).unwrap();
            if let Some(pages) = pages {
                window.show_pages(Box::new(pages.host(context)));
            }
            window
        })
    }

    /// With a session on screen that is data alone.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a setup is written where the view is opened"
    )]
    pub(crate) fn without_engine(setup: Setup, summary: SessionSummary, events: &[Event]) -> Self {
        let nowhere = TempDir::new().unwrap();
        let events = events.to_vec();
        let theme = setup.theme;
        let mut view = Self::build(&setup, nowhere.path(), move |context, link| {
            let mut window = WindowApp::without_engine(context, link).unwrap();
            window.show_session(summary, &events);
            window
        });
        if theme == Theme::Light {
            view.press(Key::L, Modifiers::COMMAND | Modifiers::SHIFT);
        }
        view
    }

    fn build(
        setup: &Setup,
        folder: &Path,
        make: impl FnOnce(&Context, Link) -> WindowApp + 'static,
    ) -> Self {
        let app: Rc<RefCell<Option<WindowApp>>> = Rc::default();
        let (slot, shown) = (Rc::clone(&app), Rc::clone(&app));
        let (sender, woken) = sync_channel(1);
        let system_fonts = setup.system_fonts;
        let folder = folder.to_owned();
        let here = std::thread::current().id();
        let harness = Harness::builder()
            .with_size(setup.size.map(f32::from))
            .with_theme(setup.theme)
            .with_step_dt(FRAME)
            .with_max_steps(STEPS)
            .with_render_cursor(false)
            .allow_missing_glyphs()
            .with_context_setup(move |context: &Context| {
                if system_fonts {
                    context.add_font_provider(FONTS.clone());
                }
                context.set_request_repaint_callback(move |_| {
                    if std::thread::current().id() != here {
                        // A full channel has a word in it already.
                        let _full = sender.try_send(());
                    }
                });
                let wake = Wake::default();
                wake.connect(context);
                let worker = Worker::start(wake, Some(folder)).unwrap();
                *slot.borrow_mut() = Some(make(context, Link::new(worker)));
            })
            .build_ui(move |ui| {
                // The harness leaves a margin, which a window has not.
                let window = UiBuilder::new().max_rect(ui.ctx().content_rect());
                ui.scope_builder(window, |ui| {
                    if let Some(app) = shown.borrow_mut().as_mut() {
                        app.frame(ui);
                    }
                });
            });
        Self {
            harness,
            app,
            woken,
        }
    }

    /// What the window knows.
    pub(crate) fn state(&self) -> Ref<'_, AppState> {
        Ref::map(self.app.borrow(), |app| app.as_ref().unwrap().state())
    }

    /// Closes the window as a person does: what could still be undone is done.
    pub(crate) fn close(self) {
        let app = self.app.borrow_mut().take();
        eframe::App::on_exit(&mut app.unwrap(), None);
    }

    /// The window's surroundings.
    pub(crate) fn context(&self) -> &Context {
        &self.harness.ctx
    }

    /// Draws one frame with these events.
    pub(crate) fn frame(&mut self, events: Vec<egui::Event>) {
        self.harness.input_mut().events.extend(events);
        self.harness.step();
    }

    /// Draws one frame with something of the system's dragged over the window, or nothing.
    pub(crate) fn drag_over(&mut self, path: Option<&Path>) {
        let hovered = path.map(|path| egui::HoveredFile {
            path: Some(path.to_owned()),
            ..egui::HoveredFile::default()
        });
        self.harness.input_mut().hovered_files = hovered.into_iter().collect();
        self.harness.step();
    }

    /// Draws one frame with this dropped on the window.
    pub(crate) fn drop_on(&mut self, path: &Path) {
        let input = self.harness.input_mut();
        input.hovered_files.clear();
        input.dropped_files.push(Arc::new(Dropped(path.to_owned())));
        self.harness.step();
    }

    /// Draws until nothing asks for a frame at once.
    #[track_caller]
    pub(crate) fn rest(&mut self) {
        for _ in 0..STEPS {
            self.harness.step();
            if self.delay() > Duration::ZERO {
                return;
            }
        }
        panic!(
            "the window doesn't come to rest, for {:?}. It shows:\n{}",
            self.harness.ctx.repaint_causes(),
            self.shown()
        );
    }

    /// How long the window would wait for its next frame.
    fn delay(&self) -> Duration {
        let output = self.harness.output();
        let root = output.viewport_output.get(&ViewportId::ROOT);
        root.map_or(Duration::MAX, |root| root.repaint_delay)
    }

    /// Lets so many seconds of the window's time go by.
    pub(crate) fn pass(&mut self, seconds: f32) {
        let mut left = seconds;
        while left > 0.0 {
            self.harness.step();
            left -= FRAME;
        }
    }

    /// Draws, and waits to be woken, until it is so.
    #[track_caller]
    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + DEADLINE;
        loop {
            self.harness.step();
            if is_so(self) {
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let still = self.delay() > Duration::ZERO;
            let in_time = !left.is_zero() && (!still || self.woken.recv_timeout(left).is_ok());
            assert!(
                in_time,
                "{what} did not come. The window shows:\n{}",
                self.shown()
            );
        }
    }

    /// Every widget there is, from the first to the last.
    pub(crate) fn all(&self) -> Vec<Seen> {
        let root = self.harness.root();
        root.children_recursive()
            .map(|node| {
                let node = node.accesskit_node();
                let value = node.value().unwrap_or_default();
                let name = match node.role() {
                    Role::Label => node.label().unwrap_or_else(|| value.clone()),
                    _ => node.label().unwrap_or_default(),
                };
                let at = node.raw_bounds().map_or(Rect::NOTHING, |bounds| {
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "egui's own points, which were widened"
                    )]
                    let [left, top, right, bottom] =
                        [bounds.x0, bounds.y0, bounds.x1, bounds.y1].map(|value| value as f32);
                    Rect::from_min_max(Pos2::new(left, top), Pos2::new(right, bottom))
                });
                Seen {
                    role: node.role(),
                    name,
                    value,
                    focused: node.is_focused(),
                    enabled: !node.is_disabled(),
                    at,
                }
            })
            .filter(|seen| seen.role != Role::TextRun)
            .collect()
    }

    /// All of it in words.
    pub(crate) fn shown(&self) -> String {
        let lines = self.all().into_iter().filter(|seen| {
            !(seen.name.is_empty() && seen.value.is_empty() && seen.role == Role::GenericContainer)
        });
        let lines = lines.map(|seen| {
            let focused = if seen.focused { " (focused)" } else { "" };
            let value = if seen.value == seen.name || seen.value.is_empty() {
                String::new()
            } else {
                format!(" = {:.200?}", seen.value)
            };
            format!("{:?} {:.200?}{value}{focused}", seen.role, seen.name)
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The first widget of this name.
    pub(crate) fn find(&self, name: &str) -> Option<Seen> {
        self.all().into_iter().find(|seen| seen.name == name)
    }

    /// Whether these words are anywhere.
    pub(crate) fn says(&self, words: &str) -> bool {
        let has = |seen: &Seen| seen.name.contains(words) || seen.value.contains(words);
        self.all().iter().any(has)
    }

    /// Whether a card asks.
    pub(crate) fn asks(&self) -> bool {
        self.card().is_some()
    }

    /// The card that asks.
    pub(crate) fn card(&self) -> Option<Seen> {
        // It has another name in each language.
        let is_card = |seen: &Seen| seen.role == Role::Group && !seen.name.is_empty();
        self.all().into_iter().find(is_card)
    }

    /// Whether a dialog lies over the window.
    pub(crate) fn dialog(&self) -> bool {
        self.all().iter().any(|seen| seen.role == Role::Dialog)
    }

    /// The widget that keys go to.
    pub(crate) fn focused(&self) -> Option<Seen> {
        self.all().into_iter().find(|seen| seen.focused)
    }

    /// What is in the message field.
    #[track_caller]
    pub(crate) fn message(&self) -> String {
        self.field().value
    }

    /// The message field.
    #[track_caller]
    pub(crate) fn field(&self) -> Seen {
        // It has another name in each language.
        let is_field = |seen: &Seen| seen.role == Role::MultilineTextInput && !seen.name.is_empty();
        let field = self.all().into_iter().find(is_field);
        field.unwrap_or_else(|| panic!("there is no message field:\n{}", self.shown()))
    }

    /// Waits for words.
    #[track_caller]
    pub(crate) fn wait_for_words(&mut self, words: &str) {
        self.until(&format!("{words:?}"), |view| view.says(words));
    }

    /// Waits for a card, and until keys count on it.
    #[track_caller]
    pub(crate) fn wait_for_card(&mut self) {
        self.until("a card", Self::asks);
        self.pass(0.5);
    }

    /// Waits until no run goes on in the session on screen.
    #[track_caller]
    pub(crate) fn wait_for_the_end(&mut self) {
        self.until("the run's end", |view| {
            let state = view.state();
            let open = state.open_session();
            open.is_some_and(|open| !open.transcript.runs.is_empty())
                && open.is_some_and(|open| open.transcript.running().is_none())
        });
    }

    /// Clicks on the first widget of this name.
    #[track_caller]
    pub(crate) fn click(&mut self, name: &str) {
        self.click_with(name, egui::PointerButton::Primary);
    }

    /// The same with another button of the pointer.
    #[track_caller]
    pub(crate) fn click_with(&mut self, name: &str, button: egui::PointerButton) {
        let Some(seen) = self.find(name) else {
            panic!("{name:?} is not there to click on:\n{}", self.shown());
        };
        let pos = seen.at.center();
        let press = |pressed| egui::Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.frame(vec![egui::Event::PointerMoved(pos)]);
        self.frame(vec![press(true)]);
        self.frame(vec![press(false)]);
        self.rest();
    }

    /// Presses a key and lets it go. One that writes a character writes it.
    pub(crate) fn press(&mut self, key: Key, modifiers: Modifiers) {
        self.down(key, modifiers);
        self.up(key, modifiers);
        self.rest();
    }

    /// Presses a key without modifiers.
    pub(crate) fn key(&mut self, key: Key) {
        self.press(key, Modifiers::NONE);
    }

    /// Presses a key and holds it: without [`Self::up`] the next one is a repetition.
    pub(crate) fn down(&mut self, key: Key, modifiers: Modifiers) {
        let mut events = vec![
            egui::Event::ModifiersChanged(modifiers),
            key_event(key, true, modifiers),
        ];
        events.extend(character(key, modifiers).map(egui::Event::Text));
        self.frame(events);
    }

    /// Lets a key go.
    pub(crate) fn up(&mut self, key: Key, modifiers: Modifiers) {
        self.frame(vec![
            key_event(key, false, modifiers),
            egui::Event::ModifiersChanged(Modifiers::NONE),
        ]);
    }

    /// Types words, wherever the keyboard is.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.frame(vec![egui::Event::Text(text.to_owned())]);
        self.rest();
    }

    /// Says what an input method composes.
    pub(crate) fn preedit(text: &str) -> egui::Event {
        egui::Event::Ime(ImeEvent::Preedit {
            text: text.to_owned(),
            active_range_chars: None,
        })
    }

    /// Types a request and sends it.
    #[track_caller]
    pub(crate) fn ask(&mut self, text: &str) {
        self.type_text(text);
        assert_eq!(self.message(), text, "the message field has the keyboard");
        self.key(Key::Enter);
    }

    /// Types a request, sends it, and waits for the end of its run.
    #[track_caller]
    pub(crate) fn say(&mut self, text: &str) {
        let runs = |view: &Self| {
            let state = view.state();
            state
                .open_session()
                .map_or(0, |open| open.transcript.runs.len())
        };
        let before = runs(self);
        self.ask(text);
        self.until("the run", |view| runs(view) > before);
        self.wait_for_the_end();
    }

    /// Gives the window another size, in points.
    pub(crate) fn resize(&mut self, size: [u16; 2]) {
        self.harness.set_size(size.map(f32::from).into());
        self.rest();
    }

    /// What was copied in the last frame.
    pub(crate) fn copied(&self) -> Option<String> {
        let commands = &self.harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// A picture of it.
    pub(crate) fn picture(&mut self) -> image::RgbaImage {
        self.harness.render().unwrap()
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // The engine ends before the folders go that it works on.
        drop(self.app.borrow_mut().take());
    }
}
