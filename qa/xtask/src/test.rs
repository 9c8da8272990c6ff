//! `cargo xtask test` and `cargo xtask bench`: everything that must hold, in sections.

use crate::needs::{Need, Purpose};
use crate::packages;
use crate::sections::{Failure, Sections, must};
use crate::workspace::{self, cargo};

/// Formatting, lints, all tests, the release build, the benches.
pub(crate) fn test() -> Result<u8, Failure> {
    let mut sections = Sections::default();
    let lacking = sections.section("system", || {
        let lacking = packages::ensure(&[
            Purpose::Build,
            Purpose::Window,
            Purpose::X11,
            Purpose::VirtualDisplay,
            Purpose::WindowTest,
        ])?;
        said_or_failed(&lacking)?;
        Ok(lacking)
    })?;
    sections.section("format", || must(&mut cargo(&["fmt", "--all", "--check"])))?;
    sections.section("lints", || {
        must(&mut cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]))
    })?;
    sections.section("tests", || {
        // All targets: the same set of features as the tests', so that nothing is built twice and the
        // program that the window test starts is the one of these sources.
        must(&mut cargo(&[
            "build",
            "--workspace",
            "--all-targets",
            "--locked",
        ]))?;
        must(
            cargo(&["test", "--workspace", "--locked"])
                .env("WISP_TEST_BINARY", workspace::wisp("debug")),
        )
    })?;
    release_and_benches(&mut sections)?;
    sections.summary();
    if lacking.is_empty() {
        println!("\nAll green.");
    } else {
        println!("\nGreen, without some tests of the window: see \"system\" above.");
    }
    Ok(0)
}

/// The release build and the benches alone.
pub(crate) fn bench() -> Result<u8, Failure> {
    let mut sections = Sections::default();
    sections.section("system", || {
        let lacking = packages::ensure(&[
            Purpose::Build,
            Purpose::Window,
            Purpose::X11,
            Purpose::VirtualDisplay,
        ])?;
        said_or_failed(&lacking)
    })?;
    release_and_benches(&mut sections)?;
    sections.summary();
    Ok(0)
}

fn release_and_benches(sections: &mut Sections) -> Result<(), Failure> {
    sections.section("release build", || {
        must(&mut cargo(&[
            "build",
            "--release",
            "--package",
            "wisp",
            "--package",
            "wisp-pages",
            "--locked",
        ]))
    })?;
    sections.section("benches", || {
        must(
            cargo(&["bench", "--package", "wisp-benches", "--locked"])
                .env("WISP_TEST_BINARY", workspace::wisp("release")),
        )
    })
}

/// A lack is said where a person looks on, and fails where nobody does.
fn said_or_failed(lacking: &[&Need]) -> Result<(), Failure> {
    if lacking.is_empty() {
        return Ok(());
    }
    let what: Vec<&str> = lacking.iter().map(|need| need.what).collect();
    let what = what.join(", ");
    if workspace::is_ci() {
        let advice = packages::by_hand(lacking);
        return Err(Failure::new(format!(
            "CI is set and the system lacks {what}. {advice}"
        )));
    }
    println!("Going on without some tests of the window, for lack of {what}.");
    Ok(())
}
