//! What the window's parts are called, for who drives it: accessible names and words on the screen.

/// Where a person types a request.
pub const COMPOSER: &str = "Message";
/// The card that waits for a decision.
pub const CARD: &str = "Approval";
/// Its button that lets the call run.
pub const APPROVE: &str = "Approve";
/// Its button that refuses.
pub const DENY: &str = "Deny";
/// Its button that shows everything about the call.
pub const DETAILS: &str = "Details";
/// The button that closes a page although something was typed into it.
pub const LEAVE_PAGE: &str = "Close";
/// The button that keeps a download.
pub const KEEP_DOWNLOAD: &str = "Keep";
