//! Opens the window, and says what to do where none can be opened.

use std::sync::Arc;

use anyhow::anyhow;
use eframe::NativeOptions;
use eframe::egui::{IconData, ViewportBuilder};

use super::app::{Start, WindowApp};
use crate::bridge::{Link, Wake, Worker, first_preferences};
use crate::pages::{HostFactory, HostWindow};
use crate::state::preferences::LEAST_SIZE;
use crate::theme::system_fonts::SystemFonts;

/// The window's title.
const TITLE: &str = "Wisp";
/// The application's id: what a desktop groups and names windows by.
const APP_ID: &str = "wisp";

/// Opens the window, with somebody who shows pages in it, and returns when it is closed.
pub fn open(mut start: Start, pages: HostFactory) -> anyhow::Result<()> {
    let wake = Wake::default();
    let worker = Worker::start(wake.clone(), None)
        .map_err(|error| anyhow!("The window's worker could not start: {error}."))?;
    let link = Link::new(worker);
    // A window that is there already would jump if it were given its size later.
    let wanted = first_preferences();
    let system_fonts = Arc::new(SystemFonts::default());
    start.maximized = wanted.maximized;
    let options = NativeOptions {
        viewport: ViewportBuilder::default()
            .with_title(TITLE)
            .with_app_id(APP_ID)
            .with_icon(IconData::default())
            .with_inner_size(wanted.size)
            .with_maximized(wanted.maximized)
            .with_min_inner_size(LEAST_SIZE),
        event_loop_builder: on_x11(),
        // By a provider that does without any, see below.
        system_font_fallback: false,
        ..NativeOptions::default()
    };
    eframe::run_native(
        TITLE,
        options,
        Box::new(move |creation| {
            creation.egui_ctx.add_font_provider(system_fonts);
            wake.connect(&creation.egui_ctx);
            let mut app = WindowApp::new(&creation.egui_ctx, link, start)?;
            app.show_pages(pages(HostWindow::new(creation, wake.waker())));
            Ok(Box::new(app))
        }),
    )
    .map_err(|error| {
        anyhow!(
            "The window could not be opened: {}.\n\
             Nothing is lost, and Wisp works without a window: try `wisp exec --help`.",
            reason(&error.to_string())
        )
    })
}

/// Native pages are put into an X11 window, also where the desktop is Wayland and has X11 beside it. Where there is
/// only Wayland the window opens there, and pages say that they can't.
#[cfg(target_os = "linux")]
fn on_x11() -> Option<eframe::EventLoopBuilderHook> {
    use winit::platform::x11::EventLoopBuilderExtX11 as _;
    let has_x11 = std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty());
    has_x11.then(|| -> eframe::EventLoopBuilderHook {
        Box::new(|builder| {
            builder.with_x11();
        })
    })
}

/// Elsewhere there is one kind of window.
#[cfg(not(target_os = "linux"))]
fn on_x11() -> Option<eframe::EventLoopBuilderHook> {
    None
}

/// What a person can use of an error's text: not where in its sources the window library failed.
fn reason(error: &str) -> &str {
    let reason = match error
        .rsplit_once(".rs:")
        .map(|(_, rest)| rest.split_once(": "))
    {
        Some(Some((_line, reason))) => reason,
        _ => error,
    };
    reason.trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_has_no_source_line() {
        assert_eq!(
            reason("winit: os error at src/linux/mod.rs:765: no display is set."),
            "no display is set"
        );
        assert_eq!(reason("no such: thing"), "no such: thing");
        assert_eq!(reason("failed in main.rs:7"), "failed in main.rs:7");
    }
}
