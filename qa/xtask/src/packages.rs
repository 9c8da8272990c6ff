//! Brings what the system lacks, where it may; otherwise says the one line to type.
//!
//! As root with apt it installs without asking; with `sudo` it asks first, and only on a terminal. Of
//! other package managers it knows no names and says so.

use std::env;
use std::io::{self, BufRead, IsTerminal, Write};
use std::process::Command;

use crate::needs::{self, Need, Purpose};
use crate::sections::Failure;
use crate::workspace;

/// How long to wait for another installation to end, in seconds.
const LOCK_PATIENCE: &str = "DPkg::Lock::Timeout=120";

/// Sees to all that these purposes need. What is still missing comes back: never something that the
/// build needs, which is a failure.
pub(crate) fn ensure(purposes: &[Purpose]) -> Result<Vec<&'static Need>, Failure> {
    if !cfg!(target_os = "linux") {
        eprintln!(
            "The system is only checked on Linux. Building here needs a C compiler \
             (macOS: `xcode-select --install`; Windows: the Visual Studio build tools)."
        );
        return Ok(Vec::new());
    }
    let lacking = needs::lacking(purposes);
    if lacking.is_empty() {
        eprintln!("The system has all that is needed.");
        return Ok(lacking);
    }
    eprintln!("The system lacks:");
    for need in &lacking {
        eprintln!(
            "  {} (package {}): {}",
            need.what,
            need.debian.join(", "),
            need.why
        );
    }
    let problem = install(&lacking);
    let lacking = needs::lacking(purposes);
    let Some(first) = lacking.iter().find(|need| need.purpose == Purpose::Build) else {
        if let Some(problem) = problem
            && !lacking.is_empty()
        {
            eprintln!("{problem}");
        }
        return Ok(lacking);
    };
    let advice = problem.unwrap_or_else(|| by_hand(&lacking));
    Err(Failure::new(format!(
        "Nothing can be built without {}. {advice}",
        first.what
    )))
}

/// The one line to type.
pub(crate) fn by_hand(lacking: &[&Need]) -> String {
    if has_apt() {
        format!("Type: {}", apt_line(&packages_of(lacking)))
    } else {
        let what: Vec<&str> = lacking.iter().map(|need| need.what).collect();
        format!(
            "Package names are known for Debian and its relatives alone. Please install, by the names \
             your system has for them: {}.",
            what.join(", ")
        )
    }
}

/// Installs, or says why not and what to type.
fn install(lacking: &[&Need]) -> Option<String> {
    let packages = packages_of(lacking);
    if !has_apt() {
        return Some(by_hand(lacking));
    }
    let installed = match privilege() {
        Privilege::Root => apt(None, &packages),
        Privilege::Sudo if consents(&packages) => apt(Some("sudo"), &packages),
        Privilege::Sudo | Privilege::None => return Some(by_hand(lacking)),
    };
    (!installed).then(|| format!("The packages could not be installed. {}", by_hand(lacking)))
}

fn packages_of(lacking: &[&Need]) -> Vec<&'static str> {
    let mut packages: Vec<&str> = lacking
        .iter()
        .flat_map(|need| need.debian)
        .copied()
        .collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

fn apt_line(packages: &[&str]) -> String {
    format!(
        "sudo apt-get update && sudo apt-get install --yes --no-install-recommends {}",
        packages.join(" ")
    )
}

/// Updates the lists once, then installs. A failed update may still leave lists that are good enough.
fn apt(prefix: Option<&str>, packages: &[&str]) -> bool {
    let apt_get = |arguments: &[&str]| {
        let mut command = match prefix {
            Some(prefix) => {
                let mut command = Command::new(prefix);
                command.args(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
                command
            }
            None => Command::new("apt-get"),
        };
        command
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(["--quiet", "--yes", "--option", LOCK_PATIENCE])
            .args(arguments);
        command.status().is_ok_and(|status| status.success())
    };
    if !apt_get(&["update"]) {
        eprintln!("The package lists could not be updated; trying with the ones that are here.");
    }
    let mut arguments = vec!["install", "--no-install-recommends"];
    arguments.extend(packages);
    apt_get(&arguments)
}

enum Privilege {
    Root,
    Sudo,
    None,
}

fn privilege() -> Privilege {
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if is_root {
        Privilege::Root
    } else if !workspace::is_ci() && io::stdin().is_terminal() && on_path("sudo") {
        Privilege::Sudo
    } else {
        Privilege::None
    }
}

fn consents(packages: &[&str]) -> bool {
    eprint!("Run `{}` now? [y/N] ", apt_line(packages));
    let mut answer = String::new();
    io::stderr().flush().is_ok()
        && io::stdin().lock().read_line(&mut answer).is_ok()
        && matches!(answer.trim(), "y" | "Y" | "yes")
}

fn has_apt() -> bool {
    on_path("apt-get")
}

fn on_path(program: &str) -> bool {
    env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::NEEDS;

    #[test]
    fn the_line_to_type_names_each_package_once() {
        let twice: Vec<&Need> = NEEDS.iter().chain(NEEDS).collect();
        let packages = packages_of(&twice);
        let line = apt_line(&packages);
        for package in &packages {
            let times = line.split(' ').filter(|word| word == package).count();
            assert_eq!(times, 1, "{package} in {line}");
        }
        assert!(packages.contains(&"xvfb"));
    }
}
