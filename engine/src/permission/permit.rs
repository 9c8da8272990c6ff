//! The proof that a call may run.

use super::Access;

/// Made by the gate alone, for one call, and used up by running it: it can be neither copied nor
/// made elsewhere, so a tool that forgot to ask does not compile.
#[derive(Debug)]
#[must_use = "a permit that is dropped has let nothing run"]
pub(crate) struct Permit {
    access: Access,
}

impl Permit {
    /// Only for the gate.
    pub(super) fn grant(access: Access) -> Self {
        Self { access }
    }

    /// What it allows.
    pub(crate) fn access(&self) -> Access {
        self.access
    }

    /// A permit without a gate, for the unit tests of what needs one.
    #[cfg(test)]
    pub(crate) fn for_test(access: Access) -> Self {
        Self { access }
    }
}
