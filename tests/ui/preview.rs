//! The tabs at the right: opened from the conversation and by keys, read, changed, kept, moved and closed.

use eframe::egui::accesskit::Role;
use eframe::egui::{self, Key, Modifiers, PointerButton, Pos2, Theme};

use crate::approving::LATER;
use crate::harness::{Home, Seen, Setup, View};
use crate::pictures::picture;

const MOD: Modifiers = Modifiers::COMMAND;

/// A home with files beside those of the scenario, and a window whose session has read one.
fn opened(files: &[(&str, &[u8])]) -> (Home, View) {
    opened_with(files, Setup::default())
}

fn opened_with(files: &[(&str, &[u8])], setup: Setup) -> (Home, View) {
    let (home, prompt) = Home::for_scenario("demo-read");
    for (name, content) in files {
        let path = home.folder().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let mut view = home.open_with(setup);
    view.say(&prompt);
    (home, view)
}

/// The tabs by their names, the one in front in brackets.
fn tabs(view: &View) -> Vec<String> {
    let front = view.state();
    let front = front.tabs().and_then(|tabs| tabs.active());
    let front = front.map(|tab| tab.content.name().unwrap_or("New tab").to_owned());
    drop(front);
    strip(view).into_iter().map(|tab| tab.name).collect()
}

fn strip(view: &View) -> Vec<Seen> {
    let tabs = view.all().into_iter();
    tabs.filter(|seen| seen.role == Role::Tab).collect()
}

/// Types a path into a new tab and goes there.
#[track_caller]
fn go(view: &mut View, path: &str) {
    view.press(Key::T, MOD);
    view.type_text(path);
    view.key(Key::Enter);
}

/// The name of the tab in front.
fn front(view: &View) -> String {
    let state = view.state();
    let tab = state.tabs().and_then(|tabs| tabs.active());
    tab.map_or_else(String::new, |tab| {
        tab.content.name().unwrap_or("New tab").to_owned()
    })
}

#[test]
fn a_file_that_was_read_opens_by_a_click_and_the_tab_is_closed_and_reopened_by_keys() {
    let (_home, mut view) = opened(&[]);
    view.click("Step 1");
    let name = "Open readme.md";
    view.until("the call", |view| view.find(name).is_some());
    view.click(name);
    view.wait_for_words("1 # Lantern");
    assert_eq!(tabs(&view), ["readme.md"]);
    view.press(Key::W, MOD);
    assert!(tabs(&view).is_empty());
    assert!(
        view.field().focused,
        "the keyboard is back:\n{}",
        view.shown()
    );
    view.press(Key::T, MOD | Modifiers::SHIFT);
    view.wait_for_words("1 # Lantern");
}

#[test]
fn tabs_are_gone_through_by_keys_and_moved_by_dragging() {
    let (_home, mut view) = opened(&[("b.txt", b"second"), ("c.txt", b"third")]);
    for name in ["readme.md", "b.txt", "c.txt"] {
        go(&mut view, name);
    }
    assert_eq!(tabs(&view), ["readme.md", "b.txt", "c.txt"]);
    view.press(Key::Tab, Modifiers::CTRL | MOD);
    assert_eq!(front(&view), "readme.md");
    view.press(Key::Tab, Modifiers::CTRL | MOD | Modifiers::SHIFT);
    assert_eq!(front(&view), "c.txt");
    view.press(Key::Num2, MOD);
    assert_eq!(front(&view), "b.txt");
    view.press(Key::Num9, MOD);
    assert_eq!(front(&view), "c.txt");
    let strip = strip(&view);
    let (from, to) = (strip[2].at.center(), strip[0].at.left_center());
    drag(&mut view, from, to);
    assert_eq!(tabs(&view), ["c.txt", "readme.md", "b.txt"]);
    view.click_with("readme.md", PointerButton::Middle);
    assert_eq!(tabs(&view), ["c.txt", "b.txt"]);
    assert_eq!(front(&view), "c.txt", "a tab behind was closed");
}

fn drag(view: &mut View, from: Pos2, to: Pos2) {
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    view.frame(vec![egui::Event::PointerMoved(from)]);
    view.frame(vec![button(from, true)]);
    for part in [0.3_f32, 0.6, 1.0] {
        view.frame(vec![egui::Event::PointerMoved(from.lerp(to, part))]);
    }
    view.frame(vec![button(to, false)]);
    view.rest();
}

#[test]
fn a_change_is_kept_and_what_is_not_kept_is_asked_about() {
    let (home, mut view) = opened(&[("b.txt", b"one\r\ntwo\r\n")]);
    go(&mut view, "b.txt");
    view.wait_for_words("2 two");
    view.press(Key::E, MOD);
    let field = view.focused().unwrap();
    assert_eq!(
        (field.role, field.name.as_str()),
        (Role::MultilineTextInput, "b.txt")
    );
    view.press(Key::Home, MOD | Modifiers::CTRL);
    view.type_text("zero ");
    assert_eq!(tabs(&view), ["b.txt, not saved"]);
    view.press(Key::W, MOD);
    assert!(view.says("Close without saving?"));
    // Enter keeps.
    view.key(Key::Enter);
    assert_eq!(tabs(&view), ["b.txt, not saved"]);
    assert_eq!(home.file("b.txt"), "one\r\ntwo\r\n");
    view.press(Key::S, MOD);
    view.wait_for_words("Saved: b.txt");
    assert_eq!(home.file("b.txt"), "zero one\r\ntwo\r\n");
    assert_eq!(tabs(&view), ["b.txt"]);
    view.press(Key::E, MOD);
    view.wait_for_words("1 zero one");
}

#[test]
fn a_change_that_is_let_go_is_gone() {
    let (home, mut view) = opened(&[("b.txt", b"one")]);
    go(&mut view, "b.txt");
    view.wait_for_words("1 one");
    view.press(Key::E, MOD);
    view.type_text("x");
    view.press(Key::W, MOD);
    view.click("Discard the changes");
    assert!(tabs(&view).is_empty());
    assert_eq!(home.file("b.txt"), "one");
}

#[test]
fn words_are_found_in_a_text_that_is_being_changed() {
    let (home, mut view) = opened(&[("b.txt", b"one\ntwo one\nthree")]);
    go(&mut view, "b.txt");
    view.wait_for_words("1 one");
    view.press(Key::E, MOD);
    view.press(Key::F, MOD);
    view.type_text("one");
    view.wait_for_words("1 of 2");
    view.key(Key::Enter);
    view.wait_for_words("2 of 2");
    view.key(Key::Escape);
    view.type_text("No. ");
    view.press(Key::G, MOD);
    view.type_text("3");
    view.key(Key::Enter);
    view.type_text("! ");
    view.press(Key::S, MOD);
    view.wait_for_words("Saved: b.txt");
    assert_eq!(home.file("b.txt"), "one\ntwo No. one\n! three");
}

#[test]
fn a_conflict_is_settled_by_the_person() {
    let (home, mut view) = opened(&[("b.txt", b"one")]);
    let path = home.folder().join("b.txt");
    go(&mut view, "b.txt");
    view.wait_for_words("1 one");
    view.press(Key::E, MOD);
    view.press(Key::End, MOD | Modifiers::CTRL);
    view.type_text(" mine");
    std::fs::write(&path, "theirs").unwrap();
    view.press(Key::S, MOD);
    view.wait_for_words("The file has changed on the disk since it was read.");
    assert_eq!(home.file("b.txt"), "theirs");
    view.click("Keep mine and overwrite");
    view.wait_for_words("Saved: b.txt");
    assert_eq!(home.file("b.txt"), "one mine");
    view.type_text("!");
    std::fs::write(&path, "again theirs").unwrap();
    view.press(Key::S, MOD);
    view.wait_for_words("The file has changed on the disk since it was read.");
    view.click("Reload and lose mine");
    view.wait_for_words("1 again theirs");
    assert_eq!(home.file("b.txt"), "again theirs");
    assert_eq!(tabs(&view), ["b.txt"]);
}

#[test]
fn words_are_found_and_lines_gone_to() {
    use std::fmt::Write as _;
    let mut text = String::new();
    for line in 1..=5_000 {
        writeln!(text, "line {line} of it").unwrap();
    }
    let (_home, mut view) = opened(&[("long.txt", text.as_bytes())]);
    go(&mut view, "long.txt");
    view.wait_for_words("1 line 1 of it");
    view.press(Key::F, MOD);
    view.type_text("LINE 40".to_lowercase().as_str());
    view.wait_for_words("1 of 111");
    view.wait_for_words("40 line 40 of it");
    view.key(Key::F3);
    view.wait_for_words("2 of 111");
    view.wait_for_words("400 line 400 of it");
    view.press(Key::F3, Modifiers::SHIFT);
    view.wait_for_words("1 of 111");
    view.key(Key::Escape);
    assert!(!view.says("1 of 111"));
    view.press(Key::G, MOD);
    view.type_text("4321");
    view.key(Key::Enter);
    view.wait_for_words("4321 line 4321 of it");
    let rows = view
        .all()
        .into_iter()
        .filter(|seen| seen.name.contains(" of it"));
    assert!(rows.count() < 80, "only what is seen is laid out");
}

#[test]
fn a_folder_is_a_tree_for_the_arrow_keys() {
    let (_home, mut view) = opened(&[("deep/er/file.txt", b"found"), (".git/config", b"secret")]);
    let chip = view
        .all()
        .into_iter()
        .find(|seen| seen.name.starts_with("Open the folder:"));
    view.click(&chip.unwrap().name);
    view.until("the tree", |view| view.find("deep folder").is_some());
    assert!(!view.says(".git"), "what is private is not shown");
    assert!(
        view.focused().is_some_and(|seen| seen.role == Role::Tree),
        "{}",
        view.shown()
    );
    view.key(Key::ArrowDown);
    view.key(Key::ArrowRight);
    view.until("the inner folder", |view| view.find("er folder").is_some());
    view.key(Key::ArrowRight);
    view.key(Key::ArrowRight);
    view.until("the file", |view| view.find("file.txt").is_some());
    view.key(Key::ArrowRight);
    view.key(Key::Enter);
    view.wait_for_words("1 found");
    assert_eq!(front(&view), "file.txt");
}

#[test]
fn what_is_no_text_says_what_it_is() {
    let mut picture_file = Vec::new();
    image::RgbaImage::from_pixel(30, 20, image::Rgba([200, 80, 40, 255]))
        .write_to(
            &mut std::io::Cursor::new(&mut picture_file),
            image::ImageFormat::Png,
        )
        .unwrap();
    let (_home, mut view) = opened(&[("p.png", &picture_file), ("b.bin", b"\x7fELF\0\0")]);
    go(&mut view, "p.png");
    view.wait_for_words("30 × 20 pixels");
    go(&mut view, "b.bin");
    view.wait_for_words("This is no text: an ELF program, 6 B.");
    go(&mut view, "nowhere.txt");
    view.wait_for_words("There is nothing at this path");
    go(&mut view, "../../etc/passwd");
    view.wait_for_words("neither an address nor a path");
    let held = view.state().tabs().unwrap().len();
    assert_eq!(held, 4);
}

#[test]
fn too_many_tabs_are_refused_with_a_word_and_those_without_room_are_in_a_menu() {
    let (_home, mut view) = opened(&[]);
    for _ in 0..40 {
        view.press(Key::T, MOD);
    }
    assert_eq!(view.state().tabs().unwrap().len(), 40);
    view.press(Key::T, MOD);
    assert!(view.says("at most 40 tabs"));
    assert!(view.find("All tabs").is_some());
}

#[test]
fn f6_goes_round_the_panes_and_f10_folds_the_tabs_away() {
    let (_home, mut view) = opened(&[]);
    go(&mut view, "readme.md");
    view.wait_for_words("1 # Lantern");
    let preview_has_it = |view: &View| {
        let strip = strip(view)[0].at;
        view.focused()
            .is_some_and(|seen| seen.at.left() >= strip.left() - 20.0)
    };
    assert!(preview_has_it(&view), "{}", view.shown());
    view.key(Key::F6);
    assert!(!preview_has_it(&view) && !view.field().focused);
    view.key(Key::F6);
    assert!(view.field().focused, "{}", view.shown());
    view.key(Key::F6);
    assert!(preview_has_it(&view), "{}", view.shown());
    view.press(Key::F6, Modifiers::SHIFT);
    assert!(view.field().focused);
    view.key(Key::F10);
    assert!(tabs(&view).is_empty());
    assert!(view.state().preferences.preview_hidden);
    view.key(Key::F10);
    assert_eq!(tabs(&view), ["readme.md"]);
}

#[test]
fn in_a_narrow_window_the_tabs_take_the_place_of_the_conversation() {
    let (_home, mut view) = opened(&[]);
    go(&mut view, "readme.md");
    view.wait_for_words("1 # Lantern");
    view.resize([760, 600]);
    assert_eq!(tabs(&view), ["readme.md"]);
    let is_field = |seen: &Seen| seen.role == Role::MultilineTextInput;
    assert!(!view.all().iter().any(is_field), "{}", view.shown());
    view.click("Back to the conversation");
    assert!(view.field().focused && tabs(&view).is_empty());
    view.key(Key::F10);
    assert_eq!(tabs(&view), ["readme.md"]);
    view.resize([1280, 800]);
    assert!(view.all().iter().any(is_field) && tabs(&view).len() == 1);
}

#[test]
fn in_a_narrow_window_a_question_is_seen_at_once_or_is_said_where_something_is_typed() {
    for typing in [false, true] {
        let home = Home::with(&[LATER]);
        std::fs::write(home.folder().join("b.txt"), "one").unwrap();
        let mut view = home.open();
        view.say("Anything");
        view.ask("Write it later [later]");
        view.until("the run", |view| view.state().is_running());
        view.resize([760, 600]);
        go(&mut view, "b.txt");
        view.wait_for_words("1 one");
        if typing {
            view.press(Key::E, MOD);
        }
        home.simulator.release("the call");
        if typing {
            view.until("a word of it", |view| view.find("waits for you").is_some());
            assert!(!view.asks() && view.focused().is_some_and(|seen| seen.name == "b.txt"));
            view.click("waits for you");
        }
        view.wait_for_card();
        view.key(Key::R);
        view.wait_for_the_end();
    }
}

#[test]
fn a_session_sees_no_tabs_of_another() {
    let (_home, mut view) = opened(&[]);
    go(&mut view, "readme.md");
    view.wait_for_words("1 # Lantern");
    view.press(Key::N, MOD);
    assert!(tabs(&view).is_empty());
    view.say("Something else");
    assert!(tabs(&view).is_empty());
    view.press(Key::PageDown, MOD);
    view.wait_for_words("1 # Lantern");
}

#[test]
fn a_hit_opens_its_file_at_the_line_and_a_change_opens_as_a_change() {
    let (home, prompt) = Home::for_scenario("demo-search");
    let mut view = home.open();
    view.say(&prompt);
    view.click("Step 1");
    let is_call = |seen: &Seen| seen.name.starts_with("files_search bulb");
    view.until("the call", |view| view.all().iter().any(is_call));
    let call = view.all().into_iter().find(is_call).unwrap();
    view.click(&call.name);
    let is_hit = |seen: &Seen| seen.role == Role::Button && seen.name.contains(".md:");
    view.until("a hit", |view| view.all().iter().any(is_hit));
    let hit = view.all().into_iter().find(is_hit).unwrap();
    let (path, rest) = hit.name.split_once(':').unwrap();
    let (line, words) = rest.split_once(' ').unwrap();
    view.click(&hit.name);
    view.wait_for_words(&format!("{line} {words}"));
    assert_eq!(strip(&view).len(), 1, "{path}");

    let prompt = home.lay("demo-replace");
    view.press(Key::M, MOD);
    view.ask(&prompt);
    view.wait_for_card();
    view.key(Key::A);
    view.wait_for_the_end();
    let step = |view: &View, of: &str| {
        let mut steps = view.all().into_iter();
        steps.rfind(|seen| seen.name.starts_with("Step 2,") && seen.name.contains(of))
    };
    view.until("the step", |view| step(view, "files_replace").is_some());
    let name = step(&view, "files_replace").unwrap().name;
    view.click(&name);
    let is_call = |seen: &Seen| seen.name.starts_with("files_replace readme.md");
    view.until("the call", |view| view.all().iter().any(is_call));
    let call = view.all().into_iter().find(is_call).unwrap();
    view.click(&call.name);
    view.click("Open the change");
    view.until("the change", |view| view.says("added 1 two batteries"));
    assert_eq!(front(&view), "readme.md");
}

#[test]
fn a_tab_follows_what_a_tool_has_changed() {
    let (home, prompt) = Home::for_scenario("demo-replace");
    let mut view = home.open();
    view.say("Anything");
    go(&mut view, "readme.md");
    view.wait_for_words("3 A small lamp that runs on one battery.");
    view.press(Key::M, MOD);
    view.ask(&prompt);
    view.wait_for_card();
    view.key(Key::A);
    view.wait_for_the_end();
    view.wait_for_words("3 A small lamp that runs on two batteries.");
}

#[test]
fn text_is_chosen_by_pointer_and_copied() {
    let (_home, mut view) = opened(&[("b.txt", b"one two three\nfour")]);
    go(&mut view, "b.txt");
    view.wait_for_words("1 one two three");
    let first = view.find("1 one two three").unwrap().at;
    let second = view.find("2 four").unwrap().at;
    let from = Pos2::new(first.left() + 52.0, first.center().y);
    let to = Pos2::new(second.right() - 40.0, second.center().y);
    drag(&mut view, from, to);
    view.frame(vec![egui::Event::Copy]);
    assert_eq!(view.copied().as_deref(), Some("one two three\nfour"));
}

#[test]
fn after_a_restart_nothing_opens_by_itself_and_what_was_hidden_stays_so() {
    let (home, mut view) = opened(&[]);
    go(&mut view, "readme.md");
    view.wait_for_words("1 # Lantern");
    view.key(Key::F10);
    drop(view);
    let mut view = home.open();
    assert!(view.state().preferences.preview_hidden);
    view.press(Key::PageDown, MOD);
    view.until("the session", |view| view.says("The scripted model read"));
    assert!(view.state().tabs().is_none() && tabs(&view).is_empty());
    view.press(Key::T, MOD);
    assert_eq!(tabs(&view), ["New tab"], "whoever opens one sees it");
}

/// A picture of each kind of tab, in both languages and themes.
#[test]
fn tabs_are_pictured() {
    let rust = "//! Dates.\n\n/// Parses a date.\npub fn parse_date(text: &str) -> Option<Date> {\n    let (year, rest) = text.split_once('-')?;\n    let month = parse_month(rest)?; // first the month\n    Some(Date { year: year.parse().ok()?, month, day: 1 })\n}\n".repeat(12);
    let mut art = Vec::new();
    image::RgbaImage::from_fn(320, 200, |x, y| {
        image::Rgba([x / 2, y, 160, 255].map(|part| u8::try_from(part).unwrap_or(255)))
    })
    .write_to(&mut std::io::Cursor::new(&mut art), image::ImageFormat::Png)
    .unwrap();
    for (theme, chinese) in [(Theme::Dark, false), (Theme::Light, true)] {
        let files: [(&str, &[u8]); 4] = [
            ("src/date.rs", rust.as_bytes()),
            ("art.png", &art),
            ("notes/a.md", b"# Notes\n"),
            ("data.bin", b"\x7fELF\0"),
        ];
        let setup = Setup {
            theme,
            ..Setup::default()
        };
        let (home, mut view) = opened_with(&files, setup);
        if theme == Theme::Light {
            view.press(Key::L, MOD | Modifiers::SHIFT);
        }
        if chinese {
            view.press(Key::K, MOD);
            view.type_text("English");
            view.key(Key::Enter);
        }
        let name = |what: &str| {
            let theme = if chinese { "light-zh" } else { "dark-en" };
            format!("preview-{what}-{theme}")
        };
        go(&mut view, "notes/");
        go(&mut view, "src/date.rs");
        view.wait_for_words("5     let (year");
        view.press(Key::F, MOD);
        view.type_text("month");
        view.pass(1.5);
        picture(&mut view, &name("file"));
        view.key(Key::Escape);
        view.press(Key::E, MOD);
        view.type_text("// mine");
        std::fs::write(home.folder().join("src/date.rs"), "theirs").unwrap();
        view.press(Key::S, MOD);
        view.until("the conflict", |view| {
            view.says("changed on the disk") || view.says("磁盘上已被更改")
        });
        picture(&mut view, &name("conflict"));
        view.press(Key::W, MOD);
        picture(&mut view, &name("unsaved"));
        view.key(Key::Enter);
        go(&mut view, ".");
        view.until("the tree", |view| view.says("notes"));
        view.pass(0.5);
        view.key(Key::ArrowDown);
        view.key(Key::ArrowRight);
        view.pass(0.5);
        picture(&mut view, &name("folder"));
        go(&mut view, "art.png");
        view.until("the picture", |view| view.says("320 × 200"));
        picture(&mut view, &name("picture"));
        go(&mut view, "data.bin");
        view.until("the word", |view| view.says("ELF"));
        picture(&mut view, &name("binary"));
        view.press(Key::T, MOD);
        picture(&mut view, &name("new"));
        view.resize([760, 600]);
        picture(&mut view, &name("narrow"));
    }
}
