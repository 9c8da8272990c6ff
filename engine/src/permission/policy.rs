//! The rules, as one pure function.

use crate::protocol::Mode;

use super::Access;

/// What the rules say of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It runs.
    Run,
    /// The user is asked.
    Ask,
}

/// Decides by mode and access.
///
/// Precedence: hard refusals come before this function, in the tool's own preparation, where the
/// real paths are known (outside the folder, private folders, links); nothing here lifts them. Then
/// the table below. What the table doesn't know is asked.
pub(crate) fn verdict(mode: Mode, access: Access) -> Verdict {
    match (mode, access) {
        (Mode::Chat, Access::Nothing | Access::ReadInside | Access::SeeTabs | Access::MoveTabs) => {
            Verdict::Run
        }
        (Mode::Chat, Access::ChangeInside | Access::OpenPage) => Verdict::Ask,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chat_runs_what_reads_and_asks_for_what_changes() {
        assert_eq!(verdict(Mode::Chat, Access::Nothing), Verdict::Run);
        assert_eq!(verdict(Mode::Chat, Access::ReadInside), Verdict::Run);
        assert_eq!(verdict(Mode::Chat, Access::ChangeInside), Verdict::Ask);
        assert_eq!(verdict(Mode::Chat, Access::OpenPage), Verdict::Ask);
        assert_eq!(verdict(Mode::Chat, Access::SeeTabs), Verdict::Run);
        assert_eq!(verdict(Mode::Chat, Access::MoveTabs), Verdict::Run);
    }
}
