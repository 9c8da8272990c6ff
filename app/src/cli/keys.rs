//! Answers to a card from standard input: single keys on a terminal, lines in a pipe.

use std::io::{BufRead, IsTerminal};

use tokio::sync::mpsc;
use wisp_engine::protocol::Decision;

use super::output;

/// Reads decisions, one for each time it is asked.
pub(super) struct Keys {
    ask: std::sync::mpsc::SyncSender<()>,
    answers: mpsc::Receiver<Decision>,
}

impl Keys {
    /// Starts the thread that reads.
    pub(super) fn start() -> std::io::Result<Self> {
        let (ask, asked) = std::sync::mpsc::sync_channel(1);
        let (answer, answers) = mpsc::channel(1);
        std::thread::Builder::new()
            .name("wisp-keys".to_owned())
            .spawn(move || {
                while asked.recv().is_ok() {
                    if answer.blocking_send(read_decision()).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Self { ask, answers })
    }

    /// Asks for the next decision. To be called before its card is shown: what was typed until then doesn't
    /// count, and what is typed from then on does.
    pub(super) fn ask(&self) {
        if std::io::stdin().is_terminal() {
            terminal::single_keys();
        }
        if self.ask.try_send(()).is_err() {
            tracing::debug!("a decision is being asked for already");
        }
    }

    /// The decision; never when the thread has gone.
    pub(super) async fn next(&mut self) -> Decision {
        match self.answers.recv().await {
            Some(decision) => decision,
            None => std::future::pending().await,
        }
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        terminal::restore();
    }
}

fn read_decision() -> Decision {
    if terminal::gives_single_keys() {
        terminal::read_decision()
    } else {
        read_line_decision()
    }
}

/// `a` or `approve`, `r` or `deny`, with a reason after it; the end of the input denies.
fn read_line_decision() -> Decision {
    let mut line = String::new();
    loop {
        line.clear();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => {
                output::complain("Denied: standard input has ended, so nobody can approve.");
                return Decision::Deny {
                    reason: Some("Nobody was there to approve.".to_owned()),
                };
            }
            Ok(_) => {}
        }
        match parse(line.trim()) {
            Some(decision) => return decision,
            None => output::complain("Answer a to approve or r to deny."),
        }
    }
}

fn parse(line: &str) -> Option<Decision> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let reason = Some(rest.trim().to_owned()).filter(|reason| !reason.is_empty());
    match word {
        "a" | "A" | "approve" if reason.is_none() => Some(Decision::Approve),
        "r" | "R" | "deny" => Some(Decision::Deny { reason }),
        _ => None,
    }
}

fn read_reason() -> Option<String> {
    output::mutter("reason: ");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line).ok()?;
    Some(line.trim().to_owned()).filter(|reason| !reason.is_empty())
}

#[cfg(unix)]
mod terminal {
    use std::sync::{Mutex, PoisonError};

    use rustix::termios::{
        self, LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios,
    };
    use wisp_engine::protocol::Decision;

    use super::read_reason;

    /// Waits for one of the keys, without Enter, and puts the terminal back.
    pub(super) fn read_decision() -> Decision {
        let decision = read_key();
        restore();
        match decision {
            Decision::Deny { reason: Some(_) } => Decision::Deny {
                reason: read_reason(),
            },
            decision => decision,
        }
    }

    /// A denial with a reason is one whose reason is still to be asked.
    fn read_key() -> Decision {
        let stdin = std::io::stdin();
        let mut byte = [0_u8];
        loop {
            // Not through Rust's buffer: a second key in it would answer the next card, unseen.
            match rustix::io::retry_on_intr(|| rustix::io::read(&stdin, &mut byte)) {
                Ok(0) | Err(_) => return Decision::Deny { reason: None },
                Ok(_) => {}
            }
            match byte {
                [b'a' | b'A'] => return Decision::Approve,
                [b'r'] => return Decision::Deny { reason: None },
                [b'R'] => {
                    return Decision::Deny {
                        reason: Some(String::new()),
                    };
                }
                _ => {}
            }
        }
    }

    /// How the terminal was, while it gives single keys. Kept here because the program may end while
    /// the thread that reads still waits for a key.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    /// Puts the terminal back as it was.
    pub(super) fn restore() {
        if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let restored = termios::tcsetattr(std::io::stdin(), OptionalActions::Now, &before);
            if let Err(error) = restored {
                tracing::debug!(%error, "the terminal could not be put back");
            }
        }
    }

    /// Whether it gives single keys now.
    pub(super) fn gives_single_keys() -> bool {
        BEFORE
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    /// Forgets what was typed and lets the terminal give single keys, until [`restore`]. Ctrl C stays a
    /// signal. A terminal that can't gives lines as before.
    pub(super) fn single_keys() {
        if let Err(error) = try_single_keys() {
            tracing::debug!(%error, "the terminal gives no single keys");
        }
    }

    fn try_single_keys() -> rustix::io::Result<()> {
        let stdin = std::io::stdin();
        let before = termios::tcgetattr(&stdin)?;
        let mut single = before.clone();
        single.local_modes -= LocalModes::ICANON | LocalModes::ECHO;
        single.special_codes[SpecialCodeIndex::VMIN] = 1;
        single.special_codes[SpecialCodeIndex::VTIME] = 0;
        termios::tcflush(&stdin, QueueSelector::IFlush)?;
        termios::tcsetattr(&stdin, OptionalActions::Now, &single)?;
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        Ok(())
    }
}

#[cfg(not(unix))]
mod terminal {
    use wisp_engine::protocol::Decision;

    /// Nothing was changed.
    pub(super) fn restore() {}

    /// It never does.
    pub(super) fn gives_single_keys() -> bool {
        false
    }

    /// Single keys are for terminals of Unix kind.
    pub(super) fn single_keys() {}

    /// Takes a line.
    pub(super) fn read_decision() -> Decision {
        super::read_line_decision()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_yes_approves() {
        assert_eq!(parse("a"), Some(Decision::Approve));
        assert_eq!(parse("r"), Some(Decision::Deny { reason: None }));
        assert_eq!(
            parse("r not this file"),
            Some(Decision::Deny {
                reason: Some("not this file".to_owned())
            })
        );
        for other in ["", "y", "yes", "a lot", "approved", "ar"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
