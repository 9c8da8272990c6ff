//! Text as data: what is shown of it, and how it falls into parts. No egui, no engine.

pub mod highlight;
pub mod markdown;
pub mod visible;
