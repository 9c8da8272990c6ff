//! The two streams. Nothing else of the command line writes to them.

use std::io::{self, IsTerminal, Write};

/// Writes to standard output, to be seen at once.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a line to standard output.
pub(super) fn print_line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes to standard error. When that is gone there is nowhere left to say so.
pub(super) fn mutter(text: &str) {
    let mut err = io::stderr().lock();
    drop(err.write_all(text.as_bytes()).and_then(|()| err.flush()));
}

/// Writes a line to standard error.
pub(super) fn complain(text: &str) {
    mutter(&format!("{text}\n"));
}

/// Whether a person reads standard output.
pub(super) fn answer_is_read() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard error takes colours: a terminal does, unless its person wants none.
pub(super) fn has_colour() -> bool {
    io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Whether an error only says that the reader of a pipe has gone.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
