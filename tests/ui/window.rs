//! The window around the conversation: language, colours, zoom, the palette, and the way of the keyboard.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers, Theme};
use wisp_tests::names;

use crate::harness::{ANSWER, Home, Setup, View};

fn run_from_palette(view: &mut View, words: &str) {
    view.press(Key::K, Modifiers::COMMAND);
    view.rest();
    view.type_text(words);
    view.key(Key::Enter);
    view.rest();
}

#[test]
fn the_language_changes_at_run_time() {
    let home = Home::new();
    let mut view = home.open();
    view.say("Hello");
    run_from_palette(&mut view, "English");
    assert!(view.says("新对话") && view.says("发送"), "{}", view.shown());
    assert!(!view.says("Search sessions"));
    assert!(view.says(ANSWER), "what was said stays");
    run_from_palette(&mut view, "English");
    assert!(view.says("Search sessions"), "{}", view.shown());
}

#[test]
fn the_colours_change_at_run_time() {
    let home = Home::new();
    let mut view = home.open();
    let before = view.context().global_style().visuals.panel_fill;
    assert_eq!(view.context().theme(), Theme::Dark);
    view.press(Key::L, Modifiers::COMMAND | Modifiers::SHIFT);
    view.rest();
    assert_eq!(view.context().theme(), Theme::Light);
    let light = view.context().global_style().visuals.panel_fill;
    assert_ne!(light, before);
    run_from_palette(&mut view, "High contrast");
    let contrast = view.context().global_style().visuals.text_color();
    run_from_palette(&mut view, "High contrast");
    assert_ne!(view.context().global_style().visuals.text_color(), contrast);
    view.press(Key::L, Modifiers::COMMAND | Modifiers::SHIFT);
    view.rest();
    assert_eq!(view.context().global_style().visuals.panel_fill, before);
}

#[test]
fn the_window_zooms() {
    let home = Home::new();
    let mut view = home.open();
    let zoom = |view: &View| view.context().zoom_factor();
    view.press(Key::Plus, Modifiers::COMMAND);
    view.rest();
    assert!((zoom(&view) - 1.1).abs() < 0.001, "{}", zoom(&view));
    view.press(Key::Minus, Modifiers::COMMAND);
    view.press(Key::Minus, Modifiers::COMMAND);
    view.rest();
    assert!((zoom(&view) - 0.9).abs() < 0.001, "{}", zoom(&view));
    view.press(Key::Num0, Modifiers::COMMAND);
    view.rest();
    assert!((zoom(&view) - 1.0).abs() < 0.001, "{}", zoom(&view));
}

#[test]
fn the_palette_is_as_high_again_after_a_search_that_found_little() {
    let home = Home::new();
    let mut view = home.open();
    view.say("hello");
    view.press(Key::N, Modifiers::COMMAND);
    view.press(Key::K, Modifiers::COMMAND);
    view.type_text("sidebar");
    view.key(Key::Escape);
    view.press(Key::K, Modifiers::COMMAND);
    assert_eq!(view.state().current, None);
    // Where few rows are seen, this is a click beside the palette.
    view.click("Next session");
    assert!(view.state().current.is_some(), "{}", view.shown());
}

#[test]
fn the_palette_finds_and_runs_a_command() {
    let home = Home::new();
    let mut view = home.open();
    assert!(view.find("Search sessions").is_some());
    run_from_palette(&mut view, "sidebar hide");
    assert!(view.find("Search sessions").is_none(), "{}", view.shown());
    view.press(Key::K, Modifiers::COMMAND);
    view.rest();
    view.type_text("no such command");
    assert!(view.says("No match"));
    view.key(Key::Escape);
    view.rest();
    assert!(!view.says("No match"));
    view.press(Key::B, Modifiers::COMMAND);
    view.rest();
    assert!(view.find("Search sessions").is_some());
    assert!(view.field().focused, "{}", view.shown());
}

/// Goes through the window by Tab until it comes round; what had the keyboard, in order.
fn tour(view: &mut View) -> Vec<(Role, String)> {
    let mut seen: Vec<(Role, String)> = Vec::new();
    let mut first = None;
    for _ in 0..60 {
        view.key(Key::Tab);
        let Some(now) = view.focused().filter(|now| now.role != Role::Window) else {
            continue;
        };
        let place = (now.role, now.name.clone(), now.at.min);
        if first.as_ref() == Some(&place) {
            return seen;
        }
        first.get_or_insert(place);
        seen.push((now.role, now.name));
    }
    panic!("Tab never comes round: {seen:?}");
}

#[test]
fn every_control_is_reached_by_tab_and_has_a_name() {
    let home = Home::new();
    let mut view = home.open();
    view.say("Hello");
    view.type_text("x");
    let reached = tour(&mut view);
    let unnamed: Vec<_> = reached.iter().filter(|(_, name)| name.is_empty()).collect();
    assert!(unnamed.is_empty(), "{reached:?}");
    let controls = view.all().into_iter().filter(|seen| {
        let acts = matches!(
            seen.role,
            Role::Button | Role::TextInput | Role::MultilineTextInput | Role::CheckBox | Role::Link
        );
        acts && seen.enabled
    });
    for control in controls {
        let known = reached.iter().any(|(_, name)| *name == control.name);
        assert!(known, "{control:?} is not among {reached:?}");
    }
}

