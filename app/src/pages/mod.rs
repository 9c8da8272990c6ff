//! Native web pages: what the window asks of whoever shows them, and what comes back.
//!
//! Nothing here links a web engine. Linking WebKitGTK alone costs a start 110 ms and 46 MB (measured on two
//! cores, a program that does nothing else), which is most of what the window may take for its first frame. So
//! the package `wisp-pages` beside this one owns wry, and this program starts it when the first page is opened.

pub mod child_process;
pub mod factory;
pub mod host;
pub mod wire;

pub use child_process::{ChildProcess, Program};
pub use factory::{HostFactory, HostWindow, Waker};
pub use host::{
    Chord, Download, FailureKind, PageCommand, PageEvent, PageFailure, PageHost, PageId, PageLink,
    PageText, PixelRect, Pixels, ReadFailure, Storage,
};
