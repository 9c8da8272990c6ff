//! The one binary: the window without arguments, the command line with them.

fn main() -> std::process::ExitCode {
    wisp::cli::main(None)
}
