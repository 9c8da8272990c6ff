//! The one place that makes permits.
