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
}

impl Access {
    /// Whether a failed run that got this far must not be retried by itself.
    pub(crate) fn has_side_effects(self) -> bool {
        match self {
            Self::Nothing | Self::ReadInside => false,
            Self::ChangeInside => true,
        }
    }
}
