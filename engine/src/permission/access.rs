//! What a call would touch.

/// The kinds of touch that the policy tells apart. A tool that is unsure names the wider one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Access {
    /// Nothing outside the engine's own memory.
    Nothing,
    /// Reads inside the session's folder.
    ReadInside,
    /// Changes something inside the session's folder.
    ChangeInside,
    /// Shows a page of the network in the window.
    OpenPage,
    /// Sees the session's tabs and what its pages show.
    SeeTabs,
    /// Reloads, moves or closes one of the session's tabs.
    MoveTabs,
}

impl Access {
    /// Whether a failed run that got this far must not be retried by itself.
    pub(crate) fn has_side_effects(self) -> bool {
        match self {
            Self::Nothing | Self::ReadInside | Self::SeeTabs => false,
            Self::ChangeInside | Self::OpenPage | Self::MoveTabs => true,
        }
    }
}
