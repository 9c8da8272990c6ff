//! Native web pages through wry: everything of Wisp that links a web engine.
//!
//! The window knows pages by the trait `wisp::pages::PageHost` alone. Here are its two ways: a process of its own
//! for them (`child_main`, which the window's `ChildProcess` starts), and this process (`in_process`). Both carry
//! out commands by the same views.

#[cfg(target_os = "linux")]
pub mod child_main;
#[cfg(target_os = "linux")]
pub mod in_process;
#[cfg(target_os = "linux")]
mod linux;
mod names;
mod outbox;
mod policy;
mod read;

use std::process::ExitCode;

/// With `--host` and a window's number, the page process of that window; else what `wisp` does.
#[cfg(target_os = "linux")]
pub fn main() -> ExitCode {
    use wisp::pages::child_process::HOST_ARGUMENT;

    prepare();
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some(HOST_ARGUMENT), Some(window)) => child_main::run(&window),
        _ => wisp::cli::main(Some(in_process::InProcess::factory())),
    }
}

/// What `wisp` does, without pages: nothing shows them on this system yet, and each tab says so.
#[cfg(not(target_os = "linux"))]
pub fn main() -> ExitCode {
    wisp::cli::main(None)
}

/// Sets what WebKit and GTK read from the environment, unless the person has.
#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "there is no other way to set what a C library reads"
)]
fn prepare() {
    // Pages are blank where drawing is done by software and WebKit hands them over as graphics memory.
    for (name, value) in [
        ("WEBKIT_DISABLE_DMABUF_RENDERER", "1"),
        ("GDK_BACKEND", "x11"),
        // By XInput 2 GTK goes on to take the keys of a page under the pointer when the window has the keyboard
        // again, and they are lost (seen with GTK 3.24). The price is that the wheel scrolls in steps.
        ("GDK_CORE_DEVICE_EVENTS", "1"),
    ] {
        if std::env::var_os(name).is_none() {
            // SAFETY: the program has just begun and has one thread.
            unsafe { std::env::set_var(name, value) };
        }
    }
}
