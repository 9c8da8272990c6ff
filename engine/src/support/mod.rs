//! Small things that every other module may use and that know nothing of them.

pub(crate) mod clock;
pub(crate) mod json;
pub(crate) mod redact;
