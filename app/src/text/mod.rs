//! Text as data: what is shown of it, and how it falls into parts. No egui, no engine.

pub mod address;
pub mod diff;
pub mod finder;
pub mod highlight;
pub mod hits;
pub mod json;
pub mod lines;
pub mod listing;
pub mod markdown;
pub mod pages;
pub mod visible;
