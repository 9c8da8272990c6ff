//! A command's work in sections: a heading, the programs' own output, the time it took; the first
//! failure ends it and is named last.

use std::fmt;
use std::process::Command;
use std::time::{Duration, Instant};

/// Why a command stopped, in words for a person.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    /// With these words.
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The sections done so far.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    done: Vec<(&'static str, Duration)>,
}

impl Sections {
    /// Does one section.
    pub(crate) fn section<T>(
        &mut self,
        title: &'static str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        println!("\n=== {title} ===");
        let start = Instant::now();
        let outcome = work();
        let took = start.elapsed();
        match outcome {
            Ok(value) => {
                println!("--- {title}: ok, {}", seconds(took));
                self.done.push((title, took));
                Ok(value)
            }
            Err(failure) => {
                self.summary();
                Err(Failure(format!(
                    "FAILED in {}: {title}. {failure}",
                    seconds(took)
                )))
            }
        }
    }

    /// Lists the sections that went well, with their times.
    pub(crate) fn summary(&self) {
        println!("\n=== summary ===");
        for (title, took) in &self.done {
            println!("  ok  {title}, {}", seconds(*took));
        }
    }
}

/// Runs a program that shares this terminal; anything but success is a failure.
pub(crate) fn must(command: &mut Command) -> Result<(), Failure> {
    let line = line_of(command);
    eprintln!("$ {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{line}` ended with {status}."))),
        Err(error) => Err(Failure(format!("`{line}` could not be started: {error}."))),
    }
}

/// The command as one could type it: the program's name without its folder.
pub(crate) fn line_of(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut line = program
        .file_name()
        .unwrap_or(command.get_program())
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        line.push(' ');
        if argument.contains([' ', '[', '"']) {
            line.extend(["'", &argument, "'"]);
        } else {
            line.push_str(&argument);
        }
    }
    line
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_section_is_named_and_stops_the_count() {
        let mut sections = Sections::default();
        assert_eq!(sections.section("first", || Ok(1)).unwrap(), 1);
        let failure = sections
            .section("second", || Err::<(), _>(Failure::new("It broke.")))
            .unwrap_err()
            .to_string();
        assert!(failure.starts_with("FAILED in "), "{failure}");
        assert!(failure.ends_with(": second. It broke."), "{failure}");
        assert_eq!(sections.done.len(), 1);
    }

    #[test]
    fn a_program_that_fails_or_is_not_there_is_a_failure() {
        assert!(must(&mut Command::new("true")).is_ok());
        let failure = must(&mut Command::new("false")).unwrap_err().to_string();
        assert!(failure.contains("`false` ended with"), "{failure}");
        let failure = must(&mut Command::new("no-such-program-here"))
            .unwrap_err()
            .to_string();
        assert!(failure.contains("could not be started"), "{failure}");
    }

    #[test]
    fn a_line_can_be_typed_again() {
        let mut command = Command::new("/some/where/wisp");
        command.args(["exec", "--simulate", "[demo:replace] Go"]);
        assert_eq!(
            line_of(&command),
            "wisp exec --simulate '[demo:replace] Go'"
        );
    }
}
