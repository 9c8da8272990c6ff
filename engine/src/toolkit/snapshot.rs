//! The tools of one run, captured once.
