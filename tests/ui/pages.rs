//! The pages in the middle: what is typed on them is kept, or said why not.

use std::path::PathBuf;

use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, PointerButton};
use wisp::state::Page;

use crate::harness::{Home, Setup, View};

fn file(home: &Home) -> PathBuf {
    home.data.path().join("settings.toml")
}

fn text(home: &Home) -> String {
    std::fs::read_to_string(file(home)).unwrap()
}

fn open_settings(home: &Home) -> View {
    let mut view = home.open();
    view.press(Key::Comma, Modifiers::COMMAND);
    view.rest();
    view
}

/// Types this into a field in place of what it holds.
fn fill(view: &mut View, name: &str, text: &str) {
    let fields = view.all().into_iter();
    let field = fields
        .rev()
        .find(|seen| seen.role == Role::TextInput && seen.name == name)
        .unwrap();
    let pos = field.at.center();
    view.frame(vec![Event::PointerMoved(pos)]);
    for pressed in [true, false] {
        view.frame(vec![Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }]);
    }
    view.press(Key::A, Modifiers::COMMAND);
    view.type_text(text);
}

#[test]
fn a_setting_is_kept_when_its_field_is_left_and_the_model_is_told() {
    let home = Home::new();
    let mut view = open_settings(&home);
    fill(&mut view, "Steps of a run", "12");
    view.key(Key::Enter);
    view.until("the reading", |view| view.state().settings.max_steps == 12);
    assert_eq!(view.state().model.max_steps, 12);
    fill(&mut view, "Tries", "3");
    view.key(Key::Tab);
    view.until("the reading", |view| view.state().settings.max_tries == 3);
    let text = text(&home);
    assert!(
        text.contains("max_steps = 12") && text.contains("max_tries = 3"),
        "{text}"
    );
}

#[test]
fn a_value_past_its_limits_is_said_beside_the_field_and_kept_nowhere() {
    let home = Home::new();
    let mut view = open_settings(&home);
    let before = text(&home);
    fill(&mut view, "Steps of a run", "51");
    view.key(Key::Tab);
    view.rest();
    assert!(view.says("A whole number from 1 to 50"), "{}", view.shown());
    fill(&mut view, "Address", "example");
    view.key(Key::Tab);
    view.rest();
    assert!(view.says("http://"), "{}", view.shown());
    view.key(Key::Escape);
    view.key(Key::Escape);
    view.rest();
    assert_eq!(view.state().page, Page::Chat);
    assert_eq!(text(&home), before);
}

#[test]
fn what_is_being_typed_is_kept_when_the_page_is_left_by_a_key() {
    let home = Home::new();
    let mut view = open_settings(&home);
    fill(&mut view, "Steps of a run", "13");
    view.press(Key::Comma, Modifiers::COMMAND);
    view.until("the reading", |view| view.state().settings.max_steps == 13);
    assert_eq!(view.state().page, Page::Chat);
}

#[test]
fn escape_gives_a_field_up_before_it_leaves_the_page() {
    let home = Home::new();
    let mut view = open_settings(&home);
    let before = text(&home);
    fill(&mut view, "Steps of a run", "14");
    view.key(Key::Escape);
    view.rest();
    assert_eq!(view.state().page, Page::Settings);
    view.key(Key::Escape);
    view.rest();
    assert_eq!(view.state().page, Page::Chat);
    assert_eq!(text(&home), before);
}

#[test]
fn how_the_window_looks_is_kept_for_the_next_start() {
    let home = Home::new();
    let mut view = open_settings(&home);
    view.click("Theme: Light");
    view.click("Language: 简体中文");
    view.rest();
    assert!(view.says("设置"), "{}", view.shown());
    view.until("the file", |_| {
        let text = text(&home);
        text.contains("theme = \"light\"") && text.contains("language = \"zh-CN\"")
    });
}

#[test]
fn a_settings_file_without_sense_is_moved_aside_from_the_page() {
    let home = Home::new();
    std::fs::write(file(&home), "max_steps = 99\n").unwrap();
    let mut view = View::open(home.data.path(), Setup::default());
    view.wait_for_words("max_steps is 99");
    view.click("Move it aside and start with the usual settings");
    view.until("the engine", |view| view.state().engine.is_ready());
    view.rest();
    assert!(view.says("settings.toml.broken-1"), "{}", view.shown());
    assert!(!file(&home).exists());
    assert!(home.data.path().join("settings.toml.broken-1").exists());
}

#[test]
fn the_keys_are_found_by_name() {
    let home = Home::new();
    let mut view = home.open();
    view.press(Key::Slash, Modifiers::COMMAND);
    view.rest();
    view.type_text("rename");
    view.rest();
    assert!(
        view.says("Rename session") && view.says("F2"),
        "{}",
        view.shown()
    );
    assert!(!view.says("Delete session"), "{}", view.shown());
}

#[test]
fn what_the_program_stands_on_is_said_with_its_licences() {
    let home = Home::new();
    let mut view = home.open();
    view.press(Key::K, Modifiers::COMMAND);
    view.rest();
    view.type_text("About");
    view.key(Key::Enter);
    view.rest();
    for words in [
        "Apache License 2.0",
        "Inter",
        "JetBrains Mono",
        "Lucide",
        "SIL Open Font",
    ] {
        assert!(view.says(words), "{words}: {}", view.shown());
    }
}

#[test]
fn a_model_on_this_computer_is_connected_from_the_first_page() {
    let home = Home::new();
    std::fs::write(file(&home), "").unwrap();
    let mut view = View::open(home.data.path(), Setup::default());
    view.wait_for_words("Welcome to Wisp");
    view.click("Use a model");
    view.rest();
    view.click("Start");
    view.rest();
    assert!(view.says("This server needs a key."), "{}", view.shown());
    fill(&mut view, "Address", "http://127.0.0.1:9/v1");
    view.click("Start");
    view.until("the chat", |view| {
        view.state().page == Page::Chat && view.state().engine.is_ready()
    });
    assert!(text(&home).contains("http://127.0.0.1:9/v1"));
}

#[test]
fn what_is_wrong_with_many_settings_is_said_in_words_of_their_own_height() {
    let home = Home::new();
    let wrong =
        "\n[window]\nwidth = 'x'\nheight = -5\nextent = 7\nzoom = 99\nlanguage = 'xx'\ntheme = 3\n";
    std::fs::write(file(&home), text(&home) + wrong).unwrap();
    let mut view = home.open();
    view.wait_for_words("was passed over");
    view.rest();
    let said: Vec<_> = (view.all().into_iter())
        .filter(|seen| seen.role == Role::Label && seen.name.contains("was passed over"))
        .collect();
    assert!((2..=4).contains(&said.len()), "{}", view.shown());
    for pair in said.windows(2) {
        let apart = pair[1].at.top() - pair[0].at.bottom();
        assert!((0.0..60.0).contains(&apart), "{apart}: {said:#?}");
    }
    let last = said.last().unwrap().at;
    assert!(last.bottom() < 400.0, "{last:?}");
}
