//! How the window looks: colours as data, typefaces, icons, and the style made from them.
//!
//! Knows nothing of the engine. Colours are made in [`tokens`] and nowhere else, so that dark, light
//! and contrast stay one table.

pub mod fonts;
pub mod icons;
pub mod style;
pub mod system_fonts;
pub mod tokens;
