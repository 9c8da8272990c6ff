//! Pictures of the window: all are saved in `target/pictures`, a few are compared with `tests/ui/snapshots`.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p wisp-tests --test ui` keeps new ones after a wanted change.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use eframe::egui::{Key, Modifiers, Theme};
use egui_kittest::{SnapshotOptions, try_image_snapshot_options};

use crate::harness::{Home, Setup, View};
use crate::story;
use crate::writing::{HALF, HALF_PROMPT};

/// The sizes of which pictures are made, in points.
const SIZES: [[u16; 2]; 2] = [[1280, 800], [1024, 700]];

/// How much a pixel may differ, on the scale of egui_kittest, and how many may differ more. The software driver
/// draws nearly the same everywhere; what is left are rounded edges and letters.
const PIXEL: f32 = 0.6;
const PIXELS: usize = 50;

/// Saves a picture of the window. Left out, saying so, where nothing can draw it and nobody checks.
#[track_caller]
pub(crate) fn picture(view: &mut View, name: &str) -> Option<image::RgbaImage> {
    if !*CAN_DRAW {
        return None;
    }
    let image = view.picture();
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    image.save(folder.join(format!("{name}.png"))).unwrap();
    Some(image)
}

/// The same, compared with the one that is kept.
#[track_caller]
fn kept(view: &mut View, name: &str) {
    let Some(image) = picture(view, name) else {
        return;
    };
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/snapshots");
    let options = SnapshotOptions::new()
        .threshold(PIXEL)
        .max_failed_pixels(PIXELS)
        .output_path(kept);
    if let Err(error) = try_image_snapshot_options(&image, name, &options) {
        panic!("{error}");
    }
}

/// Whether there is a Vulkan driver. The one that the pictures are compared with draws in software.
static CAN_DRAW: LazyLock<bool> = LazyLock::new(|| {
    let there = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"]
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .flatten()
        .any(|file| file.file_name().to_string_lossy().starts_with("lvp_icd"));
    let chosen = std::env::var_os("VK_ICD_FILENAMES").is_some()
        || std::env::var_os("VK_DRIVER_FILES").is_some();
    if !there && !chosen {
        wisp_tests::skip("Vulkan's software driver is not there, so that no pictures are made");
    }
    there || chosen
});

/// Beside the build: `target/pictures`, wherever that is.
fn folder() -> PathBuf {
    // A test is target/PROFILE/deps/NAME-….
    let test = std::env::current_exe().unwrap();
    test.ancestors().nth(3).unwrap().join("pictures")
}

/// Scenarios whose first card is pictured.
const CARDS: [&str; 5] = [
    "demo-replace",
    "demo-write",
    "demo-mkdir",
    "demo-move",
    "demo-trash",
];
/// Scenarios whose end is pictured. None of them asks.
const ENDS: [&str; 9] = [
    "demo-read",
    "demo-search",
    "demo-multi",
    "demo-invalid",
    "demo-guard",
    "demo-loop",
    "chat",
    "fault-filter",
    "fault-length",
];

/// One theme in one language, in both sizes.
struct Album {
    view: View,
    name: String,
}

impl Album {
    fn open(home: &Home, theme: Theme, chinese: bool) -> Self {
        let setup = Setup {
            theme,
            ..Setup::default()
        };
        let mut view = home.open_with(setup);
        if theme == Theme::Light {
            view.press(Key::L, Modifiers::COMMAND | Modifiers::SHIFT);
        }
        if chinese {
            view.press(Key::K, Modifiers::COMMAND);
            view.type_text("English");
            view.key(Key::Enter);
        }
        let theme = if theme == Theme::Dark {
            "dark"
        } else {
            "light"
        };
        let language = if chinese { "zh" } else { "en" };
        let name = format!("{theme}-{language}");
        Self { view, name }
    }

    fn take(&mut self, what: &str) {
        for [width, height] in SIZES {
            self.view.resize([width, height]);
            let name = format!("{what}-{}-{width}x{height}", self.name);
            picture(&mut self.view, &name);
        }
        self.view.resize(SIZES[0]);
    }