#[test]
fn tab_on_a_card_goes_through_its_buttons() {
    let (home, prompt) = Home::for_scenario("demo-replace");
    let mut view = home.open();
    view.ask(&prompt);
    view.wait_for_card();
    let reached = tour(&mut view);
    for name in [names::APPROVE, names::DENY, names::DETAILS, names::COMPOSER] {
        let found = reached.iter().any(|(_, reached)| reached == name);
        assert!(found, "{name} is not among {reached:?}");
    }
    // Enter on a button presses that button and no other.
    while view.focused().is_none_or(|seen| seen.name != names::DENY) {
        view.key(Key::Tab);
    }
    view.key(Key::Enter);
    view.wait_for_words("The replacement gave: denied.");
}

#[test]
fn f6_goes_round_the_parts_of_the_window() {
    let (home, prompt) = Home::for_scenario("demo-replace");
    let mut view = home.open();
    view.ask(&prompt);
    view.wait_for_card();
    let mut places = Vec::new();
    for _ in 0..6 {
        view.key(Key::F6);
        view.rest();
        let focused = view.focused().map(|seen| seen.name).unwrap_or_default();
        places.push(focused);
    }
    let card = view.card().unwrap().name;
    let session = format!("{prompt}, waits for you");
    for part in [card.as_str(), names::COMPOSER, session.as_str()] {
        assert!(
            places.iter().any(|place| place == part),
            "{part}: {places:?}"
        );
    }
    assert_eq!(places[..3], places[3..], "it goes round");
}

#[test]
fn a_simulation_says_so_all_the_time() {
    let home = Home::new();
    let mut setup = Setup::default();
    setup.start.simulate = true;
    let mut view = home.open_with(setup);
    let says = |view: &View| view.says("Simulation") || view.says("simulation");
    assert!(says(&view), "{}", view.shown());
    view.say("Hello");
    assert!(says(&view), "{}", view.shown());
    // Its sessions are not among the real ones.
    view.close();
    let view = home.open();
    assert_eq!(view.state().sessions.shown().count(), 0);
}

#[test]
fn a_settings_file_that_makes_no_sense_is_said_and_kept() {
    let home = Home::new();
    let settings = home.data.path().join("settings.toml");
    std::fs::write(&settings, "base_url = [1, 2\n").unwrap();
    let mut view = View::open(home.data.path(), Setup::default());
    view.until("the failure", |view| {
        matches!(view.state().engine, wisp::state::EngineState::Failed(_))
    });
    view.rest();
    assert!(view.says("settings"), "{}", view.shown());
    assert_eq!(
        std::fs::read_to_string(settings).unwrap(),
        "base_url = [1, 2\n"
    );
}

#[test]
fn a_dialog_is_no_higher_than_what_is_in_it() {
    let home = Home::new();
    let mut view = home.open();
    view.say("Hello");
    // The palette is higher, and was there before.
    view.press(Key::K, Modifiers::COMMAND);
    view.rest();
    view.key(Key::Escape);
    view.rest();
    view.press(Key::F2, Modifiers::NONE);
    view.rest();
    let field = view.focused().unwrap();
    let save = view.find("Save").unwrap();
    let gap = save.at.top() - field.at.bottom();
    assert!((0.0..24.0).contains(&gap), "{gap}: {}", view.shown());
}

#[test]
fn a_folder_that_is_dropped_is_worked_in_and_what_is_none_is_refused_with_a_word() {
    const HINT: &str = "Drop a folder to work in it";
    let home = Home::new();
    let other = tempfile::tempdir().unwrap();
    let folder = other.path().join("ünï co\u{202e}de");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("file.txt"), "x").unwrap();
    let mut view = home.open();
    view.say("Hello");
    assert!(!view.says(HINT));
    view.drag_over(Some(&folder));
    view.until("the hint", |view| view.says(HINT));
    view.drag_over(None);
    view.rest();
    assert!(!view.says(HINT), "{}", view.shown());
    view.drop_on(&folder);
    let is_in = |view: &View, path: &std::path::Path| {
        view.state().current.is_none() && view.state().new_folder.as_deref() == Some(path)
    };
    view.until("a session in the folder", |view| is_in(view, &folder));
    view.drop_on(other.path());
    view.until("the other one", |view| is_in(view, other.path()));
    // A file stands for its folder.
    view.drop_on(&folder.join("file.txt"));
    view.until("the file's folder", |view| is_in(view, &folder));
    view.rest();
    assert!(!view.shown().contains('\u{202e}'), "{}", view.shown());
    view.drop_on(&other.path().join("gone/away"));
    view.wait_for_words("What was dropped is no folder.");
    assert!(is_in(&view, &folder));
}
