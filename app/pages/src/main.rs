//! `wisp-pages`: the page process of a window, or the window with its pages in one process.

use std::process::ExitCode;

fn main() -> ExitCode {
    wisp_pages::main()
}