    /// A new session; the scenario's files are laid, and its request is sent.
    fn begin(&mut self, home: &Home, scenario: &str) {
        let prompt = home.lay(scenario);
        self.view.press(Key::N, Modifiers::COMMAND);
        self.view.ask(&prompt);
        self.view.until("the session", |view| {
            let state = view.state();
            let open = state.open_session();
            open.is_some_and(|open| !open.transcript.runs.is_empty())
        });
    }

    fn page(&mut self, what: &str, key: Key, modifiers: Modifiers) {
        self.view.press(key, modifiers);
        self.take(what);
        self.view.press(key, modifiers);
    }
}

fn album(theme: Theme, chinese: bool) {
    let home = Home::with(&[HALF]);
    let mut album = Album::open(&home, theme, chinese);
    album.take("empty");
    for scenario in CARDS {
        album.begin(&home, scenario);
        album.view.wait_for_card();
        album.take(&format!("card-{scenario}"));
        if scenario == "demo-replace" {
            album.view.key(Key::D);
            album.take("card-details");
            album.view.key(Key::D);
            album.view.press(Key::R, Modifiers::SHIFT);
            album.take("card-reason");
            album.view.key(Key::Escape);
        }
        album.view.key(Key::R);
        album.view.wait_for_the_end();
        if scenario == "demo-write" {
            album.take("denied");
        }
    }
    for scenario in ENDS {
        album.begin(&home, scenario);
        album.view.wait_for_the_end();
        album.take(&format!("end-{scenario}"));
    }
    album.view.press(Key::N, Modifiers::COMMAND);
    album.view.ask(HALF_PROMPT);
    album.view.wait_for_words("the first half");
    album.take("running");
    album.view.ask("And then?");
    album.take("queued");
    album.view.press(Key::Period, Modifiers::COMMAND);
    album.view.until("the end of both", |view| {
        let state = view.state();
        let runs = state.open_session().map(|open| &open.transcript.runs);
        runs.is_some_and(|runs| runs.len() == 2 && runs.iter().all(|run| run.end.is_some()))
    });
    album.take("stopped");
    album.page("find", Key::F, Modifiers::COMMAND | Modifiers::SHIFT);
    album.view.key(Key::Escape);
    album.view.press(Key::K, Modifiers::COMMAND);
    album.take("palette");
    album.view.key(Key::Escape);
    album.view.key(Key::F2);
    album.take("rename");
    album.view.key(Key::Escape);
    album.page("settings", Key::Comma, Modifiers::COMMAND);
    album.page("shortcuts", Key::Slash, Modifiers::COMMAND);
    album.page("qa", Key::Q, Modifiers::COMMAND | Modifiers::SHIFT);
    album
        .view
        .press(Key::Delete, Modifiers::COMMAND | Modifiers::SHIFT);
    album.take("deleted");
    home.simulator.release("the middle");
}

/// A data folder that nothing was done with yet, and a model that wants a key.
fn welcome(theme: Theme, chinese: bool) {
    let home = Home::new();
    std::fs::write(home.data.path().join("settings.toml"), "").unwrap();
    let mut album = Album::open(&home, theme, chinese);
    album.take("welcome");
}

#[test]
fn dark_in_english() {
    album(Theme::Dark, false);
    welcome(Theme::Dark, false);
}

#[test]
fn dark_in_chinese() {
    album(Theme::Dark, true);
    welcome(Theme::Dark, true);
}

#[test]
fn light_in_english() {
    album(Theme::Light, false);
    welcome(Theme::Light, false);
}

#[test]
fn light_in_chinese() {
    album(Theme::Light, true);
    welcome(Theme::Light, true);
}

/// The few that are compared: fixed events, our own fonts, nothing that tells the time.
#[test]
fn the_window_looks_as_it_was_kept() {
    for (theme, name) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        for (what, events) in [
            ("answer", story::answer()),
            ("card", story::card()),
            ("failure", story::failure()),
        ] {
            let setup = Setup {
                theme,
                system_fonts: false,
                ..Setup::default()
            };
            let mut view = View::without_engine(setup, story::summary(), &events);
            view.rest();
            if view.asks() {
                view.press(Key::J, Modifiers::COMMAND);
            }
            kept(&mut view, &format!("{what}-{name}"));
        }
    }
}
