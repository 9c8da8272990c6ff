//! `cargo xtask run`: builds Wisp, shows its main job on the scripted model, opens the window.
//!
//! Without a display the window opens on a virtual one, and a program does in it what a person would.
//!
//! The development build: a newcomer waits for the compiler, and an optimised build takes several
//! times as long for a program that is fast enough without.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::needs::Purpose;
use crate::packages;
use crate::sections::{Failure, line_of, must};
use crate::workspace::{self, cargo};

/// The request that the scripted model knows (`qa/scenarios/demo-replace.toml`), and the file it changes.
const DEMO_PROMPT: &str = "Make it run on two batteries [demo:replace]";
const DEMO_FILE: &str = "readme.md";
const DEMO_TEXT: &str = "# Lantern\n\nA small lamp that runs on one battery.\n";

/// How the program is built.
const BUILD: [&str; 6] = [
    "build",
    "--package",
    "wisp",
    "--package",
    "wisp-pages",
    "--locked",
];
/// How it is built with the port through which it is driven, together with what drives it.
const DRIVEN_BUILD: [&str; 16] = [
    "build",
    "--locked",
    "--package",
    "wisp",
    "--bin",
    "wisp",
    "--features",
    "wisp/inspection",
    "--package",
    "wisp-pages",
    "--bin",
    "wisp-pages",
    "--package",
    "wisp-tests",
    "--bin",
    "drive",
];

/// With arguments, runs `wisp` with them; without, shows what there is to see.
pub(crate) fn run(arguments: Vec<OsString>) -> Result<u8, Failure> {
    let display = Display::find();
    let purposes: &[Purpose] = match display {
        Display::None if !arguments.is_empty() => &[Purpose::Build],
        Display::None => &[
            Purpose::Build,
            Purpose::Window,
            Purpose::X11,
            Purpose::VirtualDisplay,
        ],
        Display::X11 => &[Purpose::Build, Purpose::Window, Purpose::X11],
        Display::Wayland => &[Purpose::Build, Purpose::Window, Purpose::Wayland],
    };
    let lacking = packages::ensure(purposes)?;
    let drives = arguments.is_empty() && display == Display::None && lacking.is_empty();
    must(&mut cargo(if drives { &DRIVEN_BUILD } else { &BUILD }))?;
    let wisp = workspace::wisp("debug");
    if !arguments.is_empty() {
        return status_of(Command::new(wisp).args(arguments)).map(code_of);
    }
    let has_key = has_key();
    if has_key {
        println!(
            "\nA model's key is set, so the simulation is left out. To try it in this folder:"
        );
        println!("  cargo xtask run -- exec --dir . \"What is in this folder?\"");
    } else {
        demonstrate(&wisp)?;
    }
    if !lacking.is_empty() {
        let what: Vec<&str> = lacking.iter().map(|need| need.what).collect();
        println!(
            "\nThe window stays closed, for lack of {}.",
            what.join(", ")
        );
        return Ok(0);
    }
    if drives {
        return drive(&wisp);
    }
    let mut window = Command::new(wisp);
    if !has_key {
        window.arg("--simulate");
    }
    println!("\nOpening the window. This command ends when it is closed.");
    println!("$ {}", line_of(&window));
    status_of(&mut window).map(code_of)
}

/// The first scenario in the window, on a virtual display, with a picture of how it ended.
fn drive(wisp: &Path) -> Result<u8, Failure> {
    println!("\nThere is no display here: the window opens on a virtual one, and is driven there.");
    let picture = workspace::target().join("pictures/run.png");
    let mut command = Command::new(workspace::built("debug", "drive"));
    command.arg(picture).env("WISP_TEST_BINARY", wisp);
    status_of(&mut command).map(code_of)
}

