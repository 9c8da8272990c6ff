//! The page process: reads commands from standard input, shows pages inside another program's window, and tells
//! events on standard output. It ends when its input does.

#![expect(
    clippy::disallowed_methods,
    clippy::exit,
    reason = "nothing is to be closed when the window is gone, and GTK's loop may be busy"
)]

use std::io::{self, BufReader, Write as _};
use std::process::ExitCode;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::Builder;

use gtk::glib;
use wisp::pages::{PageCommand, PageEvent, wire};

use crate::linux::{self, Views};

/// Commands that are read ahead.
const MOST_COMMANDS: usize = 100;
/// Events that wait for the window to read them.
const MOST_EVENTS: usize = 100;

/// Shows pages in the X11 window of this number until standard input ends.
pub fn run(window: &str) -> ExitCode {
    match show(window) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            // Without a standard error there is nobody to tell.
            drop(writeln!(io::stderr(), "wisp-pages: {reason}"));
            ExitCode::FAILURE
        }
    }
}

fn show(window: &str) -> Result<(), String> {
    let window: u32 = window
        .parse()
        .map_err(|_| format!("{window} is no number of a window"))?;
    linux::begin()?;
    let (say, said) = sync_channel::<PageEvent>(MOST_EVENTS);
    Builder::new()
        .name("events".to_owned())
        .spawn(move || {
            let mut out = io::BufWriter::new(io::stdout().lock());
            for event in said {
                if wire::write_event(&mut out, event).is_err() {
                    std::process::exit(0);
                }
            }
        })
        .map_err(|error| error.to_string())?;
    let (give, mut given) = tokio::sync::mpsc::channel(MOST_COMMANDS);
    Builder::new()
        .name("commands".to_owned())
        .spawn(move || read_commands(&give))
        .map_err(|error| error.to_string())?;
    let mut views = Views::new(window, Box::new(move |event| tell(&say, event)))?;
    glib::MainContext::default().spawn_local(async move {
        while let Some(command) = given.recv().await {
            views.run(command);
        }
        gtk::main_quit();
    });
    gtk::main();
    Ok(())
}

fn tell(say: &SyncSender<PageEvent>, event: PageEvent) -> Result<(), PageEvent> {
    match say.try_send(event) {
        Ok(()) => Ok(()),
        Err(TrySendError::Full(event) | TrySendError::Disconnected(event)) => Err(event),
    }
}

/// Reads until the window is gone. Then everything ends, whatever GTK is doing.
fn read_commands(give: &tokio::sync::mpsc::Sender<PageCommand>) {
    let mut input = BufReader::new(io::stdin().lock());
    loop {
        match wire::read_command(&mut input) {
            Ok(Some(command)) => {
                if give.blocking_send(command).is_err() {
                    return;
                }
            }
            Ok(None) => std::process::exit(0),
            Err(error) => {
                drop(writeln!(
                    io::stderr(),
                    "wisp-pages: a command can't be read: {error}"
                ));
                std::process::exit(1);
            }
        }
    }
}
