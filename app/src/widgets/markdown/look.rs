//! What a text is drawn with, and what comes back.

use eframe::egui::TextureHandle;

use crate::i18n::Words;
use crate::text::highlight::Highlighter;
use crate::theme::tokens::Palette;

/// Gives the picture at an address when it is one of the session's own files and loaded. It is asked on
/// every frame in which the picture is in sight, so it must not wait.
pub type Pictures<'a> = &'a dyn Fn(&str) -> Option<TextureHandle>;

/// What a text is drawn with.
#[derive(Clone, Copy)]
pub struct MarkdownLook<'a> {
    /// The colours.
    pub palette: &'a Palette,
    /// The words.
    pub words: &'a Words,
    /// Gives code its colours.
    pub highlighter: &'a Highlighter,
    /// Gives the pictures. What it has nothing for is drawn as its address.
    pub pictures: Pictures<'a>,
}

/// What happened while a text was drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MarkdownActions {
    /// The address of a link that was clicked. Nothing has been opened.
    pub open_link: Option<String>,
    /// Whether code was copied.
    pub copied: bool,
    /// By how much, in points, what is in sight stands lower than it would have: a block above the top of the
    /// visible part turned out higher than it was thought. Add it to the scroll offset and nothing jumps.
    pub shifted: f32,
}
