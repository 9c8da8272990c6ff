//! The first scenario in the real window, on a virtual display, as a person would go through it; and a picture
//! of how it ended.
//!
//! `drive PICTURE`, with the program in `WISP_TEST_BINARY`, built with its feature `inspection`.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it drives a program, looks at its files and says what it does"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use wisp_qa::Scenario;
use wisp_tests::{Screen, Window, names, wisp};

/// The scenario that is driven.
const SCENARIO: &str = "demo-replace";

/// Why it could not be done, in a person's words.
type Stopped = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    // What the window's driver can't do, it says by panicking: the words are for a person to read.
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.payload_as_str().unwrap_or("for no known reason");
        println!("The window could not be driven: {words}");
    }));
    let Some(picture) = std::env::args_os().nth(1).map(PathBuf::from) else {
        println!("Say where the picture is to be saved: drive PICTURE");
        return ExitCode::from(2);
    };
    match drive(&picture) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            println!("The scenario did not end as it should: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn drive(picture: &Path) -> Result<(), Stopped> {
    let started = Instant::now();
    let done = |what: &str| println!("{:>6.2} s  {what}", started.elapsed().as_secs_f64());
    let scenario = wisp_qa::builtin()
        .into_iter()
        .find(|scenario| scenario.name == SCENARIO)
        .ok_or("the scenario is not there")?;
    let home = tempfile::tempdir()?;
    let folder = tempfile::tempdir()?;
    wisp_qa::lay(
        scenario.workspace.as_deref().unwrap_or_default(),
        folder.path(),
    )?;
    let screen = Screen::start(&[])?;
    done("a virtual display is there");
    let mut window = Window::open(
        &screen,
        wisp(home.path())
            .arg("--simulate")
            .arg("--dir")
            .arg(folder.path()),
    );
    done("the window is open");
    window.wait_for_role(Role::MultilineTextInput, names::COMPOSER);
    window.focus(names::COMPOSER);
    window.type_text(&scenario.prompt);
    window.press(Key::Enter, Modifiers::NONE);
    done(&format!("asked: {}", scenario.prompt));
    window.wait_until("a card", |tree| tree.card().cloned());
    done("a card asks for approval");
    // A key does nothing in the card's first moment, so that a person who types can't approve: until it does.
    window.press_until(Key::A, "the card's end", |tree| tree.card().is_none());
    done("approved with A");
    for words in &scenario.expect.answer {
        window.wait_for_words(words);
    }
    done("the answer is there");
    window.screenshot(picture);
    check(&scenario, folder.path())?;
    done("the file is changed as it should be");
    println!("Picture: {}", picture.display());
    Ok(())
}

/// Whether the files are what the scenario makes of them.
fn check(scenario: &Scenario, folder: &Path) -> Result<(), Stopped> {
    for (path, wanted) in &scenario.expect.approved.files {
        let found = std::fs::read_to_string(folder.join(path))?;
        if found != *wanted {
            return Err(format!("{path} holds {found:?} and not {wanted:?}").into());
        }
    }
    Ok(())
}