/// The main job, on the scripted model, in a folder that is gone afterwards.
fn demonstrate(wisp: &Path) -> Result<(), Failure> {
    let folder = DemoFolder::new()?;
    let file = folder.work().join(DEMO_FILE);
    fs::write(&file, DEMO_TEXT).map_err(|error| io_failure(&error))?;
    let approve = if io::stdin().is_terminal() {
        "ask"
    } else {
        "all"
    };
    println!("\n=== SIMULATION: a scripted model answers, and no real one is called ===");
    println!("{DEMO_FILE} before:\n{}", indented(DEMO_TEXT));
    let mut command = Command::new(wisp);
    command
        .args(["exec", "--simulate", "--dir"])
        .arg(folder.work())
        .args(["--approve", approve, DEMO_PROMPT])
        .env("WISP_HOME", folder.home());
    println!("$ {}", line_of(&command));
    let status = status_of(&mut command)?;
    if !status.success() {
        return Err(Failure::new(format!("The simulation ended with {status}.")));
    }
    let after = fs::read_to_string(&file).map_err(|error| io_failure(&error))?;
    println!("\n{DEMO_FILE} after:\n{}", indented(&after));
    if approve == "all" && after == DEMO_TEXT {
        return Err(Failure::new(
            "The simulation ended, and the file was not changed.",
        ));
    }
    println!("=== end of the simulation ===");
    println!(
        "To use a real model, set WISP_API_KEY (and WISP_BASE_URL, WISP_MODEL where it isn't DeepSeek's)."
    );
    Ok(())
}

/// A work folder and a data folder, removed when done.
struct DemoFolder(PathBuf);

impl DemoFolder {
    fn new() -> Result<Self, Failure> {
        let base = env::temp_dir().join(format!("wisp-demo-{}", std::process::id()));
        let folder = Self(base);
        fs::create_dir_all(folder.work()).map_err(|error| io_failure(&error))?;
        fs::create_dir_all(folder.home()).map_err(|error| io_failure(&error))?;
        Ok(folder)
    }

    fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    fn home(&self) -> PathBuf {
        self.0.join("home")
    }
}

impl Drop for DemoFolder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!(
                "The simulation's folder was left behind ({error}): {}",
                self.0.display()
            );
        }
    }
}

/// Where a window could be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Display {
    None,
    X11,
    Wayland,
}

impl Display {
    /// In the order in which the window's crates try them. Elsewhere than on Linux the kind is of no matter.
    fn find() -> Self {
        let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
        if set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET") {
            Self::Wayland
        } else if set("DISPLAY") || !cfg!(target_os = "linux") {
            Self::X11
        } else {
            Self::None
        }
    }
}

/// Whether a model is set up: a key in the environment or in the settings file.
fn has_key() -> bool {
    let in_environment = env::var_os("WISP_API_KEY").is_some_and(|key| !key.is_empty());
    in_environment
        || settings_file()
            .and_then(|path| fs::read_to_string(path).ok())
            .is_some_and(|text| sets_key(&text))
}

fn sets_key(settings: &str) -> bool {
    settings.lines().any(|line| {
        line.split_once('=').is_some_and(|(name, value)| {
            name.trim() == "api_key" && !value.trim().trim_matches(['"', '\'']).is_empty()
        })
    })
}

fn settings_file() -> Option<PathBuf> {
    let home = match env::var_os("WISP_HOME") {
        Some(home) => PathBuf::from(home),
        None => match env::var_os("XDG_DATA_HOME") {
            Some(data) => Path::new(&data).join("wisp"),
            None => Path::new(&env::var_os("HOME")?).join(".local/share/wisp"),
        },
    };
    Some(home.join("settings.toml"))
}

fn status_of(command: &mut Command) -> Result<ExitStatus, Failure> {
    command.status().map_err(|error| {
        Failure::new(format!(
            "`{}` could not be started: {error}.",
            line_of(command)
        ))
    })
}

fn code_of(status: ExitStatus) -> u8 {
    status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1)
}

fn io_failure(error: &io::Error) -> Failure {
    Failure::new(format!(
        "The simulation's folder could not be used: {error}."
    ))
}

fn indented(text: &str) -> String {
    text.lines().flat_map(|line| ["    ", line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_counts_only_when_it_has_a_value() {
        assert!(sets_key("model = \"m\"\napi_key = \"abc\"\n"));
        assert!(!sets_key("api_key = \"\"\n"));
        assert!(!sets_key("# api_key = \"abc\"\n"));
        assert!(!sets_key("my_api_key = \"abc\"\n"));
    }

    #[test]
    fn the_demo_folder_is_gone_afterwards() {
        let folder = DemoFolder::new().unwrap();
        let path = folder.0.clone();
        assert!(folder.work().is_dir() && folder.home().is_dir());
        drop(folder);
        assert!(!path.exists());
    }
}
